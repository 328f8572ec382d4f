//! Transcendental functions of whole rows.
//!
//! The results equal `libm` bit for bit: the polynomials are those of fdlibm (Sun Microsystems, 1993), evaluated in the same
//! order. The code has no branches, so that the compiler vectorises it. Arguments for which `libm` takes another path, such
//! as very large ones, are passed to `libm` one by one.

use std::ops::Range;

use super::super::math::real_function;
use super::super::operation::UnaryOp;

/// Computes the fast version in every lane, then calls the slow version where the fast one reports that it is not valid. A
/// macro, so that the functions are inlined into the loop.
macro_rules! each {
    ($x:ident, $out:ident, $fast:ident, $slow:path) => {{
        let mut all = true;
        for (out, &x) in $out.iter_mut().zip($x) {
            let (value, holds) = $fast(x);
            *out = value;
            all &= holds;
        }
        if !all {
            for (out, &x) in $out.iter_mut().zip($x) {
                if !$fast(x).1 {
                    *out = $slow(x);
                }
            }
        }
    }};
}

/// Applies a function to a row. Returns `false` if there is no vectorised loop for this function.
#[inline(always)]
pub(super) fn fill(function: UnaryOp, x: &[f64], out: &mut [f64]) -> bool {
    match function {
        UnaryOp::Exp => each!(x, out, exp, libm::exp),
        UnaryOp::Ln => each!(x, out, log, libm::log),
        UnaryOp::Sin => each!(x, out, sin, libm::sin),
        UnaryOp::Cos => each!(x, out, cos, libm::cos),
        _ => return false,
    }
    true
}

/// Like [`fill`], but supports every function.
#[inline(always)]
pub(super) fn fill_any(function: UnaryOp, x: &[f64], out: &mut [f64]) {
    if !fill(function, x, out) {
        for (out, &x) in out.iter_mut().zip(x) {
            *out = real_function(function, x);
        }
    }
}

/// Rounds a row of reals to ints. Returns `false` if a number is NaN or so large that it needs the scalar function.
#[inline(always)]
pub(super) fn round(rounding: UnaryOp, x: &[f64], out: &mut [i64]) -> bool {
    /// Smaller numbers stay exact when [`WHOLE`] is added.
    const LARGE: f64 = (1_u64 << 50) as f64;
    if rounding == UnaryOp::Sign {
        // Every number except NaN has a sign.
        let mut numbers = true;
        for (out, &x) in out.iter_mut().zip(x) {
            *out = i64::from(x > 0.0) - i64::from(x < 0.0);
            numbers &= !x.is_nan();
        }
        return numbers;
    }
    if !x.iter().fold(true, |all, x| all & (x.abs() < LARGE)) {
        return false;
    }
    macro_rules! rows {
        (|$x:ident| $rounded:expr) => {
            for (out, &$x) in out.iter_mut().zip(x) {
                *out = ($rounded + WHOLE)
                    .to_bits()
                    .wrapping_sub(WHOLE.to_bits())
                    .cast_signed();
            }
        };
    }
    match rounding {
        UnaryOp::Round => rows!(|x| x),
        UnaryOp::Floor => rows!(|x| x.floor()),
        UnaryOp::Ceil => rows!(|x| x.ceil()),
        _ => rows!(|x| x.trunc()),
    }
    true
}

/// Returns the high word of |x|.
#[inline(always)]
fn high(x: f64) -> u64 {
    (x.to_bits() >> 32) & 0x7fff_ffff
}

/// 1.5 · 2^52. Adding it rounds to a whole number, whose value is then in the low bits.
const WHOLE: f64 = 6_755_399_441_055_744.0;

