//! States as bits, with the goal beside them if wanted.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Written};

use super::{AtomSpace, Part};
use crate::{EnvError, Grounded, Lifted, LiftedSuite, Planning, Suite};

/// One byte per observable atom, 1 for true; and, if wanted, one more per atom, 1 for those that the goal asks for.
///
/// Bit `i` is the atom `i` of the problem's [`AtomSpace`](crate::AtomSpace), so it means something else in another problem
/// of the suite.
///
/// ```text
///   state   [ on(a,b) on(b,a) clear(a) … | 0 0 ]   padded to the widest problem of the suite
///   goal    [ on(a,b) on(b,a) clear(a) … | 0 0 ]   if wanted
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Bits {
    /// Which atoms there are.
    pub part: Part,
    /// Whether the goal is beside the state.
    pub goal: GoalBits,
    /// How many bytes the state has; 0 if the goal is not beside it.
    stride: usize,
}

/// Whether an observation has bits of the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum GoalBits {
    /// It has none.
    #[default]
    Absent,
    /// Behind those of the state.
    Beside,
}

impl Bits {
    /// Bits of the state alone.
    #[must_use]
    pub const fn of(part: Part) -> Self {
        Self {
            part,
            goal: GoalBits::Absent,
            stride: 0,
        }
    }

    /// Bits of the state and, behind them, of the goal, for the problems of `suite`. Compiles all of them.
    ///
    /// # Errors
    /// When a problem is at fault.
    pub fn with_goal(part: Part, suite: &Suite) -> Result<Self, EnvError> {
        Ok(Self {
            part,
            goal: GoalBits::Beside,
            stride: suite.sizes(part)?.atoms,
        })
    }

    /// [`with_goal`](Self::with_goal) for problems that are not grounded.
    ///
    /// # Errors
    /// When a problem is at fault, or has too many type-correct atoms to be numbered.
    pub fn with_lifted_goal(part: Part, suite: &LiftedSuite) -> Result<Self, EnvError> {
        Ok(Self {
            part,
            goal: GoalBits::Beside,
            stride: lifted_len(suite, part)?,
        })
    }

    /// The layout of rows for a number of atoms.
    fn rows(&self, atoms: usize) -> ObservationLayout {
        let state = ObservationField::bits("state", vec![atoms]);
        let goal = ObservationField::bits("goal", vec![atoms]);
        ObservationLayout::new(match self.goal {
            GoalBits::Absent => vec![state],
            GoalBits::Beside => vec![state, goal],
        })
    }

    /// Clears what is between the end of the state and the goal, and returns where the goal begins.
    fn end_state(&self, used: usize, into: &mut [u8]) -> usize {
        let start = self.stride.min(into.len());
        if let Some(gap) = into.get_mut(used..start) {
            gap.fill(0);
        }
        start
    }
}

impl Bits {
    /// How many bytes of a row of this length are written.
    fn used(&self, atoms: &AtomSpace, length: usize) -> usize {
        let state = atoms.len(self.part);
        let used = match self.goal {
            GoalBits::Absent => state,
            GoalBits::Beside => self.stride + state,
        };
        used.min(length)
    }
}

impl Observer<Suite> for Bits {
    type Element = u8;

    fn layout(&self, suite: &Suite) -> Result<ObservationLayout, EnvError> {
        Ok(self.rows(suite.sizes(self.part)?.atoms))
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

/// Bit `i` is the atom `i` of the problem's [`LiftedAtoms`](crate::LiftedAtoms).
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

/// The most atoms of a part that a problem has.
fn lifted_len(suite: &LiftedSuite, part: Part) -> Result<usize, EnvError> {
    let mut longest = 0;
    for index in 0..suite.suite().len() {
        longest = longest.max(suite.planning(index, true)?.walk().atoms().len(part)?);
    }
    Ok(longest)
}
