//! Lifted and grounded engines produce the same episodes with agent actions in every bundled domain.

use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use herbrand_core::{Choice, Described, FactValue, Memory, Observer, PackedStates, Problems};
use herbrand_env::{
    ActionMode, Bits, Domain, EngineKind, Engines, EnvError, Lifted, LiftedSuite, ObservedAtoms, Planning,
    Problem, Registry, RolloutOptions, RolloutPolicy, Streams, Suite, System, rollout_until,
};
use herbrand_limits::Limits;

fn suites() -> impl Iterator<Item = Suite> {
    let names = Registry::names().expect("sound bundled domains");
    names
        .into_iter()
        .map(|name| Registry::get(&name).expect("a bundled domain"))
}

/// Takes one walk on both engines, step by step.
fn walk(suite: &Suite, problem: usize) -> Result<(), EnvError> {
    let (mut grounded, mut lifted) = (suite.engine(problem)?, suite.lifted_engine(problem)?);
    let by_lifted = LiftedSuite::new(suite.clone());
    assert_eq!(lifted.agent_actions(), suite.agent_actions());
    let [mut first, mut second] = [Streams::new(5), Streams::new(5)];
    grounded.reset(&mut first.outcomes)?;
    lifted.reset(&mut second.outcomes)?;
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for step in 0..30 {
        let place = || format!("{} problem {problem} step {step}", suite.name());
        grounded.choices(&mut left);
        lifted.choices(&mut right);
        let by_grounding = left.iter().map(|&choice| grounded.choice_text(choice));
        let by_views = right.iter().map(|&choice| lifted.choice_text(choice));
        assert_eq!(
            by_grounding.collect::<BTreeSet<_>>(),
            by_views.collect(),
            "{}",
            place()
        );
        assert_eq!(grounded.choice_count(), lifted.choice_count(), "{}", place());
        assert_eq!(grounded.status(), lifted.status(), "{}", place());
        assert_eq!(facts(&grounded), facts(&lifted), "{}", place());
        compare_masks(&lifted, &right);
        let packed = LiftedSuite::pack(lifted.state());
        assert_eq!(by_lifted.unpack(problem, &packed).as_ref(), Some(lifted.state()));
        let drawn = grounded.sample(&mut first.actions, &mut left);
        assert_eq!(
            drawn,
            lifted.sample(&mut second.actions, &mut right),
            "{}",
            place()
        );
        if !drawn {
            break;
        }
        assert_eq!(
            grounded.choice_text(left[0]),
            lifted.choice_text(right[0]),
            "{}",
            place()
        );
        assert!(lifted.is_valid(&right));
        let expected = grounded.step(&left, &mut first.outcomes);
        let found = lifted.step(&right, &mut second.outcomes);
        match (expected, found) {
            (Ok(expected), Ok(found)) => assert_eq!(expected, found, "{}", place()),
            (Err(_), Err(_)) => break,
            (expected, found) => panic!("{}: {expected:?} and {found:?}", place()),
        }
    }
    Ok(())
}

/// Returns the true atoms.
fn facts(system: &impl Described) -> BTreeSet<String> {
    let mut facts = BTreeSet::new();
    system.facts(&mut |fact| {
        if fact.value == FactValue::Bool(true) {
            facts.insert(fact.to_string());
        }
    });
    facts
}

/// Checks that a mask has a 1 for each valid choice and zeros elsewhere.
fn compare_masks(lifted: &Planning<Lifted>, valid: &[Choice]) {
    lifted.walk().numbering().expect("few enough actions to number");
    let mut mask = vec![7; lifted.actions().mask_len() + 3];
    lifted.write_mask(&mut mask);
    let mut expected = vec![0; mask.len()];
    for choice in valid {
        expected[choice.alternative().expect("a discrete field") as usize] = 1;
    }
    assert_eq!(mask, expected);
}

#[test]
fn both_take_the_same_episodes() {
    for suite in suites() {
        for problem in [0, suite.len() - 1] {
            walk(&suite, problem).expect("a sound suite");
        }
    }
}

#[test]
fn rollouts_of_all_engines_count_the_same() {
    let kinds = [EngineKind::Grounded, EngineKind::Lifted];
    for name in ["sokoban", "hanoi", "exploding-blocks", "philosophers"] {
        let suite = Registry::get(name)
            .expect("a bundled domain")
            .problem("train/01")
            .expect("a first problem");
        let counts = kinds.map(|engine| {
            let options = RolloutOptions {
                episodes: 20,
                ..RolloutOptions::default()
            };
            let stop = AtomicBool::new(false);
            let report = rollout_until(&RolloutPolicy::Random, &suite, engine, &options, &|_| (), &stop);
            let report = report.expect("a sound suite");
            (
                report.steps,
                report.goals,
                report.dead_ends,
                report.mean_valid_actions.finite().map(f64::to_bits),
            )
        });
        assert_eq!(counts[0], counts[1], "{name}");
    }
}

