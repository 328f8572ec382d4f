//! Plans for problems in RDDL.

mod agent;
mod all;
mod report;

use std::fmt;
use std::io::Write as _;
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use herbrand::limits::{Budget, BudgetExhausted, Limits};
use herbrand::plan::PolicyKind;
use herbrand::rddl::Horizon;
use herbrand::rddl::gradient::{GradientError, GradientOptions, GradientPlanner, Relaxation, Relaxed, TNorm};
use herbrand::rddl::plan::{
    AgentComparison, EvaluateOptions, FollowPlan, Method, PlanOptions, Risk, SamplingPlanner,
    StraightLinePlanner, StraightPlan, compare,
};
use herbrand::rddl::portfolio::{Portfolio, PortfolioOptions};
use herbrand::rddl::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError};
use herbrand::rddl::suite::{RddlError, RddlSuite};

use super::returns::PlanReturns;
use super::{AnyPlanner, Determinize, Plan};
use crate::failure::Failure;
use crate::files;
use crate::limits::time_budget;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};

use agent::Acting;
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
fn positive(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if number > 0.0 && f64::is_finite(number) => Ok(number),
        _ => Err("expected a number greater than 0".to_owned()),
    }
}

/// The planners that support only RDDL.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub enum How {
    /// for RDDL: draws plans near the best plans of the previous round
    #[default]
    CrossEntropy,
    /// for RDDL: draws random plans, and keeps the best one
    RandomShooting,
    /// for RDDL: improves plans by the gradient of their return in a smoothed model
    Gradient,
    /// for RDDL: cross-entropy and gradient in turns, each starting from the other's best plan
    Auto,
    /// for RDDL: trains a small neural network by gradients, which selects an action in every state
    Reactive,
    /// for RDDL: an optimal policy by dynamic programming over all states, for small problems
    Exact,
}

