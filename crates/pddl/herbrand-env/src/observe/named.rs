//! Observers that are selected by name at run time, for the program and Python.

use herbrand_core::{BitRow, Memory, ObservationLayout, Observer, Random, Written};

use super::{Bits, GoalBits, OneHotByObject, PackedBits, VisibleBits};
use crate::error::EnvError;
use crate::observed::ObservedAtoms;
use crate::planning::{Grounded, Planning};
use crate::suite::Suite;

/// Defines [`ObservationMode`], [`NamedObserver`] and the conversion between them, from one line per mode.
macro_rules! modes {
    ($($(#[$doc:meta])* $mode:ident: $observer:ty = $name:literal, $make:expr;)*) => {
        herbrand_text::named! {
            /// The observation modes that have a name, for choosing an observer at run time: `bits`, `bits-and-goal`,
            /// `packed-bits`, `packed-bits-and-goal`, `atoms-one-hot-by-object` and `seen`. The error of `FromStr` for
            /// any other text lists the names. `FromStr` parses a name, and [`observer`](Self::observer) creates the
            /// observer of a mode.
            #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
            pub enum ObservationMode {
                $($(#[$doc])* $mode = $name,)*
            }
            /// Returns the name of the mode, which `FromStr` reads back.
            pub fn name; parses, or String: |name| format!(
                "there is no observation `{name}`: choose one of {}",
                ObservationMode::ALL.map(ObservationMode::name).join(", ")
            )
        }

        /// An observer whose mode is selected at run time, with one variant per [`ObservationMode`].
        /// [`ObservationMode::observer`] creates it, for ground problems. It writes bytes.
        #[derive(Clone, Debug)]
        pub enum NamedObserver {
            $(
                #[doc = concat!("The observer of the mode `", $name, "`.")]
                $mode($observer),
            )*
        }

        impl ObservationMode {
            /// Creates the observer of this mode for the problems of `suite`. `part` selects all observable atoms or only
            /// the changeable ones.
            ///
            /// # Errors
            /// Fails if a problem is faulty or too large to be grounded, for the modes that compile the problems: all
            /// except `bits` and `atoms-one-hot-by-object`. These fail later, when the layout is asked for. If the
            /// suite shares ids, only `seen` compiles them.
            pub fn observer(self, suite: &Suite, part: ObservedAtoms) -> Result<NamedObserver, EnvError> {
                match self {
                    $(Self::$mode => {
                        let make: fn(&Suite, ObservedAtoms) -> Result<$observer, EnvError> = $make;
                        Ok(NamedObserver::$mode(make(suite, part)?))
                    })*
                }
            }
        }

        impl Observer<Suite> for NamedObserver {
            type Element = u8;

            fn layout(&self, suite: &Suite) -> Result<ObservationLayout, EnvError> {
                match self {
                    $(Self::$mode(observer) => observer.layout(suite),)*
                }
            }

            fn bit_row(&self, planning: &Planning<Grounded>) -> Option<BitRow> {
                match self {
                    $(Self::$mode(observer) => Observer::<Suite>::bit_row(observer, planning),)*
                }
            }

            #[inline]
            fn attend(&self, planning: &Planning<Grounded>, memory: &mut Memory, random: &mut Random) {
                match self {
                    $(Self::$mode(observer) => Observer::<Suite>::attend(observer, planning, memory, random),)*
                }
            }

            #[inline]
            fn write(&self, planning: &Planning<Grounded>, memory: &Memory, into: &mut [u8]) -> usize {
                match self {
                    $(Self::$mode(observer) => Observer::<Suite>::write(observer, planning, memory, into),)*
                }
            }

            #[inline]
            fn rewrite(
                &self,
                planning: &Planning<Grounded>,
                memory: &Memory,
                written: &mut Written,
                into: &mut [u8],
            ) -> usize {
                match self {
                    $(Self::$mode(observer) => Observer::<Suite>::rewrite(observer, planning, memory, written, into),)*
                }
            }
        }
    };
}

modes! {
    /// [`Bits`] of the state.
    Bits: Bits = "bits", |_, part| Ok(Bits::of(part));
    /// [`Bits`] of the state and of the goal.
    BitsAndGoal: Bits = "bits-and-goal", |suite, part| Bits::with_goal(part, suite);
    /// [`PackedBits`] of the state.
    PackedBits: PackedBits = "packed-bits", |suite, part| PackedBits::of(suite, part, GoalBits::Absent);
    /// [`PackedBits`] of the state and of the goal.
    PackedBitsAndGoal: PackedBits = "packed-bits-and-goal", |suite, part| PackedBits::of(suite, part, GoalBits::Beside);
    /// [`OneHotByObject`]; always all atoms, whatever part is selected.
    OneHot: OneHotByObject = "atoms-one-hot-by-object", |suite, _| Ok(OneHotByObject::of(suite));
    /// [`VisibleBits`]: the last seen values of atoms by the visibility rules of `env.toml`, which of them are known, and
    /// the goal.
    Seen: VisibleBits = "seen", VisibleBits::of;
}
