//! The operators that carry out agent actions, in the lanes of a block.

use std::sync::Arc;

use herbrand_ground::ActionId;
use herbrand_step::SlicedWalker;

use crate::action::{ActionSpace, AgentActionId};

/// The operators that carry out each agent action, and the lanes in which an action is chosen.
///
/// An action with few operators is looked at lane by lane. The lanes of any other action are collected, and its operators are
/// looked at one after the other, for all lanes at once:
///
/// ```text
///   (move up)      lanes 0 3 7 …      ┌ (walk up a1 a2)  valid in 0     ─▶ chosen there
///                                     ├ (walk up b1 b2)  valid in 3 9
///                                     └ (push up …)      valid in 7
/// ```
pub(super) struct Carriers<const N: usize> {
    space: Arc<ActionSpace>,
    /// All operators, if they are the actions.
    operators: Vec<ActionId>,
    /// The actions with many operators.
    wide: Vec<Wide<N>>,
    /// For each operator, the index in `wide` of the action whose first operator it is.
    wide_of: Vec<u32>,
    /// The indexes in `wide` of the actions that some lane chooses.
    touched: Vec<u32>,
}

/// An action with many operators.
struct Wide<const N: usize> {
    action: AgentActionId,
    /// The lanes that choose it.
    lanes: [u64; N],
}

/// The number of operators from which an action has many.
const MANY: usize = 5;

impl<const N: usize> Carriers<N> {
    pub(super) fn new(space: &Arc<ActionSpace>) -> Self {
        let count = space.task().actions.len();
        let mut this = Self {
            operators: Vec::new(),
            wide: Vec::new(),
            wide_of: vec![u32::MAX; count],
            touched: Vec::new(),
            space: Arc::clone(space),
        };
        if space.are_operators() {
            this.operators = (0..count).map(ActionId::from_index).collect();
            return this;
        }
        for first in 0..count {
            let action = space.action_of(ActionId::from_index(first));
            let carriers = space.carriers(action);
            if carriers.len() >= MANY && carriers[0].index() == first {
                this.wide_of[first] = this.wide.len() as u32;
                this.wide.push(Wide {
                    action,
                    lanes: [0; N],
                });
            }
        }
        this.touched = Vec::with_capacity(this.wide.len());
        this
    }

    /// Returns the operators that carry out an action; none if there is no such action.
    #[inline(always)]
    fn of(&self, action: AgentActionId) -> &[ActionId] {
        match self.operators.get(action.index()..=action.index()) {
            Some(only) => only,
            None => self.space.carriers(action),
        }
    }

    /// Chooses in each lane of `which` the operator that carries out the action with the number given by lane. At most one is
    /// valid. Returns the lanes in which none is.
    pub(super) fn choose(
        &mut self,
        lanes: &mut SlicedWalker<N>,
        which: &[u64; N],
        actions: &[u32],
    ) -> [u64; N] {
        let mut refused = [0; N];
        let mut touched = std::mem::take(&mut self.touched);
        for (word, &bits) in which.iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                let (lane, bit) = (
                    word * 64 + rest.trailing_zeros() as usize,
                    rest & rest.wrapping_neg(),
                );
                rest &= rest - 1;
                let carriers = self.of(AgentActionId::new(actions[lane]));
                if carriers.len() < MANY {
                    if !lanes.choose_valid(lane, carriers) {
                        refused[word] |= bit;
                    }
                    continue;
                }
                let index = self.wide_of[carriers[0].index()];
                let wide = &mut self.wide[index as usize];
                if wide.lanes == [0; N] {
                    touched.push(index);
                }
                wide.lanes[word] |= bit;
            }
        }
        for index in touched.drain(..) {
            let wide = &mut self.wide[index as usize];
            let chosen = std::mem::replace(&mut wide.lanes, [0; N]);
            let left = lanes.choose_first(&chosen, self.space.carriers(wide.action));
            refused
                .iter_mut()
                .zip(left)
                .for_each(|(refused, left)| *refused |= left);
        }
        self.touched = touched;
        refused
    }

    /// Writes the mask of valid actions of every lane. With `exclusive`, an action that several valid operators carry out is
    /// not valid.
    pub(super) fn write_masks(&self, lanes: &SlicedWalker<N>, exclusive: bool, rows: &mut [u64]) {
        let group = |action: usize| self.of(AgentActionId::new(action as u32));
        lanes.write_valid(self.space.len(), group, exclusive, rows);
    }
}
