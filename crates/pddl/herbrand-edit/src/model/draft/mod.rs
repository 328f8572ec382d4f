//! The mutable model that a batch of edits works on.

mod facts;
mod finish;
mod goal;
mod objects;
mod terms;

use std::sync::Arc;

use fxhash::{FxHashMap, FxHashSet};
use herbrand_pddl::{
    Domain, Formula, FunctionValue, InitialChance, Metric, Name, Object, ObjectId, PredicateId,
    PredicateKind, Problem, TimedLiterals, TypeId, TypeUnion, Variable,
};
use herbrand_text::{Place, did_you_mean, nearest};

use crate::edit::Edit;
use crate::fault::{EditCode, EditFault, Fault};
use crate::literal::{Ground, is_name};
use crate::model::PlanningModel;
use crate::operators;
use crate::rules::EditRules;
use facts::{FactList, Key};
pub(crate) use finish::Order;

/// The result of an edit: a value, or the fault of the edit.
pub(crate) type Outcome<T = ()> = Result<T, Fault>;

/// A model while a batch is applied. Objects keep their ids until the draft is finished, even if they are deleted.
pub(crate) struct Draft {
    domain: Arc<Domain>,
    base: Arc<Problem>,
    objects: Vec<Object>,
    /// For each object, whether it exists; `false` once it is deleted or merged.
    live: Vec<bool>,
    by_name: FxHashMap<Name, ObjectId>,
    facts: FactList,
    values: Vec<FunctionValue>,
    chances: Vec<InitialChance>,
    timed: Vec<TimedLiterals>,
    goal_variables: Vec<Variable>,
    goal: Formula,
    has_goal: bool,
    metric: Option<Metric>,
    /// The facts that this batch added, with the index of the edit.
    added: FxHashMap<Key, usize>,
    /// The facts that this batch deleted.
    deleted: FxHashSet<Key>,
}

impl Draft {
    pub(crate) fn of(model: &PlanningModel) -> Self {
        let problem = model.problem();
        let ids = (0..problem.objects.len()).map(ObjectId::from_index);
        let names = problem.objects.iter().map(|object| object.name.clone());
        Self {
            domain: Arc::clone(model.domain()),
            base: Arc::clone(problem),
            live: vec![true; problem.objects.len()],
            by_name: names.zip(ids).collect(),
            objects: problem.objects.clone(),
            facts: FactList::of(&problem.init),
            values: problem.values.clone(),
            chances: problem.chances.clone(),
            timed: problem.timed.clone(),
            goal_variables: problem.goal_variables.clone(),
            goal: problem.goal.clone(),
            has_goal: problem.has_goal,
            metric: problem.metric.clone(),
            added: FxHashMap::default(),
            deleted: FxHashSet::default(),
        }
    }

    /// Applies one edit. If the edit has a fault, the draft is unchanged.
    pub(crate) fn edit(&mut self, number: usize, edit: &Edit, rules: &EditRules) -> Outcome {
        match edit {
            Edit::AddFact { fact } => {
                let key = self.key(fact)?;
                self.add(number, key, fact)
            }
            Edit::DeleteFact { fact } => self.delete(fact, rules),
            Edit::ReplaceFact { fact, with } => self.replace(number, fact, with, rules),
            Edit::AddObject { object, of } => self.add_object(object, of.as_deref()),
            Edit::RenameObject { object, to } => self.rename(object, to),
            Edit::MergeObject { object, into } => self.merge(number, object, into),
            Edit::DeleteObject { object, cascade } => self.delete_object(object, *cascade, rules),
            Edit::SetGoal { goal } => self.set_goal(goal),
            Edit::AddLiteral {
                schema,
                part,
                literal,
            } => {
                self.set_domain(operators::add(&self.domain, schema, *part, literal)?);
                Ok(())
            }
            Edit::DeleteLiteral {
                schema,
                part,
                literal,
            } => {
                self.set_domain(operators::delete(&self.domain, schema, *part, literal)?);
                Ok(())
            }
        }
    }

    /// Replaces the domain. Edits of schemas change no id that the problem refers to.
    fn set_domain(&mut self, domain: Domain) {
        self.domain = Arc::new(domain);
    }

    fn add(&mut self, number: usize, key: Key, fact: &Ground) -> Outcome {
        if self.deleted.contains(&key) {
            return Err(contradiction(fact));
        }
        if !self.facts.insert(key.clone()) {
            return Err(duplicate(fact));
        }
        self.added.insert(key, number);
        Ok(())
    }

