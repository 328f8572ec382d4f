//! Plans for problems in RDDL.

mod agent;
mod all;
mod report;

use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use herbrand::limits::{Budget, BudgetExhausted, Limits};
use herbrand::plan::PolicyKind;
use herbrand::rddl::Horizon;
use herbrand::rddl::gradient::{GradientError, TNorm};
use herbrand::rddl::plan::{
    AgentComparison, EvaluateOptions, FollowPlan, PlanOptions, Risk, StraightLinePlanner, StraightPlan,
    compare,
};
use herbrand::rddl::planners::{RddlPlannerError, RddlPlannerKind};
use herbrand::rddl::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError};
use herbrand::rddl::suite::{RddlError, RddlSuite};

use super::returns::PlanReturns;
use super::{AnyPlanner, Determinize, Plan};
use crate::failure::Failure;
use crate::files;
use crate::limits::time_budget;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};

use report::{Report, UNEVALUATED, answer, words};

/// The options of RDDL planners.
#[derive(Args)]
#[command(next_help_heading = "Options for RDDL")]
pub struct RddlArgs {
    /// The number of steps of a plan, or of uct's lookahead [default: the horizon, or 100 if that is infinite; 10 with --replan]
    #[arg(long, value_name = "STEPS")]
    lookahead: Option<u32>,

    /// The number of plans that are drawn or improved together; not for auto [default: 256, or 8 for gradient]
    #[arg(long, value_name = "N")]
    candidates: Option<usize>,

    /// The number of rounds: draws, gradient steps, or turns of auto [default: 10, 200 for gradient, 8 for auto; with
    /// --time, as many draws or gradient steps as fit into it]
    #[arg(long, value_name = "N")]
    rounds: Option<u32>,

    /// The number of random scenarios on which each plan is tried, or of roll-outs per gradient of reactive [default:
    /// 4, 16 for reactive]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    scenarios: Option<u32>,

    /// The objective over the returns of the scenarios: mean; entropic:B or mean-variance:B with an aversion B; cvar:F,
    /// the mean of the worst fraction F
    #[arg(long, value_name = "OBJECTIVE", default_value_t)]
    risk: Risk,

    /// Plan again in every state, as long as the plans have steps (a rolling horizon); for cross-entropy,
    /// random-shooting, gradient and auto
    #[arg(long)]
    replan: bool,

    /// For gradients, the conjunction of truth degrees: product, godel or lukasiewicz
    #[arg(long, value_name = "NORM", default_value_t)]
    t_norm: TNorm,

    /// For gradients, the learning rate [default: 0.1, 0.01 for reactive]
    #[arg(long, value_name = "NUMBER", value_parser = positive)]
    rate: Option<f64>,

    /// For gradients, the sharpness of the smooth functions: the greater, the closer to the real steps, and the steeper
    /// [default: 10, after a rise from 1 for gradient]
    #[arg(long, value_name = "NUMBER", value_parser = positive)]
    sharpness: Option<f64>,

    /// The units in each hidden layer of reactive's network
    #[arg(long, value_name = "UNITS", value_delimiter = ',', default_values_t = [32, 32])]
    hidden: Vec<usize>,
}

impl RddlArgs {
    /// Returns the first option that differs from its default.
    pub(super) fn given(&self) -> Option<&'static str> {
        let options = [
            ("--lookahead", self.lookahead.is_some()),
            ("--candidates", self.candidates.is_some()),
            ("--rounds", self.rounds.is_some()),
            ("--scenarios", self.scenarios.is_some()),
            ("--risk", self.risk != Risk::default()),
            ("--replan", self.replan),
            ("--t-norm", self.t_norm != TNorm::default()),
            ("--rate", self.rate.is_some()),
            ("--sharpness", self.sharpness.is_some()),
        ];
        options
            .into_iter()
            .find(|(_, given)| *given)
            .map(|(name, _)| name)
    }
}

/// Parses a number greater than 0.
fn positive(text: &str) -> Result<f64, &'static str> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("expected a number greater than 0"),
    }
}

/// The number of episodes for evaluating a plan.
const EPISODES: u32 = 256;

/// With `--time`: the fractions of the time after which a search improves no more plans, and after which it must have
/// chosen one. The evaluation has the rest.
const SEARCHED: f64 = 0.5;
const CHOSEN: f64 = 0.65;

