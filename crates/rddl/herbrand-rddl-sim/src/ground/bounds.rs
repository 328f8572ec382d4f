//! Bounds of numeric action fluents, derived from preconditions.

use std::collections::{HashMap, HashSet};

use fxhash::FxBuildHasher;
use herbrand_dataflow::{BinaryOp, Graph, NaryOp, NodeId, Operation, UnaryOp, ValueType};

use crate::simulate::GroundFluents;

/// An interval of reals.
type Interval = (f64, f64);

const ALL: Interval = (f64::NEG_INFINITY, f64::INFINITY);

/// The largest int up to which intervals are exact.
const EXACT: f64 = (1_u64 << 53) as f64;

/// The maximum number of passes over the conditions. Later bounds can narrow those of earlier conditions.
const PASSES: usize = 8;

/// Returns for each fluent the interval of values that the conditions allow. Ends without a limit are infinite. `open` says
/// whether the limit of a strict comparison of reals is outside its interval; if not, it is the end of the interval.
///
/// A condition is read as a conjunction. A conjunct bounds a fluent if it compares the fluent, or a sum, difference or
/// multiple of it, with expressions of known intervals. The intervals of other expressions follow from their operands,
/// starting from constants and bools. Ints end at a whole number; beyond 2^53, the interval may be a little too large.
pub(super) fn fluent_bounds(
    graph: &Graph,
    conditions: &[NodeId],
    fluents: &GroundFluents,
    open: bool,
) -> Vec<Interval> {
    let register = |at| ((fluents.section.kind(at), fluents.section.register(at)), at);
    let mut bounds = Bounds {
        graph,
        places: (0..fluents.len()).map(register).collect(),
        found: vec![ALL; fluents.len()],
        known: HashMap::default(),
        open,
        narrowed: true,
    };
    for _ in 0..PASSES {
        if !std::mem::take(&mut bounds.narrowed) {
            break;
        }
        for &condition in conditions {
            bounds.assume(condition, true);
        }
    }
    bounds.found
}

/// Returns an interval that contains each node's value, whatever the inputs are.
pub(super) fn intervals(graph: &Graph, nodes: impl IntoIterator<Item = NodeId>) -> Vec<Interval> {
    let mut bounds = Bounds {
        graph,
        places: HashMap::default(),
        found: Vec::new(),
        known: HashMap::default(),
        open: false,
        narrowed: false,
    };
    nodes.into_iter().map(|node| bounds.interval(node)).collect()
}

/// Returns whether all preconditions are conjunctions of simple bounds: comparisons of one numeric action fluent with a
/// constant. Then [`fluent_bounds`] loses nothing. Ints beyond 2^53 do not count.
pub(super) fn are_bounds(graph: &Graph, preconditions: &[NodeId], action: &GroundFluents) -> bool {
    not_bounds(graph, preconditions, action).next().is_none()
}

/// Returns the conjuncts of the preconditions that are no simple bounds in the sense of [`are_bounds`].
pub(super) fn not_bounds<'g>(
    graph: &'g Graph,
    preconditions: &[NodeId],
    action: &GroundFluents,
) -> impl Iterator<Item = NodeId> + use<'g> {
    let registers = (0..action.len()).map(|at| (action.section.kind(at), action.section.register(at)));
    let fluents: HashSet<_, FxBuildHasher> = registers.collect();
    let number = |node| match *graph.operation(node) {
        Operation::Int(value) => value.unsigned_abs() < EXACT as u64,
        Operation::Real(bits) => !f64::from_bits(bits).is_nan(),
        _ => false,
    };
    let fluent = move |node: NodeId| {
        let node = match *graph.operation(node) {
            Operation::Unary(UnaryOp::IntToReal, inner) => inner,
            _ => node,
        };
        let Operation::Input(register) = *graph.operation(node) else {
            return false;
        };
        fluents.contains(&(node.kind(), register))
    };
    let bound = move |a, b| (number(a) && fluent(b)) || (fluent(a) && number(b));
    let mut open = preconditions.to_vec();
    std::iter::from_fn(move || {
        while let Some(condition) = open.pop() {
            let is_bound = match *graph.operation(condition) {
                Operation::Nary(NaryOp::All, ref parts) => {
                    open.extend_from_slice(parts);
                    true
                }
                Operation::Binary(BinaryOp::And, a, b) => {
                    open.extend([a, b]);
                    true
                }
                Operation::Binary(BinaryOp::EqInt | BinaryOp::EqReal, a, b) => bound(a, b),
                Operation::Binary(op, a, b) if is_order(op) => bound(a, b),
                Operation::Unary(UnaryOp::Not, inner) => match *graph.operation(inner) {
                    Operation::Binary(op, a, b) if is_order(op) => bound(a, b),
                    _ => false,
                },
                Operation::Bool(value) => value,
                _ => false,
            };
            if !is_bound {
                return Some(condition);
            }
        }
        None
    })
}

