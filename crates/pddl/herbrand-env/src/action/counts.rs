//! The number of valid operators of each agent action, updated incrementally.

use herbrand_ground::ActionId;
use herbrand_step::ValidActions;

use crate::action::{ActionSpace, AgentActionId};

/// The maximum number of actions that are counted. At this size, the table takes 512 KiB.
const MOST_COUNTED: usize = 1 << 16;

/// The number of valid operators of each agent action. An update takes time linear in the number of operators that became
/// valid or invalid.
#[derive(Clone, Debug, Default)]
pub(crate) struct OperatorCounts {
    /// The valid operators that were counted, as bits, in groups of eight words.
    seen: Vec<[u64; 8]>,
    /// By group: whether it has operators.
    occupied: Vec<bool>,
    /// One count per action.
    counts: Vec<Count>,
    /// The number of actions with more than one valid operator.
    several: usize,
}

/// The valid operators of an action.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    number: u32,
    /// The sum of their ids modulo 2^32. If there is exactly one, this is its id.
    sum: u32,
}

impl OperatorCounts {
    /// Loads the start of each list into the processor's cache.
    #[inline]
    pub(crate) fn prefetch(&self) -> u64 {
        let count = self.counts.first().map_or(0, |count| u64::from(count.number));
        count ^ self.seen.first().map_or(0, |group| group[0])
    }

    /// Updates the counts to the valid operators. Returns whether every action has at most one valid operator; always
    /// `false` above [`MOST_COUNTED`] actions.
    #[inline]
    pub(crate) fn follow(&mut self, space: &ActionSpace, valid: &ValidActions) -> bool {
        if space.len() > MOST_COUNTED {
            return false;
        }
        if self.counts.len() < space.len() {
            let groups = valid.groups().count();
            self.counts.resize(space.len(), Count::default());
            self.seen.resize(groups, [0; 8]);
            self.occupied.resize(groups, false);
        }
        let groups = valid.groups().zip(&mut self.seen).zip(&mut self.occupied);
        for (group, (((words, has_members), seen), occupied)) in (0_u32..).zip(groups) {
            if !has_members && !*occupied {
                continue;
            }
            *occupied = has_members;
            for (index, (&word, seen)) in (group * 8..).zip(words.iter().zip(seen)) {
                let mut changed = std::mem::replace(seen, word) ^ word;
                while changed != 0 {
                    let bit = changed.trailing_zeros();
                    changed &= changed - 1;
                    let operator = ActionId::new(index * 64 + bit);
                    let count = &mut self.counts[space.action_of(operator).index()];
                    let before = count.number > 1;
                    if word >> bit & 1 == 1 {
                        count.number += 1;
                        count.sum = count.sum.wrapping_add(operator.number());
                    } else {
                        count.number -= 1;
                        count.sum = count.sum.wrapping_sub(operator.number());
                    }
                    self.several += usize::from(count.number > 1);
                    self.several -= usize::from(before);
                }
            }
        }
        self.several == 0
    }

    /// Returns the valid operator of an action if there is exactly one.
    #[inline]
    pub(crate) fn only(&self, action: AgentActionId) -> Option<ActionId> {
        let count = self.counts.get(action.index())?;
        (count.number == 1).then_some(ActionId::new(count.sum))
    }
}
