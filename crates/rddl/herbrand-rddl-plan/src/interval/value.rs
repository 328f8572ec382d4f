//! Interval arithmetic.

use herbrand_dataflow::{BinaryOp, UnaryOp};

/// Bounds of a value: a closed interval of numbers, and whether the value may be NaN or infinite. The bools false and true
/// are 0 and 1. The ends may be infinite, but not NaN: a number without a bound has an infinite end, though it is finite.
/// Items are their positions, counted from 0. A [`StepBounds`](super::StepBounds) consists of intervals.
///
/// Sums, products and powers of numbers without bounds count as finite, as if doubles had no largest number.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The smallest number.
    pub low: f64,
    /// The largest number.
    pub high: f64,
    /// Whether the value may be NaN.
    pub nan: bool,
    /// Whether the value may be infinite: after a division by 0, or if numbers within bounds exceed the largest double.
    /// `false` if both ends are finite.
    pub infinite: bool,
}

/// From here on, doubles cannot represent every integer, and sums of ints may wrap around.
const LARGE: f64 = 9_007_199_254_740_992.0;

impl Interval {
    /// The interval of all finite and infinite numbers and NaN.
    pub const ANY: Self = Self {
        nan: true,
        infinite: true,
        ..Self::NUMBERS
    };
    /// The interval of all finite numbers.
    pub const NUMBERS: Self = Self::new(f64::NEG_INFINITY, f64::INFINITY);
    /// The interval of all ints, which have 64 bits.
    pub const INTS: Self = Self::new(i64::MIN as f64, i64::MAX as f64);
    /// The interval of both bools, false (0) and true (1).
    pub const BOOLS: Self = Self::new(0.0, 1.0);
    /// The interval that contains only true (1).
    pub const TRUE: Self = Self::point(1.0);
    /// The interval that contains only false (0).
    pub const FALSE: Self = Self::point(0.0);

    /// Returns the interval of the finite numbers from `low` to `high`. `low` must be at most `high`, which is not checked.
    #[must_use]
    pub const fn new(low: f64, high: f64) -> Self {
        Self {
            low,
            high,
            nan: false,
            infinite: false,
        }
    }

    /// Returns the interval that contains only `value`. For NaN this is [`ANY`](Self::ANY).
    #[must_use]
    pub const fn point(value: f64) -> Self {
        if value.is_nan() {
            Self::ANY
        } else {
            Self {
                infinite: value.is_infinite(),
                ..Self::new(value, value)
            }
        }
    }

    /// Returns the interval of a bool with these possible values.
    pub(super) const fn truth(can_be_false: bool, can_be_true: bool) -> Self {
        match (can_be_false, can_be_true) {
            (true, false) => Self::FALSE,
            (false, true) => Self::TRUE,
            _ => Self::BOOLS,
        }
    }

