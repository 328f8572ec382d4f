//! A feed-forward network that serves as a policy.

use herbrand_core::{Random, uniform_unit};
use herbrand_distributions::normal_quantile;
use serde::{Deserialize, Serialize};

use super::squash::Squash;
use super::unroll::Acting;
use crate::plan::Risk;

/// A feed-forward neural network with tanh between its layers: the function of a
/// [`ReactivePolicy`](super::ReactivePolicy). [`ReactivePolicy::network`](super::ReactivePolicy::network) returns it,
/// to be read or saved, and [`ReactivePolicy::from_network`](super::ReactivePolicy::from_network) makes a policy from one. An
/// input that is infinite or NaN counts as 0.
///
/// ```text
///   state fluents ── sign(x) ln(1 + |x|) ──▶ W₁ x + b₁ ── tanh ──▶ … ──▶ Wₙ x + bₙ ──▶ one number per action field
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NeuralNetwork {
    /// The sizes of the layers, inputs first.
    sizes: Vec<usize>,
    /// Layer by layer: the weights of all inputs, output by output, then the biases.
    weights: Vec<f64>,
}

impl NeuralNetwork {
    /// Creates a network with random weights, to which each input counts as a number of about 1. `gain` is the size of the
    /// weights in the last layer.
    pub(super) fn new(sizes: Vec<usize>, scales: &[InputScale], gain: f64, random: &mut Random) -> Self {
        let zero = Self::zero(sizes);
        let last = zero.layers().len().saturating_sub(1);
        zero.moved(scales, random, |layer| if layer == last { gain } else { 1.0 })
    }

    /// Creates a network whose weights are 0.
    pub(super) fn zero(sizes: Vec<usize>) -> Self {
        let count = sizes.windows(2).map(|pair| (pair[0] + 1) * pair[1]).sum();
        Self {
            sizes,
            weights: vec![0.0; count],
        }
    }

    /// Creates a network that does nothing in every state.
    pub(super) fn idle(sizes: Vec<usize>, heads: &Heads) -> Self {
        let mut network = Self::zero(sizes);
        let first = network.weights.len() - heads.squashes.len();
        for (bias, squash) in network.weights[first..].iter_mut().zip(&heads.squashes) {
            let parameter = squash.parameter(squash.default());
            *bias = match squash {
                Squash::Bool { .. } | Squash::Open { .. } => parameter,
                Squash::Between { .. } => libm::atanh(parameter.clamp(-NEARLY, NEARLY)),
            };
        }
        network
    }

    /// Returns this network with random changes of all weights, relative to those of random networks.
    pub(super) fn changed(&self, size: f64, scales: &[InputScale], random: &mut Random) -> Self {
        self.clone().moved(scales, random, |_| size)
    }

    /// Adds random numbers of the sizes `size` by layer to the weights and, a tenth of that, to the biases.
    fn moved(mut self, scales: &[InputScale], random: &mut Random, size: impl Fn(usize) -> f64) -> Self {
        let layers: Vec<_> = self.layers().collect();
        for (layer, (from, to, first)) in layers.into_iter().enumerate() {
            let mut normal = || normal_quantile(uniform_unit(random).clamp(1e-12, 1.0 - 1e-12));
            let size = size(layer);
            for output in 0..to {
                let mut bias = 0.1 * size * normal();
                for input in 0..from {
                    let (centre, spread) = match scales.get(input).filter(|_| layer == 0) {
                        Some(scale) => (scale.centre(), scale.spread()),
                        None => (0.0, 1.0),
                    };
                    let change = size * normal() / (spread * (from as f64).sqrt());
                    self.weights[first + output * from + input] += change;
                    bias -= change * centre;
                }
                self.weights[first + from * to + output] += bias;
            }
        }
        self
    }

    /// Returns the factors of the learning rate of all weights: that of an input is the greater, the less the input varies.
    pub(super) fn rates(&self, scales: &[InputScale]) -> Vec<f64> {
        let mut rates = vec![1.0; self.weights.len()];
        if let Some((from, to, first)) = self.layers().next() {
            for (rates, _) in rates[first..].chunks_mut(from.max(1)).zip(0..to) {
                for (rate, scale) in rates.iter_mut().zip(scales) {
                    *rate = 1.0 / scale.spread();
                }
            }
        }
        rates
    }

    /// Returns whether the network has these numbers of inputs and outputs, and as many weights as its layers need.
    pub(super) fn fits(&self, inputs: usize, outputs: usize) -> bool {
        let weights = self.sizes.windows(2).try_fold(0_usize, |sum, pair| {
            sum.checked_add(pair[0].checked_add(1)?.checked_mul(pair[1])?)
        });
        self.sizes.len() >= 2
            && self.sizes.first() == Some(&inputs)
            && self.sizes.last() == Some(&outputs)
            && weights == Some(self.weights.len())
    }

