//! Bounds of fluents and returns, step by step.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use herbrand_core::FieldDomain;
use herbrand_dataflow::{BinaryOp, Graph, NaryOp, NodeId, Operation, UnaryOp, ValueType};
use herbrand_limits::Budget;
use herbrand_rddl::Instance;
use herbrand_rddl_sim::ground::{CompileError, StepGraph};
use herbrand_rddl_sim::simulate::CompiledInstance;
use serde::Serialize;

use super::linear::{Linear, merged};
use super::value::{Interval, binary, square, unary};
use super::{DrawCoverage, draw};
use crate::inputs::ByInput;

/// A value that has no lower or no upper bound from a step on, or may be NaN, which no bound contains. A bound beyond the range
/// of 64-bit ints counts as none. [`HorizonBounds::lost`] and [`HorizonBounds::nan`] list them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LostBound {
    /// The name of the ground fluent, with a prime for a state fluent after the step, or `reward`.
    pub of: String,
    /// The number of the first such step, from 1.
    pub step: usize,
    /// The cause: a fluent, a draw, or an operation that has no bound, or may give NaN, though its operands have bounds.
    pub by: String,
}

/// Bounds of all values of one step, whatever the policy. [`HorizonBounds::steps`] lists them. Element `i` of a list is for
/// fluent `i` of the compiled problem's list of that role, as in [`HorizonBounds::compiled`]. Bools are 0 and 1, and items
/// are their positions.
#[derive(Clone, PartialEq, Debug)]
pub struct StepBounds {
    /// For each ground state fluent, the bounds of its value before the step.
    pub state: Vec<Interval>,
    /// For each ground intermediate or derived fluent, in one list, the bounds of its value.
    pub interm: Vec<Interval>,
    /// For each ground observ fluent, the bounds of its value.
    pub observ: Vec<Interval>,
    /// The bounds of the reward.
    pub reward: Interval,
    /// The bounds of the bool that is true if the episode ends with the step, because the next state is terminal or violates
    /// an invariant.
    pub ends: Interval,
}

/// Bounds of all values over a number of steps, whatever the policy, if its actions satisfy the preconditions. After a step
/// that goes on, state invariants hold and no termination condition does. Returned by [`new`](Self::new) and
/// [`from`](Self::from). An interval with infinite ends says nothing about that value.
#[derive(Clone, Debug)]
pub struct HorizonBounds {
    /// The compiled problem.
    pub compiled: Arc<CompiledInstance>,
    /// For each ground action fluent, the values that actions may have in any step: all within the bounds of its
    /// field, or the interval that the caller of [`from`](Self::from) chose.
    pub actions: Vec<Interval>,
    /// The bounds per step, first step first; fewer steps than requested if the episode certainly ends earlier.
    pub steps: Vec<StepBounds>,
    /// For each ground state fluent, the bounds of its value after the last step of `steps`.
    pub last: Vec<Interval>,
    /// The bounds of the discounted return of an episode of at most these steps, which may end earlier.
    pub total: Interval,
    /// The values without bounds: at the first step at which a bound is missing, with the cause.
    pub lost: Vec<LostBound>,
    /// The values that may be NaN: at the first step at which they may be, with the cause.
    pub nan: Vec<LostBound>,
}

/// The values from which the bounds are computed, which [`HorizonBounds::from`] lets its caller change. The lists must
/// keep their lengths. Element `i` of a list is for fluent `i` of that list of the compiled problem.
#[derive(Clone, Debug)]
pub struct StartBounds {
    /// The compiled problem.
    pub compiled: Arc<CompiledInstance>,
    /// For each ground state fluent, the interval of its value before the first step.
    pub state: Vec<Interval>,
    /// For each ground action fluent, the interval of its values in every step.
    pub actions: Vec<Interval>,
}

