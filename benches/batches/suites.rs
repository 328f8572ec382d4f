//! A batch over a whole suite beside batches over each of its problems: rows are as wide as the largest problem needs.

use std::time::Instant;

use herbrand::env::{
    Autoreset, EnvError, EnvOptions, Horizon, NamedObserver, ObservationMode, Part, Registry, Rows, Suite,
    VecEnv, VecOptions,
};

use crate::run::Buffers;

const ENVIRONMENTS: usize = 256;
const STEPS: usize = 200;
const COUNTED: usize = 2000;
const SUITES: [&str; 6] = [
    "sokoban",
    "blocks",
    "gripper",
    "logistics",
    "search-and-rescue-3",
    "blocks-derived",
];

/// One batch with its buffers.
struct Batch {
    envs: VecEnv<NamedObserver>,
    buffers: Buffers,
    /// Nanoseconds per step of an environment, in the fastest round.
    fastest: f64,
}

impl Batch {
    fn new(suite: &Suite, mode: ObservationMode) -> Result<Self, EnvError> {
        let options = VecOptions {
            env: EnvOptions {
                horizon: Horizon::Steps(100),
                ..EnvOptions::default()
            },
            autoreset: Autoreset::SameStep,
            threads: 1,
        };
        let observer = mode.observer(suite, Part::All)?;
        let mut envs = VecEnv::new(suite, &observer, ENVIRONMENTS, options).expect("sound problems");
        let mut buffers = Buffers::new(ENVIRONMENTS, envs.widths());
        let (_, mut batch) = buffers.parts(Rows::Fresh);
        envs.reset(Some(1), &mut batch).expect("a reset");
        Ok(Self {
            envs,
            buffers,
            fastest: f64::INFINITY,
        })
    }

    fn round(&mut self) {
        let (actions, mut batch) = self.buffers.parts(Rows::Kept);
        let start = Instant::now();
        for _ in 0..STEPS {
            self.envs
                .step_sampled(&mut *actions, &mut batch)
                .expect("valid actions");
        }
        let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / (STEPS * ENVIRONMENTS) as f64;
        self.fastest = self.fastest.min(nanoseconds);
    }

    /// The share of each of `problems` in the steps of all environments, from a run that is not measured.
    fn shares(&mut self, problems: usize) -> Vec<f64> {
        let (actions, mut batch) = self.buffers.parts(Rows::Kept);
        let mut steps = vec![0.0; problems];
        for _ in 0..COUNTED {
            self.envs
                .step_sampled(&mut *actions, &mut batch)
                .expect("valid actions");
            let envs = (0..ENVIRONMENTS).filter_map(|index| self.envs.env(index)?.problem());
            envs.for_each(|problem| steps[problem] += 1.0 / (COUNTED * ENVIRONMENTS) as f64);
        }
        steps
    }
}

/// Batches take turns; of each the fastest round counts.
pub fn compare(rounds: usize) {
    println!("{ENVIRONMENTS} environments on one thread, nanoseconds per step, fastest of {rounds} rounds");
    println!(
        "  suite                observation   problems  atoms   first  mean of problems  whole suite  ratio"
    );
    for name in SUITES {
        for mode in [ObservationMode::Bits, ObservationMode::PackedBits] {
            let suite = Registry::get(name).expect("a bundled domain");
            row(&suite, mode, rounds).expect("sound problems");
        }
    }
    println!();
}

fn row(suite: &Suite, mode: ObservationMode, rounds: usize) -> Result<(), EnvError> {
    let mut whole = Batch::new(suite, mode)?;
    let problems = (0..suite.len()).map(|index| Batch::new(&suite.only(index)?, mode));
    let mut problems = problems.collect::<Result<Vec<_>, _>>()?;
    for _ in 0..rounds {
        whole.round();
        problems.iter_mut().for_each(Batch::round);
    }
    let mean = problems.iter().map(|batch| batch.fastest).sum::<f64>() / problems.len() as f64;
    let shares = whole.shares(suite.len());
    let shared = problems.iter().zip(&shares);
    let weighted = shared.map(|(batch, share)| batch.fastest * share).sum::<f64>();
    println!(
        "  {:<20} {:<12} {:>9} {:>6} {:>7.0} {:>17.0} {:>8.0} {:>12.0}  {:>5.2} {:>5.2}",
        suite.name(),
        mode.name(),
        problems.len(),
        suite.sizes(Part::All)?.atoms,
        problems[0].fastest,
        mean,
        weighted,
        whole.fastest,
        whole.fastest / mean,
        whole.fastest / weighted
    );
    Ok(())
}
