//! Partial observability: observers of the atoms that the agent sees or has seen.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer, Random};

use crate::error::EnvError;
use crate::observed::ObservedAtoms;
use crate::planning::{Grounded, Planning};
use crate::suite::Suite;

/// An observer of a partially observable state by the rules of the domain's settings
/// ([`ObserveConfig`](crate::ObserveConfig)), together with the goal. [`of`](Self::of) creates it, and
/// [`Env::observed`](herbrand_core::Env::observed) takes it, for the same suite. A row has three fields of bytes, each
/// with one byte per atom:
///
/// ```text
///   state   [ 1 0 0 1 … ]   1: the atom was true when it was last seen; 0: false, or not known
///   known   [ 1 1 0 1 … ]   1: it is in sight, or was in this episode (unless `memory` is `nothing`)
///   goal    [ 0 1 0 0 … ]   1: the goal asks for it, known or not
/// ```
///
/// Atoms have the same ids as in [`Bits`](super::Bits). With per-problem ids ([`Ids::Problem`](crate::Ids::Problem)), a
/// static atom has a bit only if it is true, so the layout of the row already reveals its value. To hide static atoms, use
/// [`Ids::Suite`](crate::Ids::Suite), where an atom has a bit if its objects exist.
///
/// The environment evaluates the rules from scratch after each reset and step, in time linear in the number of atoms
/// and rule instances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VisibleBits {
    /// The atoms that the observation includes. Do not change it: the row has the length that belongs to it.
    pub part: ObservedAtoms,
    /// The length of each field in bytes.
    stride: usize,
}

impl VisibleBits {
    /// Creates an observer for the problems of `suite`. Compiles all of them with and without the visibility rules. `part`
    /// selects all observable atoms or only the changeable ones.
    ///
    /// # Errors
    /// Fails if a problem is faulty or too large to be grounded. A domain without visibility rules is no error:
    /// everything is visible.
    pub fn of(suite: &Suite, part: ObservedAtoms) -> Result<Self, EnvError> {
        for index in 0..suite.len() {
            suite.visibility(index)?;
        }
        Ok(Self {
            part,
            stride: suite.sizes(part)?.atoms,
        })
    }
}

impl Observer<Suite> for VisibleBits {
    type Element = u8;

    fn layout(&self, suite: &Suite) -> Result<ObservationLayout, EnvError> {
        let atoms = suite.sizes(self.part)?.atoms;
        let field = |name| ObservationField::bits(name, vec![atoms]);
        Ok(ObservationLayout::new(
            ["state", "known", "goal"].map(field).into(),
        ))
    }

    fn attend(&self, planning: &Planning<Grounded>, memory: &mut Memory, _random: &mut Random) {
        if let Some(visibility) = planning.instance().visibility() {
            visibility.look(planning.walker(), memory);
        }
    }

    fn write(&self, planning: &Planning<Grounded>, memory: &Memory, into: &mut [u8]) -> usize {
        let used = (3 * self.stride).min(into.len());
        let into = &mut into[..used];
        into.fill(0);
        let atoms = planning.instance().atoms();
        let count = atoms.len(self.part);
        if let Some(visibility) = planning.instance().visibility() {
            visibility.write(memory, count, self.stride, into);
        }
        let wanted = &atoms.goal_bits()[..count];
        for (to, &from) in into.iter_mut().skip(2 * self.stride).zip(wanted) {
            *to = from;
        }
        used
    }
}
