//! Finite-domain tasks (SAS+) in files, in place of a domain and a problem.

use std::collections::BTreeMap;
use std::path::Path;

use herbrand::env::Suite;
use herbrand::env::plan::{ParsedPlan, PlanStep};
use herbrand::ground::ActionId;
use herbrand::limits::{Budget, Limits};
use herbrand::pddl::Source;
use herbrand::sas::{FiniteDomainTask, Grounded, ground_task};

use crate::failure::Failure;
use crate::input;

/// A finite-domain task, and the ground task that is made of it.
pub struct TaskFile {
    /// The name of the file without its ending.
    pub name: String,
    pub source: Source,
    pub task: FiniteDomainTask,
    pub grounded: Grounded,
}

impl TaskFile {
    /// Reads a file in the format of Fast Downward's translator.
    ///
    /// # Errors
    /// Fails if the file cannot be read or is faulty, or a limit is reached.
    pub fn read(path: &Path, limits: Limits) -> Result<Self, Failure> {
        Self::of(path, input::read_within(path, limits)?, limits)
    }

    fn of(path: &Path, source: Source, limits: Limits) -> Result<Self, Failure> {
        let (name, budget) = (input::stem(path), Budget::new(limits));
        let task = FiniteDomainTask::from_sas(&source, &budget)?;
        let grounded = ground_task(&task, &name, &budget);
        let grounded = grounded.map_err(|exhausted| Failure::Request(exhausted.to_string()))?;
        Ok(Self {
            name,
            source,
            task,
            grounded,
        })
    }

    /// Returns the name of a step by an operator, as the file has it.
    pub fn step_name(&self, operator: usize) -> String {
        format!("({})", self.task.operators[operator].name)
    }

    /// Replaces the names of operators in a plan by those of the ground actions, where these have other names. Of several
    /// operators with the name of a step, it takes the first that is applicable. Steps without an operator stay.
    fn rename(&self, plan: &mut ParsedPlan) {
        let ground = &self.grounded;
        let mut named: BTreeMap<String, Vec<(usize, ActionId)>> = BTreeMap::new();
        for (action, &operator) in ground.task.actions.ids().zip(&ground.operators) {
            let name = self.step_name(operator).to_ascii_lowercase();
            named.entry(name).or_default().push((operator, action));
        }
        let mut state = self.task.initial_state();
        for step in &mut plan.steps {
            let own = named.get(&step.action.to_ascii_lowercase());
            let own = own.map_or(&[][..], Vec::as_slice);
            let is_applicable =
                |&&(operator, _): &&(usize, _)| self.task.operators[operator].is_applicable(&state);
            if let Some(&(operator, action)) = own.iter().find(is_applicable).or(own.first()) {
                state = self.task.successor(&state, operator);
                step.action = ground.task.display_action(action).to_string();
            }
        }
    }
}

/// Returns the suite of the task whose text was read from a file.
///
/// # Errors
/// Fails if the text is faulty, or a limit is reached.
pub fn suite(path: &Path, source: Source, limits: Limits) -> Result<Suite, Failure> {
    let file = TaskFile::of(path, source, limits)?;
    Ok(Suite::from_ground(&file.name, file.source, file.grounded.task)?.with_limits(limits))
}

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
    if let Some(source) = suite.domain_source().filter(|_| suite.is_ground()) {
        TaskFile::of(Path::new(source.name()), source.clone(), Limits::default())?.rename(plan);
    }
    Ok(())
}
