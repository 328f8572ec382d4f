//! The kernel against the bit-sliced engine of the CPU, in batches of environments.

use herbrand_core::{Autoreset, EpisodeEnd, EpisodeRules, InvalidAction, Problems, Random};
use herbrand_env::{
    ActionMode, Batch, BufferContents, DeadEnd, Domain, EngineKind, Engines, EnvOptions, EpisodeHorizon,
    Flags, MaskForm, ObservationMode, ObservedAtoms, Problem, Registry, Suite, VecEnv, VecOptions,
};
use herbrand_gpu::{BatchMemory, CallKind, KernelTables, Planes, episode_words, generators, plane};
use herbrand_ground::{ActionId, AtomId};
use herbrand_limits::Budget;
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_step::SlicedTask;
use proptest::prelude::*;

use crate::twin::Twin;

/// Makes the same calls on the kernel and on a batch in blocks. Returns how many operators were carried out; `None` if the suite
/// does not fit into blocks, if several operators carry out one of its actions, or if there is no C compiler.
fn compare(suite: &Suite, count: u32, seed: u64, calls: usize) -> Option<usize> {
    let Ok(Engines::Grounded(suite)) = suite.on(EngineKind::Sliced) else {
        return None;
    };
    let planning = suite.system(0).expect("a system");
    let simulator = planning.walker().simulator();
    let operators = simulator.task().actions.len();
    let actions = (0..operators).map(|id| planning.space().action_of(ActionId::from_index(id)).number());
    let actions: Vec<u32> = actions.collect();
    let mut distinct = actions.clone();
    distinct.sort_unstable();
    distinct.dedup();
    if distinct.len() < operators {
        return None;
    }
    let budget = Budget::unlimited();
    let task = SlicedTask::new(simulator, &budget).expect("it fits into blocks");
    let tables = KernelTables::new(&task, &budget).expect("it has few rewards");
    let mut twin = Twin::new(&tables, count)?;

    let mut random = Random::new(seed);
    let same_step = random.chance(0.5);
    let steps = random.choose(&[1, 3, 25]).copied().filter(|_| random.chance(0.8));
    let rules = EpisodeRules {
        horizon: steps,
        goal_ends: random.chance(0.6),
        dead_end: if random.chance(0.6) {
            DeadEnd::Ends
        } else {
            DeadEnd::Continues
        },
        invalid: InvalidAction::Ignore,
    };
    let options = VecOptions {
        env: EnvOptions {
            horizon: steps.map_or(EpisodeHorizon::Never, EpisodeHorizon::Steps),
            through_goals: !rules.goal_ends,
            dead_end: rules.dead_end,
            invalid: rules.invalid,
        },
        autoreset: if same_step {
            Autoreset::SameStep
        } else {
            Autoreset::NextStep
        },
        threads: 1,
        masks: MaskForm::Packed,
    };
    let observer = ObservationMode::PackedBits
        .observer(&suite, ObservedAtoms::Changing)
        .expect("an observer");
    let size = count as usize;
    let mut envs = VecEnv::new(&suite, &observer, size, options).expect("environments");
    assert!(envs.is_in_blocks());
    let widths = envs.widths();
    let (mut observations, mut masks) = (vec![0; size * widths.observation], vec![0; size * widths.mask]);
    let (mut rewards, mut terminated, mut truncated) =
        (vec![0.0; size], vec![false; size], vec![false; size]);
    let (mut flags, mut last) = (vec![Flags::default(); size], vec![Flags::default(); size]);
    let mut chosen = vec![0; size];

    let mut memory = BatchMemory::new(&tables, count);
    memory.random = generators(count, seed);
    let episode = episode_words(&rules, options.autoreset);
    let mut applied = 0;
    for call in 0..calls {
        let mut batch = Batch {
            observations: &mut observations,
            masks: &mut masks,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            flags: &mut flags,
            final_observations: &mut [],
            final_flags: &mut last,
            rows: BufferContents::Fresh,
        };
        let place = format!("after call {call}, seed {seed}");
        if call == 0 {
            envs.reset(Some(seed), &mut batch).expect("a reset");
            memory.write(&tables, Planes::Begins, &plane(count, |_| true));
            twin.call(CallKind::Begin, episode, &mut memory);
        } else if random.chance(0.3) {
            // Any operators, sometimes one that does not exist.
            for action in &mut memory.actions {
                *action = random.below(operators as u32 + 1);
            }
            let given = memory
                .actions
                .iter()
                .map(|&operator| actions.get(operator as usize));
            let given: Vec<u32> = given.map(|action| action.copied().unwrap_or(u32::MAX)).collect();
            envs.step(&given, &mut batch).expect("a step");
            twin.call(CallKind::Given, episode, &mut memory);
        } else {
            envs.step_sampled(&mut chosen, &mut batch).expect("a step");
            twin.call(CallKind::Sampled, episode, &mut memory);
        }
        for index in 0..size {
            let holds = |planes, item| memory.holds(&tables, planes, item, index);
            let flag = |planes| holds(planes, 0);
            let found = [Planes::Goal, Planes::DeadEnd, Planes::Applied].map(flag);
            let own = flags[index];
            assert_eq!(found, [own.goal, own.dead_end, own.applied], "{index} {place}");
            let found = [Planes::Terminated, Planes::Truncated].map(flag);
            assert_eq!(found, [terminated[index], truncated[index]], "{index} {place}");
            let end = if same_step { last[index].end } else { own.end };
            if found != [false; 2] {
                assert_eq!(
                    flag(Planes::Reached),
                    end == Some(EpisodeEnd::Goal),
                    "{index} {place}"
                );
            }
            assert_eq!(
                memory.rewards[index].to_bits(),
                rewards[index].to_bits(),
                "{index} {place}"
            );
            let ended = found != [false; 2];
            applied += usize::from(if ended && same_step {
                last[index].applied
            } else {
                own.applied
            });
            let mask = &masks[index * widths.mask..];
            for (operator, &action) in actions.iter().enumerate() {
                let valid = mask[action as usize / 8] >> (action % 8) & 1 == 1;
                assert_eq!(
                    holds(Planes::Valid, operator),
                    valid,
                    "{operator} in {index} {place}"
                );
            }
        }
        for _ in 0..5 {
            let index = random.below(count) as usize;
            let env = envs.env(index).expect("an environment");
            let (state, streams) = (env.state().expect("a state"), env.streams());
            for atom in 0..tables_fluents(&task) {
                let holds = memory.holds(&tables, Planes::Atoms, atom, index);
                assert_eq!(
                    Some(holds),
                    state.holds(AtomId::from_index(atom)),
                    "{atom} in {index} {place}"
                );
            }
            let own = [streams.outcomes.clone(), streams.actions.clone()];
            assert_eq!(memory.streams(index as u32), Some(own), "{index} {place}");
            assert_eq!(
                memory.elapsed(index),
                env.episode().expect("an episode").elapsed()
            );
        }
    }
    Some(applied)
}

