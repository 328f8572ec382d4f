//! States as bits, optionally followed by the goal.

use herbrand_core::{BitRow, Memory, ObservationField, ObservationLayout, Observer, RowBit, Written};

use crate::atoms::AtomSpace;
use crate::error::EnvError;
use crate::observed::ObservedAtoms;
use crate::planning::{Grounded, Lifted, Planning};
use crate::suite::{LiftedSuite, Suite};

/// An observer with one byte per observable atom, 1 for true. Optionally another byte per atom follows, 1 if the goal
/// requires the atom. [`Env::observed`](herbrand_core::Env::observed) and [`VecEnv`](crate::VecEnv) take it. The
/// default has all atoms and no goal.
///
/// Byte `i` is atom `i` of the problem's [`AtomSpace`](crate::AtomSpace). With per-problem ids, its meaning differs between
/// the problems of a suite.
///
/// ```text
///   state   [ on(a,b) on(b,a) clear(a) … | 0 0 ]   padded to the widest problem of the suite
///   goal    [ on(a,b) on(b,a) clear(a) … | 0 0 ]   if wanted
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// The atoms that the observation includes, [`ObservedAtoms::All`] by default.
    pub part: ObservedAtoms,
    /// Whether goal bits follow the state bits. Do not change it, nor `part` after [`with_goal`](Self::with_goal): the
    /// constructors set the length that belongs to them.
    pub goal: GoalBits,
    /// The length of the state in bytes, which is the start of the goal; 0 if there are no goal bits.
    stride: usize,
}

/// Whether an observation of [`Bits`] or [`PackedBits`](crate::PackedBits) includes goal bits, which mark the atoms
/// that the goal requires. Of a disjunctive goal, the first disjunct counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GoalBits {
    /// No goal bits. The default.
    #[default]
    Absent,
    /// Goal bits follow those of the state.
    Beside,
}

impl Bits {
    /// Creates an observer of the state without the goal, with all observable atoms or only the changeable ones. It
    /// applies to any suite, grounded or lifted.
    #[must_use]
    pub const fn of(part: ObservedAtoms) -> Self {
        Self {
            part,
            goal: GoalBits::Absent,
            stride: 0,
        }
    }

    /// Creates an observer of state and goal for the problems of `suite`. Compiles all of them, unless they share ids.
    /// Use it for this suite only. `part` selects all observable atoms or only the changeable ones.
    ///
    /// # Errors
    /// Fails if a problem is faulty or too large to be grounded; then use [`with_lifted_goal`](Self::with_lifted_goal).
    pub fn with_goal(part: ObservedAtoms, suite: &Suite) -> Result<Self, EnvError> {
        Ok(Self {
            part,
            goal: GoalBits::Beside,
            stride: suite.sizes(part)?.atoms,
        })
    }

    /// Like [`with_goal`](Self::with_goal), for problems that are stepped without grounding. Use it for this suite
    /// only.
    ///
    /// # Errors
    /// Fails if a problem is faulty, exceeds the limits of the lifted engine, or has too many type-correct atoms to be
    /// numbered.
    pub fn with_lifted_goal(part: ObservedAtoms, suite: &LiftedSuite) -> Result<Self, EnvError> {
        Ok(Self {
            part,
            goal: GoalBits::Beside,
            stride: lifted_len(suite, part)?,
        })
    }

    /// Returns the layout of rows for a number of atoms.
    fn rows(&self, atoms: usize) -> ObservationLayout {
        let state = ObservationField::bits("state", vec![atoms]);
        let goal = ObservationField::bits("goal", vec![atoms]);
        ObservationLayout::new(match self.goal {
            GoalBits::Absent => vec![state],
            GoalBits::Beside => vec![state, goal],
        })
    }

    /// Clears the elements between the end of the state and the goal, and returns the start of the goal.
    fn end_state(&self, used: usize, into: &mut [u8]) -> usize {
        let start = self.stride.min(into.len());
        if let Some(gap) = into.get_mut(used..start) {
            gap.fill(0);
        }
        start
    }
}