    /// Returns whether `value`, which may be NaN, is in the interval. NaN counts only if the interval allows it.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high || value.is_nan() && self.nan
    }

    /// Returns whether the interval contains only this value. `false` if it may be NaN.
    #[must_use]
    pub fn is(&self, value: f64) -> bool {
        self.low == value && self.high == value && !self.nan
    }

    /// Returns `true` if both ends are finite, whether or not the interval contains NaN.
    #[must_use]
    pub const fn is_finite(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// Returns the smallest interval that contains both intervals.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            nan: self.nan || other.nan,
            infinite: self.infinite || other.infinite,
        }
    }

    /// Returns the interval, extended by NaN if `nan` holds.
    pub(super) const fn or_nan(mut self, nan: bool) -> Self {
        self.nan |= nan;
        self
    }

    /// Returns the interval with this mark for infinite values. `false` stays if both ends are finite.
    pub(super) const fn or_infinite(mut self, infinite: bool) -> Self {
        self.infinite |= infinite && !self.is_finite();
        self
    }

    /// Returns the interval of these ends, which numbers in intervals without infinite values lead to.
    fn finite(self) -> Self {
        Self {
            infinite: false,
            ..self
        }
    }

    /// Returns the smallest interval of some numbers; all numbers and NaN if one of them is NaN.
    fn of(values: &[f64]) -> Self {
        let mut all = Self::new(f64::INFINITY, f64::NEG_INFINITY);
        for &value in values {
            if value.is_nan() {
                return Self::ANY;
            }
            all = all.or(Self::point(value));
        }
        all
    }

    /// Widens the interval by a few units in the last place, to cover rounding errors of functions.
    fn loose(self) -> Self {
        let down = |x: f64| (0..4).fold(x, |x, _| x.next_down());
        let up = |x: f64| (0..4).fold(x, |x, _| x.next_up());
        Self {
            low: down(self.low),
            high: up(self.high),
            ..self
        }
    }

    /// Returns the interval as ints: unchanged if doubles are exact in it, else all ints.
    fn whole(self) -> Self {
        if self.low > -LARGE && self.high < LARGE {
            self
        } else {
            Self::INTS
        }
    }

    /// Intersects the interval with two bounds. If the intersection is empty, returns the nearer bound.
    pub(super) const fn within(self, low: f64, high: f64) -> Self {
        let (low, high) = (self.low.max(low).min(high), self.high.min(high).max(low));
        Self::new(low, high).or_nan(self.nan).or_infinite(self.infinite)
    }

    pub(super) const fn not(self) -> Self {
        Self::new(1.0 - self.high, 1.0 - self.low)
    }

    const fn negated(self) -> Self {
        Self {
            low: -self.high,
            high: -self.low,
            ..self
        }
    }

    fn absolute(self) -> Self {
        let far = self.low.abs().max(self.high.abs());
        let near = if self.contains(0.0) {
            0.0
        } else {
            self.low.abs().min(self.high.abs())
        };
        Self::new(near, far).or_nan(self.nan).or_infinite(self.infinite)
    }

    /// Applies an increasing function that is defined between `low` and `high`. The result is NaN outside that range.
    fn rising(self, low: f64, high: f64, f: impl Fn(f64) -> f64) -> Self {
        let outside = self.low < low || self.high > high;
        let inside = self.within(low, high);
        let becomes_infinite = |end: f64| end.is_finite() && f(end).is_infinite();
        let infinite = self.infinite || becomes_infinite(inside.low) || becomes_infinite(inside.high);
        Self::of(&[f(inside.low), f(inside.high)])
            .finite()
            .loose()
            .or_nan(self.nan || outside)
            .or_infinite(infinite)
    }

    /// Like [`rising`](Self::rising), for a function defined from `low` on that grows so fast that moderate numbers have
    /// infinite results.
    fn exploding(self, low: f64, f: impl Fn(f64) -> f64) -> Self {
        self.rising(low, f64::INFINITY, f).or_infinite(true)
    }

    /// Returns whether the interval contains `offset` plus a multiple of 2π.
    fn meets(self, offset: f64) -> bool {
        use std::f64::consts::TAU;
        let slack = 1e-9 * (1.0 + self.low.abs().max(self.high.abs()));
        let first = ((self.low - slack - offset) / TAU).ceil();
        first * TAU + offset <= self.high + slack
    }

    /// Applies a sine or cosine with a maximum at `top` and a minimum at `bottom`.
    fn wave(self, f: impl Fn(f64) -> f64, top: f64, bottom: f64) -> Self {
        let nan = self.nan || self.infinite;
        if !self.is_finite() || self.low.abs().max(self.high.abs()) > 1e8 {
            return Self::new(-1.0, 1.0).or_nan(nan);
        }
        let mut ends = Self::of(&[f(self.low), f(self.high)]).loose();
        if self.meets(top) {
            ends.high = 1.0;
        }
        if self.meets(bottom) {
            ends.low = -1.0;
        }
        ends.within(-1.0, 1.0).or_nan(nan)
    }
}