/// eˣ = 2ᵏ · eʳ with |r| ≤ ½ ln 2.
#[inline(always)]
fn exp(x: f64) -> (f64, bool) {
    const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    const INVERSE: f64 = f64::from_bits(0x3ff7_1547_652b_82fe);
    const P: [f64; 5] = [
        f64::from_bits(0x3fc5_5555_5555_553e),
        f64::from_bits(0xbf66_c16c_16be_bd93),
        f64::from_bits(0x3f11_566a_af25_de2c),
        f64::from_bits(0xbebb_bd41_c5d2_6bf1),
        f64::from_bits(0x3e66_3769_72be_a4d0),
    ];
    let size = high(x);
    let quotient = INVERSE * x + 0.5_f64.copysign(x);
    // Truncate: the nearest whole number, less one if that is further from zero.
    let nearest = (quotient + WHOLE) - WHOLE;
    let beyond = nearest.abs() > quotient.abs();
    let towards_zero = if beyond {
        nearest - 1.0_f64.copysign(x)
    } else {
        nearest
    };
    let one = 1.0_f64.copysign(x);
    let k = if size > 0x3fd6_2e42 { one } else { 0.0 };
    let k = if size >= 0x3ff0_a2b2 { towards_zero } else { k };
    let (high, low) = (x - k * LN2_HIGH, k * LN2_LOW);
    let r = high - low;
    let square = r * r;
    let c = r - square * (P[0] + square * (P[1] + square * (P[2] + square * (P[3] + square * P[4]))));
    let y = 1.0 + (r * c / (2.0 - c) - low + high);
    let power = f64::from_bits((k + WHOLE).to_bits().wrapping_add(1023) << 52);
    let value = if size <= 0x3e30_0000 { 1.0 + x } else { y * power };
    (value, size < 0x4086_232b)
}

/// The bits of positive normal numbers.
const NORMAL: Range<u64> = 0x0010_0000 << 32..0x7ff0_0000 << 32;

/// ln x = k ln 2 + ln(1 + f) with 1 + f between √½ and √2.
#[inline(always)]
pub(super) fn log(x: f64) -> (f64, bool) {
    const LN2_HIGH: f64 = f64::from_bits(0x3fe6_2e42_fee0_0000);
    const LN2_LOW: f64 = f64::from_bits(0x3dea_39ef_3579_3c76);
    const L: [f64; 7] = [
        f64::from_bits(0x3fe5_5555_5555_5593),
        f64::from_bits(0x3fd9_9999_9997_fa04),
        f64::from_bits(0x3fd2_4924_9422_9359),
        f64::from_bits(0x3fcc_71c5_1d8e_78af),
        f64::from_bits(0x3fc7_4664_96cb_03de),
        f64::from_bits(0x3fc3_9a09_d078_c69f),
        f64::from_bits(0x3fc2_f112_df3e_5244),
    ];
    let bits = x.to_bits();
    let shifted = (bits >> 32).wrapping_add(0x3ff0_0000 - 0x3fe6_a09e);
    // A whole number below 2^52, converted to a double.
    let whole = f64::from_bits(0x4330_0000_0000_0000 | (shifted >> 20)) - 4_503_599_627_370_496.0;
    let k = whole - 1023.0;
    let mantissa = (shifted & 0x000f_ffff) + 0x3fe6_a09e;
    let f = f64::from_bits(mantissa << 32 | bits & 0xffff_ffff) - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let even = w * (L[1] + w * (L[3] + w * L[5]));
    let odd = z * (L[0] + w * (L[2] + w * (L[4] + w * L[6])));
    let value = s * (half_square + (odd + even)) + k * LN2_LOW - half_square + f + k * LN2_HIGH;
    (value, NORMAL.contains(&bits))
}

/// The sine of y + tail for |y| ≤ π/4. The tail is omitted if the angle was small from the start.
#[inline(always)]
fn sine_kernel(y: f64, tail: f64, small: bool) -> f64 {
    const S: [f64; 6] = [
        f64::from_bits(0xbfc5_5555_5555_5549),
        f64::from_bits(0x3f81_1111_1110_f8a6),
        f64::from_bits(0xbf2a_01a0_19c1_61d5),
        f64::from_bits(0x3ec7_1de3_57b1_fe7d),
        f64::from_bits(0xbe5a_e5e6_8a2b_9ceb),
        f64::from_bits(0x3de5_d93a_5acf_d57c),
    ];
    let z = y * y;
    let w = z * z;
    let r = S[1] + z * (S[2] + z * S[3]) + z * w * (S[4] + z * S[5]);
    let v = z * y;
    let whole = y + v * (S[0] + z * r);
    let with_tail = y - ((z * (0.5 * tail - v * r) - tail) - v * S[0]);
    if small { whole } else { with_tail }
}

/// The cosine of y + tail for |y| ≤ π/4.
#[inline(always)]
fn cosine_kernel(y: f64, tail: f64) -> f64 {
    const C: [f64; 6] = [
        f64::from_bits(0x3fa5_5555_5555_554c),
        f64::from_bits(0xbf56_c16c_16c1_5177),
        f64::from_bits(0x3efa_01a0_19cb_1590),
        f64::from_bits(0xbe92_7e4f_809c_52ad),
        f64::from_bits(0x3e21_ee9e_bdb4_b1c4),
        f64::from_bits(0xbda8_fae9_be88_38d4),
    ];
    let z = y * y;
    let w = z * z;
    let r = z * (C[0] + z * (C[1] + z * C[2])) + w * w * (C[3] + z * (C[4] + z * C[5]));
    let half = 0.5 * z;
    let w = 1.0 - half;
    w + (((1.0 - w) - half) + (z * r - y * tail))
}

