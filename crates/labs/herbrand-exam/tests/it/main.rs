//! Tests of the questions.

mod form;
mod grading;
mod making;
mod second_route;

use std::sync::OnceLock;

use herbrand_exam::{ExamOptions, Question, make};
use herbrand_limits::Budget;

/// Returns a few hundred questions of all kinds about quick domains, made once.
fn questions() -> &'static [Question] {
    static QUESTIONS: OnceLock<Vec<Question>> = OnceLock::new();
    QUESTIONS.get_or_init(|| make(&options(210), &Budget::unlimited(), &|_| {}).expect("the answers agree"))
}

/// Returns options for questions about quick domains.
fn options(count: usize) -> ExamOptions {
    let domains = [
        "blocks",
        "ferry",
        "gripper",
        "hanoi",
        "logistics",
        "newspapers",
        "rearrangement",
        "slide-tile",
        "depot",
        "exploding-blocks",
        "tireworld",
        "casino",
        "search-and-rescue-1",
    ];
    ExamOptions {
        count,
        domains: domains.map(str::to_owned).to_vec(),
        seed: 7,
        ..ExamOptions::default()
    }
}
