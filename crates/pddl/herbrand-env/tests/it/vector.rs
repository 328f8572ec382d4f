//! Batches of environments, compared with single environments.

use herbrand_env::{
    ActionMode, AgentActionId, Autoreset, Batch, Bits, BufferContents, DeadEnd, Domain, Env, EnvError,
    EnvOptions, EpisodeFault, EpisodeHorizon, Flags, ObservedAtoms, PlanningEnv, Problem, Registry, Suite,
    VecEnv, VecError, VecOptions, Widths,
};

/// The buffers of a batch.
#[derive(Clone, PartialEq, Debug)]
struct Buffers {
    observations: Vec<u8>,
    masks: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    flags: Vec<Flags>,
    last: Vec<u8>,
    last_flags: Vec<Flags>,
}

impl Buffers {
    fn new(count: usize, sizes: Widths) -> Self {
        Self {
            observations: vec![7; count * sizes.observation],
            masks: vec![7; count * sizes.mask],
            rewards: vec![7.0; count],
            terminated: vec![true; count],
            truncated: vec![true; count],
            flags: vec![Flags::default(); count],
            last: vec![0; count * sizes.observation],
            last_flags: vec![Flags::default(); count],
        }
    }

    fn batch(&mut self) -> Batch<'_, u8> {
        Batch {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            flags: &mut self.flags,
            final_observations: &mut self.last,
            final_flags: &mut self.last_flags,
            rows: BufferContents::Fresh,
        }
    }
}

/// Returns the first problems of a domain with probabilistic effects and dead ends.
fn suite() -> Suite {
    let suite = Registry::get("tireworld").expect("a bundled domain");
    suite.problem("train/02").expect("a problem")
}

fn options(autoreset: Autoreset, threads: usize) -> VecOptions {
    VecOptions {
        env: EnvOptions {
            horizon: EpisodeHorizon::Steps(6),
            ..EnvOptions::default()
        },
        autoreset,
        threads,
        ..VecOptions::default()
    }
}

/// More environments than a thread takes in one run.
const COUNT: usize = 45;

/// Returns all buffers and actions of some sampled steps.
fn run_by(
    autoreset: Autoreset,
    threads: usize,
    seed: u64,
    mut step: impl FnMut(&mut VecEnv, &mut [u32], &mut Batch<'_, u8>) -> Result<(), VecError>,
) -> (Vec<Buffers>, Vec<Vec<u32>>) {
    let mut batch = VecEnv::new(
        &suite(),
        &Bits::of(ObservedAtoms::Changing),
        COUNT,
        options(autoreset, threads),
    )
    .expect("environments");
    let mut buffers = Buffers::new(COUNT, batch.widths());
    batch.reset(Some(seed), &mut buffers.batch()).expect("a reset");
    let (mut seen, mut taken) = (vec![buffers.clone()], Vec::new());
    let mut actions = vec![0; COUNT];
    for _ in 0..40 {
        step(&mut batch, &mut actions, &mut buffers.batch()).expect("valid actions");
        seen.push(buffers.clone());
        taken.push(actions.clone());
    }
    (seen, taken)
}

fn sample_and_step(
    batch: &mut VecEnv,
    actions: &mut [u32],
    buffers: &mut Batch<'_, u8>,
) -> Result<(), VecError> {
    batch.sample(&mut *actions)?;
    batch.step(actions, buffers)
}

fn step_sampled(
    batch: &mut VecEnv,
    actions: &mut [u32],
    buffers: &mut Batch<'_, u8>,
) -> Result<(), VecError> {
    batch.step_sampled(actions, buffers)
}

fn run(autoreset: Autoreset, threads: usize, seed: u64) -> Vec<Buffers> {
    run_by(autoreset, threads, seed, sample_and_step).0
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let one = run(autoreset, 1, 5);
        for threads in [2, 3, 5, 64] {
            assert_eq!(run(autoreset, threads, 5), one);
        }
        assert_ne!(run(autoreset, 1, 6), one);
    }
}