/// An angle minus the nearest multiple of π/2, and the sine and cosine of the remainder.
struct Reduced {
    /// The multiple, modulo 4 in its low bits.
    quarter: u64,
    /// The high word of |x|.
    size: u64,
    /// Whether the angle was small from the start, so that nothing was subtracted.
    small: bool,
    sine: f64,
    cosine: f64,
    /// Whether few enough digits cancel that `libm` takes the same path.
    holds: bool,
}

#[inline(always)]
fn reduce(x: f64) -> Reduced {
    const HALF_PI: f64 = f64::from_bits(0x3ff9_21fb_5440_0000);
    const HALF_PI_TAIL: f64 = f64::from_bits(0x3dd0_b461_1a62_6331);
    const INVERSE: f64 = f64::from_bits(0x3fe4_5f30_6dc9_c883);
    let size = high(x);
    let small = size <= 0x3fe9_21fb;
    // Up to 9π/4 the multiple is determined by the high word.
    let whole = |count: f64, beyond: u64| if size > beyond { count } else { 0.0 };
    let count =
        whole(1.0, 0x3fe9_21fb) + whole(1.0, 0x4002_d97c) + whole(1.0, 0x400f_6a7a) + whole(1.0, 0x4015_fdbc);
    let near_multiple = ((size & 0x000f_ffff) == 0x0009_21fb) & (size <= 0x400f_6a7a)
        | (size == 0x4012_d97c)
        | (size == 0x4019_21fb);
    let counted = (size <= 0x401c_463b) & !near_multiple;
    let nearest = (x * INVERSE + WHOLE) - WHOLE;
    let n = if counted { count.copysign(x) } else { nearest };
    let r = x - n * HALF_PI;
    let w = n * HALF_PI_TAIL;
    let y = r - w;
    let lost = (size >> 20).wrapping_sub(high(y) >> 20).cast_signed();
    let (near, tail) = if small { (x, 0.0) } else { (y, (r - y) - w) };
    Reduced {
        quarter: (n + WHOLE).to_bits(),
        size,
        small,
        sine: sine_kernel(near, tail, small),
        cosine: cosine_kernel(near, tail),
        holds: (size < 0x4139_21fb) & (counted | (lost <= 16)),
    }
}

impl Reduced {
    /// Returns the sine of the angle `x`.
    #[inline(always)]
    fn sin(&self, x: f64) -> f64 {
        let value = if self.quarter & 1 == 1 {
            self.cosine
        } else {
            self.sine
        };
        let value = if self.quarter & 2 == 2 { -value } else { value };
        let near = if self.size < 0x3e50_0000 { x } else { self.sine };
        if self.small { near } else { value }
    }

    /// Returns the cosine of the angle.
    #[inline(always)]
    fn cos(&self) -> f64 {
        let value = if self.quarter & 1 == 1 {
            self.sine
        } else {
            self.cosine
        };
        let turned = self.quarter.wrapping_add(1) & 2 == 2;
        let value = if turned { -value } else { value };
        let near = if self.size < 0x3e46_a09e { 1.0 } else { self.cosine };
        if self.small { near } else { value }
    }
}

#[inline(always)]
fn sin(x: f64) -> (f64, bool) {
    let reduced = reduce(x);
    (reduced.sin(x), reduced.holds)
}

#[inline(always)]
fn cos(x: f64) -> (f64, bool) {
    let reduced = reduce(x);
    (reduced.cos(), reduced.holds)
}

