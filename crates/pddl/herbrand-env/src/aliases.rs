//! The environments of the core over suites.

use crate::error::EnvError;
use crate::observe::Bits;
use crate::suite::Suite;

/// An environment over the problems of a suite, with an observer of type `O` (none by default).
pub type Env<O = herbrand_core::Unobserved> = herbrand_core::Env<Suite, O>;

/// A batch of environments over one suite, stepped together.
pub type VecEnv<O = Bits> = herbrand_core::VecEnv<Suite, O>;

/// The reason why a batch of environments failed to step.
pub type VecError = herbrand_core::VecError<EnvError>;

/// A saved environment over a suite: the state and everything else on which its future depends, given its actions.
pub type Snapshot = herbrand_core::Snapshot<herbrand_step::State>;
