//! Suites of instances: names and files, batches compared with single environments, snapshots and roll-outs.

use std::fs;
use std::sync::atomic::AtomicBool;

use herbrand_core::{
    Batch, BufferContents, Described, EnvOptions, FactValue, Observer, ProblemChoice, Problems, Random,
    Rollout, RolloutOptions, RolloutPolicy, Snapshot, System, VecOptions, Widths, roll_out,
};
use herbrand_rddl::Source;
use herbrand_rddl::strategies::{Drawing, Shape, instances};
use herbrand_rddl_sim::simulate::{FluentBits, FluentVector, Preconditions, RddlSimulator};
use herbrand_rddl_sim::suite::{RddlEnv, RddlError, RddlSuite, RddlVecEnv};
use proptest::prelude::*;

use crate::starts::countdown;

fn bundled(name: &str) -> RddlSuite {
    RddlSuite::bundled(name).unwrap()
}

/// The outputs of one step of an environment.
#[derive(Clone, Debug)]
struct Seen {
    observation: Vec<f64>,
    mask: Vec<u8>,
    reward: f64,
    terminated: bool,
    truncated: bool,
    action: Vec<f64>,
}

/// Returns the rows of single environments with seeds `seed..seed + count`, as wide as those of `like`; `None` if a step is
/// refused.
fn alone(suite: &RddlSuite, like: &RddlVecEnv, seed: u64, steps: usize) -> Option<Vec<Vec<Seen>>> {
    let widths = like.widths();
    let environment = |index: usize| {
        let mut env = RddlEnv::observed(suite.clone(), FluentVector, EnvOptions::default()).unwrap();
        env.reset(Some(seed + index as u64)).unwrap();
        let mut fresh = false;
        let step = |_| {
            let mut seen = Seen {
                observation: vec![9.0; widths.observation],
                mask: vec![9; widths.mask],
                reward: 0.0,
                terminated: false,
                truncated: false,
                action: vec![0.0; widths.action],
            };
            let layout = env.system().unwrap().actions().clone();
            if fresh {
                // The step after the end of an episode begins the next one. Its action has all defaults.
                layout.write_row(&[], &mut seen.action);
                env.reset(None).unwrap();
                fresh = false;
            } else {
                let joint = env.sample().unwrap().unwrap();
                layout.write_row(&joint, &mut seen.action);
                let step = env.step(&joint).ok()?;
                (seen.reward, seen.terminated, seen.truncated) =
                    (step.reward, step.terminated, step.truncated);
                fresh = step.ended();
            }
            env.write_observation(&mut seen.observation).unwrap();
            env.write_mask(&mut seen.mask).unwrap();
            Some(seen)
        };
        (0..steps).map(step).collect()
    };
    (0..like.len()).map(environment).collect()
}

/// The output buffers of a batch.
struct Buffers {
    observations: Vec<f64>,
    masks: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    actions: Vec<f64>,
}

impl Buffers {
    /// Creates buffers filled with values that no step writes.
    fn of(envs: &RddlVecEnv) -> Self {
        Self::of_steps(envs, 1)
    }

    /// Creates buffers with rows for several steps of each environment.
    fn of_steps(envs: &RddlVecEnv, steps: usize) -> Self {
        let (count, widths) = (envs.len() * steps, envs.widths());
        Self {
            observations: vec![9.0; count * widths.observation],
            masks: vec![9; count * widths.mask],
            rewards: vec![9.0; count],
            terminated: vec![true; count],
            truncated: vec![true; count],
            actions: vec![9.0; count * widths.action],
        }
    }

    fn parts(&mut self) -> (Batch<'_, f64>, &mut [f64]) {
        let batch = Batch {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            flags: &mut [],
            final_observations: &mut [],
            final_flags: &mut [],
            rows: BufferContents::Fresh,
        };
        (batch, &mut self.actions)
    }

