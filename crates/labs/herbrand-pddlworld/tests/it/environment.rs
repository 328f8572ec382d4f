//! Worlds as environments: rewards, ends, initial sketches, queries, masks, batches.

use herbrand_core::{
    ActionTextError, Batch, BufferContents, Choice, Described, Env, EnvOptions, Observer, PackedStates,
    Problems, Random, RolloutOptions, RolloutPolicy, Snapshot, System, VecEnv, VecOptions, roll_out,
};
use herbrand_pddlworld::{
    ActionForm, Ends, Question, Rewards, SketchBits, SketchIntegers, Start, Target, World, WorldAction,
    WorldError, WorldOptions, Worlds,
};
use proptest::prelude::*;
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::{pairs, sketches};

/// All kinds of rewards.
const ALL: Rewards = Rewards {
    distance: 1.0,
    agreement: 0.5,
    equivalent: 2.0,
    solved: 0.25,
    likelihood: 3.0,
    noise: 0.05,
    step_cost: 0.01,
};

fn worlds(options: WorldOptions) -> Worlds {
    Worlds::new(vec![Arc::new(Target::light_switch()), Arc::new(pairs())], options).expect("worlds")
}

/// Returns options with which no episode ends.
fn endless(rewards: Rewards) -> WorldOptions {
    let ends = Ends {
        equal: false,
        equivalent: false,
        solved: false,
        submitted: false,
    };
    WorldOptions {
        rewards,
        ends,
        start: Start::Random,
        ..WorldOptions::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    /// The rewards of an episode sum to the difference of its last and first score, and incremental scores equal recomputed
    /// ones.
    #[test]
    fn rewards_add_up((seed, problem) in (any::<u64>(), 0..2_usize)) {
        let worlds = worlds(endless(ALL));
        let mut world = worlds.system(problem).expect("a world");
        let mut random = Random::new(seed);
        world.reset(&mut random).expect("a start");
        let (first, mut sum, mut joint) = (world.score(), 0.0, Vec::new());
        for _ in 0..12 {
            prop_assert!(world.sample(&mut random, &mut joint));
            sum += world.step(&joint, &mut random).expect("a valid action").reward + ALL.step_cost;
            let mut again = worlds.system(problem).expect("a world");
            again.set_state(world.state()).expect("a state");
            prop_assert_eq!(again.score().to_bits(), world.score().to_bits());
            prop_assert_eq!(again.status(), world.status());
        }
        prop_assert!((world.score() - first - sum).abs() < 1e-9);
    }

    /// Scores are from 0 to 1, and the target has the greatest score of each kind.
    #[test]
    fn the_target_has_the_best_score(sketch in sketches(&pairs())) {
        let (target, noise) = (pairs(), 0.05);
        let best = target.predictions(target.sketch());
        let seen = target.predictions(&sketch);
        prop_assert_eq!((best.wrong, best.right), (0, seen.right + seen.wrong));
        prop_assert!((best.likelihood(noise) - 0.95).abs() < 1e-12);
        prop_assert!(seen.likelihood(noise) >= noise - 1e-12 && seen.likelihood(noise) <= best.likelihood(noise));
        prop_assert!((0.0..=1.0).contains(&target.agreement(&sketch)));
        prop_assert_eq!(target.agreement(target.sketch()), 1.0);
        if target.is_equivalent(&sketch) {
            prop_assert_eq!(seen.wrong, 0);
            prop_assert!(target.verdict(&sketch, 0, 1000).is_solved());
        }
    }

    /// Packing and unpacking a state returns the state.
    #[test]
    fn states_can_be_packed((seed, steps) in (any::<u64>(), 0..9)) {
        let options = WorldOptions { queries: true, ..endless(Rewards::NONE) };
        let mut env = Env::observed(worlds(options), SketchBits, EnvOptions::default()).expect("an environment");
        env.reset(Some(seed)).expect("a start");
        for _ in 0..steps {
            let joint = env.sample().expect("a world").expect("an action");
            env.step(&joint).expect("a step");
        }
        let saved = env.save().expect("a state");
        let bytes = saved.pack::<Worlds>();
        prop_assert_eq!(Snapshot::unpack(env.problems(), &bytes), Some(saved.clone()));
        let other = (saved.problem + 1) % 2;
        let state = Worlds::pack(&saved.state);
        prop_assert_eq!(env.problems().unpack(other, &state), None);
        prop_assert_eq!(env.problems().unpack(saved.problem, &state[1..]), None);
    }

    /// Masks, choices, validity and sampling agree with each other.
    #[test]
    fn masks_are_what_steps_accept(seed in any::<u64>()) {
        let options = WorldOptions { queries: true, ..endless(Rewards::NONE) };
        let options = WorldOptions { ends: Ends { submitted: true, ..options.ends }, ..options };
        let mut world = worlds(options).system(0).expect("a world");
        let mut random = Random::new(seed);
        world.reset(&mut random).expect("a start");
        let count = world.actions().mask_len();
        // 24 edits, 3 questions, and submitting.
        prop_assert_eq!(count, 28);
        let mut mask = vec![9; count + 2];
        world.write_mask(&mut mask);
        prop_assert_eq!(&mask[count..], &[0, 0]);
        let mut choices = Vec::new();
        world.choices(&mut choices);
        prop_assert_eq!((choices.len(), world.choice_count()), (20, 20));
        for number in 0..count as u32 {
            let choice = Choice::discrete(number);
            prop_assert_eq!(world.is_valid(&[choice]), mask[number as usize] == 1);
            prop_assert_eq!(choices.contains(&choice), mask[number as usize] == 1);
            prop_assert_eq!(world.clone().step(&[choice], &mut random).is_ok(), mask[number as usize] == 1);
            prop_assert_eq!(world.parse_choice(&world.choice_text(choice)), Ok(choice));
        }
        let mut drawn = vec![0; count];
        let mut joint = Vec::new();
        for _ in 0..2000 {
            prop_assert!(world.sample(&mut random, &mut joint));
            drawn[joint[0].alternative().expect("a number") as usize] += 1;
        }
        for number in 0..count {
            // Each valid action is expected 100 times.
            prop_assert!(if mask[number] == 1 { drawn[number] > 40 } else { drawn[number] == 0 }, "{drawn:?}");
        }
    }
}

/// Climbs greedily by score until no action improves it. Returns the final world and the number of steps.
fn climb(target: Target, rewards: Rewards) -> (World, u32) {
    let options = WorldOptions {
        rewards,
        ..WorldOptions::default()
    };
    let worlds = Worlds::new(vec![Arc::new(target)], options).expect("worlds");
    let mut world = worlds.system(0).expect("a world");
    for steps in 0.. {
        let mut choices = Vec::new();
        world.choices(&mut choices);
        let score = |choice: &Choice| {
            let mut next = world.clone();
            let step = next.step(&[*choice], &mut Random::new(0));
            step.expect("a valid edit").reward
        };
        let best = choices.into_iter().max_by(|a, b| score(a).total_cmp(&score(b)));
        match best.filter(|best| score(best) > 0.0 && !world.status().goal) {
            Some(best) => world.step(&[best], &mut Random::new(0)).expect("a step"),
            None => return (world, steps),
        };
    }
    unreachable!("scores cannot grow for ever")
}

#[test]
fn greedy_search_by_behaviour_reaches_the_target() {
    for rewards in [
        Rewards {
            distance: 1.0,
            ..Rewards::NONE
        },
        Rewards {
            agreement: 1.0,
            ..Rewards::NONE
        },
    ] {
        let (world, steps) = climb(Target::light_switch(), rewards);
        assert!(world.status().goal && steps == 6, "{rewards:?}");
    }
    // The walks visit two of the four states of the light switch, so a model without errors need not be equivalent.
    let likelihood = Rewards {
        likelihood: 1.0,
        ..Rewards::NONE
    };
    let (world, steps) = climb(Target::light_switch(), likelihood);
    let seen = world.target().predictions(world.sketch());
    assert_eq!((world.status().goal, steps, seen.wrong), (false, 6, 0));
    // A reward for equivalence only gives no gradient at the empty model.
    let equivalent = Rewards {
        equivalent: 1.0,
        ..Rewards::NONE
    };
    assert_eq!(climb(Target::light_switch(), equivalent).1, 0);
}

/// Searches best-first by score. Returns the number of expanded states, or `None` if it would exceed `most`.
fn best_first(target: Target, rewards: Rewards, most: usize) -> Option<usize> {
    let options = WorldOptions {
        rewards,
        ..WorldOptions::default()
    };
    let worlds = Worlds::new(vec![Arc::new(target)], options).expect("worlds");
    let start = worlds.system(0).expect("a world");
    let mut known = HashSet::from([start.state().clone()]);
    let mut open = vec![start];
    for expanded in 0..most {
        let best = (0..open.len()).max_by(|&a, &b| open[a].score().total_cmp(&open[b].score()))?;
        let world = open.swap_remove(best);
        if world.status().goal {
            return Some(expanded);
        }
        let mut choices = Vec::new();
        world.choices(&mut choices);
        for choice in choices {
            let mut next = world.clone();
            next.step(&[choice], &mut Random::new(0)).expect("a valid edit");
            if known.insert(next.state().clone()) {
                open.push(next);
            }
        }
    }
    None
}

#[test]
fn best_first_search_by_behaviour_reaches_a_lifted_target() {
    let agreement = Rewards {
        agreement: 1.0,
        ..Rewards::NONE
    };
    let found = best_first(pairs(), agreement, 300);
    assert!(
        found.is_some(),
        "greedy steps stop at a model that is too careful"
    );
    println!("{found:?} models were expanded");
    // A reward for equivalence only does not guide the search.
    let equivalent = Rewards {
        equivalent: 1.0,
        ..Rewards::NONE
    };
    assert_eq!(best_first(pairs(), equivalent, 100), None);
}

#[test]
fn ends_are_as_the_options_say() {
    let none = Ends {
        equal: false,
        equivalent: false,
        solved: false,
        submitted: false,
    };
    let status = |ends: Ends, numbers: [u32; 2]| {
        let target = Target::light_switch();
        let numbers = numbers.map(Into::into);
        let sketch =
            herbrand_pddlworld::Sketch::from_integers(target.vocabulary(), &numbers).expect("a sketch");
        let options = WorldOptions {
            ends,
            start: Start::Given(sketch),
            ..WorldOptions::default()
        };
        let mut world = Worlds::light_switch(options)
            .expect("worlds")
            .system(0)
            .expect("a world");
        world.reset(&mut Random::new(0)).expect("a start");
        world
    };
    // The target, and a model that solves both problems without being equivalent: it ignores the switch.
    let (right, lazy) = ([1297, 612], [1170, 0b001_010_100_010]);
    for (ends, numbers, goal) in [
        (none, right, false),
        (Ends { equal: true, ..none }, right, true),
        (
            Ends {
                equivalent: true,
                ..none
            },
            right,
            true,
        ),
        (Ends { solved: true, ..none }, right, true),
        (Ends { equal: true, ..none }, lazy, false),
        (
            Ends {
                equivalent: true,
                ..none
            },
            lazy,
            false,
        ),
        (Ends { solved: true, ..none }, lazy, true),
        (
            Ends {
                submitted: true,
                ..none
            },
            right,
            false,
        ),
    ] {
        let world = status(ends, numbers);
        assert_eq!(
            (world.status().goal, world.status().terminal),
            (goal, false),
            "{ends:?} {numbers:?}"
        );
    }
    for (numbers, goal) in [(right, true), (lazy, false)] {
        let mut world = status(
            Ends {
                submitted: true,
                ..none
            },
            numbers,
        );
        let joint = world.joint(WorldAction::Submit).expect("it can be submitted");
        let step = world.step(&joint, &mut Random::new(0)).expect("a step");
        assert_eq!((step.status.goal, step.status.terminal), (goal, true));
    }
}

#[test]
fn starts_are_as_the_options_say() {
    let start = |start: Start, seed| {
        let target = Arc::new(pairs());
        let options = WorldOptions {
            start,
            ..WorldOptions::default()
        };
        let mut world = Worlds::new(vec![target], options)
            .expect("worlds")
            .system(0)
            .expect("a world");
        world.reset(&mut Random::new(seed)).expect("a start");
        (world.sketch().clone(), world.distance())
    };
    let target = pairs();
    for seed in 0..50 {
        assert_eq!(start(Start::Corrupted(3), seed).1, 3);
        assert_eq!(
            start(Start::Corrupted(1000), seed).1 as usize,
            2 * target.vocabulary().len()
        );
        assert_eq!(start(Start::Empty, seed), start(Start::Empty, 0));
        assert_eq!(start(Start::Given(target.sketch().clone()), seed).1, 0);
    }
    assert_ne!(start(Start::Random, 1), start(Start::Random, 2));
    assert_eq!(start(Start::Random, 1), start(Start::Random, 1));
}

#[test]
fn questions_are_answered() {
    let options = WorldOptions {
        queries: true,
        ..WorldOptions::default()
    };
    let worlds = Worlds::light_switch(options).expect("worlds");
    let mut env = Env::observed(worlds, SketchBits, EnvOptions::default()).expect("an environment");
    env.reset(Some(1)).expect("a start");
    let layout = SketchBits.layout(env.problems()).expect("a layout");
    assert_eq!(layout.len(), 24 + 6 + 8 + 2);
    let mut seen = vec![9; layout.len()];
    let mut ask = |env: &mut Env<Worlds, SketchBits>, question| {
        let joint = env
            .system()
            .expect("a world")
            .joint(WorldAction::Ask(question))
            .expect("a question");
        let step = env.step(&joint).expect("a step");
        assert_eq!(step.reward, 0.0);
        env.write_observation(&mut seen).expect("an observation");
        seen.clone()
    };
    let bits = ask(&mut env, Question::Equivalent);
    assert_eq!(
        bits[layout.range("answers").expect("answers")],
        [1, 0, 0, 0, 0, 0]
    );
    // The counterexample: turning on while the switch is on is applicable in the model but not in the target.
    assert_eq!(
        bits[layout.range("witness").expect("a witness")],
        [0, 1, 1, 0, 0, 0, 0, 0]
    );
    assert_eq!(bits[layout.range("applicable").expect("bits")], [1, 0]);
    let bits = ask(&mut env, Question::Solves(1));
    assert_eq!(
        bits[layout.range("answers").expect("answers")],
        [0, 0, 0, 0, 1, 0]
    );
    assert!(
        bits[layout.range("witness").expect("a witness")]
            .iter()
            .all(|bit| *bit == 0)
    );
    // An edit removes the answer.
    let edit = env
        .system()
        .expect("a world")
        .parse_choice("effect turn-on (lit) positive")
        .expect("an edit");
    env.step(edit).expect("a step");
    assert_eq!(env.state().expect("a state").answer, None);
    let bits = ask(&mut env, Question::Solves(0));
    assert_eq!(
        bits[layout.range("answers").expect("answers")],
        [0, 0, 0, 1, 0, 0]
    );
}

#[test]
fn four_numbers_are_an_action() {
    let options = WorldOptions {
        actions: ActionForm::Tuple,
        ..WorldOptions::default()
    };
    let worlds = worlds(options.clone());
    let mut env =
        Env::observed(worlds.clone(), SketchIntegers, EnvOptions::default()).expect("an environment");
    env.reset_to(Some(1), herbrand_core::ProblemChoice::Index(0))
        .expect("a start");
    let mut joint = Vec::new();
    for row in [
        [0, 0, 0, 2],
        [0, 1, 0, 0],
        [1, 0, 0, 0],
        [1, 0, 1, 0],
        [1, 1, 0, 2],
        [1, 1, 0, 2],
        [1, 1, 1, 2],
    ] {
        let row = row.map(f64::from);
        env.system()
            .expect("a world")
            .actions()
            .read_row(&row, &mut joint)
            .expect("four numbers");
        let step = env.step(&joint).expect("a step");
        assert_eq!(step.goal, row == [1.0, 1.0, 1.0, 2.0]);
    }
    let mut seen = [0; 4];
    env.write_observation(&mut seen).expect("integers");
    assert_eq!(seen[0], 1297);
    // The second operator of the other target has fewer literals than the operator with the most.
    let world = worlds.system(1).expect("a world");
    world
        .actions()
        .read_row(&[0.0, 1.0, 6.0, 0.0], &mut joint)
        .expect("four numbers");
    assert!(!world.is_valid(&joint));
    let error = world
        .clone()
        .step(&joint, &mut Random::new(0))
        .expect_err("no literal");
    assert_eq!(error.to_string(), "`turn` has no literal 6: it has 6");
    assert!(world.sample(&mut Random::new(3), &mut joint) && world.is_valid(&joint));
    for (options, text) in [
        (
            WorldOptions {
                queries: true,
                ..options.clone()
            },
            "need numbered actions",
        ),
        (
            WorldOptions {
                horizon: Some(0),
                ..options.clone()
            },
            "a horizon is 1 or more",
        ),
        (
            WorldOptions {
                rewards: Rewards { noise: 0.0, ..ALL },
                ..options.clone()
            },
            "a probability between 0 and 1",
        ),
        (
            WorldOptions {
                rewards: Rewards {
                    solved: f64::NAN,
                    ..ALL
                },
                ..options.clone()
            },
            "finite numbers",
        ),
        (
            WorldOptions {
                start: Start::Given(pairs().sketch().clone()),
                ..options
            },
            "is no sketch of `light-switch`",
        ),
    ] {
        let error = Worlds::light_switch(options)
            .expect_err("they contradict each other")
            .to_string();
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn actions_are_read_and_faults_told() {
    let target = Target::light_switch();
    for (text, expected) in [
        (
            "precondition turn-on (on) negative",
            "precondition turn-on (on) negative",
        ),
        (" Effect TURN-OFF ( lit ) absent", "effect turn-off (lit) absent"),
        ("0 1 0 2", "precondition turn-off (on) negative"),
        ("(1, 0, 1, 0)", "effect turn-on (lit) positive"),
        ("ask night", "ask night"),
        ("submit", "submit"),
    ] {
        let action = target.parse_action(text).expect(text);
        assert_eq!(target.action_text(action), expected);
    }
    for (text, expected) in [
        ("", "is no action"),
        ("effects turn-on (lit) positive", "did you mean `effect`?"),
        ("effect turn-onn (lit) positive", "did you mean `turn-on`?"),
        ("effect turn-on (light) positive", "did you mean `(lit)`?"),
        ("effect turn-on (lit) negativ", "did you mean `negative`?"),
        ("ask nigth", "did you mean `night`?"),
        ("0 1 2", "four numbers (clause, operator, literal, value), not 3"),
        ("2 0 0 0", "clause 2 is neither 0"),
        ("0 2 0 0", "there is no operator 2: there are 2"),
        ("0 0 2 0", "`turn-on` has no literal 2: it has 2"),
        ("0 0 0 3", "value 3 is not 0"),
    ] {
        let error = target.parse_action(text).expect_err(text).to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    // A world without questions rejects them.
    let mut world = Worlds::light_switch(WorldOptions::default())
        .expect("worlds")
        .system(0)
        .expect("a world");
    assert_eq!(
        world.parse_choice("submit"),
        Err(ActionTextError::new("`submit` is no action of this world"))
    );
    let state = worlds(WorldOptions::default())
        .system(1)
        .expect("a world")
        .state()
        .clone();
    assert_eq!(world.set_state(&state), Err(WorldError::ForeignState));
}

/// A batch behaves like single environments.
#[test]
fn batches_do_what_single_environments_do() {
    let options = WorldOptions {
        start: Start::Corrupted(2),
        rewards: ALL,
        ..WorldOptions::default()
    };
    let (worlds, count) = (worlds(options), 5);
    let mut envs = VecEnv::new(
        &worlds,
        &SketchBits,
        count,
        VecOptions {
            threads: 2,
            ..VecOptions::default()
        },
    )
    .expect("a batch");
    let widths = envs.widths();
    let (mut observations, mut masks) = (vec![0; count * widths.observation], vec![0; count * widths.mask]);
    let (mut rewards, mut terminated, mut truncated) = ([0.0; 5], [false; 5], [false; 5]);
    let mut singles: Vec<_> = (0..count)
        .map(|seed| {
            let mut env =
                Env::observed(worlds.clone(), SketchBits, EnvOptions::default()).expect("an environment");
            env.reset(Some(9 + seed as u64)).expect("a start");
            env
        })
        .collect();
    let mut actions = [0.0; 5];
    for step in 0..30 {
        let mut batch = Batch {
            observations: &mut observations,
            masks: &mut masks,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            flags: &mut [],
            final_observations: &mut [],
            final_flags: &mut [],
            rows: BufferContents::Fresh,
        };
        if step == 0 {
            envs.reset(Some(9), &mut batch).expect("starts");
        } else {
            envs.step(&actions, &mut batch).expect("steps");
        }
        for (number, env) in singles.iter_mut().enumerate() {
            if step > 0 {
                if env.episode().expect("an episode").is_running() {
                    let action = Choice::discrete(actions[number] as u32);
                    assert_eq!(
                        env.step(action).expect("a step").reward.to_bits(),
                        rewards[number].to_bits()
                    );
                } else {
                    env.reset(None).expect("a start");
                }
            }
            let mut seen = vec![0; widths.observation];
            env.write_observation(&mut seen).expect("an observation");
            assert_eq!(
                seen,
                observations[number * widths.observation..][..widths.observation]
            );
            let mut mask = vec![0; widths.mask];
            env.write_mask(&mut mask).expect("a mask");
            assert_eq!(mask, masks[number * widths.mask..][..widths.mask]);
            let joint = env.sample().expect("a world").expect("an action");
            actions[number] = f64::from(joint[0].alternative().expect("a number"));
        }
    }
}

#[test]
fn roll_outs_have_one_fingerprint_on_any_number_of_threads() {
    let worlds = worlds(WorldOptions {
        start: Start::Random,
        ..WorldOptions::default()
    });
    let run = |threads| {
        let options = RolloutOptions {
            episodes: 20,
            threads,
            ..RolloutOptions::default()
        };
        let stop = AtomicBool::new(false);
        roll_out(&worlds, &RolloutPolicy::Random, &options, &|_| {}, &stop).expect("a roll-out")
    };
    assert_eq!(run(1).digest, run(2).digest);
}
