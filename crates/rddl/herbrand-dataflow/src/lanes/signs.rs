//! Replaces comparisons of signs by direct tests of the numbers.
//!
//! ```text
//!   i1 = sign r1
//!   i2 = sign r2             ──▶        b3 = r1 and r2 have the same sign
//!   b3 = i1 == i2
//!   b4 = i1 == 0                        b4 = r1 has the sign 0
//! ```
//!
//! NaN has no sign, so a run fails if a lane needs the sign of NaN. The tests check for NaN as well, in their own lanes. A
//! sign instruction is removed only if a test covers the same lanes.

use fxhash::FxHashMap;

use super::super::fault::ValueError;
use super::super::instruction::{Instruction, Register, Use};
use super::super::layout::Layout;
use super::super::operation::{UnaryOp, ValueType};
use super::fuse::remove;
use super::regions::Regions;
use super::run::All;
use super::uses::Uses;
use super::{Constant, LaneFault, Lanes, Rows, Step, Work};

/// A test of the signs of reals.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum SignTest {
    /// Whether two numbers have the same sign.
    Same([Register; 2]),
    /// Whether two numbers have different signs.
    Differ([Register; 2]),
    /// Whether a number has the sign −1, 0 or 1.
    Is([Register; 1], i8),
}

impl SignTest {
    /// Returns the registers that are read.
    pub(super) fn reads(&mut self) -> &mut [Register] {
        match self {
            Self::Same(of) | Self::Differ(of) => of,
            Self::Is(of, _) => of,
        }
    }
}

/// The known content of an int register.
#[derive(Clone, Copy)]
enum KnownInt {
    Nothing,
    Constant(i64),
    /// The sign of a real register.
    Sign(Register),
}

/// Replaces comparisons of signs by tests. `registers` is the number of registers.
pub(super) fn test_signs(
    steps: &mut Vec<Step>,
    operands: &mut [Register],
    results: &[(ValueType, Register)],
    constants: &[Constant],
    registers: Layout,
) {
    let mut known = vec![KnownInt::Nothing; registers.ints as usize];
    for constant in constants
        .iter()
        .filter(|constant| constant.kind == ValueType::Int)
    {
        known[constant.register as usize] = KnownInt::Constant(constant.bits.cast_signed());
    }
    let mut signs = Vec::new();
    let mut written = vec![false; registers.ints as usize];
    for (at, step) in steps.iter_mut().enumerate() {
        if let Work::Plain(Instruction::Rounding(UnaryOp::Sign, to, x)) = step.work {
            known[to as usize] = KnownInt::Sign(x);
            signs.push((at, to, x));
        }
        step.registers(operands, |kind, register, used| {
            if kind == ValueType::Int && used == Use::Write {
                // A register that several branches write has no known content.
                if std::mem::replace(&mut written[*register as usize], true) {
                    known[*register as usize] = KnownInt::Nothing;
                }
            }
        });
    }
    if signs.is_empty() {
        return;
    }
    let regions = Regions::new(steps);
    let mut tested = Vec::new();
    for (at, step) in steps.iter_mut().enumerate() {
        let Work::Plain(Instruction::EqInt(to, a, b)) = step.work else {
            continue;
        };
        let test = match (known[a as usize], known[b as usize]) {
            (KnownInt::Sign(a), KnownInt::Sign(b)) => SignTest::Same([a, b]),
            (KnownInt::Sign(a), KnownInt::Constant(sign @ -1..=1))
            | (KnownInt::Constant(sign @ -1..=1), KnownInt::Sign(a)) => SignTest::Is([a], sign as i8),
            _ => continue,
        };
        step.work = Work::Sign(to, test);
        tested.extend(
            test.clone()
                .reads()
                .iter()
                .map(|&register| (register, regions.of(at))),
        );
    }
    tested.sort_unstable();
    negate(steps, operands, results, registers.bools);
    let uses = Uses::count(ValueType::Int, steps, operands, results, registers.ints);
    let mut gone = vec![false; steps.len()];
    for (at, to, x) in signs {
        gone[at] = uses.reads(to) == 0 && tested.binary_search(&(x, regions.of(at))).is_ok();
    }
    remove(steps, &gone);
}

