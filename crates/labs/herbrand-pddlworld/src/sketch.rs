//! Sketches: domains under edit, as selections of literals.

use herbrand_edit::SchemaPart;
use num_bigint::BigUint;
use num_traits::Zero;

use crate::sign::{PARTS, Sign, Signs, part_number};
use crate::vocabulary::SketchVocabulary;

/// A domain under edit: for each operator, the signs of its literals in precondition and effect. A sketch is the
/// state of a world.
///
/// As integers, a sketch has the form of gym-pddlworld. Literal `p` of operator `a` has three bits. They start at bit
/// `3 · (o + p)`, where `o` is the number of literals of the operators before `a`. If every operator has `P` literals, this
/// is bit `3 · P · a + 3 · p`.
///
/// [`Target::sketch`](crate::Target::sketch) and [`World::sketch`](crate::World::sketch) return one;
/// [`empty`](Self::empty) and [`from_signs`](Self::from_signs) create one. The functions of
/// [`Target`](crate::Target) compare it.
///
/// ```text
///   bits       010    100    010    001        100 positive
///   operator   A2     A2     A1     A1         010 absent
///   literal    P2     P1     P2     P1         001 negative
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Sketch {
    /// The precondition and effect of each operator.
    clauses: Box<[[Signs; 2]]>,
}

/// The error of [`Sketch::from_integers`]: the reason why two integers do not encode a sketch.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IntegerError {
    /// Three bits are not one of 100, 010 and 001.
    #[error(
        "bits {bit} to {} of the {part} number are {found:03b}, not 100 (positive), 010 (absent) or 001 (negative)",
        bit + 2
    )]
    Triplet {
        /// The part that the faulty integer encodes.
        part: SchemaPart,
        /// The index of the lowest of the three bits.
        bit: u64,
        /// The three bits.
        found: u8,
    },
    /// An integer has more bits than the literals need.
    #[error("the {part} number has {found} bits; at most {expected} are allowed")]
    TooLong {
        /// The part that the faulty integer encodes.
        part: SchemaPart,
        /// The number of bits found.
        found: u64,
        /// The maximum number of bits.
        expected: u64,
    },
}

/// A change of one sign of a sketch: an edit of the domain. [`Sketch::set`] applies it, and [`Sketch::changes_to`]
/// returns them. The indices are those of [`SketchVocabulary::operators`] and
/// [`Operator::literals`](crate::Operator::literals).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SignEdit {
    /// Whether the literal is in the precondition or the effect.
    pub part: SchemaPart,
    /// The index of the operator.
    pub operator: usize,
    /// The index of the literal in the operator.
    pub literal: usize,
    /// The new sign.
    pub sign: Sign,
}

impl Sketch {
    /// Creates a sketch in which all preconditions and effects are empty.
    #[must_use]
    pub fn empty(vocabulary: &SketchVocabulary) -> Self {
        Self {
            clauses: vec![[Signs::default(); 2]; vocabulary.operators().len()].into(),
        }
    }

    /// Creates a sketch from a function that returns the sign for a part, the index of an operator, and the index of a
    /// literal. `sign` is called once for each part and literal: by operator, preconditions before effects, then by
    /// literal.
    #[must_use]
    pub fn from_signs(
        vocabulary: &SketchVocabulary,
        mut sign: impl FnMut(SchemaPart, usize, usize) -> Sign,
    ) -> Self {
        let mut sketch = Self::empty(vocabulary);
        for (operator, of) in vocabulary.operators().iter().enumerate() {
            for part in PARTS {
                for literal in 0..of.literals.len() {
                    sketch.set(SignEdit {
                        part,
                        operator,
                        literal,
                        sign: sign(part, operator, literal),
                    });
                }
            }
        }
        sketch
    }

    /// Returns the signs in the precondition and in the effect of the operator with this index.
    ///
    /// # Panics
    /// Panics if there is no such operator.
    #[must_use]
    pub fn operator(&self, operator: usize) -> [Signs; 2] {
        self.clauses[operator]
    }

    /// Returns the number of operators in the domain that the sketch describes.
    #[must_use]
    pub fn operators(&self) -> usize {
        self.clauses.len()
    }

    /// Returns the sign of a literal in the precondition or effect of an operator, both given by index. A literal that
    /// the operator does not have is absent, if its index is below [`Signs::MOST`].
    ///
    /// # Panics
    /// Panics if there is no such operator.
    #[must_use]
    pub fn get(&self, part: SchemaPart, operator: usize, literal: usize) -> Sign {
        self.clauses[operator][part_number(part)].get(literal)
    }

    /// Applies a change: sets the sign of one literal. A literal that the vocabulary does not have is not noticed here;
    /// [`fits`](Self::fits) tells.
    ///
    /// # Panics
    /// Panics if there is no such operator.
    pub fn set(&mut self, change: SignEdit) {
        self.clauses[change.operator][part_number(change.part)].set(change.literal, change.sign);
    }

