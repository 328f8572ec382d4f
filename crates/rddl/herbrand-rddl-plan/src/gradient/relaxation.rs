//! The choice of smooth functions for the operators of a problem.

use std::fmt;
use std::sync::Arc;

use crate::norm::TNorm;
use herbrand_text::UnknownName;

herbrand_text::named! {
    /// An operator of a step whose smooth function can be replaced, by [`Relaxation::with`].
    ///
    /// The names are those of the operators after the problem was simplified: an implication is a disjunction of a negation,
    /// `a > b` is `b < a`, and `a ~= b` is a negation.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Operator {
        /// The negation of a truth degree.
        Not = "not",
        /// The conjunction of two truth degrees.
        And = "and",
        /// The disjunction of two truth degrees.
        Or = "or",
        /// The equivalence of two truth degrees.
        Equivalent = "equivalent",
        /// The conjunction of any number of truth degrees, such as of `forall`.
        Forall = "forall",
        /// The disjunction of any number of truth degrees, such as of `exists`.
        Exists = "exists",
        /// Whether the first of two numbers is less than the second. For ints, the second is moved by ½, so that the threshold
        /// is between two ints.
        Less = "less",
        /// Whether two numbers are equal.
        Equal = "equal",
        /// A condition, the value if it holds, and the value if not.
        If = "if",
        /// The sign of a number: −1, 0 or 1.
        Sign = "sign",
        /// A number rounded to the nearest whole number.
        Round = "round",
        /// A number rounded down.
        Floor = "floor",
        /// A number rounded up.
        Ceil = "ceil",
        /// A number rounded towards 0.
        Truncate = "truncate",
        /// The quotient of two numbers, rounded down.
        Quotient = "quotient",
        /// The remainder of that quotient.
        Remainder = "remainder",
        /// The smaller of two numbers.
        Min = "min",
        /// The larger of two numbers.
        Max = "max",
        /// The index of the smallest operand, from 0.
        ArgMin = "argmin",
        /// The index of the largest operand, from 0.
        ArgMax = "argmax",
    }
    /// Returns the name in lower case, such as `less`.
    pub fn as_str; parses, or UnknownName: |name| UnknownName::new(name, "operator", &Operator::ALL.map(Operator::as_str))
}

/// A smooth function that a user gives for an [`Operator`], in all lanes at once.
pub trait SmoothFunction: fmt::Debug + Send + Sync {
    /// Computes the function of `operands`, one row per operand with a number per lane, at a `sharpness` greater than 0: the
    /// larger it is, the closer the result should be to the operator's. Writes the results into `values`, and into
    /// `slopes`, one row per operand, the derivatives of the result by the operand. A slope that is infinite or NaN counts
    /// as 0. Truth degrees are numbers from 0 to 1.
    fn apply(&self, operands: &[&[f64]], sharpness: f64, values: &mut [f64], slopes: &mut [Vec<f64>]);
}

/// How the operators of a problem become smooth: a t-norm for logic, and functions of the user's own for single
/// operators. [`Relaxed::with`](super::Relaxed::with) takes one. The default has the product and no functions of the
/// user's own.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_rddl_plan::gradient::{Operator, Relaxation, SmoothFunction, TNorm};
///
/// /// A comparison with a wide, linear transition.
/// #[derive(Debug)]
/// struct Ramp;
///
/// impl SmoothFunction for Ramp {
///     fn apply(&self, operands: &[&[f64]], sharpness: f64, values: &mut [f64], slopes: &mut [Vec<f64>]) {
///         for lane in 0..values.len() {
///             let gap = sharpness * (operands[1][lane] - operands[0][lane]) + 0.5;
///             values[lane] = gap.clamp(0.0, 1.0);
///             let slope = if (0.0..=1.0).contains(&gap) { sharpness } else { 0.0 };
///             (slopes[0][lane], slopes[1][lane]) = (-slope, slope);
///         }
///     }
/// }
///
/// let relaxation = Relaxation::new(TNorm::Lukasiewicz).with(Operator::Less, Arc::new(Ramp));
/// assert_eq!(relaxation.norm(), TNorm::Lukasiewicz);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Relaxation {
    norm: TNorm,
    own: Vec<(Operator, Arc<dyn SmoothFunction>)>,
}

impl Relaxation {
    /// Creates a relaxation with a t-norm, and the functions of this module for all other operators.
    #[must_use]
    pub const fn new(norm: TNorm) -> Self {
        Self {
            norm,
            own: Vec::new(),
        }
    }

    /// Uses a function for an operator. The last function given for an operator counts.
    #[must_use]
    pub fn with(mut self, operator: Operator, function: Arc<dyn SmoothFunction>) -> Self {
        self.own.push((operator, function));
        self
    }

    /// Returns the t-norm.
    #[must_use]
    pub const fn norm(&self) -> TNorm {
        self.norm
    }

    /// Returns the function that the user gave for an operator.
    pub(super) fn own(&self, operator: Operator) -> Option<&Arc<dyn SmoothFunction>> {
        let mut given = self.own.iter().rev();
        given
            .find(|(one, _)| *one == operator)
            .map(|(_, function)| function)
    }
}