#[test]
fn steps_that_are_collected_are_those_of_single_calls() {
    const STEPS: usize = 8;
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let (single, taken) = run_by(autoreset, 1, 5, step_sampled);
        for threads in [1, 2, 3, 5] {
            let mut batch = VecEnv::new(
                &suite(),
                &Bits::of(ObservedAtoms::Changing),
                COUNT,
                options(autoreset, threads),
            )
            .expect("environments");
            let sizes = batch.widths();
            let mut start = Buffers::new(COUNT, sizes);
            batch.reset(Some(5), &mut start.batch()).expect("a reset");
            let (mut buffers, mut actions) = (Buffers::new(COUNT * STEPS, sizes), vec![7; COUNT * STEPS]);
            for (seen, taken) in single[1..].chunks(STEPS).zip(taken.chunks(STEPS)) {
                batch
                    .collect(STEPS, &mut actions, &mut buffers.batch())
                    .expect("valid actions");
                for (row, (step, env)) in (0..COUNT * STEPS).map(|row| (row, (row % STEPS, row / STEPS))) {
                    let (all, one) = (&buffers, &seen[step]);
                    assert_eq!(actions[row], taken[step][env]);
                    let part = |all: &[u8], row: usize, width: usize| all[row * width..][..width].to_vec();
                    for (all, one, width) in [
                        (&all.observations, &one.observations, sizes.observation),
                        (&all.masks, &one.masks, sizes.mask),
                    ] {
                        assert_eq!(part(all, row, width), part(one, env, width));
                    }
                    assert_eq!(all.rewards[row], one.rewards[env]);
                    assert_eq!(all.terminated[row], one.terminated[env]);
                    assert_eq!(all.truncated[row], one.truncated[env]);
                    assert_eq!(all.flags[row], one.flags[env]);
                    if autoreset == Autoreset::SameStep && (one.terminated[env] || one.truncated[env]) {
                        assert_eq!(
                            part(&all.last, row, sizes.observation),
                            part(&one.last, env, sizes.observation)
                        );
                        assert_eq!(all.last_flags[row], one.last_flags[env]);
                    }
                }
            }
            let none = batch.collect(0, &mut [0_u32; 0], &mut Buffers::new(0, sizes).batch());
            assert!(none.is_ok(), "{none:?}");
            let short = batch.collect(STEPS, &mut actions[1..], &mut buffers.batch());
            assert!(matches!(short, Err(VecError::Buffer(_))), "{short:?}");
        }
    }
}

#[test]
fn a_sampled_step_is_a_sample_and_a_step() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let two_calls = run_by(autoreset, 1, 5, sample_and_step);
        for threads in [1, 2, 3] {
            assert_eq!(run_by(autoreset, threads, 5, step_sampled), two_calls);
        }
    }
    let mut mixed = true;
    let alternately = |batch: &mut VecEnv, actions: &mut [u32], buffers: &mut Batch<'_, u8>| {
        mixed = !mixed;
        if mixed {
            sample_and_step(batch, actions, buffers)
        } else {
            batch.step_sampled(actions, buffers)
        }
    };
    let alternate = run_by(Autoreset::SameStep, 2, 5, alternately);
    assert_eq!(alternate, run_by(Autoreset::SameStep, 1, 5, sample_and_step));
}

#[test]
fn the_first_environment_that_refuses_is_named_and_the_others_step() {
    for threads in [1, 2, 4] {
        let mut batch = VecEnv::new(
            &suite(),
            &Bits::of(ObservedAtoms::Changing),
            COUNT,
            options(Autoreset::Disabled, threads),
        )
        .expect("environments");
        let mut buffers = Buffers::new(COUNT, batch.widths());
        let mut actions = vec![0; COUNT];
        let unbegun = batch.step_sampled(&mut actions, &mut buffers.batch());
        assert!(matches!(
            unbegun,
            Err(VecError::Env {
                index: 0,
                error: EnvError::Episode(EpisodeFault::NotReset)
            })
        ));
        batch.reset(Some(2), &mut buffers.batch()).expect("a reset");
        batch.sample(&mut actions).expect("running");
        let invalid = buffers.masks[..batch.widths().mask]
            .iter()
            .position(|&valid| valid == 0);
        let invalid = invalid.expect("all start in one state, where not all is valid") as u32;
        for index in [40, 17, 31] {
            actions[index] = invalid;
        }
        let refused = batch.step(&actions, &mut buffers.batch());
        assert!(
            matches!(refused, Err(VecError::Env { index: 17, .. })),
            "{refused:?}"
        );
        for index in 0..COUNT {
            let elapsed = batch
                .env(index)
                .map(|env| env.episode().map(|episode| episode.elapsed()));
            let refused = [17, 31, 40].contains(&index);
            assert_eq!(elapsed.and_then(Result::ok), Some(u32::from(!refused)), "{index}");
        }
    }
}

