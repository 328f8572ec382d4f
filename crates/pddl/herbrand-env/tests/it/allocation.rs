//! Steps, samples and resets allocate nothing once buffers have grown.

use herbrand_env::{
    Autoreset, Batch, Bits, BufferContents, EngineKind, Engines, Env, EnvOptions, EpisodeHorizon,
    ObservedAtoms, PlanningEnv, ProblemChoice, Registry, Suite, VecEnv, VecOptions,
};

fn suite(name: &str) -> Suite {
    let suite = Registry::get(name).expect("a bundled domain");
    suite.problem("train/01").expect("a problem")
}

/// Domains with and without probabilistic effects, axioms, numbers, and agent actions with several operators.
const DOMAINS: [&str; 6] = [
    "sokoban",
    "tireworld",
    "blocks-derived",
    "elevator-adl",
    "supply",
    "slide-tile",
];

#[test]
fn an_environment_allocates_nothing() {
    for name in DOMAINS {
        let options = EnvOptions {
            horizon: EpisodeHorizon::Steps(7),
            ..EnvOptions::default()
        };
        let mut env = Env::new(suite(name), options).expect("an environment");
        env.reset(Some(1)).expect("a problem");
        let mut walk = |steps: u32| {
            for _ in 0..steps {
                let action = env.sample_action().expect("a problem");
                let step = action.map(|action| env.step(action).expect("a valid action"));
                if step.is_none_or(|step| step.ended()) {
                    env.reset_to(None, ProblemChoice::Index(0)).expect("a problem");
                }
            }
        };
        walk(3000);
        let counted = allocation_counter::measure(|| walk(3000));
        assert_eq!(counted.count_total, 0, "{name}");
    }
}

/// Counts the allocations of the calling thread during `steps` steps of a batch.
fn allocations(name: &str, threads: usize, autoreset: Autoreset, steps: u32) -> u64 {
    allocations_of(&suite(name), threads, autoreset, steps)
}

fn allocations_of(suite: &Suite, threads: usize, autoreset: Autoreset, steps: u32) -> u64 {
    const COUNT: usize = 40;
    let options = VecOptions {
        env: EnvOptions {
            horizon: EpisodeHorizon::Steps(7),
            ..EnvOptions::default()
        },
        autoreset,
        threads,
        ..VecOptions::default()
    };
    let mut batch = VecEnv::new(suite, &Bits::of(ObservedAtoms::All), COUNT, options).expect("environments");
    let sizes = batch.widths();
    let (mut observations, mut last) = (
        vec![0; COUNT * sizes.observation],
        vec![0; COUNT * sizes.observation],
    );
    let (mut masks, mut rewards) = (vec![0; COUNT * sizes.mask], [0.0; COUNT]);
    let (mut terminated, mut truncated, mut actions) = ([false; COUNT], [false; COUNT], [0; COUNT]);
    let mut buffers = Batch {
        observations: &mut observations,
        masks: &mut masks,
        rewards: &mut rewards,
        terminated: &mut terminated,
        truncated: &mut truncated,
        flags: &mut [],
        final_observations: &mut last,
        final_flags: &mut [],
        rows: BufferContents::Fresh,
    };
    batch.reset(Some(3), &mut buffers).expect("a reset");
    let mut walk = |steps: u32| {
        for _ in 0..steps / 2 {
            batch.sample(&mut actions[..]).expect("running");
            batch.step(&actions[..], &mut buffers).expect("valid actions");
            let stepped = batch.step_sampled(&mut actions[..], &mut buffers);
            stepped.expect("valid actions");
        }
    };
    walk(200);
    allocation_counter::measure(|| walk(steps)).count_total
}

#[test]
fn a_batch_allocates_nothing() {
    for name in DOMAINS {
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
            assert_eq!(allocations(name, 1, autoreset, 200), 0, "{name} {autoreset:?}");
        }
    }
}

/// Domains that fit into blocks; in some states of the last, several operators carry out one action.
#[test]
fn a_batch_in_blocks_allocates_nothing() {
    for name in [
        "sokoban",
        "tireworld",
        "blocks-derived",
        "elevator-adl",
        "slide-tile",
    ] {
        let Ok(Engines::Grounded(suite)) = suite(name).on(EngineKind::Sliced) else {
            panic!("{name} does not fit");
        };
        for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
            assert_eq!(
                allocations_of(&suite, 1, autoreset, 200),
                0,
                "{name} {autoreset:?}"
            );
        }
    }
}

/// Each call allocates the list of the threads' shares, the job that keeps threads awake, and a job per further thread. The
/// job queues also allocate a block now and then.
#[test]
fn a_batch_on_several_threads_allocates_a_job_for_each_further_one() {
    let calls = 3 * 200 / 2;
    for threads in [2, 3] {
        let counted = allocations("sokoban", threads, Autoreset::SameStep, 200);
        let jobs = calls * (threads as u64 - 1);
        assert!(counted <= 2 * calls + jobs + 2 * (jobs / 63 + 1), "{counted}");
    }
}
