//! Compilation of the graph of a step into diagrams.

use herbrand_dataflow::{BinaryOp, NaryOp, NodeId, Operation, UnaryOp, ValueType};
use herbrand_distributions::{Family, WeightKind};
use herbrand_rddl::Range;
use herbrand_rddl_sim::ground::StepGraph;
use herbrand_rddl_sim::simulate::GroundFluents;

use super::opaque::{Function, Term, Terms};
use super::polynomial::Polynomial;
use super::reduce::{Ends, reduce};
use super::store::{Id, LeafOperation, Result, Store};
use super::{DiagramVariable, XaddError};
use crate::inputs::ByInput;

pub(super) struct Compiler<'g> {
    step: &'g StepGraph,
    pub(super) store: Store,
    pub(super) variables: Vec<DiagramVariable>,
    pub(super) terms: Terms,
    /// By node number: its diagram.
    done: Vec<Option<Id>>,
    /// The state or action fluents.
    inputs: ByInput<DiagramVariable>,
    limit: usize,
}

impl<'g> Compiler<'g> {
    pub(super) fn new(step: &'g StepGraph, limit: usize) -> Self {
        let mut inputs = ByInput::new();
        inputs.enter(&step.compiled().state, (0..).map(DiagramVariable::State));
        inputs.enter(&step.compiled().action, (0..).map(DiagramVariable::Action));
        Self {
            step,
            store: Store::new(limit),
            variables: Vec::new(),
            terms: Terms::default(),
            done: vec![None; step.graph().len()],
            inputs,
            limit,
        }
    }

    /// Returns the reduced diagram of a node.
    pub(super) fn value(&mut self, value: NodeId) -> Result<Id> {
        for node in self.step.graph().needed([value]) {
            // An array has no diagram of its own.
            let is_whole = matches!(
                self.step.graph().operation(node),
                Operation::Vector(..) | Operation::Table(_) | Operation::Pack(_)
            );
            if !is_whole && self.done[node.number() as usize].is_none() {
                let id = self.operation(node)?;
                let id = self.reduced(id)?;
                self.done[node.number() as usize] = Some(id);
            }
        }
        self.of(value)
    }

    fn reduced(&mut self, id: Id) -> Result<Id> {
        let (variables, terms, step) = (&self.variables, &self.terms, self.step);
        let ends = |number: u32| match terms.get(number) {
            Some(term) => term.function.ends(),
            None => ends(step, variables[number as usize]),
        };
        reduce(&mut self.store, id, &ends, self.limit)
    }

    fn of(&self, node: NodeId) -> Result<Id> {
        self.done[node.number() as usize].ok_or(XaddError::NotPolynomial("a vector or an array"))
    }

    fn variable(&mut self, variable: DiagramVariable) -> u32 {
        let known = self.variables.iter().position(|one| *one == variable);
        known.unwrap_or_else(|| {
            self.variables.push(variable);
            self.variables.len() - 1
        }) as u32
    }

    fn leaf_of(&mut self, variable: DiagramVariable) -> Result<Id> {
        let number = self.variable(variable);
        self.store.leaf(Polynomial::variable(number))
    }

