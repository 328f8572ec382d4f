//! RDDL, from text to environments and planners.
//!
//! This module re-exports the crates of RDDL:
//!
//! - the language, `herbrand-rddl`: [`Domain`] and [`Instance`], from text to a checked model and back;
//! - the simulator, `herbrand-rddl-sim`: [`ground`], [`simulate`], [`suite`] and [`trace`], and the server of problems;
//! - the planners and analyses, `herbrand-rddl-plan`: [`plan`], [`gradient`], [`portfolio`], [`interval`], [`xadd`],
//!   [`network`] and [`space`];
//! - the compiler of graphs, `herbrand-dataflow`, as [`tape`];
//! - the distributions, `herbrand-distributions`, as [`draw`].

#[doc(inline)]
pub use herbrand_dataflow as tape;
#[doc(inline)]
pub use herbrand_distributions as draw;
#[doc(inline)]
pub use herbrand_rddl::*;
#[doc(inline)]
pub use herbrand_rddl_plan::*;
#[doc(inline)]
pub use herbrand_rddl_sim::*;

/// The example of the tutorial, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/tutorials/rddl.md")]
pub struct Tutorial;

/// The examples of the how-to guide, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/rddl-rust.md")]
pub struct HowTo;
