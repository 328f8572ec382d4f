//! Open-loop plans as text and as agents.

use std::sync::Arc;

use herbrand_core::{Choice, Described};
use herbrand_rddl_sim::simulate::{Process, RddlSimulator, StepError, Values};
use thiserror::Error;

use super::Agent;

/// The error that a plan text cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {message}")]
pub struct PlanTextError {
    /// The line of the text, counted from 1.
    pub line: usize,
    /// The reason, as a message.
    pub message: String,
}

/// Parses a plan: one line per step, optionally with its number, as in `1: order___apple=5, open`. `()` is the empty joint
/// action, and `;` begins a comment. [`plan_text`] writes this format.
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
        let joint = simulator.parse_joint(joint).map_err(fault)?;
        match simulator.would_violate(&joint) {
            Err(StepError::Joint(error)) => return Err(fault(error.to_string())),
            _ => steps.push(joint),
        }
    }
    Ok(steps)
}

/// Formats a plan as text with one line per step. [`parse_plan`] reads it.
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

/// An agent that follows a plan regardless of the states and does nothing after its end.
#[derive(Debug)]
pub struct OpenLoop {
    simulator: RddlSimulator,
    steps: Vec<Vec<Choice>>,
    next: usize,
    /// Whether the current episode violated a precondition.
    is_violated: bool,
    violations: Option<Violations>,
}

/// The episodes of a plan in which a step violated an action precondition, returned by [`OpenLoop::violations`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Violations {
    /// The number of such episodes.
    pub episodes: u32,
    /// The index of the first violating step in the first such episode, counted from 0.
    pub step: usize,
    /// The index of the precondition that it violated, counted from 0.
    pub precondition: usize,
}

impl OpenLoop {
    /// Creates an agent that follows `steps` from the initial state of the simulator's problem.
    #[must_use]
    pub const fn new(simulator: RddlSimulator, steps: Vec<Vec<Choice>>) -> Self {
        Self {
            simulator,
            steps,
            next: 0,
            is_violated: false,
            violations: None,
        }
    }

    /// Returns the violations so far; `None` if no episode violated a precondition.
    #[must_use]
    pub const fn violations(&self) -> Option<Violations> {
        self.violations
    }
}

impl Agent for OpenLoop {
    fn process(&self) -> &Arc<Process> {
        self.simulator.process()
    }

    fn begin(&mut self) {
        self.next = 0;
        self.is_violated = false;
    }

    fn act(&mut self, state: &Values) -> Result<Vec<Choice>, StepError> {
        let joint = self.steps.get(self.next).cloned().unwrap_or_default();
        if !self.is_violated {
            self.simulator.go_to(state)?;
            // A step that cannot be computed is refused when it is taken.
            let violated = self.simulator.would_violate(&joint).unwrap_or_default();
            if let Some(&precondition) = violated.first() {
                self.is_violated = true;
                let first = Violations {
                    episodes: 0,
                    step: self.next,
                    precondition,
                };
                self.violations.get_or_insert(first).episodes += 1;
            }
        }
        self.next += 1;
        Ok(joint)
    }
}
