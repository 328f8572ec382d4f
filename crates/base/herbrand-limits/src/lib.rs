//! Limits on time and memory, for every pass whose cost depends on its input. A pass is one stage of the work on a problem,
//! such as parsing or grounding.
//!
//! [`Limits`] are the numbers. A [`Budget`] is limits with a running clock. All passes over a problem share it, and another
//! thread can [cancel](Budget::cancel) it. A pass that may run long or use much memory has a [`Meter`]: it charges its
//! memory and steps to the meter, and stops when the meter reports that the budget is exhausted.
//!
//! ```
//! use herbrand_limits::{Budget, Limits};
//!
//! let budget = Budget::new(Limits { bytes: Some(1 << 20), time: None });
//! let mut meter = budget.meter("squaring");
//! let mut squares = Vec::new();
//! while meter.charge(size_of::<u64>() as u64) {
//!     squares.push(squares.len() as u64 * squares.len() as u64);
//! }
//! assert!(squares.len() < 1 << 18);
//! let exhausted = meter.finish().expect_err("a mebibyte holds no more");
//! assert_eq!(exhausted.to_string(), "the memory limit of 1 MiB is reached while squaring");
//! ```
//!
//! The crate `herbrand` re-exports this crate as `herbrand::limits`: there, read `herbrand_limits` in the examples as
//! `herbrand::limits`.

mod budget;
pub mod clock;
mod stack;
mod text;

pub use budget::{
    Budget, BudgetExhausted, Clock, Limits, Meter, bytes_asked, carry_over, check_enclosing, outside,
};
pub use clock::Instant;
pub use stack::deep;
pub use text::{size_text, time_text};
