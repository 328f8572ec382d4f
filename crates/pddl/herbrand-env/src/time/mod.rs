//! Time: a clock on top of engines whose actions take none.
//!
//! A domain with time is split into snap actions ([`SteppedDomain`](herbrand_pddl::SteppedDomain)). The [`Clock`] knows which
//! actions run and which ends and timed literals come next, and carries out those of an instant when the agent waits. Its times
//! are part of the state of the walker, as atoms and numbers, so states can be stored, compared and observed as any others.

mod accesses;
mod agenda;
mod choices;
mod clock;
mod deorder;
mod grounded;
mod host;
mod record;
mod schedule;
mod steps;
mod wait;

pub use agenda::{Agenda, RunningAction, TimedPlan, TimedPlanStep};
pub(crate) use clock::Clock;
pub(crate) use grounded::{GroundHost, GroundTimes};
pub(crate) use host::{Change, Host, Which, is_of_clock};
pub(crate) use record::Facts;
pub(crate) use schedule::Schedule;
