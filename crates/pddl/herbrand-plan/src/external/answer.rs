//! Reading and verifying the plans of an external planner.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use herbrand_core::Random;
use herbrand_pddl::Source;
use herbrand_step::{ParsedPlan, PlanStep, SimultaneousSteps};

use super::External;
use super::process::{Files, LONGEST, too_long};
use crate::outcome::{Plan, PlanRequest, PlannerError};
use crate::task::SearchTask;

/// The number of steps between two checks of the budget.
const STEPS: usize = 1024;

impl External {
    /// Returns the last valid plan that the program wrote; `None` if it wrote no plan. If no plan is valid, returns the
    /// error of the last one.
    pub(super) fn answer(
        &self,
        task: &SearchTask,
        files: &Files,
        request: &PlanRequest<'_>,
    ) -> Result<Option<Plan>, PlannerError> {
        let mut wrong = None;
        for file in self.written(files) {
            match self
                .read(&file)
                .and_then(|text| self.execute(task, &text, request))
            {
                Ok(plan) => return Ok(Some(plan)),
                Err(error) => wrong = wrong.or(Some(error)),
            }
        }
        wrong.map_or(Ok(None), Err)
    }

    /// The plan files, the last one first.
    fn written(&self, files: &Files) -> Vec<PathBuf> {
        if self.command.prints() {
            let printed = fs::metadata(&files.output).is_ok_and(|data| data.len() > 0);
            return Vec::from_iter(printed.then(|| files.output.clone()));
        }
        let entries = fs::read_dir(&files.folder).into_iter().flatten().flatten();
        let mut numbered: Vec<(u32, PathBuf)> = entries
            .filter_map(|entry| {
                let name = entry.file_name();
                let number = name.to_str()?.strip_prefix("plan.")?.parse().ok()?;
                Some((number, entry.path()))
            })
            .collect();
        numbered.sort_unstable();
        let whole = files.plan.exists().then(|| files.plan.clone());
        let numbered = numbered.into_iter().rev().map(|(_, file)| file);
        whole.into_iter().chain(numbered).collect()
    }

    fn read(&self, file: &Path) -> Result<ParsedPlan, PlannerError> {
        // Reading a pipe or a device might never end.
        if !fs::metadata(file).is_ok_and(|data| data.is_file()) {
            return Err(PlannerError::Files(format!(
                "{} gave a plan that is no plain file",
                self.name
            )));
        }
        let mut bytes = Vec::new();
        let file = File::open(file).map_err(super::files)?;
        file.take(LONGEST + 1)
            .read_to_end(&mut bytes)
            .map_err(super::files)?;
        if bytes.len() as u64 > LONGEST {
            return Err(too_long(self.command.program_name()));
        }
        let text = String::from_utf8_lossy(&bytes);
        let name = format!("the plan from {}", self.command.program_name());
        Ok(ParsedPlan::parse(&Source::new(&name, &text))?)
    }

    /// Executes a plan from the start of the task.
    fn execute(
        &self,
        task: &SearchTask,
        text: &ParsedPlan,
        request: &PlanRequest<'_>,
    ) -> Result<Plan, PlannerError> {
        let simulator = task.simulator();
        let mut walker = simulator.walker();
        walker
            .set_state(task.start())
            .map_err(|error| PlannerError::Files(error.to_string()))?;
        // The time limit may be over already. A plan found before still counts, and executing it takes negligible time.
        let budget = request.budget.without_limits();
        let mut unused = Random::new(0);
        let (mut searched, mut cost) = (Vec::new(), 0_u64);
        let mut at_once = SimultaneousSteps::default();
        for (index, step) in text.steps.iter().enumerate() {
            if index % STEPS == 0
                && let Err(exhausted) = budget.check("executing a plan", 0)
            {
                return Err(self.refused(index, step, &exhausted.to_string()));
            }
            let action = simulator
                .parse_action(&step.action)
                .map_err(|error| self.refused(index, step, &error.to_string()))?;
            at_once
                .take(simulator.task(), step, action)
                .map_err(|error| self.refused(index, step, &error.to_string()))?;
            walker
                .apply(action, &mut unused)
                .map_err(|error| self.refused(index, step, &error.to_string()))?;
            cost = task.costs().of_step(action, &walker).saturating_add(cost);
            searched.push(action);
        }
        if !walker.is_goal() {
            return Err(PlannerError::Misses {
                program: self.command.program_name().to_owned(),
                steps: searched.len(),
            });
        }
        Ok(Plan {
            steps: searched.iter().map(|&action| task.origin(action)).collect(),
            cost: task.costs().value(cost),
            proven_optimal: false,
            searched,
        })
    }

    fn refused(&self, index: usize, step: &PlanStep, reason: &str) -> PlannerError {
        PlannerError::Refused {
            program: self.command.program_name().to_owned(),
            step: index + 1,
            action: step.action.clone(),
            reason: reason.to_owned(),
        }
    }
}
