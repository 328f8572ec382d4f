//! Observers that are selected by name at run time, for problems that are not grounded.

use herbrand_core::{Memory, ObservationLayout, Observer};

use super::{Bits, ObservationMode, OneHotByObject};
use crate::error::EnvError;
use crate::observed::ObservedAtoms;
use crate::planning::{Lifted, Planning};
use crate::suite::LiftedSuite;

/// An observer whose mode is selected at run time, for problems that are not grounded.
/// [`ObservationMode::lifted_observer`] creates it. It writes bytes.
#[derive(Clone, Debug)]
pub enum LiftedObserver {
    /// The observer of `bits` and `bits-and-goal`.
    Bits(Bits),
    /// The observer of `atoms-one-hot-by-object`.
    OneHot(OneHotByObject),
}

impl ObservationMode {
    /// Creates the observer of this mode for problems that are stepped without grounding. `part` selects all observable
    /// atoms or only the changeable ones.
    ///
    /// # Errors
    /// Fails with [`EnvError::NeedsGrounding`] for the modes `packed-bits`, `packed-bits-and-goal` and `seen`. For
    /// `bits-and-goal`, also if a problem is faulty, exceeds the limits of the lifted engine, or has too many
    /// type-correct atoms to be numbered.
    pub fn lifted_observer(
        self,
        suite: &LiftedSuite,
        part: ObservedAtoms,
    ) -> Result<LiftedObserver, EnvError> {
        match self {
            Self::Bits => Ok(LiftedObserver::Bits(Bits::of(part))),
            Self::BitsAndGoal => Bits::with_lifted_goal(part, suite).map(LiftedObserver::Bits),
            Self::OneHot => Ok(LiftedObserver::OneHot(OneHotByObject::of(suite.suite()))),
            Self::PackedBits | Self::PackedBitsAndGoal | Self::Seen => Err(EnvError::NeedsGrounding {
                observation: self.name(),
            }),
        }
    }
}

impl Observer<LiftedSuite> for LiftedObserver {
    type Element = u8;

    fn layout(&self, suite: &LiftedSuite) -> Result<ObservationLayout, EnvError> {
        match self {
            Self::Bits(bits) => bits.layout(suite),
            Self::OneHot(matrix) => matrix.layout(suite),
        }
    }

    fn write(&self, planning: &Planning<Lifted>, memory: &Memory, into: &mut [u8]) -> usize {
        match self {
            Self::Bits(bits) => Observer::<LiftedSuite>::write(bits, planning, memory, into),
            Self::OneHot(matrix) => Observer::<LiftedSuite>::write(matrix, planning, memory, into),
        }
    }
}
