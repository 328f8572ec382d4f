//! Agents for RDDL, which select an action in every state, and their runs.

use std::fmt;
use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use herbrand::limits::{Budget, Limits};
use herbrand::rddl::Horizon;
use herbrand::rddl::exact::{ExactPolicy, ExactPolicyError};
use herbrand::rddl::gradient::{ReactivePolicy, TrainOptions};
use herbrand::rddl::ground::ExactError;
use herbrand::rddl::plan::{
    Agent, EvaluateOptions, Shield, UctOptions, UctPlanner, compare_evaluated, evaluate,
};
use herbrand::rddl::simulate::{CompiledInstance, RddlSimulator, StepError};
use herbrand::rddl::space::RddlSpaceError;
use herbrand::rddl::suite::{RddlError, RddlSuite};

use super::super::Plan;
use super::super::returns::PlanReturns;
use super::report::{Acted, Optimum, answer, words};
use super::{How, SEARCHED};
use crate::failure::Failure;
use crate::files;
use crate::limits::time_budget;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted, grouped};
use crate::policy_file;

/// How an action is selected in every state.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Acting {
    Uct,
    Replanning(How),
    Reactive,
    Exact,
}

impl fmt::Display for Acting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uct => f.write_str("uct"),
            Self::Replanning(How::CrossEntropy) => f.write_str("replan"),
            Self::Replanning(how) => write!(f, "{how} --replan"),
            Self::Reactive => f.write_str("reactive"),
            Self::Exact => f.write_str("exact"),
        }
    }
}

/// The number of steps of a plan that is made again in every state, by default.
const REPLANNED: u32 = 10;

/// The hint for uct if it finds nothing better than doing nothing.
const MORE_WALKS: &str = "raise --iterations, or --time without it";

/// With `--time`: the fraction of the time after which the runs of an agent end. The baselines have the rest.
const ACTED: f64 = 0.9;