/// Replaces a negated [`SignTest::Same`] by [`SignTest::Differ`] if nothing else reads it. The negation becomes dead.
fn negate(steps: &mut [Step], operands: &mut [Register], results: &[(ValueType, Register)], bools: u32) {
    let uses = Uses::count(ValueType::Bool, steps, operands, results, bools);
    let mut same: FxHashMap<Register, (usize, [Register; 2])> = FxHashMap::default();
    for at in 0..steps.len() {
        match steps[at].work {
            Work::Sign(to, SignTest::Same(of)) if uses.reads(to) == 1 && uses.writes(to) == 1 => {
                same.insert(to, (at, of));
            }
            Work::Plain(Instruction::Not(to, test)) if uses.writes(to) == 1 => {
                if let Some((tested, of)) = same.remove(&test) {
                    steps[tested].work = Work::Sign(to, SignTest::Differ(of));
                    steps[at].work = Work::Plain(Instruction::Not(test, to));
                }
            }
            _ => {}
        }
    }
}

/// The bits without the sign bit: 0 for ±0, more than [`INFINITE`] for NaN.
#[inline(always)]
const fn size(x: f64) -> u64 {
    x.to_bits() << 1
}

const INFINITE: u64 = size(f64::INFINITY);

/// Returns 1 if two numbers have different signs, else 0. Avoids comparisons, whose results do not stay in vector registers.
#[inline(always)]
fn differ(a: f64, b: f64) -> u64 {
    let (some_a, some_b) = (size(a).min(1), size(b).min(1));
    // Unless one number is 0, the sign bits decide.
    let opposite = (a.to_bits() ^ b.to_bits()) >> 63;
    (some_a ^ some_b) | (some_a & opposite)
}

impl Lanes {
    /// Tests signs in all lanes.
    ///
    /// # Errors
    /// Fails if a number is NaN in a lane of the mask.
    #[inline(always)]
    pub(super) fn test_sign(
        &self,
        to: Register,
        test: SignTest,
        mask: Option<Register>,
        block: &mut Rows<'_>,
        n: usize,
    ) -> Result<(), LaneFault> {
        let Rows { bools, reals, .. } = block;
        let rows = All {
            array: reals,
            width: self.width,
            lanes: n,
        };
        let out = &mut bools[to as usize * self.width..][..n];
        let mut largest = 0;
        match test {
            SignTest::Same([a, b]) => {
                for (out, (&a, &b)) in out.iter_mut().zip(rows.row(a).iter().zip(rows.row(b))) {
                    *out = differ(a, b) == 0;
                    largest = largest.max(size(a)).max(size(b));
                }
            }
            SignTest::Differ([a, b]) => {
                for (out, (&a, &b)) in out.iter_mut().zip(rows.row(a).iter().zip(rows.row(b))) {
                    *out = differ(a, b) != 0;
                    largest = largest.max(size(a)).max(size(b));
                }
            }
            SignTest::Is([a], sign) => {
                let a = rows.row(a);
                macro_rules! test {
                    (|$x:ident| $holds:expr) => {
                        for (out, &$x) in out.iter_mut().zip(a) {
                            *out = $holds;
                            largest = largest.max(size($x));
                        }
                    };
                }
                match sign {
                    0 => test!(|x| x == 0.0),
                    1 => test!(|x| x > 0.0),
                    _ => test!(|x| x < 0.0),
                }
            }
        }
        if largest > INFINITE {
            let mut test = test;
            let needed = |lane: usize| mask.is_none_or(|mask| bools[mask as usize * self.width + lane]);
            let mut is_number = |lane: usize| test.reads().iter().all(|&of| !rows.row(of)[lane].is_nan());
            if let Some(lane) = (0..n).find(|&lane| needed(lane) && !is_number(lane)) {
                return Err((lane, ValueError::NOT_WHOLE));
            }
        }
        Ok(())
    }
}
