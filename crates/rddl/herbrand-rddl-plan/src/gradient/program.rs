//! A step as a differentiable program over reals.

use std::sync::Arc;

use herbrand_dataflow::{BinaryOp, NaryOp, NodeId, Operation, UnaryOp};
use herbrand_distributions::{Family, WeightKind};
use herbrand_limits::Budget;
use herbrand_rddl::Instance;
use herbrand_rddl_sim::ground::{CompileError, StepGraph};
use herbrand_rddl_sim::simulate::CompiledInstance;
use thiserror::Error;

use super::relaxation::{Operator, Relaxation, SmoothFunction};
use crate::inputs::ByInput;
use crate::norm::TNorm;

/// The reason why a problem has no gradients, returned by [`Relaxed::new`]. The sampling planners need no gradients.
#[derive(Clone, Debug, Error)]
pub enum GradientError {
    /// Compiling the problem failed.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The problem uses an operation that cannot be differentiated.
    #[error(
        "{owner}{}: {operation} has no gradient: random vectors and matrix operations cannot be differentiated",
        .place.as_ref().map_or_else(String::new, |place| format!(" ({place})"))
    )]
    NoGradient {
        /// The ground fluent or condition that uses it.
        owner: String,
        /// The file and the line of its formula; `None` if the model does not come from a text.
        place: Option<String>,
        /// The operation's name.
        operation: &'static str,
    },
}

/// The index of a cell. A cell is a row of values, one per lane.
pub(super) type Cell = u32;

/// A range of the operand list.
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    pub(super) start: u32,
    pub(super) len: u32,
}

/// How a cell is computed. Bools are numbers between 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rule {
    Constant(f64),
    /// A state fluent or, numbered after all state fluents, an action fluent.
    Input(u32),
    Unary(Smooth, Cell),
    Binary(Pair, Cell, Cell),
    /// Condition, then, otherwise. The condition is a truth degree.
    If(Cell, Cell, Cell),
    Sum(List),
    Product(List),
    /// The conjunction of truth degrees.
    All(TNorm, List),
    /// The disjunction of truth degrees.
    Any(TNorm, List),
    /// A function of the user's own, by its index.
    Own(u32, List),
    /// The index of the largest operand if `true`, else of the smallest.
    Place(bool, List),
    Gather(Cell, List),
    Bernoulli(Cell, u32),
    Draw(Family, Cell, Cell, u32),
    Choose(WeightKind, List, u32),
}

/// A function of one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Smooth {
    /// The identity.
    Same,
    /// One minus the number.
    Not,
    Sign,
    Round,
    Floor,
    Ceil,
    Truncate,
    /// A function of reals.
    Function(UnaryOp),
}

/// A function of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pair {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
    Pow,
    /// The quotient, rounded down.
    Quotient,
    /// The remainder of that quotient.
    Remainder,
    Log,
    Hypot,
    /// The conjunction of two truth degrees.
    Both(TNorm),
    /// The disjunction of two truth degrees.
    Either(TNorm),
    /// The equivalence of two truth degrees.
    Same(TNorm),
    /// Whether the first number is less than the second plus this many halves, as a truth degree.
    Less(i8),
    /// Whether two numbers are equal, as a truth degree.
    Equal,
}

/// The differentiable version of a problem's step, called relaxed step: logic becomes products, comparisons become
/// sigmoids, and draws become smooth functions of their parameters. [`new`](Self::new) compiles one;
/// [`with`](Self::with) uses another [`Relaxation`].
///
/// Conjunction is the product t-norm. `a < b` is σ(w (b − a)), and `a == b` is 1 − tanh²(w (a − b)). A Bernoulli draw
/// with probability p is σ(w (logit p − logit u)) for its uniform number u. The larger the sharpness w, the closer it
/// is to the real step, and the steeper.
///
/// State invariants are left out. They often bound a fluent that is clipped at the bound. Relaxed, such an invariant
/// holds only halfway there. If rewards are costs, a plan would then seem to gain by going to the bound, as if its
/// episode ended.
#[derive(Clone, Debug)]
pub struct Relaxed {
    pub(super) compiled: Arc<CompiledInstance>,
    pub(super) rules: Vec<Rule>,
    pub(super) operands: Vec<Cell>,
    pub(super) own: Vec<Arc<dyn SmoothFunction>>,
    /// By state fluent: its cell after the step.
    pub(super) next: Vec<Cell>,
    pub(super) reward: Cell,
    /// The truth degree of the end of the episode.
    pub(super) terminal: Cell,
}

