//! Batches in blocks, compared with batches of single environments: all buffers, errors and states must be the same.

use herbrand_env::{
    ActionMode, Autoreset, Batch, BufferContents, DeadEnd, Domain, EngineKind, Engines, EnvOptions,
    EpisodeHorizon, EpisodeStart, Flags, InvalidAction, MaskForm, NamedObserver, ObservationMode,
    ObservedAtoms, Problem, ProblemChoice, Registry, Suite, VecEnv, VecError, VecOptions, Widths,
};
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_step::{Random, uniform_below};
use proptest::prelude::*;

/// A batch with its buffers.
struct Run {
    envs: VecEnv<NamedObserver>,
    buffers: Buffers,
}

#[derive(Clone, PartialEq, Debug, Default)]
struct Buffers {
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    flags: Vec<Flags>,
    last: Vec<u8>,
    last_flags: Vec<Flags>,
    actions: Vec<u32>,
}

impl Buffers {
    fn new(rows: usize, widths: Widths) -> Self {
        Self {
            observations: vec![0; rows * widths.observation],
            masks: vec![0; rows * widths.mask],
            rewards: vec![0.0; rows],
            terminated: vec![false; rows],
            truncated: vec![false; rows],
            flags: vec![Flags::default(); rows],
            last: vec![0; rows * widths.observation],
            last_flags: vec![Flags::default(); rows],
            actions: vec![0; rows],
        }
    }

    fn parts(&mut self, rows: BufferContents) -> (Batch<'_, u8>, &mut [u32]) {
        let batch = Batch {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            flags: &mut self.flags,
            final_observations: &mut self.last,
            final_flags: &mut self.last_flags,
            rows,
        };
        (batch, &mut self.actions)
    }
}

/// Returns where the contents of buffers differ.
fn difference(one: &Buffers, other: &Buffers) -> Option<String> {
    fn first<T: PartialEq + std::fmt::Debug>(name: &str, one: &[T], other: &[T]) -> Option<String> {
        let place = (0..one.len().max(other.len())).find(|&place| one.get(place) != other.get(place))?;
        Some(format!(
            "{name} {place}: {:?}, {:?}",
            one.get(place),
            other.get(place)
        ))
    }
    first("observation", &one.observations, &other.observations)
        .or_else(|| first("mask", &one.masks, &other.masks))
        .or_else(|| first("reward", &one.rewards, &other.rewards))
        .or_else(|| first("terminated", &one.terminated, &other.terminated))
        .or_else(|| first("truncated", &one.truncated, &other.truncated))
        .or_else(|| first("flags", &one.flags, &other.flags))
        .or_else(|| first("last observation", &one.last, &other.last))
        .or_else(|| first("last flags", &one.last_flags, &other.last_flags))
        .or_else(|| first("action", &one.actions, &other.actions))
}

/// The parameters of a comparison.
#[derive(Clone, Debug)]
struct Case {
    count: usize,
    calls: usize,
    seed: u64,
    mode: ObservationMode,
    part: ObservedAtoms,
    rows: BufferContents,
    options: VecOptions,
}

/// The grounded suite of an engine, or `None` if the engine refuses it.
fn on(suite: &Suite, engine: EngineKind) -> Option<Suite> {
    match suite.on(engine) {
        Ok(Engines::Grounded(suite)) => Some(suite),
        _ => None,
    }
}

fn run(suite: &Suite, case: &Case, threads: usize) -> Run {
    let observer = case.mode.observer(suite, case.part).expect("an observer");
    let options = VecOptions {
        threads,
        ..case.options
    };
    let envs = VecEnv::new(suite, &observer, case.count, options).expect("environments");
    let buffers = Buffers::new(case.count, envs.widths());
    Run { envs, buffers }
}

/// A failure as text: the environment and its error.
fn text(result: Result<(), VecError>) -> Option<String> {
    result.err().map(|error| error.to_string())
}

