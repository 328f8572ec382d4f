//! Interned ground expressions and numeric fluents.

use fxhash::FxHashMap;
use herbrand_pddl::{ArithmeticOperator, Domain, Expression, FunctionId, FunctionTerm, ObjectId, Problem};

use super::binding::Binding;
use crate::normal::{FunctionKind, starts_at_zero};
use crate::task::{Effects, ExpressionId, GroundExpression, Numeric, NumericId};

/// The numeric fluents and expressions of a ground task under construction.
pub(super) struct Expressions {
    kinds: Vec<FunctionKind>,
    values: FxHashMap<(FunctionId, Vec<ObjectId>), f64>,
    fluents: FxHashMap<(FunctionId, Vec<ObjectId>), NumericId>,
    numerics: Vec<Numeric>,
    nodes: Vec<GroundExpression>,
    known: FxHashMap<NodeKey, ExpressionId>,
}

/// A node as a hash key; numbers are compared by their bits.
#[derive(PartialEq, Eq, Hash)]
enum NodeKey {
    Number(u64),
    Fluent(NumericId),
    Undefined,
    Apply(ArithmeticOperator, ExpressionId, ExpressionId),
    Special(herbrand_pddl::Special),
}

impl Expressions {
    /// Creates the numeric fluents that have an initial value in the problem. Functions that start at zero get that value.
    pub(super) fn new(domain: &Domain, problem: &Problem, kinds: Vec<FunctionKind>) -> Self {
        let functions = (0..domain.functions.len()).map(FunctionId::from_index);
        let zero = functions.filter(|&id| starts_at_zero(domain.function(id)));
        let stated = problem.values.iter();
        let stated = stated.map(|v| ((v.function, v.arguments.clone()), v.value.value()));
        let values = zero.map(|id| ((id, Vec::new()), 0.0)).chain(stated).collect();
        let mut this = Self {
            kinds,
            values,
            fluents: FxHashMap::default(),
            numerics: Vec::new(),
            nodes: Vec::new(),
            known: FxHashMap::default(),
        };
        for value in &problem.values {
            if this.kinds[value.function.index()] != FunctionKind::Static {
                this.numeric(value.function, &value.arguments);
            }
        }
        this
    }

    /// Returns the numeric fluent of a function term that can change.
    pub(super) fn fluent(&mut self, term: &FunctionTerm, binding: &Binding) -> NumericId {
        let arguments: Vec<_> = term.arguments.iter().map(|&term| binding.object(term)).collect();
        self.numeric(term.function, &arguments)
    }

    /// Returns the id of the numeric fluent `function(arguments)`, after creating it if necessary.
    pub(super) fn numeric(&mut self, function: FunctionId, arguments: &[ObjectId]) -> NumericId {
        let key = (function, arguments.to_vec());
        if let Some(&id) = self.fluents.get(&key) {
            return id;
        }
        let id = NumericId::from_index(self.numerics.len());
        let initial = self.values.get(&key).copied();
        self.numerics.push(Numeric {
            function,
            arguments: arguments.to_vec(),
            initial,
        });
        self.fluents.insert(key, id);
        id
    }

    /// Grounds an expression, and evaluates its static parts as far as they are defined.
    pub(super) fn expression(&mut self, expression: &Expression, binding: &Binding) -> ExpressionId {
        match expression {
            Expression::Number(number) => self.number(number.value()),
            Expression::Special(special) => {
                self.node(NodeKey::Special(*special), GroundExpression::Special(*special))
            }
            Expression::Fluent(term) if self.kinds[term.function.index()] == FunctionKind::Static => {
                let arguments = term.arguments.iter().map(|&term| binding.object(term)).collect();
                match self.values.get(&(term.function, arguments)) {
                    Some(&value) => self.number(value),
                    None => self.node(NodeKey::Undefined, GroundExpression::Undefined),
                }
            }
            Expression::Fluent(term) => {
                let id = self.fluent(term, binding);
                self.node(NodeKey::Fluent(id), GroundExpression::Fluent(id))
            }
            Expression::Apply(operator, operands) => self.apply(*operator, operands, binding),
        }
    }

    /// Returns whether a function term has an initial value, and therefore a value in every state.
    pub(super) fn starts_with_value(&self, term: &FunctionTerm, binding: &Binding) -> bool {
        let arguments = term.arguments.iter().map(|&term| binding.object(term)).collect();
        self.values.contains_key(&(term.function, arguments))
    }

