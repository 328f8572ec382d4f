//! States as packed bits: eight atoms per byte.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Written};

use super::bitrow::set;
use super::{AtomSpace, GoalBits, Part};
use crate::{EnvError, Grounded, Planning, Suite};

/// One bit per observable atom, 1 for true; and, if wanted, one more per atom, 1 for those that the goal asks for.
///
/// Atom `i` is bit `i % 8` of byte `i / 8`, the lowest bit first, as `numpy.unpackbits(row, bitorder="little")` reads them.
/// Bits are numbered as those of [`Bits`](super::Bits). A row is an eighth as long, so batches of wide problems are written
/// and copied faster.
///
/// ```text
///   byte    0                                       1
///   bit     0        1        2        …  7         0 …
///   atom    on(a,b)  on(b,a)  clear(a) …  holding   clear(b) …
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PackedBits {
    /// Which atoms there are.
    pub part: Part,
    /// Whether the goal is beside the state.
    pub goal: GoalBits,
    /// How many bytes the state has.
    stride: usize,
}

impl PackedBits {
    /// Packed bits for the problems of `suite`. Compiles all of them.
    ///
    /// # Errors
    /// When a problem is at fault.
    pub fn of(suite: &Suite, part: Part, goal: GoalBits) -> Result<Self, EnvError> {
        Ok(Self {
            part,
            goal,
            stride: suite.sizes(part)?.atoms.div_ceil(8),
        })
    }

    /// How many bytes of a row of this length are written.
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
