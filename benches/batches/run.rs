//! One process's part: a batch, stepped by sampled actions.

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use herbrand::env::{Autoreset, Batch, Part, Registry, Sizes, VecEnv, VecOptions};

/// A batch with its buffers.
pub struct Run {
    batch: VecEnv,
    first: usize,
    sizes: Sizes,
    actions: Vec<u32>,
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

/// By which calls a batch is stepped with sampled actions.
#[derive(Clone, Copy)]
pub enum Calls {
    /// Two for each step, between which a learner could choose other actions.
    SampleAndStep,
    /// One for each step.
    StepSampled,
}

/// What a round came to.
pub struct Measured {
    pub steps: usize,
    pub seconds: f64,
    /// The sum over the environments of a fingerprint of what each of them wrote at the end.
    pub digest: u64,
}

impl Run {
    /// The environments `first..first + count`, of seeds that go on from there.
    pub fn new(first: usize, count: usize, threads: usize) -> Self {
        let suite = Registry::get("sokoban").expect("a bundled domain");
        let suite = suite.problem("train/10").expect("a problem");
        let options = VecOptions {
            autoreset: Autoreset::SameStep,
            part: Part::Changing,
            threads,
            ..VecOptions::default()
        };
        let batch = VecEnv::new(&suite, count, options).expect("environments");
        let sizes = batch.sizes();
        Self {
            batch,
            first,
            sizes,
            actions: vec![0; count],
            observations: vec![0; count * sizes.atoms],
            masks: vec![0; count * sizes.actions],
            rewards: vec![0.0; count],
            terminated: vec![false; count],
            truncated: vec![false; count],
        }
    }

    /// So many steps from the start, all from one seed.
    pub fn round(&mut self, calls: Calls, steps: usize) -> Measured {
        let mut buffers = Batch {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            final_observations: &mut [],
        };
        self.batch
            .reset(Some(self.first as u64), &mut buffers)
            .expect("a reset");
        let start = Instant::now();
        for _ in 0..steps {
            match calls {
                Calls::SampleAndStep => {
                    self.batch
                        .sample(&mut self.actions)
                        .expect("no dead ends in sokoban");
                    self.batch.step(&self.actions, &mut buffers)
                }
                Calls::StepSampled => self.batch.step_sampled(&mut self.actions, &mut buffers),
            }
            .expect("valid actions");
        }
        let seconds = start.elapsed().as_secs_f64();
        let count = self.actions.len();
        Measured {
            steps: steps * count,
            seconds,
            digest: (0..count)
                .map(|index| self.digest(index))
                .fold(0, u64::wrapping_add),
        }
    }

    /// A fingerprint of what one environment wrote last, and of which one it is.
    fn digest(&self, index: usize) -> u64 {
        let row = |width: usize| index * width..(index + 1) * width;
        let bytes = self.observations[row(self.sizes.atoms)].iter();
        let bytes = bytes.chain(&self.masks[row(self.sizes.actions)]);
        let flags = [self.terminated[index], self.truncated[index]].map(u64::from);
        let words = bytes.map(|&byte| u64::from(byte)).chain(flags);
        let words = words.chain([self.rewards[index].to_bits(), u64::from(self.actions[index])]);
        let mix = |digest: u64, word: u64| (digest.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        words.fold((self.first + index) as u64, mix)
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.steps, self.seconds, self.digest)
    }
}

impl FromStr for Measured {
    type Err = Box<dyn std::error::Error>;

    fn from_str(line: &str) -> Result<Self, Self::Err> {
        let mut words = line.split(' ');
        let mut next = || words.next().ok_or("a number is missing");
        Ok(Self {
            steps: next()?.parse()?,
            seconds: next()?.parse()?,
            digest: next()?.parse()?,
        })
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SampleAndStep => "sample, then step",
            Self::StepSampled => "step_sampled",
        })
    }
}

impl FromStr for Calls {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = [Self::SampleAndStep, Self::StepSampled];
        let named = known.into_iter().find(|calls| calls.to_string() == name);
        named.ok_or_else(|| format!("`{name}` is no way to step"))
    }
}
