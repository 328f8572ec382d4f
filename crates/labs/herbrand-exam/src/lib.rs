//! Questions about planning problems with exact answers, and the grading of answers.
//!
//! [`make`] draws questions about generated problems of the bundled domains: whether a plan works, the facts after
//! some actions, the missing action of a plan, whether a fact can be reached, the probability of an outcome, and
//! others ([`Kind`]). Every answer is computed twice: by the engine, and by a [`Checker`] from the texts of the
//! question with the brute-force interpreter of `herbrand-oracle`. If they disagree, no questions are made.
//!
//! ```text
//!   seed, options ──▶ Generator ──▶ World: problem, all its states ──▶ draft: subject, answer ──▶ Question
//!                                                                         │                         ▲
//!                                        texts in PDDL, subject ──▶ Checker ───── the same answer? ─┘
//! ```
//!
//! A reader sees the text of a question only. The right answer is drawn last, among answers of the same form, so that
//! lengths, positions and numbers of words help little to guess it. The page on exams has the share of right answers of
//! a classifier that sees only the form.
//!
//! This crate asks no language model: it makes and grades files.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::exam`: there, read `herbrand_exam` in the examples as
//! `herbrand::exam`.

mod ask;
mod check;
mod draw;
mod error;
mod files;
mod grade;
mod kind;
mod make;
mod names;
mod phrases;
mod question;
mod report;
mod world;

pub use check::Checker;
pub use error::ExamError;
pub use files::{Card, card, read_lines, write_lines};
pub use grade::{Answer, grade, judge};
pub use kind::{Form, Kind, UnknownKind};
pub use make::{ExamOptions, make};
pub use phrases::Style;
pub use question::{Difficulty, ProblemSeed, Question, Solution, Subject};
pub use report::{Grades, Score, Verdict};
