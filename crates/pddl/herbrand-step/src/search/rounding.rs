//! Whether the arithmetic of a task is exact in 64-bit floating-point numbers.

use std::fmt;

use herbrand_ground::{
    ActionId, BlockId, ExpressionId, GroundAssignment, GroundExpression, GroundTask, NumericId,
};
use herbrand_pddl::{ArithmeticOperator, AssignOperator};

use crate::grounded::state::decode;

/// The first reason found why numbers of a task may be rounded. A search in such a task proves nothing: a comparison of rounded
/// numbers may hold or fail wrongly. [`of`](Self::of) finds the reason, and its text is a clause such as "0.1 is not exact in
/// binary".
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rounding {
    /// A constant that is not exact in binary, or is so large that it may have been rounded.
    Constant(f64),
    /// A division by a value that is no power of two.
    Quotient,
    /// A sum or product with more than 53 significant bits.
    Digits,
}

impl fmt::Display for Rounding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) if value.abs() >= LARGE => {
                write!(f, "{value} is too large to be exact")
            }
            Self::Constant(value) => write!(f, "{value} is not exact in binary"),
            Self::Quotient => write!(f, "a quotient need not be exact in binary"),
            Self::Digits => write!(f, "a sum or product has more than 53 bits"),
        }
    }
}

/// The bits after the binary point of exact constants. A decimal of up to 12 digits is a multiple of 2^-10, or its nearest
/// floating-point number is none either.
const FRACTION_BITS: i32 = 10;

/// 2^52: smaller whole numbers are exact.
const LARGE: f64 = (1_u64 << 52) as f64;

/// The significant bits of a floating-point number.
const BITS: i32 = f64::MANTISSA_DIGITS as i32;

/// A set of numbers: multiples of 2^`grain` whose absolute values are at most `most`.
#[derive(Clone, Copy, Debug)]
struct Size {
    most: f64,
    grain: i32,
}

impl Size {
    const ZERO: Self = Self {
        most: 0.0,
        grain: i32::MAX,
    };

    fn of(value: f64) -> Self {
        if value == 0.0 {
            return Self::ZERO;
        }
        let bits = value.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, bits & ((1 << 52) - 1));
        let significand = fraction | u64::from(exponent > 0) << 52;
        Self {
            most: value.abs(),
            grain: exponent.max(1) - 1075 + significand.trailing_zeros() as i32,
        }
    }

    fn with(self, other: Self) -> Self {
        Self {
            most: self.most.max(other.most),
            grain: self.grain.min(other.grain),
        }
    }

    /// Returns the size of the values divided by a power of two; `None` for another divisor.
    fn divided(self, divisor: f64) -> Option<Self> {
        let by = Self::of(divisor);
        let is_power = by.most == 2_f64.powi(by.grain.min(2000));
        is_power.then(|| Self {
            most: self.most / by.most,
            grain: self.grain.saturating_sub(by.grain),
        })
    }

    /// Returns the size if all its values are floating-point numbers.
    fn exact(self) -> Result<Self, Rounding> {
        let fits = self.grain >= -1074 && self.most < 2_f64.powi(self.grain.min(2000) + BITS);
        if fits || self.most == 0.0 {
            Ok(self)
        } else {
            Err(Rounding::Digits)
        }
    }
}

impl Rounding {
    /// Returns why numbers of a task may be rounded, given the words of all states that a search has found; `None` if the
    /// search has computed and compared all of them exactly. Amounts added to accumulators are not looked at.
    ///
    /// Constants must have few bits. Each number then has a smallest unit and, in the states found, a largest value. By
    /// induction over the steps, all values are exact if each expression over numbers of this size fits into 53 bits.
    pub fn of<'w>(task: &GroundTask, states: impl Iterator<Item = &'w [u64]>) -> Option<Self> {
        if task.state_numerics == 0 && !task.conditions.has_comparisons() {
            return None;
        }
        Self::check(task, states).err()
    }

    fn check<'w>(task: &GroundTask, states: impl Iterator<Item = &'w [u64]>) -> Result<(), Self> {
        let numbers = task.state_numerics as usize;
        let initial = task.numerics[..numbers].iter();
        let initial = initial.map(|numeric| numeric.initial.map_or(Ok(Size::ZERO), constant));
        let mut found = initial.collect::<Result<Vec<_>, _>>()?;
        for words in states {
            for (size, &word) in found.iter_mut().zip(&words[words.len() - numbers..]) {
                *size = size.with(decode(word).map_or(Size::ZERO, Size::of));
            }
        }
        let sizes = sizes(task, &found)?;
        let size = |id: ExpressionId| sizes[id.index()].unwrap_or(Size::ZERO);
        let actions = task.actions.ids().map(|id: ActionId| task.actions.get(id).effect);
        for block in actions.chain([task.initial_chance]) {
            let mut effects = assignments(task, block);
            effects.sort_by_key(|effect| effect.target);
            for group in effects.chunk_by(|one, other| one.target == other.target) {
                let of_target = found[group[0].target.index()];
                let mut grain = of_target.grain;
                for effect in group {
                    let value = size(effect.value);
                    match effect.operator {
                        AssignOperator::Assign => {}
                        AssignOperator::Increase | AssignOperator::Decrease => grain = grain.min(value.grain),
                        AssignOperator::ScaleUp => grain = grain.saturating_add(value.grain),
                        AssignOperator::ScaleDown => match task.expressions[effect.value.index()] {
                            GroundExpression::Number(by) => {
                                let unit = Size { most: 1.0, grain }.divided(by);
                                grain = unit.ok_or(Self::Quotient)?.grain;
                            }
                            _ => return Err(Self::Quotient),
                        },
                    }
                }
                // A result that was rounded is at least 2^53 units, and is one of the values found.
                Size { grain, ..of_target }.exact()?;
            }
        }
        Ok(())
    }
}

