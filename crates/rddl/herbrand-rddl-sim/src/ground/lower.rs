//! Lowering: translates ground expressions to nodes of a graph.

use std::collections::HashMap;

use fxhash::FxBuildHasher;
use herbrand_dataflow::{Absent, BinaryOp, Graph, NodeId, UnaryOp, ValueType};
use herbrand_limits::Meter;
use herbrand_rddl::{
    Binary, Case, Comparison, Connective, DrawId, Expression, Formula, Instance, Node, PvariableId,
    PvariableKind, Range, Sites, Time, TypeId, Unary, Value, Variable, VariableId,
};

use super::frame::{Bound, Frame};
use super::guard::Guards;
use super::templates::Templates;
use super::values::Values;

/// Returns the kind of register that holds values of a range.
pub(super) const fn register(range: Range) -> ValueType {
    match range {
        Range::Bool => ValueType::Bool,
        Range::Int | Range::Item(_) => ValueType::Int,
        Range::Real => ValueType::Real,
    }
}

/// The address of an expression, with the items of the variables that it depends on.
type Ground = (usize, Vec<(VariableId, u32)>);

/// Translates expressions to nodes, one variable binding at a time.
pub(super) struct Lowering<'i> {
    pub(super) instance: &'i Instance,
    pub(super) guards: &'i Guards,
    /// The current graph: the body of the innermost template, or the graph of the step.
    pub(super) graph: Graph,
    /// The templates under construction, innermost last.
    pub(super) frames: Vec<Frame>,
    /// Which expressions become templates.
    pub(super) templates: Templates,
    /// Whether the current expression is evaluated only conditionally.
    pub(super) lazy: bool,
    /// Whether the outermost template under construction has to be given up.
    pub(super) refused: bool,
    /// The array nodes of pvariables.
    pub(super) arrays: HashMap<(PvariableId, Time), NodeId, FxBuildHasher>,
    /// Once its budget is exhausted, the rest is lowered to 0 and the graph is discarded.
    pub(super) meter: Meter,
    pub(super) sites: Sites,
    /// By pvariable: the nodes of its ground variables before the step.
    pub(super) now: Vec<Values>,
    /// By pvariable: the nodes of its ground variables after the step.
    pub(super) next: Vec<Values>,
    /// By variable of the current formula: its binding.
    pub(super) items: Vec<Bound>,
    /// By variable of the current formula: the number of items of its type.
    pub(super) sizes: Vec<u32>,
    /// The components of drawn vectors, by draw and items in scope.
    pub(super) vectors: HashMap<(DrawId, Vec<u32>), Vec<NodeId>, FxBuildHasher>,
    /// The elements of matrix functions, by address and relevant items.
    pub(super) matrices: HashMap<Ground, Vec<NodeId>, FxBuildHasher>,
    /// Counts within sums, by address and relevant items.
    pub(super) counts: HashMap<Ground, NodeId, FxBuildHasher>,
}

impl<'i> Lowering<'i> {
    pub(super) fn new(
        instance: &'i Instance,
        guards: &'i Guards,
        templates: Templates,
        meter: Meter,
    ) -> Self {
        let count = instance.domain.pvariables.len();
        let mut lowering = Self {
            instance,
            guards,
            graph: Graph::new(),
            frames: Vec::new(),
            templates,
            lazy: false,
            refused: false,
            arrays: HashMap::default(),
            meter,
            sites: Sites::new(instance),
            now: vec![Values::default(); count],
            next: vec![Values::default(); count],
            items: Vec::new(),
            sizes: Vec::new(),
            vectors: HashMap::default(),
            matrices: HashMap::default(),
            counts: HashMap::default(),
        };
        for id in instance.domain.of_kind(PvariableKind::NonFluent) {
            lowering.now[id.index()] = lowering.constants(id);
        }
        lowering
    }

    /// Returns whether memory or time is exhausted.
    pub(super) fn is_over(&mut self) -> bool {
        let beneath: u64 = self.frames.iter().map(|frame| frame.beneath.bytes()).sum();
        self.graph.is_full() || !self.meter.hold(beneath + self.graph.bytes())
    }

    /// Charges a list of values. Returns `false` if the budget has no room for it.
    pub(super) fn list(&mut self, length: u64) -> bool {
        self.meter
            .charge(length.saturating_mul(size_of::<NodeId>() as u64))
    }

