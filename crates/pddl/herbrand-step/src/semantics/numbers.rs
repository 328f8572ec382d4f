//! Combining the numeric effects of one action.

use std::iter::once;

use herbrand_ground::NumericId;
use herbrand_pddl::AssignOperator;

use crate::semantics::arithmetic::{Fault, finite};
use crate::semantics::exact;

/// Combines the numeric effects of one action. The buffers are reused from action to action.
///
/// Every right-hand side reads the old state. Effects on one number must give the same result in any order: they are all
/// `increase` and `decrease`, all `scale-up` and `scale-down`, or all `assign` with one value. Their combined result is
/// rounded once.
#[derive(Clone, Default, Debug)]
pub(crate) struct Numbers {
    effects: Vec<Evaluated>,
    /// The numbers of the state that change, ascending by id.
    pub(crate) changes: Vec<NumberChange>,
    /// The amounts by which accumulators change, ascending by id and never zero.
    pub(crate) deltas: Vec<(NumericId, f64)>,
}

/// A change of one numeric fluent of the state. [`Changes::numbers`](crate::Changes::numbers) and
/// [`Branch::numbers`](crate::Branch::numbers) list them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct NumberChange {
    /// The numeric fluent that changed.
    pub id: NumericId,
    /// Its value before the step; `None` if it was undefined.
    pub before: Option<f64>,
    /// Its value after the step; `None` if it is undefined.
    pub after: Option<f64>,
}

/// The reason why the effects on a number have no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NumberFault {
    Value(Fault),
    Conflict,
}

#[derive(Clone, Copy, Debug)]
struct Evaluated {
    target: NumericId,
    operator: AssignOperator,
    value: f64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Set,
    Shift,
    Scale,
}

fn kind(operator: AssignOperator) -> Kind {
    match operator {
        AssignOperator::Assign => Kind::Set,
        AssignOperator::Increase | AssignOperator::Decrease => Kind::Shift,
        AssignOperator::ScaleUp | AssignOperator::ScaleDown => Kind::Scale,
    }
}

impl Numbers {
    /// Adds an effect whose right-hand side has the value `value`.
    pub(crate) fn push(&mut self, target: NumericId, operator: AssignOperator, value: f64) {
        self.effects.push(Evaluated {
            target,
            operator,
            value,
        });
    }

    /// Combines the effects pushed so far into changes and deltas. `accumulates` tells accumulators from numbers of the
    /// state; `before` gives the old values. An error contains the number it concerns.
    pub(crate) fn combine(
        &mut self,
        accumulates: impl Fn(NumericId) -> bool,
        before: impl Fn(NumericId) -> Option<f64>,
    ) -> Result<(), (NumericId, NumberFault)> {
        if self.effects.len() > 1 {
            self.effects.sort_unstable_by_key(|effect| effect.target);
        }
        for group in self.effects.chunk_by(|a, b| a.target == b.target) {
            let target = group[0].target;
            if accumulates(target) {
                let delta = combine(Some(0.0), group).map_err(|fault| (target, fault))?;
                if delta != 0.0 {
                    self.deltas.push((target, delta));
                }
            } else {
                let before = before(target);
                let after = Some(combine(before, group).map_err(|fault| (target, fault))?);
                if before != after {
                    self.changes.push(NumberChange {
                        id: target,
                        before,
                        after,
                    });
                }
            }
        }
        Ok(())
    }

    /// Removes all effects and changes.
    pub(crate) fn clear(&mut self) {
        self.effects.clear();
        self.changes.clear();
        self.deltas.clear();
    }

    /// Swaps the old and the new value of every change.
    pub(crate) fn reverse(&mut self) {
        for change in &mut self.changes {
            std::mem::swap(&mut change.before, &mut change.after);
        }
    }

    /// Returns by how much a number or accumulator changes; 0 for none.
    #[inline]
    pub(crate) fn change_of(&self, id: Option<NumericId>) -> f64 {
        id.map_or(0.0, |id| self.change(id))
    }

    /// Returns by how much a number or accumulator changes.
    pub(crate) fn change(&self, id: NumericId) -> f64 {
        let delta = self
            .deltas
            .iter()
            .find(|(other, _)| *other == id)
            .map(|&(_, delta)| delta);
        let change = self.changes.iter().find(|change| change.id == id);
        let change = change.map(|change| change.after.unwrap_or(0.0) - change.before.unwrap_or(0.0));
        delta.or(change).unwrap_or(0.0)
    }
}

/// Returns the value of one number after all effects on it.
#[expect(
    clippy::float_cmp,
    reason = "assignments agree only when they give the very same value"
)]
fn combine(before: Option<f64>, group: &[Evaluated]) -> Result<f64, NumberFault> {
    let first = kind(group[0].operator);
    if group.iter().any(|effect| kind(effect.operator) != first) {
        return Err(NumberFault::Conflict);
    }
    if first == Kind::Set {
        let value = group[0].value;
        let agree = group.iter().all(|effect| effect.value == value);
        return if agree {
            Ok(value)
        } else {
            Err(NumberFault::Conflict)
        };
    }
    let before = before.ok_or(NumberFault::Value(Fault::Undefined))?;
    let by = |operator| {
        let effects = group.iter().filter(move |effect| effect.operator == operator);
        effects.map(|effect| effect.value)
    };
    let value = if first == Kind::Shift {
        let down = by(AssignOperator::Decrease).map(|value| -value);
        exact::sum(once(before).chain(by(AssignOperator::Increase)).chain(down))
    } else {
        let down = by(AssignOperator::ScaleDown);
        if down.clone().any(|value| value == 0.0) {
            return Err(NumberFault::Value(Fault::DivisionByZero));
        }
        exact::product(once(before).chain(by(AssignOperator::ScaleUp)), down)
    };
    // Adding zero turns −0 into 0.
    finite(value + 0.0).map_err(NumberFault::Value)
}

/// Returns the reward of a step that changes the reward fluent by `change`, which is not read if the task has none. If the
/// task has a reward fluent or a goal reward, it is the change plus the goal reward for entering the goal. Otherwise it is 1
/// for entering the goal and 0 for any other step. A step enters the goal if it leads from a state where the goal does not
/// hold to one where it does.
#[inline]
pub(crate) fn reward(
    counter: Option<NumericId>,
    goal_reward: Option<f64>,
    change: f64,
    enters_goal: bool,
) -> f64 {
    if counter.is_none() && goal_reward.is_none() {
        return f64::from(u8::from(enters_goal));
    }
    let for_goal = goal_reward.filter(|_| enters_goal).unwrap_or(0.0);
    for_goal + counter.map_or(0.0, |_| change)
}
