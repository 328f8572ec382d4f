//! The signs of literals in a precondition or an effect.

use herbrand_edit::SchemaPart;

herbrand_text::named! {
    /// The sign of a literal: how an atom occurs in a precondition or an effect, if at all.
    /// [`Sketch::get`](crate::Sketch::get) returns it, and [`SignEdit::sign`](crate::SignEdit::sign) is the new one. The
    /// default is [`Absent`](Self::Absent).
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
    pub enum Sign {
        /// Positive: the precondition requires the atom, or the effect adds it.
        Positive = "positive",
        /// The atom does not occur.
        #[default]
        Absent = "absent",
        /// Negative: the precondition forbids the atom, or the effect deletes it.
        Negative = "negative",
    }
    /// Returns the sign as a word: `positive`, `absent` or `negative`.
    pub fn name
}

impl Sign {
    /// Returns the number of the sign: 0 positive, 1 absent, 2 negative. It is the value in an action of four numbers.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// Returns the sign with this number; `None` if the number is above 2.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// Returns the encoding of the sign as three bits in gym-pddlworld: 100 positive, 010 absent, 001 negative.
    #[must_use]
    pub const fn triplet(self) -> u8 {
        0b100 >> self as u8
    }

    /// Returns the sign that [`triplet`](Self::triplet) encodes as `bits`; `None` if `bits` is none of 100, 010 and
    /// 001.
    #[must_use]
    pub fn from_triplet(bits: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|sign| sign.triplet() == bits)
    }
}

/// The parts of an operator (precondition and effect) in the order of their numbers: 0 precondition, 1 effect.
pub const PARTS: [SchemaPart; 2] = [SchemaPart::Precondition, SchemaPart::Effect];

/// Returns the number of a part of an operator: 0 precondition, 1 effect.
#[must_use]
pub const fn part_number(part: SchemaPart) -> usize {
    match part {
        SchemaPart::Precondition => 0,
        SchemaPart::Effect => 1,
    }
}

/// The signs of up to 128 literals in the precondition or the effect of an operator, as two bit masks. Bit `i` is
/// literal `i` of the operator, in the order of [`Operator::literals`](crate::Operator::literals).
/// [`Sketch::operator`](crate::Sketch::operator) returns them.
///
/// ```text
///   literal    4 3 2 1 0
///   positive   0 0 1 0 0      literal 2 occurs as it is,
///   negative   1 0 0 0 1      literals 0 and 4 occur negated,
///                             literals 1 and 3 not at all
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signs {
    /// The bit mask of the literals that occur unnegated.
    pub positive: u128,
    /// The bit mask of the literals that occur negated, disjoint from `positive`.
    pub negative: u128,
}

impl Signs {
    /// The maximum number of literals per operator.
    pub const MOST: usize = 128;

    /// Returns the sign of the literal with this index, which must be below [`MOST`](Self::MOST). Otherwise it panics
    /// or, without overflow checks, gives the sign of another literal.
    #[must_use]
    pub const fn get(self, literal: usize) -> Sign {
        let bit = 1 << literal;
        if self.positive & bit != 0 {
            Sign::Positive
        } else if self.negative & bit != 0 {
            Sign::Negative
        } else {
            Sign::Absent
        }
    }

    /// Sets the sign of the literal with this index, which must be below [`MOST`](Self::MOST). Otherwise it panics or,
    /// without overflow checks, sets another literal.
    pub const fn set(&mut self, literal: usize, sign: Sign) {
        let bit = 1 << literal;
        self.positive &= !bit;
        self.negative &= !bit;
        match sign {
            Sign::Positive => self.positive |= bit,
            Sign::Negative => self.negative |= bit,
            Sign::Absent => {}
        }
    }

    /// Returns the number of literals whose signs differ between `self` and `other`.
    #[must_use]
    pub const fn distance(self, other: Self) -> u32 {
        ((self.positive ^ other.positive) | (self.negative ^ other.negative)).count_ones()
    }

    /// Returns the number of literals that occur, with either sign.
    #[must_use]
    pub const fn len(self) -> u32 {
        (self.positive | self.negative).count_ones()
    }

    /// Returns whether all literals are absent.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.positive | self.negative == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_set_is_got() {
        let mut signs = Signs::default();
        for (literal, sign) in [(0, Sign::Negative), (127, Sign::Positive), (5, Sign::Positive)] {
            signs.set(literal, sign);
            assert_eq!(signs.get(literal), sign);
        }
        let before = signs;
        signs.set(5, Sign::Negative);
        assert_eq!(
            (signs.get(5), signs.positive & signs.negative),
            (Sign::Negative, 0)
        );
        assert_eq!((signs.distance(before), signs.len()), (1, 3));
        signs.set(5, Sign::Absent);
        assert_eq!(
            (signs.get(4), signs.get(5), signs.len()),
            (Sign::Absent, Sign::Absent, 2)
        );
    }

    #[test]
    fn triplets_are_those_of_the_table() {
        assert_eq!(Sign::ALL.map(Sign::triplet), [0b100, 0b010, 0b001]);
        assert_eq!(Sign::from_triplet(0b110), None);
        for sign in Sign::ALL {
            assert_eq!(Sign::from_triplet(sign.triplet()), Some(sign));
            assert_eq!(Sign::from_number(sign.number()), Some(sign));
        }
    }
}
