//! The costs of plan steps.

use std::collections::BTreeMap;

use herbrand_ground::{ActionId, BlockId, GroundAssignment, GroundTask, NumericId};
use herbrand_pddl::{AssignOperator, MetricDirection};
use herbrand_step::{NumberChange, Walker};

use crate::linear::{Linear, Variable, linear_forms};

/// The cost of each step of a plan, in whole units, so that sums do not depend on the order of addition.
/// [`value`](Self::value) converts units to the metric. [`SearchTask::costs`](crate::SearchTask::costs) and
/// [`ProbabilisticTask::costs`](crate::ProbabilisticTask::costs) return it.
///
/// If the metric is to be minimised and is a linear sum (of at most 64 terms) of numeric fluents and `total-time`, the
/// cost of a step is the amount it adds to the metric. If such a sum is to be maximised, the cost is the amount that
/// the step takes away, provided that this amount is never negative and is [exact](Self::is_exact). With any other
/// metric, or none, every step costs 1. Costs are rounded to six decimals, also those that depend on numbers of the
/// state, and a negative cost counts as 0.
#[derive(Clone, Debug)]
pub struct StepCosts {
    /// For each action, its minimum cost and whether every step by it has this cost.
    actions: Vec<ActionCost>,
    /// The metric as a linear form; empty if every step costs 1.
    metric: Linear,
    /// The number of units per 1 of the metric.
    scale: f64,
    exact: bool,
    follows_metric: bool,
    fault: Option<MetricFault>,
    /// The number of units that heuristics count as one: more than 1 if constant costs need fewer decimals than others.
    coarse_unit: u64,
}

/// The first reason found why costs are not exactly the amounts that steps add to the metric.
#[derive(Clone, Copy, PartialEq, Debug)]
enum MetricFault {
    /// The metric is no linear sum of numbers and steps.
    NotLinear,
    /// An action adds this amount to the minimised quantity; the amount is out of range or has too many decimals.
    Amount(ActionId, f64),
    /// The amount that an action adds depends on numbers that change.
    Depends(ActionId),
}

#[derive(Clone, Copy, Debug)]
struct ActionCost {
    least: u64,
    fixed: bool,
}

/// The amount that an action adds to the metric, as far as it does not depend on the state.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct KnownCost {
    /// The amount added by its unconditional effects.
    pub(crate) certain: f64,
    /// Whether conditional effects or draws may add more.
    pub(crate) varies: bool,
    /// Whether some effect adds an amount that is not a constant.
    pub(crate) depends: bool,
    /// The least amount that the unconditional effects or one other effect add, if it is negative.
    pub(crate) lowering: f64,
    /// The sum of the negative amounts that effects under conditions and of draws add.
    pub(crate) conditional_lowering: f64,
}

/// Costs with more decimals are rounded.
const MOST_DECIMALS: i32 = 6;

/// The largest exact cost of a step in units. The cost of a plan of a billion steps still fits into 64 bits.
const MOST_UNITS: f64 = (1_u64 << 32) as f64;

/// The largest cost of a step in units. Larger costs are clamped, and sums of them saturate.
const MOST_CLAMPED_UNITS: f64 = (1_u64 << 50) as f64;

impl StepCosts {
    /// Returns the costs of the steps of a task, by the ids of its actions. [`SearchTask::new`](crate::SearchTask::new)
    /// calls it.
    #[must_use]
    pub fn of(task: &GroundTask) -> Self {
        let Some((direction, metric)) = metric_sum(task) else {
            return Self::unit(task, task.metric.map(|_| MetricFault::NotLinear));
        };
        let costs = Self::summing(task, metric);
        // A step that adds to a metric to be maximised would have a negative cost.
        if direction == MetricDirection::Maximize && !costs.exact {
            return Self::unit(task, costs.fault);
        }
        costs
    }

    /// Costs of 1 for every step, for a reason that the metric gives.
    fn unit(task: &GroundTask, fault: Option<MetricFault>) -> Self {
        let one = ActionCost {
            least: 1,
            fixed: true,
        };
        Self {
            actions: vec![one; task.actions.len()],
            metric: Linear::default(),
            scale: 1.0,
            exact: true,
            follows_metric: task.metric.is_none(),
            fault,
            coarse_unit: 1,
        }
    }

    /// Costs of 1 for every step, whatever the metric says: the cost of a plan is its length.
    pub(crate) fn of_length(task: &GroundTask) -> Self {
        Self {
            follows_metric: true,
            ..Self::unit(task, None)
        }
    }

