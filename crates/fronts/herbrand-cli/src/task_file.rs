//! Finite-domain tasks (SAS+) in files, in place of a domain and a problem.

use std::path::Path;

use herbrand::env::Suite;
use herbrand::env::plan::{ParsedPlan, PlanStep};
use herbrand::limits::Limits;
use herbrand::tasks::SasFile;

use crate::failure::Failure;
use crate::input;

/// Reads a plan for the problem of a suite. For a finite-domain task, the names of its operators become those of the actions.
///
/// # Errors
/// Fails if the file cannot be read, or is not a plan.
pub fn read_plan(suite: &Suite, path: &Path) -> Result<ParsedPlan, Failure> {
    let mut plan = input::read_plan(path)?;
    rename(suite, &mut plan)?;
    Ok(plan)
}

/// Replaces the names of operators in a sequence of actions, like [`read_plan`]. Returns the text of the actions.
///
/// # Errors
/// Fails if a limit is reached.
pub fn named_actions(suite: &Suite, actions: &[&str]) -> Result<String, Failure> {
    let step = |action: &&str| PlanStep {
        line: 1,
        action: (*action).to_owned(),
        time: None,
    };
    let mut plan = ParsedPlan {
        steps: actions.iter().map(step).collect(),
    };
    rename(suite, &mut plan)?;
    let names: Vec<String> = plan.steps.into_iter().map(|step| step.action).collect();
    Ok(names.join(" "))
}

fn rename(suite: &Suite, plan: &mut ParsedPlan) -> Result<(), Failure> {
    if let Some(file) = SasFile::of_suite(suite, Limits::default())? {
        file.rename(plan);
    }
    Ok(())
}
