//! Compares a batch over a whole suite, whose rows have the width of the largest problem, with batches over each of its
//! problems.

use std::time::Instant;

use herbrand::env::{
    Autoreset, BufferContents, EnvError, EnvOptions, EpisodeHorizon, NamedObserver, ObservationMode,
    ObservedAtoms, Registry, Suite, VecEnv, VecOptions,
};

use crate::run::Buffers;

const ENVIRONMENTS: usize = 256;
const STEPS: usize = 200;
/// The number of steps collected by one call.
const COLLECTED: usize = 20;
const SUITES: [&str; 6] = [
    "sokoban",
    "blocks",
    "gripper",
    "logistics",
    "search-and-rescue-3",
    "blocks-derived",
];
const MODES: [ObservationMode; 2] = [ObservationMode::Bits, ObservationMode::PackedBits];

/// A batch with its buffers.
struct Batch {
    envs: VecEnv<NamedObserver>,
    /// Buffers for one step of each environment.
    single: Buffers,
    /// Buffers for [`COLLECTED`] steps.
    strips: Buffers,
    fastest: Nanoseconds,
}

/// Nanoseconds per step of an environment, in the fastest round.
#[derive(Clone, Copy)]
struct Nanoseconds {
    step: f64,
    collect: f64,
}

impl Batch {
    fn new(suite: &Suite, mode: ObservationMode) -> Result<Self, EnvError> {
        let options = VecOptions {
            env: EnvOptions {
                horizon: EpisodeHorizon::Steps(100),
                ..EnvOptions::default()
            },
            autoreset: Autoreset::SameStep,
            threads: 1,
            ..VecOptions::default()
        };
        let observer = mode.observer(suite, ObservedAtoms::All)?;
        let mut envs = VecEnv::new(suite, &observer, ENVIRONMENTS, options).expect("sound problems");
        let mut single = Buffers::new(ENVIRONMENTS, envs.widths());
        let (_, mut batch) = single.parts(BufferContents::Fresh);
        envs.reset(Some(1), &mut batch).expect("a reset");
        Ok(Self {
            strips: Buffers::new(ENVIRONMENTS * COLLECTED, envs.widths()),
            envs,
            single,
            fastest: Nanoseconds {
                step: f64::INFINITY,
                collect: f64::INFINITY,
            },
        })
    }

    fn round(&mut self) {
        let envs = &mut self.envs;
        // An earlier round has used these buffers for other rows, so the first call writes them in full.
        let (actions, mut batch) = self.strips.parts(BufferContents::Fresh);
        envs.collect(COLLECTED, &mut *actions, &mut batch)
            .expect("valid actions");
        let (actions, mut batch) = self.strips.parts(BufferContents::Kept);
        // Evicts the fully written rows from the cache.
        envs.collect(COLLECTED, &mut *actions, &mut batch)
            .expect("valid actions");
        let collect = nanoseconds(STEPS / COLLECTED, || {
            envs.collect(COLLECTED, &mut *actions, &mut batch)
                .expect("valid actions");
        });
        let (actions, mut batch) = self.single.parts(BufferContents::Fresh);
        envs.step_sampled(&mut *actions, &mut batch)
            .expect("valid actions");
        let (actions, mut batch) = self.single.parts(BufferContents::Kept);
        let step = nanoseconds(STEPS, || {
            envs.step_sampled(&mut *actions, &mut batch)
                .expect("valid actions");
        });
        self.fastest.collect = self.fastest.collect.min(collect);
        self.fastest.step = self.fastest.step.min(step);
    }

    /// Returns the share of each of `problems` in the steps of all environments, from an unmeasured run.
    fn shares(&mut self, problems: usize, steps: usize) -> Vec<f64> {
        let (actions, mut batch) = self.single.parts(BufferContents::Kept);
        let mut taken = vec![0.0; problems];
        for _ in 0..steps {
            self.envs
                .step_sampled(&mut *actions, &mut batch)
                .expect("valid actions");
            let envs = (0..ENVIRONMENTS).filter_map(|index| self.envs.env(index)?.problem());
            envs.for_each(|problem| taken[problem] += 1.0 / (steps * ENVIRONMENTS) as f64);
        }
        taken
    }
}

/// Returns nanoseconds per step of an environment. The calls together take [`STEPS`] steps in each environment.
fn nanoseconds(calls: usize, mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| call());
    start.elapsed().as_secs_f64() * 1e9 / (STEPS * ENVIRONMENTS) as f64
}

/// Measures the batches in turn and takes the fastest round of each. Measures only the suites and observations named in
/// `only`, or all if it names none.
pub fn compare(rounds: usize, only: &[String]) {
    let wanted = |name: &str, all: &[&str]| {
        let named = |name: &str| only.iter().any(|only| only == name);
        named(name) || !all.iter().any(|other| named(other))
    };
    let modes = MODES.map(ObservationMode::name);
    let is_known = |word: &str| word.starts_with("--") || SUITES.contains(&word) || modes.contains(&word);
    // The first argument is the program.
    if let Some(unknown) = only.iter().skip(1).find(|word| !is_known(word)) {
        eprintln!(
            "there is no `{unknown}`: there are {} and {}",
            SUITES.join(", "),
            modes.join(", ")
        );
        std::process::exit(2);
    }
    println!("{ENVIRONMENTS} environments on one thread, nanoseconds per step, fastest of {rounds} rounds");
    println!("The mean weighs each problem by its share in the steps of the whole suite.");
    println!(
        "                                                     a step at a time          {COLLECTED} steps a call"
    );
    println!(
        "  suite                observation  problems  atoms  first   mean  whole  ratio    mean  whole  ratio"
    );
    for name in SUITES.into_iter().filter(|name| wanted(name, &SUITES)) {
        for mode in MODES.into_iter().filter(|mode| wanted(mode.name(), &modes)) {
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
    let shares = whole.shares(suite.len(), rounds * STEPS);
    let mean = |time: fn(Nanoseconds) -> f64| {
        let each = problems.iter().zip(&shares);
        each.map(|(batch, share)| time(batch.fastest) * share)
            .sum::<f64>()
    };
    let [step, collect] = [mean(|fastest| fastest.step), mean(|fastest| fastest.collect)];
    println!(
        "  {:<20} {:<12} {:>8} {:>6}  {:>5.0} {:>6.0} {:>6.0} {:>6.2}  {:>6.0} {:>6.0} {:>6.2}",
        suite.name(),
        mode.name(),
        problems.len(),
        suite.sizes(ObservedAtoms::All)?.atoms,
        problems[0].fastest.step,
        step,
        whole.fastest.step,
        whole.fastest.step / step,
        collect,
        whole.fastest.collect,
        whole.fastest.collect / collect,
    );
    Ok(())
}
