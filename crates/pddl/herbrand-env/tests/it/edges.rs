//! Edge cases of environments, batches, rollouts and plans.

use herbrand_env::plan::{ParsedPlan, cost_after, validate};
use herbrand_env::{
    ActionMode, AgentActionId, Batch, Bits, BufferContents, Env, EnvOptions, EpisodeHorizon, Flags,
    InvalidAction, PlanningEnv, ProblemFile, RolloutOptions, Source, StatePicture, Suite, SuiteFiles, System,
    VecEnv, VecOptions, rollout,
};
use herbrand_ground::ActionId;

fn suite(domain: &str, config: &str, problem: &str) -> Suite {
    let files = SuiteFiles {
        name: "suite".to_owned(),
        domain: Source::new("domain", domain),
        config: Some(Source::new("env.toml", config)),
        problems: vec![ProblemFile {
            split: None,
            name: "one".to_owned(),
            source: Source::new("problem", problem),
        }],
    };
    Suite::new(files, ActionMode::Declared).expect("a suite")
}

fn env(suite: &Suite, options: EnvOptions) -> Env {
    let mut env = Env::new(suite.clone(), options).expect("an environment");
    env.reset(Some(1)).expect("a problem");
    env
}

/// Lamps that can be lit and put out.
const LAMPS: &str = "(define (domain lamps) (:requirements :strips :negative-preconditions)
    (:predicates (on ?x) (lamp ?x))
    (:action light :parameters (?x) :precondition (and (lamp ?x) (not (on ?x))) :effect (on ?x))
    (:action dim :parameters (?x) :precondition (and (lamp ?x) (on ?x)) :effect (not (on ?x))))";

fn lamps(count: usize, goal: &str) -> String {
    let names: String = (0..count).map(|n| format!("l{n} ")).collect();
    let lamps: String = (0..count).map(|n| format!("(lamp l{n}) ")).collect();
    format!(
        "(define (problem row) (:domain lamps) (:objects {names}) (:init {lamps} (on l0)) (:goal {goal}))"
    )
}

/// Two agent actions per lamp, in the opposite order of the operators.
const SWITCHES: &str = r#"
    [actions.off]
    parameters = ["lamp"]
    operators = { dim = ["?x"] }
    [actions.on]
    parameters = ["lamp"]
    operators = { light = ["?x"] }"#;

#[test]
fn masks_of_many_actions_say_what_is_valid() {
    for config in ["", SWITCHES] {
        let suite = suite(LAMPS, config, &lamps(150, "(on l149)"));
        let mut env = env(&suite, EnvOptions::default());
        for _ in 0..60 {
            let instance = env.instance().expect("a problem").clone();
            let (space, simulator) = (instance.space(), instance.simulator());
            let state = env.state().expect("a state").clone();
            let mut expected = vec![0; space.len() + 3];
            for operator in (0..300).map(ActionId::new) {
                let valid = simulator.is_valid(&state, operator);
                expected[space.action_of(operator).index()] = u8::from(valid);
            }
            let mut mask = vec![7; space.len() + 3];
            env.write_mask(&mut mask).expect("a mask");
            assert_eq!(mask, expected);
            for (index, &expected) in expected.iter().enumerate() {
                let action = AgentActionId::new(index as u32);
                let engine = env.system().expect("a problem");
                assert_eq!(u8::from(engine.is_valid(&[action.into()])), expected, "{index}");
            }
            let action = env.sample_action().expect("running").expect("a lamp");
            if env.step(action).expect("valid").ended() {
                env.reset(None).expect("a problem");
            }
        }
    }
}

#[test]
fn ambiguous_actions_are_drawn_by_actions() {
    let domain = "(define (domain doors) (:requirements :strips :typing) (:types room door)
        (:predicates (between ?r - room ?d - door) (in ?r - room))
        (:action enter :parameters (?r - room ?d - door) :precondition (between ?r ?d) :effect (in ?r)))";
    let problem =
        "(define (problem two) (:domain doors) (:objects hall cell - room d1 d2 d3 d4 d5 d6 d7 - door)
        (:init (between hall d1) (between hall d2) (between hall d3) (between hall d4) (between hall d5)
            (between hall d6) (between cell d7))
        (:goal (and (in hall) (in cell))))";
    let config =
        "ambiguity = \"uniform\"\n[actions.enter]\nparameters = [\"room\"]\noperators = { enter = [\"?r\"] }";
    let suite = suite(domain, config, problem);
    let mut env = env(&suite, EnvOptions::default());
    let hall = env
        .instance()
        .expect("a problem")
        .space()
        .parse("(enter hall)")
        .expect("an action");
    let draws = 4000;
    let halls = (0..draws)
        .filter(|_| env.sample_action().expect("running") == Some(hall))
        .count();
    // Half of them, with a standard deviation of 32; drawing from operators would give six sevenths.
    assert!((1800..=2200).contains(&halls), "{halls} of {draws}");
}

