//! The plans that a gradient planner improves, as functions of their parameters.

use super::squash::{Squash, along_limit, limit, settle};
use super::unroll::Acting;
use crate::plan::{Candidates, Risk};

/// The decay per ascent step of the moving average of a plan.
const MEAN_DECAY: f64 = 0.98;

/// The largest number, in units of its scale, to which feedback reacts.
const REACH: f64 = 10.0;

/// Plans in parallel. Some have feedback: their actions also depend on the state, by gains that all steps share. In an
/// unstable problem a gradient improves these, where a fixed action of an early step decides too much.
#[derive(Clone, Debug)]
pub(super) struct Plans {
    /// By step, field and plan. Then the gains, by field, state fluent and plan.
    pub(super) parameters: Vec<f64>,
    /// Moving averages of the parameters. In stochastic problems they are tried too, because single ascent steps follow
    /// their own draws.
    pub(super) means: Vec<f64>,
    pub(super) gradients: Vec<f64>,
    pub(super) squashes: Vec<Squash>,
    /// The maximum number of fields that may be set at once.
    pub(super) most: usize,
    pub(super) candidates: usize,
    pub(super) scenarios: usize,
    pub(super) steps: usize,
    pub(super) risk: Risk,
    /// By state fluent: the factor that makes it about 1. Empty if no plan has feedback.
    pub(super) scales: Vec<f64>,
}

impl Plans {
    /// Creates plans with parameters of 0. `fluents` is the number of state fluents that feedback reacts to.
    pub(super) fn new(
        squashes: Vec<Squash>,
        most: usize,
        (candidates, scenarios, steps): (usize, usize, usize),
        fluents: usize,
        risk: Risk,
    ) -> Self {
        let count = (steps + fluents) * squashes.len() * candidates;
        Self {
            parameters: vec![0.0; count],
            means: Vec::new(),
            gradients: vec![0.0; count],
            squashes,
            most,
            candidates,
            scenarios,
            steps,
            risk,
            scales: vec![1.0; fluents],
        }
    }

    /// Removes the last steps, or adds steps with parameters of 0. The gains stay.
    pub(super) fn set_steps(&mut self, steps: usize) {
        let per_step = self.squashes.len() * self.candidates;
        let gains = self.parameters.split_off(self.steps * per_step);
        self.parameters.resize(steps * per_step, 0.0);
        self.parameters.extend(gains);
        self.gradients = vec![0.0; self.parameters.len()];
        self.means.clear();
        self.steps = steps;
    }

    pub(super) fn place(&self, step: usize, field: usize, candidate: usize) -> usize {
        (step * self.squashes.len() + field) * self.candidates + candidate
    }

    /// Returns the index of a gain.
    fn gain(&self, field: usize, fluent: usize, candidate: usize) -> usize {
        let first = self.steps * self.squashes.len() * self.candidates;
        first + (field * self.scales.len() + fluent) * self.candidates + candidate
    }

    /// Returns the parameters of the steps, without the gains.
    pub(super) fn of_steps_mut(&mut self) -> &mut [f64] {
        let count = self.steps * self.squashes.len() * self.candidates;
        &mut self.parameters[..count]
    }

    /// Returns whether a plan has feedback.
    pub(super) const fn feeds(&self, candidate: usize) -> bool {
        !self.scales.is_empty() && matches!(candidate % 4, 1 | 2)
    }

    /// Makes a plan ignore the state until its gains change.
    pub(super) fn forget_feedback(&mut self, candidate: usize) {
        for field in 0..self.squashes.len() {
            for fluent in 0..self.scales.len() {
                let place = self.gain(field, fluent, candidate);
                self.parameters[place] = 0.0;
            }
        }
    }

    /// Updates the moving averages of the parameters.
    pub(super) fn average(&mut self) {
        if self.means.is_empty() {
            self.means.clone_from(&self.parameters);
        }
        for (mean, parameter) in self.means.iter_mut().zip(&self.parameters) {
            *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * parameter;
        }
    }

    /// Returns the parameter of a field in each lane of a plan with feedback. `state` has rows of all lanes.
    fn fed(&self, (step, field, candidate): (usize, usize, usize), state: &[f64]) -> Vec<f64> {
        let lanes = self.candidates * self.scenarios;
        let mut fed = vec![self.parameters[self.place(step, field, candidate)]; self.scenarios];
        for (fluent, &scale) in self.scales.iter().enumerate() {
            let gain = self.parameters[self.gain(field, fluent, candidate)];
            let row = &state[fluent * lanes + candidate * self.scenarios..][..self.scenarios];
            for (sum, &value) in fed.iter_mut().zip(row) {
                *sum += gain * scaled(value, scale).0;
            }
        }
        fed
    }

    /// Returns the joint action of a step of a plan, valid if no precondition is violated. `state` is only read if the plan
    /// has feedback.
    pub(super) fn joint(
        &self,
        parameters: &[f64],
        (step, candidate): (usize, usize),
        state: impl Fn(usize) -> f64,
    ) -> Vec<f64> {
        let value = |field: usize| {
            let mut parameter = parameters[self.place(step, field, candidate)];
            if self.feeds(candidate) {
                for (fluent, &scale) in self.scales.iter().enumerate() {
                    let gain = parameters[self.gain(field, fluent, candidate)];
                    parameter += gain * scaled(state(fluent), scale).0;
                }
            }
            self.squashes[field].value(parameter).0
        };
        let mut joint: Vec<f64> = (0..self.squashes.len()).map(value).collect();
        settle(&self.squashes, self.most, &mut joint);
        joint
    }