    fn operation(&mut self, node: NodeId) -> Result<Id> {
        let graph = self.step.graph();
        match graph.operation(node) {
            Operation::Bool(value) => self.store.truth(*value),
            Operation::Int(value) => self.store.constant(*value as f64),
            Operation::Real(bits) => self.store.constant(f64::from_bits(*bits)),
            Operation::Input(register) => {
                let variable = *self.inputs.get(node.kind(), *register);
                if node.kind() == ValueType::Bool {
                    let number = self.variable(variable);
                    self.store.bool_variable(number)
                } else {
                    self.leaf_of(variable)
                }
            }
            Operation::Unary(op, a) => {
                let a = self.of(*a)?;
                self.unary(*op, a)
            }
            Operation::Binary(op, a, b) => {
                let (a, b) = (self.of(*a)?, self.of(*b)?);
                self.binary(*op, a, b)
            }
            Operation::Nary(op, list) => {
                let list = list
                    .iter()
                    .map(|&one| self.of(one))
                    .collect::<Result<Vec<Id>>>()?;
                self.nary(*op, &list)
            }
            Operation::If(c, a, b) => {
                let (c, a, b) = (self.of(*c)?, self.of(*a)?, self.of(*b)?);
                self.store.choose(c, a, b)
            }
            Operation::Gather(index, list) => {
                let index = self.of(*index)?;
                let last = list.len() - 1;
                let mut rest = self.of(list[last])?;
                for place in (0..last).rev() {
                    let here = self.store.constant(place as f64)?;
                    let away = self.store.combine(LeafOperation::Subtract, index, here)?;
                    let is_here = self.store.is_zero(away)?;
                    let value = self.of(list[place])?;
                    rest = self.store.choose(is_here, value, rest)?;
                }
                Ok(rest)
            }
            Operation::Bernoulli(p, site) => {
                let (p, u) = (self.of(*p)?, self.leaf_of(DiagramVariable::Uniform(*site))?);
                let left = self.store.combine(LeafOperation::Subtract, p, u)?;
                self.store.is_positive(left, true)
            }
            Operation::Draw(family, a, b, site) => {
                let (a, b) = (self.of(*a)?, self.of(*b)?);
                self.draw(*family, a, b, *site)
            }
            Operation::Choose(choice, weights, site) => {
                let weights = weights
                    .iter()
                    .map(|&one| self.of(one))
                    .collect::<Result<Vec<Id>>>()?;
                self.choose(*choice, &weights, *site)
            }
            Operation::Fail(_) => Err(XaddError::NotPolynomial("a value that is missing")),
            Operation::Vector(..) | Operation::Component(..) => Err(XaddError::NotPolynomial("a vector")),
            Operation::Table(_)
            | Operation::Pack(_)
            | Operation::Template(..)
            | Operation::Lookup(..)
            | Operation::ByCount(..) => Err(XaddError::NotPolynomial("an array")),
        }
    }

    /// Applies a function to the leaves of its operands. Where a leaf is not a constant, the result is an opaque term.
    fn applied(&mut self, function: Function, operands: &[Id]) -> Result<Id> {
        applied(
            &mut self.store,
            &mut self.terms,
            function,
            operands,
            &mut Vec::new(),
        )
    }

    fn negated(&mut self, id: Id) -> Result<Id> {
        self.store.map(id, &mut |store, polynomial| {
            store.leaf(polynomial.mapped(|one| -one))
        })
    }

    fn unary(&mut self, op: UnaryOp, a: Id) -> Result<Id> {
        match op {
            UnaryOp::Not => self.store.not(a),
            UnaryOp::BoolToInt | UnaryOp::BoolToReal | UnaryOp::IntToReal => Ok(a),
            UnaryOp::NegInt | UnaryOp::NegReal => self.negated(a),
            UnaryOp::AbsInt | UnaryOp::AbsReal => {
                let (positive, negated) = (self.store.is_positive(a, true)?, self.negated(a)?);
                self.store.choose(positive, a, negated)
            }
            UnaryOp::SignInt | UnaryOp::Sign => {
                let (above, at_least) = (
                    self.store.is_positive(a, false)?,
                    self.store.is_positive(a, true)?,
                );
                let (minus, zero, one) = (
                    self.store.constant(-1.0)?,
                    self.store.constant(0.0)?,
                    self.store.constant(1.0)?,
                );
                let below = self.store.choose(at_least, zero, minus)?;
                self.store.choose(above, one, below)
            }
            _ => self.applied(Function::Unary(op), &[a]),
        }
    }

    fn less(&mut self, a: Id, b: Id, or_equal: bool) -> Result<Id> {
        let left = self.store.combine(LeafOperation::Subtract, b, a)?;
        self.store.is_positive(left, or_equal)
    }