    /// Returns the value of a constant expression; `Some(None)` if it is always undefined, and `None` if it is not constant.
    pub(super) fn constant(&self, id: ExpressionId) -> Option<Option<f64>> {
        match self.nodes[id.index()] {
            GroundExpression::Number(value) => Some(Some(value)),
            GroundExpression::Undefined => Some(None),
            _ => None,
        }
    }

    /// Folds the operands from left to right. A single operand is negated, as `0 - x`.
    fn apply(
        &mut self,
        operator: ArithmeticOperator,
        operands: &[Expression],
        binding: &Binding,
    ) -> ExpressionId {
        let mut ids = operands
            .iter()
            .map(|operand| self.expression(operand, binding))
            .collect::<Vec<_>>()
            .into_iter();
        let first = ids.next().unwrap_or_else(|| self.number(0.0));
        if operator == ArithmeticOperator::Negate {
            let zero = self.number(0.0);
            return self.binary(ArithmeticOperator::Subtract, zero, first);
        }
        ids.fold(first, |left, right| self.binary(operator, left, right))
    }

    fn binary(
        &mut self,
        operator: ArithmeticOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        if [left, right]
            .into_iter()
            .any(|side| self.constant(side) == Some(None))
        {
            return self.node(NodeKey::Undefined, GroundExpression::Undefined);
        }
        if let (Some(Some(a)), Some(Some(b))) = (self.constant(left), self.constant(right)) {
            let value = match operator {
                ArithmeticOperator::Add => a + b,
                ArithmeticOperator::Subtract | ArithmeticOperator::Negate => a - b,
                ArithmeticOperator::Multiply => a * b,
                ArithmeticOperator::Divide => a / b,
            };
            // A division by zero is not folded, so that it is reported when it is evaluated.
            if value.is_finite() {
                return self.number(value);
            }
        }
        self.node(
            NodeKey::Apply(operator, left, right),
            GroundExpression::Apply(operator, left, right),
        )
    }

    fn number(&mut self, value: f64) -> ExpressionId {
        self.node(NodeKey::Number(value.to_bits()), GroundExpression::Number(value))
    }

    fn node(&mut self, key: NodeKey, node: GroundExpression) -> ExpressionId {
        *self.known.entry(key).or_insert_with(|| {
            self.nodes.push(node);
            ExpressionId::from_index(self.nodes.len() - 1)
        })
    }

    /// Returns the numeric fluents in canonical order (state variables first, then by function and arguments), the number of
    /// state variables, and all expressions. Also renumbers the fluents in `effects`.
    pub(super) fn finish(
        mut self,
        effects: &mut Effects,
    ) -> (Vec<Numeric>, u32, Vec<GroundExpression>, Renumbering) {
        let mut order: Vec<usize> = (0..self.numerics.len()).collect();
        let counts = |n: &Numeric| self.kinds[n.function.index()] == FunctionKind::Accumulator;
        order.sort_by_key(|&index| {
            let numeric = &self.numerics[index];
            (counts(numeric), numeric.function, numeric.arguments.clone())
        });
        let in_state = self.numerics.iter().filter(|numeric| !counts(numeric)).count();
        let mut ids = vec![NumericId::new(0); order.len()];
        for (new, &old) in order.iter().enumerate() {
            ids[old] = NumericId::from_index(new);
        }
        let renumbering = Renumbering { ids };
        for node in &mut self.nodes {
            if let GroundExpression::Fluent(id) = node {
                *id = renumbering.id(*id);
            }
        }
        effects.for_each_assignment_mut(|assignment| assignment.target = renumbering.id(assignment.target));
        let numerics = order
            .into_iter()
            .map(|index| self.numerics[index].clone())
            .collect();
        (
            numerics,
            NumericId::from_index(in_state).number(),
            self.nodes,
            renumbering,
        )
    }
}

/// The canonical number of each numeric fluent.
pub(super) struct Renumbering {
    ids: Vec<NumericId>,
}

impl Renumbering {
    /// Returns the canonical number of a fluent.
    pub(super) fn id(&self, old: NumericId) -> NumericId {
        self.ids[old.index()]
    }
}
