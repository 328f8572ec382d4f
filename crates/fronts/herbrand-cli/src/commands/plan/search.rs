//! A search for a plan: its task, the plans that it reports, and their execution.

use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use herbrand::env::plan::{Validation, validate};
use herbrand::env::{EnvError, Suite};
use herbrand::limits::{Budget, Limits};
use herbrand::plan::{
    Admissible, External, Plan as Steps, PlanRequest, Planner, PlannerKind, Progress, SearchOutcome,
    SearchTask, TaskError,
};
use herbrand::step::{Random, Rounding, StepError};
use herbrand::{ActionId, Simulator};

use super::planners::AnyPlanner;
use super::report::{Costs, FoundPlan, Report};
use super::search_progress::SearchProgress;
use super::{Plan, beside_metric, rest, undefined};
use crate::commands::translate::pruned;
use crate::failure::Failure;
use crate::files;
use crate::output::{counted, significant};

impl Plan {
    /// The simulator of the only problem of a suite, without the operators that --h2 leaves out of the search.
    pub(super) fn searched(&self, suite: &Suite, simulator: &Simulator) -> Result<Simulator, Failure> {
        if !self.h2 {
            return Ok(simulator.clone());
        }
        let budget = Budget::new(self.problem.limits());
        let problem = suite.parse_problem(0)?;
        let task = pruned(simulator.task(), suite.domain(), &problem, &budget)?;
        Ok(Simulator::with_options(Arc::new(task), simulator.options()))
    }

    /// Searches for a plan for the only problem of a suite.
    pub(super) fn solve(&self, suite: &Suite, began: Instant, cpu: ProcessTime) -> Result<Report, Failure> {
        let simulator = suite.instance(0)?.simulator();
        let searched = self.searched(suite, simulator)?;
        let planner = self.planner(suite)?;
        let compiled = (began.elapsed(), cpu.elapsed());
        let limits = rest(self.problem.limits(), compiled.0);
        let target = Target {
            searched: &searched,
            simulator,
            names: None,
        };
        let mut report = self.report(planner.as_ref(), target, limits, compiled)?;
        if matches!(
            report.outcome,
            SearchOutcome::ProvenUnsolvable | SearchOutcome::Exhausted
        ) {
            report.undefined = undefined::undefined_values(suite, simulator)?;
            // A missing value tells more than the goals that it makes unreachable.
            if report.undefined.is_empty() {
                report.unreachable = suite.unreachable_goals(0)?;
            }
        }
        report.problem = suite.full_problem_name(0).unwrap_or_default();
        report.has_goal = suite.parse_problem(0)?.has_goal;
        Ok(report)
    }

    /// Searches for a plan, and executes it. The report has no name of a problem and no reasons yet. `compiled` is the
    /// time, and the CPU time, that reading and grounding took.
    pub(super) fn report(
        &self,
        planner: &dyn Planner,
        target: Target<'_>,
        limits: Limits,
        (compiled, compiled_cpu): (Duration, Duration),
    ) -> Result<Report, Failure> {
        let cpu = ProcessTime::now();
        let mut watch = SearchProgress::begin()?;
        let (report, costs) = self.search(planner, target, limits, &mut watch)?;
        let searched_cpu = cpu.elapsed();
        watch.end();
        if let SearchOutcome::Failed(error) = &report.outcome {
            return Err(Failure::Request(error.to_string()));
        }
        let steps = report.outcome.plan();
        let outcome = (&report.outcome, report.statistics.rounding);
        let executed = steps.map(|steps| target.execute(steps, outcome, &costs));
        let (found, validation) = executed.transpose()?.unzip();
        Ok(Report {
            problem: String::new(),
            planner: planner.name().to_owned(),
            external: self.external.is_some(),
            outcome: report.outcome,
            undefined: Vec::new(),
            unreachable: Vec::new(),
            has_goal: true,
            costs,
            found,
            validation,
            beside_metric: beside_metric(target.simulator.task()),
            statistics: report.statistics,
            compiled,
            compiled_cpu,
            searched_cpu,
        })
    }

    /// The planner of a problem.
    fn planner(&self, suite: &Suite) -> Result<Box<dyn Planner>, Failure> {
        if let Some(command) = &self.external {
            let problem = suite.parse_problem(0)?;
            return Ok(Box::new(External::new(
                command.clone(),
                suite.domain().clone(),
                problem,
            )));
        }
        if self.optimal {
            return Ok(Box::new(PlannerKind::AStar(Admissible::LandmarkCut)));
        }
        Ok(Box::new(match self.planner {
            Some(AnyPlanner::Plan(kind)) => kind,
            Some(AnyPlanner::Policy(_) | AnyPlanner::Rddl(_) | AnyPlanner::All) | None => {
                PlannerKind::default()
            }
        }))
    }

