//! Beliefs of an agent in a partially observable world.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_pddl::PredicateKind;
use serde::{Deserialize, Serialize};

use crate::edit::Edit;
use crate::fault::{EditCode, EditFault, EditFaults};
use crate::literal::Ground;
use crate::model::PlanningModel;
use crate::rules::{EditRules, Functional};

/// An agent's knowledge of a problem: each fact is known to be true, known to be false, or unknown. [`new`](Self::new)
/// creates it, [`observe`](Self::observe) adds observations, and [`model`](Self::model) gives the problem to plan for.
///
/// An object whose real name is unknown is a *placeholder*. Functional relations ([`EditRules`]) identify it: if such a
/// relation would have two values for the same keys, and one value names a placeholder, the placeholder is merged into
/// the object that the other value names.
///
/// There are three kinds of facts. Facts of a predicate that no action changes are *static*: once known, they stay. Facts of
/// a predicate in [`EditRules::monotone`] may become true, and then stay true. All other facts are *fluent*: the latest
/// observation holds.
///
/// ```
/// use herbrand_edit::{Belief, EditRules, Functional, PlanningModel, Statement, Truth};
///
/// let model = PlanningModel::from_text(
///     "(define (domain house) (:requirements :typing) (:types room way)
///        (:predicates (at ?r - room) (leads ?a ?b - room ?w - way))
///        (:action go :parameters (?a ?b - room ?w - way) :precondition (and (at ?a) (leads ?a ?b ?w))
///           :effect (and (at ?b) (not (at ?a)))))",
///     "(define (problem look) (:domain house) (:objects kitchen - room north south - way) (:init (at kitchen)))",
/// )?;
/// // The agent is in one room, and each way out of a room leads to one room.
/// let function = |predicate: &str, keys: &[usize]| Functional { predicate: predicate.into(), keys: keys.into() };
/// let rules = EditRules { functional: vec![function("at", &[]), function("leads", &[0, 2])], monotone: vec![] };
/// let mut belief = Belief::new(model, rules);
///
/// // A door to the north leads to an unknown room.
/// belief.observe("look", &[
///     Statement::placeholder("loc1", "room"),
///     Statement::holds("(leads kitchen loc1 north)")?,
/// ])?;
/// // The agent finds the hall behind it: `loc1` is merged into `hall`.
/// belief.observe("go north", &[
///     Statement::object("hall", "room"),
///     Statement::holds("(at hall)")?,
///     Statement::holds("(leads kitchen hall north)")?,
///     Statement::holds("(leads hall kitchen south)")?,
/// ])?;
/// assert_eq!(belief.truth(&"(at kitchen)".parse()?), Truth::False);
/// assert_eq!(belief.truth(&"(leads hall kitchen north)".parse()?), Truth::Unknown);
/// assert_eq!(belief.source(&"(leads hall kitchen south)".parse()?), Some("go north"));
/// assert_eq!(belief.placeholders().count(), 0);
/// // The planner's model: facts that are not known to be true are false.
/// assert!(!belief.model().problem_text().contains("loc1"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Belief {
    model: PlanningModel,
    rules: EditRules,
    /// For each fact known to be true, the first statement that said so.
    truths: BTreeMap<Ground, Source>,
    /// For each fact known to be false, the last statement that said so.
    denials: BTreeMap<Ground, Source>,
    /// For each fact known to be true, the last statement that said so.
    repeated: BTreeMap<Ground, Source>,
    /// The names of all objects, including placeholders.
    objects: BTreeSet<String>,
    /// The names of the placeholders.
    placeholders: BTreeSet<String>,
    /// The names of the observations in order.
    observations: Vec<String>,
}

/// The position of a statement: its observation, and its index in the observation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Source {
    observation: usize,
    statement: usize,
}

/// The knowledge of a [`Belief`] about one fact: whether it is true, false or unknown. [`Belief::truth`] returns it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Truth {
    /// The fact is known to be true.
    True,
    /// The fact is known to be false: it was observed to be false, or a functional relation has another value. A clash
    /// with a fact about a placeholder does not make it false. An observation that replaced it by a newer value does.
    False,
    /// The truth of the fact is unknown. Also the answer for a fact whose names the domain does not have.
    Unknown,
}

