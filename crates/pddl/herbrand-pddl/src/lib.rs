//! PDDL and PPDDL: text to a checked, typed model and back, with diagnostics.
//!
//! A [`Source`] is parsed to a [`Domain`], and another one to a [`Problem`] of that domain. In these models every name is
//! resolved to an id and every type is checked. If a text is wrong, all its faults are returned at once as [`Faults`]. Each
//! fault has a [`Code`], labels that point at the text, and help.
//!
//! ```
//! use herbrand_pddl::{Domain, Problem};
//!
//! let domain = Domain::from_text(
//!     "(define (domain switches)
//!        (:predicates (on ?lamp))
//!        (:action press :parameters (?lamp) :effect (on ?lamp)))",
//! )?;
//! let problem = Problem::from_text(
//!     "(define (problem evening) (:domain switches)
//!        (:objects kitchen hall) (:init (on hall)) (:goal (and (on kitchen) (on hall))))",
//!     &domain,
//! )?;
//! assert_eq!(problem.init.len(), 1);
//! assert_eq!(Problem::from_text(&problem.to_pddl(&domain), &domain)?, problem);
//!
//! let faults = Problem::from_text(
//!     "(define (problem morning) (:domain switches) (:objects hall) (:init (on hal)))",
//!     &domain,
//! )
//! .unwrap_err();
//! assert_eq!(
//!     faults.to_string(),
//!     "\
//! error[E0102]: unknown object `hal`
//!  --> problem:1:73
//!   |
//! 1 | (define (problem morning) (:domain switches) (:objects hall) (:init (on hal)))
//!   |                                                                         ^^^ not declared in `(:objects …)`
//!   |
//!   = help: did you mean `hall`?"
//! );
//! # Ok::<(), herbrand_pddl::Faults>(())
//! ```
//!
//! Parsing has two stages, and both continue after a fault. `syntax` splits the text into tokens, matches the parentheses
//! and builds a syntax tree with spans. `check` resolves the tree to the [model](Domain). Use [`read`] to run the stages
//! separately, for texts with several definitions or to get warnings. [`Domain::to_pddl`] and [`Problem::to_pddl`] print a
//! model; parsing the printed text gives an equal model.
//!
//! [`tree()`] gives a text as it stands, with comments and blanks, for tools that change or show texts. [`format()`] lays a
//! text out by it.
//!
//! Reading takes time and memory linear in the length of the text, whatever it holds.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::pddl`: there, read `herbrand_pddl` in the examples as
//! `herbrand::pddl`.

mod check;
mod diagnostic;
mod doubts;
mod file;
mod format;
mod mentions;
mod model;
mod never_true;
mod print;
mod read;
mod requirements;
mod start;
#[cfg(feature = "strategies")]
pub mod strategies;
mod syntax;
mod unread;
mod values;

pub use diagnostic::{Checked, Code, Diagnostic, Faults, LoadError};
pub use doubts::doubts;
pub use format::{format, format_lenient, format_range};
pub use herbrand_text::{
    Change, Label, Lexeme, LexemeKind, Mention, NameKind, Origin, Place, Position, ReadOptions, Role,
    Severity, Source, Span, Style, Tree, UnknownCode,
};
pub use model::*;
pub use never_true::never_true;
pub use read::{Document, UncheckedDomain, UncheckedProblem, read};
pub use requirements::{Requirement, Requirements};
pub use start::start_doubts;
pub use syntax::{DOMAIN_SECTIONS, PROBLEM_SECTIONS, lexemes, tree};
pub use unread::{unnamed_constants, unread};
pub use values::undefined_values;
