//! What a step costs.

use std::collections::BTreeSet;

use herbrand_ground::{ActionId, BlockId, GroundAssignment, GroundTask, NumericId};
use herbrand_pddl::{AssignOperator, Direction};
use herbrand_step::{NumberChange, Walker};

use crate::linear::{Linear, Variable, linear_forms};

/// What each step of a plan costs, in whole units, so that sums do not depend on their order.
///
/// A metric that is to be minimised and is a sum of multiples of numeric fluents and `total-time` makes a step cost what
/// it adds to the metric. With any other metric, or none, every step costs 1.
#[derive(Clone, Debug)]
pub struct StepCosts {
    /// By action: what a step costs at least, and whether it always costs that.
    actions: Vec<ActionCost>,
    /// What the metric is a sum of.
    metric: Linear,
    /// How many units make up 1.
    scale: f64,
    exact: bool,
    follows_metric: bool,
}

#[derive(Clone, Copy, Debug)]
struct ActionCost {
    least: u64,
    fixed: bool,
}

/// What an action adds to the metric, as far as that is known without a state.
#[derive(Clone, Copy, Default, Debug)]
struct Known {
    /// What its effects without a condition add.
    certain: f64,
    /// Whether it may add something else too.
    varies: bool,
    /// Whether what else it adds may be less than 0, or is not a constant.
    unknown: bool,
}

/// Costs with more decimals are rounded.
const MOST_DECIMALS: i32 = 6;

/// No single step costs more units, so that a plan of a billion steps has a cost.
const MOST_UNITS: f64 = (1_u64 << 32) as f64;

impl StepCosts {
    pub(crate) fn of(task: &GroundTask) -> Self {
        metric_sum(task).map_or_else(|| Self::unit(task), |metric| Self::summing(task, metric))
    }

    /// Every step costs 1.
    fn unit(task: &GroundTask) -> Self {
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
        }
    }

    fn summing(task: &GroundTask, metric: Linear) -> Self {
        let forms = linear_forms(task);
        let meaning = Meaning {
            task,
            forms: &forms,
            metric: &metric,
        };
        let ids = task.actions.ids();
        let known: Vec<Known> = ids.map(|id| meaning.action(id)).collect();
        let mut values: BTreeSet<u64> = known.iter().map(|known| known.certain.to_bits()).collect();
        meaning.conditional_values(&mut values);
        let values: Vec<f64> = values.into_iter().map(f64::from_bits).collect();
        let (scale, whole) = scale_of(&values);
        let fits = values
            .iter()
            .all(|&value| (0.0..=MOST_UNITS).contains(&(value * scale)));
        Self {
            exact: whole && fits && known.iter().all(|known| !known.unknown),
            actions: known.iter().map(|known| known.in_units(scale)).collect(),
            metric,
            scale,
            follows_metric: true,
        }
    }

    /// What a step by `action` costs at least, in units.
    #[must_use]
    pub fn least(&self, action: ActionId) -> u64 {
        self.actions[action.index()].least
    }

    /// What every step by `action` costs, in units; `None` if that depends on the state.
    #[inline]
    pub(crate) fn fixed(&self, action: ActionId) -> Option<u64> {
        let cost = self.actions[action.index()];
        cost.fixed.then_some(cost.least)
    }

    /// What the last step of a walker cost, in units; it was by `action`.
    #[inline]
    pub(crate) fn of_step(&self, action: ActionId, walker: &Walker) -> u64 {
        let changes = walker.changes();
        self.of_changes(action, changes.numbers, changes.deltas)
    }

    /// What a step by `action` costs that changes numbers and accumulators so, in units.
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
        let factor = |id: NumericId| self.metric.factor(Variable::Fluent(id));
        let mut added = self.metric.factor(Variable::Steps);
        for &(id, delta) in deltas {
            added += factor(id) * delta;
        }
        for change in numbers {
            added += factor(change.id) * (change.after.unwrap_or(0.0) - change.before.unwrap_or(0.0));
        }
        units(added, self.scale)
    }

    /// Whether the costs of the steps of a plan sum to what it adds to the metric, or to its length where there is no
    /// metric that is a sum. Otherwise some cost was rounded, taken for 0 because it is below that, or depends on numbers
    /// of the state, and no plan can be shown to be the best.
    #[must_use]
    pub const fn is_exact(&self) -> bool {
        self.exact
    }

    /// Whether a plan is judged by the problem's metric, or by its length because there is none. Otherwise the problem has
    /// a metric that is not a sum over the steps of a plan, and plans are judged by length.
    #[must_use]
    pub const fn follows_metric(&self) -> bool {
        self.follows_metric
    }

    /// The cost of so many units.
    #[must_use]
    pub fn value(&self, units: u64) -> f64 {
        units as f64 / self.scale
    }

    /// Whether every step costs the same.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        let first = self.actions.first().map(|cost| cost.least);
        self.actions
            .iter()
            .all(|cost| cost.fixed && Some(cost.least) == first)
    }
}

/// The metric, if plans are to minimise it and it is a sum over numeric fluents and steps.
fn metric_sum(task: &GroundTask) -> Option<Linear> {
    let (Direction::Minimize, root) = task.metric? else {
        return None;
    };
    linear_forms(task).swap_remove(root.index())
}

impl Known {
    fn in_units(self, scale: f64) -> ActionCost {
        let least = if self.unknown { 0.0 } else { self.certain };
        ActionCost {
            least: units(least, scale),
            fixed: !self.varies && !self.unknown,
        }
    }
}

fn units(value: f64, scale: f64) -> u64 {
    // A float beyond the range of the type saturates; what is not a number is 0.
    (value * scale).round().clamp(0.0, MOST_UNITS) as u64
}

/// The least power of ten by which all values are whole, or the greatest that is tried, and whether it does.
fn scale_of(values: &[f64]) -> (f64, bool) {
    let mut scales = (0..=MOST_DECIMALS).map(|decimals| 10_f64.powi(decimals));
    let whole = |scale: &f64| {
        let is_whole = |value: f64| (value - value.round()).abs() <= 1e-9 * value.abs().max(1.0);
        values.iter().all(|value| is_whole(value * scale))
    };
    let found = scales.find(whole);
    (found.unwrap_or(10_f64.powi(MOST_DECIMALS)), found.is_some())
}

/// A task with what is needed to say what its effects add to the metric.
struct Meaning<'a> {
    task: &'a GroundTask,
    forms: &'a [Option<Linear>],
    metric: &'a Linear,
}

impl Meaning<'_> {
    fn action(&self, id: ActionId) -> Known {
        let mut known = Known {
            certain: self.metric.factor(Variable::Steps),
            ..Known::default()
        };
        let effect = self.task.actions.get(id).effect;
        for assignment in self.task.effects.get(effect).assignments {
            match self.added(assignment) {
                Some(value) => known.certain += value,
                None => known.unknown = true,
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
                known.unknown |= value.is_none_or(|value| value < 0.0);
            }
        }
        known.unknown |= known.certain < 0.0;
        known
    }

    /// The blocks that happen under a condition or by chance within `block`.
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

    /// What effects under a condition add, where that is a constant.
    fn conditional_values(&self, values: &mut BTreeSet<u64>) {
        for id in self.task.actions.ids() {
            for block in self.conditional(self.task.actions.get(id).effect) {
                let assignments = self.task.effects.get(block).assignments.iter();
                values.extend(assignments.filter_map(|a| self.added(a)).map(f64::to_bits));
            }
        }
    }

    /// What a numeric effect adds to the metric; `None` if that depends on the state.
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