impl HorizonBounds {
    /// Computes the bounds of `steps` steps from the initial state, with unrestricted actions. `coverage` says which
    /// outcomes of random draws the bounds cover. With 0 steps, only the initial state is bounded:
    /// [`steps`](Self::steps) is empty.
    ///
    /// # Errors
    /// Fails if the problem is too large, or if the budget or an enclosing one is exhausted.
    pub fn new(
        instance: &Arc<Instance>,
        steps: u32,
        coverage: DrawCoverage,
        budget: &Budget,
    ) -> Result<Self, CompileError> {
        Self::from(instance, steps, coverage, |_| (), budget)
    }

    /// Computes the bounds of `steps` steps from other states or with other actions. `change` receives a [`StartBounds`]
    /// with the initial state and unrestricted actions, and may replace its intervals, such as a point by a range of
    /// start states. It must give intervals whose low end is at most the high end; this is not checked.
    /// [`new`](Self::new) describes the other arguments.
    ///
    /// # Errors
    /// Fails like [`new`](Self::new).
    pub fn from(
        instance: &Arc<Instance>,
        steps: u32,
        coverage: DrawCoverage,
        change: impl FnOnce(&mut StartBounds),
        budget: &Budget,
    ) -> Result<Self, CompileError> {
        let step = StepGraph::new(instance, budget)?;
        let compiled = Arc::clone(step.compiled());
        let actions: Vec<Interval> = compiled
            .actions()
            .fields()
            .iter()
            .map(|field| range(field.domain))
            .collect();
        let initial = compiled.initial();
        let state: Vec<Interval> = (0..compiled.state.len())
            .map(|at| Interval::point(compiled.state.section().get(initial, at).number()))
            .collect();
        let mut start = StartBounds {
            compiled: Arc::clone(&compiled),
            state,
            actions,
        };
        change(&mut start);
        let StartBounds {
            mut state, actions, ..
        } = start;
        let mut sweep = Sweep::new(&step, coverage);
        let mut meter = budget.meter("bounds");
        let mut bounds = Vec::new();
        let (mut lost, mut known, mut last) = (Vec::new(), BTreeSet::new(), state.clone());
        let (mut nan, mut known_nan) = (Vec::new(), BTreeSet::new());
        // The return so far, and the return of episodes that may have ended.
        let (mut total, mut ended, mut weight) = (Interval::FALSE, None::<Interval>, Interval::TRUE);
        for _ in 0..steps {
            let intervals = state.len() + step.interm().len() + step.observ().len();
            // The list doubles when it grows, and each of the three lists of a step is allocated.
            meter.charge((size_of::<Interval>() * intervals + 3 * size_of::<StepBounds>() + 3 * 16) as u64);
            meter.check()?;
            sweep.inputs.enter(&compiled.state, state.iter().copied());
            sweep.inputs.enter(&compiled.action, actions.iter().copied());
            sweep.run();
            if !step.preconditions().is_empty() {
                for &condition in step.preconditions() {
                    sweep.assume(condition, Interval::TRUE);
                }
                sweep.run();
            }
            let all = |nodes: &[NodeId]| nodes.iter().map(|&node| sweep.of(node)).collect();
            let ends = binary(
                BinaryOp::Or,
                sweep.of(step.terminal()),
                sweep.of(step.sound()).not(),
            );
            let reward = sweep.of(step.reward());
            let (next, interm, observ) = (all(step.next()), all(step.interm()), all(step.observ()));
            let parts = [
                (&compiled.state, step.next(), "'"),
                (&compiled.interm, step.interm(), ""),
                (&compiled.observ, step.observ(), ""),
            ];
            let named = parts.into_iter().flat_map(|(fluents, nodes, prime)| {
                let compiled = &compiled;
                let name = move |at| format!("{}{prime}", compiled.name(fluents, at));
                nodes.iter().enumerate().map(move |(at, &node)| (name(at), node))
            });
            for (of, node) in named.chain([("reward".to_owned(), step.reward())]) {
                let step = bounds.len() + 1;
                if sweep.of(node).nan && known_nan.insert(of.clone()) {
                    let by = sweep.cause_of_nan(node, &compiled);
                    nan.push(LostBound {
                        of: of.clone(),
                        step,
                        by,
                    });
                }
                if is_unbounded(sweep.of(node)) && known.insert(of.clone()) {
                    let by = sweep.cause(node, &compiled);
                    lost.push(LostBound { of, step, by });
                }
            }
            last.clone_from(&next);
            // The next step is taken only if the episode goes on.
            sweep.assume(step.sound(), Interval::TRUE);
            sweep.assume(step.terminal(), Interval::FALSE);
            let next = step.next().iter().map(|&node| sweep.of(node)).collect();
            bounds.push(StepBounds {
                state: std::mem::replace(&mut state, next),
                interm,
                observ,
                reward,
                ends,
            });
            let paid = binary(BinaryOp::MulReal, weight, reward);
            total = binary(BinaryOp::AddReal, total, paid);
            weight = Interval::point(weight.low * compiled.instance.discount);
            if ends.high == 1.0 {
                ended = Some(ended.map_or(total, |ended| ended.or(total)));
            }
            if ends.low == 1.0 {
                break;
            }
        }
        Ok(Self {
            actions,
            steps: bounds,
            last,
            lost,
            nan,
            total: ended.map_or(total, |ended| ended.or(total)),
            compiled,
        })
    }
}