    /// Returns the outputs of the environment at `index`.
    fn seen(&self, index: usize, widths: Widths) -> Seen {
        Seen {
            observation: self.observations[index * widths.observation..][..widths.observation].to_vec(),
            mask: self.masks[index * widths.mask..][..widths.mask].to_vec(),
            reward: self.rewards[index],
            terminated: self.terminated[index],
            truncated: self.truncated[index],
            action: self.actions[index * widths.action..][..widths.action].to_vec(),
        }
    }
}

/// Returns the same rows from a batch.
fn together(mut envs: RddlVecEnv, seed: u64, steps: usize) -> Vec<Vec<Seen>> {
    let (widths, mut buffers) = (envs.widths(), Buffers::of(&envs));
    envs.reset(Some(seed), &mut buffers.parts().0).unwrap();
    let mut seen = vec![Vec::new(); envs.len()];
    for _ in 0..steps {
        let (mut batch, actions) = buffers.parts();
        envs.step_sampled(actions, &mut batch).unwrap();
        for (index, seen) in seen.iter_mut().enumerate() {
            seen.push(buffers.seen(index, widths));
        }
    }
    seen
}

/// Returns the same rows from a batch that takes many steps in one call, then the rest.
fn collected(mut envs: RddlVecEnv, seed: u64, steps: usize) -> Vec<Vec<Seen>> {
    let mut buffers = Buffers::of(&envs);
    envs.reset(Some(seed), &mut buffers.parts().0).unwrap();
    let mut seen = vec![Vec::new(); envs.len()];
    for steps in [2 * steps / 3, steps - 2 * steps / 3] {
        let mut buffers = Buffers::of_steps(&envs, steps);
        let (mut batch, actions) = buffers.parts();
        envs.collect(steps, actions, &mut batch).unwrap();
        for (index, seen) in seen.iter_mut().enumerate() {
            let widths = envs.widths();
            seen.extend((0..steps).map(|step| buffers.seen(index * steps + step, widths)));
        }
    }
    seen
}

/// A final initial state ends each episode by its first step, which changes nothing.
#[test]
fn batches_take_no_step_from_a_final_start() {
    for (condition, is_terminal) in [
        ("termination { left <= 0; };", true),
        ("state-invariants { left > 0; };", false),
    ] {
        let suite = countdown(condition, 0);
        assert!(batches_agree(&suite, 9, 6));
        let envs = RddlVecEnv::new(&suite, &FluentVector, 9, VecOptions::default()).unwrap();
        for (number, seen) in together(envs, 1, 4).into_iter().flatten().enumerate() {
            let ends = number % 2 == 0;
            assert_eq!((seen.reward, seen.observation), (0.0, vec![0.0]));
            assert_eq!(seen.terminated, ends && is_terminal, "{condition} {number}");
            assert_eq!(seen.truncated, ends && !is_terminal, "{condition} {number}");
        }
    }
}

/// Compares single environments with batches on one and on two threads. Returns whether no step was refused; otherwise
/// nothing is compared.
fn batches_agree(suite: &RddlSuite, count: usize, steps: usize) -> bool {
    let batch = |threads| {
        let options = VecOptions {
            threads,
            ..VecOptions::default()
        };
        RddlVecEnv::new(suite, &FluentVector, count, options).unwrap()
    };
    let Some(alone) = alone(suite, &batch(1), 5, steps) else {
        return false;
    };
    for threads in [1, 2] {
        let ways = [
            ("step", together(batch(threads), 5, steps)),
            ("collect", collected(batch(threads), 5, steps)),
        ];
        for (way, all) in ways {
            for (index, (one, other)) in alone.iter().zip(&all).enumerate() {
                assert_eq!(one.len(), other.len());
                for (step, (one, other)) in one.iter().zip(other).enumerate() {
                    // Compared as text, because a reward may be NaN.
                    assert_eq!(
                        format!("{one:?}"),
                        format!("{other:?}"),
                        "{}, {way}, {threads} threads, {index}, step {step}",
                        suite.name()
                    );
                }
            }
        }
    }
    true
}

