//! The work of one process: a batch that is stepped by sampled actions.

use std::fmt;
use std::str::FromStr;
use std::time::Instant;

use herbrand::env::{
    Autoreset, Batch, Bits, BufferContents, ObservedAtoms, Registry, VecEnv, VecOptions, Widths,
};

/// A batch with its buffers.
pub struct Run {
    batch: VecEnv,
    first: usize,
    /// Buffers for one step of each environment.
    single: Buffers,
    /// Buffers for [`COLLECTED`] steps.
    strips: Buffers,
}

/// The buffers that steps read and write.
pub struct Buffers {
    widths: Widths,
    actions: Vec<u32>,
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
}

/// The calls by which a batch is stepped with sampled actions.
#[derive(Clone, Copy)]
pub enum Calls {
    /// Two calls per step, between which a learner could choose other actions.
    SampleAndStep,
    /// One call per step.
    StepSampled,
    /// One call for as many steps as fit in the buffers.
    Collect,
}

/// The number of steps collected by one call.
const COLLECTED: usize = 20;

/// The result of a round.
pub struct Measured {
    pub steps: usize,
    pub seconds: f64,
    /// The sum over the environments of a fingerprint of their last outputs.
    pub digest: u64,
}

impl Run {
    /// Creates a batch with the environments `first..first + count`, with consecutive seeds.
    pub fn new(first: usize, count: usize, threads: usize) -> Self {
        let suite = Registry::get("sokoban").expect("a bundled domain");
        let suite = suite.problem("train/10").expect("a problem");
        let options = VecOptions {
            autoreset: Autoreset::SameStep,
            threads,
            ..VecOptions::default()
        };
        let batch =
            VecEnv::new(&suite, &Bits::of(ObservedAtoms::Changing), count, options).expect("environments");
        let buffers = |rows| Buffers::new(rows, batch.widths());
        Self {
            first,
            single: buffers(count),
            strips: buffers(count * COLLECTED),
            batch,
        }
    }

    /// Takes `steps` steps from the start with a fixed seed; `steps` must be a multiple of [`COLLECTED`].
    pub fn round(&mut self, calls: Calls, steps: usize) -> Measured {
        let Self {
            batch,
            first,
            single,
            strips,
        } = self;
        let count = batch.len();
        batch
            .reset(Some(*first as u64), &mut single.parts(BufferContents::Fresh).1)
            .expect("a reset");
        let start = Instant::now();
        match calls {
            Calls::SampleAndStep => {
                let (actions, mut buffers) = single.parts(BufferContents::Fresh);
                for _ in 0..steps {
                    batch.sample(&mut *actions).expect("no dead ends in sokoban");
                    batch.step(&*actions, &mut buffers).expect("valid actions");
                }
            }
            Calls::StepSampled => {
                let (actions, mut buffers) = single.parts(BufferContents::Fresh);
                for _ in 0..steps {
                    batch
                        .step_sampled(&mut *actions, &mut buffers)
                        .expect("valid actions");
                }
            }
            Calls::Collect => {
                let (actions, mut buffers) = strips.parts(BufferContents::Fresh);
                for _ in 0..steps / COLLECTED {
                    batch
                        .collect(COLLECTED, &mut *actions, &mut buffers)
                        .expect("valid actions");
                }
            }
        }
        let seconds = start.elapsed().as_secs_f64();
        let last = |index: usize| match calls {
            Calls::SampleAndStep | Calls::StepSampled => single.digest(*first + index, index),
            Calls::Collect => strips.digest(*first + index, (index + 1) * COLLECTED - 1),
        };
        Measured {
            steps: steps * count,
            seconds,
            digest: (0..count).map(last).fold(0, u64::wrapping_add),
        }
    }
}

impl Buffers {
    pub fn new(rows: usize, widths: Widths) -> Self {
        Self {
            widths,
            actions: vec![0; rows],
            observations: vec![0; rows * widths.observation],
            masks: vec![0; rows * widths.mask],
            rewards: vec![0.0; rows],
            terminated: vec![false; rows],
            truncated: vec![false; rows],
        }
    }

    pub fn parts(&mut self, rows: BufferContents) -> (&mut [u32], Batch<'_, u8>) {
        let batch = Batch {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            flags: &mut [],
            final_observations: &mut [],
            final_flags: &mut [],
            rows,
        };
        (&mut self.actions, batch)
    }

    /// Returns a fingerprint of an environment's index and of its output in a row.
    fn digest(&self, environment: usize, row: usize) -> u64 {
        let range = |width: usize| row * width..(row + 1) * width;
        let bytes = self.observations[range(self.widths.observation)].iter();
        let bytes = bytes.chain(&self.masks[range(self.widths.mask)]);
        let flags = [self.terminated[row], self.truncated[row]].map(u64::from);
        let words = bytes.map(|&byte| u64::from(byte)).chain(flags);
        let words = words.chain([self.rewards[row].to_bits(), u64::from(self.actions[row])]);
        let mix = |digest: u64, word: u64| (digest.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        words.fold(environment as u64, mix)
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
            Self::Collect => "collect, 20 steps a call",
        })
    }
}

impl FromStr for Calls {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let known = [Self::SampleAndStep, Self::StepSampled, Self::Collect];
        let named = known.into_iter().find(|calls| calls.to_string() == name);
        named.ok_or_else(|| format!("`{name}` is no way to step"))
    }
}