/// Makes the same calls on a batch in blocks and on one of single environments. Returns how many steps took effect; 0 if the
/// suite does not fit into blocks.
fn compare(suite: &Suite, case: &Case) -> usize {
    let (Some(sliced), Some(grounded)) = (on(suite, EngineKind::Sliced), on(suite, EngineKind::Grounded))
    else {
        return 0;
    };
    let mut blocks = run(&sliced, case, case.options.threads);
    let mut alone = run(&grounded, case, 1);
    assert!(blocks.envs.is_in_blocks() && !alone.envs.is_in_blocks());
    assert_eq!(blocks.envs.widths(), alone.envs.widths());
    let (mut random, mut applied) = (Random::new(case.seed), 0);
    let actions = match case.options.masks {
        MaskForm::Bytes => blocks.envs.widths().mask,
        MaskForm::Packed => 8 * blocks.envs.widths().mask,
    };
    for call in 0..case.calls {
        let kind = if call == 0 {
            0
        } else {
            uniform_below(&mut random, 13)
        };
        let which: Vec<bool> = (0..case.count).map(|_| random.chance(0.2)).collect();
        let wrong: Vec<Option<u32>> = (0..case.count)
            .map(|_| {
                let any = uniform_below(&mut random, actions as u32 + 2);
                random.chance(0.1).then_some(any)
            })
            .collect();
        let seed = random.chance(0.5).then_some(case.seed);
        let starts: Vec<_> = which
            .iter()
            .map(|which| {
                let index = uniform_below(&mut random, suite.len() as u32) as usize;
                let start = EpisodeStart {
                    seed: random
                        .chance(0.5)
                        .then_some(u64::from(uniform_below(&mut random, 3))),
                    problem: *random
                        .choose(&[ProblemChoice::Uniform, ProblemChoice::Index(index)])
                        .expect("choices"),
                };
                which.then_some(start)
            })
            .collect();
        let mut strips = Vec::new();
        let failures = [&mut blocks, &mut alone].map(|run| {
            let Run { envs, buffers } = run;
            let (mut batch, actions) = buffers.parts(case.rows);
            match kind {
                0 if call == 0 && case.seed.is_multiple_of(3) => text(envs.reset_some(&which, &mut batch)),
                0 => text(envs.reset(seed, &mut batch)),
                1 => text(envs.reset_some(&which, &mut batch)),
                12 => text(envs.reset_each(&starts, &mut batch)),
                2 => text(envs.sample(&mut *actions)),
                3 => {
                    // Buffers of several steps have rows of their own.
                    strips.push(Buffers::new(3 * case.count, envs.widths()));
                    let strip = strips.last_mut().expect("one was added");
                    let (mut batch, actions) = strip.parts(BufferContents::Fresh);
                    let failure = text(envs.collect(3, actions, &mut batch));
                    // The next call gets other rows than the last one wrote.
                    let (mut batch, actions) = buffers.parts(BufferContents::Fresh);
                    failure.or_else(|| text(envs.step_sampled(actions, &mut batch)))
                }
                4..=7 => text(envs.step_sampled(actions, &mut batch)),
                8 | 9 => {
                    let failure = text(envs.sample(&mut *actions));
                    failure.or(text(envs.step(&*actions, &mut batch)))
                }
                10 => {
                    let given = actions.iter().zip(&wrong);
                    let given: Vec<f64> = given
                        .map(|(own, wrong)| f64::from(wrong.unwrap_or(*own)))
                        .collect();
                    text(envs.step(&given, &mut batch))
                }
                _ => {
                    let given = actions.iter().zip(&wrong);
                    let given: Vec<u32> = given.map(|(own, wrong)| wrong.unwrap_or(*own)).collect();
                    text(envs.step(&given, &mut batch))
                }
            }
        });
        if let [one, other] = &strips[..]
            && failures[0].is_none()
        {
            assert_eq!(difference(one, other), None, "call {call}, {case:?}");
        }
        assert_eq!(failures[0], failures[1], "call {call} of kind {kind}, {case:?}");
        if failures[0].is_some() && (3..=11).contains(&kind) {
            // The rows of environments that failed have no meaning, so all start another episode.
            for run in [&mut blocks, &mut alone] {
                let (mut batch, _) = run.buffers.parts(BufferContents::Fresh);
                run.envs.reset(None, &mut batch).expect("a reset");
            }
        } else if failures[0].is_some() {
            continue;
        }
        assert_eq!(
            blocks.buffers, alone.buffers,
            "call {call} of kind {kind}, {case:?}"
        );
        applied += blocks.buffers.flags.iter().filter(|flags| flags.applied).count();
        let index = uniform_below(&mut random, case.count as u32) as usize;
        assert_eq!(blocks.envs.problem(index), alone.envs.problem(index));
        let [one, other] = [&blocks, &alone].map(|run| {
            let env = run.envs.env(index).expect("an environment");
            let episode = env.episode().ok();
            let state = env.state().ok().cloned();
            let progress = episode.map(|episode| (episode.elapsed(), episode.is_running(), episode.status()));
            (env.problem(), state, progress, env.streams().clone())
        });
        assert_eq!(
            one, other,
            "environment {index} after call {call} of kind {kind}, {case:?}"
        );
    }
    applied
}