impl Relaxed {
    /// Compiles the relaxed step of an instance, within a budget of memory and time. Pass the result to a planner, to
    /// [`RelaxedStep`](super::RelaxedStep) or to [`Unrolled`](super::Unrolled).
    ///
    /// # Errors
    /// Fails if the problem is too large, if the budget or an enclosing one is exhausted, or if an operation has no
    /// gradient. A [`SamplingPlanner`](crate::plan::SamplingPlanner) needs no gradients.
    pub fn new(instance: &Arc<Instance>, budget: &Budget) -> Result<Self, GradientError> {
        Self::with(instance, &Relaxation::default(), budget)
    }

    /// Compiles the relaxed step of an instance like [`new`](Self::new), with the smooth functions of `relaxation`.
    ///
    /// # Errors
    /// Fails like [`new`](Self::new).
    pub fn with(
        instance: &Arc<Instance>,
        relaxation: &Relaxation,
        budget: &Budget,
    ) -> Result<Self, GradientError> {
        let step = StepGraph::new(instance, budget)?;
        let graph = step.graph();
        let outputs = step.next().iter().copied();
        let needed = graph.needed(outputs.chain([step.reward(), step.terminal()]));
        let mut meter = budget.meter("gradients");
        meter.charge((graph.len() * size_of::<Cell>() + needed.len() * size_of::<Rule>()) as u64);
        meter.check().map_err(CompileError::from)?;
        let (mut inputs, compiled) = (ByInput::new(), step.compiled());
        inputs.enter(&compiled.state, 0..);
        inputs.enter(&compiled.action, compiled.state.len() as u32..);
        let mut writer = Writer {
            inputs,
            cells: vec![Cell::MAX; graph.len()],
            rules: Vec::with_capacity(needed.len()),
            operands: Vec::new(),
            relaxation,
            own: Vec::new(),
        };
        for node in needed {
            let no_gradient = |operation| {
                let (owner, place) = step.compiled().owner(node, None);
                GradientError::NoGradient {
                    owner,
                    place,
                    operation,
                }
            };
            let rule = writer.rule(node, graph.operation(node)).map_err(no_gradient)?;
            writer.cells[node.number() as usize] = writer.rules.len() as Cell;
            writer.rules.push(rule);
        }
        Ok(Self {
            compiled: Arc::clone(step.compiled()),
            next: step.next().iter().map(|&node| writer.cell(node)).collect(),
            reward: writer.cell(step.reward()),
            terminal: writer.cell(step.terminal()),
            rules: writer.rules,
            operands: writer.operands,
            own: writer.own,
        })
    }

    /// Returns the compiled problem, whose real step the relaxed step approximates.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Returns the number of values that this step computes, including intermediate ones and constants.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.rules.len()
    }

    /// Returns `true` if this step computes no values. This never happens, because every step computes a reward.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }

    pub(super) fn list(&self, list: List) -> &[Cell] {
        &self.operands[list.start as usize..][..list.len as usize]
    }
}

struct Writer<'r> {
    /// The numbers of the state and action fluents, in one sequence.
    inputs: ByInput<u32>,
    cells: Vec<Cell>,
    rules: Vec<Rule>,
    operands: Vec<Cell>,
    relaxation: &'r Relaxation,
    /// The user's own functions, one per use.
    own: Vec<Arc<dyn SmoothFunction>>,
}