impl Plan {
    /// Acts in every state. `--time` limits all decisions together, or the training of a network.
    pub(super) fn by_agent(
        &self,
        acting: Acting,
        suite: &RddlSuite,
        limits: Limits,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        if self.out.is_some() && !matches!(acting, Acting::Reactive | Acting::Exact) {
            let message = format!(
                "--out needs a planner that finds plans, or reactive or exact: {acting} computes each action when it is due"
            );
            return Err(Failure::Request(message));
        }
        let begin = Instant::now();
        let compiled = Arc::clone(suite.compiled(0)?);
        let runs = self.policy.runs;
        let steps = match compiled.instance.horizon {
            Horizon::Steps(steps) => steps.min(self.policy.horizon()),
            Horizon::Infinite => self.policy.horizon(),
        };
        // The baselines have the rest of the time. A plan is compared with others after its time.
        let share = if acting == Acting::Uct { 0.8 } else { 0.4 };
        let each = |time: Duration| time.mul_f64(share) / runs.saturating_mul(steps).max(1);
        let policy;
        let mut optimum = None;
        let problem = suite.problem_name(0).unwrap_or_default().to_owned();
        let keep = |text: String| -> Result<(), Failure> {
            if let Some(path) = &self.out {
                files::write_file(path, text)?;
                files::report_written(path, "a policy".to_owned());
            }
            Ok(())
        };
        let mut agent: Box<dyn Agent<RddlSimulator> + '_> = match acting {
            Acting::Uct => {
                let defaults = UctOptions::default();
                let options = UctOptions {
                    lookahead: self.rddl.lookahead,
                    walks: self.walks(defaults.walks),
                    time: limits.time.map(each),
                    bytes: limits.bytes.unwrap_or(defaults.bytes),
                    enforced: self.enforced(),
                    seed: self.seed,
                    ..defaults
                };
                let planner = UctPlanner::new(Arc::clone(&compiled), options);
                let unable =
                    |error| format!("{error}; use --planner cross-entropy, which needs no list of them");
                Box::new(planner.map_err(|error| Failure::Request(unable(error)))?)
            }
            Acting::Replanning(how) => {
                let limits = Limits {
                    time: self.problem.limits.time().map(each),
                    ..limits
                };
                let lookahead = self.rddl.lookahead.or(Some(steps.min(REPLANNED)));
                self.line_planner(how, &compiled, limits, lookahead)?
            }
            Acting::Exact => {
                let policy = self.exact(&compiled, steps, limits)?;
                optimum = Some(Optimum {
                    mean_discounted_return: policy.value(),
                    broken_probability: policy.broken(),
                    states: policy.states(),
                });
                if self.out.is_some() {
                    keep(policy_file::exact_text(&policy, &problem)?)?;
                }
                Box::new(policy)
            }
            Acting::Reactive => {
                policy = self.trained(&compiled, self.searching(limits))?;
                if self.out.is_some() {
                    keep(policy_file::reactive_text(&policy, &problem, self.enforced())?)?;
                }
                if self.enforced() {
                    Box::new(Shield::new(&policy, Arc::clone(&compiled), self.seed))
                } else {
                    Box::new(&policy)
                }
            }
        };
        let options = EvaluateOptions {
            steps,
            episodes: runs,
            seed: self.seed,
        };
        let mut simulator = self.simulator(&compiled);
        let mut evaluated = || evaluate(&mut simulator, agent.as_mut(), &options);
        let evaluation = match self.problem.limits.time() {
            Some(time) => {
                let left = time.mul_f64(ACTED).saturating_sub(begin.elapsed());
                time_budget(left).enclose(evaluated)
            }
            None => evaluated(),
        };
        let evaluation = evaluation.map_err(RddlError::from)?;
        let complete = evaluation.returns.len() as u32;
        if complete < runs {
            anstream::eprintln!(
                "warning: {complete} of {} fit into the time: raise --time, or lower --runs",
                counted(runs.into(), "run")
            );
        }
        let comparison = compare_evaluated(&mut simulator, evaluation, &options).map_err(RddlError::from)?;
        let acted = Acted {
            paid: PlanReturns::of(&mut simulator, &problem, &options, &comparison)
                .map_err(RddlError::from)?,
            problem,
            optimum,
            planner: acting.to_string(),
            runs: complete,
            first: comparison
                .agent
                .first
                .iter()
                .map(|joint| words(&simulator, joint))
                .collect(),
            seconds: begin.elapsed().as_secs_f64(),
        };
        acted.paid.warn();
        match acting {
            // No policy is better.
            Acting::Exact => {}
            Acting::Uct => acted.paid.warn_if_idle(&compiled, "the policy", Some(MORE_WALKS)),
            Acting::Replanning(_) | Acting::Reactive => {
                acted.paid.warn_if_idle(&compiled, "the policy", None)
            }
        }
        match format {
            Format::Json => output::json(&acted)?,
            Format::Text => {
                let mut out = output::out();
                write!(out, "{}", acted.text())?;
                out.flush()?;
            }
        }
        Ok(answer(&acted.paid))
    }

    /// Returns the number of walks of UCT before each action: that given, or else `usual`, but no limit with `--time`.
    fn walks(&self, usual: u32) -> u32 {
        let usual = self.problem.limits.time().map_or(usual, |_| u32::MAX);
        self.policy.iterations.unwrap_or(usual)
    }

    /// Returns the limits of the search for a policy: the rest of the time is for its evaluation.
    fn searching(&self, limits: Limits) -> Limits {
        let given = self.problem.limits.time();
        Limits {
            time: given.map(|time| time.mul_f64(SEARCHED)).or(limits.time),
            ..limits
        }
    }

    /// Computes the policy of `exact`.
    fn exact(
        &self,
        compiled: &Arc<CompiledInstance>,
        steps: u32,
        limits: Limits,
    ) -> Result<ExactPolicy, Failure> {
        if !self.enforced() {
            let message = "--planner exact satisfies all preconditions: leave out --preconditions ignored";
            return Err(Failure::Request(message.to_owned()));
        }
        let budget = Budget::new(self.searching(limits));
        ExactPolicy::solve(&compiled.instance, Some(steps), &budget).map_err(|error| {
            let is_countable = UctPlanner::new(Arc::clone(compiled), UctOptions::default()).is_ok();
            let other = if is_countable { "uct" } else { "replan" };
            match error {
                ExactPolicyError::Space(RddlSpaceError::Compile(error)) => RddlError::from(error).into(),
                ExactPolicyError::TooManyStates { states, .. } => Failure::Request(format!(
                    "the problem has more states than half of --time and the memory allow: {} were found; raise the \
                     limits, or use --planner {other}",
                    grouped(states as u64)
                )),
                // Without the result of a step, no planner knows what it is worth.
                ExactPolicyError::Space(RddlSpaceError::Step(ExactError::Step(error @ StepError::Value { .. }))) => {
                    let message = "exact takes all steps from all states, and needs the result of each: correct the \
                                   formula, or exclude the step by an action precondition";
                    Failure::Request(format!("{error}\nhelp: {message}"))
                }
                error => Failure::Request(format!("{error}: use --planner {other}")),
            }
        })
    }

    /// Trains the network of `reactive`.
    fn trained(&self, compiled: &CompiledInstance, limits: Limits) -> Result<ReactivePolicy, Failure> {
        let defaults = TrainOptions::default();
        let options = TrainOptions {
            hidden: self.rddl.hidden.clone(),
            lookahead: self.rddl.lookahead,
            batch: self.rddl.scenarios.map_or(defaults.batch, |count| count as usize),
            iterations: self.rounds(defaults.iterations),
            time: limits.time,
            bytes: limits.bytes.unwrap_or(defaults.bytes),
            rate: self.rddl.rate.unwrap_or(defaults.rate),
            sharpness: self.rddl.sharpness.unwrap_or(defaults.sharpness),
            risk: self.rddl.risk,
            enforced: self.enforced(),
            seed: self.seed,
        };
        let relaxed = self.relaxed(compiled, limits)?;
        Ok(ReactivePolicy::train(&relaxed, &options).map_err(RddlError::from)?)
    }
}
