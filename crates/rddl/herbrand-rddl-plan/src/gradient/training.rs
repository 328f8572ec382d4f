//! The search for the weights of a reactive policy.
//!
//! The gradient of a long relaxed roll-out leads nowhere from most weights: on a plateau it is 0, and in an unstable system
//! it is the difference of large numbers. So the ascent starts from the best of several random networks, and from there
//! again after a while without success. All weights are compared by real steps, and near the best ones, random changes are
//! tried too (Salimans and others, "Evolution strategies as a scalable alternative to reinforcement learning", 2017).

use std::sync::Arc;

use herbrand_core::{EvaluateOptions, Random, System as _};
use herbrand_distributions::RandomGenerator;
use herbrand_limits::Instant;
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator, StepError};

use super::adam::Adam;
use super::network::{Actor, InputScale, NeuralNetwork};
use super::policy::ReactivePolicy;
use super::program::Relaxed;
use super::unroll::Unrolled;
use crate::plan::{PlanOptions, Shield};

/// The number of ascent steps between two trials.
const TRIED_EVERY: u32 = 10;

/// The number of trials without better weights after which the ascent starts again.
const PATIENCE: u32 = 4;

/// The best of this number of networks starts an ascent. At each trial, the second number is tried near the best.
const STARTS: usize = 48;
const VARIED: usize = 12;

/// The least number of episodes of a trial, and the number by which a network is chosen for one.
const EPISODES: u32 = 16;
const FEW: u32 = 4;

/// The sizes of the last layer's weights in random networks, in turn, and of the changes near the best network.
const GAINS: [f64; 3] = [0.1, 1.0, 4.0];
const CHANGES: [f64; 4] = [1.0, 0.3, 0.1, 0.03];

/// The steps of random actions in which the inputs are measured.
const MEASURED: u32 = 2_000;

/// Returns the number of roll-outs over which each gradient is averaged.
pub(super) fn batch(options: &PlanOptions) -> usize {
    options.scenarios.unwrap_or(16).max(1)
}

/// The quality of weights: the number of episodes that a broken state invariant ended, and the utility of the returns.
#[derive(Clone, Copy, Debug)]
struct Rank {
    broken: u64,
    utility: f64,
}

impl Rank {
    fn is_better(self, other: Self) -> bool {
        self.broken < other.broken
            || self.broken == other.broken && (other.utility.is_nan() || self.utility > other.utility)
    }
}

/// The search for weights.
pub(super) struct Training<'o> {
    options: &'o PlanOptions,
    /// The policy that is tried.
    policy: ReactivePolicy,
    scales: Vec<InputScale>,
    steps: u32,
    episodes: u32,
    random: Random,
    begin: Instant,
    best: Option<(Rank, NeuralNetwork)>,
}

impl<'o> Training<'o> {
    /// Creates the search. The policy's network gives the sizes of its layers.
    pub(super) fn new(policy: ReactivePolicy, options: &'o PlanOptions, steps: u32) -> Self {
        let lanes = u32::try_from(batch(options)).unwrap_or(u32::MAX);
        let mut random = Random::new(options.seed).stream(0);
        Self {
            scales: measured(&policy, steps, &mut random),
            options,
            policy,
            steps,
            episodes: lanes.max(EPISODES),
            random,
            begin: Instant::now(),
            best: None,
        }
    }

    /// Searches until the iterations or the time are over, and returns the policy with the best weights.
    ///
    /// # Errors
    /// Fails if an enclosing budget is exhausted.
    pub(super) fn run(mut self, relaxed: &Arc<Relaxed>) -> Result<ReactivePolicy, StepError> {
        let options = self.options;
        let lanes = batch(options);
        let (sharpness, rate) = (options.sharpness.unwrap_or(10.0), options.rate.unwrap_or(0.01));
        let mut unrolled = Unrolled::new(Arc::clone(relaxed), lanes, sharpness);
        let sizes = self.policy.network().sizes().to_vec();
        let idle = NeuralNetwork::idle(sizes.clone(), &self.policy.heads);
        self.offer(&idle)?;
        let rates = idle.rates(&self.scales);
        let mut network = NeuralNetwork::new(sizes, &self.scales, GAINS[0], &mut self.random);
        let (mut adam, mut waited) = (Adam::new(rates.len(), rate), PATIENCE);
        let iterations = options.iterations.unwrap_or(300).max(1);
        for iteration in 0..=iterations {
            let is_late = self.is_late() || iteration == iterations;
            if iteration % TRIED_EVERY == 0 || is_late {
                let is_better = self.offer(&network)?;
                if !is_late {
                    let varied = self.vary()?;
                    waited = if is_better || varied { 0 } else { waited + 1 };
                    if waited >= PATIENCE {
                        network = self.start()?;
                        (adam, waited) = (Adam::new(rates.len(), rate), 0);
                    }
                }
            }
            if is_late {
                break;
            }
            let environment = |lane| {
                RandomGenerator::of_environment(options.seed ^ (u64::from(iteration) << 20), lane as u64)
            };
            let environments: Vec<RandomGenerator> = (0..lanes).map(environment).collect();
            let mut actor = Actor {
                network: &network,
                heads: &self.policy.heads,
                lanes,
                gradient: vec![0.0; rates.len()],
                risk: options.risk,
            };
            let initial = self.policy.compiled().initial();
            unrolled.differentiate(initial, self.steps as usize, &environments, &mut actor);
            let mut gradient = actor.gradient;
            gradient.iter_mut().for_each(|one| *one /= lanes as f64);
            adam.ascend_each(network.weights_mut(), &gradient, &rates);
        }
        if let Some((_, network)) = self.best {
            self.policy.network = network;
        }
        Ok(self.policy)
    }

