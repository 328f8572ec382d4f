//! How an evaluation tells what follows from what.

use std::ops::ControlFlow;

use crate::{FactId, RuleId, Symbol};

/// One binding of a rule's variables that satisfies its body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Firing<'a> {
    /// The rule.
    pub rule: RuleId,
    /// One symbol for each variable.
    pub binding: &'a [Symbol],
    /// The facts that the positive literals over non-static relations name, in the order of the body.
    pub premises: &'a [FactId],
    /// The facts that the heads name, in order.
    pub conclusions: &'a [FactId],
}

/// Sees every firing of an evaluation: exactly one for each rule and each binding of all its variables that
/// satisfies the body. The order is the same on every run.
///
/// `()` is the sink that ignores every firing, and any closure `FnMut(&Firing) -> ControlFlow<()>` is a sink.
pub trait Sink {
    /// Takes note of a firing; `Break` ends the evaluation.
    fn fired(&mut self, firing: &Firing<'_>) -> ControlFlow<()>;

    /// Bytes that the sink holds because of the firings so far; they count as memory of the evaluation.
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
