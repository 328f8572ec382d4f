//! Finite-domain tasks (SAS+) in files, in place of a domain and a problem.

use herbrand::env::Suite;
use herbrand::env::plan::{ParsedPlan, PlanStep};
use herbrand::limits::Limits;
use herbrand::tasks::SasFile;

use crate::failure::Failure;

/// Replaces the names of the operators of a finite-domain task in a sequence of actions by those of the actions. Returns the text of
/// the actions.
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
