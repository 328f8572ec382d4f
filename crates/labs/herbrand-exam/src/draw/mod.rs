//! Questions drawn from a world, with the answers of the engine.
//!
//! For a question with listed answers, both or all four of them could be right: the world, the length of plans and the
//! shape of facts are drawn first, and the `target` decides last. So the form of a question says nothing about its
//! answer.

mod chance;
mod plans;
mod same;
mod space;
mod states;

use std::collections::BTreeMap;

use herbrand_ground::{ActionId, AtomId};
use herbrand_step::Random;

use crate::kind::Kind;
use crate::question::{Solution, Subject};
use crate::world::{Shape, World};

/// How often something is drawn until it fits.
const TRIES: usize = 60;

/// A question before it is put into words.
pub(crate) struct Draft {
    pub(crate) subject: Subject,
    pub(crate) solution: Solution,
}

/// The circumstances in which a question is drawn.
pub(crate) struct Draw<'w> {
    pub(crate) world: &'w World,
    pub(crate) start: u32,
    /// The states from which the start was drawn, by the length of a shortest plan.
    pub(crate) starts: &'w BTreeMap<u32, Vec<u32>>,
    /// Which of the answers is to be right: 0 for yes, or the position of a choice.
    pub(crate) target: u32,
    pub(crate) random: Random,
}

impl Draw<'_> {
    /// Draws a question; `None` if the world and the start state have none that is fair.
    pub(crate) fn question(mut self, kind: Kind) -> Option<Draft> {
        match kind {
            Kind::PlanValid => self.plan_valid(),
            Kind::PlanFailure => self.plan_failure(),
            Kind::WhyNot => self.why_not(),
            Kind::Applicable => self.applicable(),
            Kind::After => self.after(),
            Kind::Reachable => self.reachable(),
            Kind::Landmark => self.landmark(),
            Kind::OptimalLength => self.optimal_length(),
            Kind::Gap => self.gap(),
            Kind::NextAction => self.next_action(),
            Kind::SameProblem => self.same_problem(),
            Kind::Plan => self.plan(),
            Kind::Probability => self.probability(),
            Kind::ExpectedReward => self.expected_reward(),
        }
    }

    /// Returns a draft with the right option at the position of the target, and the others in random order.
    fn choice(&mut self, right: String, mut wrong: Vec<String>, subject: Subject) -> Draft {
        self.shuffle(&mut wrong);
        wrong.truncate(3);
        wrong.insert((self.target as usize).min(wrong.len()), right);
        Draft {
            subject: Subject {
                options: wrong,
                ..subject
            },
            solution: Solution::letter(self.target as usize),
        }
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.random.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }

    /// Returns up to `count` different items, in random order.
    fn several<T: Clone>(&mut self, items: &[T], count: usize) -> Vec<T> {
        let mut items = items.to_vec();
        self.shuffle(&mut items);
        items.truncate(count);
        items
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
}