    /// Lowers a formula for these parameter items to the kind of `range`.
    pub(super) fn formula(&mut self, formula: &Formula, parameters: &[u32], range: Range) -> NodeId {
        self.items.clear();
        self.items.resize(formula.variables.len(), Bound::Item(0));
        for (bound, &item) in self.items.iter_mut().zip(parameters) {
            *bound = Bound::Item(item);
        }
        let value = self.lower(&formula.body);
        self.graph.widened(value, register(range))
    }

    /// Prepares for the bindings of one formula.
    pub(super) fn begin(&mut self, formula: &Formula) {
        let size = |variable: &Variable| self.instance.size(variable.of);
        self.sizes = formula.variables.iter().map(size).collect();
    }

    pub(super) fn constant(&mut self, value: Value) -> NodeId {
        match value {
            Value::Bool(value) => self.graph.bool(value),
            Value::Int(value) => self.graph.int(value),
            Value::Real(value) => self.graph.real(value),
            Value::Item(item) => self.graph.int(i64::from(item)),
        }
    }

    pub(super) fn item(&self, variable: VariableId) -> u32 {
        match self.items[variable.index()] {
            Bound::Item(item) => item,
            // Items are only asked for outside of templates.
            Bound::Row(_) => 0,
        }
    }

    pub(super) fn bind(&mut self, variable: VariableId, item: u32) {
        self.items[variable.index()] = Bound::Item(item);
    }

    /// Lowers an expression to the kind of its range.
    pub(super) fn lower(&mut self, expression: &Expression) -> NodeId {
        if self.refused || self.is_over() {
            return self.graph.zero(register(expression.range));
        }
        let value = self.lower_node(expression);
        self.graph.widened(value, register(expression.range))
    }

    fn lower_node(&mut self, expression: &Expression) -> NodeId {
        match &expression.node {
            Node::Literal(value) => self.constant(*value),
            Node::Variable(id) => match self.items[id.index()] {
                Bound::Item(item) => self.graph.int(i64::from(item)),
                Bound::Row(axis) => self.row_item(axis),
            },
            Node::Determinant(..) | Node::Matrix(..) | Node::Vector(..) if !self.frames.is_empty() => {
                self.refuse(expression)
            }
            Node::Fluent(id, time, arguments) => self.fluent(*id, *time, arguments),
            Node::Unary(op, operand) => self.unary(*op, operand),
            Node::Binary(first, rest) => self.arithmetic(first, rest),
            Node::Compare(op, operands) => self.compare(*op, operands),
            Node::Connect(op, operands) => self.connect(*op, operands),
            Node::If(parts) => self.choice(&parts[0], &parts[1], &parts[2]),
            Node::Switch {
                subject,
                cases,
                default,
            } => self.switch(subject, cases, default.as_deref()),
            Node::Aggregate(op, variables, body) => self.aggregate(expression, *op, variables, body),
            Node::Quantify(op, variables, body) => self.quantify(expression, *op, variables, body),
            Node::Extreme(op, variable, body) => self.extreme(expression, *op, *variable, body),
            Node::Determinant(variables, body) => self.determinant(*variables, body),
            Node::Matrix(op, variables, element) => self.matrix(*op, *variables, element),
            Node::KronDelta(value) => self.lower(value),
            Node::DiracDelta(value) => {
                let value = self.lower(value);
                self.graph.to_real(value)
            }
            Node::Bernoulli(draw, p) => {
                let (p, site) = (self.lower(p), self.site(*draw));
                self.graph.bernoulli(p, site)
            }
            Node::Draw(draw, family, parameters) => {
                let parameters: Vec<NodeId> = parameters.iter().map(|one| self.lower(one)).collect();
                let site = self.site(*draw);
                self.graph
                    .draw(*family, parameters[0], parameters.get(1).copied(), site)
            }
            Node::Discrete {
                draw,
                choice,
                of,
                cases,
                otherwise,
            } => {
                let weights = self.weights(*of, cases, *otherwise);
                let site = self.site(*draw);
                self.graph.choose(*choice, weights, site)
            }
            Node::DiscreteOver(draw, choice, variable, weight) => {
                if self.is_wide(self.size_of(*variable)) {
                    return self.refuse(expression);
                }
                let weights = self.each_item(*variable, weight);
                let site = self.site(*draw);
                if weights.is_empty() {
                    self.graph.fail(Absent::ItemOfNothing, ValueType::Int)
                } else {
                    self.graph.choose(*choice, weights, site)
                }
            }
            Node::Vector(draw, op, variable, parameters) => self.vector(*draw, *op, *variable, parameters),
        }
    }