impl How {
    /// Returns whether the planner finds straight-line plans, and not a policy.
    const fn finds_plans(self) -> bool {
        !matches!(self, Self::Reactive | Self::Exact)
    }
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::CrossEntropy => "cross-entropy",
            Self::RandomShooting => "random-shooting",
            Self::Gradient => "gradient",
            Self::Auto => "auto",
            Self::Reactive => "reactive",
            Self::Exact => "exact",
        })
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
        let how = match self.planner {
            None => How::default(),
            Some(AnyPlanner::Rddl(how)) => how,
            Some(AnyPlanner::Policy(PolicyKind::Replan)) => {
                return self.by_agent(Acting::Replanning(How::CrossEntropy), suite, limits, format);
            }
            Some(AnyPlanner::Policy(PolicyKind::Uct)) if self.rddl.replan => {
                return Err(Failure::Request(
                    "--replan has no effect with --planner uct: leave it out".to_owned(),
                ));
            }
            Some(AnyPlanner::Policy(PolicyKind::Uct)) => {
                return self.by_agent(Acting::Uct, suite, limits, format);
            }
            Some(AnyPlanner::Policy(kind)) => return Err(for_pddl(kind.as_str())),
            Some(AnyPlanner::Plan(kind)) => return Err(for_pddl(kind.as_str())),
            Some(AnyPlanner::All) => return Err(for_pddl("all")),
        };
        match how {
            How::Reactive => return self.by_agent(Acting::Reactive, suite, limits, format),
            How::Exact => return self.by_agent(Acting::Exact, suite, limits, format),
            _ => {}
        }
        if self.rddl.replan {
            return self.by_agent(Acting::Replanning(how), suite, limits, format);
        }
        let report = self.straight(suite, how, limits)?;
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
    fn straight(&self, suite: &RddlSuite, how: How, limits: Limits) -> Result<Report, Failure> {
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
            let mut planner = self.line_planner(how, &compiled, limits, self.rddl.lookahead)?;
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
        how: How,
        compiled: &Arc<CompiledInstance>,
        limits: Limits,
        lookahead: Option<u32>,
    ) -> Result<Box<dyn StraightLinePlanner>, Failure> {
        let scenarios = self.rddl.scenarios.map(|count| count as usize);
        Ok(match how {
            How::CrossEntropy | How::RandomShooting => {
                let defaults = PlanOptions::default();
                let options = PlanOptions {
                    method: match how {
                        How::RandomShooting => Method::RandomShooting,
                        _ => Method::CrossEntropy,
                    },
                    lookahead,
                    candidates: self.rddl.candidates.unwrap_or(defaults.candidates),
                    iterations: self.rounds(defaults.iterations),
                    scenarios: scenarios.unwrap_or(defaults.scenarios),
                    time: limits.time,
                    bytes: limits.bytes.unwrap_or(defaults.bytes),
                    enforced: self.enforced(),
                    risk: self.rddl.risk,
                    seed: self.seed,
                    ..defaults
                };
                Box::new(SamplingPlanner::new(Arc::clone(compiled), options))
            }
            // The callers handle reactive and exact, which find no straight-line plans.
            How::Gradient | How::Reactive | How::Exact => {
                let defaults = GradientOptions::default();
                let options = GradientOptions {
                    lookahead,
                    candidates: self.rddl.candidates.unwrap_or(defaults.candidates),
                    iterations: self.rounds(defaults.iterations),
                    scenarios: scenarios.unwrap_or(defaults.scenarios),
                    time: limits.time,
                    bytes: limits.bytes.unwrap_or(defaults.bytes),
                    rate: self.rddl.rate.unwrap_or(defaults.rate),
                    sharpness: self.rddl.sharpness.unwrap_or(defaults.sharpness),
                    first_sharpness: defaults.first_sharpness.filter(|_| self.rddl.sharpness.is_none()),
                    enforced: self.enforced(),
                    risk: self.rddl.risk,
                    seed: self.seed,
                    ..defaults
                };
                Box::new(GradientPlanner::new(self.relaxed(compiled, limits)?, options))
            }
            How::Auto => {
                if self.rddl.candidates.is_some() {
                    let message = "--candidates has no effect with --planner auto: leave it out";
                    return Err(Failure::Request(message.to_owned()));
                }
                let defaults = PortfolioOptions::default();
                let options = PortfolioOptions {
                    lookahead,
                    turns: self.rddl.rounds.unwrap_or(defaults.turns),
                    // Turns share the time that was given. The default limit only ends the search.
                    time: self.problem.limits.time().and(limits.time),
                    scenarios: scenarios.unwrap_or(defaults.scenarios),
                    rate: self.rddl.rate.unwrap_or(defaults.rate),
                    sharpness: self.rddl.sharpness.unwrap_or(defaults.sharpness),
                    norm: self.rddl.t_norm,
                    enforced: self.enforced(),
                    risk: self.rddl.risk,
                    seed: self.seed,
                    bytes: limits.bytes.unwrap_or(defaults.bytes),
                };
                Box::new(Portfolio::new(compiled, options, &Budget::new(limits)).map_err(unable)?)
            }
        })
    }

    /// Compiles the smooth steps of a problem.
    fn relaxed(&self, compiled: &CompiledInstance, limits: Limits) -> Result<Arc<Relaxed>, Failure> {
        let relaxation = Relaxation::new(self.rddl.t_norm);
        let relaxed = Relaxed::with(&compiled.instance, &relaxation, &Budget::new(limits));
        Ok(Arc::new(relaxed.map_err(unable)?))
    }

    /// Creates a simulator with the effect of violated preconditions that was asked for.
    fn simulator(&self, compiled: &Arc<CompiledInstance>) -> RddlSimulator {
        RddlSimulator::new(Arc::clone(compiled), self.preconditions.effect())
    }

    /// Returns the maximum number of rounds of a search: that given, or else `usual`, but no limit with `--time`.
    fn rounds(&self, usual: u32) -> u32 {
        let usual = self.problem.limits.time().map_or(usual, |_| u32::MAX);
        self.rddl.rounds.unwrap_or(usual)
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

fn unable(error: GradientError) -> Failure {
    match error {
        GradientError::Compile(error) => Failure::from(RddlError::from(error)),
        error @ GradientError::NoGradient { .. } => Failure::Request(error.to_string()),
    }
}

fn for_pddl(planner: &str) -> Failure {
    Failure::Request(format!(
        "--planner {planner} supports only PDDL: for RDDL, use cross-entropy, random-shooting, gradient, auto, reactive, exact, uct or replan"
    ))
}
