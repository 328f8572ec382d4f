//! States as packed bits: eight atoms per byte.

use herbrand_core::{BitRow, Memory, ObservationField, ObservationLayout, Observer, RowBit, Written};

use super::GoalBits;
use super::bits::goal_bits;
use crate::atoms::AtomSpace;
use crate::atoms::bitrow::set;
use crate::error::EnvError;
use crate::observed::ObservedAtoms;
use crate::planning::{Grounded, Planning};
use crate::suite::Suite;

/// An observer with one bit per observable atom, 1 for true. Optionally another bit per atom follows, 1 if the goal
/// requires the atom. [`of`](Self::of) creates it, and [`Env::observed`](herbrand_core::Env::observed) takes it. The
/// goal begins at a new byte.
///
/// Atom `i` is bit `i % 8` of byte `i / 8`, lowest bit first, as in `numpy.unpackbits(row, bitorder="little")`. Atoms have
/// the same ids as in [`Bits`](super::Bits). Rows are an eighth as long, so batches of wide problems are written and copied
/// faster.
///
/// ```text
///   byte    0                                       1
///   bit     0        1        2        …  7         0 …
///   atom    on(a,b)  on(b,a)  clear(a) …  holding   clear(b) …
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedBits {
    /// The atoms that the observation includes. Do not change it: the row has the length that belongs to it.
    pub part: ObservedAtoms,
    /// Whether goal bits follow the state bits.
    pub goal: GoalBits,
    /// The length of the state in bytes.
    stride: usize,
}

impl PackedBits {
    /// Creates an observer for the problems of `suite`. Compiles all of them, unless they share ids. Use it for this
    /// suite only. `part` selects all observable atoms or only the changeable ones; `goal` adds the bits of the goal.
    ///
    /// # Errors
    /// Fails if a problem is faulty or too large to be grounded. Problems that are not grounded have no packed bits;
    /// use [`Bits`](super::Bits).
    pub fn of(suite: &Suite, part: ObservedAtoms, goal: GoalBits) -> Result<Self, EnvError> {
        Ok(Self {
            part,
            goal,
            stride: suite.sizes(part)?.atoms.div_ceil(8),
        })
    }

    /// Returns the number of bytes written to a row of this length.
    fn used(&self, atoms: &AtomSpace, length: usize) -> usize {
        let state = atoms.len(self.part).div_ceil(8);
        let used = match self.goal {
            GoalBits::Absent => state,
            GoalBits::Beside => self.stride + state,
        };
        used.min(length)
    }
}

impl Observer<Suite> for PackedBits {
    type Element = u8;

    fn layout(&self, _suite: &Suite) -> Result<ObservationLayout, EnvError> {
        let field = |name: &str| ObservationField {
            high: 255.0,
            ..ObservationField::bits(name, vec![self.stride])
        };
        Ok(ObservationLayout::new(match self.goal {
            GoalBits::Absent => vec![field("state")],
            GoalBits::Beside => vec![field("state"), field("goal")],
        }))
    }

    fn bit_row(&self, planning: &Planning<Grounded>) -> Option<BitRow> {
        let atoms = planning.instance().atoms();
        let mut bits = atoms.row_bits(self.part);
        if self.goal == GoalBits::Beside {
            let length = bits.len();
            bits.resize(8 * self.stride, RowBit::Zero);
            bits.extend(goal_bits(atoms, length));
        }
        Some(BitRow { bits, packed: true })
    }

    #[inline]
    fn write(&self, planning: &Planning<Grounded>, _memory: &Memory, into: &mut [u8]) -> usize {
        let (atoms, walker) = (planning.instance().atoms(), planning.walker());
        let used = self.used(atoms, into.len());
        let into = &mut into[..used];
        let (state, goal) = into.split_at_mut(used.min(self.stride));
        atoms.write_packed(walker, self.part, state);
        goal.fill(0);
        if self.goal == GoalBits::Beside {
            let wanted = atoms.goal_bits()[..atoms.len(self.part)].iter().enumerate();
            wanted.for_each(|(number, &bit)| set(goal, number, bit == 1));
        }
        used
    }

    #[inline]
    fn rewrite(
        &self,
        planning: &Planning<Grounded>,
        memory: &Memory,
        written: &mut Written,
        into: &mut [u8],
    ) -> usize {
        let atoms = planning.instance().atoms();
        let used = if written.words.is_empty() {
            self.write(planning, memory, into)
        } else {
            self.used(atoms, into.len())
        };
        let state = into.len().min(self.stride);
        let state = &mut into[..state];
        atoms.changes(planning.walker(), &mut written.words, |number, truth| {
            set(state, number as usize, truth);
        });
        used
    }
}
