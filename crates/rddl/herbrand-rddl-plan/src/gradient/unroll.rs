//! Relaxed roll-outs and their gradients.

use std::sync::Arc;

use herbrand_distributions::RandomGenerator;
use herbrand_rddl_sim::simulate::Values;

use super::program::Relaxed;
use super::tape::Rows;
use crate::plan::times;

/// A differentiable policy or plan that acts in all lanes of [`Unrolled`] at once; a lane is one of the roll-outs
/// computed together. Values are in rows: one row per ground fluent, one value per lane. Bools are numbers between 0
/// and 1. Pass an implementor to [`Unrolled::run`] or [`Unrolled::differentiate`].
pub trait Acting {
    /// Writes into `actions` the rows of the action fluents for the step with index `step`, given the rows of the state
    /// fluents before it. The old content of `actions` means nothing. [`Unrolled::differentiate`] calls it twice per
    /// step, so it must write the same actions both times.
    fn act(&mut self, step: usize, state: &[f64], actions: &mut [f64]);

    /// Receives `gradient`, the rows of the gradient of the returns with respect to the actions of a step, to
    /// accumulate it for the own parameters. If the actions depend on the state, adds that part to `state_gradient`.
    /// Called for the last step first, and only by [`Unrolled::differentiate`]. Gradients may be infinite or NaN.
    fn learn(&mut self, step: usize, state: &[f64], gradient: &[f64], state_gradient: &mut [f64]);

    /// Receives the return of each lane, and may replace the factors in `weights` by which the gradients of the lanes
    /// are multiplied. They are 1 before. An objective other than the mean needs factors that depend on the returns.
    /// Called once by [`Unrolled::differentiate`], before [`learn`](Self::learn). By default the factors stay 1.
    fn weigh(&mut self, _returns: &[f64], _weights: &mut [f64]) {}
}

/// Relaxed roll-outs in lanes, each a chain of relaxed steps with a discounted return, and their gradients.
/// [`new`](Self::new) creates it; [`run`](Self::run) computes returns, and [`differentiate`](Self::differentiate)
/// gradients too.
///
/// Only states are stored. The backward pass recomputes everything else, so memory is one step plus one state per step.
#[derive(Clone, Debug)]
pub struct Unrolled {
    relaxed: Arc<Relaxed>,
    rows: Rows,
    /// The rows of the state before each step, and after the last step.
    states: Vec<f64>,
    /// The truth degree to which each lane is still running before each step.
    running: Vec<f64>,
    /// The state and actions of a step.
    inputs: Vec<f64>,
    gradients: Vec<f64>,
    draws: Vec<RandomGenerator>,
}

/// The sharpness of steps that are as good as real.
const CRISP: f64 = 1e6;

/// Mean distances below this, and above its inverse, are not taken as a scale.
const LEAST_GAP: f64 = 1e-9;

impl Unrolled {
    /// Creates roll-outs in `lanes` lanes. `sharpness` must be greater than 0, which is not checked; the larger it is,
    /// the closer the steps are to real steps.
    #[must_use]
    pub fn new(relaxed: Arc<Relaxed>, lanes: usize, sharpness: f64) -> Self {
        let inputs = (relaxed.compiled.state.len() + relaxed.compiled.action.len()) * lanes;
        Self {
            rows: Rows::new(&relaxed, lanes, sharpness),
            relaxed,
            states: Vec::new(),
            running: Vec::new(),
            inputs: vec![0.0; inputs],
            gradients: vec![0.0; inputs],
            draws: Vec::new(),
        }
    }