/// One statement of an observation about the problem, such as that a fact is true. [`Belief::observe`] takes a list of
/// them. As JSON, it is an object whose key `statement` names the variant.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(tag = "statement", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Statement {
    /// An object of this name exists. If a placeholder has this name, it keeps the name and becomes an ordinary
    /// object. Repeating it changes nothing; the type of a known object is not compared.
    Object {
        /// The object's name.
        object: String,
        /// The object's type; `None` if the statement does not give one, which is a fault for a new object if the
        /// domain declares types.
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
    /// An object exists whose real name is unknown. Changes nothing if an object has this name already. [`Belief`]
    /// describes how it is merged with an object of a known name.
    Placeholder {
        /// The name that stands for the object until its real name is known.
        object: String,
        /// The placeholder's type; `None` if the statement does not give one, which is a fault for a new name if the
        /// domain declares types.
        #[serde(rename = "type", default, skip_serializing_if = "Option::is_none")]
        of: Option<String>,
    },
    /// A fact is true. A fault if it is static and known to be false.
    Holds {
        /// The fact.
        fact: Ground,
    },
    /// A fact is false. A fault if it is static or monotone and known to be true.
    Fails {
        /// The fact.
        fact: Ground,
    },
}

impl Statement {
    /// Creates the statement that an object of a type exists. Pass it to [`Belief::observe`], which checks the type;
    /// `of` is its name.
    #[must_use]
    pub fn object(name: &str, of: &str) -> Self {
        let (object, of) = (name.to_owned(), Some(of.to_owned()));
        Self::Object { object, of }
    }

    /// Creates the statement that an object of a type exists whose real name is unknown. Another statement says
    /// something about it; the belief merges it into an object once it is identified.
    #[must_use]
    pub fn placeholder(name: &str, of: &str) -> Self {
        let (object, of) = (name.to_owned(), Some(of.to_owned()));
        Self::Placeholder { object, of }
    }

    /// Creates the statement that a fact such as `(at kitchen)` is true. Pass it to [`Belief::observe`], which checks
    /// the names.
    ///
    /// # Errors
    /// Fails if the text is not a ground atom.
    pub fn holds(fact: &str) -> Result<Self, crate::literal::LiteralError> {
        Ok(Self::Holds { fact: fact.parse()? })
    }

    /// Creates the statement that a fact such as `(at kitchen)` is false. Pass it to [`Belief::observe`]; the names
    /// are checked only if the fact is known to be true.
    ///
    /// # Errors
    /// Fails if the text is not a ground atom.
    pub fn fails(fact: &str) -> Result<Self, crate::literal::LiteralError> {
        Ok(Self::Fails { fact: fact.parse()? })
    }
}

impl Belief {
    /// Creates a belief from the problem of `model`. `rules` names its functional and monotone relations. Its initial
    /// facts are known to be true, as the observation `start`; all other facts are unknown. Then call
    /// [`observe`](Self::observe). The initial facts are not checked against `rules`.
    #[must_use]
    pub fn new(model: PlanningModel, rules: EditRules) -> Self {
        let start = Source {
            observation: 0,
            statement: 0,
        };
        let truths: BTreeMap<_, _> = model.facts().into_iter().map(|fact| (fact, start)).collect();
        Self {
            repeated: truths.clone(),
            truths,
            denials: BTreeMap::new(),
            objects: model
                .problem()
                .objects
                .iter()
                .map(|object| object.name.to_string())
                .collect(),
            placeholders: BTreeSet::new(),
            observations: vec!["start".to_owned()],
            model,
            rules,
        }
    }

    /// Returns the knowledge as a model for planners, under the closed-world assumption: facts not known to be true
    /// are false. Objects include placeholders. After the next observation, call this again.
    #[must_use]
    pub const fn model(&self) -> &PlanningModel {
        &self.model
    }

