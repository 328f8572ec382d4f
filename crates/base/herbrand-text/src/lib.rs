//! Source texts, spans and diagnostics, shared by the front ends of all languages.
//!
//! A [`Source`] is a text with a name; a [`Span`] is a range of its bytes. A front end declares its codes with [`codes!`]
//! and collects faults and warnings in [`Diagnostics`]. It returns them as a list of [`Diagnostic`]s or, if the text is
//! rejected, as the error [`Faults`]. Each diagnostic has a [`Code`], labels (places with short remarks), notes and help,
//! and is rendered in the style of compilers. [`nearest`] finds the name that was probably meant.
//!
//! Formatters and editors also need what a front end drops. A [`Tree`] is a text as nested lists of tokens and comments,
//! without loss, and a [`Change`] replaces a part of a text.
//!
//! ```text
//!  Source ──▶ front end ──report──▶ Diagnostics ──into_list──▶ Vec<Diagnostic> ──▶ Faults
//!                 │                     ▲
//!                 └─ Draft: primary, label, note, help, suggest
//! ```
//!
//! ```
//! use herbrand_text::{Diagnostics, Faults, Source, Span, nearest};
//!
//! herbrand_text::codes! {
//!     /// The kind of fault that a diagnostic of this language reports.
//!     pub enum Code: too many is TooMany, limit is Limit;
//!     Unknown = "E0001", "a name is not declared", "Every name is declared first.", "kichen", "kitchen";
//!     TooMany = "E0002", "there are more faults than are shown", "The others are only counted.";
//!     Limit = "E0003", "a limit is reached", "The text takes more than it may.";
//! }
//!
//! let source = Source::new("rooms", "hall kichen");
//! let mut found = Diagnostics::new(source, false);
//! found.report(Code::Unknown, "unknown room `kichen`", |d| {
//!     d.primary(Span { start: 5, end: 11 }, "not declared")
//!         .suggest(nearest("kichen", ["hall", "kitchen"]))
//! });
//! assert_eq!(
//!     Faults::new(found.into_list()).to_string(),
//!     "\
//! error[E0001]: unknown room `kichen`
//!  --> rooms:1:6
//!   |
//! 1 | hall kichen
//!   |      ^^^^^^ not declared
//!   |
//!   = help: did you mean `kitchen`?"
//! );
//! ```
//!
//! The crate `herbrand` re-exports this crate as `herbrand::text`: there, read `herbrand_text` in the examples as
//! `herbrand::text`.

mod code;
mod counted;
mod diagnostic;
mod faults;
mod file;
#[cfg(feature = "fuzz")]
pub mod fuzz;
mod ids;
mod mention;
mod named;
mod natural;
mod place;
mod read;
mod reference;
mod report;
mod source;
mod suggest;
mod tree;

pub use code::{Code, Explanation, Severity, UnknownCode};
pub use counted::counted;
pub use diagnostic::{Diagnostic, Label, Style};
pub use faults::Faults;
pub use file::{LoadError, Unreadable};
pub use mention::{Mention, NameKind, Role};
pub use named::UnknownName;
pub use natural::Natural;
pub use place::{Origin, Place};
pub use read::ReadOptions;
pub use reference::reference;
pub use report::{Checked, Diagnostics, Draft};
pub use source::{Position, Source, Span};
pub use suggest::{did_you_mean, nearest};
pub use tree::{Change, Lexeme, LexemeKind, Tree};