    /// Returns the bytes that roll-outs of `steps` steps in `lanes` lanes take.
    pub(super) fn bytes(relaxed: &Relaxed, lanes: usize, steps: usize) -> u64 {
        let fluents = relaxed.compiled.state.len() + relaxed.compiled.action.len();
        let of_step = times(&[lanes, relaxed.len() + 2 * fluents, 2, size_of::<f64>()]);
        // The states double when their list grows.
        of_step.saturating_add(times(&[
            lanes,
            relaxed.compiled.state.len() + 1,
            2,
            size_of::<f64>(),
            steps,
        ]))
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

    /// Returns the sharpness of each lane.
    pub(super) fn sharpness_mut(&mut self) -> &mut [f64] {
        &mut self.rows.sharpness
    }

    /// Makes the sharpness of each comparison relative to the numbers that it compares: from now on, their mean distance
    /// in the steps of these roll-outs counts as 1. A comparison of equal numbers keeps its sharpness.
    pub(super) fn calibrate(
        &mut self,
        from: &Values,
        steps: usize,
        environments: &[RandomGenerator],
        acting: &mut (impl Acting + ?Sized),
    ) {
        let sharpness = self.rows.sharpness.clone();
        self.rows.sharpness.fill(CRISP);
        self.rows.factors.fill(1.0);
        let mut gaps = Vec::new();
        self.walk(from, steps, environments, acting, |relaxed, rows, running| {
            relaxed.add_gaps(rows, |lane| running[lane] > 0.0, &mut gaps);
        });
        for (factor, (sum, count)) in self.rows.factors.iter_mut().zip(gaps) {
            let mean = sum / f64::from(count);
            if (LEAST_GAP..1.0 / LEAST_GAP).contains(&mean) {
                *factor = 1.0 / mean;
            }
        }
        self.rows.sharpness = sharpness;
    }

    /// Returns the rows of the state before the step with index `step` in the last roll-outs; with the number of steps
    /// as index, the state after the last step. Panics if there was no such step, as before the first roll-outs.
    #[must_use]
    pub fn state(&self, step: usize) -> &[f64] {
        let len = self.relaxed.compiled.state.len() * self.lanes();
        &self.states[step * len..][..len]
    }

    /// Runs one roll-out per lane, of `steps` steps from the state `from`, with the actions of `acting`. `environments`
    /// has one generator per lane, from which the generator of each step is derived. Returns the discounted return of
    /// each lane, in which a reward counts by the degree to which the lane is still running. `from` must be a state of
    /// the problem, such as `CompiledInstance::initial`.
    ///
    /// # Panics
    /// Panics if there are fewer generators than lanes.
    pub fn run(
        &mut self,
        from: &Values,
        steps: usize,
        environments: &[RandomGenerator],
        acting: &mut (impl Acting + ?Sized),
    ) -> Vec<f64> {
        self.walk(from, steps, environments, acting, |_, _, _| ())
    }

    /// Runs one roll-out per lane, and calls `see` after each step with its values and the degrees to which the lanes
    /// were running.
    fn walk(
        &mut self,
        from: &Values,
        steps: usize,
        environments: &[RandomGenerator],
        acting: &mut (impl Acting + ?Sized),
        mut see: impl FnMut(&Relaxed, &Rows, &[f64]),
    ) -> Vec<f64> {
        assert!(environments.len() >= self.lanes(), "one generator per lane");
        let relaxed = Arc::clone(&self.relaxed);
        let (n, discount) = (self.lanes(), relaxed.compiled.instance.discount);
        let fluents = &relaxed.compiled.state;
        let len = fluents.len() * n;
        self.states.clear();
        for at in 0..fluents.len() {
            let value = fluents.section().get(from, at).number();
            self.states.extend(std::iter::repeat_n(value, n));
        }
        self.running.clear();
        self.running.resize(n, 1.0);
        let (mut returns, mut weight) = (vec![0.0; n], 1.0);
        for step in 0..steps {
            self.step(step, environments, acting);
            let rows = &self.rows;
            see(&relaxed, rows, &self.running[step * n..]);
            for (at, &cell) in relaxed.next.iter().enumerate() {
                debug_assert_eq!(self.states.len(), (step + 1) * len + at * n);
                self.states.extend_from_slice(rows.value(cell));
            }
            let (rewards, ends) = (rows.value(relaxed.reward), rows.value(relaxed.terminal));
            for lane in 0..n {
                let running = self.running[step * n + lane];
                if running > 0.0 {
                    returns[lane] += weight * running * rewards[lane];
                }
                self.running.push(running * (1.0 - ends[lane]));
            }
            weight *= discount;
        }
        returns
    }

    /// Runs roll-outs like [`run`](Self::run) and propagates gradients back through them: [`Acting::learn`] receives the
    /// gradient of each lane's return with respect to its actions, per step. Returns the discounted return of each lane.
    pub fn differentiate(
        &mut self,
        from: &Values,
        steps: usize,
        environments: &[RandomGenerator],
        acting: &mut (impl Acting + ?Sized),
    ) -> Vec<f64> {
        let returns = self.run(from, steps, environments, acting);
        let relaxed = Arc::clone(&self.relaxed);
        let (n, discount) = (self.lanes(), relaxed.compiled.instance.discount);
        let len = relaxed.compiled.state.len() * n;
        let mut weights = vec![1.0; n];
        acting.weigh(&returns, &mut weights);
        // The gradients by the state after a step, and by the degree to which a lane is running then.
        let (mut by_state, mut by_running) = (vec![0.0; len], vec![0.0; n]);
        for step in (0..steps).rev() {
            let discounting = discount.powi(i32::try_from(step).unwrap_or(i32::MAX));
            self.step(step, environments, acting);
            self.rows.gradients.fill(0.0);
            for (&cell, gradient) in relaxed.next.iter().zip(by_state.chunks_exact(n.max(1))) {
                let row = self.rows.gradient_mut(cell);
                row.iter_mut().zip(gradient).for_each(|(sum, one)| *sum += one);
            }
            for (lane, by_running) in by_running.iter_mut().enumerate() {
                let running = self.running[step * n + lane];
                let weight = discounting * weights[lane];
                let value = |rows: &Rows, cell| rows.value(cell)[lane];
                let (reward, end) = (
                    value(&self.rows, relaxed.reward),
                    value(&self.rows, relaxed.terminal),
                );
                let after = *by_running;
                let mut add = |cell, gradient: f64| {
                    if gradient.is_finite() {
                        self.rows.gradient_mut(cell)[lane] += gradient;
                    }
                };
                add(relaxed.reward, weight * running);
                add(relaxed.terminal, -after * running);
                // If a lane has ended, or its degree is NaN, nothing later counts. The value of continuing may be NaN
                // then and must be ignored.
                let later = if after == 0.0 { 0.0 } else { after * (1.0 - end) };
                *by_running = if running > 0.0 {
                    weight * reward + later
                } else {
                    0.0
                };
            }
            self.gradients.fill(0.0);
            relaxed.backward(&mut self.rows, &mut self.gradients, &self.draws);
            by_state.copy_from_slice(&self.gradients[..len]);
            let state = &self.states[step * len..][..len];
            acting.learn(step, state, &self.gradients[len..], &mut by_state);
        }
        returns
    }

    /// Computes a step from the state before it.
    fn step(&mut self, step: usize, environments: &[RandomGenerator], acting: &mut (impl Acting + ?Sized)) {
        let len = self.relaxed.compiled.state.len() * self.lanes();
        let (state, actions) = self.inputs.split_at_mut(len);
        state.copy_from_slice(&self.states[step * len..][..len]);
        acting.act(step, state, actions);
        self.draws.clear();
        self.draws.extend(
            environments
                .iter()
                .map(|environment| environment.at_step(step as u64)),
        );
        self.relaxed.forward(&mut self.rows, &self.inputs, &self.draws);
    }
}

impl Unrolled {
    /// Returns whether some value of the last computed step is within `margin` times 1 plus its magnitude of a jump of
    /// the real step or a kink of the relaxed step, where the two may differ. Call it after [`run`](Self::run), whose
    /// last step it judges, or [`differentiate`](Self::differentiate), of which it judges the first step. It holds, for
    /// example, if compared numbers are nearly equal, a rounded number is near a rounding threshold, or the probability
    /// of a Bernoulli draw is near its uniform number. Elsewhere real and relaxed steps agree if the sharpness is large
    /// enough.
    #[must_use]
    pub fn is_near_edge(&self, margin: f64) -> bool {
        self.relaxed.is_near_edge(&self.rows, &self.draws, margin)
    }
}
