//! RDDL, the Relational Dynamic Influence Diagram Language (Sanner 2010): factored Markov decision processes whose
//! next-state variables depend on the state and on a joint action.
//!
//! Texts ([`Source`]) are parsed into a [`Domain`] and an [`Instance`], which contains its domain. In these models every
//! name is resolved to an id, and every range is checked. If the texts have faults, all of them are returned at once as
//! [`Faults`]. Each fault has a [`Code`], its place in the text, and help.
//!
//! ```
//! use herbrand_rddl::{Instance, PvariableKind};
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
//! assert_eq!(instance.domain.pvariable(on).kind, PvariableKind::State);
//! assert_eq!(instance.count(on), 2);
//! assert_eq!(instance.ground_name(on, 1), "on___kitchen");
//! assert_eq!(Instance::from_text(&instance.domain.to_rddl(), &instance.to_rddl())?, instance);
//!
//! let faults = Instance::from_text(domain, &evening.replace("on(hall)", "on(hal)")).unwrap_err();
//! assert_eq!(
//!     faults.to_string(),
//!     "\
//! error[E1104]: `lamp` has no object `hal`
//!  --> instance:5:25
//!   |
//! 5 |         init-state { on(hal); };
//!   |                         ^^^ no such object
//!   |
//!   = help: did you mean `hall`?"
//! );
//! # Ok::<(), herbrand_rddl::Faults>(())
//! ```
//!
//! # The way of a text
//!
//! ```text
//!   Source ──syntax──▶ tree with places ──check──▶ Domain, Instance ──print──▶ Source
//! ```
//!
//! `syntax` parses a text into a tree with places, and `check` resolves the tree into the [model](Domain). Both continue
//! after a fault. [`read`] gives access to the steps, for texts with several blocks and for warnings. [`Domain::to_rddl`] and
//! [`Instance::to_rddl`] print a model as text; reading the text gives an equal model. [`format()`] formats a text and keeps
//! its comments; it works on a [`tree()`], the text as it stands, which is there for other tools too.
//!
//! # What it is not
//!
//! Nothing here steps a problem. `herbrand-rddl-sim` compiles instances and simulates them; `herbrand-rddl-plan` looks
//! ahead. The distributions that a model names are defined in `herbrand-distributions`.
//!
//! # Where to start
//!
//! Read the model first: [`Domain`], [`Instance`], and [`Expression`] with its [`Node`]s. The documentation of the operators,
//! [`Unary`] and [`Binary`] for example, defines the ambiguous cases of the language. Then `check::expression` shows how an
//! expression gets its range.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::rddl`: there, read `herbrand_rddl` in the examples as
//! `herbrand::rddl`.

mod check;
mod diagnostic;
mod file;
mod format;
mod mentions;
mod model;
mod print;
mod read;
#[cfg(feature = "strategies")]
pub mod strategies;
mod syntax;

pub use check::distributions;
pub use diagnostic::{Checked, Code, Diagnostic, Faults, LoadError};
pub use format::{format, format_range};
pub use herbrand_text::{
    Change, Label, Lexeme, LexemeKind, Mention, NameKind, Origin, Place, Position, ReadOptions, Role,
    Severity, Source, Span, Style, Tree, UnknownCode,
};
pub use model::*;
pub use read::{Document, UncheckedDomain, UncheckedInstance, domain_and_instances, read};
pub use syntax::{DOMAIN_SECTIONS, INSTANCE_SECTIONS, lexemes, tree};
