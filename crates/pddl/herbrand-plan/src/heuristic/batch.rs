//! Asking a heuristic for the estimates of states.

use std::ops::Range;

use herbrand_ground::ActionId;
use herbrand_step::Walker;

use crate::states::States;

/// An estimate of the cost from states of a [`SearchTask`](crate::SearchTask) to the goal, for which searches ask.
/// [`HeuristicKind::heuristic`](crate::HeuristicKind::heuristic) makes those of this crate; with your own, a
/// [`HeuristicPlanner`](crate::HeuristicPlanner) searches.
pub trait Heuristic: Send {
    /// Appends one estimate for each state of a batch, in order: a number that is not negative, in the whole units of
    /// [`StepCosts`](crate::StepCosts), or infinity for a dead end, from which the goal cannot be reached. Units matter only
    /// to A*, which rounds them to whole ones. With an estimate that is negative or not a number, or with another number of
    /// estimates, the search ends and reports an [`EstimateError`]. `estimates` is empty at the call, and a
    /// [policy](Self::is_policy) may leave it so.
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>);

    /// Returns whether this is a policy, which [rates](StateBatch::rate) the actions of each state instead of estimating costs.
    /// Its estimates say only which states are dead ends. `false` by default.
    fn is_policy(&self) -> bool {
        false
    }

    /// Returns whether every estimate is at most the cost of a cheapest way to the goal. Plans and bounds of A* count as
    /// proven then, and dead ends too; nothing checks it. `false` by default.
    fn is_admissible(&self) -> bool {
        false
    }

    /// Returns the bytes of the data that grow during the search, which count towards its limit of memory. 0 by default.
    fn bytes(&self) -> usize {
        0
    }
}

/// The states for which a [`Heuristic`] is asked at once.
pub struct StateBatch<'a> {
    pub(crate) walker: &'a mut Walker,
    /// The number of the walker's state.
    pub(crate) at: &'a mut u32,
    /// The states that the search found; `None` if there is no search, and the batch is the walker's state.
    pub(crate) states: Option<&'a States>,
    /// The numbers of the states of this batch.
    pub(crate) numbers: Range<u32>,
    pub(crate) preferred: &'a mut Vec<(u32, ActionId)>,
    pub(crate) rated: &'a mut Vec<(u32, ActionId, f64)>,
}

impl StateBatch<'_> {
    /// Returns the places of the states in the batch, from 0. There is at least one.
    #[must_use]
    pub fn places(&self) -> Range<usize> {
        0..self.numbers.len()
    }

    /// Returns a walker in the state at a place. Its simulator is that of the searched task. It has to move there from the
    /// state before, which takes longer than a step, except in a batch of one state. Panics if there is no such place.
    pub fn walker(&mut self, place: usize) -> &Walker {
        assert!(place < self.numbers.len(), "no place {place} in the batch");
        let number = self.number(place);
        if let Some(states) = self.states.filter(|_| *self.at != number) {
            let went = self.walker.set_words(states.words(number));
            debug_assert!(went.is_ok(), "the states of a store have one size");
            *self.at = number;
        }
        self.walker
    }

    /// Returns the [words](herbrand_step::State::words) of the state at a place, without a walker's move there. Panics if there is no
    /// such place.
    #[must_use]
    pub fn words(&self, place: usize) -> &[u64] {
        assert!(place < self.numbers.len(), "no place {place} in the batch");
        match self.states {
            Some(states) => states.words(self.number(place)),
            None => self.walker.state().words(),
        }
    }

    /// Says that an action promises to be good in the state at a place. Searches with preferred actions try it early if it is
    /// valid; the others ignore it.
    pub fn prefer(&mut self, place: usize, action: ActionId) {
        self.preferred.push((place as u32, action));
    }

    /// Says with which probability a [policy](Heuristic::is_policy) takes an action in the state at a place, between 0 and 1.
    /// Actions that it does not rate have probability 0. Where the heuristic is no policy, ratings are ignored.
    pub fn rate(&mut self, place: usize, action: ActionId, probability: f64) {
        self.rated.push((place as u32, action, probability));
    }

    /// Returns the number of the state at a place in the search.
    pub(crate) const fn number(&self, place: usize) -> u32 {
        self.numbers.start + place as u32
    }

    /// Returns the number of the parent of the state at a place; `None` for the start state.
    pub(crate) fn parent(&self, place: usize) -> Option<u32> {
        self.states?.way_to(self.number(place)).map(|(parent, _)| parent)
    }

    /// Appends an estimate for each state, `None` for a dead end.
    pub(crate) fn each(&mut self, estimates: &mut Vec<f64>, mut of: impl FnMut(&Walker) -> Option<u64>) {
        for place in self.places() {
            estimates.push(estimate(of(self.walker(place))));
        }
    }
}

