//! Questions drawn from a world, with the answers of the engine.
//!
//! For a question with listed answers, both or all four of them could be right: the world, the length of plans and the
//! shape of facts are drawn first. A reader that understands no word sees the same in right and wrong options: the
//! predicate, the number of words, the number of objects that the rest of the question names too, and whether the fact
//! is listed among the facts of the start.

mod chance;
mod plans;
mod same;
mod space;
mod states;

use std::collections::{BTreeMap, BTreeSet};

use herbrand_ground::{ActionId, AtomId};
use herbrand_pddl::ObjectId;
use herbrand_step::Random;

use crate::draft::{self, Draft};
use crate::kind::Kind;
use crate::world::{Shape, World};

/// How often something is drawn until it fits.
const TRIES: usize = 60;
/// How often a walk through the states is drawn until a fair question can be asked about it.
const WALKS: usize = 12;

/// The circumstances in which a question is drawn.
pub(crate) struct Draw<'w> {
    pub(crate) world: &'w World,
    pub(crate) start: u32,
    /// The states from which the start was drawn, by the length of a shortest plan.
    pub(crate) starts: &'w BTreeMap<u32, Vec<u32>>,
    pub(crate) random: Random,
}

impl Draw<'_> {
    /// Draws a question; `None` if the world and the start state have none that is fair.
    pub(crate) fn question(mut self, kind: Kind) -> Option<Draft> {
        match kind {
            Kind::PlanValid => self.plan_valid(),
            Kind::PlanFailure => self.repeated(Self::plan_failure),
            Kind::WhyNot => self.repeated(Self::why_not),
            Kind::Applicable => self.repeated(Self::applicable),
            Kind::After => self.repeated(Self::after),
            Kind::Reachable => self.reachable(),
            Kind::Landmark => self.landmark(),
            Kind::OptimalLength => self.optimal_length(),
            Kind::Gap => self.gap(),
            Kind::NextAction => self.next_action(),
            Kind::SameProblem => self.same_problem(),
            Kind::Plan => self.plan(),
            Kind::Probability => self.probability(),
            Kind::ExpectedReward => self.expected_reward(),
            Kind::RddlAfter
            | Kind::RddlValid
            | Kind::RddlWhyNot
            | Kind::RddlProbability
            | Kind::RddlReward => None,
        }
    }

    fn repeated(&mut self, draw: impl Fn(&mut Self) -> Option<Draft>) -> Option<Draft> {
        (0..WALKS).find_map(|_| draw(self))
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        draft::shuffle(&mut self.random, items);
    }

    /// Returns up to `count` different items, in random order.
    fn several<T: Clone>(&mut self, items: &[T], count: usize) -> Vec<T> {
        draft::several(&mut self.random, items, count)
    }

    /// Returns all actions of the task by their shapes.
    fn actions_by_shape(&self) -> BTreeMap<Shape, Vec<ActionId>> {
        let mut shapes = BTreeMap::<_, Vec<_>>::new();
        for action in self.world.simulator.task().actions.ids() {
            shapes
                .entry(self.world.action_shape(action))
                .or_default()
                .push(action);
        }
        shapes
    }

    /// Returns all fluent atoms of the task by their shapes.
    fn atoms_by_shape(&self) -> BTreeMap<Shape, Vec<AtomId>> {
        let mut shapes = BTreeMap::<_, Vec<_>>::new();
        for atom in self.world.fluents() {
            shapes.entry(self.world.atom_shape(atom)).or_default().push(atom);
        }
        shapes
    }

    fn objects_of(&self, atom: AtomId) -> &[ObjectId] {
        let atom = self.world.simulator.task().atoms.get(atom.index());
        atom.map_or(&[], |atom| atom.arguments)
    }

    fn objects_of_action(&self, action: ActionId) -> &[ObjectId] {
        self.world.simulator.task().actions.get(action).arguments
    }

    /// Returns the objects that some actions name.
    fn named(&self, actions: &[ActionId]) -> BTreeSet<ObjectId> {
        let objects = actions.iter().flat_map(|&action| self.objects_of_action(action));
        objects.copied().collect()
    }

    /// Returns the objects that the goal names.
    fn named_in_goal(&self) -> BTreeSet<ObjectId> {
        let task = self.world.simulator.task();
        let goals = task.conditions.conjunctions(task.goal);
        let literals = goals.flat_map(|id| task.conditions.get(id).literals);
        let objects = literals.flat_map(|literal| self.objects_of(literal.atom()));
        objects.copied().collect()
    }
}

/// Returns how many of the arguments are among the named objects.
fn shared(arguments: &[ObjectId], named: &BTreeSet<ObjectId>) -> usize {
    arguments.iter().filter(|object| named.contains(object)).count()
}

/// Right and wrong candidates of one form.
struct Alike<T> {
    right: Vec<T>,
    wrong: Vec<T>,
}

/// Groups candidates by their form. Returns the groups with at least one right candidate and `wrong` wrong ones.
fn alike<T, F: Ord>(
    candidates: impl IntoIterator<Item = T>,
    form: impl Fn(&T) -> F,
    is_right: impl Fn(&T) -> bool,
    wrong: usize,
) -> Vec<Alike<T>> {
    let mut groups = BTreeMap::<F, Alike<T>>::new();
    for candidate in candidates {
        let group = groups.entry(form(&candidate)).or_insert_with(|| Alike {
            right: Vec::new(),
            wrong: Vec::new(),
        });
        let list = if is_right(&candidate) {
            &mut group.right
        } else {
            &mut group.wrong
        };
        list.push(candidate);
    }
    let fair = |group: &Alike<T>| !group.right.is_empty() && group.wrong.len() >= wrong;
    groups.into_values().filter(fair).collect()
}
