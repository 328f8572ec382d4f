//! Comparison of two models.

use std::collections::BTreeSet;

use herbrand_pddl::{ActionSchema, Atom, AtomList, Domain, Effect, Formula, Problem, Term};

use crate::edit::{Edit, SchemaPart};
use crate::literal::{Ground, SchemaLiteral};
use crate::model::PlanningModel;
use crate::operators;

/// Returns a batch of edits that turns the model `from` into the model `to` ([`PlanningModel::apply`]). Pass it to
/// `apply` with default rules: it may delete facts that rules keep.
///
/// The order of objects, facts and literals in schemas may differ from `to`; [`PlanningModel::sorted`] removes the
/// difference of objects and facts. The requirements of the domains are not compared. A part of a schema that occurs
/// twice counts once.
///
/// Equal models give an empty batch. Returns `None` if edits cannot express the difference:
///
/// - The domains differ in more than literals of outermost conjunctions.
/// - The problems differ in name, requirements, function values, initial draws, timed literals, goal reward or metric, or only
///   one of them has a goal.
/// - A new or changed object has several types, or a changed object occurs in a function value, an initial draw, a
///   timed literal or the metric.
///
/// ```
/// use herbrand_edit::{Edit, EditRules, PlanningModel, difference};
///
/// let domain = "(define (domain d) (:predicates (lit ?l)) (:action a :parameters (?l) :effect (lit ?l)))";
/// let with = |init: &str| PlanningModel::from_text(
///     domain,
///     &format!("(define (problem p) (:domain d) (:objects hall attic) (:init {init}) (:goal (lit attic)))"),
/// );
/// let (before, after) = (with("(lit hall)")?, with("(lit attic)")?);
/// let edits = difference(&before, &after).expect("facts alone differ");
/// assert_eq!(edits, [Edit::delete_fact("(lit hall)")?, Edit::add_fact("(lit attic)")?]);
/// assert_eq!(before.apply(&edits, &EditRules::default())?, after);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn difference(from: &PlanningModel, to: &PlanningModel) -> Option<Vec<Edit>> {
    let mut edits = of_domains(from.domain(), to.domain())?;
    let [old, new] = [from, to].map(|model| Names {
        domain: model.domain(),
        problem: model.problem(),
    });
    let same = old.problem.name == new.problem.name
        && old.problem.requirements == new.problem.requirements
        && old.problem.has_goal == new.problem.has_goal
        && old.problem.goal_reward == new.problem.goal_reward
        && old.rest() == new.rest();
    if !same {
        return None;
    }
    let ([old_objects, new_objects], [old_facts, new_facts]) = (
        [&old, &new].map(Names::objects),
        [from, to].map(|model| model.facts().into_iter().collect::<BTreeSet<_>>()),
    );
    let gone: Vec<_> = old_objects.difference(&new_objects).collect();
    // Deleting an object also deletes its function values, and edits cannot set them again.
    let rest = new.rest();
    let mut words = rest.split(|c: char| c.is_whitespace() || "()".contains(c));
    if words.any(|word| gone.iter().any(|(object, _)| object == word)) {
        return None;
    }
    let is_gone = |name: &String| gone.iter().any(|(object, _)| object == name);
    let touched = |fact: &Ground| fact.arguments.iter().any(is_gone);
    // An edit can declare an object only with a single type.
    let come: Vec<_> = new_objects.difference(&old_objects).collect();
    if come.iter().any(|(_, of)| of.contains(' ')) {
        return None;
    }
    let goals_differ = old.goal() != new.goal() || !gone.is_empty();
    if goals_differ && new.problem.has_goal {
        // A trivial goal for now, so that the old goal does not prevent the deletion of objects.
        edits.push(Edit::SetGoal {
            goal: "(and)".to_owned(),
        });
    }
    // An object whose type changes is deleted and declared again. Its facts are deleted with it and added again afterwards.
    let stays = |fact: &&Ground| !touched(fact);
    let deleted = old_facts.difference(&new_facts).filter(stays);
    edits.extend(deleted.map(|fact| Edit::DeleteFact { fact: fact.clone() }));
    edits.extend(gone.iter().map(|(object, _)| Edit::DeleteObject {
        object: object.clone(),
        cascade: true,
    }));
    edits.extend(come.into_iter().map(|(object, of)| Edit::AddObject {
        object: object.clone(),
        of: Some(of.clone()),
    }));
    let added = new_facts
        .iter()
        .filter(|fact| !old_facts.contains(*fact) || touched(fact));
    edits.extend(added.map(|fact| Edit::AddFact { fact: fact.clone() }));
    if goals_differ && new.problem.has_goal {
        edits.push(Edit::SetGoal { goal: new.goal() });
    }
    Some(edits)
}

/// A problem whose content is compared by name.
struct Names<'m> {
    domain: &'m Domain,
    problem: &'m Problem,
}

