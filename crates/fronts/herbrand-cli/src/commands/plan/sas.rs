//! Plans for a finite-domain task in the format of Fast Downward's translator.

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use cpu_time::ProcessTime;
use herbrand::Simulator;
use herbrand::plan::{Admissible, Planner as _, PlannerKind, SearchOutcome};

use super::report::{FoundPlan, Report};
use super::search_progress::SearchProgress;
use super::{AnyPlanner, Plan, beside_metric, execute, rest};
use crate::failure::Failure;
use crate::files::{self, Mark};
use crate::input;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
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
        files::check_before(self.out.as_deref(), Mark::Pddl)?;
        let file = TaskFile::read(path, limits)?;
        let simulator = Simulator::new(Arc::new(file.grounded.task.clone()));
        let (compiled, compiled_cpu) = (began.elapsed(), cpu.elapsed());
        let mut watch = SearchProgress::begin()?;
        let (report, costs) = self.search(&kind, &simulator, rest(limits, compiled), &mut watch)?;
        let searched_cpu = cpu.elapsed().saturating_sub(compiled_cpu);
        watch.end();
        let (mut found, mut validation) = (None, None);
        if let Some(steps) = report.outcome.plan() {
            let mut plan = FoundPlan::of(&simulator, steps, &report.outcome, &costs);
            let executed = execute(&simulator, &plan)?;
            plan.compare_with(executed.metric);
            let operators = file.grounded.plan(steps);
            plan.rename(
                operators
                    .into_iter()
                    .map(|operator| file.step_name(operator))
                    .collect(),
            );
            (found, validation) = (Some(plan), Some(executed));
        }
        if let SearchOutcome::Failed(error) = &report.outcome {
            return Err(Failure::Request(error.to_string()));
        }
        let report = Report {
            problem: file.name,
            planner: kind.name().to_owned(),
            external: false,
            outcome: report.outcome,
            undefined: Vec::new(),
            unreachable: Vec::new(),
            has_goal: true,
            costs,
            found,
            validation,
            beside_metric: beside_metric(simulator.task()),
            statistics: report.statistics,
            compiled,
            compiled_cpu,
            searched_cpu,
        };
        if let (Some(found), Some(path)) = (&report.found, &self.out) {
            files::write_file(path, found.text(), Mark::Pddl)?;
            files::report_written(path, output::counted(found.len() as u64, "step"));
        }
        match format {
            Format::Json => output::json(&report.data())?,
            Format::Text => report.print(false)?,
        }
        Ok(report.answer())
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
