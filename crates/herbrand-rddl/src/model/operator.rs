//! Operators and functions, with what they mean.
//!
//! An operand may have a narrower range than its operator works in: it is widened first ([`Value::widened`](super::Value)).

use super::Range;

macro_rules! spelled {
    ($($(#[$doc:meta])* $Name:ident { $($(#[$inner:meta])* $variant:ident = $text:literal,)* })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $Name {
            $($(#[$inner])* $variant,)*
        }

        impl $Name {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The word or sign that is written for it.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),* }
            }

            /// The one that is written `text`.
            #[must_use]
            pub fn find(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == text)
            }
        }

        impl ::std::fmt::Display for $Name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str(self.as_str())
            }
        }
    )*};
}

spelled! {
    /// A logical connective of two truth values. Both operands are evaluated unless the first one decides.
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

    /// A comparison. Numbers of any range are compared as numbers (as ints if both are ints or bools, else as reals); items of
    /// one type with `==` and `~=` alone. A comparison with NaN is false, but for `~=`.
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

    /// A sign before, or a function of, one operand.
    Unary {
        /// `~`: a truth value from a truth value.
        Not = "~",
        /// `-`: an int from an int or bool (wrapping), else a real.
        Minus = "-",
        /// `+`: the operand, as a number: an int from a bool.
        Plus = "+",
        /// The absolute value: an int from an int or bool (wrapping), else a real.
        Abs = "abs",
        /// −1, 0 or 1: always an int. NaN has none: an error.
        Sign = "sgn",
        /// The nearest integer, half to even: always an int. It is an error if that does not fit in 64 bits.
        Round = "round",
        /// The greatest integer not above: always an int. It is an error if that does not fit in 64 bits.
        Floor = "floor",
        /// The least integer not below: always an int. It is an error if that does not fit in 64 bits.
        Ceil = "ceil",
        /// The square root: a real, as of all functions below.
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
        /// Integer division, rounded down, of ints or bools. By 0 it is an error.
        Div = "div",
        /// The remainder of `div`, with the sign of the divisor, of ints or bools. By 0 it is an error.
        Mod = "mod",
        /// The remainder of division with the sign of the divisor: that of `mod` if both operands are ints or bools, else a real.
        Fmod = "fmod",
        /// The lesser: an int if both operands are ints or bools, else a real; NaN if either is NaN; of 0 and −0 the second.
        Min = "min",
        /// The greater: an int if both operands are ints or bools, else a real; NaN if either is NaN; of 0 and −0 the second.
        Max = "max",
        /// The power: an int if both operands are ints or bools (wrapping; a negative exponent is then an error), else a real.
        Pow = "pow",
        /// The logarithm of the first operand to the base of the second: ln x / ln b, a real.
        Log = "log",
        /// The length of the hypotenuse: a real.
        Hypot = "hypot",
    }

    /// An aggregation of numbers over all values of its variables, in row order: the last variable changes fastest.
    Aggregation {
        /// The sum, from the left: an int if the body is an int or bool (wrapping), else a real. Over nothing it is 0.
        Sum = "sum",
        /// The product, from the left: an int if the body is an int or bool (wrapping), else a real. Over nothing it is 1.
        Product = "prod",
        /// The mean: a real. Over nothing it is NaN.
        Average = "avg",
        /// The least value: an int if the body is an int or bool, else a real; NaN if one is NaN. Over nothing: an error.
        Minimum = "min",
        /// The greatest value: an int if the body is an int or bool, else a real; NaN if one is NaN. Over nothing: an error.
        Maximum = "max",
    }

    /// A quantifier over all values of its variables.
    Quantifier {
        /// True unless the body is false for some values.
        Forall = "forall",
        /// True if the body is true for some values.
        Exists = "exists",
    }

    /// Which item of a type gives the body an extreme value: the first of equals, and the first with NaN if there is one.
    Extremum {
        /// The greatest.
        ArgMax = "argmax",
        /// The least.
        ArgMin = "argmin",
    }

    /// A function of a square matrix that gives a matrix. A matrix for which it is not defined is an error.
    Matrix {
        /// The inverse.
        Inverse = "inverse",
        /// The Moore–Penrose pseudoinverse.
        PseudoInverse = "pinverse",
        /// The lower triangular L with L Lᵀ equal to the matrix, of which only the lower triangle is read.
        Cholesky = "cholesky",
    }

    /// A distribution of several numbers, one per item of a type.
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
    /// Whether it is written before its operand, rather than as a function with brackets.
    #[must_use]
    pub const fn is_sign(self) -> bool {
        matches!(self, Self::Not | Self::Minus | Self::Plus)
    }
}

impl Binary {
    /// Whether it is written between its operands, rather than as a function with brackets.
    #[must_use]
    pub const fn is_sign(self) -> bool {
        matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide)
    }

    /// Whether both are signs of one precedence, so that they group from the left without brackets.
    #[must_use]
    pub const fn joins(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Add | Self::Subtract, Self::Add | Self::Subtract)
                | (Self::Multiply | Self::Divide, Self::Multiply | Self::Divide)
        )
    }

    /// The range of the result for operands of these ranges.
    #[must_use]
    pub fn range(self, operands: [Range; 2]) -> Range {
        match self {
            Self::Divide | Self::Log | Self::Hypot => Range::Real,
            _ => operands[0].max(operands[1]).max(Range::Int),
        }
    }
}

impl Vector {
    /// How many indices each parameter has: 0 for a number, 1 for a vector, 2 for a matrix.
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
