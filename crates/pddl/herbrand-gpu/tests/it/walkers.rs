//! The kernel against walkers: random tasks, and all bundled domains.

use herbrand_core::{Autoreset, DeadEnd, EpisodeRules, Problems, Random};
use herbrand_env::Registry;
use herbrand_gpu::{BatchMemory, CallKind, GpuError, KernelTables, Planes, episode_words, generators, plane};
use herbrand_ground::strategies::{Builder, TaskSketch, sketches};
use herbrand_limits::Budget;
use herbrand_step::{Chance, Derived, Options, Simulator, SlicedError, SlicedTask};
use proptest::prelude::*;

use crate::reference::Reference;
use crate::twin::Twin;

/// Returns rules of episodes drawn at random.
fn rules(random: &mut Random) -> (EpisodeRules, Autoreset) {
    let rules = EpisodeRules {
        horizon: *random
            .choose(&[None, Some(0), Some(1), Some(4), Some(30)])
            .expect("horizons"),
        goal_ends: random.chance(0.6),
        dead_end: if random.chance(0.6) {
            DeadEnd::Ends
        } else {
            DeadEnd::Continues
        },
        ..EpisodeRules::default()
    };
    let modes = [Autoreset::NextStep, Autoreset::SameStep, Autoreset::Disabled];
    (rules, *random.choose(&modes).expect("modes"))
}

/// Makes the same calls on the kernel and on walkers. Returns how many operators were carried out; `None` if the task does not
/// fit, or if there is no C compiler.
fn compare(simulator: &Simulator, count: u32, seed: u64, calls: usize) -> Option<usize> {
    let budget = Budget::unlimited();
    let tables = SlicedTask::new(simulator, &budget)
        .map_err(GpuError::from)
        .and_then(|task| KernelTables::new(&task, &budget));
    let tables = match tables {
        Ok(tables) => tables,
        Err(GpuError::Unfit(
            SlicedError::Undefined { .. }
            | SlicedError::Rewards { .. }
            | SlicedError::Numbers { .. }
            | SlicedError::Comparisons
            | SlicedError::Actions { .. },
        )) => return None,
        Err(error) => panic!("{error}"),
    };
    let mut twin = Twin::new(&tables, count)?;
    let mut random = Random::new(seed);
    let (rules, autoreset) = rules(&mut random);
    let episode = episode_words(&rules, autoreset);
    let mut walkers = Reference::new(simulator, count, seed, rules, autoreset);
    let mut memory = BatchMemory::new(&tables, count);
    memory.random = generators(count, seed);
    for call in 0..calls {
        let place = format!("after call {call} of {autoreset:?}, {rules:?}, seed {seed}");
        match random.below(20) {
            kind if call == 0 || kind < 3 => {
                let some: Vec<bool> = (0..count).map(|_| call == 0 || random.chance(0.3)).collect();
                let which = |index: usize| some[index];
                memory.write(&tables, Planes::Begins, &plane(count, which));
                twin.call(CallKind::Begin, episode, &mut memory);
                walkers.begin(which);
            }
            3..9 => {
                for index in 0..count as usize {
                    let valid = walkers
                        .any_valid(index, &mut random)
                        .filter(|_| random.chance(0.8));
                    let any = random.below(tables.planes(Planes::Valid).1 as u32 + 2);
                    walkers.actions[index] = valid.unwrap_or(any);
                }
                memory.actions.clone_from(&walkers.actions);
                twin.call(CallKind::Given, episode, &mut memory);
                walkers.step(false);
            }
            _ => {
                twin.call(CallKind::Sampled, episode, &mut memory);
                walkers.step(true);
            }
        }
        walkers.check(&tables, &memory, &place);
    }
    Some(walkers.applied)
}

fn compare_random(sketch: &TaskSketch, seed: u64, count: u32, calls: usize) {
    let options = Options {
        derived: if seed.is_multiple_of(2) {
            Derived::Needed
        } else {
            Derived::All
        },
        chance: if seed.is_multiple_of(5) {
            Chance::MostLikely
        } else {
            Chance::Drawn
        },
        ..Options::default()
    };
    let sketch = TaskSketch {
        numbers: 0,
        ..sketch.clone()
    };
    compare(
        &Simulator::with_options(sketch.build(), options),
        count,
        seed,
        calls,
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn the_kernel_agrees_with_walkers_on_random_tasks(sketch in sketches(), seed: u64, count in 1..100_u32) {
        compare_random(&sketch, seed, count, 12);
    }

    #[test]
    fn long_walks_of_small_tasks_agree(sketch in sketches(), seed: u64, count in 1..70_u32) {
        let sketch = TaskSketch { actions: sketch.actions.min(12), ..sketch };
        compare_random(&sketch, seed, count, 100);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, ..ProptestConfig::default() })]

    #[test]
    #[ignore = "takes many minutes"]
    fn many_random_tasks_agree(sketch in sketches(), seed: u64, count in 1..200_u32) {
        let sketch = TaskSketch { actions: sketch.actions.min(150), ..sketch };
        compare_random(&sketch, seed, count, 100);
    }
}

#[test]
fn the_kernel_agrees_with_walkers_on_bundled_domains() {
    let mut compared = Vec::new();
    for (turn, name) in (0..).zip(Registry::names().expect("names")) {
        let suite = Registry::get(&name).expect("a bundled domain");
        let planning = suite.system(0).expect("a problem");
        let simulator = planning.walker().simulator();
        for seed in 0..3 {
            let Some(applied) = compare(simulator, 50, 10 * turn + seed, 100) else {
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

#[test]
fn a_word_that_no_number_can_use_is_drawn_again() {
    let mut builder = Builder::new(1, 0, 0, 0);
    let (always, nothing) = (builder.condition(&[]), builder.change(&[], &[]));
    (0..3).for_each(|_| builder.action(always, nothing));
    let (simulator, budget) = (Simulator::new(builder.build()), Budget::unlimited());
    let task = SlicedTask::new(&simulator, &budget).expect("it fits");
    let tables = KernelTables::new(&task, &budget).expect("it fits");
    let Some(mut twin) = Twin::new(&tables, 1) else {
        return;
    };
    let mut memory = BatchMemory::new(&tables, 1);
    memory.random = generators(1, 5);
    // The counter and the increment of the actions. The next word is 0: of 2^32 words, it is one more than a multiple of 3.
    memory.random[64] = memory.random[96].wrapping_neg();
    let [_, before] = memory.streams(0).expect("a seed");
    let mut after = before.clone();
    let (expected, mut once) = (after.below(3), before);
    once.below(1);
    assert_ne!(once, after, "two words are drawn");
    memory.write(&tables, Planes::Begins, &[1]);
    twin.call(CallKind::Begin, [0, 0], &mut memory);
    twin.call(CallKind::Sampled, [0, 0], &mut memory);
    assert_eq!(
        (&memory.actions[..], &memory.streams(0).expect("a seed")[1]),
        (&[expected][..], &after)
    );
}
