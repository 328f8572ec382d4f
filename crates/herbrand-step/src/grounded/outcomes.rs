//! The exact distribution of successors.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use herbrand_ground::{ActionId, BlockId, NumericId};

use crate::grounded::simulator::Simulator;
use crate::grounded::state::{State, Valuation};
use crate::semantics::combinations::{combinations, likeliest};
use crate::semantics::error::StepError;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::Numbers;
use crate::semantics::options::{Chance, Options};

/// A possible successor of a state.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// Its probability, above 0 and at most 1.
    pub probability: f64,
    /// The successor.
    pub state: State,
    /// The reward of this transition.
    pub reward: f64,
    /// Whether the goal holds in the successor.
    pub goal: bool,
    /// The amounts by which accumulators (numbers outside the state, such as the total cost) change, ascending by id and
    /// never zero.
    pub deltas: Vec<(NumericId, f64)>,
}

impl Simulator {
    /// Returns the distribution of initial states. Their rewards are meaningless.
    ///
    /// # Errors
    /// Fails if there are too many outcomes, or if a numeric effect has no result.
    pub fn initial_outcomes(&self) -> Result<Vec<Outcome>, StepError> {
        enumerate(self, &self.initial_state(), self.task().initial_chance, None)
    }

    /// Returns the distribution of successors. The probabilities are positive and sum to 1. Outcomes with the same successor
    /// and the same changes of accumulators are merged. Outcomes are in the order of the text: alternatives of the first
    /// draw vary slowest, and no change is the last alternative of each draw.
    ///
    /// # Errors
    /// Fails if the action is not valid, if it has too many outcomes, or if a numeric effect has no result in one of them.
    pub fn outcomes(&self, state: &State, action: ActionId) -> Result<Vec<Outcome>, StepError> {
        self.check(state, action)?;
        let effect = self.task().actions.get(action).effect;
        enumerate(self, state, effect, Some(action))
    }

    fn check(&self, state: &State, action: ActionId) -> Result<(), StepError> {
        self.known(action)?;
        if !state.fits(self.task()) {
            return Err(StepError::ForeignState);
        }
        let explanation = self.explain_in(&self.close(state), action);
        if explanation.valid {
            Ok(())
        } else {
            Err(StepError::Invalid(explanation))
        }
    }
}

/// Enumerates the outcomes of an effect block in a state. Outcomes with equal successors and equal deltas are merged into
/// the first of them. Time and memory are linear in the number of combinations of draws, up to a logarithmic factor.
fn enumerate(
    simulator: &Simulator,
    state: &State,
    block: BlockId,
    action: Option<ActionId>,
) -> Result<Vec<Outcome>, StepError> {
    let closed = simulator.close(state);
    let from_goal = simulator.holds(&closed, simulator.task().goal);
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut places = BTreeMap::<_, usize>::new();
    each(simulator, &closed, block, action, |share, firing, numbers| {
        let mut successor = state.clone();
        successor.apply(firing, numbers);
        let exact_deltas: Vec<_> = numbers
            .deltas
            .iter()
            .map(|&(id, delta)| (id, delta.to_bits()))
            .collect();
        match places.entry((successor.clone(), exact_deltas)) {
            Entry::Occupied(place) => outcomes[*place.get()].probability += share,
            Entry::Vacant(place) => {
                place.insert(outcomes.len());
                let goal = simulator.is_goal(&successor);
                outcomes.push(Outcome {
                    probability: share,
                    reward: simulator.reward(numbers, goal && !from_goal),
                    state: successor,
                    goal,
                    deltas: numbers.deltas.clone(),
                });
            }
        }
    })?;
    Ok(outcomes)
}

/// Calls `visit` with the probability and the effects of every combination of draws.
pub(crate) fn each(
    simulator: &Simulator,
    world: &impl Valuation,
    block: BlockId,
    action: Option<ActionId>,
    mut visit: impl FnMut(f64, &Firing, &Numbers),
) -> Result<(), StepError> {
    let effects = &simulator.task().effects;
    let Options {
        outcome_limit: limit,
        chance,
        ..
    } = simulator.options();
    let holds = |condition| simulator.holds(world, condition);
    let all = match chance {
        Chance::Drawn => combinations(effects, block, &holds, limit),
        Chance::MostLikely => Some(vec![(1.0, likeliest(effects, block, &holds))]),
    };
    let all = all.ok_or_else(|| StepError::TooManyOutcomes {
        action: simulator.action_name(action),
        limit,
    })?;
    let mut firing = Firing::default();
    for (probability, blocks) in all {
        firing.clear();
        blocks.into_iter().for_each(|block| firing.add(effects, block));
        let numbers = simulator.numbers(world, &firing, action)?;
        visit(probability, &firing, &numbers);
    }
    Ok(())
}
