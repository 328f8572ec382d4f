//! The data that all walkers of a lifted task share.

use herbrand_ground::LiftedTask;
use herbrand_pddl::{ObjectId, PredicateId, SchemaId};

use super::numbers::{NumberTable, Scene};
use super::prepared::Prepared;
use super::state::LiftedState;
use crate::semantics::options::Options;

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) task: LiftedTask,
    pub(super) prepared: Prepared,
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
    /// A valid action of a schema without numeric preconditions.
    Applicable(SchemaId),
    /// A valid action, whatever the numbers, of a schema with numeric preconditions in other disjuncts.
    Plain(SchemaId),
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
