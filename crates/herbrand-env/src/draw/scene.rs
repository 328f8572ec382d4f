//! What is drawn: atoms by name.

use herbrand_core::{Described, FactValue, Group};
use herbrand_ground::Literal;

use crate::{Grounded, Planning};

/// The atoms of a state, or of a goal, by name.
#[derive(Default)]
pub(super) struct Scene {
    /// The objects of the problem, in the order in which they are declared.
    pub(super) objects: Vec<String>,
    /// The atoms that hold, those that never change among them.
    pub(super) atoms: Vec<Atom>,
    /// Atoms that the goal asks for and that do not hold.
    pub(super) missing: Vec<Atom>,
}

/// An atom by name.
pub(super) struct Atom {
    pub(super) predicate: String,
    pub(super) arguments: Vec<String>,
    /// Whether it never changes.
    pub(super) fixed: bool,
}

impl Scene {
    /// The current state.
    pub(super) fn of(planning: &Planning<Grounded>) -> Self {
        let missing = planning.goal_progress().missing;
        Self {
            objects: objects(planning),
            atoms: atoms(planning, |_| true),
            missing: missing
                .into_iter()
                .filter_map(|literal| wanted(planning, literal))
                .collect(),
        }
    }

    /// What never changes, and what the goal asks for: of a disjunction, its first part.
    pub(super) fn of_goal(planning: &Planning<Grounded>) -> Self {
        let task = planning.walker().simulator().task();
        let conjunction = task.conditions.conjunctions(task.goal).next();
        let literals = conjunction.map_or(&[][..], |id| task.conditions.get(id).literals);
        let asked = literals.iter().filter_map(|&literal| wanted(planning, literal));
        let mut atoms = atoms(planning, |group| group == Group::Static);
        atoms.extend(asked);
        Self {
            objects: objects(planning),
            atoms,
            missing: Vec::new(),
        }
    }
}

fn objects(planning: &Planning<Grounded>) -> Vec<String> {
    let vocabulary = &planning.walker().simulator().task().vocabulary;
    let objects = vocabulary.objects.iter();
    objects.map(|object| object.name.to_string()).collect()
}

fn atoms(planning: &Planning<Grounded>, shown: impl Fn(Group) -> bool) -> Vec<Atom> {
    let mut atoms = Vec::new();
    planning.facts(&mut |fact| {
        if shown(fact.group) && fact.value == FactValue::Bool(true) {
            atoms.push(Atom {
                predicate: fact.name.to_owned(),
                arguments: fact.arguments.iter().map(|&name| name.to_owned()).collect(),
                fixed: fact.group == Group::Static,
            });
        }
    });
    atoms
}

/// The atom of a positive literal; `None` for a negative one, and for what the engine added for itself.
fn wanted(planning: &Planning<Grounded>, literal: Literal) -> Option<Atom> {
    let task = planning.walker().simulator().task();
    let fact = task.atoms.get(literal.atom().index())?;
    let predicate = task.vocabulary.predicate(fact.predicate);
    let names = || {
        fact.arguments
            .iter()
            .map(|&object| task.vocabulary.object(object).to_owned())
    };
    (!literal.is_negative() && !predicate.auxiliary).then(|| Atom {
        predicate: predicate.signature.name.to_string(),
        arguments: names().collect(),
        fixed: false,
    })
}