/// Adds two intervals of reals.
fn add(x: Interval, y: Interval) -> Interval {
    let opposite = x.low == f64::NEG_INFINITY && y.high == f64::INFINITY
        || x.high == f64::INFINITY && y.low == f64::NEG_INFINITY;
    let sum = |a: f64, b: f64, infinity: f64| if (a + b).is_nan() { infinity } else { a + b };
    let bounded = x.is_finite() && y.is_finite();
    Interval::new(
        sum(x.low, y.low, f64::NEG_INFINITY),
        sum(x.high, y.high, f64::INFINITY),
    )
    .or_nan(x.nan || y.nan || opposite && x.infinite && y.infinite)
    .or_infinite(x.infinite || y.infinite || bounded)
}

fn multiply(x: Interval, y: Interval) -> Interval {
    let nan = x.nan || y.nan || x.infinite && y.contains(0.0) || y.infinite && x.contains(0.0);
    // A product with 0 is 0, or NaN, which is handled separately.
    let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
    Interval::of(&[
        product(x.low, y.low),
        product(x.low, y.high),
        product(x.high, y.low),
        product(x.high, y.high),
    ])
    .finite()
    .or_nan(nan)
    .or_infinite(x.infinite || y.infinite || x.is_finite() && y.is_finite())
}

fn divide(x: Interval, y: Interval) -> Interval {
    let nan = x.nan || y.nan || x.infinite && y.infinite;
    if y.contains(0.0) {
        return Interval::NUMBERS.or_nan(nan || x.contains(0.0)).or_infinite(true);
    }
    // Of two numbers without bounds, the quotient is between those of one of them and a bound of the other.
    let corners = [x.low / y.low, x.low / y.high, x.high / y.low, x.high / y.high];
    let known: Vec<f64> = corners.into_iter().filter(|corner| !corner.is_nan()).collect();
    if known.is_empty() {
        return Interval::ANY;
    }
    Interval::of(&known)
        .finite()
        .or_nan(nan)
        .or_infinite(x.infinite || x.is_finite() && y.is_finite())
}

fn power(x: Interval, y: Interval) -> Interval {
    use herbrand_dataflow::pow_real;
    let nan = x.nan || y.nan;
    let exponent = y.low;
    let is_whole = y.is(exponent) && exponent.fract() == 0.0 && exponent.abs() < LARGE;
    if x.is_finite() && y.is_finite() {
        let corners = || {
            Interval::of(&[
                pow_real(x.low, y.low),
                pow_real(x.low, y.high),
                pow_real(x.high, y.low),
                pow_real(x.high, y.high),
            ])
        };
        if x.low > 0.0 {
            // Monotone in each operand, whatever the other operand is.
            return corners().loose().or_nan(nan);
        }
        if x.low >= 0.0 && y.low > 0.0 {
            return corners().loose().within(0.0, f64::INFINITY).or_nan(nan);
        }
        if is_whole && exponent > 0.0 {
            let ends = Interval::of(&[pow_real(x.low, exponent), pow_real(x.high, exponent)]).loose();
            return if exponent % 2.0 == 0.0 && x.contains(0.0) {
                ends.within(0.0, f64::INFINITY)
                    .or(Interval::point(0.0))
                    .or_nan(nan)
            } else {
                ends.or_nan(nan)
            };
        }
    }
    // Powers of positive numbers, and powers with whole exponents, are numbers.
    let is_number = x.low >= 0.0 || is_whole;
    let low = if x.low >= 0.0 || is_whole && exponent % 2.0 == 0.0 {
        0.0
    } else {
        f64::NEG_INFINITY
    };
    let grows_slowly = y.is(exponent) && (exponent >= 0.0 || !x.contains(0.0));
    Interval::new(low, f64::INFINITY)
        .or_nan(nan || !is_number)
        .or_infinite(x.infinite || y.infinite || !grows_slowly)
}

/// Compares two intervals: `a` < `b`, or `a` ≤ `b` if `or_equal`.
fn less(a: Interval, b: Interval, or_equal: bool) -> Interval {
    let surely = if or_equal { a.high <= b.low } else { a.high < b.low };
    let possibly = if or_equal { a.low <= b.high } else { a.low < b.high };
    Interval::truth(!surely || a.nan || b.nan, possibly)
}