    /// Rounds plans to valid joint actions, as if no plan had feedback.
    pub(super) fn rounded(&self, parameters: &[f64]) -> Candidates {
        let mut candidates = Candidates::new(self.candidates, self.squashes.len(), self.steps);
        for step in 0..self.steps {
            for candidate in (0..self.candidates).filter(|&candidate| !self.feeds(candidate)) {
                let joint = self.joint(parameters, (step, candidate), |_| 0.0);
                candidates.set(step, candidate, &joint);
            }
        }
        candidates
    }

    /// Removes from the gradients the component that would exceed the number of fields that may be set at once.
    pub(super) fn keep_to_limit(&mut self) {
        let fields = self.squashes.len();
        if self.most >= fields {
            return;
        }
        let (mut parameters, mut gradient) = (vec![0.0; fields], vec![0.0; fields]);
        for step in 0..self.steps {
            for candidate in 0..self.candidates {
                for field in 0..fields {
                    let place = self.place(step, field, candidate);
                    parameters[field] = self.parameters[place];
                    gradient[field] = self.gradients[place];
                }
                along_limit(&self.squashes, self.most, &parameters, &mut gradient);
                for (field, &gradient) in gradient.iter().enumerate() {
                    let place = self.place(step, field, candidate);
                    self.gradients[place] = gradient;
                }
            }
        }
    }

    /// Projects the parameters of the steps to the allowed region.
    pub(super) fn project(&mut self) {
        let mut of_step = vec![0.0; self.squashes.len()];
        for step in 0..self.steps {
            for candidate in 0..self.candidates {
                for (field, parameter) in of_step.iter_mut().enumerate() {
                    let place = self.place(step, field, candidate);
                    *parameter = self.squashes[field].project(self.parameters[place]);
                }
                limit(&self.squashes, self.most, &mut of_step);
                for (field, &parameter) in of_step.iter().enumerate() {
                    let place = self.place(step, field, candidate);
                    self.parameters[place] = parameter;
                }
            }
        }
    }
}

/// Returns a number in units of its scale, and the derivative; 0 if it is infinite or NaN.
fn scaled(value: f64, scale: f64) -> (f64, f64) {
    let scaled = value * scale;
    if !scaled.is_finite() {
        (0.0, 0.0)
    } else if scaled.abs() > REACH {
        (REACH.copysign(scaled), 0.0)
    } else {
        (scaled, scale)
    }
}

impl Acting for Plans {
    fn act(&mut self, step: usize, state: &[f64], actions: &mut [f64]) {
        let lanes = self.candidates * self.scenarios;
        for (field, row) in actions.chunks_exact_mut(lanes).enumerate() {
            let squash = self.squashes[field];
            for (candidate, cells) in row.chunks_exact_mut(self.scenarios).enumerate() {
                if self.feeds(candidate) {
                    let fed = self.fed((step, field, candidate), state);
                    for (cell, parameter) in cells.iter_mut().zip(fed) {
                        *cell = squash.value(parameter).0;
                    }
                } else {
                    let parameter = self.parameters[self.place(step, field, candidate)];
                    cells.fill(squash.value(parameter).0);
                }
            }
        }
    }

    fn learn(&mut self, step: usize, state: &[f64], gradient: &[f64], state_gradient: &mut [f64]) {
        let lanes = self.candidates * self.scenarios;
        let part = 1.0 / self.scenarios as f64;
        for (field, row) in gradient.chunks_exact(lanes).enumerate() {
            let squash = self.squashes[field];
            for (candidate, cells) in row.chunks_exact(self.scenarios).enumerate() {
                let place = self.place(step, field, candidate);
                let finite = |one: f64| if one.is_finite() { one } else { 0.0 };
                if !self.feeds(candidate) {
                    let slope = squash.value(self.parameters[place]).1;
                    let sum: f64 = cells.iter().map(|&one| finite(one)).sum();
                    self.gradients[place] += part * slope * sum;
                    continue;
                }
                let fed = self.fed((step, field, candidate), state);
                // Beyond a bound, an action does not depend on the parameter.
                let slope = |parameter: f64| {
                    let inside = squash.is_bool() || squash.project(parameter) == parameter;
                    if inside { squash.value(parameter).1 } else { 0.0 }
                };
                let by_fed = fed.iter().zip(cells).map(|(&fed, &one)| slope(fed) * finite(one));
                let by_fed: Vec<f64> = by_fed.collect();
                self.gradients[place] += part * by_fed.iter().sum::<f64>();
                for fluent in 0..self.scales.len() {
                    let place = self.gain(field, fluent, candidate);
                    let first = fluent * lanes + candidate * self.scenarios;
                    for (lane, by_fed) in (first..).zip(&by_fed) {
                        let (value, slope) = scaled(state[lane], self.scales[fluent]);
                        self.gradients[place] += part * by_fed * value;
                        state_gradient[lane] += by_fed * self.parameters[place] * slope;
                    }
                }
            }
        }
    }

    fn weigh(&mut self, returns: &[f64], weights: &mut [f64]) {
        if self.risk == Risk::Neutral {
            return;
        }
        let weights = weights.chunks_exact_mut(self.scenarios);
        for (returns, weights) in returns.chunks_exact(self.scenarios).zip(weights) {
            self.risk.weights(returns, weights);
            weights
                .iter_mut()
                .for_each(|weight| *weight *= returns.len() as f64);
        }
    }
}