    /// Returns the number of signs that differ between two sketches of one vocabulary, which is the number of edits
    /// that turn one into the other. It is 0 exactly if they are equal. Of sketches with different numbers of
    /// operators, the further operators are left out.
    #[must_use]
    pub fn distance(&self, other: &Self) -> u32 {
        let pairs = self.clauses.iter().flatten().zip(other.clauses.iter().flatten());
        pairs.map(|(one, other)| one.distance(*other)).sum()
    }

    /// Returns the changes that turn this sketch into `other`, a sketch of the same vocabulary: one per sign that
    /// differs. They are ordered by operator, then preconditions before effects, then by literal. Empty if the
    /// sketches are equal. [`Target::edits`](crate::Target::edits) returns the same as edits of PDDL.
    ///
    /// # Panics
    /// Panics if a sketch has fewer operators than the vocabulary.
    #[must_use]
    pub fn changes_to(&self, other: &Self, vocabulary: &SketchVocabulary) -> Vec<SignEdit> {
        let mut changes = Vec::new();
        for (operator, of) in vocabulary.operators().iter().enumerate() {
            for part in PARTS {
                let sign = |literal| other.get(part, operator, literal);
                let differing = (0..of.literals.len())
                    .filter(|&literal| self.get(part, operator, literal) != sign(literal))
                    .map(|literal| SignEdit {
                        part,
                        operator,
                        literal,
                        sign: sign(literal),
                    });
                changes.extend(differing);
            }
        }
        changes
    }

    /// Returns whether this sketch has the operators and literals of a vocabulary. A sketch of another target may fit
    /// too.
    #[must_use]
    pub fn fits(&self, vocabulary: &SketchVocabulary) -> bool {
        let fits = |(clauses, literals): (&[Signs; 2], usize)| {
            let known = if literals < Signs::MOST {
                (1 << literals) - 1
            } else {
                u128::MAX
            };
            let fits = |signs: &Signs| {
                (signs.positive | signs.negative) & !known == 0 && signs.positive & signs.negative == 0
            };
            clauses.iter().all(fits)
        };
        let widths = vocabulary
            .operators()
            .iter()
            .map(|operator| operator.literals.len());
        self.clauses.len() == vocabulary.operators().len() && self.clauses.iter().zip(widths).all(fits)
    }

    /// Returns the sketch encoded as two integers: the preconditions and the effects.
    /// [`from_integers`](Self::from_integers) is the inverse.
    ///
    /// # Panics
    /// Panics if the sketch has fewer operators than the vocabulary.
    #[must_use]
    pub fn integers(&self, vocabulary: &SketchVocabulary) -> [BigUint; 2] {
        PARTS.map(|part| {
            let mut number = BigUint::zero();
            for (operator, of) in vocabulary.operators().iter().enumerate().rev() {
                for literal in (0..of.literals.len()).rev() {
                    number = (number << 3_u8) | BigUint::from(self.get(part, operator, literal).triplet());
                }
            }
            number
        })
    }

    /// Decodes a sketch from two integers, preconditions and effects. [`integers`](Self::integers) is the inverse.
    ///
    /// # Errors
    /// Fails if an integer has too many bits, or three of its bits are not a sign.
    pub fn from_integers(
        vocabulary: &SketchVocabulary,
        numbers: &[BigUint; 2],
    ) -> Result<Self, IntegerError> {
        let expected = 3 * vocabulary.len() as u64;
        for (part, number) in PARTS.into_iter().zip(numbers) {
            let found = number.bits();
            if found > expected {
                return Err(IntegerError::TooLong {
                    part,
                    found,
                    expected,
                });
            }
        }
        let mut sketch = Self::empty(vocabulary);
        for (part, number) in PARTS.into_iter().zip(numbers) {
            for place in 0..vocabulary.len() {
                let bit = 3 * place as u64;
                let found = (0..3).fold(0, |bits, offset| {
                    bits | u8::from(number.bit(bit + offset)) << offset
                });
                let sign = Sign::from_triplet(found).ok_or(IntegerError::Triplet { part, bit, found })?;
                if let Some((operator, literal)) = vocabulary.at(place) {
                    sketch.set(SignEdit {
                        part,
                        operator,
                        literal,
                        sign,
                    });
                }
            }
        }
        Ok(sketch)
    }

    /// Returns the sketch as bytes, 64 per operator.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let words = self
            .clauses
            .iter()
            .flatten()
            .flat_map(|signs| [signs.positive, signs.negative]);
        words.flat_map(u128::to_le_bytes).collect()
    }

    /// Decodes a sketch from bytes. Returns `None` if they are not a sketch of this vocabulary.
    pub(crate) fn from_bytes(vocabulary: &SketchVocabulary, bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.as_chunks::<16>();
        let words: Vec<_> = words.iter().map(|bytes| u128::from_le_bytes(*bytes)).collect();
        let signs = |pair: &[u128]| Signs {
            positive: pair[0],
            negative: pair[1],
        };
        let clauses = words
            .chunks_exact(4)
            .map(|four| [signs(&four[..2]), signs(&four[2..])]);
        let sketch = Self {
            clauses: clauses.collect(),
        };
        (rest.is_empty() && words.len() % 4 == 0 && sketch.fits(vocabulary)).then_some(sketch)
    }
}
