//! What the walkers of a lifted task share.

use std::collections::BTreeMap;

use herbrand_datalog::{Query, RuleId, Views};
use herbrand_ground::LiftedTask;
use herbrand_pddl::{ObjectId, PredicateId, SchemaId};

use super::numbers::{NumberTable, Scene};
use super::state::LiftedState;
use crate::semantics::options::Options;

/// How a walker comes to know the derived atoms and valid actions of its state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Maintenance {
    /// Incrementally: a step updates what it touches.
    #[default]
    Incremental,
    /// From scratch: the program is evaluated for every state, by `ascent` unless [otherwise set](crate::Options::evaluator): slow,
    /// and the reference.
    FromScratch,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) task: LiftedTask,
    pub(super) views: Views,
    pub(super) guards: BTreeMap<RuleId, Query>,
    /// The values of functions that do not change.
    pub(super) constants: NumberTable,
    /// By relation.
    pub(super) roles: Vec<Role>,
    /// By candidate relation: whose it is (none for the goal), and which of its ways.
    pub(super) candidates: Vec<(Option<SchemaId>, usize)>,
    pub(super) initial: LiftedState,
    pub(super) options: Options,
}

/// What the facts of a relation mean to a walker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    /// Nothing.
    Other,
    /// A derived atom that is part of observations.
    Derived(PredicateId),
    /// A valid action.
    Applicable(SchemaId),
    /// A valid action or the goal, if the comparisons of the way hold.
    Candidate(usize),
    /// The goal.
    Goal,
}

impl<'a> Inner {
    /// What expressions read.
    pub(super) fn scene(&'a self, numbers: &'a NumberTable, binding: &'a [ObjectId]) -> Scene<'a> {
        Scene {
            kinds: &self.task.functions,
            constants: &self.constants,
            numbers,
            binding,
        }
    }
}