/// Automatic mode selects the lifted engine if grounding exceeds the limits. If the lifted state exceeds them too, it
/// returns the error of grounding.
#[test]
fn automatic_mode_does_not_fall_into_what_cannot_be_held() {
    let objects: String = (0..40).map(|index| format!("o{index} ")).collect();
    let facts: String = (0..40).map(|index| format!("(a o{index}) ")).collect();
    let suite = |rest: &str| {
        let domain = Domain::from_text(&format!(
            "(define (domain d) (:requirements :adl :derived-predicates) (:predicates (a ?x) (done) (b ?x ?y ?z) (c ?x ?y ?z)) {rest})"
        ))
        .unwrap();
        let problem =
            format!("(define (problem p) (:domain d) (:objects {objects}) (:init {facts}) (:goal (done)))");
        let problem = Problem::from_text(&problem, &domain).unwrap();
        let suite = Suite::from_problems(domain, [problem], ActionMode::Operators).unwrap();
        suite.with_limits(Limits {
            bytes: Some(2 << 20),
            time: None,
        })
    };
    // 64,000 effects of one action: too many to ground, but few to store before the action is taken.
    let effects = suite(
        "(:action act :effect (and (done) (forall (?x ?y ?z) (when (and (a ?x) (a ?y) (a ?z)) (b ?x ?y ?z)))))",
    );
    assert!(matches!(
        effects.on(EngineKind::Automatic),
        Ok(Engines::Lifted(_))
    ));
    // 64,000 derived atoms in the initial state: too many for either engine.
    let derived = suite(
        "(:derived (c ?x ?y ?z) (and (a ?x) (a ?y) (a ?z)))
         (:action act :parameters (?x ?y ?z) :precondition (c ?x ?y ?z) :effect (and (done) (not (a ?x))))",
    );
    let error = derived.on(EngineKind::Automatic).unwrap_err();
    let grounded = derived.instance(0).unwrap_err();
    assert_eq!(error.to_string(), grounded.to_string());
}

/// Both engines explain an unknown action in the same words.
#[test]
fn unknown_actions_are_told_apart() -> Result<(), EnvError> {
    let suite = Registry::get("blocks")?;
    let (grounded, lifted) = (suite.engine(0)?, suite.lifted_engine(0)?);
    for (text, expected) in [
        ("()", "`()` is not of the form (name argument …)"),
        ("(pick-up b", "`(pick-up b` is not of the form (name argument …)"),
        (
            "((pick-up b)",
            "`((pick-up b)` is not of the form (name argument …)",
        ),
        (
            "(pick-out b)",
            "there is no action `pick-out`; did you mean `pick-up`?",
        ),
        ("(pick-up a b)", "`pick-up` takes 1 argument, not 2"),
        ("(stack a)", "`stack` takes 2 arguments, not 1"),
        ("(stack a z)", "(stack a z): there is no object `z`"),
    ] {
        let [by_grounding, by_views] = [grounded.parse_choice(text), lifted.parse_choice(text)]
            .map(|found| found.expect_err(text).to_string());
        assert_eq!(by_grounding, by_views);
        assert!(by_grounding.starts_with(expected), "{by_grounding}");
    }
    Ok(())
}

/// Observations of a lifted state represent the same atoms as those of the grounded state.
#[test]
fn bits_of_both_engines_are_told_by_name() -> Result<(), EnvError> {
    let suite = Registry::get("blocks")?.only(0)?;
    let lifted = LiftedSuite::new(suite.clone());
    let bits = Bits::of(ObservedAtoms::All);
    let (grounded, by_views) = (suite.engine(0)?, lifted.system(0)?);
    let length = Observer::layout(&bits, &lifted)?.len();
    let mut row = vec![7; length + 3];
    let used = Observer::<LiftedSuite>::write(&bits, &by_views, &Memory::default(), &mut row);
    assert_eq!(used, length);
    assert_eq!(row[length..], [7; 3]);
    let true_facts = facts(&grounded).len();
    assert_eq!(row[..length].iter().filter(|&&bit| bit == 1).count(), true_facts);
    Ok(())
}
