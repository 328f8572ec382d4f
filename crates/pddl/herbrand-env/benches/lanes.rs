//! Benchmarks batches of environments in blocks against batches of single environments, and measures what blocks take.
//!
//! `cargo bench -p herbrand-env --bench lanes -- NAME …` steps 4,096 environments on one thread, with packed bits and packed
//! masks, over the first and the largest problem of each named domain and over its whole suite: by actions sampled inside and
//! by actions that the caller gives. The engines take turns; the CPU time of the fastest round of each counts. `--bits` has a
//! byte per atom and per action instead. Both engines must give the same rewards, flags and rows.
//!
//! `-- --table` prints for each named domain, or for all, what blocks of its largest problem take: the time to compile the step
//! list, its memory, and the memory of an environment in a batch in blocks and in one of single environments.

use std::env;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Instant;

use cpu_time::ProcessTime;
use herbrand_env::{
    Autoreset, Batch, BufferContents, EngineKind, Engines, EnvOptions, EpisodeHorizon, Flags, MaskForm,
    NamedObserver, ObservationMode, ObservedAtoms, Registry, Suite, VecEnv, VecOptions,
};
use herbrand_limits::Budget;
use herbrand_step::SlicedTask;

const COUNT: usize = 4096;
const STEPS: usize = 60;
const ROUNDS: usize = 5;

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo test --benches` only checks that the program runs.
    let measured = arguments.iter().any(|argument| argument == "--bench");
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let named: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let all = Registry::names().expect("the bundled domains");
    let chosen: Vec<&String> = if !named.is_empty() {
        named
    } else if has("--table") {
        all.iter().collect()
    } else {
        all.iter()
            .filter(|name| ["blocks", "gripper", "sokoban"].contains(&name.as_str()))
            .collect()
    };
    for name in chosen {
        let suite = Registry::get(name).expect("a bundled domain");
        if has("--table") {
            table(name, &suite);
            continue;
        }
        let count = if measured { COUNT } else { 128 };
        let only = |index| suite.only(index).expect("a problem");
        compare(
            &format!("{name}, first problem"),
            &only(0),
            count,
            measured,
            has("--bits"),
        );
        if measured {
            let largest = largest(&suite);
            compare(
                &format!("{name}, problem {}", largest + 1),
                &only(largest),
                count,
                true,
                has("--bits"),
            );
            compare(
                &format!("{name}, all problems"),
                &suite,
                count,
                true,
                has("--bits"),
            );
        }
    }
}

/// Returns the index of the problem with the most operators.
fn largest(suite: &Suite) -> usize {
    let operators = |index: &usize| {
        suite
            .instance(*index)
            .map_or(0, |one| one.simulator().task().actions.len())
    };
    (0..suite.len()).max_by_key(operators).unwrap_or(0)
}

fn on(suite: &Suite, engine: EngineKind) -> Option<Suite> {
    match suite.on(engine) {
        Ok(Engines::Grounded(suite)) => Some(suite),
        _ => None,
    }
}

/// A batch with its buffers.
struct Run {
    envs: VecEnv<NamedObserver>,
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f64>,
    ends: [Vec<bool>; 2],
    flags: Vec<Flags>,
    actions: Vec<u32>,
    rows: BufferContents,
}

impl Run {
    fn new(suite: &Suite, count: usize, bits: bool) -> Self {
        let (mode, masks) = if bits {
            (ObservationMode::Bits, MaskForm::Bytes)
        } else {
            (ObservationMode::PackedBits, MaskForm::Packed)
        };
        let options = VecOptions {
            env: EnvOptions {
                horizon: EpisodeHorizon::Steps(100),
                ..EnvOptions::default()
            },
            autoreset: Autoreset::NextStep,
            masks,
            ..VecOptions::default()
        };
        let observer = mode.observer(suite, ObservedAtoms::All).expect("sound problems");
        let envs = VecEnv::new(suite, &observer, count, options).expect("sound problems");
        let widths = envs.widths();
        Self {
            observations: vec![0; count * widths.observation],
            masks: vec![0; count * widths.mask],
            rewards: vec![0.0; count],
            ends: [vec![false; count], vec![false; count]],
            flags: vec![Flags::default(); count],
            actions: vec![0; count],
            rows: BufferContents::Kept,
            envs,
        }
    }

    fn parts(&mut self) -> (&mut VecEnv<NamedObserver>, Batch<'_, u8>, &mut [u32]) {
        let [terminated, truncated] = &mut self.ends;
        let batch = Batch {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated,
            truncated,
            flags: &mut self.flags,
            final_observations: &mut [],
            final_flags: &mut [],
            rows: self.rows,
        };
        (&mut self.envs, batch, &mut self.actions)
    }

    /// Takes steps from the start, and returns the seconds of sampled and of given steps.
    fn round(&mut self, steps: usize) -> [f64; 2] {
        let (envs, mut batch, actions) = self.parts();
        envs.reset(Some(1), &mut batch).expect("a reset");
        // Episodes that began together end at different times only after a while.
        for _ in 0..2 {
            envs.step_sampled(&mut *actions, &mut batch).expect("a step");
        }
        let start = ProcessTime::now();
        for _ in 0..steps {
            envs.step_sampled(&mut *actions, &mut batch).expect("a step");
        }
        let sampled = start.elapsed().as_secs_f64();
        let mut given = 0.0;
        for _ in 0..steps {
            envs.sample(&mut *actions).expect("running");
            let start = ProcessTime::now();
            envs.step(&*actions, &mut batch).expect("valid actions");
            given += start.elapsed().as_secs_f64();
        }
        [sampled, given]
    }

    fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (
            &self.observations,
            &self.masks,
            &self.flags,
            &self.actions,
            &self.ends,
        )
            .hash(&mut hasher);
        self.rewards
            .iter()
            .for_each(|reward| reward.to_bits().hash(&mut hasher));
        hasher.finish()
    }
}

fn compare(title: &str, suite: &Suite, count: usize, measured: bool, bits: bool) {
    let kinds = [EngineKind::Grounded, EngineKind::Sliced, EngineKind::Automatic];
    let suites: Vec<Suite> = kinds.into_iter().filter_map(|kind| on(suite, kind)).collect();
    if suites.len() < kinds.len() {
        println!("{title}: does not fit into blocks");
        return;
    }
    let mut runs: Vec<Run> = suites.iter().map(|suite| Run::new(suite, count, bits)).collect();
    let mut fastest = [[f64::INFINITY; 2]; 3];
    let (steps, rounds) = if measured { (STEPS, ROUNDS) } else { (2, 1) };
    for _ in 0..rounds {
        for (run, fastest) in runs.iter_mut().zip(&mut fastest) {
            for (fastest, seconds) in fastest.iter_mut().zip(run.round(steps)) {
                *fastest = fastest.min(seconds * 1e9 / (count * steps) as f64);
            }
        }
        let digest = runs[0].digest();
        assert!(
            runs.iter().all(|run| run.digest() == digest),
            "{title}: not the same"
        );
    }
    let [grounded, sliced, automatic] = fastest;
    println!(
        "{title}: ns per step, sampled and given: single {:.1} {:.1}   blocks {:.1} {:.1}   automatic {:.1} {:.1} ({})   \
         million per second in blocks {:.1} {:.1}   ratio {:.2} {:.2}",
        grounded[0],
        grounded[1],
        sliced[0],
        sliced[1],
        automatic[0],
        automatic[1],
        if runs[2].envs.is_in_blocks() {
            "blocks"
        } else {
            "single"
        },
        1e3 / sliced[0],
        1e3 / sliced[1],
        grounded[0] / sliced[0],
        grounded[1] / sliced[1],
    );
}

fn table(name: &str, suite: &Suite) {
    let index = largest(suite);
    let one = suite.only(index).expect("a problem");
    let instance = one.instance(0).expect("a sound problem");
    let task = instance.simulator().task();
    let mut milliseconds = f64::INFINITY;
    let mut bytes = None;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        let Ok(compiled) = SlicedTask::new(instance.simulator(), &Budget::unlimited()) else {
            break;
        };
        milliseconds = milliseconds.min(start.elapsed().as_secs_f64() * 1e3);
        bytes = Some(compiled.bytes());
    }
    let start = format!("| {name} | {} | {} |", task.atom_count(), task.actions.len());
    let Some(bytes) = bytes else {
        println!("{start} does not fit | | | |");
        return;
    };
    let per_environment = |engine| {
        let suite = on(&one, engine).expect("it fits");
        drop(Run::new(&suite, COUNT, false));
        let mut run = None;
        let made = allocation_counter::measure(|| {
            let mut made = Run::new(&suite, COUNT, false);
            made.round(1);
            run = Some(made);
        });
        let run = run.expect("a run");
        let own = run.observations.len() + run.masks.len() + COUNT * (8 + 2 + size_of::<Flags>() + 4);
        (made.bytes_current - own as i64) / COUNT as i64
    };
    println!(
        "{start} {milliseconds:.2} | {:.0} | {} | {} |",
        bytes as f64 / 1024.0,
        per_environment(EngineKind::Sliced),
        per_environment(EngineKind::Grounded),
    );
}
