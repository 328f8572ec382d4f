//! The environments of the core over suites.

use crate::error::EnvError;
use crate::observe::Bits;
use crate::suite::Suite;

/// An environment over the problems of a suite, with an observer of type `O` (none by default).
/// [`Env::new`](herbrand_core::Env::new) or [`Env::observed`](herbrand_core::Env::observed) creates it, for the
/// grounded engine; then call `reset`. [`PlanningEnv`](crate::PlanningEnv) adds methods.
pub type Env<O = herbrand_core::Unobserved> = herbrand_core::Env<Suite, O>;

/// A batch of environments over one suite, stepped together. [`VecEnv::new`](herbrand_core::VecEnv::new) creates it
/// from a suite, an observer and a number of environments; then call `reset`. The observer has type `O`, [`Bits`] by
/// default.
pub type VecEnv<O = Bits> = herbrand_core::VecEnv<Suite, O>;

/// The reason why a call on a batch of environments ([`VecEnv`]) failed: a wrong buffer, an environment, or threads
/// that could not be started.
pub type VecError = herbrand_core::VecError<EnvError>;

/// A saved environment over a suite: the state and everything else on which its future depends, given its actions.
/// `Env::save` returns it and `Env::restore` takes it. [`PlanningEnv::unpack`](crate::PlanningEnv::unpack) reads it
/// from bytes.
pub type Snapshot = herbrand_core::Snapshot<herbrand_step::State>;