/// With `--time`: the number of episodes that show how many fit into the rest of the time.
const TRIED: u32 = 4;

impl Plan {
    /// Plans for the one problem of a suite.
    pub(super) fn rddl(
        &self,
        suite: &RddlSuite,
        limits: Limits,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        self.refuse_for_rddl()?;
        let compiled = Arc::clone(suite.compiled(0)?);
        if let (Some(lookahead), Horizon::Steps(horizon)) = (self.rddl.lookahead, compiled.instance.horizon)
            && lookahead > horizon
        {
            let message = format!("--lookahead {lookahead} goes beyond the horizon: use at most {horizon}");
            return Err(Failure::Request(message));
        }
        let (kind, replans) = match self.planner {
            None => (RddlPlannerKind::default(), self.rddl.replan),
            Some(AnyPlanner::Rddl(kind)) => (kind, self.rddl.replan),
            Some(AnyPlanner::Policy(PolicyKind::Replan)) => (RddlPlannerKind::CrossEntropy, true),
            Some(AnyPlanner::Policy(PolicyKind::Uct)) if self.rddl.replan => {
                return Err(Failure::Request(
                    "--replan has no effect with --planner uct: leave it out".to_owned(),
                ));
            }
            Some(AnyPlanner::Policy(PolicyKind::Uct)) => (RddlPlannerKind::Uct, true),
            Some(AnyPlanner::Policy(kind)) => return Err(for_pddl(kind.as_str())),
            Some(AnyPlanner::Plan(kind)) => return Err(for_pddl(kind.as_str())),
            Some(AnyPlanner::All) => return Err(for_pddl("all")),
        };
        if replans || !kind.finds_plans() {
            return self.by_agent(kind, suite, limits, format);
        }
        let report = self.straight(suite, kind, limits)?;
        if let Some(path) = &self.out {
            files::write_file(path, report.text())?;
            files::report_written(path, counted(report.plan.len() as u64, "step"));
        }
        match &report.paid {
            Some(paid) => {
                paid.warn();
                paid.warn_if_idle(&compiled, "the plan", None);
                paid.warn_if_rare(self.rddl.scenarios);
            }
            None => anstream::eprintln!("warning: {UNEVALUATED}: raise --time"),
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => {
                let mut out = output::out();
                write!(out, "{}", report.readable())?;
                out.flush()?;
            }
        }
        Ok(report.paid.as_ref().map_or(CommandOutcome::Yes, answer))
    }

    /// Finds and evaluates a plan for the one problem of a suite.
    fn straight(&self, suite: &RddlSuite, kind: RddlPlannerKind, limits: Limits) -> Result<Report, Failure> {
        if self.policy.has_horizon() {
            let message =
                "--horizon limits the runs of a policy: --lookahead sets the number of steps of a plan";
            return Err(Failure::Request(message.to_owned()));
        }
        let compiled = Arc::clone(suite.compiled(0)?);
        let (begin, given) = (Instant::now(), self.problem.limits.time());
        let chosen = given.map(|time| time.mul_f64(CHOSEN)).or(limits.time);
        let limits = Limits {
            time: given.map(|time| time.mul_f64(SEARCHED)).or(limits.time),
            ..limits
        };
        let search = || -> Result<StraightPlan, Failure> {
            let mut planner = self.line_planner(kind, &compiled, limits, self.rddl.lookahead)?;
            Ok(planner.plan(compiled.initial()).map_err(RddlError::from)?)
        };
        let plan = match chosen {
            Some(time) => time_budget(time).enclose(search),
            None => search(),
        }?;
        let seconds = begin.elapsed().as_secs_f64();
        let mut simulator = self.simulator(&compiled);
        let problem = suite.problem_name(0).unwrap_or_default().to_owned();
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
        Ok(Report {
            paid,
            problem,
            plan: plan.steps.iter().map(|joint| words(&simulator, joint)).collect(),
            simulated_steps: plan.simulated,
            seconds,
        })
    }

