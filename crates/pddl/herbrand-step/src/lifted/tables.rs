//! The data that all walkers of a lifted task share.

use std::collections::BTreeMap;

use herbrand_datalog::{Query, RuleId, Views};
use herbrand_ground::LiftedTask;
use herbrand_pddl::{ObjectId, PredicateId, SchemaId};

use super::numbers::{NumberTable, Scene};
use super::state::LiftedState;
use crate::semantics::options::Options;

/// How a lifted walker computes the derived atoms and valid actions of its state. Both ways give the same answers. Pass
/// it to [`LiftedSimulator::walker`](crate::LiftedSimulator::walker).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Maintenance {
    /// Incrementally: a step updates only the affected facts.
    #[default]
    Incremental,
    /// From scratch: the program is evaluated for every state, by the evaluator set in
    /// [`Options::evaluator`](crate::Options::evaluator). Slow; serves as the reference for tests.
    FromScratch,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) task: LiftedTask,
    pub(super) views: Views,
    pub(super) guards: BTreeMap<RuleId, Query>,
    /// The values of functions that never change.
    pub(super) constants: NumberTable,
    /// The role of each relation.
    pub(super) roles: Vec<Role>,
    /// For each candidate relation, its schema (`None` for the goal) and the index of the disjunct.
    pub(super) candidates: Vec<(Option<SchemaId>, usize)>,
    pub(super) initial: LiftedState,
    pub(super) options: Options,
}

/// The meaning of the facts of a relation to a walker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// None.
    Other,
    /// A derived atom of the domain.
    Derived(PredicateId),
    /// A valid action.
    Applicable(SchemaId),
    /// A valid action or the goal, provided that the comparisons of the disjunct hold.
    Candidate(usize),
    /// The goal.
    Goal,
}

impl<'a> Inner {
    /// Returns the context for evaluating expressions.
    pub(super) fn scene(&'a self, numbers: &'a NumberTable, binding: &'a [ObjectId]) -> Scene<'a> {
        Scene {
            kinds: &self.task.functions,
            constants: &self.constants,
            numbers,
            binding,
        }
    }
}