/// More environments than one block steps.
#[test]
fn collected_steps_of_many_blocks_are_single_steps() {
    assert!(batches_agree(&bundled("rddl/cartpole-continuous"), 300, 9));
}

/// A coin whose step fails once heads has come up twice. Each environment tosses its own coin.
const COIN: &str = "
    domain coin {
        pvariables {
            ups : { state-fluent, int, default = 0 };
            spin : { action-fluent, bool, default = false };
        };
        cpfs { ups' = ups + Bernoulli(0.05) + 0 * div[1, 2 - ups]; };
        reward = ups;
    }
    instance i { domain = coin; horizon = 100; discount = 1.0; }";

/// An environment whose step is refused stops there. The others continue, and the error names the first refusing
/// environment.
#[test]
fn an_environment_that_refuses_collects_no_more() {
    let suite = RddlSuite::from_sources(&[Source::new("coin", COIN)]).unwrap();
    let (count, steps) = (150, 12);
    // By environment: the number of steps that it takes.
    let taken: Vec<usize> = (0..count)
        .map(|index| {
            let mut env = RddlEnv::observed(suite.clone(), FluentVector, EnvOptions::default()).unwrap();
            env.reset(Some(4 + index as u64)).unwrap();
            let step = |_: &usize| {
                let joint = env.sample().unwrap().unwrap();
                env.step(&joint).is_ok()
            };
            (0..steps).take_while(step).count()
        })
        .collect();
    let first = taken.iter().position(|&taken| taken < steps).unwrap();
    assert!(first > 0 && taken.contains(&steps), "{taken:?}");
    for threads in [1, 3] {
        let options = VecOptions {
            threads,
            ..VecOptions::default()
        };
        let mut envs = RddlVecEnv::new(&suite, &FluentVector, count, options).unwrap();
        let mut buffers = Buffers::of(&envs);
        envs.reset(Some(4), &mut buffers.parts().0).unwrap();
        let mut buffers = Buffers::of_steps(&envs, steps);
        let (mut batch, actions) = buffers.parts();
        let refused = envs.collect(steps, actions, &mut batch).unwrap_err().to_string();
        assert!(
            refused.starts_with(&format!("environment {first}: ")),
            "{refused}"
        );
        for (rewards, &taken) in buffers.rewards.chunks(steps).zip(&taken) {
            let written = rewards.iter().take_while(|&&reward| reward != 9.0).count();
            assert_eq!(written, taken);
            assert!(rewards[written..].iter().all(|&reward| reward == 9.0));
        }
    }
}

#[test]
fn a_batch_is_many_single_environments() {
    let names = [
        "rddl/cartpole-continuous",
        "rddl/sysadmin-pomdp",
        "rddl/uav-mixed",
        "rddl/supply-chain",
        "rddl/elevators",
    ];
    for name in names {
        let suite = bundled(name);
        assert!(batches_agree(&suite, 7, 60), "{name}");
    }
    let enforced = bundled("rddl/elevators").with_preconditions(Preconditions::Refused);
    assert!(batches_agree(&enforced.only(0).unwrap(), 3, 60));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// The same for random models, if their parameters are in range in every state.
    #[test]
    fn batches_of_random_models_are_single_environments(instance in instances(&Shape {
        depth: 2,
        draws: Drawing::All,
        ..Shape::default()
    })) {
        let suite = RddlSuite::from_instances(std::sync::Arc::clone(&instance.domain), [instance]);
        let options = RolloutOptions { episodes: 8, steps: 20, seed: 5, ..RolloutOptions::default() };
        let stop = AtomicBool::new(false);
        if roll_out(&suite, &RolloutPolicy::Random, &options, &|_| (), &stop).is_ok() {
            batches_agree(&suite, 3, 20);
        }
    }
}

#[test]
fn snapshots_are_returned_to_and_survive_as_bytes() {
    for name in ["rddl/recon-pomdp", "rddl/uav-mixed", "rddl/mars-rover"] {
        let suite = bundled(name);
        let mut env = RddlEnv::observed(suite.clone(), FluentVector, EnvOptions::default()).unwrap();
        env.reset_to(Some(3), ProblemChoice::Index(1)).unwrap();
        for _ in 0..5 {
            let joint = env.sample().unwrap().unwrap();
            env.step(&joint).unwrap();
        }
        let saved = env.save().unwrap();
        let walk = |env: &mut RddlEnv| {
            let width = 4_000;
            let step = |_| {
                let joint = env.sample().unwrap().unwrap();
                let step = env.step(&joint).unwrap();
                let mut observation = vec![0.0; width];
                env.write_observation(&mut observation).unwrap();
                (joint, step, observation, env.state().unwrap().clone())
            };
            (0..5).map(step).collect::<Vec<_>>()
        };
        let first = walk(&mut env);
        env.reset(Some(99)).unwrap();
        env.restore(&saved).unwrap();
        assert_eq!(walk(&mut env), first, "{name}");
        let bytes = saved.pack::<RddlSuite>();
        let mut other = RddlEnv::observed(suite.clone(), FluentVector, EnvOptions::default()).unwrap();
        other.reset(None).unwrap();
        other.restore(&Snapshot::unpack(&suite, &bytes).unwrap()).unwrap();
        assert_eq!(walk(&mut other), first, "{name}");
        assert!(Snapshot::unpack(&suite, &bytes[..bytes.len() - 1]).is_none());
    }
}

#[test]
fn bytes_of_no_state_are_refused() {
    let suite = bundled("rddl/sysadmin-mdp");
    let compiled = suite.compiled(0).unwrap();
    let mut bytes = compiled.initial().pack();
    assert_eq!(compiled.unpack(&bytes).as_ref(), Some(compiled.initial()));
    bytes[0] = 2;
    assert_eq!(compiled.unpack(&bytes), None, "no bool is 2");
    let text = "
        domain d {
            types { colour : { @red, @green }; };
            pvariables { c : { state-fluent, colour, default = @red }; };
            cpfs { c' = c; };
            reward = 0;
        }
        instance i { domain = d; horizon = 3; discount = 1.0; }";
    let suite = RddlSuite::from_sources(&[Source::new("text", text)]).unwrap();
    let compiled = suite.compiled(0).unwrap();
    assert!(compiled.unpack(&1_i64.to_le_bytes()).is_some());
    assert_eq!(
        compiled.unpack(&2_i64.to_le_bytes()),
        None,
        "there are two colours"
    );
}

#[test]
fn digests_do_not_depend_on_threads_but_on_seeds() {
    let stop = AtomicBool::new(false);
    for name in [
        "rddl/wildfire-mdp",
        "rddl/power-unit-commitment-continuous",
        "rddl/traffic",
    ] {
        let suite = bundled(name).only(0).unwrap();
        let rollout = |threads, seed| {
            let options = RolloutOptions {
                episodes: 24,
                steps: 30,
                seed,
                threads,
                ..RolloutOptions::default()
            };
            let mut rollout = roll_out(&suite, &RolloutPolicy::Random, &options, &|_| (), &stop).unwrap();
            rollout.seconds = 0.0;
            rollout
        };
        assert_eq!(rollout(1, 0), rollout(2, 0), "{name}");
        assert_ne!(rollout(1, 0).digest, rollout(1, 1).digest, "{name}");
    }
}

#[test]
fn returns_are_discounted_as_the_instance_says() {
    let text = "
        domain d {
            pvariables { n : { state-fluent, int, default = 0 }; };
            cpfs { n' = n + 1; };
            reward = 1;
        }
        instance i { domain = d; horizon = 3; discount = 0.5; }";
    let suite = RddlSuite::from_sources(&[Source::new("text", text)]).unwrap();
    assert_eq!(
        (Problems::horizon(&suite, 0), Problems::discount(&suite, 0)),
        (Some(3), 0.5)
    );
    let options = RolloutOptions {
        episodes: 2,
        ..RolloutOptions::default()
    };
    let options = RolloutOptions { steps: 3, ..options };
    let rollout = roll_out(
        &suite,
        &RolloutPolicy::Nothing,
        &options,
        &|_| (),
        &AtomicBool::new(false),
    )
    .unwrap();
    assert_eq!((rollout.mean_return, rollout.mean_discounted_return), (3.0, 1.75));
}

#[test]
fn problems_have_names_and_places() {
    let suite = bundled("cartpole-discrete");
    assert_eq!(suite.name(), "rddl/cartpole-discrete");
    let names: Vec<_> = (0..suite.len())
        .filter_map(|index| suite.problem_name(index))
        .collect();
    assert_eq!(names, ["1", "2", "3", "4", "5"]);
    assert_eq!(suite.problem("2").unwrap().problem_name(0), Some("2"));
    assert_eq!(
        suite.problem("9").unwrap_err().to_string(),
        "rddl/cartpole-discrete has no problem `9`, only 1, 2, 3, 4, 5"
    );
    assert!(RddlSuite::bundled_names().contains(&"rddl/uav-mixed".to_owned()));
    assert_eq!(
        RddlSuite::bundled("rddl/cartpole-continous")
            .unwrap_err()
            .to_string(),
        "there is no bundled environment `rddl/cartpole-continous`; did you mean `rddl/cartpole-continuous`?"
    );
}

const COUNTER: &str = "
    domain counter {
        pvariables { STEP : { non-fluent, int, default = 1 }; n : { state-fluent, int, default = 0 }; };
        cpfs { n' = n + STEP; };
        reward = n;
    }";

/// An instance with a block of non-fluents whose name the other files use too.
fn instance(name: &str, step: u32) -> String {
    format!(
        "non-fluents nf {{ domain = counter; non-fluents {{ STEP = {step}; }}; }}
         instance {name} {{ domain = counter; non-fluents = nf; horizon = 5; discount = 1.0; }}"
    )
}

#[test]
fn a_number_is_that_of_a_name_before_it_is_a_position() {
    for (names, rows) in [
        (
            &["instance0", "instance1", "instance10"][..],
            &[
                ("0", Some(0)),
                ("1", Some(1)),
                ("2", None),
                ("3", None),
                ("10", Some(2)),
            ][..],
        ),
        (&["p03", "p01"], &[("1", Some(1)), ("3", Some(0)), ("2", None)]),
        (
            &["dry", "wet"],
            &[("0", None), ("1", Some(0)), ("2", Some(1)), ("3", None)],
        ),
        (
            &["at3-x1", "at2-x1"],
            &[("1", Some(1)), ("2", Some(0)), ("3", None)],
        ),
    ] {
        let texts = (1..).zip(names.iter()).map(|(step, name)| {
            let file = format!("{name}.rddl");
            Source::new(&file, &instance("same", step))
        });
        let sources: Vec<_> = std::iter::once(Source::new("domain.rddl", COUNTER))
            .chain(texts)
            .collect();
        let suite = RddlSuite::from_named_files(None, &sources, herbrand_limits::Limits::default()).unwrap();
        for &(number, expected) in rows {
            let expected = expected.map(|at: usize| names[at]);
            let found = suite.index_of(number).ok();
            assert_eq!(
                found.and_then(|at| suite.problem_name(at)),
                expected,
                "{names:?} {number}"
            );
        }
    }
}

#[test]
fn a_folder_is_a_suite_in_natural_order() {
    let folder = std::env::temp_dir().join(format!("herbrand-rddl-suite-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("domain.rddl"), COUNTER).unwrap();
    for (number, step) in [(10, 30), (2, 20), (1, 10)] {
        fs::write(
            folder.join(format!("instance{number}.rddl")),
            instance("same", step),
        )
        .unwrap();
    }
    let suite = RddlSuite::from_path(&folder).unwrap();
    let names: Vec<_> = (0..3).filter_map(|index| suite.problem_name(index)).collect();
    assert_eq!(names, ["instance1", "instance2", "instance10"]);
    // Each file uses its own block of non-fluents, although all have the same name.
    for (index, expected) in [10, 20, 30].into_iter().enumerate() {
        let mut system = suite.system(index).unwrap();
        system.advance_by(&[], 0).unwrap();
        assert_eq!(
            system.fluent(0),
            herbrand_rddl_sim::simulate::FluentValue::Int(expected)
        );
    }
    let files = ["domain.rddl", "instance2.rddl"].map(|file| folder.join(file));
    let suite = RddlSuite::from_files(&files).unwrap();
    assert_eq!(
        (suite.name(), suite.problem_name(0)),
        ("counter", Some("instance2"))
    );
    fs::remove_dir_all(&folder).unwrap();
    assert!(matches!(RddlSuite::from_path(&folder), Err(RddlError::Io(_))));
}

#[test]
fn all_faults_of_all_files_are_told() {
    let sources = [
        Source::new("domain.rddl", COUNTER),
        Source::new("1.rddl", &instance("one", 1).replace("STEP", "STPE")),
        Source::new(
            "2.rddl",
            &instance("two", 1).replace("horizon = 5", "horizon = -5"),
        ),
    ];
    let error = RddlSuite::from_sources(&sources).unwrap_err();
    let text = error.to_string();
    assert!(text.contains("1.rddl:1") && text.contains("2.rddl:2"), "{text}");
    let none = RddlSuite::from_sources(&sources[..1]).unwrap_err();
    assert_eq!(none.to_string(), "counter has no problem");
    let empty = RddlSuite::from_instances(
        std::sync::Arc::new(herbrand_rddl::Domain::from_text(COUNTER).unwrap()),
        [],
    );
    let error = RddlEnv::observed(empty, FluentVector, EnvOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "counter has no problem");
}

#[test]
fn limits_end_a_compilation_that_is_too_large() {
    let text = "
        domain d {
            types { o : object; };
            pvariables { n(o, o, o) : { state-fluent, real, default = 0.0 }; };
            cpfs { n'(?a, ?b, ?c) = (det_{?i : o, ?j : o} [n(?i, ?j, ?a)])
                + (sum_{?x : o, ?y : o} [n(?a, ?x, ?y) * n(?x, ?b, ?c)]); };
            reward = 0;
        }
        instance i { domain = d; objects { o : { OBJECTS }; }; horizon = 3; discount = 1.0; }";
    // A determinant is compiled for each ground fluent.
    let objects: Vec<String> = (0..40).map(|number| format!("o{number}")).collect();
    let text = text.replace("OBJECTS", &objects.join(", "));
    let limits = herbrand_limits::Limits {
        bytes: Some(1 << 24),
        time: None,
    };
    let suite = RddlSuite::from_sources(&[Source::new("text", &text)]).unwrap();
    let error = suite.with_limits(limits).compiled(0).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the memory limit of 16 MiB is reached while compiling"
    );
}

#[test]
fn bits_are_the_numbers_of_fluents_that_are_bools() {
    for name in [
        "rddl/sysadmin-mdp",
        "rddl/sysadmin-pomdp",
        "rddl/triangle-tireworld-pomdp",
    ] {
        let suite = bundled(name);
        let bits = FluentBits::of(&suite).unwrap().expect("all fluents are bools");
        let width = Observer::layout(&bits, &suite).unwrap().len();
        let mut numbers = RddlEnv::observed(suite.clone(), FluentVector, EnvOptions::default()).unwrap();
        let mut bytes = RddlEnv::observed(suite, bits, EnvOptions::default()).unwrap();
        let mut ones = 0;
        let (mut row, mut byte_row) = (vec![0.0; width], vec![0; width]);
        for seed in 0..6 {
            numbers.reset(Some(seed)).unwrap();
            bytes.reset(Some(seed)).unwrap();
            loop {
                numbers.write_observation(&mut row).unwrap();
                bytes.write_observation(&mut byte_row).unwrap();
                let as_numbers: Vec<f64> = byte_row.iter().copied().map(f64::from).collect();
                assert_eq!(row, as_numbers, "{name}");
                ones += row.iter().filter(|&&number| number == 1.0).count();
                let joint = numbers.sample().unwrap().unwrap();
                bytes.step(&joint).unwrap();
                if numbers.step(&joint).unwrap().ended() {
                    break;
                }
            }
        }
        assert!(ones > 0, "{name}");
    }
    // Suites with reals, and with ints.
    let coin = RddlSuite::from_sources(&[Source::new("coin", COIN)]).unwrap();
    for suite in [bundled("rddl/uav-mixed"), coin] {
        assert!(FluentBits::of(&suite).unwrap().is_none(), "{}", suite.name());
    }
}

#[test]
fn a_batch_allocates_nothing_in_steady_state() {
    for name in [
        "rddl/sysadmin-pomdp",
        "rddl/uav-mixed",
        "rddl/power-unit-commitment-continuous",
    ] {
        let options = VecOptions {
            threads: 1,
            ..VecOptions::default()
        };
        let mut envs = RddlVecEnv::new(&bundled(name), &FluentVector, 4, options).unwrap();
        let mut buffers = Buffers::of(&envs);
        envs.reset(Some(3), &mut buffers.parts().0).unwrap();
        let mut walk = || {
            for _ in 0..300 {
                let (mut batch, actions) = buffers.parts();
                envs.step_sampled(actions, &mut batch).unwrap();
            }
        };
        // Every environment plays every problem, with joint actions of every length.
        (0..20).for_each(|_| walk());
        assert_eq!(allocation_counter::measure(walk).count_total, 0, "{name}");
    }
}

/// If preconditions are reported but not enforced, a ride beyond the last floor changes nothing.
#[test]
fn an_elevator_stays_at_the_last_floor() {
    let suite = bundled("rddl/elevators").only(1).unwrap();
    let mut simulator = suite.simulator(0).unwrap();
    let mut chance = Random::new(1);
    let floors = |simulator: &RddlSimulator| {
        let mut floors = Vec::new();
        simulator.facts(&mut |fact| {
            if fact.name == "at" && fact.value == FactValue::Bool(true) {
                floors.push(fact.arguments[1].to_owned());
            }
        });
        floors
    };
    simulator.reset(&mut chance).unwrap();
    for (order, expected) in [
        ("go-down___e1=true", "f1"),
        ("go-up___e1=true", "f2"),
        ("go-up___e1=true", "f3"),
        ("go-up___e1=true", "f4"),
        ("go-up___e1=true", "f5"),
        ("go-up___e1=true", "f5"),
        ("go-down___e1=true", "f4"),
    ] {
        let choice = simulator.parse_choice(order).unwrap();
        simulator.step(&[choice], &mut chance).unwrap();
        assert_eq!(floors(&simulator), [expected], "{order}");
        assert!(!simulator.status().broken);
    }
}

/// Rolls out a problem with one real fluent that is 1 at first, with this formula, and whose reward is that fluent.
fn rollout_of(formula: &str, options: &RolloutOptions) -> Result<Rollout, RddlError> {
    let text = format!(
        "domain d {{
            pvariables {{
                k : {{ state-fluent, int, default = 0 }};
                s : {{ state-fluent, real, default = 1.0 }};
                grown : {{ interm-fluent, real, level = 1 }};
                go : {{ action-fluent, bool, default = false }};
            }};
            cpfs {{ k' = k + 1; grown = {formula}; s' = if (go) then grown else s; }};
            reward = s;
        }}
        instance calm {{ domain = d; horizon = 3; discount = 1.0; }}
        instance wild {{ domain = d; max-nondef-actions = 1; horizon = 12; discount = 1.0; }}"
    );
    let suite = RddlSuite::from_sources(&[Source::new("text", &text)])?;
    roll_out(
        &suite,
        &RolloutPolicy::Random,
        options,
        &|_| (),
        &AtomicBool::new(false),
    )
}

#[test]
fn returns_that_are_not_finite_are_counted_and_traced_to_a_fluent() {
    for (formula, value) in [
        ("sqrt[-1.0]", "NaN"),
        ("s / 0.0", "∞"),
        ("exp[exp[100.0]]", "∞"),
        ("-exp[exp[100.0]]", "-∞"),
    ] {
        let options = |threads| RolloutOptions {
            episodes: 40,
            steps: 12,
            within_horizons: true,
            threads,
            ..RolloutOptions::default()
        };
        let mut rollout = rollout_of(formula, &options(1)).unwrap();
        let mean = match value {
            "NaN" => rollout.mean_return.is_nan(),
            "∞" => rollout.mean_return == f64::INFINITY,
            _ => rollout.mean_return == f64::NEG_INFINITY,
        };
        assert!(
            mean && rollout.return_deviation.is_nan(),
            "{formula}: {rollout:?}"
        );
        let non_finite = rollout.non_finite.clone().unwrap();
        assert!(
            (20..40).contains(&non_finite.episodes),
            "{formula}: {non_finite:?}"
        );
        let first = &non_finite.first;
        assert_eq!(
            (first.name.as_str(), first.problem),
            ("grown", (first.episode % 2) as usize)
        );
        let sentence = format!("makes `grown` {value}");
        assert!(first.to_string().ends_with(&sentence), "{first}");
        // The numbers of threads and episodes do not matter.
        let mut other = rollout_of(formula, &options(3)).unwrap();
        (rollout.seconds, other.seconds) = (0.0, 0.0);
        assert_eq!((format!("{rollout:?}")), format!("{other:?}"), "{formula}");
        for threads in [1, 3] {
            let error = rollout_of(
                formula,
                &RolloutOptions {
                    require_finite: true,
                    ..options(threads)
                },
            )
            .unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("the return of an episode is not finite: {first}")
            );
        }
    }
}

#[test]
fn returns_may_be_as_large_as_numbers() {
    let options = RolloutOptions {
        episodes: 2,
        steps: 2,
        require_finite: true,
        ..RolloutOptions::default()
    };
    let rollout = rollout_of("1e300", &options).unwrap();
    assert_eq!(rollout.non_finite, None);
    let options = RolloutOptions {
        episodes: 64,
        steps: 12,
        ..options
    };
    let rollout = rollout_of("1e300", &options).unwrap();
    assert!(
        rollout.mean_return > 1e299 && rollout.mean_return < 1.2e301,
        "{rollout:?}"
    );
    // Each reward is finite, and so is the mean, but not the square of a return.
    assert!(rollout.return_deviation.is_infinite(), "{rollout:?}");
    let error = rollout_of(
        "1.7e308",
        &RolloutOptions {
            episodes: 64,
            steps: 12,
            ..options
        },
    )
    .unwrap_err();
    assert!(error.to_string().ends_with("makes `return` ∞"), "{error}");
}

#[test]
fn a_text_that_is_given_twice_counts_once() {
    let text = format!("{COIN}\n// The domain and its instance.\n");
    let twice = [
        Source::new("coin", text.as_str()),
        Source::new("the same", text.as_str()),
    ];
    let suite = RddlSuite::from_sources(&twice).unwrap();
    assert_eq!(suite.len(), RddlSuite::from_sources(&twice[..1]).unwrap().len());
}
