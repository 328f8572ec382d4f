//! Plans as text.

use herbrand_core::{Choice, Described};
use herbrand_rddl_sim::simulate::{RddlSimulator, StepError};
use thiserror::Error;

/// The error of [`parse_plan`] that a text is not a plan of the problem.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct PlanTextError {
    /// The line of the text, counted from 1.
    pub line: usize,
    /// The reason as a sentence for users.
    pub message: String,
}

/// Parses a plan: one line per step, optionally with its number, as in `1: order___apple=5, open`. `()` is the empty
/// joint action, and `;` begins a comment. Numbers count from 0 if the first line with a number has 0, and otherwise
/// from 1. Lines without a number count too. Preconditions, and so bounds of numbers, are not checked. `simulator`
/// supplies the names of actions. [`plan_text`] writes this format. Empty lines are skipped, and a text without steps
/// gives the empty plan.
///
/// ```
/// use herbrand_rddl_plan::plan::{parse_plan, plan_text};
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let simulator = RddlSuite::bundled("rddl/mountain-car")?.simulator(0)?;
/// let plan = parse_plan(&simulator, "1: throttle___c1=0.5\n2: ()\n; two steps\n").unwrap();
/// assert_eq!((plan.len(), plan[1].len()), (2, 0));
/// assert_eq!(plan_text(&simulator, &plan), "1: throttle___c1=0.5\n2: ()\n");
/// # Ok::<(), herbrand_rddl_sim::suite::RddlError>(())
/// ```
///
/// # Errors
/// Fails with the first line that is not a joint action of the problem, or whose number is not the next one.
pub fn parse_plan(simulator: &RddlSimulator, text: &str) -> Result<Vec<Vec<Choice>>, PlanTextError> {
    let mut steps: Vec<Vec<Choice>> = Vec::new();
    let mut first = None;
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.split(';').next().unwrap_or_default().trim();
        if content.is_empty() {
            continue;
        }
        let fault = |message| PlanTextError { line, message };
        let number = content
            .split_once(':')
            .and_then(|(number, joint)| Some((number.trim().parse::<usize>().ok()?, joint)));
        let joint = match number {
            None => content,
            Some((number, joint)) => {
                let first = *first.get_or_insert(number.min(1));
                let expected = steps.len() + first;
                if number != expected {
                    return Err(fault(format!(
                        "step {expected} is missing: this is step {number}"
                    )));
                }
                joint
            }
        };
        let joint = simulator.parse_joint(joint);
        let joint = joint.map_err(|error| fault(error.to_string()))?;
        match simulator.would_violate(&joint) {
            Err(StepError::Joint(error)) => return Err(fault(error.to_string())),
            _ => steps.push(joint),
        }
    }
    Ok(steps)
}

/// Formats a plan as text with one line per step. Steps are numbered from 1. [`parse_plan`] reads the text. A plan
/// without steps gives the empty text.
#[must_use]
pub fn plan_text(simulator: &RddlSimulator, steps: &[Vec<Choice>]) -> String {
    let lines = (1..).zip(steps).map(|(number, joint): (usize, _)| {
        let choices: Vec<String> = joint.iter().map(|&one| simulator.choice_text(one)).collect();
        let joint = match choices.as_slice() {
            [] => "()".to_owned(),
            choices => choices.join(", "),
        };
        format!("{number}: {joint}\n")
    });
    lines.collect()
}