impl Bits {
    /// Returns the bits of a row.
    fn row_bits(&self, atoms: &AtomSpace) -> Vec<RowBit> {
        let mut bits = atoms.row_bits(self.part);
        if self.goal == GoalBits::Beside {
            let length = bits.len();
            bits.resize(self.stride.max(length), RowBit::Zero);
            bits.extend(goal_bits(atoms, length));
        }
        bits
    }

    /// Returns the number of bytes written to a row of this length.
    #[inline]
    fn used(&self, atoms: &AtomSpace, length: usize) -> usize {
        let state = atoms.len(self.part);
        let used = match self.goal {
            GoalBits::Absent => state,
            GoalBits::Beside => self.stride + state,
        };
        used.min(length)
    }
}

/// Returns the first `length` bits of the goal, as bits of a row.
pub(super) fn goal_bits(atoms: &AtomSpace, length: usize) -> impl Iterator<Item = RowBit> + '_ {
    let bits = atoms.goal_bits().iter().take(length);
    bits.map(|&bit| if bit == 1 { RowBit::One } else { RowBit::Zero })
}

impl Observer<Suite> for Bits {
    type Element = u8;

    fn layout(&self, suite: &Suite) -> Result<ObservationLayout, EnvError> {
        Ok(self.rows(suite.sizes(self.part)?.atoms))
    }

    fn bit_row(&self, planning: &Planning<Grounded>) -> Option<BitRow> {
        Some(BitRow {
            bits: self.row_bits(planning.instance().atoms()),
            packed: false,
        })
    }

    #[inline]
    fn write(&self, planning: &Planning<Grounded>, _memory: &Memory, into: &mut [u8]) -> usize {
        let atoms = planning.instance().atoms();
        let used = atoms.write_front(planning.walker(), self.part, into);
        if self.goal == GoalBits::Absent {
            return used;
        }
        let start = self.end_state(used, into);
        let wanted = atoms.goal_bits();
        let wanted = &wanted[..wanted.len().min(atoms.len(self.part)).min(into.len() - start)];
        into[start..start + wanted.len()].copy_from_slice(wanted);
        start + wanted.len()
    }

    #[inline]
    fn rewrite(
        &self,
        planning: &Planning<Grounded>,
        memory: &Memory,
        written: &mut Written,
        into: &mut [u8],
    ) -> usize {
        let (atoms, walker) = (planning.instance().atoms(), planning.walker());
        let used = if written.words.is_empty() {
            Observer::<Suite>::write(self, planning, memory, into)
        } else {
            self.used(atoms, into.len())
        };
        atoms.changes(walker, &mut written.words, |number, truth| {
            if let Some(byte) = into.get_mut(number as usize) {
                *byte = u8::from(truth);
            }
        });
        used
    }
}

/// Byte `i` is atom `i` of the problem's [`LiftedAtoms`](crate::LiftedAtoms).
impl Observer<LiftedSuite> for Bits {
    type Element = u8;

    fn layout(&self, suite: &LiftedSuite) -> Result<ObservationLayout, EnvError> {
        Ok(self.rows(lifted_len(suite, self.part)?))
    }

    fn write(&self, planning: &Planning<Lifted>, _memory: &Memory, into: &mut [u8]) -> usize {
        let atoms = planning.walk().atoms();
        let used = atoms.write_front(planning.walker(), self.part, into);
        if self.goal == GoalBits::Absent {
            return used;
        }
        let start = self.end_state(used, into);
        let (_, goal) = into.split_at_mut(start);
        let len = used.min(goal.len());
        goal[..len].fill(0);
        for number in atoms.wanted() {
            if let Some(bit) = goal[..len].get_mut(number) {
                *bit = 1;
            }
        }
        start + len
    }
}

/// Returns the maximum number of atoms of a part over all problems.
fn lifted_len(suite: &LiftedSuite, part: ObservedAtoms) -> Result<usize, EnvError> {
    let mut longest = 0;
    for index in 0..suite.suite().len() {
        longest = longest.max(suite.planning(index, true)?.walk().atoms().len(part)?);
    }
    Ok(longest)
}
