//! Numbers in expressions, and exact probabilities.

use std::fmt;
use std::hash::{Hash, Hasher};

use num_rational::Ratio;

/// A finite number in a numeric expression or initial value. Comparison and hash are by value. It prints as a decimal
/// without an exponent.
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

impl Number {
    /// Zero.
    pub const ZERO: Self = Self(0.0);

    /// Creates a number; returns `None` if `value` is infinite or NaN. Negative zero becomes zero.
    #[must_use]
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns -0.0 into 0.0, so equal numbers have equal bits.
        value.is_finite().then_some(Self(value + 0.0))
    }

    /// Returns the value, which is finite and never -0.0.
    #[must_use]
    pub const fn value(self) -> f64 {
        self.0
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0.to_bits() == other.0.to_bits()
    }
}

impl Eq for Number {}

impl Hash for Number {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Prints the shortest decimal that parses to the same value. It never has an exponent, which PDDL does not allow.
        write!(f, "{}", self.0)
    }
}

/// A probability from 0 to 1, stored as an exact fraction: `1/3` stays a third. [`Probability::new`] makes one, and the
/// parser for each probability in a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Probability(Ratio<u64>);

impl Probability {
    /// Impossibility.
    pub const ZERO: Self = Self(Ratio::new_raw(0, 1));
    /// Certainty.
    pub const ONE: Self = Self(Ratio::new_raw(1, 1));

    /// Creates `numerator / denominator` in lowest terms; returns `None` if the denominator is zero or the value is above 1.
    #[must_use]
    pub fn new(numerator: u64, denominator: u64) -> Option<Self> {
        (denominator > 0 && numerator <= denominator).then(|| Self(Ratio::new(numerator, denominator)))
    }

    /// Returns the numerator in lowest terms.
    #[must_use]
    pub fn numerator(self) -> u64 {
        *self.0.numer()
    }

    /// Returns the denominator in lowest terms.
    #[must_use]
    pub fn denominator(self) -> u64 {
        *self.0.denom()
    }

    /// Returns whether the probability is zero.
    #[must_use]
    pub fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// Returns the fraction as a floating-point number from 0 to 1, up to rounding.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        reason = "the nearest value is what is asked for"
    )]
    pub fn value(self) -> f64 {
        self.numerator() as f64 / self.denominator() as f64
    }
}

impl fmt::Debug for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numerator(), self.denominator())
    }
}
