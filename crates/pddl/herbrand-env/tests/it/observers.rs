//! Observers over suites: goal bits, matrices of objects and predicates, and updates of kept rows.

use std::collections::BTreeSet;

use crate::batch::{self, Walk};
use herbrand_core::Observer;
use herbrand_env::{
    Autoreset, Bits, BufferContents, Env, EnvOptions, GoalBits, Ids, ObservationMode, ObservedAtoms,
    OneHotByObject, PackedBits, PlanningEnv, Registry, Suite, VecOptions, VisibleBits,
};

fn suite(name: &str) -> Suite {
    Registry::get(name).expect("a bundled domain")
}

/// Returns the observation of an environment.
fn observe<O: Observer<Suite>>(env: &Env<O>) -> Vec<O::Element> {
    let layout = env.observer().layout(env.problems()).expect("sound problems");
    let mut row = vec![O::Element::default(); layout.len() + 3];
    env.write_observation(&mut row).expect("reset before");
    assert!(
        row[layout.len()..]
            .iter()
            .all(|&element| element == O::Element::default())
    );
    row.truncate(layout.len());
    row
}

#[test]
fn goal_bits_tell_problems_apart_that_begin_alike() {
    let suite = suite("blocks");
    let observer = Bits::with_goal(ObservedAtoms::Changing, &suite).expect("sound problems");
    let layout = observer.layout(&suite).expect("sound problems");
    let (state, goal) = (
        layout.range("state").expect("a part"),
        layout.range("goal").expect("a part"),
    );
    let mut env = Env::observed(suite.clone(), observer, EnvOptions::default()).expect("problems");
    for seed in 0..20 {
        env.reset(Some(seed)).expect("a reset");
        for _ in 0..5 {
            let row = observe(&env);
            let mut bits = vec![0; state.len()];
            env.write_bits(ObservedAtoms::Changing, &mut bits)
                .expect("reset before");
            assert_eq!(row[state.clone()], bits);
            let instance = env.instance().expect("reset before");
            let atoms = instance.atoms();
            let wanted = (0..).zip(&row[goal.clone()]).filter(|(_, bit)| **bit == 1);
            let wanted: BTreeSet<_> = wanted
                .map(|(id, _)| atoms.display(herbrand_env::ObservedId::new(id)).to_string())
                .collect();
            let problem = suite
                .parse_problem(env.problem().expect("reset before"))
                .expect("a problem");
            let text = problem.to_pddl(suite.domain());
            let asked = text.split_once("(:goal").expect("a goal").1;
            assert!(
                !wanted.is_empty() && wanted.iter().all(|atom| asked.contains(atom.as_str())),
                "{wanted:?}"
            );
            assert_eq!(
                wanted.len(),
                env.system().expect("reset before").goal_progress().literals
            );
            let action = env
                .sample_action()
                .expect("reset before")
                .expect("something to do");
            if env.step(action).expect("valid").ended() {
                break;
            }
        }
    }
}

#[test]
fn a_matrix_has_a_one_where_an_atom_has_the_object() {
    for name in ["blocks", "sokoban", "elevator-adl"] {
        let suite = suite(name);
        let observer = OneHotByObject::of(&suite);
        let layout = observer.layout(&suite).expect("sound problems");
        let [rows, columns] = layout.fields()[0].shape[..] else {
            panic!("a matrix")
        };
        let mut env = Env::observed(suite.clone(), observer, EnvOptions::default()).expect("problems");
        for seed in 0..10 {
            env.reset(Some(seed)).expect("a reset");
            let row = observe(&env);
            let instance = env.instance().expect("reset before");
            let (atoms, vocabulary) = (instance.atoms(), &instance.simulator().task().vocabulary);
            let walker = env.system().expect("reset before").walker();
            let mut expected = vec![0; rows * columns];
            for fact in atoms
                .observe(walker, ObservedAtoms::All)
                .filter_map(|id| atoms.get(id))
            {
                let all = (0..vocabulary.objects.len()).collect::<Vec<_>>();
                let some = fact
                    .arguments
                    .iter()
                    .map(|object| object.index())
                    .collect::<Vec<_>>();
                for object in if fact.arguments.is_empty() { all } else { some } {
                    expected[object * columns + fact.predicate.index()] = 1;
                }
            }
            assert_eq!(row, expected, "{name}");
            assert!(expected.contains(&1));
        }
    }
}

/// Unpacks bytes into bits, lowest bit first.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let bits = bytes
        .iter()
        .flat_map(|byte| (0..8).map(move |bit| byte >> bit & 1));
    bits.collect()
}