fn equal(a: Interval, b: Interval) -> Interval {
    let same = a.low == a.high && b.low == b.high && a.low == b.low && !a.nan && !b.nan;
    let apart = a.high < b.low || b.high < a.low;
    Interval::truth(!same, !apart)
}

/// Applies a unary operation.
pub(super) fn unary(op: UnaryOp, x: Interval) -> Interval {
    match op {
        UnaryOp::Not => x.not(),
        UnaryOp::BoolToInt | UnaryOp::BoolToReal => x,
        UnaryOp::IntToReal => x,
        UnaryOp::NegInt => x.negated().whole(),
        UnaryOp::AbsInt => x.absolute().whole(),
        UnaryOp::NegReal => x.negated(),
        UnaryOp::AbsReal => x.absolute(),
        // A step that needs the sign or the rounding of NaN fails, so NaN does not arise here.
        UnaryOp::SignInt | UnaryOp::Sign => {
            let sign = |end: f64| f64::from(i8::from(end > 0.0) - i8::from(end < 0.0));
            Interval::new(sign(x.low), sign(x.high))
        }
        UnaryOp::Round => Interval::new(x.low.round_ties_even(), x.high.round_ties_even()).whole(),
        UnaryOp::Floor => Interval::new(x.low.floor(), x.high.floor()).whole(),
        UnaryOp::Ceil => Interval::new(x.low.ceil(), x.high.ceil()).whole(),
        UnaryOp::Truncate if x.nan => Interval::new(x.low.trunc().min(0.0), x.high.trunc().max(0.0)).whole(),
        UnaryOp::Truncate => Interval::new(x.low.trunc(), x.high.trunc()).whole(),
        UnaryOp::Sqrt => x.rising(0.0, f64::INFINITY, f64::sqrt),
        UnaryOp::Exp => x
            .exploding(f64::NEG_INFINITY, libm::exp)
            .within(0.0, f64::INFINITY),
        UnaryOp::Ln => x.rising(0.0, f64::INFINITY, libm::log),
        UnaryOp::Sin => {
            use std::f64::consts::FRAC_PI_2;
            x.wave(libm::sin, FRAC_PI_2, -FRAC_PI_2)
        }
        UnaryOp::Cos => x.wave(libm::cos, 0.0, std::f64::consts::PI),
        UnaryOp::Asin => x.rising(-1.0, 1.0, libm::asin),
        UnaryOp::Acos => x.negated().rising(-1.0, 1.0, |x| libm::acos(-x)),
        UnaryOp::Atan => x.rising(f64::NEG_INFINITY, f64::INFINITY, libm::atan),
        UnaryOp::Sinh => x.exploding(f64::NEG_INFINITY, libm::sinh),
        UnaryOp::Cosh => x.absolute().exploding(0.0, libm::cosh).within(1.0, f64::INFINITY),
        UnaryOp::Tanh => x
            .rising(f64::NEG_INFINITY, f64::INFINITY, libm::tanh)
            .within(-1.0, 1.0),
        UnaryOp::Tan | UnaryOp::LnGamma | UnaryOp::Gamma => match x.low {
            point if x.is(point) => Interval::point(herbrand_dataflow::real_function(op, point)),
            _ if op == UnaryOp::Tan => Interval::NUMBERS.or_nan(x.nan || x.infinite),
            low if low > 0.0 => Interval::NUMBERS.or_nan(x.nan).or_infinite(true),
            _ => Interval::ANY,
        },
    }
}

