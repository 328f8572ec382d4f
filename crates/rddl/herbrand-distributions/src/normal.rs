//! The quantile function of the standard normal distribution.

/// A rational function: the coefficients of numerator and denominator, lowest power first.
struct Rational([f64; 8], [f64; 8]);

impl Rational {
    #[inline(always)]
    fn at(&self, x: f64) -> f64 {
        let [numerator, denominator] = [&self.0, &self.1];
        horner(numerator, x) / horner(denominator, x)
    }
}

/// Evaluates a polynomial.
#[inline(always)]
fn horner(c: &[f64; 8], x: f64) -> f64 {
    ((((((c[7] * x + c[6]) * x + c[5]) * x + c[4]) * x + c[3]) * x + c[2]) * x + c[1]) * x + c[0]
}

/// For |u − 1/2| ≤ 0.425.
const CENTRE: Rational = Rational(
    [
        3.387_132_872_796_366_5,
        133.141_667_891_784_38,
        1_971.590_950_306_551_3,
        13_731.693_765_509_46,
        45_921.953_931_549_87,
        67_265.770_927_008_7,
        33_430.575_583_588_13,
        2_509.080_928_730_122_7,
    ],
    [
        1.0,
        42.313_330_701_600_91,
        687.187_007_492_057_9,
        5_394.196_021_424_751,
        21_213.794_301_586_597,
        39_307.895_800_092_71,
        28_729.085_735_721_943,
        5_226.495_278_852_854,
    ],
);

/// For √(−ln tail) ≤ 5.
const FLANK: Rational = Rational(
    [
        1.423_437_110_749_683_5,
        4.630_337_846_156_546,
        5.769_497_221_460_691,
        3.647_848_324_763_204_5,
        1.270_458_252_452_368_4,
        0.241_780_725_177_450_6,
        2.272_384_498_926_918_4e-2,
        7.745_450_142_783_414e-4,
    ],
    [
        1.0,
        2.053_191_626_637_759,
        1.676_384_830_183_803_8,
        0.689_767_334_985_1,
        0.148_103_976_427_480_08,
        1.519_866_656_361_645_7e-2,
        5.475_938_084_995_345e-4,
        1.050_750_071_644_416_9e-9,
    ],
);

/// For √(−ln tail) > 5.
const TAIL: Rational = Rational(
    [
        6.657_904_643_501_103,
        5.463_784_911_164_114,
        1.784_826_539_917_291_3,
        0.296_560_571_828_504_87,
        2.653_218_952_657_612_4e-2,
        1.242_660_947_388_078_4e-3,
        2.711_555_568_743_487_6e-5,
        2.010_334_399_292_288_1e-7,
    ],
    [
        1.0,
        0.599_832_206_555_888,
        0.136_929_880_922_735_8,
        1.487_536_129_085_061_5e-2,
        7.868_691_311_456_133e-4,
        1.846_318_317_510_054_8e-5,
        1.421_511_758_316_446e-7,
        2.044_263_103_389_939_7e-15,
    ],
);

/// Returns the x with Φ(x) = `u`, for `u` in (0, 1), to about 16 digits (Wichura, "Algorithm AS 241: the percentage
/// points of the normal distribution", Applied Statistics 37, 1988, routine PPND16). The result is meaningless for
/// other values of `u`.
#[inline]
#[must_use]
pub fn normal_quantile(u: f64) -> f64 {
    let centred = u - 0.5;
    if centred.abs() <= 0.425 {
        return normal_centre(centred);
    }
    let tail = if centred < 0.0 { u } else { 1.0 - u };
    let r = (-libm::log(tail)).sqrt();
    let size = if r <= 5.0 {
        normal_flank(r)
    } else {
        TAIL.at(r - 5.0)
    };
    size.copysign(centred)
}

/// Returns [`normal_quantile`] at ½ + `centred`, for `centred` between −0.425 and 0.425. Elsewhere the result is
/// meaningless.
#[inline(always)]
#[must_use]
pub fn normal_centre(centred: f64) -> f64 {
    centred * CENTRE.at(0.180_625 - centred * centred)
}

/// Returns the absolute value of [`normal_quantile`] in a tail, given `root` = √(−ln tail) of at most 5, where `tail`
/// is the smaller of `u` and 1 − `u`. It is for `u` outside of the range of [`normal_centre`]; elsewhere the result is
/// meaningless.
#[inline(always)]
#[must_use]
pub fn normal_flank(root: f64) -> f64 {
    FLANK.at(root - 1.6)
}
