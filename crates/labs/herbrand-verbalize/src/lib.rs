//! Planning states, actions and goals as plain English sentences, and actions read back from text.
//!
//! A [`Wording`] has the sentences of one problem. Its templates come from the names of predicates, functions and actions
//! ("block a is on block b" for `(on a b)`), or from a [`TextTable`], the file `domain.text.toml` beside the domain.
//! [`Wording::state`] writes a state, [`Wording::action`] an action, [`Wording::goal`] a condition, and
//! [`Wording::changes`] the difference of two states. [`Wording::read`] parses an action that somebody wrote: as a
//! sentence, in the syntax of the planning language, or as a number of a list. A [`ReplyReader`] finds the answer or the plan
//! in the reply of a language model.
//!
//! ```text
//!   Suite, RddlSuite ──▶ Vocabulary ─┐
//!   domain.text.toml ──▶ TextTable ──┴▶ Wording ──state, action, goal──▶ text
//!                                          ▲                              │
//!                                          └──────────── read ◀───────────┘
//! ```
//!
//! Two different facts of a problem never have the same sentence, so two different states never have the same text; the
//! same holds for actions. If the template of a fact or an action would give a sentence that may also mean something
//! else, the wording uses the syntax of the planning language for it.
//!
//! ```
//! use herbrand_core::System;
//! use herbrand_env::Registry;
//! use herbrand_verbalize::Wording;
//!
//! let suite = Registry::get("blocks")?.problem("train/01")?;
//! let wording = Wording::of_planning(&suite, 0, None)?;
//! assert_eq!(wording.action("(stack a b)"), "put block a on block b");
//! assert_eq!(wording.read("Put the block A on block b.", &[])?, "(stack a b)");
//!
//! let fault = wording.read("put block a on block w", &[]).unwrap_err();
//! assert_eq!(fault.to_string(), "there is no object `block w` here; did you mean `block a`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate neither runs episodes nor decides which actions are valid.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::verbalize`: there, read `herbrand_verbalize` in the examples
//! as `herbrand::verbalize`.

mod answer;
mod code;
mod english;
mod formula;
mod index;
mod memo;
mod negation;
mod planning;
mod rddl;
mod reading;
mod reply;
mod table;
mod template;
mod term;
mod vocabulary;
mod wording;

pub use answer::{AnswerError, AnswerFault};
pub use code::TextCode;
pub use planning::WordingError;
pub use reply::{ReplyReader, WrittenStep, final_value};
pub use table::TextTable;
pub use term::{Syntax, TextTerm};
pub use vocabulary::{Parameter, TextObject, TextSymbol, TextVocabulary};
pub use wording::Wording;