/// Applies a binary operation.
pub(super) fn binary(op: BinaryOp, x: Interval, y: Interval) -> Interval {
    match op {
        BinaryOp::And => Interval::new(x.low.min(y.low), x.high.min(y.high)),
        BinaryOp::Or => Interval::new(x.low.max(y.low), x.high.max(y.high)),
        BinaryOp::Same => equal(x, y),
        BinaryOp::AddInt => add(x, y).whole(),
        BinaryOp::SubInt => add(x, y.negated()).whole(),
        BinaryOp::MulInt => multiply(x, y).whole(),
        BinaryOp::AddReal => add(x, y),
        BinaryOp::SubReal => add(x, y.negated()),
        BinaryOp::MulReal => multiply(x, y),
        BinaryOp::DivReal => divide(x, y),
        BinaryOp::DivInt => {
            let quotient = divide(x, y);
            if quotient.is_finite() {
                Interval::new(quotient.low.floor(), quotient.high.floor()).whole()
            } else {
                // A divisor of 0 makes the step fail. So a quotient is no larger in size than the dividend, plus 1 for
                // rounding down.
                let far = x.low.abs().max(x.high.abs()) + 1.0;
                Interval::new(-far, far).whole()
            }
        }
        BinaryOp::ModInt => {
            let far = y.low.abs().max(y.high.abs());
            let low = if y.low >= 0.0 { 0.0 } else { -far };
            let high = if y.high <= 0.0 { 0.0 } else { far };
            Interval::new(low, high).whole()
        }
        BinaryOp::ModReal => {
            let far = y.low.abs().max(y.high.abs());
            let low = if y.low > 0.0 { 0.0 } else { -far };
            let high = if y.high < 0.0 { 0.0 } else { far };
            Interval::new(low, high)
                .or_nan(x.nan || y.nan || x.infinite || y.contains(0.0))
                .or_infinite(y.infinite)
        }
        BinaryOp::MinInt | BinaryOp::MinReal => {
            let least = Interval::new(x.low.min(y.low), x.high.min(y.high));
            least.or_nan(x.nan || y.nan).or_infinite(x.infinite || y.infinite)
        }
        BinaryOp::MaxInt | BinaryOp::MaxReal => {
            let greatest = Interval::new(x.low.max(y.low), x.high.max(y.high));
            greatest
                .or_nan(x.nan || y.nan)
                .or_infinite(x.infinite || y.infinite)
        }
        BinaryOp::PowInt => {
            let exponent = y.within(0.0, f64::INFINITY);
            let power = if exponent.low == exponent.high {
                power_of_int(x, exponent.low)
            } else {
                let far = x.low.abs().max(x.high.abs()).max(1.0);
                let far = libm::pow(far, exponent.high);
                Interval::new(if x.low < 0.0 { -far } else { 0.0 }, far)
            };
            power.whole()
        }
        BinaryOp::PowReal => power(x, y),
        BinaryOp::Log => divide(unary(UnaryOp::Ln, x), unary(UnaryOp::Ln, y)).loose(),
        BinaryOp::Hypot => {
            let (a, b) = (x.absolute(), y.absolute());
            Interval::new(libm::hypot(a.low, b.low), libm::hypot(a.high, b.high))
                .loose()
                .within(0.0, f64::INFINITY)
                .or_nan(x.nan || y.nan)
                .or_infinite(x.infinite || y.infinite || x.is_finite() && y.is_finite())
        }
        BinaryOp::LtInt | BinaryOp::LtReal => less(x, y, false),
        BinaryOp::LeInt | BinaryOp::LeReal => less(x, y, true),
        BinaryOp::EqInt | BinaryOp::EqReal => equal(x, y),
    }
}

/// Applies a multiplication of a value with itself.
pub(super) fn square(op: BinaryOp, x: Interval) -> Interval {
    let product = binary(op, x, x);
    // A product of ints may wrap around, and NaN remains NaN.
    if product.low < 0.0 && (op == BinaryOp::MulReal || product.is_finite() && product.high < LARGE) {
        product.within(0.0, f64::INFINITY)
    } else {
        product
    }
}

fn power_of_int(x: Interval, exponent: f64) -> Interval {
    if exponent == 0.0 {
        return Interval::TRUE;
    }
    let ends = Interval::of(&[libm::pow(x.low, exponent), libm::pow(x.high, exponent)]);
    if exponent % 2.0 == 0.0 && x.contains(0.0) {
        Interval::new(0.0, ends.high)
    } else {
        ends
    }
}
