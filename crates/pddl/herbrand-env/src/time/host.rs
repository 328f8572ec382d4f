//! The engine below a clock.

use std::fmt::Debug;

use herbrand_core::Random;
use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, SchemaId, SteppedAction};
use herbrand_step::{EffectRecord, StepError, StepResult};

use super::schedule::Schedule;

/// A walker in whose states snap actions are operators.
pub(crate) trait Host {
    /// A ground snap action. A durative action is known by its start.
    type Operator: Clone + Ord + Debug;

    fn schema(&self, operator: &Self::Operator) -> SchemaId;

    fn arguments<'a>(&'a self, operator: &'a Self::Operator) -> &'a [ObjectId];

    /// Returns the end and the invariant of a durative action; `None` for one that can never be applied.
    fn parts(&self, start: &Self::Operator) -> [Option<Self::Operator>; 2];

    /// Calls `see` with each applicable operator and its schema, in ascending order.
    fn each_valid(&self, see: &mut dyn FnMut(SchemaId, Self::Operator));

    fn is_valid(&self, operator: &Self::Operator) -> bool;

    fn apply(&mut self, operator: &Self::Operator, chance: &mut Random) -> Result<StepResult, StepError>;

    /// Returns the effects that an applicable operator without draws has now.
    fn effects(&mut self, operator: &Self::Operator) -> Option<Vec<EffectRecord>>;

    fn vocabulary(&self) -> &Vocabulary;

    /// Takes the last application back.
    fn undo(&mut self);

    fn is_goal(&self) -> bool;

    /// Returns whether the goal holds after the timed literals from this index on.
    fn is_goal_after(&mut self, literals: usize, schedule: &Schedule) -> bool;

    /// Returns the starts of the durative actions that run.
    fn running(&self) -> Vec<Self::Operator>;

    /// Returns a time of a durative action that runs.
    fn time_of(&self, start: &Self::Operator, which: Which) -> Option<f64>;

    /// Returns the time of the last happening, and the earliest time of a happening that interferes with none.
    fn times(&self) -> (f64, f64);

    fn has_failed(&self) -> bool;

    /// Changes the state.
    fn write(&mut self, changes: &[Change<Self::Operator>], schedule: &Schedule) -> Result<(), StepError>;

    /// Returns the value of the metric at a time. With `spent`, accumulators have the amounts by which the last application
    /// changed them, otherwise 0.
    fn metric(&self, time: f64, spent: bool) -> Option<f64>;

    /// Returns the conditions that an operator lacks, and its text.
    fn lacks(&self, operator: &Self::Operator) -> Vec<String>;

    fn text(&self, operator: &Self::Operator) -> String;
}

/// The times that a durative action that runs has in the state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Which {
    /// Since its start.
    Elapsed,
    /// Until it must end.
    Remaining,
    /// Until it may end.
    Least,
}

impl Which {
    pub(crate) fn functions(self, action: &SteppedAction) -> &[herbrand_pddl::FunctionId] {
        match self {
            Self::Elapsed => std::slice::from_ref(&action.elapsed),
            Self::Remaining => &action.remaining,
            Self::Least => &action.least,
        }
    }
}

/// A change of the state that the clock makes.
#[derive(Clone, Debug)]
pub(crate) enum Change<O> {
    Of(O, Which, Option<f64>),
    Clock(f64),
    Next(f64),
    Failed,
    /// The timed literals with this index.
    Literals(usize),
}

/// Returns whether a condition is about the clock.
pub(crate) fn is_of_clock(condition: &str) -> bool {
    condition.contains("(time.")
}