    fn delete(&mut self, fact: &Ground, rules: &EditRules) -> Outcome {
        let key = self.key(fact)?;
        if self.added.contains_key(&key) {
            return Err(contradiction(fact));
        }
        if !self.facts.contains(&key) {
            return Err(not_found(fact));
        }
        self.may_go(&key, rules)?;
        self.facts.remove(&key);
        self.deleted.insert(key);
        Ok(())
    }

    fn replace(&mut self, number: usize, fact: &Ground, with: &Ground, rules: &EditRules) -> Outcome {
        let (old, new) = (self.key(fact)?, self.key(with)?);
        if !self.facts.contains(&old) {
            return Err(not_found(fact));
        }
        if old == new {
            return Ok(());
        }
        if self.added.contains_key(&old) || self.deleted.contains(&new) {
            return Err(contradiction(if self.added.contains_key(&old) {
                fact
            } else {
                with
            }));
        }
        if self.facts.contains(&new) {
            return Err(duplicate(with));
        }
        self.may_go(&old, rules)?;
        self.facts.replace(&old, new.clone());
        self.deleted.insert(old);
        self.added.insert(new, number);
        Ok(())
    }

    /// Returns a fault if a fact must not become false because its predicate is monotone.
    fn may_go(&self, key: &Key, rules: &EditRules) -> Outcome {
        let name = &self.domain.predicate(key.predicate).name;
        if rules
            .monotone
            .iter()
            .any(|one| one.eq_ignore_ascii_case(name.as_str()))
        {
            let message = format!("`{}` stays true once it is: {name} is monotone", self.text(key));
            return Err(Fault::new(EditCode::Monotone, message));
        }
        Ok(())
    }