/// Returns the size of a constant that is certainly what its text says.
fn constant(value: f64) -> Result<Size, Rounding> {
    let size = Size::of(value);
    if size.grain < -FRACTION_BITS || size.most >= LARGE {
        return Err(Rounding::Constant(value));
    }
    Ok(size)
}

/// Returns the sizes of the expressions that conditions and numbers of the state depend on, given those of these numbers;
/// `None` for others, and for expressions without a value.
fn sizes(task: &GroundTask, found: &[Size]) -> Result<Vec<Option<Size>>, Rounding> {
    let mut is_read = vec![false; task.expressions.len()];
    for comparison in task.conditions.iter().flat_map(|one| one.comparisons) {
        is_read[comparison.left.index()] = true;
        is_read[comparison.right.index()] = true;
    }
    for block in (0..task.effects.len()).map(BlockId::from_index) {
        let assignments = task.effects.get(block).assignments.iter();
        for effect in assignments.filter(|effect| is_in_state(task, effect.target)) {
            is_read[effect.value.index()] = true;
        }
    }
    for (index, expression) in task.expressions.iter().enumerate().rev() {
        if let (GroundExpression::Apply(_, left, right), true) = (expression, is_read[index]) {
            is_read[left.index()] = true;
            is_read[right.index()] = true;
        }
    }
    let mut sizes: Vec<Option<Size>> = Vec::with_capacity(task.expressions.len());
    for (index, &expression) in task.expressions.iter().enumerate() {
        let size = match expression {
            _ if !is_read[index] => None,
            GroundExpression::Number(value) => Some(constant(value)?),
            GroundExpression::Fluent(id) => found.get(id.index()).copied(),
            GroundExpression::Undefined | GroundExpression::Special(_) => None,
            GroundExpression::Apply(operator, left, right) => {
                let divisor = task.expressions[right.index()];
                match (sizes[left.index()], sizes[right.index()]) {
                    (Some(left), Some(right)) => applied(operator, left, right, divisor)?,
                    _ => None,
                }
            }
        };
        sizes.push(size);
    }
    Ok(sizes)
}

/// Returns the size of the results of an operation; `None` for a division by zero.
fn applied(
    operator: ArithmeticOperator,
    left: Size,
    right: Size,
    divisor: GroundExpression,
) -> Result<Option<Size>, Rounding> {
    let size = match operator {
        ArithmeticOperator::Add | ArithmeticOperator::Subtract | ArithmeticOperator::Negate => Size {
            most: left.most + right.most,
            grain: left.grain.min(right.grain),
        },
        ArithmeticOperator::Multiply => Size {
            most: left.most * right.most,
            grain: left.grain.saturating_add(right.grain),
        },
        ArithmeticOperator::Divide => match divisor {
            GroundExpression::Number(0.0) => return Ok(None),
            GroundExpression::Number(by) => left.divided(by).ok_or(Rounding::Quotient)?,
            _ => return Err(Rounding::Quotient),
        },
    };
    size.exact().map(Some)
}

fn is_in_state(task: &GroundTask, id: NumericId) -> bool {
    id.number() < task.state_numerics
}

/// Returns the effects of a block and of its inner blocks on numbers of the state.
fn assignments(task: &GroundTask, block: BlockId) -> Vec<GroundAssignment> {
    let (mut all, mut open) = (Vec::new(), vec![block]);
    while let Some(id) = open.pop() {
        let block = task.effects.get(id);
        let own = block.assignments.iter();
        all.extend(own.filter(|effect| is_in_state(task, effect.target)));
        open.extend(block.whens.iter().map(|&(_, inner)| inner));
        open.extend(
            block
                .draws
                .iter()
                .flat_map(|&draw| task.effects.draw(draw).blocks),
        );
    }
    all
}
