//! Planners for RDDL that select an action in every state, and their runs.

use std::sync::Arc;
use std::time::Duration;

use herbrand_limits::{Budget, Instant, Limits};
use herbrand_rddl::Horizon;
use herbrand_rddl_plan::exact::{ExactPolicy, ExactPolicyError};
use herbrand_rddl_plan::gradient::{ReactivePolicy, Relaxation, Relaxed};
use herbrand_rddl_plan::plan::{
    Agent, EvaluateOptions, PlanOptions, Shield, UctPlanner, compare_evaluated, evaluate,
};
use herbrand_rddl_plan::planners::{RddlPlannerError, RddlPlannerKind};
use herbrand_rddl_plan::space::RddlSpaceError;
use herbrand_rddl_sim::ground::ExactError;
use herbrand_rddl_sim::simulate::{RddlSimulator, StepError};
use herbrand_rddl_sim::suite::RddlError;
use serde::Serialize;

use super::returns::PlanReturns;
use super::straight::{Asked, words};
use crate::failure::TaskFailure;
use crate::numbers::{counted, grouped};
use crate::policy_file;
use crate::run::time_budget;

/// The runs of a planner for RDDL that selects an action in every state.
#[derive(Clone, Debug, Serialize)]
pub struct ActingReport {
    /// The name of the problem.
    pub problem: String,
    /// The planner, as it was asked for.
    pub planner: String,
    /// The number of runs.
    pub runs: u32,
    /// Their returns.
    #[serde(flatten)]
    pub paid: PlanReturns,
    /// The exact result of an optimal policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Optimum>,
    /// For each step of the first run, the choices that differ from defaults.
    pub first: Vec<Vec<String>>,
    /// The seconds of all runs and of the search for the policy.
    pub seconds: f64,
    /// Warnings about the policy.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// The text of a policy file, if the request asks for one and the planner computes a policy.
    #[serde(skip)]
    pub file: Option<String>,
}

/// The exact result of an optimal policy.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Optimum {
    /// The expected discounted return.
    pub mean_discounted_return: f64,
    /// The probability that a state invariant breaks.
    pub broken_probability: f64,
    /// The number of states.
    pub states: usize,
}

/// The number of steps of a plan that is made again in every state, by default.
const REPLANNED: u32 = 10;

/// The advice for uct if it finds nothing better than doing nothing.
const MORE_WALKS: &str = "raise --iterations, or --time without it";

/// With a time limit that the caller chose: the fraction of the time after which the runs end. The baselines have the rest.
const ACTED: f64 = 0.9;

/// Returns the name of an agent that acts by a planner in every state.
fn name(kind: RddlPlannerKind) -> String {
    match kind {
        RddlPlannerKind::Uct | RddlPlannerKind::Reactive | RddlPlannerKind::Exact => kind.to_string(),
        RddlPlannerKind::CrossEntropy => "replan".to_owned(),
        kind => format!("{kind} --replan"),
    }
}

/// A policy that acts, its exact value, and its file.
struct Acting {
    agent: Box<dyn Agent<RddlSimulator>>,
    optimum: Option<Optimum>,
    file: Option<String>,
}

