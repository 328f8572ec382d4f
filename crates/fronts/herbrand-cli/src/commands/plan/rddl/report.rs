//! The output of plans and agents for RDDL.

use std::fmt::Write as _;

use herbrand::core::{Choice, Described, readable};
use herbrand::rddl::simulate::RddlSimulator;
use serde::Serialize;

use super::super::returns::PlanReturns;
use crate::outcome::CommandOutcome;
use crate::output::{counted, fixed, grouped};

/// A plan.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) problem: String,
    /// For each step, the choices that differ from defaults.
    pub(super) plan: Vec<Vec<String>>,
    /// `None` if the time limit leaves no time for an evaluation.
    #[serde(flatten)]
    pub(super) paid: Option<PlanReturns>,
    pub(super) simulated_steps: u64,
    pub(super) seconds: f64,
}

/// The result of acting with a planner that looks ahead.
#[derive(Serialize)]
pub(super) struct Acted {
    pub(super) problem: String,
    pub(super) planner: String,
    pub(super) runs: u32,
    #[serde(flatten)]
    pub(super) paid: PlanReturns,
    /// The exact result of an optimal policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) optimum: Option<Optimum>,
    /// For each step of the first run, the choices that differ from defaults.
    pub(super) first: Vec<Vec<String>>,
    pub(super) seconds: f64,
}

/// The exact result of an optimal policy.
#[derive(Serialize)]
pub(super) struct Optimum {
    /// The expected discounted return.
    pub(super) mean_discounted_return: f64,
    /// The probability that a state invariant breaks.
    pub(super) broken_probability: f64,
    /// The number of states.
    pub(super) states: usize,
}

pub(super) const UNEVALUATED: &str = "the plan is not evaluated, because the time limit is reached";

/// The choices of a joint action.
pub(super) fn words(simulator: &RddlSimulator, joint: &[Choice]) -> Vec<String> {
    joint.iter().map(|&one| simulator.choice_text(one)).collect()
}

/// Returns a choice for reading, with four significant digits.
fn readable_choice(word: &str) -> String {
    let real = |(name, value): (&str, &str)| {
        let number: f64 = value.parse().ok()?;
        value
            .contains('.')
            .then(|| format!("{name}={}", readable(number)))
    };
    word.split_once('=')
        .and_then(real)
        .unwrap_or_else(|| word.to_owned())
}

/// Formats joint actions, one per line. `word` formats a choice.
fn lines(steps: &[Vec<String>], word: impl Fn(&str) -> String) -> String {
    let mut text = String::new();
    for (step, words) in steps.iter().enumerate() {
        let joint = if words.is_empty() {
            "()".to_owned()
        } else {
            let words: Vec<String> = words.iter().map(|one| word(one)).collect();
            words.join(", ")
        };
        let _ = writeln!(text, "{}: {joint}", step + 1);
    }
    text
}

impl Report {
    /// Returns the report for a file, with all digits.
    pub(super) fn text(&self) -> String {
        self.text_with(str::to_owned)
    }

    /// Returns the report for reading. It says so if digits are left out.
    pub(super) fn readable(&self) -> String {
        let mut text = self.text_with(readable_choice);
        let mut words = self.plan.iter().flatten();
        if words.any(|word| readable_choice(word) != *word) {
            text += "; numbers are rounded: --out FILE writes all digits\n";
        }
        text
    }

    fn text_with(&self, word: impl Fn(&str) -> String) -> String {
        let mut text = lines(&self.plan, word);
        match &self.paid {
            Some(paid) => text += &paid.text(),
            None => {
                let _ = writeln!(text, "; {UNEVALUATED}");
            }
        }
        let _ = writeln!(
            text,
            "; {} steps simulated in {:.2} seconds",
            grouped(self.simulated_steps),
            self.seconds
        );
        text
    }
}

impl Report {
    /// Returns the row of a table of several problems.
    pub(super) fn row(&self) -> Vec<String> {
        let paid = self
            .paid
            .as_ref()
            .map_or_else(|| ["–"; 4].map(str::to_owned), PlanReturns::cells);
        let mut row = vec![self.problem.clone(), self.plan.len().to_string()];
        row.extend(paid);
        row.push(format!("{:.2}", self.seconds));
        row
    }
}

impl Acted {
    pub(super) fn text(&self) -> String {
        let mut text = lines(&self.first, readable_choice);
        let _ = writeln!(
            text,
            "; the first of {}; {:.2} seconds",
            counted(self.runs.into(), "run"),
            self.seconds
        );
        if let Some(optimum) = &self.optimum {
            let _ = writeln!(
                text,
                "; optimal: no policy has a greater mean than {}, computed exactly over {}",
                fixed(optimum.mean_discounted_return, 4),
                counted(optimum.states as u64, "state")
            );
            if optimum.broken_probability > 0.0 {
                let _ = writeln!(
                    text,
                    "; no policy breaks state invariants with a probability below {:.6}",
                    optimum.broken_probability
                );
            }
        }
        text += &self.paid.text();
        text
    }
}

/// Returns the answer of the command for a plan or an agent: no, if the results of one of its steps cannot be computed or are
/// no numbers.
pub(super) const fn answer(paid: &PlanReturns) -> CommandOutcome {
    if paid.has_failures() {
        CommandOutcome::No
    } else {
        CommandOutcome::Yes
    }
}