/// Returns a case with options drawn at random.
fn case(seed: u64, count: usize, calls: usize) -> Case {
    let mut random = Random::new(seed);
    let options = VecOptions {
        env: EnvOptions {
            horizon: *random
                .choose(&[
                    EpisodeHorizon::Steps(1),
                    EpisodeHorizon::Steps(4),
                    EpisodeHorizon::Steps(9),
                    EpisodeHorizon::Declared,
                    EpisodeHorizon::Never,
                ])
                .expect("horizons"),
            through_goals: random.chance(0.4),
            dead_end: if random.chance(0.3) {
                DeadEnd::Continues
            } else {
                DeadEnd::Ends
            },
            invalid: if random.chance(0.5) {
                InvalidAction::Ignore
            } else {
                InvalidAction::Error
            },
        },
        autoreset: *random
            .choose(&[
                Autoreset::NextStep,
                Autoreset::NextStep,
                Autoreset::SameStep,
                Autoreset::SameStep,
                Autoreset::Disabled,
            ])
            .expect("modes"),
        threads: 1 + random.below(3) as usize,
        masks: if random.chance(0.5) {
            MaskForm::Packed
        } else {
            MaskForm::Bytes
        },
    };
    let modes = [
        ObservationMode::Bits,
        ObservationMode::BitsAndGoal,
        ObservationMode::PackedBits,
        ObservationMode::PackedBitsAndGoal,
    ];
    let rows = [BufferContents::Fresh, BufferContents::Fresh, BufferContents::Kept];
    Case {
        count,
        calls,
        seed,
        mode: *random.choose(&modes).expect("modes"),
        part: if random.chance(0.5) {
            ObservedAtoms::All
        } else {
            ObservedAtoms::Changing
        },
        rows: *random.choose(&rows).expect("contents"),
        options,
    }
}

fn shape(agent_actions: bool) -> Shape {
    Shape {
        agent_actions,
        ..Shape::default()
    }
}

/// Compares batches over a random task.
fn compare_random((domain, problem): (Domain, Problem), seed: u64, count: usize) {
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite");
    compare(&suite, &case(seed, count, 25));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn environments_of_random_tasks_are_the_same_in_blocks(
        task in tasks(&shape(false)), seed: u64, count in 1..150_usize,
    ) {
        compare_random(task, seed, count);
    }

    #[test]
    fn environments_with_agent_actions_are_the_same_in_blocks(
        task in tasks(&shape(true)), seed: u64, count in 1..150_usize,
    ) {
        compare_random(task, seed, count);
    }
}

#[test]
fn environments_of_bundled_domains_are_the_same_in_blocks() {
    for (turn, name) in (0..).zip(Registry::names().expect("names")) {
        let suite = Registry::get(&name).expect("a bundled domain");
        let one = suite.select(&[0]).expect("a problem");
        let fits = on(
            &suite.select(&[0, 1, 2]).expect("three problems"),
            EngineKind::Sliced,
        )
        .is_some();
        let mut applied = 0;
        for seed in 0..2 {
            let steps = if seed == 0 { 40 } else { 12 };
            applied += compare(&one, &case(10 * turn + seed, 70 + 60 * seed as usize, steps));
        }
        let several = suite.select(&[0, 1, 2]).expect("three problems");
        applied += compare(&several, &case(turn, 90, 20));
        assert_eq!(applied > 0, fits, "{name}");
    }
}

#[test]
fn automatic_makes_blocks_for_many_environments_of_bits() {
    let suite = Registry::get("gripper").expect("a bundled domain");
    let is_in_blocks = |suite: &Suite, mode: ObservationMode, count| {
        let observer = mode.observer(suite, ObservedAtoms::All).expect("an observer");
        let envs = VecEnv::new(suite, &observer, count, VecOptions::default()).expect("environments");
        envs.is_in_blocks()
    };
    let one = suite.select(&[0]).expect("a problem");
    let automatic = on(&one, EngineKind::Automatic).expect("a small problem");
    assert!(is_in_blocks(&automatic, ObservationMode::PackedBits, 64));
    assert!(!is_in_blocks(&automatic, ObservationMode::PackedBits, 63));
    assert!(!is_in_blocks(&automatic, ObservationMode::OneHot, 64));
    let grounded = on(&one, EngineKind::Grounded).expect("a small problem");
    assert!(!is_in_blocks(&grounded, ObservationMode::Bits, 512));
}
