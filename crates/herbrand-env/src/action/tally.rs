//! How many operators fit each action of the agent, kept from state to state.

use herbrand_ground::ActionId;

use crate::{ActionSpace, AgentActionId};

/// The most actions that are counted one by one: a table of 512 KiB.
const MOST_COUNTED: usize = 1 << 16;

/// For each action of the agent how many valid operators it has. A step costs what it makes valid or invalid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// The valid operators that were counted, as bits.
    seen: Vec<u64>,
    /// By action.
    counts: Vec<Count>,
    /// How many actions have more than one operator.
    several: usize,
}

/// The valid operators of one action.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    number: u32,
    /// The sum of their ids, modulo 2^32: where there is one, its id.
    sum: u32,
}

impl Tally {
    /// Reads the beginning of each list.
    #[inline]
    pub(crate) fn touch(&self) -> u64 {
        let count = self.counts.first().map_or(0, |count| u64::from(count.number));
        count ^ self.seen.first().copied().unwrap_or_default()
    }

    /// Counts what has changed since the last call. Whether every action has one operator at most, as far as is known:
    /// of more actions than are counted nothing is.
    #[inline]
    pub(crate) fn follow(&mut self, space: &ActionSpace, valid: &[u64]) -> bool {
        if space.len() > MOST_COUNTED {
            return false;
        }
        if self.counts.len() < space.len() {
            self.counts.resize(space.len(), Count::default());
            self.seen.resize(valid.len(), 0);
        }
        for (index, (seen, &word)) in (0_u32..).zip(self.seen.iter_mut().zip(valid)) {
            let mut changed = *seen ^ word;
            *seen = word;
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
        self.several == 0
    }

    /// The operator that fits an action, where it is the only one.
    #[inline]
    pub(crate) fn only(&self, action: AgentActionId) -> Option<ActionId> {
        let count = self.counts.get(action.index())?;
        (count.number == 1).then_some(ActionId::new(count.sum))
    }
}
