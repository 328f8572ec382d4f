//! Successors of an action in a lifted state: their exact distribution, and one drawn from it.

use std::collections::hash_map::Entry;

use fxhash::FxHashMap;
use herbrand_ground::NumericId;
use herbrand_limits::BudgetExhausted;
use herbrand_pddl::{ObjectId, SchemaId};
use rand::Rng;

use super::simulator::LiftedSimulator;
use super::state::LiftedState;
use super::walker::{INITIAL, LiftedWalker, name};
use crate::semantics::combinations::{combinations, likeliest};
use crate::semantics::error::StepError;
use crate::semantics::options::Chance;

/// A possible successor of a state of a lifted task, with the probability and the reward of the transition.
/// [`LiftedWalker::outcomes`] and [`LiftedWalker::initial_outcomes`] return the distribution as a list of these. Two
/// outcomes may have the same state if their changes of accumulators differ.
#[derive(Clone, PartialEq, Debug)]
pub struct LiftedOutcome {
    /// The probability of the outcome, above 0 and at most 1.
    pub probability: f64,
    /// The successor state.
    pub state: LiftedState,
    /// The reward of the transition, as in [`StepResult::reward`](crate::StepResult::reward).
    pub reward: f64,
    /// Whether the goal holds in the successor state.
    pub goal: bool,
}

/// A successor, its reward, whether the goal holds there, and the changes of the accumulators.
type SampledSuccessor = (LiftedState, f64, bool, Vec<(NumericId, u64)>);

impl LiftedSimulator {
    /// Draws a successor of a state, and returns it with the reward of the step, as
    /// [`Simulator::sample`](crate::Simulator::sample) does. The draws are those of [`LiftedWalker::apply`] from the same
    /// generator. Makes a walker for the state, so several samples of one state are faster with one
    /// [`walker`](Self::walker): apply, then [undo](LiftedWalker::undo).
    ///
    /// ```
    /// use herbrand_pddl::{Domain, Problem};
    /// use herbrand_step::{LiftedSimulator, Random};
    ///
    /// let domain = Domain::from_text("(define (domain ring) (:predicates (at ?x) (next ?x ?y))
    ///     (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y)) :effect (and (at ?y) (not (at ?x)))))")?;
    /// let problem = Problem::from_text("(define (problem two) (:domain ring) (:objects a b)
    ///     (:init (at a) (next a b) (next b a)) (:goal (at b)))", &domain)?;
    /// let simulator = LiftedSimulator::compile(&domain, &problem)?;
    /// let (go, arguments) = simulator.parse_action("(go a b)")?;
    /// let mut random = Random::new(0);
    /// let (state, reward) = simulator.sample(simulator.initial_state(), go, &arguments, &mut random)?;
    /// assert_eq!(reward, 1.0);
    /// assert_ne!(&state, simulator.initial_state());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the action is unknown or not valid, a numeric effect has no result, or a limit is reached; draws may have
    /// been made then.
    pub fn sample(
        &self,
        state: &LiftedState,
        schema: SchemaId,
        arguments: &[ObjectId],
        rng: &mut (impl Rng + ?Sized),
    ) -> Result<(LiftedState, f64), StepError> {
        let mut walker = self.walker()?;
        walker.set_state(state)?;
        let transition = walker.apply(schema, arguments, rng)?;
        Ok((walker.state().clone(), transition.reward))
    }
}

impl LiftedWalker {
    /// Returns the distribution of the successors of the current state under a valid action, like
    /// [`Simulator::outcomes`](crate::Simulator::outcomes). The state is unchanged, but the last step can no longer be
    /// undone.
    ///
    /// # Errors
    /// Fails if the action is unknown or not valid, if it has more combinations of draws than
    /// [`Options::outcome_limit`](crate::Options::outcome_limit), if a numeric effect has no result in one of them, or
    /// with [`StepError::Limit`] if a limit is exceeded.
    pub fn outcomes(
        &mut self,
        schema: SchemaId,
        arguments: &[ObjectId],
    ) -> Result<Vec<LiftedOutcome>, StepError> {
        self.instantiate(schema, arguments)?;
        let simulator = self.simulator.clone();
        self.enumerate(&|| name(&simulator.inner, schema, arguments))
    }

    /// Returns the distribution of initial states, like
    /// [`Simulator::initial_outcomes`](crate::Simulator::initial_outcomes). Their rewards are meaningless. The state is
    /// unchanged, but the last step can no longer be undone. [`reset`](Self::reset) draws one of them.
    ///
    /// # Errors
    /// Fails if there are too many outcomes, if a numeric effect has no result, or with [`StepError::Limit`] if a limit is
    /// exceeded.
    pub fn initial_outcomes(&mut self) -> Result<Vec<LiftedOutcome>, StepError> {
        let simulator = self.simulator.clone();
        let before = self.state().clone();
        self.set_state(simulator.initial_state())?;
        let chances = &simulator.task().chances;
        self.instance.initial(chances, &mut self.atoms, &mut self.numbers);
        let outcomes = self.enumerate(&|| INITIAL.to_owned());
        self.return_to(&before);
        outcomes
    }

    /// Enumerates the outcomes of the instantiated effects.
    fn enumerate(&mut self, action: &dyn Fn() -> String) -> Result<Vec<LiftedOutcome>, StepError> {
        let simulator = self.simulator.clone();
        let options = simulator.options();
        let (effects, root) = (&self.instance.effects, self.root());
        let all = match options.chance {
            Chance::Drawn => combinations(effects, root, &|_| true, options.outcome_limit),
            Chance::MostLikely => Some(vec![(1.0, likeliest(effects, root, &|_| true))]),
        };
        let all = all.ok_or_else(|| StepError::TooManyOutcomes {
            action: action(),
            limit: options.outcome_limit,
        })?;
        let (mut outcomes, mut places) = (Vec::new(), FxHashMap::default());
        let mut kept = 0;
        for (share, blocks) in all {
            self.firing.clear();
            blocks
                .into_iter()
                .for_each(|block| self.firing.add(&self.instance.effects, block));
            self.compute().map_err(|fault| self.fault(action(), fault))?;
            // Successors seen so far are stored twice: in the outcomes and as keys for merging.
            self.meter.hold(self.held() + kept);
            let seen = self.look();
            let (state, reward, goal, deltas) =
                seen.map_err(|exhausted| StepError::limit(action(), exhausted))?;
            kept += 2 * state.bytes();
            match places.entry((state.clone(), deltas)) {
                Entry::Occupied(place) => {
                    let outcome: &mut LiftedOutcome = &mut outcomes[*place.get()];
                    outcome.probability += share;
                }
                Entry::Vacant(place) => {
                    place.insert(outcomes.len());
                    outcomes.push(LiftedOutcome {
                        probability: share,
                        state,
                        reward,
                        goal,
                    });
                }
            }
        }
        Ok(outcomes)
    }

    /// Applies the collected effects, records the successor, and undoes them.
    fn look(&mut self) -> Result<SampledSuccessor, BudgetExhausted> {
        let deltas = self
            .computed
            .deltas
            .iter()
            .map(|&(id, delta)| (id, delta.to_bits()))
            .collect();
        self.net();
        let from_goal = self.found.goal;
        self.go(false)?;
        self.stepped = true;
        let seen = (
            self.state().clone(),
            self.reward(from_goal),
            self.found.goal,
            deltas,
        );
        self.undo();
        Ok(seen)
    }
}