#[test]
fn packed_bits_are_bits_the_lowest_first() {
    for name in ["blocks", "sokoban", "blocks-derived", "tireworld"] {
        for suite in [
            suite(name),
            suite(name).with_ids(Ids::Suite).expect("few enough to number"),
        ] {
            for part in [ObservedAtoms::All, ObservedAtoms::Changing] {
                let goals = Bits::with_goal(part, &suite).expect("sound problems");
                let packed = PackedBits::of(&suite, part, GoalBits::Beside).expect("sound problems");
                let stride = suite.sizes(part).expect("sound problems").atoms;
                let bytes = packed
                    .layout(&suite)
                    .expect("sound problems")
                    .range("state")
                    .expect("a part")
                    .end;
                assert_eq!(bytes, stride.div_ceil(8));
                let width = goals.layout(&suite).expect("sound problems").len().max(1);
                let packed = run(&suite, &packed, batch::KEPT);
                let rows = run(&suite, &goals, batch::FRESH).into_iter().zip(&packed);
                for ((expected, _), (found, _)) in rows {
                    let both = expected.chunks(width).zip(found.chunks(2 * bytes));
                    for (expected, found) in both {
                        let (state, goal) = expected.split_at(stride);
                        let (packed_state, packed_goal) = found.split_at(bytes);
                        assert_eq!(unpacked(packed_state)[..stride], *state, "{name}");
                        assert_eq!(unpacked(packed_goal)[..stride], *goal, "{name}");
                    }
                }
            }
        }
    }
}

/// Returns all observations and masks of some steps of a batch over problems of different sizes.
fn run<O: Observer<Suite>>(
    suite: &Suite,
    observer: &O,
    rows: &'static [BufferContents],
) -> Vec<(Vec<O::Element>, Vec<u8>)> {
    let options = VecOptions {
        env: EnvOptions {
            horizon: herbrand_env::EpisodeHorizon::Steps(3),
            ..EnvOptions::default()
        },
        autoreset: Autoreset::SameStep,
        threads: 2,
        ..VecOptions::default()
    };
    let walk = Walk {
        count: 12,
        steps: 40,
        seed: 5,
        rows,
    };
    let seen = batch::walk(suite, observer, options, walk, |_, _| ());
    seen.into_iter()
        .map(|held| (held.observations, held.masks))
        .collect()
}

#[test]
fn rows_that_are_kept_hold_what_fresh_ones_hold() {
    let own = ["blocks", "sokoban", "gripper", "blocks-derived"].map(suite);
    // The masks of these suites are wide enough for updates of single alternatives.
    let wide =
        ["logistics", "blocks"].map(|name| suite(name).with_ids(Ids::Suite).expect("few enough to number"));
    assert!(wide[0].sizes(ObservedAtoms::All).expect("sound problems").actions > 1024);
    for suite in own.into_iter().chain(wide) {
        let name = suite.name();
        let bits = Bits::of(ObservedAtoms::All);
        assert_eq!(
            run(&suite, &bits, batch::KEPT),
            run(&suite, &bits, batch::FRESH),
            "{name}"
        );
        let goals = Bits::with_goal(ObservedAtoms::Changing, &suite).expect("sound problems");
        assert_eq!(
            run(&suite, &goals, batch::KEPT),
            run(&suite, &goals, batch::FRESH),
            "{name}"
        );
        let matrix = OneHotByObject::of(&suite);
        assert_eq!(
            run(&suite, &matrix, batch::KEPT),
            run(&suite, &matrix, batch::FRESH),
            "{name}"
        );
    }
}

#[test]
fn every_mode_has_a_name_and_writes_what_its_observer_writes() {
    let suite = suite("blocks");
    for mode in ObservationMode::ALL {
        assert_eq!(mode.name().parse(), Ok(mode));
        let named = mode
            .observer(&suite, ObservedAtoms::Changing)
            .expect("sound problems");
        let rows = run(&suite, &named, batch::KEPT);
        let expected = match mode {
            ObservationMode::Bits => run(&suite, &Bits::of(ObservedAtoms::Changing), batch::FRESH),
            ObservationMode::BitsAndGoal => {
                let bits = Bits::with_goal(ObservedAtoms::Changing, &suite).expect("sound problems");
                run(&suite, &bits, batch::FRESH)
            }
            ObservationMode::PackedBits => {
                let bits = PackedBits::of(&suite, ObservedAtoms::Changing, GoalBits::Absent)
                    .expect("sound problems");
                run(&suite, &bits, batch::FRESH)
            }
            ObservationMode::PackedBitsAndGoal => {
                let bits = PackedBits::of(&suite, ObservedAtoms::Changing, GoalBits::Beside)
                    .expect("sound problems");
                run(&suite, &bits, batch::FRESH)
            }
            ObservationMode::OneHot => run(&suite, &OneHotByObject::of(&suite), batch::FRESH),
            ObservationMode::Seen => {
                let seen = VisibleBits::of(&suite, ObservedAtoms::Changing).expect("sound problems");
                run(&suite, &seen, batch::FRESH)
            }
        };
        assert_eq!(rows, expected, "{}", mode.name());
    }
    let unknown = "bit".parse::<ObservationMode>().expect_err("no such mode");
    assert!(unknown.contains("bits-and-goal"), "{unknown}");
}
