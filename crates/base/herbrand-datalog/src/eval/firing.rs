//! Firings, and the sinks that receive them.

use std::ops::ControlFlow;

use crate::program::ids::{FactId, RuleId, Symbol};

/// One application of a rule: a binding of its variables that satisfies the body, found during an evaluation and passed
/// to [`Sink::fired`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Firing<'a> {
    /// The rule that fires.
    pub rule: RuleId,
    /// The symbol of each variable of the rule, by variable number.
    pub binding: &'a [Symbol],
    /// The ids of the facts that match the positive literals, in the order of the body. Literals over static relations are
    /// left out, because their facts have no ids.
    pub premises: &'a [FactId],
    /// The ids of the facts that the heads derive, in the order of the heads. They may have held before. Empty for a
    /// rule without heads.
    pub conclusions: &'a [FactId],
}

/// Receives the firings of an evaluation: exactly one for each rule and each binding of its variables that satisfies the
/// body. The order is the same on every run of the same evaluator. Pass a sink to
/// [`Evaluator::run`](crate::Evaluator::run).
///
/// `()` is a sink that ignores every firing. Any closure `FnMut(&Firing) -> ControlFlow<()>` is a sink.
pub trait Sink {
    /// Receives a firing. `Break` ends the evaluation with [`EvaluationError::Stopped`](crate::EvaluationError::Stopped).
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()>;

    /// Returns the bytes that the sink holds for the firings so far. They count towards the memory limit of the evaluation.
    /// The default is 0.
    fn bytes(&self) -> u64 {
        0
    }
}

impl Sink for () {
    #[inline]
    fn fired(&mut self, _: &Firing<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Firing<'_>) -> ControlFlow<()>> Sink for F {
    #[inline]
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()> {
        self(firing)
    }
}