    /// Resolves an atom to a fact. Fails if it cannot be a fact of an initial state.
    fn key(&self, atom: &Ground) -> Outcome<Key> {
        let predicate = self.predicate(&atom.predicate)?;
        let declared = self.domain.predicate(predicate);
        match declared.kind {
            PredicateKind::Static | PredicateKind::Fluent => {}
            PredicateKind::Derived => {
                let message = format!("`{}` is derived, so axioms define it", declared.name);
                return Err(Fault::new(EditCode::NotAFact, message));
            }
            PredicateKind::Action => {
                let message = format!("`{}` is an action of the agent", declared.name);
                return Err(Fault::new(EditCode::NotAFact, message));
            }
        }
        let (found, expected) = (atom.arguments.len(), declared.parameters.len());
        if found != expected {
            let noun = if expected == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` takes {expected} {noun}, not {found}", declared.name);
            return Err(Fault::new(EditCode::Arity, message));
        }
        let arguments = atom.arguments.iter().map(|name| self.object(name));
        let arguments = arguments.collect::<Outcome<Box<[ObjectId]>>>()?;
        for (&argument, parameter) in arguments.iter().zip(&declared.parameters) {
            self.check_type(argument, &parameter.types, &declared.name)?;
        }
        Ok(Key { predicate, arguments })
    }

    fn check_type(&self, id: ObjectId, expected: &TypeUnion, predicate: &Name) -> Outcome {
        let object = &self.objects[id.index()];
        if self.domain.is_assignable(&object.types, expected) {
            return Ok(());
        }
        let (found, expected) = (self.type_text(&object.types), self.type_text(expected));
        let message = format!(
            "`{predicate}` takes {expected} here, and `{}` is {found}",
            object.name
        );
        Err(Fault::new(EditCode::Type, message))
    }

    /// Returns the names of types, joined by "or".
    fn type_text(&self, types: &TypeUnion) -> String {
        let names = types
            .types()
            .iter()
            .map(|&id| format!("`{}`", self.domain.type_of(id).name));
        names.collect::<Vec<_>>().join(" or ")
    }

    fn predicate(&self, name: &str) -> Outcome<PredicateId> {
        let lower = name.to_ascii_lowercase();
        self.domain.find_predicate(&lower).ok_or_else(|| {
            let names = self.domain.predicates.iter().map(|one| one.name.as_str());
            let meant = did_you_mean(nearest(&lower, names));
            Fault::new(
                EditCode::UnknownPredicate,
                format!("there is no predicate `{name}`{meant}"),
            )
        })
    }

    fn object(&self, name: &str) -> Outcome<ObjectId> {
        let found = self.by_name.get(&Name::new(name)).copied();
        found.ok_or_else(|| {
            let names = self.objects.iter().zip(&self.live).filter(|(_, live)| **live);
            let meant = nearest(name, names.map(|(object, _)| object.name.as_str()));
            let message = format!("there is no object `{name}`{}", did_you_mean(meant));
            Fault::new(EditCode::UndeclaredObject, message)
        })
    }

    /// Returns a fact as PDDL.
    fn text(&self, key: &Key) -> String {
        let arguments = key
            .arguments
            .iter()
            .map(|id| self.objects[id.index()].name.as_str());
        Ground::new(self.domain.predicate(key.predicate).name.as_str(), arguments).to_string()
    }

    /// Checks the name of a new object.
    fn new_name(&self, name: &str) -> Outcome<Name> {
        if !is_name(name) {
            return Err(Fault::new(EditCode::Name, format!("`{name}` is not a PDDL name")));
        }
        let name = Name::new(name);
        if self.by_name.contains_key(&name) {
            return Err(Fault::new(
                EditCode::DuplicateObject,
                format!("there is an object `{name}` already"),
            ));
        }
        Ok(name)
    }

    fn types(&self, object: &str, name: Option<&str>) -> Outcome<TypeUnion> {
        let names = || self.domain.types.iter().map(|one| one.name.as_str());
        let Some(name) = name else {
            if self.domain.types.len() > 1 {
                let message = format!(
                    "`{object}` needs a type; `{}` is above all others",
                    self.domain.types[0].name
                );
                return Err(Fault::new(EditCode::UntypedObject, message));
            }
            return Ok(TypeUnion::single(TypeId::OBJECT));
        };
        let found = names().position(|one| one.eq_ignore_ascii_case(name));
        let found = found.map(|index| TypeUnion::single(TypeId::from_index(index)));
        found.ok_or_else(|| {
            let meant = did_you_mean(nearest(name, names()));
            Fault::new(EditCode::UnknownType, format!("there is no type `{name}`{meant}"))
        })
    }

    fn add_object(&mut self, name: &str, of: Option<&str>) -> Outcome {
        let types = self.types(name, of)?;
        let name = self.new_name(name)?;
        self.by_name
            .insert(name.clone(), ObjectId::from_index(self.objects.len()));
        self.live.push(true);
        self.objects.push(Object {
            name,
            types,
            place: Place::default(),
        });
        Ok(())
    }

    /// Returns a fault for each fact that this batch added although a functional relation already has a value for its keys.
    pub(crate) fn broken_functions(&self, rules: &EditRules) -> Vec<EditFault> {
        let mut faults = Vec::new();
        for rule in &rules.functional {
            let Some(predicate) = self.domain.find_predicate(&rule.predicate.to_ascii_lowercase()) else {
                continue;
            };
            // For each combination of key values, the facts with these keys.
            let mut groups: FxHashMap<Vec<ObjectId>, Vec<&Key>> = FxHashMap::default();
            for key in self.facts.iter().filter(|key| key.predicate == predicate) {
                let values = rule
                    .keys
                    .iter()
                    .filter_map(|&place| key.arguments.get(place).copied());
                groups.entry(values.collect()).or_default().push(key);
            }
            let clashes = groups.values().filter(|group| group.len() > 1);
            for group in clashes {
                // The first fact is valid. Each fact that the batch added beside it is a fault. If the first fact was added
                // too, it is a fault only if the second one was not added by the batch.
                let new = group
                    .iter()
                    .enumerate()
                    .filter_map(|(place, key)| Some((place, key, *self.added.get(*key)?)));
                for (place, key, edit) in new {
                    let other = if place == 0 { group[1] } else { group[0] };
                    if place == 0 && self.added.contains_key(other) {
                        continue;
                    }
                    let (text, other) = (self.text(key), self.text(other));
                    let message = format!(
                        "`{text}` and `{other}` cannot both be true: {} is a function",
                        rule.predicate
                    );
                    faults.push(Fault::new(EditCode::Functional, message).at(edit));
                }
            }
        }
        faults
    }
}

fn contradiction(fact: &Ground) -> Fault {
    Fault::new(
        EditCode::Contradiction,
        format!("`{fact}` is added and deleted in one batch"),
    )
}

fn duplicate(fact: &Ground) -> Fault {
    Fault::new(EditCode::DuplicateFact, format!("`{fact}` is true already"))
}

fn not_found(fact: &Ground) -> Fault {
    Fault::new(EditCode::NotFound, format!("`{fact}` is not initially true"))
}
