//! Operators and functions, with their semantics.
//!
//! An operand of a narrower range is converted to the operator's range first ([`Value::widened`](super::Value)).

use super::Range;

macro_rules! spelled {
    ($($(#[$doc:meta])* $Name:ident { $($(#[$inner:meta])* $variant:ident = $text:literal,)* })*) => {$(
        herbrand_text::named! {
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
            pub enum $Name {
                $($(#[$inner])* $variant = $text,)*
            }
            /// Returns the RDDL spelling of the operator or function.
            pub fn as_str
        }

        impl $Name {
            /// Finds an operator or function by its RDDL spelling; `None` if there is no such variant.
            #[must_use]
            pub fn find(text: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == text)
            }
        }
    )*};
}

spelled! {
    /// A logical connective of two bools. The second operand is evaluated only if the first does not decide the result.
    Connective {
        /// `^`, also written `&`.
        And = "^",
        /// `|`
        Or = "|",
        /// `=>`
        Implies = "=>",
        /// `<=>`
        Equivalent = "<=>",
    }

    /// A comparison. Numbers are compared as ints if both operands are ints or bools, else as reals. Items of one type can
    /// only be compared with `==` and `~=`. A comparison with NaN is false, except `~=`.
    Comparison {
        /// `==`
        Equal = "==",
        /// `~=`
        Unequal = "~=",
        /// `<`
        Less = "<",
        /// `<=`
        LessOrEqual = "<=",
        /// `>`
        Greater = ">",
        /// `>=`
        GreaterOrEqual = ">=",
    }

    /// A prefix operator or function of one operand.
    Unary {
        /// `~`: negation of a bool.
        Not = "~",
        /// `-`: an int (wrapping) for an int or bool, else a real.
        Minus = "-",
        /// `+`: the operand as a number. A bool becomes an int.
        Plus = "+",
        /// The absolute value: an int (wrapping) for an int or bool, else a real.
        Abs = "abs",
        /// −1, 0 or 1, always an int. Fails for NaN.
        Sign = "sgn",
        /// The nearest integer, ties to even, always an int. Fails if it does not fit in 64 bits.
        Round = "round",
        /// The largest integer not above, always an int. Fails if it does not fit in 64 bits.
        Floor = "floor",
        /// The smallest integer not below, always an int. Fails if it does not fit in 64 bits.
        Ceil = "ceil",
        /// The square root: a real, like all functions below.
        Sqrt = "sqrt",
        /// e to the power of the operand.
        Exp = "exp",
        /// The natural logarithm.
        Ln = "ln",
        /// The sine.
        Sin = "sin",
        /// The cosine.
        Cos = "cos",
        /// The tangent.
        Tan = "tan",
        /// The inverse sine.
        Asin = "asin",
        /// The inverse cosine.
        Acos = "acos",
        /// The inverse tangent.
        Atan = "atan",
        /// The hyperbolic sine.
        Sinh = "sinh",
        /// The hyperbolic cosine.
        Cosh = "cosh",
        /// The hyperbolic tangent.
        Tanh = "tanh",
        /// The logarithm of the absolute value of the gamma function; infinite at its poles.
        LnGamma = "lngamma",
        /// The gamma function, also at negative numbers; NaN at negative integers, infinite at zero.
        Gamma = "gamma",
    }

    /// An arithmetic operator or function of two operands.
    Binary {
        /// `+`: an int if both operands are ints or bools (wrapping), else a real.
        Add = "+",
        /// `-`: an int if both operands are ints or bools (wrapping), else a real.
        Subtract = "-",
        /// `*`: an int if both operands are ints or bools (wrapping), else a real; 0 times infinity is NaN.
        Multiply = "*",
        /// `/`: always a real.
        Divide = "/",
        /// Integer division of ints or bools, rounded down. Fails if the divisor is 0.
        Div = "div",
        /// The remainder of `div` for ints or bools, with the sign of the divisor. Fails if the divisor is 0.
        Mod = "mod",
        /// The remainder with the sign of the divisor: like `mod` if both operands are ints or bools, else a real.
        Fmod = "fmod",
        /// The smaller operand: an int if both operands are ints or bools, else a real. NaN if either is NaN. Of 0 and −0,
        /// the second operand.
        Min = "min",
        /// The larger operand: an int if both operands are ints or bools, else a real. NaN if either is NaN. Of 0 and −0,
        /// the second operand.
        Max = "max",
        /// The power: an int (wrapping) if both operands are ints or bools, else a real. Fails for a negative int exponent.
        Pow = "pow",
        /// The logarithm of the first operand to the base of the second: ln x / ln b, a real.
        Log = "log",
        /// The length of the hypotenuse: a real.
        Hypot = "hypot",
    }

    /// An aggregation of numbers over all bindings of its variables, in row order: the last variable changes fastest.
    Aggregation {
        /// The sum from left to right: an int (wrapping) if the body is an int or bool, else a real. An empty sum is 0.
        Sum = "sum",
        /// The product from left to right: an int (wrapping) if the body is an int or bool, else a real. An empty product is
        /// 1.
        Product = "prod",
        /// The mean: a real. NaN if there are no bindings.
        Average = "avg",
        /// The minimum: an int if the body is an int or bool, else a real. NaN if any value is NaN. Fails if there are no
        /// bindings.
        Minimum = "min",
        /// The maximum: an int if the body is an int or bool, else a real. NaN if any value is NaN. Fails if there are no
        /// bindings.
        Maximum = "max",
    }

    /// A quantifier over all bindings of its variables.
    Quantifier {
        /// True if the body is true for all bindings.
        Forall = "forall",
        /// True if the body is true for at least one binding.
        Exists = "exists",
    }

    /// The item of a type for which the body is extreme: the first of equals, or the first with NaN if there is one.
    Extremum {
        /// The item with the largest value.
        ArgMax = "argmax",
        /// The item with the smallest value.
        ArgMin = "argmin",
    }

    /// A function that maps a square matrix to a matrix. Fails for matrices for which it is not defined.
    Matrix {
        /// The inverse.
        Inverse = "inverse",
        /// The Moore–Penrose pseudoinverse.
        PseudoInverse = "pinverse",
        /// The lower triangular L with L Lᵀ equal to the matrix. Only the matrix's lower triangle is read.
        Cholesky = "cholesky",
    }

    /// A multivariate distribution with one component per item of a type.
    Vector {
        /// `MultivariateNormal[?i](mean, covariance)`.
        Normal = "MultivariateNormal",
        /// `MultivariateStudent[?i](mean, scale matrix, degrees)`.
        Student = "MultivariateStudent",
        /// `Dirichlet[?i](concentrations)`.
        Dirichlet = "Dirichlet",
        /// `Multinomial[?i](trials, probabilities)`.
        Multinomial = "Multinomial",
    }
}

impl Unary {
    /// Returns `true` if it is written as a prefix operator, not as a function.
    #[must_use]
    pub const fn is_sign(self) -> bool {
        matches!(self, Self::Not | Self::Minus | Self::Plus)
    }
}

impl Binary {
    /// Returns `true` if it is written as an infix operator, not as a function.
    #[must_use]
    pub const fn is_sign(self) -> bool {
        matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide)
    }

    /// Returns `true` if both are infix operators of one precedence (`+` and `-`, or `*` and `/`), so that a chain of them
    /// groups from the left without brackets.
    #[must_use]
    pub const fn joins(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Add | Self::Subtract, Self::Add | Self::Subtract)
                | (Self::Multiply | Self::Divide, Self::Multiply | Self::Divide)
        )
    }

    /// Returns the range of the result, int or real, for operands of these numeric ranges.
    #[must_use]
    pub fn range(self, operands: [Range; 2]) -> Range {
        match self {
            Self::Divide | Self::Log | Self::Hypot => Range::Real,
            _ => operands[0].max(operands[1]).max(Range::Int),
        }
    }
}

impl Vector {
    /// Returns the number of indices of each parameter of the distribution, in RDDL's order: 0 for a scalar, 1 for a vector,
    /// 2 for a matrix.
    #[must_use]
    pub const fn parameters(self) -> &'static [usize] {
        match self {
            Self::Normal => &[1, 2],
            Self::Student => &[1, 2, 0],
            Self::Dirichlet => &[1],
            Self::Multinomial => &[0, 1],
        }
    }
}
