//! Sums in which a value occurs more than once, such as `x - 0.3 x`.

use std::collections::BTreeMap;
use std::rc::Rc;

use herbrand_dataflow::{BinaryOp, Graph, NaryOp, NodeId, Operation, UnaryOp};

use super::value::Interval;

/// The largest number of values in a sum.
const MOST: usize = 64;

/// A node as a constant plus multiples of other nodes.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    constant: f64,
    /// By node number: its factor, and the sum of the sizes of the factors that it is the sum of.
    factors: BTreeMap<u32, (NodeId, f64, f64)>,
    /// The sum of the sizes of all constants that `constant` is the sum of.
    size: f64,
    /// The number of operations; those of a node that occurs twice count twice. It doubles along a chain of doublings.
    operations: f64,
    /// Whether factors of the same node were added.
    is_merged: bool,
}

impl Linear {
    fn atom(node: NodeId) -> Self {
        Self {
            factors: BTreeMap::from([(node.number(), (node, 1.0, 1.0))]),
            ..Self::default()
        }
    }

    fn constant(value: f64) -> Self {
        Self {
            constant: value,
            size: value.abs(),
            ..Self::default()
        }
    }

    fn as_constant(&self) -> Option<f64> {
        self.factors.is_empty().then_some(self.constant)
    }

    fn times(&self, by: f64) -> Self {
        let factors = self
            .factors
            .iter()
            .map(|(&number, &(node, factor, size))| (number, (node, factor * by, size * by.abs())));
        Self {
            constant: self.constant * by,
            factors: factors.collect(),
            size: self.size * by.abs(),
            operations: self.operations + 1.0,
            is_merged: self.is_merged,
        }
    }

    fn plus(&self, other: &Self) -> Self {
        let mut sum = self.clone();
        for (&number, &(node, factor, size)) in &other.factors {
            let entry = sum.factors.entry(number).or_insert((node, 0.0, 0.0));
            sum.is_merged |= entry.2 > 0.0;
            *entry = (node, entry.1 + factor, entry.2 + size);
        }
        sum.constant += other.constant;
        sum.size += other.size;
        sum.operations += other.operations + 1.0;
        sum.is_merged |= other.is_merged;
        sum
    }

    /// Returns an interval with all values of the node as it is computed, rounding included, given the intervals of the other
    /// nodes. `None` if that says nothing.
    pub(super) fn interval(&self, of: impl Fn(NodeId) -> Interval) -> Option<Interval> {
        let (mut low, mut high, mut sizes) = (self.constant, self.constant, self.size);
        for &(node, factor, size) in self.factors.values() {
            let value = of(node);
            if value.nan {
                return None;
            }
            sizes += size * value.low.abs().max(value.high.abs());
            let ends = [factor * value.low, factor * value.high];
            low += ends[0].min(ends[1]);
            high += ends[0].max(ends[1]);
        }
        // Each operation rounds by less than the sum of the sizes of all numbers times a unit in the last place.
        let slack = f64::EPSILON * (2.0 * self.operations + 4.0) * sizes;
        (slack.is_finite() && low <= high).then(|| Interval::new(low - slack, high + slack))
    }
}

/// Returns the nodes whose sums have a value more than once, by node number.
pub(super) fn merged(graph: &Graph, needed: &[NodeId]) -> Vec<Option<Rc<Linear>>> {
    let mut forms: Vec<Option<Rc<Linear>>> = vec![None; graph.len()];
    for &node in needed {
        let of = |one: NodeId| match &forms[one.number() as usize] {
            Some(form) => Rc::clone(form),
            None => Rc::new(Linear::atom(one)),
        };
        let found = match graph.operation(node) {
            Operation::Real(bits) => Some(Linear::constant(f64::from_bits(*bits))),
            Operation::Unary(UnaryOp::NegReal, a) => Some(of(*a).times(-1.0)),
            Operation::Binary(BinaryOp::AddReal, a, b) => Some(of(*a).plus(&of(*b))),
            Operation::Binary(BinaryOp::SubReal, a, b) => Some(of(*a).plus(&of(*b).times(-1.0))),
            Operation::Binary(BinaryOp::MulReal, a, b) => {
                let (a, b) = (of(*a), of(*b));
                match (a.as_constant(), b.as_constant()) {
                    (Some(by), _) => Some(b.times(by)),
                    (_, Some(by)) => Some(a.times(by)),
                    _ => None,
                }
            }
            Operation::Binary(BinaryOp::DivReal, a, b) => match of(*b).as_constant() {
                Some(by) if by != 0.0 => Some(of(*a).times(1.0 / by)),
                _ => None,
            },
            Operation::Nary(NaryOp::SumReal, list) => {
                let sum = list
                    .iter()
                    .fold(Linear::default(), |sum, &one| sum.plus(&of(one)));
                Some(sum)
            }
            _ => None,
        };
        let fits = |form: &Linear| form.factors.len() <= MOST && form.size.is_finite();
        forms[node.number() as usize] = found.filter(fits).map(Rc::new);
    }
    for form in &mut forms {
        *form = form.take().filter(|form| form.is_merged);
    }
    forms
}
