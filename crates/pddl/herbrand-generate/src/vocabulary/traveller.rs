//! A traveller on a graph.

use super::{Draft, Graph};

/// A traveller on a graph, who writes its steps to a plan. A step is an operator, possibly with leading arguments,
/// followed by the two nodes of the edge.
#[derive(Clone, Debug)]
pub struct Traveller<'g> {
    graph: &'g Graph,
    names: &'g [String],
    operator: String,
    at: usize,
}

impl<'g> Traveller<'g> {
    /// Creates a traveller at the node `at`. `operator` is the beginning of each step.
    pub fn new(operator: &str, graph: &'g Graph, names: &'g [String], at: usize) -> Self {
        let operator = operator.to_owned();
        Self {
            graph,
            names,
            operator,
            at,
        }
    }

    /// Travels to the node `to` along a shortest path and adds the steps to the plan of `draft`.
    pub fn go(&mut self, to: usize, draft: &mut Draft) {
        for (a, b) in self.graph.route(self.at, to) {
            draft.step(format!("{} {} {}", self.operator, self.names[a], self.names[b]));
        }
        self.at = to;
    }

    /// Sets the position without adding steps to the plan.
    pub fn appear(&mut self, at: usize) {
        self.at = at;
    }
}
