//! Questions about planning problems with exact answers, and the grading of answers.
//!
//! [`make`] draws questions about problems of the bundled domains in PDDL and RDDL: whether a plan works, the facts
//! after some actions, the missing action of a plan, whether a fact can be reached, the probability of an outcome, and
//! others ([`Kind`]). Every answer is computed twice: by the engine, and by a [`Checker`] from the texts of the
//! question with the brute-force interpreters of `herbrand-oracle`. If they disagree, no questions are made.
//!
//! ```text
//!   seed, options ──▶ lane: a domain ──▶ world: a problem, its states ──▶ draft ──▶ which answer is right ──▶ Question
//!                                                                                                              ▲
//!                                           texts of the problem, subject ──▶ Checker ───── the same answer? ──┘
//! ```
//!
//! A reader sees the text of a question only. The right answer is chosen last, among answers of the same form, so that
//! lengths, positions, numbers and repeated words do not help to guess it. The page on exams has the share of right
//! answers of learners that see only the form.
//!
//! This crate asks no language model: it makes and grades files.
//!
//! The crate `herbrand` re-exports this crate as `herbrand::exam`: there, read `herbrand_exam` in the examples as
//! `herbrand::exam`.

mod ask;
mod check;
mod class;
mod costs;
mod draft;
mod draw;
mod error;
mod files;
mod grade;
mod kind;
mod lane;
mod make;
mod names;
mod numeric;
mod options;
mod origin;
mod phrases;
mod print;
mod question;
mod rddl;
mod reason;
mod report;
mod sheet;
mod shortage;
mod unreliable;
mod world;

pub use check::Checker;
pub use class::{ClassGrades, QuestionPoints, StudentGrades};
pub use error::ExamError;
pub use files::{Card, card, grade_file, read_lines, write_lines};
pub use grade::{Answer, grade, judge};
pub use kind::{Form, Kind, Topic, UnknownKind};
pub use make::make;
pub use options::{ExamOptions, OwnDomain};
pub use phrases::Style;
pub use print::{SheetFormat, answer_sheet, question_sheet};
pub use question::{Difficulty, Language, ProblemSeed, Question, Solution, Subject};
pub use report::{Grades, OddLine, Score, Verdict};
pub use shortage::missing_kinds;