    /// Compares a plan with the baselines, in as many episodes as fit into the time that `--time` leaves; `None` if
    /// none does.
    fn evaluated(
        &self,
        simulator: &mut RddlSimulator,
        agent: &mut FollowPlan,
        options: EvaluateOptions,
        begin: Instant,
    ) -> Result<Option<AgentComparison>, Failure> {
        let mut compared =
            |episodes| match compare(simulator, agent, &EvaluateOptions { episodes, ..options }) {
                Err(StepError::BudgetExhausted(BudgetExhausted::Time { .. })) => Ok(None),
                other => other.map(Some).map_err(RddlError::from),
            };
        let Some(time) = self.problem.limits.time() else {
            return Ok(compared(options.episodes)?);
        };
        let tried = Instant::now();
        // The report has the grace of the command's budget.
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

    /// Creates the planner of straight-line plans. Its searches end within the time of `limits`.
    fn line_planner(
        &self,
        kind: RddlPlannerKind,
        compiled: &Arc<CompiledInstance>,
        limits: Limits,
        lookahead: Option<u32>,
    ) -> Result<Box<dyn StraightLinePlanner + Send>, Failure> {
        let mut options = PlanOptions {
            lookahead,
            ..self.options(limits)
        };
        match kind {
            RddlPlannerKind::Uct => options.iterations = self.policy.iterations.or(self.unlimited()),
            RddlPlannerKind::Auto if self.rddl.candidates.is_some() => {
                let message = "--candidates has no effect with --planner auto: leave it out";
                return Err(Failure::Request(message.to_owned()));
            }
            RddlPlannerKind::Auto => {
                options.iterations = self.rddl.rounds;
                // Turns share the time that was given. The default limit only ends the search.
                options.time = self.problem.limits.time().and(limits.time);
            }
            _ => {}
        }
        kind.planner(compiled, options, &Budget::new(limits))
            .map_err(unable)
    }

    /// Returns the options of planners. Searches end within the time of `limits`.
    fn options(&self, limits: Limits) -> PlanOptions {
        let defaults = PlanOptions::default();
        PlanOptions {
            lookahead: self.rddl.lookahead,
            candidates: self.rddl.candidates,
            iterations: self.rddl.rounds.or(self.unlimited()),
            scenarios: self.rddl.scenarios.map(|count| count as usize),
            time: limits.time,
            bytes: limits.bytes.unwrap_or(defaults.bytes),
            rate: self.rddl.rate,
            sharpness: self.rddl.sharpness,
            norm: self.rddl.t_norm,
            enforced: self.enforced(),
            risk: self.rddl.risk,
            seed: self.seed,
            ..defaults
        }
    }

    /// Returns the number of rounds if `--time` ends the search, and else `None` for the usual number.
    fn unlimited(&self) -> Option<u32> {
        self.problem.limits.time().map(|_| u32::MAX)
    }

    /// Creates a simulator with the effect of violated preconditions that was asked for.
    fn simulator(&self, compiled: &Arc<CompiledInstance>) -> RddlSimulator {
        RddlSimulator::new(Arc::clone(compiled), self.preconditions.effect())
    }

    /// Returns whether a planner prefers plans that violate no precondition.
    fn enforced(&self) -> bool {
        self.preconditions.effect() != Preconditions::Ignored
    }

    /// Rejects options that apply to PDDL only.
    fn refuse_for_rddl(&self) -> Result<(), Failure> {
        let flags = [
            ("--external", self.external.is_some()),
            ("--optimal", self.optimal),
            ("--exact", self.policy.exact),
            ("--rollouts", self.policy.rollouts.is_some()),
            ("--determinize", self.determinize != Determinize::default()),
        ];
        match flags.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some(("--optimal", _)) => {
                let message = "--optimal supports only PDDL: in RDDL, --planner exact finds an optimal policy of a small problem";
                Err(Failure::Request(message.to_owned()))
            }
            Some((flag, _)) => Err(Failure::Request(format!("{flag} supports only PDDL"))),
        }
    }
}

fn unable(error: RddlPlannerError) -> Failure {
    match error {
        RddlPlannerError::Gradient(GradientError::Compile(error)) => Failure::from(RddlError::from(error)),
        RddlPlannerError::Actions(error) => Failure::Request(format!(
            "{error}; use --planner cross-entropy, which needs no list of them"
        )),
        error => Failure::Request(error.to_string()),
    }
}

fn for_pddl(planner: &str) -> Failure {
    let names = RddlPlannerKind::ALL.map(RddlPlannerKind::as_str).join(", ");
    Failure::Request(format!(
        "--planner {planner} supports only PDDL: for RDDL, use {names} or replan"
    ))
}
