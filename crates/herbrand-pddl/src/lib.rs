//! PDDL and PPDDL: text to a checked, typed model and back, with diagnostics.
//!
//! A [`Source`] is read into a [`Domain`], and with it another one into a [`Problem`]: values in which every name is
//! resolved to an id and every type is checked. What is wrong with a text comes back as [`Faults`], all of them at once,
//! each with a [`Code`], the lines it speaks of, and help.
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
//! The way of a text: `syntax` makes tokens of it, matches its parentheses and builds a tree with places; `check` resolves
//! the tree into the [model](Domain). Both go on after a fault. [`read`] gives access to the steps, for texts with several
//! definitions and for warnings; [`Domain::to_pddl`] and [`Problem::to_pddl`] go back to text, and reading that gives an
//! equal model. [`build`] makes models without text.
//!
//! Reading takes time and memory linear in the length of the text, whatever it holds.

pub mod build;
mod check;
mod diagnostic;
mod file;
mod format;
mod model;
mod print;
mod read;
mod requirements;
#[cfg(feature = "strategies")]
pub mod strategies;
mod syntax;
mod values;

pub use build::{ActionBuilder, DomainBuilder, ProblemBuilder};
pub use diagnostic::{Code, Diagnostic, Explanation, Faults, LoadError};
pub use format::format;
pub use herbrand_text::{Label, Origin, Place, Position, Severity, Source, Span, Style, UnknownCode};
pub use model::*;
pub use read::{Document, ReadOptions, Reading, UncheckedDomain, UncheckedProblem, read};
pub use requirements::{Requirement, Requirements};
pub use values::undefined_values;