    /// Returns the site of a ground draw.
    pub(super) fn site(&mut self, draw: DrawId) -> herbrand_distributions::Site {
        if !self.frames.is_empty() {
            return self.site_of_rows(draw);
        }
        let items: Vec<u32> = self.scope(draw);
        self.sites.site(draw, &items)
    }

    /// Returns the items of the variables in scope of a draw.
    pub(super) fn scope(&self, draw: DrawId) -> Vec<u32> {
        let scope = &self.instance.domain.draw(draw).scope;
        scope.iter().map(|&variable| self.item(variable)).collect()
    }

    /// Lowers the body for each item of a variable's type.
    pub(super) fn each_item(&mut self, variable: VariableId, body: &Expression) -> Vec<NodeId> {
        let size = self.size_of(variable);
        let each = |item: u32| {
            self.bind(variable, item);
            self.lower(body)
        };
        (0..size).map(each).collect()
    }

    fn fluent(&mut self, id: PvariableId, time: Time, arguments: &[Expression]) -> NodeId {
        if !self.frames.is_empty() {
            return self.fluent_of_rows(id, time, arguments);
        }
        match self.bound_number(id, arguments) {
            Some(number) => self.element(id, time, number),
            None => self.nested_fluent(id, time, arguments),
        }
    }

    /// Returns the number, in row order, of a ground variable whose arguments are bound variables and literals; `None` for
    /// other arguments.
    fn bound_number(&self, id: PvariableId, arguments: &[Expression]) -> Option<usize> {
        let parameters = &self.instance.domain.pvariable(id).parameters;
        parameters
            .iter()
            .zip(arguments)
            .try_fold(0, |number, (&of, argument)| {
                let item = match argument.node {
                    Node::Variable(variable) => self.item(variable),
                    Node::Literal(Value::Item(item)) => item,
                    _ => return None,
                };
                Some(number * self.instance.size(of) as usize + item as usize)
            })
    }

    /// Lowers a fluent whose arguments are computed.
    fn nested_fluent(&mut self, id: PvariableId, time: Time, arguments: &[Expression]) -> NodeId {
        let arguments: Vec<NodeId> = arguments.iter().map(|one| self.lower(one)).collect();
        let sizes: Vec<u64> = self
            .instance
            .domain
            .pvariable(id)
            .parameters
            .iter()
            .map(|&of| u64::from(self.instance.size(of)))
            .collect();
        let known: Vec<Option<u64>> = arguments
            .iter()
            .map(|&node| self.graph.as_int(node).and_then(|item| u64::try_from(item).ok()))
            .collect();
        if let Some(items) = known.iter().copied().collect::<Option<Vec<u64>>>() {
            let number = items
                .iter()
                .zip(&sizes)
                .fold(0, |number, (item, size)| number * size + item);
            return self.element(id, time, number as usize);
        }
        // The arguments that depend on the state select from a table with the remaining arguments fixed.
        let mut numbers = vec![0_u64];
        let mut index = self.graph.int(0);
        for ((&argument, known), &size) in arguments.iter().zip(&known).zip(&sizes) {
            match known {
                Some(item) => numbers
                    .iter_mut()
                    .for_each(|number| *number = *number * size + item),
                None => {
                    numbers = numbers
                        .iter()
                        .flat_map(|number| (0..size).map(move |item| number * size + item))
                        .collect();
                    let size = self.graph.int(size as i64);
                    let row = self.graph.binary(BinaryOp::MulInt, index, size);
                    index = self.graph.binary(BinaryOp::AddInt, row, argument);
                }
            }
        }
        let each = |&number: &u64| self.element(id, time, number as usize);
        let table: Vec<NodeId> = numbers.iter().map(each).collect();
        self.graph.gather(index, table)
    }