/// Returns whether an operation is a comparison by size.
const fn is_order(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::LeInt | BinaryOp::LeReal | BinaryOp::LtInt | BinaryOp::LtReal
    )
}

struct Bounds<'g> {
    graph: &'g Graph,
    /// By register: the index of the action fluent.
    places: HashMap<(ValueType, u32), usize, FxBuildHasher>,
    found: Vec<Interval>,
    /// The intervals of nodes, given the bounds found so far.
    known: HashMap<NodeId, Interval, FxBuildHasher>,
    open: bool,
    /// Whether a bound changed.
    narrowed: bool,
}

impl Bounds<'_> {
    /// Narrows bounds, given the truth of a condition.
    fn assume(&mut self, condition: NodeId, truth: bool) {
        let graph = self.graph;
        match (graph.operation(condition), truth) {
            (Operation::Nary(NaryOp::All, parts), true) | (Operation::Nary(NaryOp::Any, parts), false) => {
                parts.iter().for_each(|&part| self.assume(part, truth));
            }
            (&Operation::Binary(BinaryOp::And, a, b), true)
            | (&Operation::Binary(BinaryOp::Or, a, b), false) => {
                self.assume(a, truth);
                self.assume(b, truth);
            }
            (&Operation::Unary(UnaryOp::Not, inner), _) => self.assume(inner, !truth),
            (&Operation::Binary(BinaryOp::LeInt, a, b), true) => self.at_most(a, b, 0.0),
            (&Operation::Binary(BinaryOp::LtInt, a, b), true) => self.at_most(a, b, 1.0),
            (&Operation::Binary(BinaryOp::LtInt, a, b), false) => self.at_most(b, a, 0.0),
            (&Operation::Binary(BinaryOp::LeInt, a, b), false) => self.at_most(b, a, 1.0),
            (&Operation::Binary(BinaryOp::LeReal, a, b), true) => self.at_most_real(a, b, false),
            (&Operation::Binary(BinaryOp::LtReal, a, b), true) => self.at_most_real(a, b, true),
            // Not a < b means b ≤ a only if neither number is NaN.
            (&Operation::Binary(op @ (BinaryOp::LtReal | BinaryOp::LeReal), a, b), false)
                if self.is_number(a) && self.is_number(b) =>
            {
                self.at_most_real(b, a, op == BinaryOp::LeReal);
            }
            (&Operation::Binary(BinaryOp::EqInt | BinaryOp::EqReal, a, b), true) => {
                self.at_most(a, b, 0.0);
                self.at_most(b, a, 0.0);
            }
            (&Operation::Binary(BinaryOp::EqInt, a, b), false) => {
                self.differ(a, b);
                self.differ(b, a);
            }
            _ => {}
        }
    }

    /// Returns whether a node is a constant or an int or real fluent. None of these is NaN.
    fn is_number(&self, node: NodeId) -> bool {
        match *self.graph.operation(node) {
            Operation::Real(bits) => !f64::from_bits(bits).is_nan(),
            Operation::Unary(UnaryOp::IntToReal, _) => true,
            Operation::Input(register) => self.places.contains_key(&(node.kind(), register)),
            _ => false,
        }
    }

    /// Narrows bounds, given that a + gap ≤ b.
    fn at_most(&mut self, a: NodeId, b: NodeId, gap: f64) {
        let (below, above) = (self.interval(a), self.interval(b));
        self.narrow(a, (f64::NEG_INFINITY, above.1 - gap));
        self.narrow(b, (below.0 + gap, f64::INFINITY));
    }

    /// Narrows bounds, given that a ≤ b, or a < b if `strict`.
    fn at_most_real(&mut self, a: NodeId, b: NodeId, strict: bool) {
        let (below, above) = (self.interval(a), self.interval(b));
        let (mut high, mut low) = (above.1, below.0);
        if strict && (self.open || self.is_whole(a) || self.is_whole(b)) {
            let inner =
                |limit: f64, next: fn(f64) -> f64| if limit.is_finite() { next(limit) } else { limit };
            (high, low) = (inner(high, f64::next_down), inner(low, f64::next_up));
        }
        self.narrow(a, (f64::NEG_INFINITY, high));
        self.narrow(b, (low, f64::INFINITY));
    }

    /// Returns whether a real is an int.
    fn is_whole(&self, node: NodeId) -> bool {
        matches!(
            self.graph.operation(node),
            Operation::Unary(UnaryOp::IntToReal, _)
        )
    }

    /// Narrows bounds, given that two ints differ and that the second is a constant: an end of the first may be excluded.
    fn differ(&mut self, a: NodeId, b: NodeId) {
        let ((low, high), (value, last)) = (self.interval(a), self.interval(b));
        if value != last {
            return;
        }
        if low == value {
            self.narrow(a, (value + 1.0, f64::INFINITY));
        }
        if high == value {
            self.narrow(a, (f64::NEG_INFINITY, value - 1.0));
        }
    }

    /// Narrows bounds, given that a node is in an interval.
    fn narrow(&mut self, node: NodeId, (low, high): Interval) {
        let graph = self.graph;
        match *graph.operation(node) {
            Operation::Input(register) => {
                if let Some(&place) = self.places.get(&(node.kind(), register)) {
                    let (low, high) = match node.kind() {
                        ValueType::Int => whole((low, high)),
                        _ => (low, high),
                    };
                    let found = &mut self.found[place];
                    let narrowed = (found.0.max(low), found.1.min(high));
                    if narrowed != *found {
                        *found = narrowed;
                        self.known.clear();
                        self.narrowed = true;
                    }
                }
            }
            Operation::Unary(UnaryOp::IntToReal, inner) => self.narrow(inner, (low, high)),
            Operation::Unary(UnaryOp::NegInt | UnaryOp::NegReal, inner) => self.narrow(inner, (-high, -low)),
            Operation::Unary(UnaryOp::AbsInt | UnaryOp::AbsReal, inner) => self.narrow(inner, (-high, high)),
            Operation::Binary(BinaryOp::AddInt | BinaryOp::AddReal, a, b) => {
                let (x, y) = (self.interval(a), self.interval(b));
                self.narrow(a, (low - y.1, high - y.0));
                self.narrow(b, (low - x.1, high - x.0));
            }
            Operation::Binary(BinaryOp::SubInt | BinaryOp::SubReal, a, b) => {
                let (x, y) = (self.interval(a), self.interval(b));
                self.narrow(a, (low + y.0, high + y.1));
                self.narrow(b, (x.0 - high, x.1 - low));
            }
            Operation::Binary(BinaryOp::MulInt | BinaryOp::MulReal, a, b) => {
                for (factor, other) in [(a, b), (b, a)] {
                    match self.interval(factor) {
                        (c, d) if c == d && c > 0.0 => self.narrow(other, (low / c, high / c)),
                        (c, d) if c == d && c < 0.0 => self.narrow(other, (high / c, low / c)),
                        _ => {}
                    }
                }
            }
            Operation::Nary(NaryOp::SumInt | NaryOp::SumReal, ref parts) => self.narrow_sum(parts, low, high),
            _ => {}
        }
    }

    /// Narrows bounds, given that a sum is in an interval: each summand is limited by the intervals of the others.
    fn narrow_sum(&mut self, parts: &[NodeId], low: f64, high: f64) {
        let intervals: Vec<Interval> = parts.iter().map(|&part| self.interval(part)).collect();
        let add = |sum: &mut Interval, one: &Interval| {
            let before = *sum;
            *sum = (sum.0 + one.0, sum.1 + one.1);
            Some(before)
        };
        let after: Vec<Interval> = intervals.iter().rev().scan((0.0, 0.0), add).collect();
        let before = intervals.iter().scan((0.0, 0.0), add);
        for ((&part, before), after) in parts.iter().zip(before).zip(after.iter().rev()) {
            let rest = (before.0 + after.0, before.1 + after.1);
            self.narrow(part, (low - rest.1, high - rest.0));
        }
    }

    /// Returns an interval that contains the value of a node.
    fn interval(&mut self, node: NodeId) -> Interval {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let interval = self.interval_of(node);
        self.known.insert(node, interval);
        interval
    }

    fn interval_of(&mut self, node: NodeId) -> Interval {
        let graph = self.graph;
        let found = match *graph.operation(node) {
            Operation::Int(value) => (value as f64, value as f64),
            Operation::Real(bits) => (f64::from_bits(bits), f64::from_bits(bits)),
            Operation::Input(register) => {
                let place = self.places.get(&(node.kind(), register));
                place.map_or(ALL, |&place| self.found[place])
            }
            Operation::Unary(UnaryOp::BoolToInt | UnaryOp::BoolToReal, _) => (0.0, 1.0),
            Operation::Unary(UnaryOp::IntToReal, inner) => self.interval(inner),
            Operation::Unary(UnaryOp::NegInt | UnaryOp::NegReal, inner) => {
                let (low, high) = self.interval(inner);
                (-high, -low)
            }
            Operation::Unary(UnaryOp::AbsInt | UnaryOp::AbsReal, _) => (0.0, f64::INFINITY),
            Operation::Nary(NaryOp::Count, ref parts) => (0.0, parts.len() as f64),
            Operation::Nary(NaryOp::SumInt | NaryOp::SumReal, ref parts) => parts
                .iter()
                .map(|&part| self.interval(part))
                .fold((0.0, 0.0), |sum, one| (sum.0 + one.0, sum.1 + one.1)),
            Operation::Binary(op, a, b) => combined(op, self.interval(a), self.interval(b)),
            Operation::If(_, then, otherwise) => {
                let (x, y) = (self.interval(then), self.interval(otherwise));
                (x.0.min(y.0), x.1.max(y.1))
            }
            _ => ALL,
        };
        if found.0.is_nan() || found.1.is_nan() {
            ALL
        } else {
            found
        }
    }
}

