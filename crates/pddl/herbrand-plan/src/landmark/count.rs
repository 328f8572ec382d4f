//! The landmark-count heuristic.

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, BudgetExhausted};

use super::Landmarks;
use crate::heuristic::{Heuristic, StateBatch};
use crate::relax::{DeleteRelaxation, NONE};
use crate::task::SearchTask;

/// The landmark-count heuristic (Richter, Helmert and Westphal 2008, "Landmarks revisited"): the number of landmarks that
/// the path to a state has not accepted, plus the number of accepted landmarks that are required again. A landmark is
/// accepted if it is true and all landmarks ordered before it were accepted by the path to the parent; in the start
/// state, every true landmark is. It is required again if it is false, and is a goal or is ordered before a landmark that
/// is not accepted.
///
/// Actions that achieve a landmark whose predecessors are all accepted are preferred.
pub(crate) struct LandmarkCount<'t> {
    relaxation: &'t DeleteRelaxation,
    landmarks: Landmarks,
    /// For each landmark, the landmarks ordered after it.
    after: Vec<Vec<u32>>,
    /// For each landmark, the operators that add it.
    achievers: Vec<Vec<u32>>,
    /// The number of words per set of landmarks.
    width: usize,
    /// For each state, the landmarks accepted by the path to it, as a set of `width` words.
    accepted: Vec<u64>,
    /// For each landmark, whether it is true in the evaluated state.
    holds: Vec<bool>,
}

impl<'t> LandmarkCount<'t> {
    /// Creates the heuristic for the landmarks of a task.
    pub(crate) fn new(
        task: &'t SearchTask,
        landmarks: Landmarks,
        budget: &Budget,
    ) -> Result<Self, BudgetExhausted> {
        let relaxation = task.relaxation(budget)?;
        let adds = relaxation.adds.transposed(relaxation.facts);
        let mut after = vec![Vec::new(); landmarks.facts.len()];
        for (number, before) in (0..).zip(&landmarks.before) {
            before
                .iter()
                .for_each(|&other| after[other as usize].push(number));
        }
        let achievers = landmarks.facts.iter().map(|&fact| adds.row(fact).to_vec());
        Ok(Self {
            relaxation,
            achievers: achievers.collect(),
            after,
            width: landmarks.facts.len().div_ceil(64),
            accepted: Vec::new(),
            holds: vec![false; landmarks.facts.len()],
            landmarks,
        })
    }

    fn is_accepted(&self, state: u32, landmark: usize) -> bool {
        self.accepted[state as usize * self.width + landmark / 64] >> (landmark % 64) & 1 == 1
    }

    /// Computes the landmarks accepted by the path to a state from the ones of its parent.
    fn accept(&mut self, state: u32, parent: Option<u32>) {
        let (state, width) = (state as usize, self.width);
        if self.accepted.len() < (state + 1) * width {
            self.accepted.resize((state + 1) * width, 0);
        }
        let before: Vec<u64> = match parent {
            Some(parent) => self.accepted[parent as usize * width..][..width].to_vec(),
            None => vec![0; width],
        };
        let has = |landmark: usize| before[landmark / 64] >> (landmark % 64) & 1 == 1;
        let mut now = before.clone();
        for (landmark, earlier) in self.landmarks.before.iter().enumerate() {
            let is_first = parent.is_none();
            let may = is_first || earlier.iter().all(|&other| has(other as usize));
            if self.holds[landmark] && may {
                now[landmark / 64] |= 1 << (landmark % 64);
            }
        }
        self.accepted[state * width..][..width].copy_from_slice(&now);
    }

    /// Returns whether an accepted landmark that is false must become true again.
    fn needed_again(&self, state: u32, landmark: usize) -> bool {
        let later = &self.after[landmark];
        self.landmarks.is_goal[landmark]
            || later
                .iter()
                .any(|&other| !self.is_accepted(state, other as usize))
    }

    /// Prefers the valid actions that achieve one of the next landmarks.
    fn prefer(&self, batch: &mut StateBatch<'_>, place: usize) {
        let state = batch.number(place);
        for landmark in 0..self.landmarks.facts.len() {
            let before = &self.landmarks.before[landmark];
            let is_next = !self.is_accepted(state, landmark)
                && before
                    .iter()
                    .all(|&other| self.is_accepted(state, other as usize));
            if !is_next {
                continue;
            }
            for &operator in &self.achievers[landmark] {
                let action = self.relaxation.actions[operator as usize];
                if action != NONE && batch.walker.valid().contains(ActionId::new(action)) {
                    batch.prefer(place, ActionId::new(action));
                }
            }
        }
    }
}

impl Heuristic for LandmarkCount<'_> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        for place in batch.places() {
            let (state, walker) = (batch.number(place), batch.walker(place));
            for (holds, &fact) in self.holds.iter_mut().zip(&self.landmarks.facts) {
                *holds = self.relaxation.literal_holds(fact, walker);
            }
            self.accept(state, batch.parent(place));
            let missing = (0..self.landmarks.facts.len()).filter(|&landmark| {
                let accepted = self.is_accepted(state, landmark);
                !accepted || !self.holds[landmark] && self.needed_again(state, landmark)
            });
            estimates.push(missing.count() as f64);
            self.prefer(batch, place);
        }
    }

    fn bytes(&self) -> usize {
        self.accepted.capacity() * 8
    }
}