    /// Returns the number of units in each layer, inputs first.
    #[must_use]
    pub fn sizes(&self) -> &[usize] {
        &self.sizes
    }

    /// Returns all weights and biases of the network, layer by layer: per layer, one row of input weights for each
    /// output unit, then the biases.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    pub(super) fn weights_mut(&mut self) -> &mut [f64] {
        &mut self.weights
    }

    /// Returns, by layer, the number of inputs, the number of outputs, and the index of its first weight.
    fn layers(&self) -> impl DoubleEndedIterator<Item = (usize, usize, usize)> + ExactSizeIterator {
        let mut first = 0;
        let layers: Vec<_> = self
            .sizes
            .windows(2)
            .map(|pair| {
                let layer = (pair[0], pair[1], first);
                first += (pair[0] + 1) * pair[1];
                layer
            })
            .collect();
        layers.into_iter()
    }

    /// Returns the activations of all layers in `lanes` lanes, inputs first. `inputs` holds a row per state fluent.
    pub(super) fn forward(&self, inputs: &[f64], lanes: usize) -> Vec<Vec<f64>> {
        let mut all = vec![inputs.iter().map(|&x| compressed(x).0).collect::<Vec<f64>>()];
        let count = self.layers().len();
        for (layer, (from, to, first)) in self.layers().enumerate() {
            let before = &all[layer];
            let mut rows = vec![0.0; to * lanes];
            for (output, row) in rows.chunks_exact_mut(lanes).enumerate() {
                row.fill(self.weights[first + from * to + output]);
                for input in 0..from {
                    let weight = self.weights[first + output * from + input];
                    let values = &before[input * lanes..][..lanes];
                    row.iter_mut()
                        .zip(values)
                        .for_each(|(sum, value)| *sum += weight * value);
                }
                if layer + 1 < count {
                    row.iter_mut().for_each(|value| *value = libm::tanh(*value));
                }
            }
            all.push(rows);
        }
        all
    }

    /// Adds the gradients of the weights and of the inputs, given the gradient of the outputs.
    pub(super) fn backward(
        &self,
        inputs: &[f64],
        layers: &[Vec<f64>],
        by_outputs: Vec<f64>,
        lanes: usize,
        by_weights: &mut [f64],
        by_inputs: &mut [f64],
    ) {
        let mut by_rows = by_outputs;
        for (layer, (from, to, first)) in self.layers().enumerate().rev() {
            let before = &layers[layer];
            let mut by_before = vec![0.0; from * lanes];
            for output in 0..to {
                let gradient = &by_rows[output * lanes..][..lanes];
                by_weights[first + from * to + output] += gradient.iter().sum::<f64>();
                for input in 0..from {
                    let place = first + output * from + input;
                    let values = &before[input * lanes..][..lanes];
                    by_weights[place] += gradient
                        .iter()
                        .zip(values)
                        .map(|(one, value)| one * value)
                        .sum::<f64>();
                    let sums = &mut by_before[input * lanes..][..lanes];
                    let weight = self.weights[place];
                    sums.iter_mut()
                        .zip(gradient)
                        .for_each(|(sum, one)| *sum += weight * one);
                }
            }
            if layer > 0 {
                by_before
                    .iter_mut()
                    .zip(before)
                    .for_each(|(gradient, value)| *gradient *= 1.0 - value * value);
            }
            by_rows = by_before;
        }
        for ((sum, gradient), &x) in by_inputs.iter_mut().zip(by_rows).zip(inputs) {
            *sum += gradient * compressed(x).1;
        }
    }
}

/// The greatest activation of a tanh that stands for the end of a range.
const NEARLY: f64 = 1.0 - 1e-9;

/// The centre and the spread of the numbers that an input of a network takes, once compressed.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InputScale {
    count: f64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl InputScale {
    pub(super) fn add(&mut self, input: f64) {
        let value = compressed(input).0;
        self.count += 1.0;
        let before = value - self.mean;
        self.mean += before / self.count;
        self.squares += before * (value - self.mean);
    }

    const fn centre(&self) -> f64 {
        self.mean
    }

    /// Returns the standard deviation. An input that did not vary has its size, or 1 if it is 0.
    fn spread(&self) -> f64 {
        let deviation = (self.squares / self.count.max(1.0)).sqrt();
        let size = self.mean.abs();
        if deviation > 1e-6 * size.max(1e-3) {
            deviation
        } else if size > 0.0 {
            size
        } else {
            1.0
        }
    }
}

/// Compresses a number logarithmically and returns the derivative too. Infinity and NaN become 0.
fn compressed(x: f64) -> (f64, f64) {
    if !x.is_finite() {
        return (0.0, 0.0);
    }
    (libm::log1p(x.abs()).copysign(x), 1.0 / (1.0 + x.abs()))
}

