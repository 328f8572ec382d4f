//! Exact sums of floating-point numbers.

/// The number of bits of a limb.
const BITS: u32 = 32;

/// The number of limbs for the 2,098 bits of finite `f64` values.
const LIMBS: usize = 66;

/// The exponent of the lowest bit of limb 0: the smallest positive `f64` is 2^-1074.
const LOWEST: i32 = -1074;

/// An exact sum of `f64` values, independent of the order of addition. Infinities and NaN are counted separately.
///
/// Limb `i` has weight 2^(32 i - 1074). A value adds its 53-bit mantissa, shifted by at most 31 bits, to one limb. A 128-bit
/// limb therefore overflows after 2^42 values at the earliest.
#[derive(Clone)]
pub(super) struct Sum {
    limbs: [i128; LIMBS],
    infinite: u64,
    negative_infinite: u64,
    nan: u64,
}

impl Default for Sum {
    fn default() -> Self {
        Self {
            limbs: [0; LIMBS],
            infinite: 0,
            negative_infinite: 0,
            nan: 0,
        }
    }
}

impl Sum {
    /// Adds a value.
    pub(super) fn add(&mut self, value: f64) {
        if !value.is_finite() {
            self.nan += u64::from(value.is_nan());
            self.infinite += u64::from(value == f64::INFINITY);
            self.negative_infinite += u64::from(value == f64::NEG_INFINITY);
            return;
        }
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as u32, bits & ((1 << 52) - 1));
        // Subnormal values have exponent field 0 and no hidden bit; their weights are those of exponent 1.
        let (place, mantissa) = match exponent {
            0 => (0, fraction),
            _ => (exponent - 1, fraction | 1 << 52),
        };
        let shifted = i128::from(mantissa) << (place % BITS);
        let limb = &mut self.limbs[(place / BITS) as usize];
        *limb += if value < 0.0 { -shifted } else { shifted };
    }

    /// Adds another sum.
    pub(super) fn merge(&mut self, other: &Self) {
        let pairs = self.limbs.iter_mut().zip(&other.limbs);
        pairs.for_each(|(limb, other)| *limb += other);
        self.infinite += other.infinite;
        self.negative_infinite += other.negative_infinite;
        self.nan += other.nan;
    }

    /// Returns the sum divided by `count`. Infinite if infinities of one sign were added; NaN if NaN or infinities of both
    /// signs were.
    pub(super) fn mean(&self, count: u64) -> f64 {
        match (self.nan, self.infinite, self.negative_infinite) {
            (0, 0, 0) => {}
            (0, _, 0) => return f64::INFINITY,
            (0, 0, _) => return f64::NEG_INFINITY,
            _ => return f64::NAN,
        }
        let mut limbs = [0; LIMBS + 3];
        let mut carry = 0;
        for (place, to) in limbs.iter_mut().enumerate() {
            let limb = carry + self.limbs.get(place).copied().unwrap_or(0);
            // The last limb keeps the sign.
            *to = if place == LIMBS + 2 {
                limb
            } else {
                limb & ((1 << BITS) - 1)
            };
            carry = limb >> BITS;
        }
        let is_negative = limbs[LIMBS + 2] < 0;
        if is_negative {
            negate(&mut limbs);
        }
        let Some(top) = limbs.iter().rposition(|&limb| limb != 0) else {
            return 0.0;
        };
        // The four highest limbs hold at least 97 significant bits. Dividing before scaling keeps the mean finite even if
        // the sum exceeds the range of `f64`.
        let low = top.saturating_sub(3);
        let high = limbs[low..=top].iter().rev();
        let high = high.fold(0, |high: u128, limb| high << BITS | limb.unsigned_abs());
        let scaled = high as f64 / count.max(1) as f64;
        let mean = scale(scaled, low as i32 * BITS as i32 + LOWEST);
        if is_negative { -mean } else { mean }
    }
}