/// Compares the buffers with a single environment, step by step.
fn single(autoreset: Autoreset, seed: u64, index: usize, check: &[Buffers]) -> Result<(), EnvError> {
    let options = options(autoreset, 1);
    let mut env = Env::new(suite(), options.env)?;
    let sizes = suite().sizes(ObservedAtoms::Changing)?;
    let mut known = Flags::from(env.reset(Some(seed + index as u64))?);
    let mut over = false;
    for (step, buffers) in check.iter().enumerate() {
        let (mut reward, mut ends, mut last) = (0.0, (false, false), None);
        let row = |width: usize| index * width..(index + 1) * width;
        if step > 0 && over {
            known = env.reset(None)?.into();
            over = false;
        } else if step > 0 {
            let action = env.sample_action()?.expect("dead ends end episodes");
            let taken = env.step(action)?;
            reward = taken.reward;
            ends = (taken.terminated, taken.truncated);
            known = Flags {
                problem: known.problem,
                end: env.episode()?.end(&taken),
                ..taken.into()
            };
            assert_eq!(known.end.is_some(), taken.ended());
            over = taken.ended();
            if over && autoreset == Autoreset::SameStep {
                let mut bits = vec![0; sizes.atoms];
                env.write_bits(ObservedAtoms::Changing, &mut bits)?;
                last = Some((bits, known));
                known = env.reset(None)?.into();
                over = false;
            }
        }
        let (mut bits, mut mask) = (vec![9; sizes.atoms], vec![9; sizes.actions]);
        env.write_bits(ObservedAtoms::Changing, &mut bits)?;
        env.write_mask(&mut mask)?;
        assert_eq!(
            buffers.observations[row(sizes.atoms)],
            bits,
            "step {step} of {index}"
        );
        assert_eq!(buffers.masks[row(sizes.actions)], mask, "step {step} of {index}");
        assert_eq!(buffers.rewards[index].to_bits(), f64::to_bits(reward));
        assert_eq!((buffers.terminated[index], buffers.truncated[index]), ends);
        assert_eq!(buffers.flags[index], known);
        assert_eq!(known.dead_end, mask.iter().all(|&valid| valid == 0));
        if let Some((bits, flags)) = last {
            assert_eq!(buffers.last[row(sizes.atoms)], bits);
            assert_eq!(buffers.last_flags[index], flags);
        }
    }
    Ok(())
}

#[test]
fn each_environment_is_a_single_one_of_its_seed() {
    for autoreset in [Autoreset::NextStep, Autoreset::SameStep] {
        let seen = run(autoreset, 2, 40);
        assert!(seen.iter().any(|buffers| buffers.terminated.contains(&true)));
        assert!(seen.iter().any(|buffers| buffers.truncated.contains(&true)));
        let flags = seen
            .iter()
            .flat_map(|buffers| buffers.flags.iter().chain(&buffers.last_flags));
        assert!(flags.clone().any(|flags| flags.dead_end && !flags.goal));
        assert!(flags.clone().any(|flags| flags.goal) && flags.clone().any(|flags| !flags.applied));
        for index in 0..COUNT {
            single(autoreset, 40, index, &seen).expect("the same course");
        }
    }
}

/// A lamp that is lit from the start and cannot be switched off.
fn lit_lamp() -> Suite {
    let domain = "(define (domain lamp) (:predicates (on) (off))
        (:action press :precondition (not (on)) :effect (on)))";
    let problem = "(define (problem lit) (:domain lamp) (:init (on)) (:goal (off)))";
    let domain = Domain::from_text(domain).expect("a domain");
    let problem = Problem::from_text(problem, &domain).expect("a problem");
    Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite")
}

