//! How a literal occurs in a clause of an operator.

use herbrand_edit::Part;

/// How an atom occurs in a precondition or an effect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Sign {
    /// As it is: the precondition asks for it, or the effect makes it true.
    Positive,
    /// Not at all.
    #[default]
    Absent,
    /// Negated: the precondition forbids it, or the effect makes it false.
    Negative,
}

impl Sign {
    /// All signs, by number.
    pub const ALL: [Self; 3] = [Self::Positive, Self::Absent, Self::Negative];

    /// The number of the sign: 0 positive, 1 absent, 2 negative.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }

    /// The sign of a number.
    #[must_use]
    pub fn from_number(number: u32) -> Option<Self> {
        Self::ALL.get(number as usize).copied()
    }

    /// The three bits of gym-pddlworld: 100 positive, 010 absent, 001 negative.
    #[must_use]
    pub const fn triplet(self) -> u8 {
        0b100 >> self as u8
    }

    /// The sign whose three bits these are; `None` if not exactly one of the three is set.
    #[must_use]
    pub fn from_triplet(bits: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|sign| sign.triplet() == bits)
    }

    /// The sign in one word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Positive => "positive",
            Self::Absent => "absent",
            Self::Negative => "negative",
        }
    }
}

/// The parts of an operator, by number: 0 the precondition, 1 the effect.
pub const PARTS: [Part; 2] = [Part::Precondition, Part::Effect];

/// The number of a part.
#[must_use]
pub const fn part_number(part: Part) -> usize {
    match part {
        Part::Precondition => 0,
        Part::Effect => 1,
    }
}

/// The signs of up to 128 literals: one part of an operator.
///
/// ```text
///   literal    4 3 2 1 0
///   positive   0 0 1 0 0      literal 2 occurs as it is,
///   negative   1 0 0 0 1      literals 0 and 4 occur negated,
///                             literals 1 and 3 not at all
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Signs {
    /// The literals that occur as they are.
    pub positive: u128,
    /// The literals that occur negated; none of them is positive too.
    pub negative: u128,
}

impl Signs {
    /// How many literals there can be.
    pub const MOST: usize = 128;

    /// The sign of a literal.
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

    /// Gives a literal a sign.
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

    /// How many literals have another sign in `other`.
    #[must_use]
    pub const fn distance(self, other: Self) -> u32 {
        ((self.positive ^ other.positive) | (self.negative ^ other.negative)).count_ones()
    }

    /// How many literals occur.
    #[must_use]
    pub const fn len(self) -> u32 {
        (self.positive | self.negative).count_ones()
    }

    /// Whether no literal occurs.
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
