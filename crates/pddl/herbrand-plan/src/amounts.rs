//! The amounts that steps add to the metric, without rounding.

use herbrand_ground::{ActionId, GroundTask, NumericId};
use herbrand_step::NumberChange;

use crate::cost::{KnownCost, MetricEffects, added_by, metric_sum};
use crate::linear::{Linear, Variable, linear_forms};

/// The amounts that the steps of a task add to its metric, as the texts declare them: neither rounded nor cut off at 0.
/// [`state_space`](crate::state_space) takes its costs from here. Planners search with [`StepCosts`](crate::StepCosts).
///
/// If the metric is to be maximised, the amount is the one that the step takes away. Without a metric, or with one that is
/// no linear sum (of at most 64 terms) of numeric fluents and `total-time`, every step adds 1.
///
/// ```
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_plan::MetricAmounts;
///
/// let domain = Domain::from_text("(define (domain d) (:requirements :action-costs) (:predicates (p)) (:functions (total-cost))
///     (:action sell :effect (and (p) (increase (total-cost) -0.12345678))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain d) (:init) (:goal (p)) (:metric minimize (total-cost)))", &domain)?;
/// let simulator = herbrand_step::compile(&domain, &problem)?;
/// let amounts = MetricAmounts::of(simulator.task());
/// let ids = simulator.task().actions.ids();
/// assert_eq!(ids.map(|id| amounts.fixed(id)).collect::<Vec<_>>(), [Some(-0.12345678)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct MetricAmounts {
    actions: Vec<KnownCost>,
    /// The metric to be minimised; empty if every step adds 1.
    metric: Linear,
    /// Whether every step adds 1.
    is_length: bool,
}

impl MetricAmounts {
    /// Returns the amounts of a task, by the ids of its actions.
    #[must_use]
    pub fn of(task: &GroundTask) -> Self {
        let Some((_, metric)) = metric_sum(task) else {
            let one = KnownCost {
                certain: 1.0,
                ..KnownCost::default()
            };
            return Self {
                actions: vec![one; task.actions.len()],
                metric: Linear::default(),
                is_length: true,
            };
        };
        let effects = MetricEffects {
            task,
            forms: &linear_forms(task),
            metric: &metric,
        };
        Self {
            actions: task.actions.ids().map(|id| effects.action(id)).collect(),
            metric,
            is_length: false,
        }
    }

    /// Returns the amount of every step by an action; `None` if it depends on the state. Panics if there is no such action.
    #[inline]
    #[must_use]
    pub fn fixed(&self, action: ActionId) -> Option<f64> {
        let known = self.actions[action.index()];
        // A sum with 0 is never -0.
        (!known.varies && !known.depends).then_some(known.certain + 0.0)
    }

    /// Returns a lower bound of the amount of a step by an action in any state, which is the amount itself if it is
    /// [fixed](Self::fixed); `None` if it depends on numbers that change. Panics if there is no such action.
    #[must_use]
    pub fn least(&self, action: ActionId) -> Option<f64> {
        let known = self.actions[action.index()];
        (!known.depends).then_some(known.certain + known.conditional_lowering + 0.0)
    }

    /// Returns the amount of a step by an action with these changes of numbers and accumulators.
    #[inline]
    pub(crate) fn of_changes(
        &self,
        action: ActionId,
        numbers: &[NumberChange],
        deltas: &[(NumericId, f64)],
    ) -> f64 {
        self.fixed(action).unwrap_or_else(|| self.added(numbers, deltas))
    }

    /// Returns the amount that these changes add.
    pub(crate) fn added(&self, numbers: &[NumberChange], deltas: &[(NumericId, f64)]) -> f64 {
        if self.is_length {
            return 1.0;
        }
        added_by(&self.metric, numbers, deltas) + 0.0
    }

    /// Returns whether the metric reads a number.
    pub(crate) fn reads(&self, number: NumericId) -> bool {
        self.metric.factor(Variable::Fluent(number)) != 0.0
    }
}