impl Writer<'_> {
    /// Writes a rule for a value that is no node of the graph.
    fn push(&mut self, rule: Rule) -> Cell {
        self.rules.push(rule);
        self.rules.len() as Cell - 1
    }

    /// Returns the rule of an operator by the user's own function; `None` if there is no such function.
    fn own(&mut self, term: &Operation) -> Option<Rule> {
        let operator = operator(term)?;
        let function = Arc::clone(self.relaxation.own(operator)?);
        let mut cells: Vec<Cell> = match term {
            Operation::Unary(_, a) => vec![self.cell(*a)],
            Operation::Binary(_, a, b) => vec![self.cell(*a), self.cell(*b)],
            Operation::If(c, a, b) => vec![self.cell(*c), self.cell(*a), self.cell(*b)],
            Operation::Nary(_, list) => list.iter().map(|&node| self.cell(node)).collect(),
            _ => return None,
        };
        let halves = match term {
            Operation::Binary(BinaryOp::LtInt, ..) => -0.5,
            Operation::Binary(BinaryOp::LeInt, ..) => 0.5,
            _ => 0.0,
        };
        if halves != 0.0 {
            let half = self.push(Rule::Constant(halves));
            cells[1] = self.push(Rule::Binary(Pair::Add, cells[1], half));
        }
        let list = List {
            start: self.operands.len() as u32,
            len: cells.len() as u32,
        };
        self.operands.extend(cells);
        self.own.push(function);
        Some(Rule::Own(self.own.len() as u32 - 1, list))
    }

    fn cell(&self, node: NodeId) -> Cell {
        self.cells[node.number() as usize]
    }

    fn list(&mut self, nodes: &[NodeId]) -> List {
        let start = self.operands.len() as u32;
        let cells: Vec<Cell> = nodes.iter().map(|&node| self.cell(node)).collect();
        self.operands.extend(cells);
        List {
            start,
            len: nodes.len() as u32,
        }
    }

    fn rule(&mut self, node: NodeId, term: &Operation) -> Result<Rule, &'static str> {
        if let Some(rule) = self.own(term) {
            return Ok(rule);
        }
        let norm = self.relaxation.norm();
        Ok(match term {
            Operation::Bool(value) => Rule::Constant(f64::from(u8::from(*value))),
            Operation::Int(value) => Rule::Constant(*value as f64),
            Operation::Real(bits) => Rule::Constant(f64::from_bits(*bits)),
            // The real step fails if it needs this value.
            Operation::Fail(_) => Rule::Constant(f64::NAN),
            Operation::Input(register) => Rule::Input(*self.inputs.get(node.kind(), *register)),
            Operation::Unary(op, a) => Rule::Unary(smooth(*op), self.cell(*a)),
            Operation::Binary(op, a, b) => self.binary(*op, *a, *b),
            Operation::Nary(NaryOp::ProductReal, list) => Rule::Product(self.list(list)),
            Operation::Nary(NaryOp::All, list) => Rule::All(norm, self.list(list)),
            Operation::Nary(NaryOp::Any, list) => Rule::Any(norm, self.list(list)),
            Operation::Nary(NaryOp::Count | NaryOp::SumInt | NaryOp::SumReal, list) => {
                Rule::Sum(self.list(list))
            }
            Operation::Nary(NaryOp::ArgMax, list) => Rule::Place(true, self.list(list)),
            Operation::Nary(NaryOp::ArgMin, list) => Rule::Place(false, self.list(list)),
            Operation::If(c, a, b) => Rule::If(self.cell(*c), self.cell(*a), self.cell(*b)),
            Operation::Gather(index, list) => Rule::Gather(self.cell(*index), self.list(list)),
            Operation::Bernoulli(p, site) => Rule::Bernoulli(self.cell(*p), *site),
            Operation::Draw(family, a, b, site) => Rule::Draw(*family, self.cell(*a), self.cell(*b), *site),
            Operation::Choose(choice, list, site) => Rule::Choose(*choice, self.list(list), *site),
            Operation::Vector(..) | Operation::Component(..) => return Err("a vector"),
            Operation::Table(_)
            | Operation::Pack(_)
            | Operation::Template(..)
            | Operation::Lookup(..)
            | Operation::ByCount(..) => {
                return Err("an array");
            }
        })
    }

    fn binary(&self, op: BinaryOp, a: NodeId, b: NodeId) -> Rule {
        let less = |halves: i8| Pair::Less(halves);
        let norm = self.relaxation.norm();
        let pair = match op {
            BinaryOp::And => Pair::Both(norm),
            BinaryOp::Or => Pair::Either(norm),
            BinaryOp::Same => Pair::Same(norm),
            BinaryOp::MulInt | BinaryOp::MulReal => Pair::Mul,
            BinaryOp::AddInt | BinaryOp::AddReal => Pair::Add,
            BinaryOp::SubInt | BinaryOp::SubReal => Pair::Sub,
            BinaryOp::DivReal => Pair::Div,
            BinaryOp::DivInt => Pair::Quotient,
            BinaryOp::ModInt | BinaryOp::ModReal => Pair::Remainder,
            BinaryOp::MinInt | BinaryOp::MinReal => Pair::Min,
            BinaryOp::MaxInt | BinaryOp::MaxReal => Pair::Max,
            BinaryOp::PowInt | BinaryOp::PowReal => Pair::Pow,
            BinaryOp::Log => Pair::Log,
            BinaryOp::Hypot => Pair::Hypot,
            // Different ints differ by at least 1, so the threshold is halfway.
            BinaryOp::LtInt => less(-1),
            BinaryOp::LeInt => less(1),
            BinaryOp::LtReal | BinaryOp::LeReal => less(0),
            BinaryOp::EqInt | BinaryOp::EqReal => Pair::Equal,
        };
        Rule::Binary(pair, self.cell(a), self.cell(b))
    }
}

