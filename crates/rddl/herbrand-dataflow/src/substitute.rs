//! Replaces nodes within expressions.

use std::collections::HashMap;

use fxhash::FxBuildHasher;

use super::graph::Graph;
use super::operation::{BinaryOp, NaryOp, NodeId, Operation};

/// Replacements of nodes: a map from each node to the node that takes its place, both of one graph. Start from an empty
/// map (`default()`), insert the pairs, and pass it to [`Graph::substitute`], which adds the results for all nodes that
/// it visits. So use it again only for the same replacements in the same graph.
pub type Substitution = HashMap<NodeId, NodeId, FxBuildHasher>;

impl Graph {
    /// Returns the expression of `node` with each node in `substitution` replaced by its value there. Constants are
    /// folded, so a node whose inputs are all replaced by constants becomes a constant. A replacement must be of the
    /// kind of the node that it replaces, which is not checked.
    ///
    /// Returns `None` if a replacement changes an operand, also an indirect one, of a random draw, a vector operation,
    /// an array, a template, or a table of [`tabulate`](Self::tabulate).
    pub fn substitute(&mut self, node: NodeId, substitution: &mut Substitution) -> Option<NodeId> {
        self.substitute_where(node, substitution, |_| true)
    }

    /// Like [`substitute`](Self::substitute), but does not enter the nodes for which `may_change` returns `false`. Then
    /// neither such a node nor any of its operands, also indirect ones, may be in `substitution`, which is not checked.
    pub fn substitute_where(
        &mut self,
        node: NodeId,
        substitution: &mut Substitution,
        may_change: impl Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        let mut open = vec![node];
        while let Some(&next) = open.last() {
            if substitution.contains_key(&next) {
                open.pop();
                continue;
            }
            if !may_change(next) {
                substitution.insert(next, next);
                open.pop();
                continue;
            }
            let before = open.len();
            self.operation(next).operands(|operand| {
                if !substitution.contains_key(&operand) {
                    open.push(operand);
                }
            });
            if open.len() == before {
                let rebuilt = self.rebuild(next, substitution)?;
                substitution.insert(next, rebuilt);
                open.pop();
            }
        }
        substitution.get(&node).copied()
    }

