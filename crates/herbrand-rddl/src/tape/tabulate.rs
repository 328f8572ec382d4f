//! Tables in place of what is computed of a count and constants alone.
//!
//! ```text
//!   n0 = count of b0 b1 b2
//!   n1 = 1 + n0                                  n0 = count of b0 b1 b2
//!   n2 = real of n1                      ──▶     n3 = [0.2, 0.4, 0.6, 0.8] at n0
//!   n3 = n2 / 5
//! ```
//!
//! A count of a few bools has few values, and so has what follows from it. Each is computed by the rules that fold constants,
//! which give what a run gives, bit for bit.

use fxhash::FxHashMap;
use herbrand_limits::{Meter, Spent};

use super::graph::Graph;
use super::term::{Kind, MOST_COUNTED, Nary, Node, Term};

/// A value that follows from a count and constants.
struct Function {
    count: Node,
    /// How many operations lead from the count to it.
    operations: usize,
    /// The bits of its values, by the count.
    values: Box<[u64]>,
}

/// Fewer operations cost no more than a table.
const LEAST: usize = 2;

/// The bytes that are counted for a function, with its place in a table that grows by doubling.
const PER_FUNCTION: u64 = (2 * size_of::<(u32, Function)>() + (MOST_COUNTED + 1) * size_of::<u64>()) as u64;

impl Graph {
    /// Makes tables of what follows from counts, where `values` or nodes that do not follow from the same count need it. All
    /// nodes keep their numbers and their values.
    ///
    /// # Errors
    /// When the budget is spent.
    pub fn tabulate(
        &mut self,
        values: impl IntoIterator<Item = Node>,
        meter: &mut Meter,
    ) -> Result<(), Spent> {
        let held = meter.held();
        let mut functions: FxHashMap<u32, Function> = FxHashMap::default();
        let mut needed: Vec<Node> = values.into_iter().collect();
        for node in self.nodes() {
            match self.function(node, &functions) {
                Some(function) => {
                    meter.charge(PER_FUNCTION);
                    functions.insert(node.id, function);
                }
                None => self.term(node).operands(|operand| {
                    if functions.contains_key(&operand.id) {
                        needed.push(operand);
                    }
                }),
            }
            if meter.is_spent() {
                break;
            }
        }
        meter.check()?;
        for node in needed {
            if let Some(function) = functions.remove(&node.id)
                && function.operations >= LEAST
            {
                self.replace(node, Term::ByCount(function.count, function.values));
            }
        }
        self.find_fallible();
        meter.hold(held);
        Ok(())
    }

    /// The function of a count that a node is, if it is one.
    fn function(&self, node: Node, functions: &FxHashMap<u32, Function>) -> Option<Function> {
        let term = self.term(node);
        if let Term::Nary(Nary::Count, list) = term
            && list.len() <= MOST_COUNTED
        {
            return Some(Function {
                count: node,
                operations: 0,
                values: (0..=list.len() as u64).collect(),
            });
        }
        if self.can_fail(term) || !matches!(term, Term::Unary(..) | Term::Binary(..) | Term::If(..)) {
            return None;
        }
        let (mut count, mut operations, mut fits) = (None, 1_usize, true);
        term.operands(|operand| match functions.get(&operand.id) {
            Some(of) => {
                fits &= count.is_none_or(|count| count == of.count);
                count = Some(of.count);
                operations = of.operations.saturating_add(operations);
            }
            None => fits &= self.bits(operand).is_some(),
        });
        let count = count.filter(|_| fits)?;
        let values = 0..functions[&count.id].values.len();
        let values = values
            .map(|place| self.value(node, place, functions))
            .collect::<Option<_>>()?;
        Some(Function {
            count,
            operations,
            values,
        })
    }

    /// The bits of an operation's value where its operands have those of a place; none if it has no value.
    fn value(&self, node: Node, place: usize, functions: &FxHashMap<u32, Function>) -> Option<u64> {
        let mut folded = Self::new();
        let mut constant = |operand: Node| {
            let known = functions.get(&operand.id).map(|of| of.values[place]);
            let bits = known.or_else(|| self.bits(operand))?;
            Some(match operand.kind {
                Kind::Bool => folded.bool(bits != 0),
                Kind::Int => folded.int(bits.cast_signed()),
                Kind::Real => folded.real(f64::from_bits(bits)),
            })
        };
        let value = match *self.term(node) {
            Term::Unary(op, a) => {
                let a = constant(a)?;
                folded.unary(op, a)
            }
            Term::Binary(op, a, b) => {
                let (a, b) = (constant(a)?, constant(b)?);
                folded.binary(op, a, b)
            }
            Term::If(condition, a, b) => {
                let (condition, a, b) = (constant(condition)?, constant(a)?, constant(b)?);
                folded.select(condition, a, b)
            }
            _ => return None,
        };
        folded.bits(value)
    }

    /// The bits of a constant.
    fn bits(&self, node: Node) -> Option<u64> {
        match *self.term(node) {
            Term::Bool(value) => Some(u64::from(value)),
            Term::Int(value) => Some(value.cast_unsigned()),
            Term::Real(bits) => Some(bits),
            _ => None,
        }
    }
}