#[test]
fn the_first_step_in_a_goal_state_changes_nothing_and_is_the_last() {
    let suite = suite(LAMPS, "", &lamps(2, "(on l0)"));
    let options = EnvOptions {
        invalid: InvalidAction::Ignore,
        horizon: EpisodeHorizon::Steps(5),
        ..EnvOptions::default()
    };
    let mut env = env(&suite, options);
    let action = |env: &Env, text| {
        let space = env.instance().expect("a problem").space().clone();
        space.parse(text).expect("an action")
    };
    // One action is invalid, the other is valid.
    for text in ["(light l0)", "(light l1)"] {
        env.reset(None).expect("a start");
        let step = env.step(action(&env, text)).expect("running");
        assert!(step.goal && !step.applied && step.terminated, "{text}");
        assert_eq!(step.reward.to_bits(), 0.0_f64.to_bits(), "{text}");
        assert!(
            env.step(action(&env, text)).is_err(),
            "{text}: the episode has ended"
        );
    }
}

#[test]
fn a_goal_counts_when_it_is_reached_and_not_while_it_holds() {
    let options = RolloutOptions {
        episodes: 20,
        steps: 30,
        through_goals: true,
        ..RolloutOptions::default()
    };
    let goals = |goal| {
        let suite = suite(LAMPS, "", &lamps(3, goal));
        rollout(&suite, &options, &|_| ()).expect("a rollout").goals
    };
    assert_eq!(goals("(or (on l0) (not (on l0)))"), 0, "it holds from the start");
    // A lamp is lit and put out in turn, so the goal is reached at every other step.
    let single = {
        let suite = suite(LAMPS, "", &lamps(1, "(not (on l0))"));
        rollout(&suite, &options, &|_| ()).expect("a rollout").goals
    };
    assert_eq!(single, 20 * 15);
}

#[test]
fn what_is_restored_has_taken_as_many_steps() {
    let suite = suite(LAMPS, "", &lamps(3, "(and (on l0) (on l1) (on l2))"));
    let options = EnvOptions {
        horizon: EpisodeHorizon::Steps(4),
        through_goals: true,
        ..EnvOptions::default()
    };
    let mut env = env(&suite, options);
    let step = |env: &mut Env| {
        let action = env.sample_action().expect("running").expect("a lamp");
        env.step(action).expect("valid")
    };
    for _ in 0..3 {
        assert!(!step(&mut env).ended());
    }
    let saved = env.save().expect("an episode");
    env.reset(None).expect("a problem");
    step(&mut env);
    env.restore(&saved).expect("a state of the suite");
    assert_eq!(env.episode().expect("an episode").elapsed(), 3);
    assert!(step(&mut env).truncated, "the fourth step is the last");
}

