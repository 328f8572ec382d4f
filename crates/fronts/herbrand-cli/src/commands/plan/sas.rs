//! Plans for a finite-domain task in the format of Fast Downward's translator.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use herbrand::plan::{Admissible, PlannerKind};
use herbrand::{ActionId, Simulator};

use super::search::Target;
use super::{AnyPlanner, Plan, rest};
use crate::failure::Failure;
use crate::files;
use crate::input;
use crate::outcome::CommandOutcome;
use crate::output::Format;
use crate::problem::CommandWords;
use crate::task_file::TaskFile;

impl Plan {
    /// Plans for the task in the file that the words name. The steps of the plan have the names of the file's operators.
    pub(super) fn task_file(
        &self,
        words: &CommandWords,
        began: Instant,
        cpu: ProcessTime,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        let (path, limits) = (Path::new(&words.domain), self.problem.limits());
        let kind = self.planner_for_a_task_file(words)?;
        files::check_before(self.out.as_deref())?;
        let file = TaskFile::read(path, limits)?;
        let simulator = Simulator::new(Arc::new(file.grounded.task.clone()));
        let compiled = (began.elapsed(), cpu.elapsed());
        let limits = rest(limits, compiled.0);
        let names = |steps: &[ActionId]| {
            let operators = file.grounded.plan(steps).into_iter();
            operators.map(|operator| file.step_name(operator)).collect()
        };
        let target = Target {
            searched: &simulator,
            simulator: &simulator,
            names: Some(&names),
        };
        let mut report = self.report(&kind, target, limits, compiled)?;
        report.problem.clone_from(&file.name);
        self.finish(&report, false, format)
    }

    /// Returns the planner for a task file. Fails if a word or an option needs PDDL or RDDL.
    fn planner_for_a_task_file(&self, words: &CommandWords) -> Result<PlannerKind, Failure> {
        let file = &words.domain;
        if let Some(surplus) = words.problems.first().or(words.rest.first()) {
            return Err(input::whole_task(Path::new(file), surplus));
        }
        let planner = match self.planner {
            Some(AnyPlanner::Policy(kind)) => Some(format!("--planner {kind}")),
            Some(AnyPlanner::Rddl(how)) => Some(format!("--planner {how}")),
            Some(AnyPlanner::All) => Some("--planner all".to_owned()),
            Some(AnyPlanner::Plan(_)) | None => None,
        };
        let options = [
            ("--all", self.all),
            ("--h2", self.h2),
            ("--split", self.problem.split.is_some()),
            ("--external", self.external.is_some()),
        ];
        let given = options.iter().find(|(_, given)| *given).map(|(name, _)| *name);
        let unfit = planner.or(given.or_else(|| self.rddl.given()).map(str::to_owned));
        if let Some(option) = unfit {
            return Err(Failure::Request(format!(
                "{option} needs a domain: {file} is a finite-domain task, whose operators are ground"
            )));
        }
        Ok(match self.planner {
            Some(AnyPlanner::Plan(kind)) => kind,
            _ if self.optimal => PlannerKind::AStar(Admissible::LandmarkCut),
            _ => PlannerKind::default(),
        })
    }
}