/// Returns the operator of a term; `None` if its function cannot be replaced.
const fn operator(term: &Operation) -> Option<Operator> {
    Some(match term {
        Operation::Unary(UnaryOp::Not, _) => Operator::Not,
        Operation::Unary(UnaryOp::SignInt | UnaryOp::Sign, _) => Operator::Sign,
        Operation::Unary(UnaryOp::Round, _) => Operator::Round,
        Operation::Unary(UnaryOp::Floor, _) => Operator::Floor,
        Operation::Unary(UnaryOp::Ceil, _) => Operator::Ceil,
        Operation::Unary(UnaryOp::Truncate, _) => Operator::Truncate,
        Operation::Binary(op, ..) => match op {
            BinaryOp::And => Operator::And,
            BinaryOp::Or => Operator::Or,
            BinaryOp::Same => Operator::Equivalent,
            BinaryOp::LtInt | BinaryOp::LeInt | BinaryOp::LtReal | BinaryOp::LeReal => Operator::Less,
            BinaryOp::EqInt | BinaryOp::EqReal => Operator::Equal,
            BinaryOp::DivInt => Operator::Quotient,
            BinaryOp::ModInt | BinaryOp::ModReal => Operator::Remainder,
            BinaryOp::MinInt | BinaryOp::MinReal => Operator::Min,
            BinaryOp::MaxInt | BinaryOp::MaxReal => Operator::Max,
            _ => return None,
        },
        Operation::Nary(NaryOp::All, _) => Operator::Forall,
        Operation::Nary(NaryOp::Any, _) => Operator::Exists,
        Operation::Nary(NaryOp::ArgMin, _) => Operator::ArgMin,
        Operation::Nary(NaryOp::ArgMax, _) => Operator::ArgMax,
        Operation::If(..) => Operator::If,
        _ => return None,
    })
}

const fn smooth(op: UnaryOp) -> Smooth {
    match op {
        UnaryOp::Not => Smooth::Not,
        UnaryOp::BoolToInt | UnaryOp::BoolToReal | UnaryOp::IntToReal => Smooth::Same,
        UnaryOp::NegInt => Smooth::Function(UnaryOp::NegReal),
        UnaryOp::AbsInt => Smooth::Function(UnaryOp::AbsReal),
        UnaryOp::SignInt | UnaryOp::Sign => Smooth::Sign,
        UnaryOp::Round => Smooth::Round,
        UnaryOp::Floor => Smooth::Floor,
        UnaryOp::Ceil => Smooth::Ceil,
        UnaryOp::Truncate => Smooth::Truncate,
        _ => Smooth::Function(op),
    }
}
