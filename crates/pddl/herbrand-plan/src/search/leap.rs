//! Computing successors without a walker.

use herbrand_ground::{ActionId, BlockId, GroundTask};
use herbrand_pddl::AssignOperator;

use crate::linear::{Linear, linear_forms};
use crate::task::SearchTask;

/// The actions that have the same effects and the same cost in every state. The successor's words are computed by setting
/// and clearing a few bits of the state's words. Most successors in a search are duplicates, and need no further
/// computation.
///
/// All other actions need a walker, which also maintains valid actions and derived atoms.
#[derive(Debug)]
pub(super) struct StaticEffects {
    /// For each action, whether it is of this kind.
    is_plain: Vec<bool>,
}

impl StaticEffects {
    pub(super) fn of(task: &SearchTask) -> Self {
        let ground = task.simulator().task();
        let forms = linear_forms(ground);
        let is_plain = |action: ActionId| {
            task.costs().fixed(action).is_some()
                && is_plain(ground, &forms, ground.actions.get(action).effect)
        };
        Self {
            is_plain: ground.actions.ids().map(is_plain).collect(),
        }
    }

    /// Turns the words of a state in which `action` is valid into the words of its successor. Returns `false` and leaves the
    /// words unchanged if this action needs a walker.
    #[inline]
    pub(super) fn take(&self, task: &GroundTask, action: ActionId, words: &mut [u64]) -> bool {
        if !self.is_plain[action.index()] {
            return false;
        }
        let block = task.effects.get(task.actions.get(action).effect);
        for atom in block.deletes {
            words[atom.index() / 64] &= !(1 << (atom.index() % 64));
        }
        for atom in block.adds {
            words[atom.index() / 64] |= 1 << (atom.index() % 64);
        }
        true
    }

    pub(super) fn bytes(&self) -> usize {
        self.is_plain.len()
    }
}

/// Returns whether an effect has neither conditions nor draws and changes no number of the state. It may only add constants
/// to accumulators, so that it has a result in every state.
fn is_plain(task: &GroundTask, forms: &[Option<Linear>], effect: BlockId) -> bool {
    let block = task.effects.get(effect);
    let mut assignments = block.assignments.iter();
    block.whens.is_empty()
        && block.draws.is_empty()
        && assignments.all(|assignment| {
            let value = forms[assignment.value.index()]
                .as_ref()
                .and_then(Linear::as_constant);
            let adds = matches!(
                assignment.operator,
                AssignOperator::Increase | AssignOperator::Decrease
            );
            assignment.target.number() >= task.state_numerics && adds && value.is_some()
        })
}

#[cfg(test)]
mod tests {
    use herbrand_core::Random;
    use proptest::prelude::*;

    use super::*;
    use crate::strategies::any_task;

    /// The maximum number of states visited.
    const STATES: usize = 100;

    proptest! {
        /// A leap leads to the same state as a step of a walker, at the same cost.
        #[test]
        fn leaps_are_steps_of_a_walker(task in any_task()) {
            let leaps = StaticEffects::of(&task);
            let ground = task.simulator().task();
            let mut walker = task.simulator().walker();
            let mut found = vec![task.start().words().to_vec()];
            let mut next = 0;
            while let Some(words) = found.get(next).cloned().filter(|_| next < STATES) {
                walker.set_words(&words).expect("a state of this task");
                for action in walker.valid().iter().collect::<Vec<_>>() {
                    let mut leapt = words.clone();
                    let leaps = leaps.take(ground, action, &mut leapt);
                    let went = walker.apply(action, &mut Random::new(0));
                    if leaps {
                        prop_assert!(went.is_ok());
                        prop_assert_eq!(&leapt, walker.state().words());
                        prop_assert_eq!(task.costs().fixed(action), Some(task.costs().of_step(action, &walker)));
                    } else {
                        prop_assert_eq!(&leapt, &words);
                    }
                    if went.is_ok() {
                        let successor = walker.state().words().to_vec();
                        if !found.contains(&successor) {
                            found.push(successor);
                        }
                        walker.undo();
                    }
                }
                next += 1;
            }
        }
    }
}
