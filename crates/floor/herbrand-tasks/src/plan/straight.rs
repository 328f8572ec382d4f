//! Plans for problems in RDDL: the joint actions of the next steps.

use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{Choice, Described as _};
use herbrand_limits::{Budget, BudgetExhausted, Instant, Limits};
use herbrand_rddl::Horizon;
use herbrand_rddl_plan::gradient::GradientError;
use herbrand_rddl_plan::plan::{
    AgentComparison, EvaluateOptions, FollowPlan, PlanOptions, StraightLinePlanner, StraightPlan, compare,
};
use herbrand_rddl_plan::planners::{RddlPlannerError, RddlPlannerKind};
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use serde::Serialize;

use super::PlanQuery;
use super::returns::PlanReturns;
use crate::failure::TaskFailure;
use crate::run::{Run, time_budget};

/// A plan for a problem in RDDL.
#[derive(Clone, Debug, Serialize)]
pub struct StraightReport {
    /// The name of the problem.
    pub problem: String,
    /// The name of the planner.
    pub planner: &'static str,
    /// For each step, the choices that differ from defaults.
    pub plan: Vec<Vec<String>>,
    /// The returns of the plan; `None` if the time limit leaves no time for an evaluation.
    #[serde(flatten)]
    pub paid: Option<PlanReturns>,
    /// The number of steps that the search simulated.
    pub simulated_steps: u64,
    /// The seconds of the search.
    pub seconds: f64,
    /// Warnings about the plan.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// Advice on other options.
    #[serde(skip)]
    pub advice: Option<String>,
}

/// The warning about a plan that is not evaluated.
pub const UNEVALUATED: &str = "the plan is not evaluated, because the time limit is reached";

/// The number of episodes for evaluating a plan.
const EPISODES: u32 = 256;

/// With a time limit that the caller chose: the fractions of the time after which a search improves no more plans, and after
/// which it must have chosen one. The evaluation has the rest.
const SEARCHED: f64 = 0.5;
const CHOSEN: f64 = 0.65;

/// With a time limit that the caller chose: the number of episodes that show how many fit into the rest of the time.
const TRIED: u32 = 4;

/// A problem in RDDL with a query and its limits.
pub(super) struct Asked<'a> {
    pub(super) suite: &'a RddlSuite,
    pub(super) compiled: Arc<CompiledInstance>,
    pub(super) request: &'a PlanQuery,
    pub(super) limits: Limits,
    /// The time limit if the caller chose it.
    pub(super) chosen: Option<Duration>,
    pub(super) seed: u64,
}

impl<'a> Asked<'a> {
    /// Compiles the only problem of a suite.
    pub(super) fn new(
        suite: &'a RddlSuite,
        request: &'a PlanQuery,
        run: &Run<'_>,
    ) -> Result<Self, TaskFailure> {
        let compiled = Arc::clone(suite.compiled(0)?);
        if let (Some(lookahead), Horizon::Steps(horizon)) = (request.lookahead, compiled.instance.horizon)
            && lookahead > horizon
        {
            return Err(TaskFailure::Option {
                option: "lookahead",
                advice: format!("{lookahead} goes beyond the horizon: use at most {horizon}"),
            });
        }
        Ok(Self {
            suite,
            compiled,
            request,
            limits: run.limits,
            chosen: run.chosen_time(),
            seed: run.seed,
        })
    }

    /// Returns the name of the problem.
    pub(super) fn problem(&self) -> String {
        self.suite.problem_name(0).unwrap_or_default().to_owned()
    }

    /// Returns the limits of a search: the rest of the time is for an evaluation.
    pub(super) fn searching(&self) -> Limits {
        Limits {
            time: self
                .chosen
                .map(|time| time.mul_f64(SEARCHED))
                .or(self.limits.time),
            ..self.limits
        }
    }

    /// Creates a simulator.
    pub(super) fn simulator(&self) -> RddlSimulator {
        RddlSimulator::new(Arc::clone(&self.compiled), self.suite.preconditions())
    }

    /// Returns whether a planner prefers plans that violate no precondition.
    pub(super) fn enforced(&self) -> bool {
        self.suite.preconditions() != Preconditions::Ignored
    }

    /// Returns the number of rounds if the time limit ends the search, and else `None` for the usual number.
    fn unlimited(&self) -> Option<u32> {
        self.chosen.map(|_| u32::MAX)
    }

    /// Returns the options of planners. Searches end within the time of `limits`.
    pub(super) fn options(&self, limits: Limits) -> PlanOptions {
        let (request, defaults) = (self.request, PlanOptions::default());
        PlanOptions {
            lookahead: request.lookahead,
            candidates: request.candidates,
            iterations: request.rounds.or(self.unlimited()),
            scenarios: request.scenarios.map(|count| count as usize),
            time: limits.time,
            bytes: limits.bytes.unwrap_or(defaults.bytes),
            rate: request.rate,
            sharpness: request.sharpness,
            norm: request.t_norm.unwrap_or_default(),
            enforced: self.enforced(),
            risk: request.risk.unwrap_or_default(),
            seed: self.seed,
            ..defaults
        }
    }

