//! Replaces expressions over constants and a small count by lookup tables.
//!
//! ```text
//!   n0 = count of b0 b1 b2
//!   n1 = 1 + n0                                  n0 = count of b0 b1 b2
//!   n2 = real of n1                      ──▶     n3 = [0.2, 0.4, 0.6, 0.8] at n0
//!   n3 = n2 / 5
//! ```
//!
//! A count of at most [`MOST_COUNTED`] bools takes few values, and so does an expression over that count and constants. The
//! table entries are computed by constant folding, which agrees with a run bit for bit.

use fxhash::FxHashMap;
use herbrand_limits::{BudgetExhausted, Meter};

use crate::graph::Graph;
use crate::operation::{MOST_COUNTED, NaryOp, NodeId, Operation, ValueType};

/// A function of one count: a value that depends only on that count and on constants.
struct Function {
    count: NodeId,
    /// The number of operations between the count and this value.
    operations: usize,
    /// The bits of its values, indexed by the count.
    values: Box<[u64]>,
}

/// The fewest operations that a table replaces. Fewer cost no more than the table.
const LEAST: usize = 2;

/// The bytes charged per function: its entry in a hash table that grows by doubling.
const PER_FUNCTION: u64 = (2 * size_of::<(u32, Function)>() + (MOST_COUNTED + 1) * size_of::<u64>()) as u64;

impl Graph {
    /// Replaces expressions over one small count and constants by lookup tables. Such an expression is replaced if it takes
    /// at least two operations, and is one of `values` or an operand of a node that does not depend on the same count only.
    /// Nodes keep their numbers and their values; only their operations change. Call it before compiling, with the nodes
    /// that will be compiled.
    ///
    /// # Errors
    /// Fails if the budget of `meter` is exhausted.
    pub fn tabulate(
        &mut self,
        values: impl IntoIterator<Item = NodeId>,
        meter: &mut Meter,
    ) -> Result<(), BudgetExhausted> {
        let held = meter.held();
        let mut functions: FxHashMap<u32, Function> = FxHashMap::default();
        let mut needed: Vec<NodeId> = values.into_iter().collect();
        for node in self.nodes() {
            match self.function(node, &functions) {
                Some(function) => {
                    meter.charge(PER_FUNCTION);
                    functions.insert(node.id, function);
                }
                None => self.operation(node).operands(|operand| {
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
                self.replace(node, Operation::ByCount(function.count, function.values));
            }
        }
        self.find_fallible();
        meter.hold(held);
        Ok(())
    }

    /// Returns the node as a function of a count; `None` if it is not one.
    fn function(&self, node: NodeId, functions: &FxHashMap<u32, Function>) -> Option<Function> {
        let operation = self.operation(node);
        if let Operation::Nary(NaryOp::Count, list) = operation
            && list.len() <= MOST_COUNTED
        {
            return Some(Function {
                count: node,
                operations: 0,
                values: (0..=list.len() as u64).collect(),
            });
        }
        if self.can_fail(operation)
            || !matches!(
                operation,
                Operation::Unary(..) | Operation::Binary(..) | Operation::If(..)
            )
        {
            return None;
        }
        let (mut count, mut operations, mut fits) = (None, 1_usize, true);
        operation.operands(|operand| match functions.get(&operand.id) {
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

    /// Returns the bits of the operation's value if the count is `place`; `None` if the operation has no value.
    fn value(&self, node: NodeId, place: usize, functions: &FxHashMap<u32, Function>) -> Option<u64> {
        let mut folded = Self::new();
        let mut constant = |operand: NodeId| {
            let known = functions.get(&operand.id).map(|of| of.values[place]);
            let bits = known.or_else(|| self.bits(operand))?;
            Some(match operand.kind {
                ValueType::Bool => folded.bool(bits != 0),
                ValueType::Int => folded.int(bits.cast_signed()),
                ValueType::Real => folded.real(f64::from_bits(bits)),
            })
        };
        let value = match *self.operation(node) {
            Operation::Unary(op, a) => {
                let a = constant(a)?;
                folded.unary(op, a)
            }
            Operation::Binary(op, a, b) => {
                let (a, b) = (constant(a)?, constant(b)?);
                folded.binary(op, a, b)
            }
            Operation::If(condition, a, b) => {
                let (condition, a, b) = (constant(condition)?, constant(a)?, constant(b)?);
                folded.select(condition, a, b)
            }
            _ => return None,
        };
        folded.bits(value)
    }

    /// Returns the bits of a constant; `None` for any other node.
    fn bits(&self, node: NodeId) -> Option<u64> {
        match *self.operation(node) {
            Operation::Bool(value) => Some(u64::from(value)),
            Operation::Int(value) => Some(value.cast_unsigned()),
            Operation::Real(bits) => Some(bits),
            _ => None,
        }
    }
}
