//! A relaxed step with its derivatives, for use with external networks.

use std::sync::Arc;

use herbrand_distributions::RandomGenerator;

use super::program::Relaxed;
use super::tape::Rows;

/// Relaxed steps in many lanes, forwards and backwards, for use with an external automatic differentiation library, which
/// chains the steps. A lane is one of the states that are stepped together. Previous steps are not stored.
///
/// States and actions are flat slices of rows: one row per ground fluent, in the order of the problem's state or action
/// fluents, with one value per lane. The value of fluent `i` in lane `e` is at `i × lanes + e`. Bools are numbers
/// between 0 and 1. The generators of a step are those of [`RandomGenerator::at_step`].
#[derive(Clone, Debug)]
pub struct RelaxedStep {
    relaxed: Arc<Relaxed>,
    rows: Rows,
    inputs: Vec<f64>,
    gradients: Vec<f64>,
}

impl RelaxedStep {
    /// Creates relaxed steps in `lanes` lanes. `sharpness` must be greater than 0, which is not checked; the larger it
    /// is, the closer the steps are to real steps.
    #[must_use]
    pub fn new(relaxed: Arc<Relaxed>, lanes: usize, sharpness: f64) -> Self {
        let inputs = (relaxed.compiled.state.len() + relaxed.compiled.action.len()) * lanes;
        Self {
            rows: Rows::new(&relaxed, lanes, sharpness),
            relaxed,
            inputs: vec![0.0; inputs],
            gradients: vec![0.0; inputs],
        }
    }

    /// Returns the compiled relaxed step.
    #[must_use]
    pub const fn relaxed(&self) -> &Arc<Relaxed> {
        &self.relaxed
    }

    /// Returns the number of lanes, which is the length of every row.
    #[must_use]
    pub const fn lanes(&self) -> usize {
        self.rows.lanes
    }

    /// Takes a step in every lane. `state` and `actions` are rows; `draws` has one generator per lane. Returns the rows of
    /// the next state, the reward per lane, and per lane the degree, from 0 to 1, to which the episode ends.
    ///
    /// # Panics
    /// Panics if `state` or `actions` has the wrong length, or if there are fewer generators than lanes.
    pub fn forward(
        &mut self,
        state: &[f64],
        actions: &[f64],
        draws: &[RandomGenerator],
    ) -> (Vec<f64>, Vec<f64>, Vec<f64>) {
        assert!(draws.len() >= self.rows.lanes, "one generator per lane");
        self.compute(state, actions, draws);
        let (relaxed, rows) = (&self.relaxed, &self.rows);
        let next = relaxed.next.iter().flat_map(|&cell| rows.value(cell)).copied();
        (
            next.collect(),
            rows.value(relaxed.reward).to_vec(),
            rows.value(relaxed.terminal).to_vec(),
        )
    }

    /// Recomputes the step from the same `state`, `actions` and `draws`, and propagates gradients of some total back
    /// through it. `by_next` (rows), `by_rewards` and `by_ends` (one number per lane) are its gradients with respect to
    /// the results of [`forward`](Self::forward). Returns its gradients with respect to `state` and to `actions`, in
    /// rows. Gradients missing at the end of these slices count as 0.
    ///
    /// # Panics
    /// Panics like [`forward`](Self::forward).
    pub fn backward(
        &mut self,
        state: &[f64],
        actions: &[f64],
        draws: &[RandomGenerator],
        by_next: &[f64],
        by_rewards: &[f64],
        by_ends: &[f64],
    ) -> (Vec<f64>, Vec<f64>) {
        self.compute(state, actions, draws);
        let relaxed = Arc::clone(&self.relaxed);
        self.rows.gradients.fill(0.0);
        let lanes = self.rows.lanes;
        for (&cell, by) in relaxed.next.iter().zip(by_next.chunks_exact(lanes.max(1))) {
            self.add(cell, by.iter().copied());
        }
        self.add(relaxed.reward, by_rewards.iter().copied());
        self.add(relaxed.terminal, by_ends.iter().copied());
        self.gradients.fill(0.0);
        relaxed.backward(&mut self.rows, &mut self.gradients, draws);
        let (by_state, by_actions) = self.gradients.split_at(state.len());
        (by_state.to_vec(), by_actions.to_vec())
    }

    fn add(&mut self, cell: super::program::Cell, by: impl Iterator<Item = f64>) {
        let row = self.rows.gradient_mut(cell);
        row.iter_mut().zip(by).for_each(|(sum, one)| *sum += one);
    }

    fn compute(&mut self, state: &[f64], actions: &[f64], draws: &[RandomGenerator]) {
        let (states, rest) = self
            .inputs
            .split_at_mut(self.relaxed.compiled.state.len() * self.rows.lanes);
        states.copy_from_slice(state);
        rest.copy_from_slice(actions);
        self.relaxed.forward(&mut self.rows, &self.inputs, draws);
    }
}