/// Negates a normalised number in two's complement: inverts each limb and adds 1.
fn negate(limbs: &mut [i128]) {
    let mut carry = 1;
    let last = limbs.len() - 1;
    for (place, limb) in limbs.iter_mut().enumerate() {
        if place == last {
            *limb = !*limb + carry;
        } else {
            let sum = (!*limb & ((1 << BITS) - 1)) + carry;
            (*limb, carry) = (sum & ((1 << BITS) - 1), sum >> BITS);
        }
    }
}

/// Returns `value` times 2^`exponent`. Multiplies in steps, so that each factor is a normal number.
fn scale(mut value: f64, mut exponent: i32) -> f64 {
    const STEP: i32 = 1000;
    while exponent.abs() > STEP {
        let step = STEP * exponent.signum();
        value *= 2_f64.powi(step);
        exponent -= step;
    }
    value * 2_f64.powi(exponent)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn mean(values: &[f64]) -> f64 {
        let mut sum = Sum::default();
        values.iter().for_each(|&value| sum.add(value));
        sum.mean(values.len() as u64)
    }

    #[test]
    fn nothing_is_lost() {
        let tiny = f64::from_bits(1);
        for (values, expected) in [
            (&[][..], 0.0),
            (&[0.1], 0.1),
            (&[-0.1], -0.1),
            (&[1e300, 1.0, -1e300, 1.0], 0.5),
            (&[-1e300, -1.0, 1e300, -1.0], -0.5),
            (&[f64::MAX, f64::MAX], f64::MAX),
            (&[f64::MIN, f64::MIN, f64::MIN, f64::MIN], f64::MIN),
            (&[tiny], tiny),
            (&[-tiny, -tiny], -tiny),
            (&[1e-200, -1e-200, 2e-200, 2e-200], 1e-200),
            (&[1e30, 3e30], 2e30),
        ] {
            assert_eq!(mean(values), expected, "{values:?}");
        }
    }

    #[test]
    fn values_that_are_not_finite_win() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        assert_eq!(mean(&[1.0, inf]), inf);
        assert_eq!(mean(&[-inf, 1e308]), -inf);
        for values in [&[inf, -inf][..], &[nan], &[nan, inf], &[-inf, nan, 3.0]] {
            assert!(mean(values).is_nan(), "{values:?}");
        }
        let mut sum = Sum::default();
        let mut other = Sum::default();
        other.add(inf);
        sum.merge(&other);
        assert_eq!(sum.mean(1), inf);
        for value in [inf, -inf, nan] {
            let (mut sum, mut other) = (Sum::default(), Sum::default());
            sum.add(1.0);
            other.add(value);
            sum.merge(&other);
            assert_eq!(sum.mean(2).to_bits(), value.to_bits());
        }
    }

    proptest! {
        #[test]
        fn order_and_grouping_make_no_difference(values in prop::collection::vec(-1e12..1e12, 0..60), split in 0..60_usize) {
            let exact = mean(&values);
            let backwards: Vec<f64> = values.iter().rev().copied().collect();
            prop_assert_eq!(mean(&backwards).to_bits(), exact.to_bits());
            let (mut one, mut other) = (Sum::default(), Sum::default());
            let split = split.min(values.len());
            values[..split].iter().for_each(|&value| one.add(value));
            values[split..].iter().for_each(|&value| other.add(value));
            one.merge(&other);
            prop_assert_eq!(one.mean(values.len() as u64).to_bits(), exact.to_bits());
            let naive = values.iter().sum::<f64>() / values.len().max(1) as f64;
            prop_assert!((exact - naive).abs() <= 1e-2, "{} {}", exact, naive);
        }

        #[test]
        fn a_number_is_its_own_sum(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite() && value != 0.0);
            prop_assert_eq!(mean(&[value]).to_bits(), bits);
            prop_assert_eq!(mean(&[value; 4]).to_bits(), bits);
        }
    }
}
