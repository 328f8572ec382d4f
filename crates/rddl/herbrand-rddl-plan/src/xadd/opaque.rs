//! Terms that are not polynomials, such as `cos[angle]`. In polynomials they stand like variables, and diagrams do not look
//! into them.

use std::collections::HashMap;

use fxhash::FxBuildHasher;
use herbrand_dataflow::{BinaryOp, UnaryOp, pow_real, real_function};
use herbrand_distributions::Family;

use super::polynomial::Polynomial;
use super::reduce::Ends;

/// The number of the first term. Smaller numbers are variables.
pub(super) const FIRST: u32 = 1 << 31;

/// The function of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Function {
    Unary(UnaryOp),
    Binary(BinaryOp),
    /// The quantile of a distribution at a uniform number, with two parameters.
    Quantile(Family),
}

impl Function {
    /// Returns the value for some operands. NaN if it has none.
    pub(super) fn value(self, of: &[f64]) -> f64 {
        match (self, of) {
            (Self::Unary(op), &[x]) => match op {
                UnaryOp::Round => x.round_ties_even(),
                UnaryOp::Floor => x.floor(),
                UnaryOp::Ceil => x.ceil(),
                UnaryOp::Truncate => x.trunc(),
                _ => real_function(op, x),
            },
            (Self::Binary(op), &[a, b]) => match op {
                BinaryOp::DivReal => a / b,
                BinaryOp::DivInt => (a / b).floor(),
                BinaryOp::ModInt | BinaryOp::ModReal => a - b * (a / b).floor(),
                BinaryOp::Log => libm::log(a) / libm::log(b),
                BinaryOp::Hypot => libm::hypot(a, b),
                BinaryOp::PowInt | BinaryOp::PowReal => pow_real(a, b),
                _ => f64::NAN,
            },
            (Self::Quantile(family), &[u, a, b]) => family.quantile(u, a, b).unwrap_or(f64::NAN),
            _ => f64::NAN,
        }
    }

    /// Returns the bounds of the values that are numbers.
    pub(super) const fn ends(self) -> Ends {
        let whole = matches!(
            self,
            Self::Unary(UnaryOp::Round | UnaryOp::Floor | UnaryOp::Ceil | UnaryOp::Truncate)
                | Self::Binary(BinaryOp::DivInt | BinaryOp::ModInt)
        );
        let (low, high) = match self {
            Self::Unary(UnaryOp::Sin | UnaryOp::Cos | UnaryOp::Tanh) => (-1.0, 1.0),
            Self::Unary(UnaryOp::Sqrt | UnaryOp::Exp) | Self::Binary(BinaryOp::Hypot) => (0.0, f64::INFINITY),
            Self::Unary(UnaryOp::Cosh) => (1.0, f64::INFINITY),
            _ => (f64::NEG_INFINITY, f64::INFINITY),
        };
        Ends {
            low,
            high,
            open: false,
            whole,
        }
    }

    const fn name(self) -> &'static str {
        match self {
            Self::Unary(op) => match op {
                UnaryOp::Round => "round",
                UnaryOp::Floor => "floor",
                UnaryOp::Ceil => "ceil",
                UnaryOp::Truncate => "truncate",
                UnaryOp::Sqrt => "sqrt",
                UnaryOp::Exp => "exp",
                UnaryOp::Ln => "ln",
                UnaryOp::Sin => "sin",
                UnaryOp::Cos => "cos",
                UnaryOp::Tan => "tan",
                UnaryOp::Asin => "asin",
                UnaryOp::Acos => "acos",
                UnaryOp::Atan => "atan",
                UnaryOp::Sinh => "sinh",
                UnaryOp::Cosh => "cosh",
                UnaryOp::Tanh => "tanh",
                UnaryOp::LnGamma => "lngamma",
                _ => "gamma",
            },
            Self::Binary(op) => match op {
                BinaryOp::DivReal => "quotient",
                BinaryOp::DivInt => "div",
                BinaryOp::ModInt | BinaryOp::ModReal => "mod",
                BinaryOp::Log => "log",
                BinaryOp::Hypot => "hypot",
                _ => "pow",
            },
            Self::Quantile(family) => family.name(),
        }
    }
}

/// A function of polynomials.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Term {
    pub(super) function: Function,
    pub(super) operands: Vec<Polynomial>,
}

impl Term {
    /// Returns the value, given the values of variables and earlier terms.
    pub(super) fn value(&self, of: &impl Fn(u32) -> f64) -> f64 {
        let operands: Vec<f64> = self.operands.iter().map(|one| one.value(of)).collect();
        self.function.value(&operands)
    }

    /// Returns whether a small change of an operand, as by rounding, changes the value by more than `margin`, or makes it NaN.
    pub(super) fn is_near_edge(&self, of: &impl Fn(u32) -> f64, margin: f64) -> bool {
        let operands: Vec<f64> = self.operands.iter().map(|one| one.value(of)).collect();
        let value = self.function.value(&operands);
        (0..operands.len()).any(|at| {
            [-1.0, 1.0].into_iter().any(|sign| {
                let mut moved = operands.clone();
                moved[at] += sign * 0.01 * margin * (1.0 + moved[at].abs());
                let change = (self.function.value(&moved) - value).abs();
                change.is_nan() || change > margin * (1.0 + value.abs())
            })
        })
    }

    /// Returns the term as text, such as `cos[angle]`.
    pub(super) fn text(&self, name: &impl Fn(u32) -> String) -> String {
        let operands: Vec<String> = self.operands.iter().map(|one| one.text(name)).collect();
        format!("{}[{}]", self.function.name(), operands.join(", "))
    }
}

/// The terms of some diagrams. Equal terms have one number.
#[derive(Clone, Debug, Default)]
pub(super) struct Terms {
    list: Vec<Term>,
    known: HashMap<Term, u32, FxBuildHasher>,
}

impl Terms {
    /// Returns the number of a term, which is at least [`FIRST`].
    pub(super) fn number(&mut self, term: Term) -> u32 {
        let next = FIRST + self.list.len() as u32;
        *self.known.entry(term).or_insert_with_key(|term| {
            self.list.push(term.clone());
            next
        })
    }

    /// Returns the term with a number; `None` for a variable.
    pub(super) fn get(&self, number: u32) -> Option<&Term> {
        self.list.get(number.checked_sub(FIRST)? as usize)
    }

    /// Iterates over the terms. The operands of a term have only earlier terms.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Term> {
        self.list.iter()
    }
}