    /// Iterates over the names of the placeholders that have not been merged into other objects. They are in
    /// alphabetical order and lower case.
    pub fn placeholders(&self) -> impl ExactSizeIterator<Item = &str> {
        self.placeholders.iter().map(String::as_str)
    }

    /// Returns whether a fact is known to be true, known to be false, or unknown. Whether the domain has the predicate
    /// and the objects is not checked. A functional relation makes a fact known to be false if another value is known.
    #[must_use]
    pub fn truth(&self, fact: &Ground) -> Truth {
        if self.truths.contains_key(fact) {
            return Truth::True;
        }
        // A different value of a function excludes this one only if neither names a placeholder, because placeholders can be
        // merged.
        let named = |one: &Ground| !one.arguments.iter().any(|name| self.placeholders.contains(name));
        let excluded = |rule: &Functional| {
            let mut values = self.truths.keys().filter(|known| clash(rule, known, fact));
            named(fact) && values.any(named)
        };
        if self.denials.contains_key(fact) || self.rules.functional.iter().any(excluded) {
            return Truth::False;
        }
        Truth::Unknown
    }

    /// Returns the name of the observation that first said that a true fact is true, or last said that a false fact is
    /// false. `None` if the fact is unknown, or only excluded by a functional relation. Initial facts have the
    /// observation `start`. A fact that a newer value replaced has the observation of that value.
    #[must_use]
    pub fn source(&self, fact: &Ground) -> Option<&str> {
        let source = self.truths.get(fact).or_else(|| self.denials.get(fact))?;
        self.observations.get(source.observation).map(String::as_str)
    }

    /// Adds an observation to the belief: `statements`, made by the observation called `name`, which
    /// [`source`](Self::source) reports. Returns the edits of the model: first the statements themselves, then their
    /// consequences. Placeholders are merged and outdated facts are deleted until each functional relation has at most
    /// one value per key. The problem is printed and parsed again for each of these steps. Statements that say nothing
    /// new give no edit. The order of the statements within one observation does not decide between two values. Do not
    /// state a fact and its negation in one observation: depending on the order, that is a fault.
    ///
    /// # Errors
    /// Fails with all faults, each with the index of its statement: faults of the edits, contradictions to facts that
    /// cannot change, and two values of a functional relation that no merge or newer observation resolves. Faults of
    /// the consequences are found only if the statements have none. The belief is unchanged after an error.
    pub fn observe(&mut self, name: &str, statements: &[Statement]) -> Result<Vec<Edit>, EditFaults> {
        let mut next = self.clone();
        next.observations.push(name.to_owned());
        let mut edits = next.take_in(statements)?;
        while let Some(edit) = next.settle()? {
            edits.push(edit);
        }
        *self = next;
        Ok(edits)
    }