    /// Returns the node with its operands replaced; all of them are in `substitution`.
    fn rebuild(&mut self, node: NodeId, substitution: &Substitution) -> Option<NodeId> {
        let mut changed = false;
        self.operation(node)
            .operands(|operand| changed |= substitution[&operand] != operand);
        if !changed {
            return Some(node);
        }
        let operation = self.operation(node).clone();
        let of = |operand: NodeId| substitution[&operand];
        let all = |list: &[NodeId]| list.iter().map(|&operand| of(operand)).collect::<Vec<_>>();
        Some(match operation {
            Operation::Unary(op, a) => self.unary(op, of(a)),
            // An operand that can fail is evaluated only if the one before it does not decide the result.
            Operation::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => self.decided(op, of(a), of(b)),
            Operation::Binary(op, a, b) => self.binary(op, of(a), of(b)),
            Operation::Nary(op @ (NaryOp::All | NaryOp::Any), list) => self.junction(op, all(&list)),
            Operation::Nary(NaryOp::Count | NaryOp::SumInt | NaryOp::SumReal, list) => self.sum(all(&list)),
            Operation::Nary(NaryOp::ProductReal, list) => self.product(all(&list)),
            Operation::Nary(op @ (NaryOp::ArgMax | NaryOp::ArgMin), list) => self.place(op, all(&list)),
            Operation::If(condition, then, otherwise) => self.select(of(condition), of(then), of(otherwise)),
            Operation::Gather(index, list) => self.gather(of(index), all(&list)),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use herbrand_distributions::{RandomGenerator, Site};
    use herbrand_limits::Budget;
    use proptest::prelude::*;

    use super::*;
    use crate::{Layout, Tape, UnaryOp, ValueType};

    /// Three bools in registers 0 to 2 and three ints in registers 0 to 2.
    struct Inputs {
        graph: Graph,
        bools: Vec<NodeId>,
        ints: Vec<NodeId>,
    }

    impl Inputs {
        fn new() -> Self {
            let mut graph = Graph::new();
            let bools = (0..3).map(|at| graph.input(ValueType::Bool, at)).collect();
            let ints = (0..3).map(|at| graph.input(ValueType::Int, at)).collect();
            Self { graph, bools, ints }
        }

        /// Adds an expression of all inputs, chosen by numbers.
        fn grow(&mut self, choices: &[(u8, usize, usize, usize)]) -> NodeId {
            for &(op, a, b, c) in choices {
                let (p, q, r) = (self.bool(a), self.bool(b), self.bool(c));
                let (x, y, z) = (self.int(a), self.int(b), self.int(c));
                let graph = &mut self.graph;
                let node = match op {
                    0 => graph.junction(NaryOp::All, vec![p, q, r]),
                    1 => graph.junction(NaryOp::Any, vec![p, q, r]),
                    2 => graph.not(p),
                    3 => graph.sum(vec![p, q, r]),
                    4 => graph.sum(vec![x, y, z]),
                    5 => graph.binary(BinaryOp::LeInt, x, y),
                    6 => graph.select(p, x, y),
                    7 => graph.gather(x, vec![y, z, x]),
                    8 => graph.binary(BinaryOp::Same, p, q),
                    9 => graph.binary(BinaryOp::MulInt, x, y),
                    10 => graph.place(NaryOp::ArgMax, vec![x, y, z]),
                    11 => graph.unary(UnaryOp::AbsInt, x),
                    12 => {
                        let one = graph.int(1);
                        let more = graph.binary(BinaryOp::AddInt, one, x);
                        graph.binary(BinaryOp::AddInt, more, y)
                    }
                    _ => graph.binary(BinaryOp::EqInt, x, y),
                };
                match node.kind() {
                    ValueType::Bool => self.bools.push(node),
                    _ => self.ints.push(node),
                }
            }
            let bools = self.graph.sum(self.bools.clone());
            self.ints.push(bools);
            self.graph.sum(self.ints.clone())
        }

        fn bool(&self, at: usize) -> NodeId {
            self.bools[self.bools.len() - 1 - at % self.bools.len()]
        }

        fn int(&self, at: usize) -> NodeId {
            self.ints[self.ints.len() - 1 - at % self.ints.len()]
        }

        fn value(&self, node: NodeId, bools: [bool; 3], ints: [i64; 3]) -> i64 {
            let layout = Layout {
                bools: 3,
                ints: 4,
                ..Layout::default()
            };
            let mut meter = Budget::unlimited().meter("compiling");
            let tape = Tape::compile(&self.graph, layout, &[(node, 3)], &mut meter).unwrap();
            let mut registers = tape.registers();
            registers.bools[..3].copy_from_slice(&bools);
            registers.ints[..3].copy_from_slice(&ints);
            tape.run(&mut registers, &RandomGenerator::from_key(1)).unwrap();
            registers.ints[3]
        }
    }

    proptest! {
        /// Replacing inputs by constants gives the value for those constants, whatever the other inputs are.
        #[test]
        fn a_replaced_input_is_a_fixed_input(
            choices in prop::collection::vec((0_u8..14, 0_usize..9, 0_usize..9, 0_usize..9), 0..12),
            bools in any::<[bool; 3]>(),
            ints in prop::array::uniform3(-3_i64..4),
            fixed in any::<[bool; 6]>(),
        ) {
            let mut inputs = Inputs::new();
            let node = inputs.grow(&choices);
            let mut substitution = Substitution::default();
            for at in 0..3 {
                if fixed[at] {
                    let constant = inputs.graph.bool(bools[at]);
                    substitution.insert(inputs.bools[at], constant);
                }
                if fixed[3 + at] {
                    let constant = inputs.graph.int(ints[at]);
                    substitution.insert(inputs.ints[at], constant);
                }
            }
            let replaced = inputs.graph.substitute(node, &mut substitution).unwrap();
            let expected = inputs.value(node, bools, ints);
            prop_assert_eq!(inputs.value(replaced, bools, ints), expected);
            if fixed == [true; 6] {
                prop_assert_eq!(inputs.graph.as_int(replaced), Some(expected));
            }
        }
    }

    #[test]
    fn an_operand_of_a_draw_is_not_replaced() {
        let mut graph = Graph::new();
        let p = graph.input(ValueType::Real, 0);
        let draw = graph.bernoulli(p, Site(0));
        let half = graph.real(0.5);
        assert_eq!(
            graph.substitute(draw, &mut Substitution::from_iter([(p, half)])),
            None
        );
        let other = graph.input(ValueType::Real, 1);
        assert_eq!(
            graph.substitute(draw, &mut Substitution::from_iter([(other, half)])),
            Some(draw)
        );
    }
}