    fn binary(&mut self, op: BinaryOp, a: Id, b: Id) -> Result<Id> {
        match op {
            BinaryOp::And | BinaryOp::MulInt | BinaryOp::MulReal => {
                self.store.combine(LeafOperation::Multiply, a, b)
            }
            BinaryOp::Or => {
                let yes = self.store.truth(true)?;
                self.store.choose(a, yes, b)
            }
            BinaryOp::Same => {
                let other = self.store.not(b)?;
                self.store.choose(a, b, other)
            }
            BinaryOp::AddInt | BinaryOp::AddReal => self.store.combine(LeafOperation::Add, a, b),
            BinaryOp::SubInt | BinaryOp::SubReal => self.store.combine(LeafOperation::Subtract, a, b),
            BinaryOp::MinInt | BinaryOp::MinReal => {
                let less = self.less(a, b, true)?;
                self.store.choose(less, a, b)
            }
            BinaryOp::MaxInt | BinaryOp::MaxReal => {
                let less = self.less(a, b, true)?;
                self.store.choose(less, b, a)
            }
            BinaryOp::LtInt | BinaryOp::LtReal => self.less(a, b, false),
            BinaryOp::LeInt | BinaryOp::LeReal => self.less(a, b, true),
            BinaryOp::EqInt | BinaryOp::EqReal => {
                let away = self.store.combine(LeafOperation::Subtract, a, b)?;
                self.store.is_zero(away)
            }
            BinaryOp::DivReal => self.divided(a, b),
            BinaryOp::PowInt | BinaryOp::PowReal => self.power(op, a, b),
            BinaryOp::DivInt | BinaryOp::ModInt | BinaryOp::ModReal | BinaryOp::Log | BinaryOp::Hypot => {
                self.applied(Function::Binary(op), &[a, b])
            }
        }
    }

    /// Returns a quotient. A constant divisor divides the coefficients, as the engine does.
    fn divided(&mut self, a: Id, b: Id) -> Result<Id> {
        let Self { store, terms, .. } = self;
        store.map(b, &mut |store, divisor| match divisor.as_constant() {
            Some(divisor) => store.map(a, &mut |store, polynomial| {
                store.leaf(polynomial.mapped(|one| one / divisor))
            }),
            None => {
                let divisor = store.leaf(divisor.clone())?;
                let quotient = Function::Binary(BinaryOp::DivReal);
                applied(store, terms, quotient, &[a, divisor], &mut Vec::new())
            }
        })
    }

    fn power(&mut self, op: BinaryOp, a: Id, b: Id) -> Result<Id> {
        /// The largest exponent of a base that is not a constant.
        const HIGHEST: f64 = 16.0;
        match (self.store.as_constant(b), self.store.as_constant(a)) {
            (Some(exponent), None) if exponent.fract() == 0.0 && (0.0..=HIGHEST).contains(&exponent) => {
                let mut power = self.store.constant(1.0)?;
                for _ in 0..exponent as u32 {
                    power = self.store.combine(LeafOperation::Multiply, power, a)?;
                }
                Ok(power)
            }
            _ => self.applied(Function::Binary(op), &[a, b]),
        }
    }

    fn nary(&mut self, op: NaryOp, list: &[Id]) -> Result<Id> {
        let all = |store: &mut Store, first: f64, operation: LeafOperation| {
            let first = store.constant(first)?;
            list.iter()
                .try_fold(first, |sum, &one| store.combine(operation, sum, one))
        };
        match op {
            NaryOp::All | NaryOp::ProductReal => all(&mut self.store, 1.0, LeafOperation::Multiply),
            NaryOp::Count | NaryOp::SumInt | NaryOp::SumReal => all(&mut self.store, 0.0, LeafOperation::Add),
            NaryOp::Any => {
                let (yes, no) = (self.store.truth(true)?, self.store.truth(false)?);
                list.iter()
                    .try_fold(no, |any, &one| self.store.choose(any, yes, one))
            }
            NaryOp::ArgMax | NaryOp::ArgMin => {
                let mut best = list[0];
                let mut place = self.store.constant(0.0)?;
                for (at, &one) in list.iter().enumerate().skip(1) {
                    let better = match op {
                        NaryOp::ArgMax => self.less(best, one, false)?,
                        _ => self.less(one, best, false)?,
                    };
                    let here = self.store.constant(at as f64)?;
                    place = self.store.choose(better, here, place)?;
                    best = self.store.choose(better, one, best)?;
                }
                Ok(place)
            }
        }
    }