    fn summing(task: &GroundTask, metric: Linear) -> Self {
        let forms = linear_forms(task);
        let meaning = MetricEffects {
            task,
            forms: &forms,
            metric: &metric,
        };
        let ids = task.actions.ids();
        let known: Vec<KnownCost> = ids.map(|id| meaning.action(id)).collect();
        let mut amounts: BTreeMap<u64, ActionId> = BTreeMap::new();
        for (id, known) in task.actions.ids().zip(&known) {
            amounts.entry(known.certain.to_bits()).or_insert(id);
        }
        meaning.conditional_amounts(&mut amounts);
        let values: Vec<f64> = amounts.keys().copied().map(f64::from_bits).collect();
        let (known_scale, whole) = scale_of(&values);
        let depends = known.iter().any(|known| known.depends);
        // The decimals of amounts that depend on the state are not known, so there may be as many as are allowed.
        let scale = if depends {
            10_f64.powi(MOST_DECIMALS)
        } else {
            known_scale
        };
        let fits =
            |value: f64| (0.0..=MOST_UNITS).contains(&(value * scale)) && (whole || is_whole(value * scale));
        let unknown = task
            .actions
            .ids()
            .zip(&known)
            .find(|(_, known)| known.is_unknown());
        let misfit = amounts.iter().find(|(bits, _)| !fits(f64::from_bits(**bits)));
        let fault = match (unknown, misfit) {
            (Some((id, known)), _) if known.lowering < 0.0 => Some(MetricFault::Amount(id, known.lowering)),
            (Some((id, _)), _) => Some(MetricFault::Depends(id)),
            (None, misfit) => misfit.map(|(&bits, &id)| MetricFault::Amount(id, f64::from_bits(bits))),
        };
        Self {
            exact: fault.is_none(),
            actions: known.iter().map(|known| known.in_units(scale)).collect(),
            coarse_unit: units(1.0, scale / known_scale),
            metric,
            scale,
            follows_metric: true,
            fault,
        }
    }

    /// Returns a lower bound of the cost of a step by `action` in any state, in the whole units of this type;
    /// [`value`](Self::value) converts it. It is 0 if the amount may be negative or depends on numbers that change.
    /// `action` is an id of the task's `simulator()`. Panics if there is no such action.
    #[must_use]
    pub fn least(&self, action: ActionId) -> u64 {
        self.actions[action.index()].least
    }

    /// Returns the number of units that heuristics count as one. All constant costs are multiples of it.
    pub(crate) const fn coarse_unit(&self) -> u64 {
        self.coarse_unit
    }

    /// Returns the cost of every step by `action`, in the whole units of this type; `None` if it depends on the state.
    /// `action` is an id as for [`least`](Self::least). Panics if there is no such action.
    #[must_use]
    #[inline]
    pub fn fixed(&self, action: ActionId) -> Option<u64> {
        let cost = self.actions[action.index()];
        cost.fixed.then_some(cost.least)
    }

    /// Returns the cost of every step by each action, by its id, in the whole units of this type.
    ///
    /// # Errors
    /// Returns the first action whose cost depends on the state or is more than `most` units.
    pub fn all_fixed(&self, most: u64) -> Result<Vec<u64>, ActionId> {
        let mut costs = Vec::with_capacity(self.actions.len());
        for (index, cost) in self.actions.iter().enumerate() {
            if !cost.fixed || cost.least > most {
                return Err(ActionId::from_index(index));
            }
            costs.push(cost.least);
        }
        Ok(costs)
    }

    /// Returns the cost of the last step of a walker, in units. The step must have been by `action`.
    #[inline]
    pub(crate) fn of_step(&self, action: ActionId, walker: &Walker) -> u64 {
        let changes = walker.changes();
        self.of_changes(action, changes.numbers, changes.deltas)
    }

    /// Returns the cost of a step by `action` with these changes of numbers and accumulators, in units.
    #[inline]
    pub(crate) fn of_changes(
        &self,
        action: ActionId,
        numbers: &[NumberChange],
        deltas: &[(NumericId, f64)],
    ) -> u64 {
        let cost = self.actions[action.index()];
        if cost.fixed {
            return cost.least;
        }
        units(added_by(&self.metric, numbers, deltas), self.scale)
    }

    /// Returns whether the costs of a plan's steps sum exactly to the amount it adds to the metric, or to its length if
    /// it is judged by length. Otherwise some cost was rounded or clamped, or depends on numbers of the state, and no
    /// plan can be proven optimal. Optimality is proven only if the costs [follow the metric](Self::follows_metric) as
    /// well.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// Returns whether plans are judged as the problem demands: by its metric, or by length if it has none. `false` if
    /// the problem has a metric that is not a linear sum, or one to be maximised to which a step adds or from which it
    /// takes an amount that is not [exact](Self::is_exact); plans are then judged by length.
    #[must_use]
    pub const fn follows_metric(&self) -> bool {
        self.follows_metric
    }