impl Asked<'_> {
    /// Acts in every state. The caller's time limit holds for all decisions together, or for the training of a network.
    pub(super) fn by_agent(&self, kind: RddlPlannerKind) -> Result<ActingReport, TaskFailure> {
        if self.request.keeps_policy && kind.finds_plans() {
            return Err(TaskFailure::Option {
                option: "out",
                advice: format!(
                    "needs a planner that finds plans, or reactive or exact: {} computes each action when it is due",
                    name(kind)
                ),
            });
        }
        let begin = Instant::now();
        let runs = self.request.runs();
        let steps = match self.compiled.instance.horizon {
            Horizon::Steps(steps) => steps.min(self.request.horizon()),
            Horizon::Infinite => self.request.horizon(),
        };
        let Acting {
            mut agent,
            optimum,
            file,
        } = self.acting(kind, runs, steps)?;
        let options = EvaluateOptions {
            steps,
            episodes: runs,
            seed: self.seed,
        };
        let mut simulator = self.simulator();
        let mut evaluated = || evaluate(&mut simulator, agent.as_mut(), &options);
        let evaluation = match self.chosen {
            Some(time) => {
                let left = time.mul_f64(ACTED).saturating_sub(begin.elapsed());
                time_budget(left).enclose(evaluated)
            }
            None => evaluated(),
        };
        let evaluation = evaluation.map_err(RddlError::from)?;
        let complete = evaluation.returns.len() as u32;
        let mut warnings = Vec::new();
        if complete < runs {
            warnings.push(format!(
                "{complete} of {} fit into the time: raise --time, or lower --runs",
                counted(runs.into(), "run")
            ));
        }
        let comparison = compare_evaluated(&mut simulator, evaluation, &options).map_err(RddlError::from)?;
        let problem = self.problem();
        let paid =
            PlanReturns::of(&mut simulator, &problem, &options, &comparison).map_err(RddlError::from)?;
        warnings.extend(paid.fault_warnings());
        if kind != RddlPlannerKind::Exact {
            // No policy is better than an exact one.
            let cure = Some(MORE_WALKS).filter(|_| kind == RddlPlannerKind::Uct);
            warnings.extend(paid.idle_warning(&self.compiled, "the policy", cure));
        }
        let first = comparison.agent.first.iter();
        Ok(ActingReport {
            paid,
            problem,
            optimum,
            planner: name(kind),
            runs: complete,
            first: first.map(|joint| words(&simulator, joint)).collect(),
            seconds: begin.elapsed().as_secs_f64(),
            warnings,
            file,
        })
    }

    /// Makes the policy that acts in `runs` of this many steps.
    fn acting(&self, kind: RddlPlannerKind, runs: u32, steps: u32) -> Result<Acting, TaskFailure> {
        let keeps = self.request.keeps_policy;
        match kind {
            RddlPlannerKind::Exact => {
                let policy = self.exact(steps)?;
                let text = keeps.then(|| policy_file::exact_text(&policy, &self.problem()));
                Ok(Acting {
                    optimum: Some(Optimum {
                        mean_discounted_return: policy.value(),
                        broken_probability: policy.broken(),
                        states: policy.states(),
                    }),
                    file: text.transpose()?,
                    agent: Box::new(policy),
                })
            }
            RddlPlannerKind::Reactive => {
                let (policy, enforced) = (self.trained()?, self.enforced());
                let text = keeps.then(|| policy_file::reactive_text(&policy, &self.problem(), enforced));
                Ok(Acting {
                    optimum: None,
                    file: text.transpose()?,
                    agent: if enforced {
                        Box::new(Shield::new(policy, Arc::clone(&self.compiled), self.seed))
                    } else {
                        Box::new(policy)
                    },
                })
            }
            _ => {
                let is_uct = kind == RddlPlannerKind::Uct;
                // The baselines have the rest of the time. A plan is compared with others after its time.
                let share = if is_uct { 0.8 } else { 0.4 };
                let each = |time: Duration| time.mul_f64(share) / runs.saturating_mul(steps).max(1);
                let time = self.chosen.or(self.limits.time.filter(|_| is_uct));
                let limits = Limits {
                    time: time.map(each),
                    ..self.limits
                };
                let usual = Some(steps.min(REPLANNED)).filter(|_| !is_uct);
                Ok(Acting {
                    optimum: None,
                    file: None,
                    agent: self.line_planner(kind, limits, self.request.lookahead.or(usual))?,
                })
            }
        }
    }

    /// Computes the policy of `exact`.
    fn exact(&self, steps: u32) -> Result<ExactPolicy, TaskFailure> {
        if !self.enforced() {
            return Err(TaskFailure::Option {
                option: "planner",
                advice: "exact satisfies all preconditions: leave out --preconditions ignored".to_owned(),
            });
        }
        let budget = Budget::new(self.searching());
        ExactPolicy::solve(&self.compiled.instance, Some(steps), &budget).map_err(|error| {
            let is_countable = UctPlanner::new(Arc::clone(&self.compiled), PlanOptions::default()).is_ok();
            let other = if is_countable { "uct" } else { "replan" };
            match error {
                ExactPolicyError::Space(RddlSpaceError::Compile(error)) => RddlError::from(error).into(),
                ExactPolicyError::TooManyStates { states, .. } => TaskFailure::TooManyStates {
                    found: grouped(states as u64),
                    other,
                },
                // Without the result of a step, no planner knows what it is worth.
                ExactPolicyError::Space(RddlSpaceError::Step(ExactError::Step(
                    error @ StepError::Value { .. },
                ))) => TaskFailure::Undefined(error),
                error => TaskFailure::Exact { error, other },
            }
        })
    }

    /// Trains the network of `reactive`.
    fn trained(&self) -> Result<ReactivePolicy, TaskFailure> {
        let limits = self.searching();
        let options = self.options(limits);
        let relaxed = Relaxed::with(
            &self.compiled.instance,
            &Relaxation::new(options.norm),
            &Budget::new(limits),
        );
        let relaxed = Arc::new(relaxed.map_err(RddlPlannerError::from)?);
        let hidden = self.request.hidden.as_deref().unwrap_or(&[32, 32]);
        Ok(ReactivePolicy::train(&relaxed, hidden, &options).map_err(RddlError::from)?)
    }
}