/// Computes the sines and the cosines of a row.
#[inline(always)]
pub(super) fn fill_both(x: &[f64], sines: &mut [f64], cosines: &mut [f64]) {
    let mut all = true;
    for ((sine, cosine), &x) in sines.iter_mut().zip(cosines.iter_mut()).zip(x) {
        let reduced = reduce(x);
        (*sine, *cosine) = (reduced.sin(x), reduced.cos());
        all &= reduced.holds;
    }
    if !all {
        for ((sine, cosine), &x) in sines.iter_mut().zip(cosines).zip(x) {
            if !reduce(x).holds {
                (*sine, *cosine) = (libm::sin(x), libm::cos(x));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns the bits of a number. Every NaN has the same bits.
    fn bits(x: f64) -> u64 {
        if x.is_nan() {
            f64::NAN.to_bits()
        } else {
            x.to_bits()
        }
    }

    /// Compares rows of every function with `libm`.
    fn agree(row: &[f64]) {
        for function in [UnaryOp::Exp, UnaryOp::Ln, UnaryOp::Sin, UnaryOp::Cos] {
            let mut out = vec![0.0; row.len()];
            assert!(fill(function, row, &mut out));
            for (&x, &found) in row.iter().zip(&out) {
                let expected = real_function(function, x);
                assert_eq!(
                    bits(found),
                    bits(expected),
                    "{function:?} of {x:e}: {found:e}, not {expected:e}"
                );
            }
        }
    }

    #[test]
    fn functions_are_those_of_libm_at_special_numbers() {
        let mut row = vec![
            0.0, 1.0, 0.5, 2.0, 709.0, 709.78, 709.79, 745.0, 745.2, 1e5, 1.6e6, 1e9, 1e22, 1e300,
        ];
        row.extend([
            f64::MIN_POSITIVE,
            5e-324,
            f64::EPSILON,
            1e-9,
            f64::INFINITY,
            f64::NAN,
            f64::MAX,
        ]);
        row.extend((0..400).map(|number| f64::from(number) * std::f64::consts::FRAC_PI_4));
        row.extend((0..400).map(|number| f64::from(number) * 0.5 * std::f64::consts::LN_2));
        let neighbours = |&x: &f64| {
            let near = [-3, -1, 0, 1, 3].map(|away| f64::from_bits(x.to_bits().wrapping_add_signed(away)));
            near.into_iter().flat_map(|x| [x, -x])
        };
        let row: Vec<f64> = row.iter().flat_map(neighbours).collect();
        agree(&row);
        // Around the high words at which `libm` changes its path.
        let words = [
            0x3fe9_21fb_u64,
            0x4002_d97c,
            0x400f_6a7a,
            0x4015_fdbc,
            0x401c_463b,
            0x3ff9_21fb,
            0x4009_21fb,
            0x4012_d97c,
            0x4019_21fb,
            0x4139_21fb,
            0x3e50_0000,
            0x3e46_a09e,
            0x3fd6_2e42,
            0x3ff0_a2b2,
            0x3e30_0000,
            0x4086_232b,
            0x0010_0000,
            0x7ff0_0000,
            0x3fe6_a09e,
            0x3ff0_0000,
        ];
        let around = words.into_iter().flat_map(|word| {
            let lows = [0_u64, 1, 0x5444_2d18, 0x8000_0000, 0xffff_ffff];
            let highs = [word - 1, word, word + 1];
            highs
                .into_iter()
                .flat_map(move |high| lows.map(|low| f64::from_bits(high << 32 | low)))
        });
        let around: Vec<f64> = around.flat_map(|x| [x, -x]).collect();
        agree(&around);
    }

    #[test]
    fn rows_are_rounded_like_single_numbers() {
        let numbers = [
            0.0,
            0.5,
            1.5,
            2.5,
            2.4999,
            7.0,
            1e9 + 0.5,
            4.0e14 + 0.5,
            1e-300,
            0.999_999_999_999_999_9,
        ];
        let row: Vec<f64> = numbers.iter().flat_map(|&x| [x, -x]).collect();
        for rounding in [
            UnaryOp::Round,
            UnaryOp::Floor,
            UnaryOp::Ceil,
            UnaryOp::Truncate,
            UnaryOp::Sign,
        ] {
            let mut out = vec![9; row.len()];
            assert!(round(rounding, &row, &mut out));
            for (&x, &found) in row.iter().zip(&out) {
                assert_eq!(
                    Some(found),
                    super::super::super::math::rounding(rounding, x),
                    "{rounding:?} of {x}"
                );
            }
            for odd in [f64::NAN, f64::INFINITY, 1e16, -1e300] {
                let has_sign = rounding == UnaryOp::Sign && !odd.is_nan();
                assert_eq!(round(rounding, &[1.0, odd], &mut [0, 0]), has_sign);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn functions_are_those_of_libm(
            wide in prop::collection::vec(any::<u64>().prop_map(f64::from_bits), 40),
            common in prop::collection::vec(-30.0..30.0_f64, 200),
            unit in prop::collection::vec(-1.0..1.0_f64, 40),
            large in prop::collection::vec(-800.0..800.0_f64, 40),
        ) {
            agree(&wide);
            agree(&common);
            agree(&unit);
            agree(&large);
        }
    }
}