#[test]
fn in_a_dead_end_the_sampled_step_does_nothing_and_is_marked() {
    for (dead_end, autoreset) in [
        (DeadEnd::Ends, Autoreset::NextStep),
        (DeadEnd::Ends, Autoreset::SameStep),
        (DeadEnd::Continues, Autoreset::NextStep),
    ] {
        let env = EnvOptions {
            dead_end,
            ..EnvOptions::default()
        };
        let options = VecOptions {
            env,
            autoreset,
            ..VecOptions::default()
        };
        let stuck = Flags {
            dead_end: true,
            ..Flags::default()
        };
        let mut batch =
            VecEnv::new(&lit_lamp(), &Bits::of(ObservedAtoms::Changing), 2, options).expect("environments");
        let mut buffers = Buffers::new(2, batch.widths());
        batch.reset(Some(1), &mut buffers.batch()).expect("a reset");
        assert_eq!((&buffers.masks, &buffers.flags), (&vec![0; 2], &vec![stuck; 2]));
        let mut single = Env::new(lit_lamp(), env).expect("an environment");
        single.reset(Some(1)).expect("a reset");
        assert_eq!(single.sample().expect("running"), None);
        let mut actions = [7; 2];
        batch
            .step_sampled(&mut actions, &mut buffers.batch())
            .expect("any action will do");
        let step = single.step(AgentActionId::new(0)).expect("any action will do");
        assert_eq!(actions, [0; 2]);
        let end = single.episode().expect("an episode").end(&step);
        assert_eq!(end.is_some(), dead_end == DeadEnd::Ends);
        let last = Flags { end, ..stuck };
        match autoreset {
            Autoreset::SameStep => {
                assert_eq!(
                    (&buffers.flags, &buffers.last_flags),
                    (&vec![stuck; 2], &vec![last; 2])
                );
            }
            _ => assert_eq!(buffers.flags, [last; 2]),
        }
        assert_eq!(Flags::from(step), stuck);
        assert_eq!(buffers.terminated, [dead_end == DeadEnd::Ends; 2]);
        assert_eq!((step.terminated, step.reward), (dead_end == DeadEnd::Ends, 0.0));
    }
}

#[test]
fn many_problems_share_one_width() {
    let suite = Registry::get("gripper")
        .expect("a bundled domain")
        .split(herbrand_env::Split::Train);
    let mut batch =
        VecEnv::new(&suite, &Bits::of(ObservedAtoms::All), 16, VecOptions::default()).expect("environments");
    let sizes = suite.sizes(ObservedAtoms::All).expect("sound problems");
    let widths = batch.widths();
    assert_eq!((widths.observation, widths.mask), (sizes.atoms, sizes.actions));
    let mut buffers = Buffers::new(16, widths);
    batch.reset(Some(0), &mut buffers.batch()).expect("a reset");
    let problems: std::collections::BTreeSet<_> =
        (0..16).filter_map(|index| batch.env(index)?.problem()).collect();
    assert!(problems.len() > 4);
    for index in 0..16 {
        let env = batch.env(index).expect("an environment");
        let own = env.instance().expect("a problem").atoms().len(ObservedAtoms::All);
        let row = &buffers.observations[index * widths.observation..(index + 1) * widths.observation];
        assert!(row[own..].iter().all(|&bit| bit == 0));
    }
}

#[test]
fn without_autoreset_a_step_after_the_end_is_an_error() {
    let mut batch = VecEnv::new(
        &suite(),
        &Bits::of(ObservedAtoms::Changing),
        3,
        options(Autoreset::Disabled, 1),
    )
    .expect("environments");
    let mut buffers = Buffers::new(3, batch.widths());
    batch.reset(Some(1), &mut buffers.batch()).expect("a reset");
    let mut actions = [0; 3];
    let mut ended = [false; 3];
    while ended != [true; 3] {
        batch.sample(&mut actions).expect("running");
        let stepped = batch.step(&actions, &mut buffers.batch());
        if let Err(error) = stepped {
            let VecError::Env { index, error } = error else {
                panic!("{error}")
            };
            assert!(ended[index] && matches!(error, EnvError::Episode(EpisodeFault::Ended)));
            batch.reset_some(&ended, &mut buffers.batch()).expect("a reset");
            return;
        }
        for (index, ended) in ended.iter_mut().enumerate() {
            *ended |= buffers.terminated[index] || buffers.truncated[index];
        }
    }
}

#[test]
fn a_buffer_of_the_wrong_length_is_told() {
    let mut batch = VecEnv::new(
        &suite(),
        &Bits::of(ObservedAtoms::Changing),
        2,
        VecOptions::default(),
    )
    .expect("environments");
    let mut buffers = Buffers::new(2, batch.widths());
    buffers.masks.pop();
    let error = batch
        .reset(None, &mut buffers.batch())
        .expect_err("one is missing");
    assert!(error.to_string().starts_with("`masks` has "), "{error}");
    let mut buffers = Buffers::new(2, batch.widths());
    assert!(batch.step(&[0], &mut buffers.batch()).is_err());
    buffers.flags.pop();
    let error = batch
        .reset(None, &mut buffers.batch())
        .expect_err("one is missing");
    assert!(error.to_string().starts_with("`flags` has "), "{error}");
    buffers.flags.clear();
    buffers.last_flags.clear();
    buffers.last.clear();
    batch
        .reset(None, &mut buffers.batch())
        .expect("final observations may be left out");
}