fn tables_fluents(task: &SlicedTask) -> usize {
    task.simulator().task().fluent_count()
}

fn compare_random((domain, problem): (Domain, Problem), seed: u64, count: u32) {
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite");
    compare(&suite, count, seed, 25);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn batches_of_random_tasks_are_the_same_in_the_kernel(
        task in tasks(&Shape { agent_actions: false, ..Shape::default() }), seed: u64, count in 1..90_u32,
    ) {
        compare_random(task, seed, count);
    }
}

#[test]
fn batches_of_bundled_domains_are_the_same_in_the_kernel() {
    let mut compared = Vec::new();
    for (turn, name) in (0..).zip(Registry::names().expect("names")) {
        let suite = Registry::get(&name).expect("a bundled domain");
        // Each action is one operator.
        let text = suite.problem_text(0).expect("a problem");
        let problem = Problem::from_text(&text, suite.domain()).expect("a problem");
        let one = Suite::from_problems(suite.domain().clone(), [problem], ActionMode::Operators);
        let one = one.expect("a suite");
        for seed in 0..2 {
            let Some(applied) = compare(&one, 40, 10 * turn + seed, 100) else {
                break;
            };
            assert!(applied > 100, "{name}: {applied}");
            if seed == 0 {
                compared.push(name.clone());
            }
        }
    }
    assert!(compared.is_empty() || compared.len() > 40, "{compared:?}");
}