    fn unary(&mut self, op: Unary, operand: &Expression) -> NodeId {
        let value = self.lower(operand);
        if op == Unary::Not {
            return self.graph.not(value);
        }
        let value = self.graph.to_int(value);
        let whole = value.kind() == ValueType::Int;
        let function = match (op, whole) {
            (Unary::Plus, _) | (Unary::Round | Unary::Floor | Unary::Ceil, true) => return value,
            (Unary::Minus, true) => UnaryOp::NegInt,
            (Unary::Abs, true) => UnaryOp::AbsInt,
            (Unary::Sign, true) => UnaryOp::SignInt,
            _ => {
                let value = self.graph.to_real(value);
                return self.graph.unary(real_function(op), value);
            }
        };
        self.graph.unary(function, value)
    }

    fn arithmetic(&mut self, first: &Expression, rest: &[(Binary, Expression)]) -> NodeId {
        let (mut a, mut range) = (self.lower(first), first.range);
        for (op, operand) in rest {
            let b = self.lower(operand);
            range = op.range([range, operand.range]);
            a = if range == Range::Int {
                let (a, b) = (self.graph.to_int(a), self.graph.to_int(b));
                self.graph.binary(int_operation(*op), a, b)
            } else {
                let (a, b) = (self.graph.to_real(a), self.graph.to_real(b));
                self.graph.binary(real_operation(*op), a, b)
            };
        }
        a
    }

    fn compare(&mut self, op: Comparison, operands: &[Expression; 2]) -> NodeId {
        let [a, b] = operands;
        let (a, b) = (self.lower(a), self.lower(b));
        let equality = matches!(op, Comparison::Equal | Comparison::Unequal);
        let equal = if equality && a.kind() == ValueType::Bool && b.kind() == ValueType::Bool {
            self.graph.binary(BinaryOp::Same, a, b)
        } else {
            let (a, b) = self.graph.matched(a, b);
            let (a, b) = match op {
                Comparison::Greater | Comparison::GreaterOrEqual => (b, a),
                _ => (a, b),
            };
            self.graph.binary(comparison(op, a.kind()), a, b)
        };
        if op == Comparison::Unequal {
            self.graph.not(equal)
        } else {
            equal
        }
    }

    fn connect(&mut self, op: Connective, operands: &[Expression]) -> NodeId {
        let (first, rest) = operands.split_at(1);
        let mut a = self.lower(&first[0]);
        for operand in rest {
            match (op, self.graph.as_bool(a)) {
                (Connective::And, Some(false)) | (Connective::Or, Some(true)) => return a,
                (Connective::Implies, Some(false)) => {
                    a = self.graph.bool(true);
                    continue;
                }
                _ => {}
            }
            let b = self.lazily(op != Connective::Equivalent, |lowering| lowering.lower(operand));
            a = match op {
                Connective::And => self.graph.decided(BinaryOp::And, a, b),
                Connective::Or => self.graph.decided(BinaryOp::Or, a, b),
                Connective::Implies => {
                    let negated = self.graph.not(a);
                    self.graph.decided(BinaryOp::Or, negated, b)
                }
                Connective::Equivalent => self.graph.binary(BinaryOp::Same, a, b),
            };
        }
        a
    }

    /// Lowers a choice. If the condition is a constant, only the selected branch is lowered.
    fn choice(&mut self, condition: &Expression, then: &Expression, otherwise: &Expression) -> NodeId {
        let condition = self.lower(condition);
        match self.graph.as_bool(condition) {
            Some(true) => self.lower(then),
            Some(false) => self.lower(otherwise),
            None => {
                let (then, otherwise) =
                    self.lazily(true, |lowering| (lowering.lower(then), lowering.lower(otherwise)));
                self.graph.select(condition, then, otherwise)
            }
        }
    }

    fn switch(&mut self, subject: &Expression, cases: &[Case], default: Option<&Expression>) -> NodeId {
        let subject = self.lower(subject);
        if let Some(item) = self.graph.as_int(subject) {
            let found = cases.iter().find(|case| i64::from(case.item) == item);
            return match (found, default) {
                (Some(case), _) => self.lower(&case.body),
                (None, Some(default)) => self.lower(default),
                (None, None) => self.graph.fail(Absent::ItemOfNothing, ValueType::Int),
            };
        }
        let (cases, last) = match (default, cases.split_last()) {
            (Some(default), _) => (cases, default),
            (None, Some((last, cases))) => (cases, &last.body),
            (None, None) => return self.graph.fail(Absent::ItemOfNothing, ValueType::Int),
        };
        let last = self.lazily(true, |lowering| lowering.lower(last));
        if cases.is_empty() && self.graph.is_fallible(subject) {
            // The subject selects nothing, but the switch must fail if the subject fails.
            let whatever = self.graph.binary(BinaryOp::EqInt, subject, subject);
            return self.graph.select(whatever, last, last);
        }
        cases.iter().rev().fold(last, |otherwise, case| {
            let item = self.graph.int(i64::from(case.item));
            let chosen = self.graph.binary(BinaryOp::EqInt, subject, item);
            let body = self.lazily(true, |lowering| lowering.lower(&case.body));
            self.graph.select(chosen, body, otherwise)
        })
    }