    /// Returns a clause about the metric, such as "`(sell cup)` takes 3 from it", that says why plans are not judged by
    /// it ([`follows_metric`](Self::follows_metric)), or why costs are not exact ([`is_exact`](Self::is_exact)). `None`
    /// if costs are exact and follow the metric. `task` must be the ground task of the `simulator()` of the task with
    /// these costs; it provides the names; another task may cause a panic.
    #[must_use]
    pub fn metric_fault(&self, task: &GroundTask) -> Option<String> {
        let maximised = task
            .metric
            .is_some_and(|(direction, _)| direction == MetricDirection::Maximize);
        let cause = match self.fault? {
            MetricFault::NotLinear => return Some("it is not a linear sum of numbers".to_owned()),
            MetricFault::Amount(id, amount) => {
                let amount = if maximised { -amount } else { amount };
                let (does, preposition) = if amount < 0.0 {
                    ("takes", "from")
                } else {
                    ("adds", "to")
                };
                let reason = if !is_whole(amount * 10_f64.powi(MOST_DECIMALS)) {
                    ", which has more than six decimals".to_owned()
                } else if amount.abs() * self.scale > MOST_UNITS {
                    format!(", and costs above {} are not exact", MOST_UNITS / self.scale)
                } else {
                    String::new()
                };
                let action = task.display_action(id);
                format!("`{action}` {does} {} {preposition} it{reason}", amount.abs())
            }
            MetricFault::Depends(id) => {
                let action = task.display_action(id);
                format!("what `{action}` adds to it depends on numbers that change")
            }
        };
        Some(if maximised {
            format!("it is maximised, and {cause}")
        } else {
            cause
        })
    }

    /// Returns whether the cheapest plan is the best by the metric of the problem.
    pub(crate) const fn prove_optimality(&self) -> bool {
        self.exact && self.follows_metric
    }

    /// Converts a cost in units to a cost in terms of the metric, or in steps if every step costs 1. For a metric to be
    /// maximised, it is the amount taken away.
    #[must_use]
    pub fn value(&self, units: u64) -> f64 {
        units as f64 / self.scale
    }
}

/// The direction of the metric, and the linear form to be minimised: the metric, or the negated metric if it is to be
/// maximised. `None` if there is no metric, or if it is not linear in numeric fluents and steps.
pub(crate) fn metric_sum(task: &GroundTask) -> Option<(MetricDirection, Linear)> {
    let (direction, root) = task.metric?;
    let form = linear_forms(task).swap_remove(root.index())?;
    let form = match direction {
        MetricDirection::Minimize => form,
        MetricDirection::Maximize => form.times(-1.0)?,
    };
    Some((direction, form))
}

impl KnownCost {
    /// Whether the added amount may be negative, or is not a constant.
    fn is_unknown(self) -> bool {
        self.depends || self.lowering < 0.0
    }

    fn in_units(self, scale: f64) -> ActionCost {
        let least = if self.is_unknown() { 0.0 } else { self.certain };
        ActionCost {
            least: units(least, scale),
            fixed: !self.varies && !self.is_unknown(),
        }
    }
}

/// Returns the amount that a step adds to a metric by these changes of numbers and accumulators.
pub(crate) fn added_by(metric: &Linear, numbers: &[NumberChange], deltas: &[(NumericId, f64)]) -> f64 {
    let factor = |id: NumericId| metric.factor(Variable::Fluent(id));
    let mut added = metric.factor(Variable::Steps);
    for &(id, delta) in deltas {
        added += factor(id) * delta;
    }
    for change in numbers {
        added += factor(change.id) * (change.after.unwrap_or(0.0) - change.before.unwrap_or(0.0));
    }
    added
}

fn units(value: f64, scale: f64) -> u64 {
    // A value out of range saturates, and NaN becomes 0.
    (value * scale).round().clamp(0.0, MOST_CLAMPED_UNITS) as u64
}

/// Returns whether a value is a whole number, up to the rounding of a few operations.
fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() <= 1e-14 * value.abs()
}

/// Returns the smallest power of ten that makes all values whole, and `true`; or the largest power tried, and `false`.
fn scale_of(values: &[f64]) -> (f64, bool) {
    let mut scales = (0..=MOST_DECIMALS).map(|decimals| 10_f64.powi(decimals));
    let whole = |scale: &f64| values.iter().all(|value| is_whole(value * scale));
    let found = scales.find(whole);
    (found.unwrap_or(10_f64.powi(MOST_DECIMALS)), found.is_some())
}

