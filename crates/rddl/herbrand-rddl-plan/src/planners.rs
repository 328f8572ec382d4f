//! The planners by name.

use std::sync::Arc;

use herbrand_core::TableError;
use herbrand_limits::Budget;
use herbrand_rddl_sim::simulate::CompiledInstance;
use herbrand_text::{did_you_mean, nearest};
use thiserror::Error;

use crate::gradient::{GradientError, GradientPlanner, Relaxation, Relaxed};
use crate::plan::{PlanOptions, SamplingPlanner, StraightLinePlanner, UctPlanner};
use crate::portfolio::Portfolio;

herbrand_text::named! {
    /// The planners for RDDL, by name. [`planner`](Self::planner) makes a planner if its kind finds plans.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
    pub enum RddlPlannerKind {
        /// The default: a [`SamplingPlanner`] by the cross-entropy method.
        #[default]
        CrossEntropy = "cross-entropy",
        /// A [`SamplingPlanner`] without an [`elite`](PlanOptions::elite).
        RandomShooting = "random-shooting",
        /// A [`GradientPlanner`].
        Gradient = "gradient",
        /// A [`Portfolio`].
        Auto = "auto",
        /// A [`UctPlanner`].
        Uct = "uct",
        /// The training of a [`ReactivePolicy`](crate::gradient::ReactivePolicy), which finds no plans.
        Reactive = "reactive",
        /// The computation of an [`ExactPolicy`](crate::exact::ExactPolicy), which finds no plans.
        Exact = "exact",
    }
    /// Returns the name of the planner, such as `cross-entropy`, which `FromStr` reads back.
    pub fn as_str; parses, or UnknownRddlPlanner: UnknownRddlPlanner
}

impl RddlPlannerKind {
    /// Returns a description of the planner in one line, for lists of planners.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::CrossEntropy => "draws plans near the best plans of the previous round",
            Self::RandomShooting => "draws random plans, and keeps the best one",
            Self::Gradient => "improves plans by the gradient of their return in a smoothed model",
            Self::Auto => "cross-entropy and gradient in turns, each starting from the other's best plan",
            Self::Uct => "samples walks before each action",
            Self::Reactive => {
                "trains a small neural network by gradients, which selects an action in every state"
            }
            Self::Exact => "an optimal policy by dynamic programming over all states, for small problems",
        }
    }

    /// Returns whether the planner finds straight-line plans, and not a policy.
    #[must_use]
    pub const fn finds_plans(self) -> bool {
        !matches!(self, Self::Reactive | Self::Exact)
    }

    /// Makes a planner for a problem. `budget` limits the compilation of relaxed steps.
    ///
    /// # Errors
    /// Fails as [`Relaxed::with`], [`Portfolio::new`] and [`UctPlanner::new`] do, and with [`RddlPlannerError::NoPlans`] if the
    /// planner finds a policy, and no plans.
    pub fn planner(
        self,
        compiled: &Arc<CompiledInstance>,
        options: PlanOptions,
        budget: &Budget,
    ) -> Result<Box<dyn StraightLinePlanner + Send>, RddlPlannerError> {
        let sampling = |options| Box::new(SamplingPlanner::new(Arc::clone(compiled), options));
        Ok(match self {
            Self::CrossEntropy => sampling(options),
            Self::RandomShooting => sampling(PlanOptions {
                elite: None,
                ..options
            }),
            Self::Gradient => {
                let relaxed = Relaxed::with(&compiled.instance, &Relaxation::new(options.norm), budget)?;
                Box::new(GradientPlanner::new(Arc::new(relaxed), options))
            }
            Self::Auto => Box::new(Portfolio::new(compiled, options, budget)?),
            Self::Uct => Box::new(UctPlanner::new(Arc::clone(compiled), options)?),
            Self::Reactive | Self::Exact => return Err(RddlPlannerError::NoPlans(self)),
        })
    }
}

/// The reason why [`RddlPlannerKind::planner`] makes no planner for a problem.
#[derive(Clone, Debug, Error)]
pub enum RddlPlannerError {
    /// The problem has no gradients, or its relaxed steps exceed a limit.
    #[error(transparent)]
    Gradient(#[from] GradientError),
    /// The joint actions cannot be numbered.
    #[error(transparent)]
    Actions(#[from] TableError),
    /// The planner finds policies.
    #[error("{0} finds a policy, and no plans")]
    NoPlans(RddlPlannerKind),
}

/// The error for an unknown name of a planner for RDDL; contains the name. `FromStr` of [`RddlPlannerKind`] returns it. Its
/// text suggests a planner with a similar name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no planner `{}` for RDDL{}", .0, did_you_mean(nearest(.0, RddlPlannerKind::ALL.map(RddlPlannerKind::as_str))))]
pub struct UnknownRddlPlanner(pub String);
