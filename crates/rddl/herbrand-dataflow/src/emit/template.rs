//! Compiles the body of a template.

use herbrand_limits::{BudgetExhausted, Meter};

use super::super::graph::Graph;
use super::super::lanes::{Caches, Lanes};
use super::super::operation::NodeId;
use super::super::template::{Body, Groups, Template};

/// The registers of a template's program should fit in the first-level cache.
const CACHES: Caches = Caches {
    first: 40 << 10,
    few: 1,
    second: 40 << 10,
    most: 256,
};

impl Body {
    /// Compiles the node `value` of the graph into a template with `rows` rows, whose values are combined by `groups`.
    /// Pass the template to [`Graph::expand`](crate::Graph::expand).
    ///
    /// # Errors
    /// Fails if the budget of `meter` is exhausted.
    pub fn finish(
        self,
        graph: &Graph,
        value: NodeId,
        rows: u32,
        groups: Groups,
        meter: &mut Meter,
    ) -> Result<Template, BudgetExhausted> {
        let program = Lanes::compile(graph, self.layout(), [&[value], &[]], CACHES, meter)?;
        Ok(self.with_program(program, rows, groups, graph.is_fallible(value)))
    }
}
