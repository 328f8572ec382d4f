//! Successors of an action: their exact distribution, and one drawn from it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use herbrand_ground::{ActionId, BlockId, NumericId};
use rand::Rng;

use crate::grounded::simulator::Simulator;
use crate::grounded::state::{ClosedState, State, Valuation};
use crate::semantics::combinations::{combinations, likeliest};
use crate::semantics::error::StepError;
use crate::semantics::firing::Firing;
use crate::semantics::numbers::Numbers;
use crate::semantics::options::{Chance, Options};

/// A possible successor of a state, with the probability and the reward of the transition. [`Simulator::outcomes`] and
/// [`Simulator::initial_outcomes`] return the distribution as a list of these.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// The probability of the outcome, above 0 and at most 1.
    pub probability: f64,
    /// The successor state.
    pub state: State,
    /// The reward of the transition, as in [`StepResult::reward`](crate::StepResult::reward).
    pub reward: f64,
    /// Whether the goal holds in the successor state.
    pub goal: bool,
    /// The amounts by which accumulators change, ascending by id and never zero. Accumulators are numeric fluents outside
    /// the state, such as the total cost.
    pub deltas: Vec<(NumericId, f64)>,
}

impl Simulator {
    /// Returns the distribution of initial states, in the order of the text, with a single outcome if the initial state
    /// is not random. Ignore the rewards of these outcomes: no action was taken.
    /// [`sample_initial`](Self::sample_initial) draws one if there are too many. With [`Chance::MostLikely`] there is
    /// one outcome, of probability 1.
    ///
    /// # Errors
    /// [`StepError::TooManyOutcomes`] if there are more combinations of draws than
    /// [`Options::outcome_limit`](crate::Options::outcome_limit). Also fails if a numeric effect has no result in one
    /// of them.
    pub fn initial_outcomes(&self) -> Result<Vec<Outcome>, StepError> {
        let state = self.initial_state();
        enumerate(
            self,
            &state,
            &self.close(&state),
            self.task().initial_chance,
            None,
        )
    }

    /// Returns the distribution of the successors of a state under a valid action. The probabilities are positive and
    /// sum to 1. Outcomes with the same successor and the same changes of accumulators are merged. Outcomes are in the
    /// order of the text: alternatives of the first draw vary slowest, and no change is the last alternative of each
    /// draw. [`Options::outcome_limit`](crate::Options::outcome_limit) limits their number before merging.
    /// [`sample`](Self::sample) draws a successor if there are too many. With [`Chance::MostLikely`] there is one
    /// outcome, of probability 1.
    ///
    /// # Errors
    /// Fails if the action is unknown or not valid, if `state` has another shape than the states of this task, if the
    /// action has too many outcomes, or if a numeric effect has no result in one of them.
    pub fn outcomes(&self, state: &State, action: ActionId) -> Result<Vec<Outcome>, StepError> {
        let closed = self.close_valid(state, action)?;
        let effect = self.task().actions.get(action).effect;
        enumerate(self, state, &closed, effect, Some(action))
    }

    /// Draws a successor of a state under a valid action, and returns it with the reward of the step
    /// ([`StepResult::reward`](crate::StepResult::reward)). The draws are those of
    /// [`Walker::apply`](crate::Walker::apply) from the same generator. Takes time linear in the task.
    ///
    /// ```
    /// use herbrand_pddl::{Domain, Problem};
    /// use herbrand_step::{Random, compile};
    ///
    /// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up))
    ///     (:action toss :effect (probabilistic 1/3 (up))))")?;
    /// let problem = Problem::from_text("(define (problem p) (:domain coin) (:goal (up)))", &domain)?;
    /// let simulator = compile(&domain, &problem)?;
    /// let (start, toss) = (simulator.initial_state(), simulator.parse_action("(toss)")?);
    /// let mut random = Random::new(7);
    /// let mut total = 0.0;
    /// for _ in 0..3000 {
    ///     let (state, reward) = simulator.sample(&start, toss, &mut random)?;
    ///     assert_eq!(reward == 1.0, simulator.is_goal(&state));
    ///     total += reward;
    /// }
    /// assert!((total / 3000.0 - 1.0 / 3.0).abs() < 0.05);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the action is unknown or not valid, or `state` has another shape than the states of this task; nothing is
    /// drawn then. Also if a numeric effect has no result, after draws were made.
    pub fn sample(
        &self,
        state: &State,
        action: ActionId,
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<(State, f64), StepError> {
        let closed = self.close_valid(state, action)?;
        let effect = self.task().actions.get(action).effect;
        let (successor, numbers) = self.draw(state, &closed, effect, Some(action), rng)?;
        let enters_goal = self.is_goal(&successor) && !self.holds(&closed, self.task().goal);
        Ok((successor, self.reward(&numbers, enters_goal)))
    }

    /// The state with its derived atoms, if the action is valid there.
    fn close_valid<'s>(&self, state: &'s State, action: ActionId) -> Result<ClosedState<'s>, StepError> {
        self.known(action)?;
        if !state.fits(self.task()) {
            return Err(StepError::ForeignState);
        }
        let closed = self.close(state);
        if self.holds(&closed, self.task().actions.get(action).precondition) {
            Ok(closed)
        } else {
            Err(StepError::Invalid(self.explain_in(&closed, action)))
        }
    }
}

/// Enumerates the outcomes of an effect block in a state. Outcomes with equal successors and equal deltas are merged into
/// the first of them. Time and memory are linear in the number of combinations of draws, up to a logarithmic factor.
fn enumerate(
    simulator: &Simulator,
    state: &State,
    closed: &ClosedState<'_>,
    block: BlockId,
    action: Option<ActionId>,
) -> Result<Vec<Outcome>, StepError> {
    let from_goal = simulator.holds(closed, simulator.task().goal);
    let mut outcomes: Vec<Outcome> = Vec::new();
    let mut places = BTreeMap::<_, usize>::new();
    each(simulator, closed, block, action, |share, firing, numbers| {
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