/// Returns the interval of an action field.
fn range(domain: FieldDomain) -> Interval {
    match domain {
        FieldDomain::Discrete { count } => Interval::new(0.0, f64::from(count.saturating_sub(1))),
        FieldDomain::Int { low, high } => Interval::new(low as f64, high as f64),
        FieldDomain::Real { low, high } => Interval::new(low, high),
    }
}

/// Returns whether an interval has an end beyond the range of ints.
fn is_unbounded(interval: Interval) -> bool {
    const LARGEST: f64 = i64::MAX as f64;
    interval.low <= -LARGEST || interval.high >= LARGEST
}

/// One pass over the nodes of a step.
pub(super) struct Sweep<'g> {
    graph: &'g Graph,
    coverage: DrawCoverage,
    /// The needed nodes, operands first.
    needed: Vec<NodeId>,
    /// By node number: its interval.
    values: Vec<Interval>,
    inputs: ByInput<Interval>,
    /// By node number: its sum, if it has a value more than once.
    sums: Vec<Option<Rc<Linear>>>,
}

impl<'g> Sweep<'g> {
    fn new(step: &'g StepGraph, coverage: DrawCoverage) -> Self {
        let graph = step.graph();
        let outputs = [step.next(), step.interm(), step.observ()].into_iter().flatten();
        let others = [step.reward(), step.terminal(), step.sound()];
        let needed = graph.needed(outputs.chain(&others).chain(step.preconditions()).copied());
        Self {
            graph,
            coverage,
            sums: merged(graph, &needed),
            needed,
            values: vec![Interval::ANY; graph.len()],
            inputs: ByInput::new(),
        }
    }

    pub(super) fn of(&self, node: NodeId) -> Interval {
        self.values[node.number() as usize]
    }