    fn draw(&mut self, family: Family, a: Id, b: Id, site: u32) -> Result<Id> {
        match family {
            Family::Uniform => {
                let u = self.leaf_of(DiagramVariable::Uniform(site))?;
                let length = self.store.combine(LeafOperation::Subtract, b, a)?;
                let part = self.store.combine(LeafOperation::Multiply, u, length)?;
                self.store.combine(LeafOperation::Add, a, part)
            }
            Family::Normal => {
                let z = self.leaf_of(DiagramVariable::Normal(site))?;
                let deviation = self.applied(Function::Unary(UnaryOp::Sqrt), &[b])?;
                let part = self.store.combine(LeafOperation::Multiply, deviation, z)?;
                self.store.combine(LeafOperation::Add, a, part)
            }
            Family::Exponential => {
                let e = self.leaf_of(DiagramVariable::Exponential(site))?;
                self.store.combine(LeafOperation::Multiply, a, e)
            }
            _ => match (self.store.as_constant(a), self.store.as_constant(b)) {
                (Some(a), Some(b)) => self.leaf_of(DiagramVariable::Draw(site, family, a, b)),
                _ => {
                    let u = self.leaf_of(DiagramVariable::Uniform(site))?;
                    self.applied(Function::Quantile(family), &[u, a, b])
                }
            },
        }
    }

    /// Returns the index of the first weight whose cumulative sum exceeds a uniform number, which is scaled by the total for
    /// weights.
    fn choose(&mut self, choice: WeightKind, weights: &[Id], site: u32) -> Result<Id> {
        let mut u = self.leaf_of(DiagramVariable::Uniform(site))?;
        let mut sums = Vec::with_capacity(weights.len());
        let mut sum = self.store.constant(0.0)?;
        for &weight in weights {
            sum = self.store.combine(LeafOperation::Add, sum, weight)?;
            sums.push(sum);
        }
        if choice == WeightKind::Weights {
            u = self.store.combine(LeafOperation::Multiply, u, sum)?;
        }
        let mut place = self.store.constant(0.0)?;
        for (at, &sum) in sums.iter().enumerate().rev() {
            let left = self.store.combine(LeafOperation::Subtract, sum, u)?;
            let passed = self.store.is_positive(left, false)?;
            let here = self.store.constant(at as f64)?;
            place = self.store.choose(passed, here, place)?;
        }
        Ok(place)
    }
}

/// Applies a function to the leaves of some diagrams. `chosen` are the leaves of earlier operands.
fn applied(
    store: &mut Store,
    terms: &mut Terms,
    function: Function,
    operands: &[Id],
    chosen: &mut Vec<Polynomial>,
) -> Result<Id> {
    let Some((&first, rest)) = operands.split_first() else {
        let constants: Option<Vec<f64>> = chosen.iter().map(Polynomial::as_constant).collect();
        return match constants {
            Some(constants) => store.constant(function.value(&constants)),
            None => {
                let operands = chosen.clone();
                store.leaf(Polynomial::variable(terms.number(Term { function, operands })))
            }
        };
    };
    store.map(first, &mut |store, polynomial| {
        chosen.push(polynomial.clone());
        let result = applied(store, terms, function, rest, chosen);
        chosen.pop();
        result
    })
}

/// Returns the values of a variable.
fn ends(step: &StepGraph, variable: DiagramVariable) -> Ends {
    // Ints are not bounded, because invariants may be broken and preconditions violated.
    const INTS: Ends = Ends {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        open: false,
        whole: true,
    };
    const ALL: Ends = Ends { whole: false, ..INTS };
    let compiled = step.compiled();
    let fluent = |fluents: &GroundFluents, at| match compiled.range(fluents, at) {
        Range::Item(of) => Ends {
            low: 0.0,
            high: f64::from(compiled.instance.size(of).saturating_sub(1)),
            ..INTS
        },
        Range::Int => INTS,
        Range::Bool => Ends {
            low: 0.0,
            high: 1.0,
            ..INTS
        },
        Range::Real => ALL,
    };
    match variable {
        DiagramVariable::Uniform(_) => Ends {
            low: 0.0,
            high: 1.0,
            open: true,
            whole: false,
        },
        DiagramVariable::Exponential(_) => Ends {
            low: 0.0,
            open: true,
            ..ALL
        },
        DiagramVariable::State(at) => fluent(&compiled.state, at),
        DiagramVariable::Action(at) => fluent(&compiled.action, at),
        DiagramVariable::Normal(_) | DiagramVariable::Draw(..) => ALL,
    }
}
