//! A search for a plan in PDDL: its task, its plans, and their execution.

use std::sync::Arc;
use std::time::Duration;

use herbrand_env::Suite;
use herbrand_env::plan::validate;
use herbrand_limits::{Budget, Instant, Limits};
use herbrand_plan::{PlanRequest, Planner, Progress, Report, SearchOutcome, SearchStatistics, TaskError};
use herbrand_step::{Random, Simulator, State, StepError};

use super::PlanQuery;
use super::report::PlanReport;
use super::undefined::undefined_values;
use crate::failure::TaskFailure;
use crate::finite_domain::{SasFile, pruned};
use crate::found::{Costs, FoundPlan};
use crate::planners::AnyPlanner;
use crate::run::{Run, TaskProgress};

/// A problem in PDDL that was compiled for searches.
pub(super) struct Target<'a> {
    suite: &'a Suite,
    /// The task that is searched, without the operators that `h2` leaves out.
    searched: Simulator,
    /// The task with which plans are executed.
    simulator: &'a Simulator,
    /// For a finite-domain task, the names of the operators in its file.
    file: Option<SasFile>,
    /// The time, and the CPU time, that reading and grounding took.
    compiled: (Duration, Duration),
}

impl<'a> Target<'a> {
    /// Compiles the only problem of a suite.
    pub(super) fn new(suite: &'a Suite, request: &PlanQuery, run: &Run<'_>) -> Result<Self, TaskFailure> {
        let (began, cpu) = (Instant::now(), run.cpu());
        let simulator = suite.timeless_instance(0, "this planner")?.simulator();
        let file = SasFile::of_suite(suite, run.limits)?;
        let searched = if request.h2 {
            let problem = suite.parse_problem(0)?;
            let budget = Budget::new(run.limits);
            let task = pruned(simulator.task(), suite.domain(), &problem, &budget)?;
            Simulator::with_options(Arc::new(task), simulator.options())
        } else {
            simulator.clone()
        };
        Ok(Self {
            suite,
            searched,
            simulator,
            file,
            compiled: (began.elapsed(), run.cpu().saturating_sub(cpu)),
        })
    }

    /// Returns the time that compiling took.
    pub(super) const fn compiled(&self) -> Duration {
        self.compiled.0
    }

    /// Searches for a plan within limits, and executes it.
    pub(super) fn search(
        &self,
        planner: AnyPlanner,
        request: &PlanQuery,
        limits: Limits,
        run: &mut Run<'_>,
    ) -> Result<PlanReport, TaskFailure> {
        let cpu = run.cpu();
        let planner = self.planner(planner, request)?;
        let start = self.searched.sample_initial(&mut Random::new(run.seed))?;
        let rename = |found: &mut FoundPlan| self.rename(found);
        let (report, costs) = search_from(
            (&self.searched, &start),
            planner.as_ref(),
            request,
            limits,
            &rename,
            run,
        )?;
        if let SearchOutcome::Failed(error) = report.outcome {
            return Err(error.into());
        }
        let searched_cpu = run.cpu().saturating_sub(cpu);
        let mut answer = PlanReport::new(planner.name(), report, costs);
        if answer.outcome.plan().is_some() {
            self.execute(&mut answer)?;
        }
        answer.external = request.external.is_some();
        answer.problem = self.problem();
        answer.compile_seconds = self.compiled.0.as_secs_f64();
        answer.compile_cpu_seconds = self.compiled.1.as_secs_f64();
        answer.search_cpu_seconds = searched_cpu.as_secs_f64();
        if !self.suite.is_ground() {
            self.explain(&mut answer)?;
        }
        Ok(answer)
    }

    /// Returns the name of the problem.
    pub(super) fn problem(&self) -> String {
        match &self.file {
            Some(file) => file.name.clone(),
            None => self.suite.full_problem_name(0).unwrap_or_default(),
        }
    }

    /// Returns the planner of a problem.
    fn planner(&self, planner: AnyPlanner, request: &PlanQuery) -> Result<Box<dyn Planner>, TaskFailure> {
        if let AnyPlanner::Search(kind) = planner {
            return Ok(Box::new(kind));
        }
        self.external(request.external.as_deref().unwrap_or_default())
    }

    #[cfg(feature = "external")]
    fn external(&self, command: &str) -> Result<Box<dyn Planner>, TaskFailure> {
        let problem = self.suite.parse_problem(0)?;
        let command = command.parse().map_err(TaskFailure::Command)?;
        let domain = self.suite.domain().clone();
        Ok(Box::new(herbrand_plan::External::new(command, domain, problem)))
    }

    #[cfg(not(feature = "external"))]
    fn external(&self, command: &str) -> Result<Box<dyn Planner>, TaskFailure> {
        let _ = command;
        Err(TaskFailure::option("external", "is not available here"))
    }