    /// Returns the weights of an enum's items, in declaration order.
    fn weights(&mut self, of: TypeId, cases: &[Case], otherwise: Option<u32>) -> Vec<NodeId> {
        let zero = self.graph.real(0.0);
        let mut weights = vec![zero; self.instance.size(of) as usize];
        let mut left = self.graph.real(1.0);
        for case in cases {
            let weight = self.lower(&case.body);
            let weight = self.graph.to_real(weight);
            weights[case.item as usize] = weight;
            left = self.graph.binary(BinaryOp::SubReal, left, weight);
        }
        if let Some(item) = otherwise {
            weights[item as usize] = left;
        }
        weights
    }
}

const fn comparison(op: Comparison, kind: ValueType) -> BinaryOp {
    match (op, kind) {
        (Comparison::Equal | Comparison::Unequal, ValueType::Real) => BinaryOp::EqReal,
        (Comparison::Equal | Comparison::Unequal, _) => BinaryOp::EqInt,
        (Comparison::Less | Comparison::Greater, ValueType::Real) => BinaryOp::LtReal,
        (Comparison::Less | Comparison::Greater, _) => BinaryOp::LtInt,
        (_, ValueType::Real) => BinaryOp::LeReal,
        _ => BinaryOp::LeInt,
    }
}

const fn real_function(op: Unary) -> UnaryOp {
    match op {
        Unary::Not => UnaryOp::Not,
        Unary::Minus | Unary::Plus => UnaryOp::NegReal,
        Unary::Abs => UnaryOp::AbsReal,
        Unary::Sign => UnaryOp::Sign,
        Unary::Round => UnaryOp::Round,
        Unary::Floor => UnaryOp::Floor,
        Unary::Ceil => UnaryOp::Ceil,
        Unary::Sqrt => UnaryOp::Sqrt,
        Unary::Exp => UnaryOp::Exp,
        Unary::Ln => UnaryOp::Ln,
        Unary::Sin => UnaryOp::Sin,
        Unary::Cos => UnaryOp::Cos,
        Unary::Tan => UnaryOp::Tan,
        Unary::Asin => UnaryOp::Asin,
        Unary::Acos => UnaryOp::Acos,
        Unary::Atan => UnaryOp::Atan,
        Unary::Sinh => UnaryOp::Sinh,
        Unary::Cosh => UnaryOp::Cosh,
        Unary::Tanh => UnaryOp::Tanh,
        Unary::LnGamma => UnaryOp::LnGamma,
        Unary::Gamma => UnaryOp::Gamma,
    }
}

const fn int_operation(op: Binary) -> BinaryOp {
    match op {
        Binary::Add => BinaryOp::AddInt,
        Binary::Subtract => BinaryOp::SubInt,
        Binary::Multiply => BinaryOp::MulInt,
        Binary::Div => BinaryOp::DivInt,
        Binary::Mod | Binary::Fmod => BinaryOp::ModInt,
        Binary::Min => BinaryOp::MinInt,
        Binary::Max => BinaryOp::MaxInt,
        _ => BinaryOp::PowInt,
    }
}

const fn real_operation(op: Binary) -> BinaryOp {
    match op {
        Binary::Add => BinaryOp::AddReal,
        Binary::Subtract => BinaryOp::SubReal,
        Binary::Multiply => BinaryOp::MulReal,
        Binary::Divide => BinaryOp::DivReal,
        Binary::Fmod => BinaryOp::ModReal,
        Binary::Min => BinaryOp::MinReal,
        Binary::Max => BinaryOp::MaxReal,
        Binary::Log => BinaryOp::Log,
        Binary::Hypot => BinaryOp::Hypot,
        _ => BinaryOp::PowReal,
    }
}
