//! The data that all walkers of a lifted task share.

use std::sync::OnceLock;

use herbrand_datalog::EvaluatorKind;
use herbrand_ground::LiftedTask;
use herbrand_pddl::{ObjectId, PredicateId, SchemaId};

use super::numbers::{NumberTable, Scene};
use super::prepared::Prepared;
use super::state::LiftedState;
use crate::semantics::options::Options;

/// How a lifted walker computes the derived atoms and valid actions of its state. All ways give the same answers. Pass
/// it to [`LiftedSimulator::walker`](crate::LiftedSimulator::walker).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum Maintenance {
    /// Incrementally, by the loops of the lifted engine: a step updates only the affected facts.
    #[default]
    Incremental,
    /// Incrementally, by `ascent`: a step runs an `ascent` program, which joins the changed facts with the facts that
    /// hold.
    Ascent,
    /// From scratch: the program is evaluated for every state, by the evaluator set in
    /// [`Options::evaluator`](crate::Options::evaluator). Slow; serves as the reference for tests.
    FromScratch,
}

#[derive(Debug)]
pub(super) struct Inner {
    pub(super) task: LiftedTask,
    /// The views for updates by loops of our own, and the views for updates by `ascent`, prepared on first use.
    pub(super) direct: Prepared,
    pub(super) by_ascent: OnceLock<Prepared>,
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
    /// Returns the views and queries of a walker.
    pub(super) fn prepared(&self, maintenance: Maintenance) -> &Prepared {
        match maintenance {
            Maintenance::Incremental | Maintenance::FromScratch => &self.direct,
            Maintenance::Ascent => self.by_ascent.get_or_init(|| {
                // The program was checked when the direct views were prepared, so this cannot fail.
                let prepared = Prepared::new(EvaluatorKind::Ascent, &self.task);
                prepared.unwrap_or_else(|_| self.direct.clone())
            }),
        }
    }

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