impl Names<'_> {
    /// Returns the names and types of the problem's own objects.
    fn objects(&self) -> BTreeSet<(String, String)> {
        let own = self.problem.objects.iter().skip(self.problem.constants as usize);
        own.map(|object| {
            let types = object
                .types
                .types()
                .iter()
                .map(|&id| self.domain.type_of(id).name.to_string());
            (object.name.to_string(), types.collect::<Vec<_>>().join(" "))
        })
        .collect()
    }

    /// Returns the goal as PDDL.
    fn goal(&self) -> String {
        let only_goal = Problem {
            init: AtomList::default(),
            values: Vec::new(),
            chances: Vec::new(),
            timed: Vec::new(),
            goal_reward: None,
            metric: None,
            ..self.problem.clone()
        };
        let text = only_goal.to_pddl(self.domain);
        let goal = text.rsplit_once("(:goal").map_or("", |(_, goal)| goal);
        let goal = goal.trim_end();
        // Removes the parentheses that close `:goal` and the problem.
        let goal = goal.strip_suffix(')').map_or(goal, str::trim_end);
        let goal = goal.strip_suffix(')').unwrap_or(goal);
        goal.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Returns the problem as PDDL without objects, facts and goal: mainly function values, initial draws and the metric.
    fn rest(&self) -> String {
        let rest = Problem {
            init: AtomList::default(),
            goal: Formula::TRUE,
            goal_variables: Vec::new(),
            has_goal: false,
            goal_reward: None,
            ..self.problem.clone()
        };
        let text = rest.to_pddl(self.domain);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let Some((before, objects)) = text.split_once("(:objects") else {
            return words(&text);
        };
        // In the objects, only the types of `either` contain parentheses.
        let mut depth = 1_usize;
        let end = objects.find(|c| {
            depth = if c == '(' {
                depth + 1
            } else {
                depth - usize::from(c == ')')
            };
            depth == 0
        });
        words(&format!("{before}{}", end.map_or("", |end| &objects[end + 1..])))
    }
}

/// Returns the edits of literals that turn one domain into another, or `None` if anything else differs.
fn of_domains(from: &Domain, to: &Domain) -> Option<Vec<Edit>> {
    let mut edits = Vec::new();
    if from == to {
        return Some(edits);
    }
    let declarations = |domain: &Domain| {
        let mut domain = domain.clone();
        domain.schemas.clear();
        let predicates = domain
            .predicates
            .iter()
            .map(|one| (one.name.clone(), one.parameters.clone()));
        (
            domain.name.clone(),
            domain.types.clone(),
            domain.constants.clone(),
            predicates.collect::<Vec<_>>(),
            domain.functions.clone(),
            domain.axioms.clone(),
            domain.durative_actions.clone(),
        )
    };
    if declarations(from) != declarations(to) || from.schemas.len() != to.schemas.len() {
        return None;
    }
    for (old, new) in from.schemas.iter().zip(&to.schemas) {
        let same = old.name == new.name
            && old.variables == new.variables
            && old.arity == new.arity
            && old.agent == new.agent;
        if !same {
            return None;
        }
        let schema = old.name.to_string();
        let conditions = [old, new].map(|one| operators::conjuncts(one.precondition.clone()));
        let effects = [old, new].map(|one| operators::effects(one.effect.clone()));
        let literal = |part: &Formula| literal_of(from, old, part);
        let changes = [
            (SchemaPart::Precondition, changed(&conditions, literal)?),
            (
                SchemaPart::Effect,
                changed(&effects, |part| effect_literal(from, old, part))?,
            ),
        ];
        for (part, (gone, come)) in changes {
            edits.extend(gone.into_iter().map(|literal| Edit::DeleteLiteral {
                schema: schema.clone(),
                part,
                literal,
            }));
            edits.extend(come.into_iter().map(|literal| Edit::AddLiteral {
                schema: schema.clone(),
                part,
                literal,
            }));
        }
    }
    Some(edits)
}

/// Returns the parts only in the first list and the parts only in the second one. `None` if any of them is not a literal.
fn changed<T: PartialEq>(
    [old, new]: &[Vec<T>; 2],
    literal: impl Fn(&T) -> Option<SchemaLiteral>,
) -> Option<(Vec<SchemaLiteral>, Vec<SchemaLiteral>)> {
    let only = |one: &[T], other: &[T]| {
        let missing = one.iter().filter(|part| !other.contains(part));
        missing.map(&literal).collect::<Option<Vec<_>>>()
    };
    Some((only(old, new)?, only(new, old)?))
}

fn literal_of(domain: &Domain, schema: &ActionSchema, formula: &Formula) -> Option<SchemaLiteral> {
    let (atom, negated) = match formula {
        Formula::Atom(atom) => (atom, false),
        Formula::Not(inner) => match &**inner {
            Formula::Atom(atom) => (atom, true),
            _ => return None,
        },
        _ => return None,
    };
    Some(named(domain, schema, atom, negated))
}

fn effect_literal(domain: &Domain, schema: &ActionSchema, effect: &Effect) -> Option<SchemaLiteral> {
    match effect {
        Effect::Add(atom) => Some(named(domain, schema, atom, false)),
        Effect::Delete(atom) => Some(named(domain, schema, atom, true)),
        _ => None,
    }
}

fn named(domain: &Domain, schema: &ActionSchema, atom: &Atom, negated: bool) -> SchemaLiteral {
    let name = |term: &Term| match term {
        Term::Variable(id) => format!("?{}", schema.variables[id.index()].name),
        Term::Object(id) => domain.constants[id.index()].name.to_string(),
    };
    SchemaLiteral {
        negated,
        atom: Ground {
            predicate: domain.predicate(atom.predicate).name.to_string(),
            arguments: atom.arguments.iter().map(name).collect(),
        },
    }
}