    /// Runs the search, and returns how it judged plans.
    fn search(
        &self,
        planner: &dyn Planner,
        target: Target<'_>,
        limits: Limits,
        watch: &mut SearchProgress,
    ) -> Result<(herbrand::plan::Report, Costs), Failure> {
        let (budget, simulator) = (Budget::new(limits), target.searched);
        let start = simulator
            .sample_initial(&mut Random::new(self.seed))
            .map_err(failure)?;
        let task = match SearchTask::new(simulator, &start, self.determinize.into(), &budget) {
            Ok(task) => task,
            Err(TaskError::BudgetExhausted(spent)) => {
                let report = herbrand::plan::Report {
                    outcome: spent.into(),
                    statistics: herbrand::plan::SearchStatistics::default(),
                };
                let costs = Costs {
                    follows_metric: true,
                    fault: None,
                };
                return Ok((report, costs));
            }
            Err(TaskError::Step(error)) => return Err(failure(error)),
        };
        let costs = Costs::of(task.costs(), task.simulator().task());
        if let (true, Some(fault)) = (self.optimal, &costs.fault) {
            let message = format!(
                "--optimal cannot prove an optimum by this metric: {fault}; --planner astar-lmcut plans without a proof"
            );
            return Err(Failure::Request(message));
        }
        let (watched, mut failed) = (budget.clone(), None);
        let mut request = PlanRequest {
            budget,
            seed: self.seed,
            progress: &mut |progress: Progress<'_>| {
                watch.show(progress.statistics, &watched);
                if let Some(plan) = progress.plan
                    && let Err(failure) = self.keep(plan, target, &costs, progress.statistics.time, watch)
                {
                    failed = Some(failure);
                    watched.cancel();
                }
            },
        };
        let report = planner.plan(&task, &mut request);
        failed.map_or(Ok((report, costs)), Err)
    }

    /// Writes a plan to the file of `--out` while the search for a cheaper one continues, and reports it.
    fn keep(
        &self,
        plan: &Steps,
        target: Target<'_>,
        costs: &Costs,
        time: Duration,
        watch: &SearchProgress,
    ) -> Result<(), Failure> {
        let (found, _) = target.execute(&plan.steps, (&SearchOutcome::Plan(plan.clone()), None), costs)?;
        let steps = counted(found.len() as u64, "step");
        let what = format!(
            "{steps}, cost {} after {:.3} s",
            significant(found.cost),
            time.as_secs_f64()
        );
        let Some(path) = &self.out else {
            watch.print(&what);
            return Ok(());
        };
        files::write_newer_file(path, found.text())?;
        watch.aside(|| files::report_written(path, what));
        Ok(())
    }
}

/// Returns the names of the steps of a plan.
pub(super) type StepNames<'a> = dyn Fn(&[ActionId]) -> Vec<String> + 'a;

/// The task of a search, and how its plans are executed and written.
#[derive(Clone, Copy)]
pub(super) struct Target<'a> {
    /// The task that is searched.
    pub(super) searched: &'a Simulator,
    /// The task with which plans are executed.
    pub(super) simulator: &'a Simulator,
    /// The names of steps in a plan; `None` for those of the task.
    pub(super) names: Option<&'a StepNames<'a>>,
}

impl Target<'_> {
    /// Executes the plan of an outcome, and describes it.
    fn execute(
        self,
        steps: &[ActionId],
        outcome: (&SearchOutcome, Option<Rounding>),
        costs: &Costs,
    ) -> Result<(FoundPlan, Validation), Failure> {
        let mut found = FoundPlan::of(self.searched, steps, outcome, costs);
        let validation = validate(self.simulator, &found.plan()).map_err(failure)?;
        if validation.goal <= 0.0 {
            let message =
                "the planner returned a plan that does not reach the goal: this is a bug in the planner";
            return Err(Failure::Request(message.to_owned()));
        }
        found.compare_with(validation.metric);
        if let Some(names) = self.names {
            found.rename(names(steps));
        }
        Ok((found, validation))
    }
}

/// Returns the failure of a step in a search or of a plan.
pub(super) fn failure(error: StepError) -> Failure {
    EnvError::Planning(error.into()).into()
}
