//! The causal graph of a draft: which variables conditions connect, the order of the variables, and those that matter.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use fxhash::FxHashMap;
use petgraph::Direction;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;

use crate::draft::Draft;

/// Added to the weight of an arc to a variable of the goal, so that goals come late.
const GOAL: u64 = 100_000;

/// The causal graph. An arc leads from each variable in a condition to each other variable that changes under the condition.
pub(crate) struct CausalGraph {
    /// The weight of an arc is the number of the conditions.
    graph: DiGraph<(), u64>,
    is_goal: Vec<bool>,
}

impl CausalGraph {
    pub(crate) fn of(draft: &Draft) -> Self {
        let mut weights: FxHashMap<u64, u64> = FxHashMap::default();
        let mut add = |cause: u32, effect: u32| {
            if cause != effect {
                *weights
                    .entry(u64::from(cause) << 32 | u64::from(effect))
                    .or_default() += 1;
            }
        };
        for operator in &draft.operators {
            for effect in &operator.effects {
                for fact in operator.preconditions().chain(effect.condition.iter().copied()) {
                    add(fact.variable, effect.variable);
                }
            }
        }
        for axiom in &draft.axioms {
            for fact in &axiom.condition {
                add(fact.variable, axiom.head.variable);
            }
        }
        let mut arcs: Vec<_> = weights.into_iter().collect();
        arcs.sort_unstable();
        let mut graph = DiGraph::with_capacity(draft.sizes.len(), arcs.len());
        for _ in &draft.sizes {
            graph.add_node(());
        }
        for (arc, weight) in arcs {
            let (cause, effect) = ((arc >> 32) as u32, arc as u32);
            graph.add_edge(
                NodeIndex::new(cause as usize),
                NodeIndex::new(effect as usize),
                weight,
            );
        }
        let mut is_goal = vec![false; draft.sizes.len()];
        for fact in &draft.goal {
            is_goal[fact.variable as usize] = true;
        }
        Self { graph, is_goal }
    }

    /// Returns whether each variable matters: the goal depends on it, or an operator or axiom that changes a variable that
    /// matters does.
    pub(crate) fn relevant(&self) -> Vec<bool> {
        let mut relevant = self.is_goal.clone();
        let goals = self.graph.node_indices();
        let mut open: Vec<_> = goals.filter(|node| relevant[node.index()]).collect();
        while let Some(node) = open.pop() {
            for cause in self.graph.neighbors_directed(node, Direction::Incoming) {
                if !std::mem::replace(&mut relevant[cause.index()], true) {
                    open.push(cause);
                }
            }
        }
        relevant
    }

    /// Returns all variables, causes before effects. In a cycle, the variable that fewest conditions point to is next
    /// (Helmert, "The Fast Downward planning system", 2006).
    pub(crate) fn order(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.is_goal.len());
        let mut weights: Vec<Option<u64>> = vec![None; self.is_goal.len()];
        // The components come in reverse topological order.
        for mut component in tarjan_scc(&self.graph).into_iter().rev() {
            component.sort_unstable();
            self.break_cycles(&component, &mut weights, &mut order);
        }
        order
    }

    /// Appends the variables of a strongly connected component. The next one is always the one with the least weight of arcs
    /// from the other remaining variables. `weights` is `None` for all variables before and after it.
    fn break_cycles(&self, component: &[NodeIndex], weights: &mut [Option<u64>], order: &mut Vec<u32>) {
        if let [only] = component {
            order.push(only.index() as u32);
            return;
        }
        for node in component {
            weights[node.index()] = Some(0);
        }
        for &node in component {
            for arc in self.graph.edges(node) {
                if let Some(weight) = &mut weights[arc.target().index()] {
                    *weight += *arc.weight()
                        + if self.is_goal[arc.target().index()] {
                            GOAL
                        } else {
                            0
                        };
                }
            }
        }
        let entry = |node: &NodeIndex| Some(Reverse((weights[node.index()]?, *node)));
        let mut open: BinaryHeap<_> = component.iter().filter_map(entry).collect();
        while let Some(Reverse((weight, node))) = open.pop() {
            if weights[node.index()] != Some(weight) {
                continue;
            }
            weights[node.index()] = None;
            order.push(node.index() as u32);
            for arc in self.graph.edges(node) {
                if let Some(left) = &mut weights[arc.target().index()] {
                    *left -= *arc.weight();
                    open.push(Reverse((*left, arc.target())));
                }
            }
        }
    }
}