/// Computes how much each effect adds to the metric.
pub(crate) struct MetricEffects<'a> {
    pub(crate) task: &'a GroundTask,
    pub(crate) forms: &'a [Option<Linear>],
    pub(crate) metric: &'a Linear,
}

impl MetricEffects<'_> {
    pub(crate) fn action(&self, id: ActionId) -> KnownCost {
        let mut known = KnownCost {
            certain: self.metric.factor(Variable::Steps),
            ..KnownCost::default()
        };
        let effect = self.task.actions.get(id).effect;
        for assignment in self.task.effects.get(effect).assignments {
            match self.added(assignment) {
                Some(value) => known.certain += value,
                None => known.depends = true,
            }
        }
        for block in self.conditional(effect) {
            for value in self
                .task
                .effects
                .get(block)
                .assignments
                .iter()
                .map(|a| self.added(a))
            {
                known.varies |= value != Some(0.0);
                known.depends |= value.is_none();
                let lowering = value.unwrap_or(0.0).min(0.0);
                known.lowering = known.lowering.min(lowering);
                known.conditional_lowering += lowering;
            }
        }
        known.lowering = known.lowering.min(known.certain);
        known
    }

    /// The blocks nested in `block` that happen under a condition or by a draw.
    fn conditional(&self, block: BlockId) -> Vec<BlockId> {
        let effects = &self.task.effects;
        let inner = |id: BlockId| {
            let block = effects.get(id);
            let drawn = block.draws.iter().flat_map(|&draw| effects.draw(draw).blocks);
            let whens = block.whens.iter().map(|&(_, inner)| inner);
            whens.chain(drawn.copied())
        };
        let mut all: Vec<BlockId> = inner(block).collect();
        let mut next = 0;
        while let Some(&id) = all.get(next) {
            all.extend(inner(id));
            next += 1;
        }
        all
    }

    /// Collects the constant amounts added by conditional and random effects, each with an action.
    fn conditional_amounts(&self, amounts: &mut BTreeMap<u64, ActionId>) {
        for id in self.task.actions.ids() {
            for block in self.conditional(self.task.actions.get(id).effect) {
                for value in self
                    .task
                    .effects
                    .get(block)
                    .assignments
                    .iter()
                    .filter_map(|a| self.added(a))
                {
                    amounts.entry(value.to_bits()).or_insert(id);
                }
            }
        }
    }

    /// Returns the amount that a numeric effect adds to the metric; `None` if it depends on the state.
    fn added(&self, assignment: &GroundAssignment) -> Option<f64> {
        let factor = self.metric.factor(Variable::Fluent(assignment.target));
        if factor == 0.0 {
            return Some(0.0);
        }
        let value = self.forms[assignment.value.index()].as_ref()?.as_constant()?;
        match assignment.operator {
            AssignOperator::Increase => Some(factor * value),
            AssignOperator::Decrease => Some(-factor * value),
            AssignOperator::Assign | AssignOperator::ScaleUp | AssignOperator::ScaleDown => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use herbrand_ground::{GroundOptions, ground};
    use herbrand_pddl::{Domain, Problem};

    use super::*;

    #[test]
    fn all_costs_are_fixed_and_small_or_an_action_is_named() {
        let domain = "(define (domain d) (:requirements :action-costs :conditional-effects) (:predicates (p))
            (:functions (total-cost))
            (:action a :effect (and (p) (increase (total-cost) 2)))
            (:action b :effect (and (p) (increase (total-cost) 5)))
            (:action c :effect (when (p) (increase (total-cost) 3))))";
        let problem = "(define (problem q) (:domain d) (:init (= (total-cost) 0)) (:goal (p))
            (:metric minimize (total-cost)))";
        let costs = |domain: &str| {
            let domain = Domain::from_text(domain).expect("a domain");
            let problem = Problem::from_text(problem, &domain).expect("a problem");
            StepCosts::of(&ground(&domain, &problem, &GroundOptions::default()).expect("a small task"))
        };
        assert_eq!(costs(domain).all_fixed(5), Err(ActionId::new(2)));
        let costs = costs(&domain.replace("(when (p) (increase (total-cost) 3))", "(p)"));
        assert_eq!(costs.all_fixed(5), Ok(vec![2, 5, 0]));
        assert_eq!(costs.all_fixed(4), Err(ActionId::new(1)));
    }
}
