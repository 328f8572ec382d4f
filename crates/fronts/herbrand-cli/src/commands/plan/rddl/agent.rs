//! Agents for RDDL, which select an action in every state, and their runs.

use std::io::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use herbrand::limits::{Budget, Limits};
use herbrand::plan::PolicyKind;
use herbrand::rddl::Horizon;
use herbrand::rddl::exact::{ExactPolicy, ExactPolicyError};
use herbrand::rddl::gradient::{ReactivePolicy, Relaxation, Relaxed};
use herbrand::rddl::ground::ExactError;
use herbrand::rddl::plan::{
    Agent, EvaluateOptions, PlanOptions, Shield, UctPlanner, compare_evaluated, evaluate,
};
use herbrand::rddl::planners::RddlPlannerKind;
use herbrand::rddl::simulate::{CompiledInstance, RddlSimulator, StepError};
use herbrand::rddl::space::RddlSpaceError;
use herbrand::rddl::suite::{RddlError, RddlSuite};

use super::super::Plan;
use super::super::returns::PlanReturns;
use super::report::{Acted, Optimum, answer, words};
use super::{SEARCHED, unable};
use crate::failure::Failure;
use crate::files;
use crate::limits::time_budget;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted, grouped};
use crate::policy_file;

/// Returns the name of an agent that acts by a planner in every state.
fn name(kind: RddlPlannerKind) -> String {
    match kind {
        RddlPlannerKind::Uct | RddlPlannerKind::Reactive | RddlPlannerKind::Exact => kind.to_string(),
        RddlPlannerKind::CrossEntropy => PolicyKind::Replan.to_string(),
        kind => format!("{kind} --replan"),
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
        kind: RddlPlannerKind,
        suite: &RddlSuite,
        limits: Limits,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        if self.out.is_some() && kind.finds_plans() {
            let message = format!(
                "--out needs a planner that finds plans, or reactive or exact: {} computes each action when it is due",
                name(kind)
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
        let share = if kind == RddlPlannerKind::Uct { 0.8 } else { 0.4 };
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
        let mut agent: Box<dyn Agent<RddlSimulator> + '_> = match kind {
            RddlPlannerKind::Exact => {
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
            RddlPlannerKind::Reactive => {
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
            _ => {
                let is_uct = kind == RddlPlannerKind::Uct;
                let time = self.problem.limits.time().or(limits.time.filter(|_| is_uct));
                let limits = Limits {
                    time: time.map(each),
                    ..limits
                };
                let usual = Some(steps.min(REPLANNED)).filter(|_| !is_uct);
                self.line_planner(kind, &compiled, limits, self.rddl.lookahead.or(usual))?
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
            planner: name(kind),
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
        if kind != RddlPlannerKind::Exact {
            // No policy is better than an exact one.
            let cure = Some(MORE_WALKS).filter(|_| kind == RddlPlannerKind::Uct);
            acted.paid.warn_if_idle(&compiled, "the policy", cure);
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
            let is_countable = UctPlanner::new(Arc::clone(compiled), PlanOptions::default()).is_ok();
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
        let options = self.options(limits);
        let relaxed = Relaxed::with(
            &compiled.instance,
            &Relaxation::new(options.norm),
            &Budget::new(limits),
        );
        let relaxed = Arc::new(relaxed.map_err(|error| unable(error.into()))?);
        Ok(ReactivePolicy::train(&relaxed, &self.rddl.hidden, &options).map_err(RddlError::from)?)
    }
}
