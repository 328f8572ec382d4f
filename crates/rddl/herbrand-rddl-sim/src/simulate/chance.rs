//! The random numbers of roll-outs.

use std::ops::Range;

use herbrand_dataflow::{BatchFault, BatchRegisters, widest};
use herbrand_distributions::{DrawKey, Draws, ParameterError, Quantiles, RandomGenerator, Site};
use smallvec::{SmallVec, smallvec};

use super::batches::Batch;

/// The source of random numbers for [`Rollouts::run`](super::Rollouts::run). 0 scenarios count as 1, and a quantile
/// outside the open interval (0, 1) becomes the nearest number inside it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum RandomSource {
    /// A generator with this seed. Roll-out `i` uses the random numbers of environment `i`.
    Seed(u64),
    /// A generator with a seed, where roll-out `i` uses the random numbers of environment `i` modulo `count`. This evaluates
    /// several policies on the same random numbers.
    Scenarios {
        /// The seed of the generator.
        seed: u64,
        /// The number of scenarios, which are environments with their own random numbers.
        count: usize,
    },
    /// Every draw returns this quantile.
    Quantile(f64),
}

impl RandomSource {
    /// Returns the source of random numbers for one step of one roll-out.
    pub(super) fn draws(self, rollout: usize, step: u32) -> DrawSource {
        match self.generator(rollout) {
            Ok(generator) => DrawSource::Generator(generator.at_step(u64::from(step))),
            Err(quantiles) => DrawSource::Quantiles(quantiles),
        }
    }

    /// Returns the source of random numbers for a roll-out.
    fn generator(self, rollout: usize) -> Result<RandomGenerator, Quantiles> {
        match self {
            Self::Seed(seed) => Ok(RandomGenerator::of_environment(seed, rollout as u64)),
            Self::Scenarios { seed, count } => Ok(RandomGenerator::of_environment(
                seed,
                (rollout % count.max(1)) as u64,
            )),
            Self::Quantile(u) => Err(Quantiles::at(u)),
        }
    }
}

/// A generator or a quantile.
#[derive(Clone, Copy, Debug)]
pub(super) enum DrawSource {
    Generator(RandomGenerator),
    Quantiles(Quantiles),
}

impl Draws for DrawSource {
    fn uniform(&self, site: Site) -> f64 {
        match self {
            Self::Generator(draws) => draws.uniform(site),
            Self::Quantiles(draws) => draws.uniform(site),
        }
    }

    fn key(&self) -> Option<DrawKey> {
        match self {
            Self::Generator(draws) => draws.key(),
            Self::Quantiles(draws) => draws.key(),
        }
    }

    fn standard_students(&self, site: Site, degrees: f64, into: &mut [f64]) -> Result<(), ParameterError> {
        match self {
            Self::Generator(draws) => draws.standard_students(site, degrees, into),
            Self::Quantiles(draws) => draws.standard_students(site, degrees, into),
        }
    }
}

/// The maximum width of a batch tape.
pub(super) const LANES: usize = 512;

/// The sources of random numbers of the lanes.
#[expect(
    clippy::large_enum_variant,
    reason = "one lives while a block runs, and takes no memory of its own"
)]
pub(super) enum Sources {
    /// The generators of the environments, and the generators of the current step.
    Generators(
        SmallVec<[RandomGenerator; LANES]>,
        SmallVec<[RandomGenerator; LANES]>,
    ),
    Quantiles(SmallVec<[Quantiles; LANES]>),
}

impl Sources {
    pub(super) fn new(chance: RandomSource, part: Range<usize>) -> Self {
        if let RandomSource::Quantile(u) = chance {
            return Self::Quantiles(smallvec![Quantiles::at(u); part.len()]);
        }
        let all: SmallVec<[RandomGenerator; LANES]> =
            part.filter_map(|number| chance.generator(number).ok()).collect();
        Self::Generators(all.clone(), all)
    }

    /// Takes a step in every lane.
    pub(super) fn run(
        &mut self,
        batch: &Batch,
        registers: &mut BatchRegisters,
        step: u32,
    ) -> Result<(), BatchFault> {
        match self {
            Self::Generators(environments, draws) => {
                if batch.tape.draws() {
                    widest(
                        #[inline(always)]
                        || {
                            for (draws, environment) in draws.iter_mut().zip(&*environments) {
                                *draws = environment.at_step(u64::from(step));
                            }
                        },
                    );
                }
                batch.tape.run_wide(registers, draws)
            }
            Self::Quantiles(draws) => batch.tape.run(registers, draws),
        }
    }
}

/// Random numbers for tapes that draw none.
pub(super) struct NoDraws;

impl Draws for NoDraws {
    fn uniform(&self, _site: Site) -> f64 {
        0.5
    }
}