    /// Executes the plan of an answer, and describes it.
    fn execute(&self, answer: &mut PlanReport) -> Result<(), TaskFailure> {
        let is_rounded = answer.rounding.is_some();
        let mut found = FoundPlan::of(&self.searched, &answer.outcome, is_rounded, &answer.costs);
        let validation = validate(self.simulator, &found.parsed())?;
        if validation.goal <= 0.0 {
            return Err(TaskFailure::WrongPlan);
        }
        found.compare_with(validation.metric);
        self.rename(&mut found);
        answer.beside_metric = beside_metric(self.simulator.task());
        answer.set_plan(found, &validation);
        Ok(())
    }

    /// Gives the steps of a plan the names of a file's operators.
    fn rename(&self, found: &mut FoundPlan) {
        if let Some(file) = &self.file {
            found.steps = file.step_names(&found.operators);
        }
    }

    /// Adds the reasons why no plan was found.
    fn explain(&self, answer: &mut PlanReport) -> Result<(), TaskFailure> {
        if matches!(
            answer.outcome,
            SearchOutcome::ProvenUnsolvable | SearchOutcome::Exhausted
        ) {
            answer.has_goal = self.suite.parse_problem(0)?.has_goal;
            answer.undefined_values = undefined_values(self.suite, self.simulator)?;
            // A missing value tells more than the goals that it makes unreachable.
            if answer.undefined_values.is_empty() {
                answer.unreachable_goals = self.suite.unreachable_goals(0)?;
            }
        }
        Ok(())
    }
}

/// Searches for a plan from a state of a problem in PDDL by the planner of a query. Does not execute the plan.
///
/// # Errors
/// Fails if the query names no search, or an action has too many outcomes.
pub fn plan_from(
    simulator: &Simulator,
    start: &State,
    query: &PlanQuery,
    run: &mut Run<'_>,
) -> Result<Report, TaskFailure> {
    let kind = match AnyPlanner::for_pddl(query)? {
        AnyPlanner::Search(kind) if !query.h2 => kind,
        planner => {
            return Err(TaskFailure::Planner {
                name: planner.name().to_owned(),
                advice: " starts from the initial states of a problem".to_owned(),
            });
        }
    };
    plan_by(&kind, simulator, start, query, run)
}

/// Searches for a plan from a state of a problem in PDDL by a planner of the caller; of the query, `determinize` counts. Does not
/// execute the plan.
///
/// # Errors
/// Fails if an action has too many outcomes.
pub fn plan_by(
    planner: &dyn Planner,
    simulator: &Simulator,
    start: &State,
    query: &PlanQuery,
    run: &mut Run<'_>,
) -> Result<Report, TaskFailure> {
    let (report, _) = search_from((simulator, start), planner, query, run.limits, &|_| {}, run)?;
    Ok(report)
}

/// Searches from a state of a problem within limits, and returns how the search judged plans. `rename` changes the names of a
/// plan's steps.
fn search_from(
    (simulator, start): (&Simulator, &State),
    planner: &dyn Planner,
    query: &PlanQuery,
    limits: Limits,
    rename: &dyn Fn(&mut FoundPlan),
    run: &mut Run<'_>,
) -> Result<(Report, Costs), TaskFailure> {
    let budget = Budget::new(limits);
    let determinization = query.determinize.unwrap_or_default();
    let task = match planner.task(simulator, start, determinization, &budget) {
        Ok(task) => task,
        Err(TaskError::BudgetExhausted(spent)) => {
            let report = Report {
                outcome: spent.into(),
                statistics: SearchStatistics::default(),
            };
            let costs = Costs {
                follows_metric: true,
                fault: None,
            };
            return Ok((report, costs));
        }
        Err(TaskError::Step(error)) => return Err(error.into()),
    };
    let costs = Costs::of(task.costs(), task.simulator().task());
    if let (true, Some(fault)) = (query.optimal, &costs.fault) {
        return Err(TaskFailure::Metric(fault.clone()));
    }
    let watched = budget.clone();
    let mut search = PlanRequest {
        budget,
        seed: run.seed,
        progress: &mut |progress: Progress<'_>| {
            let plan = progress.plan.map(|plan| {
                let outcome = SearchOutcome::Plan(plan.clone());
                let mut found = FoundPlan::of(simulator, &outcome, false, &costs);
                rename(&mut found);
                found
            });
            let statistics = progress.statistics;
            let watch = run.progress.as_mut();
            if watch.is_some_and(|watch| watch(TaskProgress { statistics, plan }).is_break()) {
                watched.cancel();
            }
        },
    };
    Ok((planner.plan(&task, &mut search), costs.clone()))
}

/// Returns a remark to print behind the value of the metric: the terms that the value does not include. Empty if it includes all.
#[must_use]
pub fn beside_metric(task: &herbrand_ground::GroundTask) -> String {
    let metric = task
        .metric
        .map(|(_, root)| task.display_expression(root).to_string())
        .unwrap_or_default();
    match task.goal_reward {
        Some(reward) if reward != 0.0 && metric.contains("(reward)") => {
            format!(", without the goal reward of {reward}")
        }
        _ => String::new(),
    }
}

impl From<StepError> for TaskFailure {
    fn from(error: StepError) -> Self {
        herbrand_env::EnvError::Planning(error.into()).into()
    }
}
