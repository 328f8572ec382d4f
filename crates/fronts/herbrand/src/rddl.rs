//! RDDL, from text to environments and planners.
//!
//! This module re-exports the crates of RDDL:
//!
//! - the language itself, `herbrand-rddl`: [`Domain`] and [`Instance`], from text to a checked model and back;
//! - the simulator and the suites;
//! - the planners and analyses of `herbrand-rddl-plan`: [`plan`], [`gradient`], [`portfolio`], [`interval`], [`xadd`] and
//!   [`network`].

#[doc(inline)]
pub use herbrand_rddl::*;
#[doc(inline)]
pub use herbrand_rddl_plan::*;

/// The example of the tutorial, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/tutorials/rddl.md")]
pub struct Tutorial;

/// The examples of the how-to guide, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/rddl-rust.md")]
pub struct HowTo;