/// Maps the outputs of a network to action values.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Heads {
    pub(super) squashes: Vec<Squash>,
    /// The maximum number of fields that may be set at once.
    pub(super) most: usize,
}

impl Heads {
    /// Returns the values of all fields in one lane. Bools with default true do not count towards the limit.
    pub(super) fn values(&self, outputs: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut values: Vec<f64> = (0..self.squashes.len())
            .map(|field| {
                self.squashes[field]
                    .value(self.parameter(field, outputs(field)).0)
                    .0
            })
            .collect();
        let scale = self.scale(&values);
        for (value, squash) in values.iter_mut().zip(&self.squashes) {
            if squash.is_bool() {
                *value *= scale;
            }
        }
        values
    }

    /// Returns the parameter of a field for a network output, and the derivative.
    fn parameter(&self, field: usize, output: f64) -> (f64, f64) {
        match self.squashes[field] {
            Squash::Bool { .. } | Squash::Open { .. } => (output, 1.0),
            Squash::Between { .. } => {
                let t = libm::tanh(output);
                (t, 1.0 - t * t)
            }
        }
    }

    /// Returns the factor for all bools that makes the expected number of true bools at most `most`.
    fn scale(&self, values: &[f64]) -> f64 {
        let expected = self.expected(values);
        if expected > self.most as f64 {
            self.most as f64 / expected
        } else {
            1.0
        }
    }

    fn expected(&self, values: &[f64]) -> f64 {
        let bools = values
            .iter()
            .zip(&self.squashes)
            .filter(|(_, squash)| squash.is_bool());
        bools.map(|(value, _)| value).sum()
    }

    /// Returns the gradient by outputs in one lane, given the gradient by values.
    pub(super) fn slopes(&self, outputs: impl Fn(usize) -> f64, gradient: impl Fn(usize) -> f64) -> Vec<f64> {
        let plain: Vec<(f64, f64)> = (0..self.squashes.len())
            .map(|field| {
                let (parameter, by_output) = self.parameter(field, outputs(field));
                let (value, by_parameter) = self.squashes[field].value(parameter);
                (value, by_output * by_parameter)
            })
            .collect();
        let values: Vec<f64> = plain.iter().map(|&(value, _)| value).collect();
        let (scale, expected) = (self.scale(&values), self.expected(&values));
        let is_bool = |field: &usize| self.squashes[*field].is_bool();
        // The loss of all bools when one more is expected to be true.
        let shared: f64 = if scale < 1.0 {
            let bools = (0..values.len()).filter(is_bool);
            bools.map(|field| gradient(field) * values[field]).sum::<f64>() * scale / expected
        } else {
            0.0
        };
        (0..values.len())
            .map(|field| {
                let by_value = if self.squashes[field].is_bool() {
                    gradient(field) * scale - shared
                } else {
                    gradient(field)
                };
                by_value * plain[field].1
            })
            .collect()
    }
}

/// A network that acts in all lanes and accumulates the gradient of its weights.
pub(super) struct Actor<'n> {
    pub(super) network: &'n NeuralNetwork,
    pub(super) heads: &'n Heads,
    pub(super) lanes: usize,
    pub(super) gradient: Vec<f64>,
    pub(super) risk: Risk,
}

impl Acting for Actor<'_> {
    fn act(&mut self, _step: usize, state: &[f64], actions: &mut [f64]) {
        let layers = self.network.forward(state, self.lanes);
        let outputs = &layers[layers.len() - 1];
        for lane in 0..self.lanes {
            let values = self.heads.values(|field| outputs[field * self.lanes + lane]);
            for (field, value) in values.into_iter().enumerate() {
                actions[field * self.lanes + lane] = value;
            }
        }
    }

    fn learn(&mut self, _step: usize, state: &[f64], gradient: &[f64], state_gradient: &mut [f64]) {
        let layers = self.network.forward(state, self.lanes);
        let outputs = &layers[layers.len() - 1];
        let mut by_outputs = vec![0.0; outputs.len()];
        for lane in 0..self.lanes {
            let finite = |field: usize| {
                let one = gradient[field * self.lanes + lane];
                if one.is_finite() { one } else { 0.0 }
            };
            let slopes = self
                .heads
                .slopes(|field| outputs[field * self.lanes + lane], finite);
            for (field, slope) in slopes.into_iter().enumerate() {
                by_outputs[field * self.lanes + lane] = slope;
            }
        }
        self.network.backward(
            state,
            &layers,
            by_outputs,
            self.lanes,
            &mut self.gradient,
            state_gradient,
        );
    }

    fn weigh(&mut self, returns: &[f64], weights: &mut [f64]) {
        if self.risk != Risk::Neutral {
            self.risk.weights(returns, weights);
            weights
                .iter_mut()
                .for_each(|weight| *weight *= returns.len() as f64);
        }
    }
}