    pub(super) const fn graph(&self) -> &'g Graph {
        self.graph
    }

    /// Narrows a node, and the input that it is.
    pub(super) fn set(&mut self, node: NodeId, value: Interval) {
        self.values[node.number() as usize] = value;
        if let Operation::Input(register) = self.graph.operation(node) {
            self.inputs.set(node.kind(), *register, value);
        }
    }

    /// Returns the first node on the way to the operands of `node` that has a property and has no operand with it.
    fn origin(&self, mut node: NodeId, has: impl Fn(Interval) -> bool) -> NodeId {
        loop {
            let mut found = None;
            self.graph.operation(node).operands(|operand| {
                if found.is_none() && has(self.of(operand)) {
                    found = Some(operand);
                }
            });
            match found {
                Some(operand) => node = operand,
                None => return node,
            }
        }
    }

    /// Returns the name of the fluent that is an input.
    fn input_name(&self, node: NodeId, register: u32, compiled: &CompiledInstance) -> String {
        let all = [&compiled.state, &compiled.action];
        let found = all.into_iter().find_map(|fluents| {
            let is_it = |at: &usize| {
                let section = fluents.section();
                section.kind(*at) == node.kind() && section.register(*at) == register
            };
            let at = (0..fluents.len()).find(is_it)?;
            Some(compiled.name(fluents, at))
        });
        found.unwrap_or_else(|| "an input".to_owned())
    }

    /// Describes why a node may be NaN: an input, or an operation whose operands are numbers.
    fn cause_of_nan(&self, node: NodeId, compiled: &CompiledInstance) -> String {
        let node = self.origin(node, |one| one.nan);
        let text = match self.graph.operation(node) {
            Operation::Input(register) => return self.input_name(node, *register, compiled),
            Operation::Draw(family, ..) => {
                return format!("a draw from {} with an infinite parameter", family.name());
            }
            Operation::Unary(UnaryOp::Sqrt, _) => "a square root of what may be negative",
            Operation::Unary(UnaryOp::Ln, _) | Operation::Binary(BinaryOp::Log, ..) => {
                "a logarithm of what may be negative"
            }
            Operation::Unary(UnaryOp::Asin | UnaryOp::Acos, _) => {
                "an arc sine or cosine of what may be outside -1…1"
            }
            Operation::Unary(UnaryOp::Sin | UnaryOp::Cos | UnaryOp::Tan, _) => {
                "a wave at what may be infinite"
            }
            Operation::Binary(BinaryOp::DivReal, ..) => "0 divided by 0, or a quotient of infinite numbers",
            Operation::Binary(BinaryOp::ModReal, ..) => {
                "a remainder by what may be 0, or of what may be infinite"
            }
            Operation::Binary(BinaryOp::PowReal, ..) => "a power of what may be negative",
            Operation::Binary(BinaryOp::AddReal | BinaryOp::SubReal, ..)
            | Operation::Nary(NaryOp::SumReal, _) => "a difference of infinite numbers",
            Operation::Binary(BinaryOp::MulReal, ..) | Operation::Nary(NaryOp::ProductReal, _) => {
                "0 times an infinite number"
            }
            Operation::Unary(UnaryOp::LnGamma | UnaryOp::Gamma, _) => {
                "the gamma function of what may be negative"
            }
            Operation::Vector(..) | Operation::Component(..) => "a random vector",
            _ => "an array",
        };
        text.to_owned()
    }

    /// Describes why a node has no bound: an input, or an operation whose operands have bounds.
    fn cause(&self, node: NodeId, compiled: &CompiledInstance) -> String {
        let node = self.origin(node, is_unbounded);
        let text = match self.graph.operation(node) {
            Operation::Input(register) => return self.input_name(node, *register, compiled),
            Operation::Draw(family, ..) => return format!("a draw from {}", family.name()),
            Operation::Binary(BinaryOp::DivReal | BinaryOp::DivInt, ..) => {
                "a quotient whose divisor may be near 0"
            }
            Operation::Binary(BinaryOp::PowReal | BinaryOp::PowInt, ..) => "a power",
            Operation::Unary(UnaryOp::Tan, _) => "a tangent",
            Operation::Unary(UnaryOp::Ln, _) | Operation::Binary(BinaryOp::Log, ..) => {
                "a logarithm of what may be 0"
            }
            Operation::Unary(UnaryOp::Exp, _) => "an exponential",
            Operation::Unary(UnaryOp::LnGamma | UnaryOp::Gamma, _) => "the gamma function",
            Operation::Vector(..) | Operation::Component(..) => "a random vector",
            Operation::Table(_)
            | Operation::Pack(_)
            | Operation::Template(..)
            | Operation::Lookup(..)
            | Operation::ByCount(..) => "an array",
            _ => "numbers that grow beyond 64 bits",
        };
        text.to_owned()
    }

    fn run(&mut self) {
        for at in 0..self.needed.len() {
            let node = self.needed[at];
            let value = self.value(node);
            let sum = self.sums[node.number() as usize].as_ref();
            let sum = sum.and_then(|sum| sum.interval(|node| self.of(node)));
            self.values[node.number() as usize] = match sum {
                Some(sum) if sum.low <= value.high && sum.high >= value.low => {
                    value.within(sum.low, sum.high)
                }
                _ => value,
            };
        }
    }

    fn value(&self, node: NodeId) -> Interval {
        let all = |list: &[NodeId]| -> Vec<Interval> { list.iter().map(|&one| self.of(one)).collect() };
        match self.graph.operation(node) {
            Operation::Bool(value) => Interval::truth(!value, *value),
            Operation::Int(value) => Interval::point(*value as f64),
            Operation::Real(bits) => Interval::point(f64::from_bits(*bits)),
            Operation::Input(register) => *self.inputs.get(node.kind(), *register),
            Operation::Unary(op, a) => unary(*op, self.of(*a)),
            Operation::Binary(op @ (BinaryOp::MulInt | BinaryOp::MulReal), a, b) if a == b => {
                square(*op, self.of(*a))
            }
            Operation::Binary(op, a, b) => binary(*op, self.of(*a), self.of(*b)),
            Operation::Nary(op, list) => nary(*op, &all(list)),
            Operation::If(c, a, b) => {
                let c = self.of(*c);
                match (c.low == 1.0, c.high == 0.0) {
                    (true, _) => self.of(*a),
                    (_, true) => self.of(*b),
                    _ => self.of(*a).or(self.of(*b)),
                }
            }
            Operation::Gather(index, list) => {
                let last = list.len() - 1;
                // An index outside the list selects the last element.
                let index = self.of(*index);
                let first = index.low.clamp(0.0, last as f64) as usize;
                let end = if index.low < 0.0 {
                    last
                } else {
                    index.high.clamp(0.0, last as f64) as usize
                };
                let some = all(&list[first..=end]);
                some[1..].iter().fold(some[0], |one, &other| one.or(other))
            }
            Operation::Bernoulli(p, _) => draw::bernoulli(self.of(*p), self.coverage),
            Operation::Draw(family, a, b, _) => {
                draw::univariate(*family, self.of(*a), self.of(*b), self.coverage)
            }
            Operation::Choose(_, weights, _) => {
                let weights = all(weights);
                let possible = |one: &Interval| one.high > 0.0;
                let first = weights.iter().position(possible).unwrap_or(0);
                let last = weights.iter().rposition(possible).unwrap_or(weights.len() - 1);
                // If rounding leaves none, the first item is drawn.
                Interval::new(0.0_f64.min(first as f64), last as f64)
            }
            Operation::Vector(op, _, list, _) => draw::vector(*op, &all(list)),
            Operation::Component(whole, _) => self.of(*whole),
            // The step fails if it needs this value.
            Operation::Fail(_) => match node.kind() {
                ValueType::Bool => Interval::BOOLS,
                ValueType::Int => Interval::INTS,
                ValueType::Real => Interval::NUMBERS,
            },
            Operation::Table(_)
            | Operation::Pack(_)
            | Operation::Template(..)
            | Operation::Lookup(..)
            | Operation::ByCount(..) => match node.kind() {
                ValueType::Bool => Interval::BOOLS,
                ValueType::Int => Interval::INTS,
                ValueType::Real => Interval::ANY,
            },
        }
    }
}

fn nary(op: NaryOp, all: &[Interval]) -> Interval {
    let fold = |first: Interval, op: BinaryOp| all.iter().fold(first, |sum, &one| binary(op, sum, one));
    match op {
        NaryOp::All => fold(Interval::TRUE, BinaryOp::And),
        NaryOp::Any => fold(Interval::FALSE, BinaryOp::Or),
        NaryOp::Count | NaryOp::SumInt => fold(Interval::FALSE, BinaryOp::AddInt),
        NaryOp::SumReal => fold(Interval::FALSE, BinaryOp::AddReal),
        NaryOp::ProductReal => fold(Interval::TRUE, BinaryOp::MulReal),
        NaryOp::ArgMax | NaryOp::ArgMin => Interval::new(0.0, all.len().saturating_sub(1) as f64),
    }
}