/// Returns the smallest interval of ints that contains all ints of another; a larger one beyond 2^53.
fn whole((low, high): Interval) -> Interval {
    let low = if low.abs() < EXACT {
        low.ceil()
    } else {
        low.next_down()
    };
    let high = if high.abs() < EXACT {
        high.floor()
    } else {
        high.next_up()
    };
    (low, high)
}

fn combined(op: BinaryOp, x: Interval, y: Interval) -> Interval {
    match op {
        BinaryOp::AddInt | BinaryOp::AddReal => (x.0 + y.0, x.1 + y.1),
        BinaryOp::SubInt | BinaryOp::SubReal => (x.0 - y.1, x.1 - y.0),
        BinaryOp::MinInt | BinaryOp::MinReal => (x.0.min(y.0), x.1.min(y.1)),
        BinaryOp::MaxInt | BinaryOp::MaxReal => (x.0.max(y.0), x.1.max(y.1)),
        BinaryOp::MulInt | BinaryOp::MulReal => {
            let corners = [x.0 * y.0, x.0 * y.1, x.1 * y.0, x.1 * y.1];
            if corners.iter().any(|corner| corner.is_nan()) {
                return ALL;
            }
            (
                corners.into_iter().fold(f64::INFINITY, f64::min),
                corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
            )
        }
        _ => ALL,
    }
}