/// Returns an estimate in these units; `None` for a dead end.
pub(crate) fn estimate(units: Option<u64>) -> f64 {
    units.map_or(f64::INFINITY, |units| units as f64)
}

/// Returns an estimate in whole units.
pub(crate) fn units(estimate: f64) -> u64 {
    estimate.round() as u64
}

/// The reason why the answer of a [`Heuristic`] to a batch cannot be used; the content of
/// [`PlannerError::Estimate`](crate::PlannerError::Estimate).
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EstimateError {
    /// There is not one estimate for each state. Contains the number of states and that of estimates.
    #[error("the heuristic gave {1} estimates for {0} states")]
    Count(usize, usize),
    /// An estimate is negative or not a number (NaN).
    #[error("the heuristic gave an estimate that is negative or not a number")]
    Value,
    /// A probability is not between 0 and 1.
    #[error("the policy gave a probability that is not between 0 and 1")]
    Probability,
}

/// The answer of a heuristic to a batch.
#[derive(Default)]
pub(crate) struct Answer {
    /// For each state, the estimate, which is not negative; infinity for a dead end.
    pub(crate) estimates: Vec<f64>,
    /// Preferred actions, each with the place of its state.
    pub(crate) preferred: Vec<(u32, ActionId)>,
    /// Actions that a policy rates, each with the place of its state and its probability.
    pub(crate) rated: Vec<(u32, ActionId, f64)>,
}

impl Answer {
    /// Asks a heuristic for the estimates of the states with these numbers, and returns how many are dead ends. `walker` is in
    /// the state with the number `at`.
    pub(crate) fn ask(
        &mut self,
        heuristic: &mut dyn Heuristic,
        (walker, at): (&mut Walker, &mut u32),
        states: Option<&States>,
        numbers: Range<u32>,
    ) -> Result<u64, EstimateError> {
        let Self {
            estimates,
            preferred,
            rated,
        } = self;
        estimates.clear();
        preferred.clear();
        rated.clear();
        let asked = numbers.len();
        let mut batch = StateBatch {
            walker,
            at,
            states,
            numbers,
            preferred,
            rated,
        };
        heuristic.estimate(&mut batch, estimates);
        if heuristic.is_policy() && estimates.is_empty() {
            estimates.resize(asked, 0.0);
        }
        if rated
            .iter()
            .any(|(.., probability)| !(0.0..=1.0).contains(probability))
        {
            return Err(EstimateError::Probability);
        }
        if estimates.len() != asked {
            return Err(EstimateError::Count(asked, estimates.len()));
        }
        let mut dead_ends = 0;
        for estimate in estimates {
            if estimate.is_nan() || *estimate < 0.0 {
                return Err(EstimateError::Value);
            }
            // The bits of numbers are in the order of the numbers, but for those of -0.
            *estimate += 0.0;
            dead_ends += u64::from(estimate.is_infinite());
        }
        Ok(dead_ends)
    }

    /// Returns the estimate of the only state in whole units; `None` for a dead end.
    pub(crate) fn only(&self) -> Option<u64> {
        let first = self.estimates.first().filter(|estimate| estimate.is_finite());
        first.map(|&estimate| units(estimate))
    }
}
