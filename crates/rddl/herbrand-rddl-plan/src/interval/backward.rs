//! Bounds of operands from the known value of a node.

use herbrand_dataflow::{BinaryOp, NaryOp, NodeId, Operation, UnaryOp};

use super::horizon::Sweep;
use super::value::{Interval, binary, unary};

/// The depth to which operands are followed.
const DEPTH: usize = 64;

/// Returns the largest size of a number in an interval.
fn size(one: Interval) -> f64 {
    one.low.abs().max(one.high.abs())
}

impl Sweep<'_> {
    /// Narrows the intervals of a node and of its operands, given that the node's value is in `wanted`. Every combination of
    /// values with such a value stays inside. Whatever is left of the other nodes is not computed again.
    pub(super) fn assume(&mut self, node: NodeId, wanted: Interval) {
        self.assume_to(node, wanted, DEPTH);
    }

    fn assume_to(&mut self, node: NodeId, wanted: Interval, depth: usize) {
        let old = self.of(node);
        let narrowed = old.within(wanted.low.max(old.low), wanted.high.min(old.high));
        let new = Interval {
            nan: old.nan && wanted.nan,
            ..narrowed
        };
        // Contradictory bounds: no value is left, so nothing is said about it.
        if wanted.low > old.high || wanted.high < old.low || depth == 0 {
            return;
        }
        self.set(node, new);
        let is_true = new.is(1.0);
        let is_false = new.is(0.0);
        let graph = self.graph();
        match graph.operation(node) {
            Operation::Unary(UnaryOp::Not, a) => self.assume_to(*a, new.not(), depth - 1),
            Operation::Unary(UnaryOp::BoolToInt | UnaryOp::BoolToReal | UnaryOp::IntToReal, a) => {
                self.assume_to(*a, new, depth - 1);
            }
            Operation::Unary(op @ UnaryOp::NegReal, a) => self.assume_to(*a, unary(*op, new), depth - 1),
            Operation::Binary(op, a, b) => self.assume_pair(*op, (*a, *b), new, depth - 1),
            Operation::Nary(NaryOp::All, list) if is_true => {
                list.iter()
                    .for_each(|&one| self.assume_to(one, Interval::TRUE, depth - 1));
            }
            Operation::Nary(NaryOp::Any, list) if is_false => {
                list.iter()
                    .for_each(|&one| self.assume_to(one, Interval::FALSE, depth - 1));
            }
            Operation::Nary(op @ (NaryOp::All | NaryOp::Any), list) if is_true || is_false => {
                // All operands but one have the value that does not decide.
                let other = if *op == NaryOp::All { 1.0 } else { 0.0 };
                let mut open = list.iter().filter(|&&one| !self.of(one).is(other));
                if let (Some(&one), None) = (open.next(), open.next()) {
                    self.assume_to(one, new, depth - 1);
                }
            }
            Operation::Nary(NaryOp::SumReal, list) => {
                let sizes: f64 = list.iter().map(|&one| size(self.of(one))).sum();
                for (place, &one) in list.iter().enumerate() {
                    let others = list.iter().enumerate().filter(|&(at, _)| at != place);
                    let rest = others.fold(Interval::FALSE, |sum, (_, &other)| {
                        binary(BinaryOp::AddReal, sum, self.of(other))
                    });
                    self.assume_rest(one, new, rest, sizes * list.len() as f64, depth - 1);
                }
            }
            Operation::If(c, a, b) => {
                let (c, a, b) = (*c, *a, *b);
                let apart = |one: Interval| one.low > new.high || one.high < new.low;
                let condition = self.of(c);
                if condition.is(1.0) {
                    self.assume_to(a, new, depth - 1);
                } else if condition.is(0.0) {
                    self.assume_to(b, new, depth - 1);
                } else if apart(self.of(a)) && !self.of(a).nan {
                    self.assume_to(c, Interval::FALSE, depth - 1);
                    self.assume_to(b, new, depth - 1);
                } else if apart(self.of(b)) && !self.of(b).nan {
                    self.assume_to(c, Interval::TRUE, depth - 1);
                    self.assume_to(a, new, depth - 1);
                }
            }
            _ => {}
        }
    }

    /// Narrows a summand whose sum with `rest` is in `sum`. Sums are rounded, by less than `sizes` times a few units in the last
    /// place, so the bounds are moved apart by that much.
    fn assume_rest(&mut self, node: NodeId, sum: Interval, rest: Interval, sizes: f64, depth: usize) {
        if sum.nan || rest.nan || !rest.is_finite() || !sizes.is_finite() {
            return;
        }
        let slack = 8.0 * f64::EPSILON * sizes;
        let (low, high) = (sum.low - rest.high - slack, sum.high - rest.low + slack);
        self.assume_to(node, Interval::new(low, high), depth);
    }

    fn assume_pair(&mut self, op: BinaryOp, (a, b): (NodeId, NodeId), new: Interval, depth: usize) {
        let (is_true, is_false) = (new.is(1.0), new.is(0.0));
        let (x, y) = (self.of(a), self.of(b));
        let any = |low: f64, high: f64| Interval {
            low,
            high,
            ..Interval::ANY
        };
        match op {
            BinaryOp::And if is_true => {
                self.assume_to(a, Interval::TRUE, depth);
                self.assume_to(b, Interval::TRUE, depth);
            }
            BinaryOp::And if is_false => {
                if x.is(1.0) {
                    self.assume_to(b, Interval::FALSE, depth);
                }
                if y.is(1.0) {
                    self.assume_to(a, Interval::FALSE, depth);
                }
            }
            BinaryOp::Or if is_false => {
                self.assume_to(a, Interval::FALSE, depth);
                self.assume_to(b, Interval::FALSE, depth);
            }
            BinaryOp::Or if is_true => {
                if x.is(0.0) {
                    self.assume_to(b, Interval::TRUE, depth);
                }
                if y.is(0.0) {
                    self.assume_to(a, Interval::TRUE, depth);
                }
            }
            BinaryOp::LtInt | BinaryOp::LeInt | BinaryOp::LtReal | BinaryOp::LeReal if is_true => {
                // Ints that are less are less by 1. A comparison with NaN is false.
                let step = if op == BinaryOp::LtInt { 1.0 } else { 0.0 };
                self.assume_to(a, Interval::new(f64::NEG_INFINITY, y.high - step), depth);
                self.assume_to(b, Interval::new(x.low + step, f64::INFINITY), depth);
            }
            BinaryOp::LtInt | BinaryOp::LeInt | BinaryOp::LtReal | BinaryOp::LeReal
                if is_false && !x.nan && !y.nan =>
            {
                let step = if op == BinaryOp::LeInt { 1.0 } else { 0.0 };
                self.assume_to(a, Interval::new(y.low + step, f64::INFINITY), depth);
                self.assume_to(b, Interval::new(f64::NEG_INFINITY, x.high - step), depth);
            }
            BinaryOp::EqInt | BinaryOp::EqReal if is_true => {
                self.assume_to(a, Interval::new(y.low, y.high), depth);
                self.assume_to(b, Interval::new(x.low, x.high), depth);
            }
            BinaryOp::Same if new.is(1.0) => {
                self.assume_to(a, y, depth);
                self.assume_to(b, x, depth);
            }
            BinaryOp::AddReal => {
                let sizes = size(x) + size(y);
                self.assume_rest(a, new, y, sizes, depth);
                self.assume_rest(b, new, x, sizes, depth);
            }
            BinaryOp::SubReal => {
                let minus = |one| unary(UnaryOp::NegReal, one);
                let sizes = size(x) + size(y);
                self.assume_rest(a, new, minus(y), sizes, depth);
                // b = a − new.
                self.assume_rest(b, x, new, sizes, depth);
            }
            BinaryOp::MinInt | BinaryOp::MinReal => {
                for node in [a, b] {
                    self.assume_to(node, any(new.low, f64::INFINITY), depth);
                }
            }
            BinaryOp::MaxInt | BinaryOp::MaxReal => {
                for node in [a, b] {
                    self.assume_to(node, any(f64::NEG_INFINITY, new.high), depth);
                }
            }
            _ => {}
        }
    }
}