    /// Applies the statements themselves.
    fn take_in(&mut self, statements: &[Statement]) -> Result<Vec<Edit>, EditFaults> {
        let observation = self.observations.len() - 1;
        let (mut edits, mut numbers, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        for (statement, said) in statements.iter().enumerate() {
            let source = Source {
                observation,
                statement,
            };
            match self.edit(said, source) {
                Ok(None) => {}
                Ok(Some(edit)) => {
                    edits.push(edit);
                    numbers.push(statement);
                }
                Err(fault) => faults.push(fault),
            }
        }
        // Static and monotone facts are checked above. Functional relations are settled later, so no rules apply here.
        match self.model.apply(&edits, &EditRules::default()) {
            Ok(model) => self.model = model,
            Err(EditFaults(found)) => faults.extend(found.into_iter().map(|fault| EditFault {
                edit: numbers[fault.edit],
                ..fault
            })),
        }
        faults.sort_by_key(|fault| fault.edit);
        if faults.is_empty() {
            Ok(edits)
        } else {
            Err(EditFaults(faults))
        }
    }

    /// Records a statement. Returns its edit of the model, or `None` if the statement is not new.
    fn edit(&mut self, said: &Statement, source: Source) -> Result<Option<Edit>, EditFault> {
        match said {
            Statement::Object { object, of } => {
                let object = object.to_ascii_lowercase();
                self.placeholders.remove(&object);
                let new = self.objects.insert(object.clone());
                let of = of.clone();
                Ok(new.then_some(Edit::AddObject { object, of }))
            }
            Statement::Placeholder { object, of } => {
                let object = object.to_ascii_lowercase();
                if !self.objects.insert(object.clone()) {
                    return Ok(None);
                }
                self.placeholders.insert(object.clone());
                let of = of.clone();
                Ok(Some(Edit::AddObject { object, of }))
            }
            Statement::Holds { fact } => {
                self.repeated.insert(fact.clone(), source);
                if self.truths.contains_key(fact) {
                    return Ok(None);
                }
                let denied = self.denials.remove(fact);
                if denied.is_some() && self.is_static(fact) {
                    let message = format!("`{fact}` is known to be false, and no action changes that");
                    return Err(fault(source, EditCode::Contradiction, message));
                }
                self.truths.insert(fact.clone(), source);
                Ok(Some(Edit::AddFact { fact: fact.clone() }))
            }
            Statement::Fails { fact } => {
                let known = self.truths.contains_key(fact);
                if known && (self.is_static(fact) || self.is_monotone(fact)) {
                    let message = format!("`{fact}` is known to be true, and stays so");
                    return Err(fault(source, EditCode::Monotone, message));
                }
                self.truths.remove(fact);
                self.denials.insert(fact.clone(), source);
                Ok(known.then(|| Edit::DeleteFact { fact: fact.clone() }))
            }
        }
    }

    fn is_static(&self, fact: &Ground) -> bool {
        let domain = self.model.domain();
        let predicate = domain.find_predicate(&fact.predicate);
        predicate.is_some_and(|id| domain.predicate(id).kind == PredicateKind::Static)
    }

    fn is_monotone(&self, fact: &Ground) -> bool {
        self.rules
            .monotone
            .iter()
            .any(|name| name.eq_ignore_ascii_case(&fact.predicate))
    }

    /// Resolves one clash in a functional relation or between truths and denials. Returns its edit, or `None` if there is no
    /// clash.
    fn settle(&mut self) -> Result<Option<Edit>, EditFaults> {
        let Some((old, new)) = self.find_clash() else {
            return self.settle_denial();
        };
        let edit = self.resolution(&old, &new)?;
        let model = self
            .model
            .apply(std::slice::from_ref(&edit), &EditRules::default());
        // Faults are attributed to the statement of the newer fact.
        let blamed = self.truths[&new].statement;
        self.model = model.map_err(|EditFaults(faults)| {
            EditFaults(
                faults
                    .into_iter()
                    .map(|fault| EditFault {
                        edit: blamed,
                        ..fault
                    })
                    .collect(),
            )
        })?;
        match &edit {
            Edit::MergeObject { object, into } => self.merge(object, into),
            Edit::DeleteFact { fact } => {
                let seen = self.truths[&new];
                self.truths.remove(fact);
                self.denials.insert(fact.clone(), seen);
            }
            _ => {}
        }
        Ok(Some(edit))
    }

    /// Resolves one fact that is both true and false. This happens when two merged objects had different facts. The later
    /// statement holds, except that monotone facts stay true. Static facts that contradict each other are a fault.
    fn settle_denial(&mut self) -> Result<Option<Edit>, EditFaults> {
        let both = self
            .denials
            .iter()
            .find(|(fact, _)| self.truths.contains_key(*fact));
        let Some((fact, &denied)) = both else {
            return Ok(None);
        };
        let fact = fact.clone();
        let told = self.repeated.get(&fact).copied().unwrap_or(denied);
        if self.is_static(&fact) {
            let message = format!("`{fact}` is known to be true and to be false, and no action changes that");
            return Err(EditFaults(vec![fault(
                told.max(denied),
                EditCode::Contradiction,
                message,
            )]));
        }
        if self.is_monotone(&fact) || told > denied {
            self.denials.remove(&fact);
            return self.settle();
        }
        self.truths.remove(&fact);
        let edit = Edit::DeleteFact { fact };
        let model = self
            .model
            .apply(std::slice::from_ref(&edit), &EditRules::default());
        self.model = model.map_err(|EditFaults(faults)| {
            let blamed = faults.into_iter().map(|one| fault(denied, one.code, one.message));
            EditFaults(blamed.collect())
        })?;
        Ok(Some(edit))
    }

    /// Returns two facts that cannot both be true, the earlier known one first.
    fn find_clash(&self) -> Option<(Ground, Ground)> {
        for rule in &self.rules.functional {
            // For each combination of key values, the first fact with these keys.
            let mut values: BTreeMap<Vec<&String>, &Ground> = BTreeMap::new();
            for fact in self
                .truths
                .keys()
                .filter(|fact| fact.predicate.eq_ignore_ascii_case(&rule.predicate))
            {
                let keys = rule
                    .keys
                    .iter()
                    .filter_map(|&place| fact.arguments.get(place))
                    .collect();
                let Some(other) = values.insert(keys, fact) else {
                    continue;
                };
                let in_order = self.truths[other] <= self.truths[fact];
                let (old, new) = if in_order { (other, fact) } else { (fact, other) };
                return Some((old.clone(), new.clone()));
            }
        }
        None
    }

    /// Returns the edit that resolves a clash: merges a placeholder, or deletes the older of two fluent facts. Fails if
    /// neither applies.
    fn resolution(&self, old: &Ground, new: &Ground) -> Result<Edit, EditFaults> {
        let differing = old
            .arguments
            .iter()
            .zip(&new.arguments)
            .filter(|(one, other)| one != other);
        for (one, other) in differing {
            let merged = [(one, other), (other, one)];
            let placeholder = merged
                .into_iter()
                .find(|(object, _)| self.placeholders.contains(*object));
            if let Some((object, into)) = placeholder {
                return Ok(Edit::MergeObject {
                    object: object.clone(),
                    into: into.clone(),
                });
            }
        }
        let (first, second) = (self.truths[old], self.truths[new]);
        let may_change = !self.is_static(old) && !self.is_monotone(old);
        if may_change && first.observation < second.observation {
            return Ok(Edit::DeleteFact { fact: old.clone() });
        }
        let message = format!(
            "`{old}` and `{new}` cannot both be true: {} is a function",
            new.predicate
        );
        Err(EditFaults(vec![fault(second, EditCode::Functional, message)]))
    }

    /// Merges the knowledge about `object` into the knowledge about `into`.
    fn merge(&mut self, object: &str, into: &str) {
        for facts in [&mut self.truths, &mut self.denials] {
            for (mut fact, source) in std::mem::take(facts) {
                let names = fact.arguments.iter_mut().filter(|name| *name == object);
                names.for_each(|name| into.clone_into(name));
                let first = facts.entry(fact).or_insert(source);
                *first = source.min(*first);
            }
        }
        for (mut fact, source) in std::mem::take(&mut self.repeated) {
            let names = fact.arguments.iter_mut().filter(|name| *name == object);
            names.for_each(|name| into.clone_into(name));
            let last = self.repeated.entry(fact).or_insert(source);
            *last = source.max(*last);
        }
        self.placeholders.remove(object);
        self.objects.remove(object);
    }
}

/// Returns whether two different facts are values of the same function for the same keys.
fn clash(rule: &Functional, one: &Ground, other: &Ground) -> bool {
    let same_keys = || {
        rule.keys
            .iter()
            .all(|&place| one.arguments.get(place) == other.arguments.get(place))
    };
    one != other
        && one.predicate == other.predicate
        && one.predicate.eq_ignore_ascii_case(&rule.predicate)
        && same_keys()
}

fn fault(source: Source, code: EditCode, message: String) -> EditFault {
    EditFault {
        edit: source.statement,
        code,
        message,
    }
}