#[test]
fn only_some_environments_are_reset() {
    let suite = suite(
        LAMPS,
        "",
        &lamps(20, "(and (on l1) (on l2) (on l3) (on l4) (on l5))"),
    );
    let mut batch = VecEnv::new(&suite, &Bits::default(), 3, VecOptions::default()).expect("environments");
    let sizes = batch.widths();
    let (mut observations, mut masks) = (vec![0; 3 * sizes.observation], vec![0; 3 * sizes.mask]);
    let (mut last, mut flags, mut final_flags) = (
        vec![0; 3 * sizes.observation],
        vec![Flags::default(); 3],
        vec![Flags::default(); 3],
    );
    let (mut rewards, mut terminated, mut truncated) = (vec![0.0; 3], vec![false; 3], vec![false; 3]);
    let mut buffers = Batch {
        observations: &mut observations,
        masks: &mut masks,
        rewards: &mut rewards,
        terminated: &mut terminated,
        truncated: &mut truncated,
        flags: &mut flags,
        final_observations: &mut last,
        final_flags: &mut final_flags,
        rows: BufferContents::Fresh,
    };
    batch.reset(Some(5), &mut buffers).expect("a reset");
    let mut actions = [0; 3];
    for _ in 0..3 {
        batch.sample(&mut actions).expect("running");
        batch.step(&actions, &mut buffers).expect("valid");
    }
    let state = |batch: &VecEnv, index: usize| {
        let env = batch.env(index).expect("an environment");
        (
            env.state().expect("a state").clone(),
            env.episode().expect("an episode").elapsed(),
        )
    };
    let before = [0, 1, 2].map(|index| state(&batch, index));
    batch
        .reset_some(&[false, true, false], &mut buffers)
        .expect("a reset");
    let after = [0, 1, 2].map(|index| state(&batch, index));
    assert_eq!((&after[0], &after[2]), (&before[0], &before[2]));
    assert_eq!((before[1].1, after[1].1), (3, 0));
    let start = suite.instance(0).expect("a problem").simulator().initial_state();
    assert_eq!(after[1].0, start);
}

#[test]
fn the_mean_cost_of_a_plan_is_weighted() {
    let domain = "(define (domain bet) (:requirements :probabilistic-effects :action-costs)
        (:predicates (won) (lost)) (:functions (total-cost) - number)
        (:action play :effect (and (increase (total-cost) 1)
            (probabilistic 0.25 (and (won) (increase (total-cost) 8)) 0.75 (and (lost) (increase (total-cost) 4)))))
        (:action walk :effect (increase (total-cost) 2))
        (:action pay :effect (and (when (won) (increase (total-cost) 16)) (when (lost) (increase (total-cost) 32)))))";
    let problem = "(define (problem one) (:domain bet) (:init (= (total-cost) 0)) (:goal (won))
        (:metric minimize (total-cost)))";
    let suite = suite(domain, "", problem);
    let simulator = suite.instance(0).expect("a problem").simulator().clone();
    let plan = ParsedPlan::parse(&Source::new("plan", "(play)\n(pay)\n")).expect("a plan");
    let validation = validate(&simulator, &plan).expect("outcomes");
    // 1 + (8 + 16) / 4 + (4 + 32) · 3 / 4
    assert_eq!(validation.metric, Some(34.0));
    assert_eq!((validation.executable, validation.goal), (1.0, 0.25));
    assert!(!validation.is_valid());
    let short = validate(&simulator, &ParsedPlan::default()).expect("outcomes");
    assert!(!short.is_valid() && short.goal == 0.0);
    // A cost is known while the state is.
    for (operators, cost) in [
        (&[][..], Some(0.0)),
        (&["(walk)", "(WALK)", "(pay)"], Some(4.0)),
        (&["(walk)", "(play)"], None),
        (&["(fly)"], None),
    ] {
        assert_eq!(
            cost_after(&simulator, operators.iter().copied()),
            cost,
            "{operators:?}"
        );
    }
}

/// The goal is listed fact by fact with its truth value; parts that are not facts are listed by their text.
#[test]
fn a_picture_lists_what_the_goal_asks_for() {
    let domain = "(define (domain lists) (:requirements :adl) (:predicates (lit ?x) (broken ?x))
        (:action light :parameters (?x) :effect (lit ?x)))";
    let problem = "(define (problem one) (:domain lists) (:objects a b) (:init (lit a))
        (:goal (and (forall (?x) (lit ?x)) (not (broken a)) (or (lit a) (broken b)))))";
    let suite = suite(domain, "", problem);
    let engine = suite.engine(0).expect("a problem");
    let picture = StatePicture::of(&suite, 0, &engine).expect("a picture");
    let wanted = picture.moment(&engine).goal;
    let listed = wanted.iter().map(|part| {
        let text = format!("{} {}", part.name, part.arguments.join(" "));
        (text.trim().to_owned(), part.negative, part.satisfied)
    });
    let expected = [
        ("lit a", false, true),
        ("lit b", false, false),
        ("broken a", true, true),
        ("(or (lit a) (broken b))", false, true),
    ];
    assert!(
        listed
            .clone()
            .eq(expected.map(|(text, negative, satisfied)| (text.to_owned(), negative, satisfied))),
        "{:?}",
        listed.collect::<Vec<_>>()
    );
}