    fn is_late(&self) -> bool {
        self.options.time.is_some_and(|time| self.begin.elapsed() >= time)
    }

    /// Returns the network with which an ascent starts: the best of random ones, or of changes of the best so far.
    fn start(&mut self) -> Result<NeuralNetwork, StepError> {
        let sizes = self.policy.network().sizes().to_vec();
        let mut first: Option<(Rank, NeuralNetwork)> = None;
        for number in 0..STARTS {
            if first.is_some() && self.is_late() {
                break;
            }
            let network = match &self.best {
                Some((_, best)) if number % 4 == 3 => best.changed(
                    CHANGES[number / 4 % CHANGES.len()],
                    &self.scales,
                    &mut self.random,
                ),
                _ => {
                    let gain = GAINS[number % GAINS.len()];
                    NeuralNetwork::new(sizes.clone(), &self.scales, gain, &mut self.random)
                }
            };
            let rank = self.tried(&network, FEW)?;
            if first.as_ref().is_none_or(|(other, _)| rank.is_better(*other)) {
                first = Some((rank, network));
            }
        }
        let network = first.map_or_else(|| self.policy.network().clone(), |(_, network)| network);
        self.offer(&network)?;
        Ok(network)
    }

    /// Tries networks near the best one. Returns whether one of them is better.
    fn vary(&mut self) -> Result<bool, StepError> {
        let mut is_better = false;
        for number in 0..VARIED {
            let Some((rank, best)) = &self.best else { break };
            if self.is_late() {
                break;
            }
            let rank = *rank;
            let network = best.changed(CHANGES[number % CHANGES.len()], &self.scales, &mut self.random);
            if self.tried(&network, FEW)?.is_better(rank) {
                is_better |= self.offer(&network)?;
            }
        }
        Ok(is_better)
    }

    /// Tries a network in all episodes, and keeps it if it is the best. Returns whether it is.
    fn offer(&mut self, network: &NeuralNetwork) -> Result<bool, StepError> {
        let rank = self.tried(network, self.episodes)?;
        let is_better = self.best.as_ref().is_none_or(|(best, _)| rank.is_better(*best));
        if is_better {
            self.best = Some((rank, network.clone()));
        }
        Ok(is_better)
    }

    fn tried(&mut self, network: &NeuralNetwork, episodes: u32) -> Result<Rank, StepError> {
        self.policy.network.clone_from(network);
        let trial = EvaluateOptions {
            steps: self.steps,
            episodes,
            seed: self.options.seed ^ 0x5eed,
        };
        let policy = &self.policy;
        let tried = if self.options.enforced {
            let shield = Shield::new(policy, Arc::clone(policy.compiled()), self.options.seed);
            policy.tried(shield, &trial)
        } else {
            policy.tried(policy, &trial)
        }?;
        Ok(Rank {
            broken: tried.broken.map_or(0, |broken| broken.episodes),
            utility: self.options.risk.utility(&tried.returns),
        })
    }
}

/// Returns the centre and the spread of each input in episodes of random actions.
fn measured(policy: &ReactivePolicy, steps: u32, random: &mut Random) -> Vec<InputScale> {
    let compiled = policy.compiled();
    let section = compiled.state.section();
    let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Ignored);
    let mut scales = vec![InputScale::default(); section.len()];
    let mut joint = Vec::new();
    let mut step = 0;
    for _ in 0..MEASURED {
        for (at, scale) in scales.iter_mut().enumerate() {
            scale.add(section.get(simulator.values(), at).number());
        }
        joint.clear();
        let is_over = step >= steps || !simulator.sample(random, &mut joint);
        let goes_on = !is_over
            && simulator
                .step(&joint, random)
                .is_ok_and(|arrival| !arrival.status.terminal && !arrival.status.broken);
        step += 1;
        if !goes_on {
            simulator.restart();
            step = 0;
        }
    }
    scales
}
