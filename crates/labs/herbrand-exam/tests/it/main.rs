//! Tests of the questions.

mod form;
mod grading;
mod making;
mod own;
mod second_route;

use std::sync::OnceLock;

use herbrand_exam::{ExamOptions, Kind, Question, make};
use herbrand_limits::Budget;

/// The number of questions of each kind.
const EACH: usize = 8;
/// The number of questions.
const COUNT: usize = EACH * Kind::ALL.len();

/// Returns a few hundred questions of all kinds about quick domains, made once.
fn questions() -> &'static [Question] {
    static QUESTIONS: OnceLock<Vec<Question>> = OnceLock::new();
    QUESTIONS.get_or_init(|| make(&options(COUNT), &Budget::unlimited(), &|_| {}).expect("the answers agree"))
}

/// Returns as many questions from another seed.
fn other_questions() -> &'static [Question] {
    static QUESTIONS: OnceLock<Vec<Question>> = OnceLock::new();
    QUESTIONS.get_or_init(|| {
        let options = ExamOptions {
            seed: 8,
            ..options(COUNT)
        };
        make(&options, &Budget::unlimited(), &|_| {}).expect("the answers agree")
    })
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
        "rddl/academic-advising-mdp",
        "rddl/crossing-traffic-mdp",
        "rddl/elevators",
        "rddl/elevators-mdp",
        "rddl/fire-fighting",
        "rddl/navigation-mdp",
        "rddl/recon-mdp",
        "rddl/skill-teaching-mdp",
        "rddl/sysadmin-mdp",
        "rddl/traffic",
        "rddl/triangle-tireworld-mdp",
    ];
    ExamOptions {
        count,
        domains: domains.map(str::to_owned).to_vec(),
        seed: 7,
        ..ExamOptions::default()
    }
}
