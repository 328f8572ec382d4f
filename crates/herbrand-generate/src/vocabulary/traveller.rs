//! Somebody who goes from place to place.

use super::{Draft, Graph};

/// Somebody on a graph. Each step is an operator, perhaps with its first arguments, then from where and to where.
#[derive(Clone, Debug)]
pub struct Traveller<'g> {
    graph: &'g Graph,
    names: &'g [String],
    operator: String,
    at: usize,
}

impl<'g> Traveller<'g> {
    /// A traveller at the node `at`.
    pub fn new(operator: &str, graph: &'g Graph, names: &'g [String], at: usize) -> Self {
        let operator = operator.to_owned();
        Self {
            graph,
            names,
            operator,
            at,
        }
    }

    /// Goes a shortest way, step by step into the plan.
    pub fn go(&mut self, to: usize, draft: &mut Draft) {
        for (a, b) in self.graph.route(self.at, to) {
            draft.step(format!("{} {} {}", self.operator, self.names[a], self.names[b]));
        }
        self.at = to;
    }

    /// Is somewhere else now, by other means.
    pub fn appear(&mut self, at: usize) {
        self.at = at;
    }
}
