//! RDDL, the Relational Dynamic Influence Diagram Language (Sanner 2010): factored Markov decision processes whose
//! next-state variables depend on the state and on a joint action.
//!
//! Texts ([`Source`]) are parsed into a [`Domain`] and an [`Instance`], which contains its domain. In these models every
//! name is resolved to an id, and every range is checked. If the texts have faults, all of them are returned at once as
//! [`Faults`]. Each fault has a [`Code`], its place in the text, and help.
//!
//! ```
//! use herbrand_rddl::{Instance, Kind};
//!
//! let domain = "
//!     domain lights {
//!         types { lamp : object; };
//!         pvariables {
//!             on(lamp)    : { state-fluent,  bool, default = false };
//!             press(lamp) : { action-fluent, bool, default = false };
//!         };
//!         cpfs { on'(?l) = if (press(?l)) then ~on(?l) else on(?l) ^ Bernoulli(0.9); };
//!         reward = sum_{?l : lamp} on(?l);
//!     }";
//! let evening = "
//!     instance evening {
//!         domain = lights;
//!         objects { lamp : { hall, kitchen }; };
//!         init-state { on(hall); };
//!         max-nondef-actions = 1;
//!         horizon = 20;
//!         discount = 1.0;
//!     }";
//! let instance = Instance::from_text(domain, evening)?;
//! let on = instance.domain.find_pvariable("on").unwrap();
//! assert_eq!(instance.domain.pvariable(on).kind, Kind::State);
//! assert_eq!(instance.count(on), 2);
//! assert_eq!(instance.ground_name(on, 1), "on___kitchen");
//! assert_eq!(Instance::from_text(&instance.domain.to_rddl(), &instance.to_rddl())?, instance);
//!
//! let faults = Instance::from_text(domain, &evening.replace("on(hall)", "on(hal)")).unwrap_err();
//! assert_eq!(
//!     faults.to_string(),
//!     "\
//! error[E1104]: `lamp` has no item `hal`
//!  --> instance:5:25
//!   |
//! 5 |         init-state { on(hal); };
//!   |                         ^^^ no such object or value
//!   |
//!   = help: did you mean `hall`?"
//! );
//! # Ok::<(), herbrand_rddl::Faults>(())
//! ```
//!
//! The way of a text: `syntax` makes tokens of it and builds a tree with places; `check` resolves the tree into the
//! [model](Domain). Both go on after a fault. [`read`] gives access to the steps, for texts with several blocks and for warnings.
//! [`Domain::to_rddl`] and [`Instance::to_rddl`] go back to text, and reading that gives an equal model. [`draw`] has the
//! distributions, [`simulate`] the simulator, and [`suite`] makes environments of a domain and its instances.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::rddl`: there, read `herbrand_rddl` in the examples as
//! `herbrand::rddl`.

mod chart;
mod check;
mod diagnostic;
pub mod draw;
mod file;
mod format;
pub mod gradient;
pub mod ground;
pub mod interval;
mod model;
pub mod network;
mod picture;
#[cfg(feature = "png")]
mod pixels;
pub mod plan;
pub mod portfolio;
mod print;
mod read;
#[cfg(feature = "server")]
pub mod server;
pub mod simulate;
#[cfg(feature = "strategies")]
pub mod strategies;
pub mod suite;
mod syntax;
pub mod tape;
pub mod trace;
pub mod xadd;

pub use diagnostic::{Code, Diagnostic, Explanation, Faults, LoadError};
pub use format::format;
pub use herbrand_text::{Label, Origin, Place, Position, Severity, Source, Span, Style, UnknownCode};
pub use model::*;
pub use picture::{EnvSettings, StatePicture};
#[cfg(feature = "png")]
pub use pixels::Pixels;
pub use read::{Document, ReadOptions, Reading, UncheckedDomain, UncheckedInstance, read};

/// The example of the tutorial, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/tutorials/rddl.md")]
pub struct Tutorial;

/// The examples of the how-to guide, run as tests.
#[cfg(doctest)]
#[doc = include_str!("../../../../docs/how-to/rddl-rust.md")]
pub struct HowTo;