    /// Creates the planner of straight-line plans. Its searches end within the time of `limits`.
    pub(super) fn line_planner(
        &self,
        kind: RddlPlannerKind,
        limits: Limits,
        lookahead: Option<u32>,
    ) -> Result<Box<dyn StraightLinePlanner + Send>, TaskFailure> {
        let mut options = PlanOptions {
            lookahead,
            ..self.options(limits)
        };
        match kind {
            RddlPlannerKind::Uct => options.iterations = self.request.iterations.or(self.unlimited()),
            RddlPlannerKind::Auto => {
                options.iterations = self.request.rounds;
                // Turns share the time that was given. The default limit only ends the search.
                options.time = self.chosen.and(limits.time);
            }
            _ => {}
        }
        Ok(kind.planner(&self.compiled, options, &Budget::new(limits))?)
    }

    /// Finds and evaluates a plan.
    pub(super) fn straight(&self, kind: RddlPlannerKind) -> Result<StraightReport, TaskFailure> {
        let begin = Instant::now();
        let chosen = self.chosen.map(|time| time.mul_f64(CHOSEN)).or(self.limits.time);
        let search = || -> Result<StraightPlan, TaskFailure> {
            let mut planner = self.line_planner(kind, self.searching(), self.request.lookahead)?;
            Ok(planner.plan(self.compiled.initial()).map_err(RddlError::from)?)
        };
        let plan = match chosen {
            Some(time) => time_budget(time).enclose(search),
            None => search(),
        }?;
        let seconds = begin.elapsed().as_secs_f64();
        let mut simulator = self.simulator();
        let problem = self.problem();
        let options = EvaluateOptions {
            steps: plan.steps.len() as u32,
            episodes: EPISODES,
            seed: self.seed,
        };
        let mut agent = FollowPlan::new(plan.steps.clone());
        let comparison = self.evaluated(&mut simulator, &mut agent, options, begin)?;
        let paid = comparison
            .map(|comparison| PlanReturns::of(&mut simulator, &problem, &options, &comparison))
            .transpose()
            .map_err(RddlError::from)?;
        let (mut warnings, mut advice) = (Vec::new(), None);
        match &paid {
            Some(paid) => {
                warnings = paid.fault_warnings();
                warnings.extend(paid.idle_warning(&self.compiled, "the plan", None));
                advice = paid.rare_advice(self.request.scenarios);
            }
            None => warnings.push(format!("{UNEVALUATED}: raise --time")),
        }
        Ok(StraightReport {
            paid,
            problem,
            planner: kind.as_str(),
            plan: plan.steps.iter().map(|joint| words(&simulator, joint)).collect(),
            simulated_steps: plan.simulated,
            seconds,
            warnings,
            advice,
        })
    }

    /// Compares a plan with the baselines, in as many episodes as fit into the time that the caller's limit leaves; `None` if
    /// none does.
    fn evaluated(
        &self,
        simulator: &mut RddlSimulator,
        agent: &mut FollowPlan,
        options: EvaluateOptions,
        begin: Instant,
    ) -> Result<Option<AgentComparison>, TaskFailure> {
        let mut compared =
            |episodes| match compare(simulator, agent, &EvaluateOptions { episodes, ..options }) {
                Err(StepError::BudgetExhausted(BudgetExhausted::Time { .. })) => Ok(None),
                other => other.map(Some).map_err(RddlError::from),
            };
        let Some(time) = self.chosen else {
            return Ok(compared(options.episodes)?);
        };
        let tried = Instant::now();
        // The report has the grace of the enclosing budget.
        let mut within = |episodes| {
            let limits = Limits {
                bytes: None,
                time: Some(time.saturating_sub(begin.elapsed())),
            };
            Budget::new(limits).enclose(|| compared(episodes))
        };
        let Some(few) = within(TRIED)? else {
            return Ok(None);
        };
        let each = tried.elapsed().as_secs_f64() / f64::from(TRIED);
        let left = time.saturating_sub(begin.elapsed()).as_secs_f64();
        let episodes = ((0.75 * left / each) as u32).min(options.episodes);
        Ok(match episodes {
            ..=TRIED => Some(few),
            more => within(more)?.or(Some(few)),
        })
    }
}

/// The choices of a joint action.
pub(super) fn words(simulator: &RddlSimulator, joint: &[Choice]) -> Vec<String> {
    joint.iter().map(|&one| simulator.choice_text(one)).collect()
}

impl From<RddlPlannerError> for TaskFailure {
    fn from(error: RddlPlannerError) -> Self {
        match error {
            RddlPlannerError::Gradient(GradientError::Compile(error)) => RddlError::from(error).into(),
            RddlPlannerError::Actions(error) => Self::Actions(error),
            error => Self::RddlPlanner(error),
        }
    }
}
