//! Wrappers, and information about environments.

use herbrand_core::Unobserved;
use herbrand_env::trace::Replayer;
use herbrand_env::wrap::{Costs, Environment, GoalCount, Recorded, Shaped};
use herbrand_env::{
    ActionMode, AgentActionId, Domain, EngineKind, Env, EnvError, EnvOptions, EpisodeFault, EpisodeHorizon,
    InvalidAction, ObservedAtoms, PlanningEnv, Problem, ProblemChoice, Registry, Suite,
};

const ERRANDS: &str = "(define (domain errands)
  (:predicates (done ?x) (ready ?x))
  (:functions (total-cost) (effort ?x) (fuel))
  (:action do :parameters (?x) :precondition (and (ready ?x) (not (done ?x)))
    :effect (and (done ?x) (increase (total-cost) (effort ?x)) (decrease (fuel) 1)))
  (:action undo :parameters (?x) :precondition (done ?x) :effect (and (not (done ?x)) (increase (total-cost) 1))))";

fn errands(metric: &str, options: EnvOptions) -> Env {
    let domain = Domain::from_text(ERRANDS).expect("a domain");
    let problem = format!(
        "(define (problem two) (:domain errands) (:objects a b c)
           (:init (ready a) (ready b) (= (effort a) 3) (= (effort b) 5) (= (effort c) 1) (= (total-cost) 0) (= (fuel) 9))
           (:goal (and (done a) (done b))) {metric})"
    );
    let problem = Problem::from_text(&problem, &domain).expect("a problem");
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite");
    Env::new(suite, options).expect("an environment")
}

/// Returns the rewards of some steps.
fn rewards(
    env: &mut impl Environment<Problems = Suite, Observer = Unobserved>,
    actions: &[&str],
) -> Vec<f64> {
    env.reset_to(Some(0), ProblemChoice::Index(0)).expect("a problem");
    let mut rewards = Vec::new();
    for name in actions {
        let action = action(env.env(), name);
        rewards.push(env.step(action).expect("a step").reward);
    }
    rewards
}

fn action(env: &Env, name: &str) -> AgentActionId {
    env.instance()
        .expect("a problem")
        .space()
        .parse(name)
        .expect("an action")
}

#[test]
fn costs_are_what_steps_add_to_the_metric() {
    let walk = ["(do a)", "(undo a)", "(do a)", "(do b)"];
    for (metric, expected) in [
        ("", [-1.0, -1.0, -1.0, 0.0]),
        ("(:metric minimize (total-cost))", [-3.0, -1.0, -3.0, -4.0]),
        ("(:metric minimize (* 2 (total-cost)))", [-6.0, -2.0, -6.0, -9.0]),
        ("(:metric maximize (fuel))", [-1.0, 0.0, -1.0, 0.0]),
        (
            "(:metric minimize (+ (total-time) (total-cost)))",
            [-4.0, -2.0, -4.0, -5.0],
        ),
    ] {
        let mut env = Costs::new(errands(metric, EnvOptions::default()));
        assert_eq!(rewards(&mut env, &walk), expected, "{metric}");
        assert_eq!(
            rewards(&mut env, &walk),
            expected,
            "again, after a reset: {metric}"
        );
    }
}

#[test]
fn an_action_that_is_not_carried_out_costs_nothing() {
    let options = EnvOptions {
        invalid: InvalidAction::Ignore,
        ..EnvOptions::default()
    };
    let mut env = Costs::new(errands("(:metric minimize (total-cost))", options));
    assert_eq!(
        rewards(&mut env, &["(undo a)", "(do a)", "(do a)"]),
        [0.0, -3.0, 0.0]
    );
}

#[test]
fn shaping_counts_goal_literals_and_telescopes() {
    let walk = ["(do a)", "(undo a)", "(do b)", "(do a)"];
    let plain = errands("", EnvOptions::default());
    let mut counted = Shaped::new(plain.clone(), GoalCount { weight: 0.5 });
    assert_eq!(rewards(&mut counted, &walk), [0.5, -0.5, 0.5, 1.5]);
    // With a discount, the discounted shaping terms add up to minus the potential of the initial state.
    let potential = |env: &Env| f64::from(u8::from(env.state().is_ok())) * 4.0;
    let mut shaped = Shaped::new(plain, potential).with_discount(0.5);
    let shaped = rewards(&mut shaped, &walk);
    let discounted = (0..)
        .zip(&shaped)
        .map(|(step, reward)| 0.5_f64.powi(step) * reward);
    assert_eq!(discounted.sum::<f64>(), 0.125 - 4.0);
}

#[test]
fn wrappers_compose() {
    let costs = Costs::new(errands("(:metric minimize (total-cost))", EnvOptions::default()));
    let mut env = Shaped::new(costs, GoalCount::default());
    assert_eq!(rewards(&mut env, &["(do a)", "(do b)"]), [-2.0, -3.0]);
}

#[test]
fn recorded_episodes_replay() {
    let options = EnvOptions {
        horizon: EpisodeHorizon::Steps(5),
        invalid: InvalidAction::Ignore,
        ..EnvOptions::default()
    };
    let env = errands("", options);
    let suite = env.problems().clone();
    let mut env = Recorded::new(env, 3, Vec::new()).expect("one problem");
    for seed in 0..20 {
        env.reset_to(Some(seed), ProblemChoice::Uniform)
            .expect("a problem");
        for turn in 0.. {
            // Some episodes are abandoned midway, and invalid actions are tried.
            if turn == 3 && seed % 4 == 0 {
                break;
            }
            let sampled = env.env_mut().sample_action().expect("a problem");
            let invalid = action(env.env(), "(undo b)");
            let next = if turn == 1 {
                invalid
            } else {
                sampled.expect("something to do")
            };
            if env.step(next).expect("a step").ended() {
                break;
            }
        }
    }
    let (_, trace) = env.finish().expect("a trace");
    let mut lines = trace.as_slice();
    let header = Replayer::read_header(&mut lines).expect("a header");
    assert_eq!((header.seed, header.problem.as_str()), (3, "two"));
    let replay = Replayer::with_engine(&suite, 0, EngineKind::Grounded, header);
    let replay = replay.expect("the same actions").replay(lines);
    let replay = replay.expect("a trace");
    assert_eq!(
        (replay.mismatches, replay.unverified),
        (0, 0),
        "{:?}",
        replay.first
    );
    assert!(replay.states > 60, "{}", replay.states);
    let text = String::from_utf8(trace).expect("text");
    assert_eq!(text.matches("\"chosen\":null").count(), 20);
}

#[test]
fn a_trace_is_of_one_problem() {
    let env = Env::new(Registry::get("blocks").expect("a domain"), EnvOptions::default()).expect("problems");
    let error = Recorded::new(env, 0, Vec::new()).err().expect("many problems");
    assert!(matches!(error, EnvError::NotOneProblem { problems, .. } if problems > 1));
}

/// Files, checked models, a suite and an environment, with one kind of error.
#[test]
fn models_from_files_keep_the_names_of_the_files() -> Result<(), EnvError> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../domains/blocks");
    let path = |name| format!("{folder}/{name}");
    let domain = Domain::from_file(path("domain.pddl"))?;
    let problem = Problem::from_file(path("train/01.pddl"), &domain)?;
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared)?;
    let mut env = Env::new(suite, EnvOptions::default())?;
    env.reset(Some(1))?;
    let info = env.info()?;
    assert_eq!(info.domain_source, Some(path("domain.pddl")));
    assert_eq!(info.problem_source, Some(path("train/01.pddl")));

    let missing = || -> Result<Domain, EnvError> { Ok(Domain::from_file("missing.pddl")?) };
    let error = missing().expect_err("no such file");
    assert!(matches!(error, EnvError::File { .. }));
    let other = Domain::from_file("missing.pddl").expect_err("no such file");
    assert_eq!(error.to_string(), other.to_string());
    assert!(error.to_string().starts_with("missing.pddl: "), "{error}");

    let error = env
        .reset_to(Some(1), ProblemChoice::Index(1))
        .expect_err("one problem");
    let text = error.to_string();
    assert!(
        text.starts_with("blocks has no problem at index 1, counted from 0, only "),
        "{text}"
    );
    Ok(())
}

#[test]
fn the_info_says_how_the_last_step_went() {
    let options = EnvOptions {
        invalid: InvalidAction::Ignore,
        ..EnvOptions::default()
    };
    let suite = Registry::get("sokoban").expect("a bundled domain");
    let mut env = Env::new(suite, options).expect("problems");
    assert!(matches!(
        env.info(),
        Err(EnvError::Episode(EpisodeFault::NotReset))
    ));
    let problem = env.problems().index_of("test/03").expect("a problem");
    env.reset_to(Some(0), ProblemChoice::Index(problem))
        .expect("a problem");
    let info = env.info().expect("a problem");
    assert_eq!(
        (info.problem.as_str(), info.elapsed, info.step),
        ("test/03", 0, None)
    );
    assert_eq!(info.domain_source.as_deref(), Some("sokoban/domain.pddl"));
    assert_eq!(info.problem_source.as_deref(), Some("sokoban/test/03.pddl"));

    let valid = env.valid_actions().expect("a problem");
    let space = env.instance().expect("a problem").space();
    let blocked = (0..space.len() as u32)
        .map(AgentActionId::new)
        .find(|action| !valid.contains(action));
    let step = env.step(blocked.expect("one way is blocked")).expect("let pass");
    assert!(!step.applied);
    let told = env.info().expect("a problem").step.expect("a step");
    assert_eq!(told.operator, None);
    let failure = told.failure.expect("a reason");
    assert!(
        failure.contains("is not valid") && failure.contains("does not hold"),
        "{failure}"
    );

    env.step(valid[0]).expect("a step");
    let info = env.info().expect("a problem");
    let told = info.step.expect("a step");
    assert!(info.elapsed == 2 && told.failure.is_none());
    let operator = told.operator.expect("an operator");
    assert!(
        told.action.starts_with("(move ") && !operator.starts_with("(move "),
        "{operator}"
    );
}

#[test]
fn rewards_come_in_parts() {
    let domain = Domain::from_text(
        "(define (domain work) (:requirements :rewards) (:predicates (home))
           (:action toil :effect (increase (reward) 2))
           (:action go-home :effect (and (home) (decrease (reward) 1))))",
    )
    .expect("a domain");
    let problem = "(define (problem day) (:domain work) (:init) (:goal (home)) (:goal-reward 10)
      (:metric maximize (reward)))";
    let problem = Problem::from_text(problem, &domain).expect("a problem");
    let suite = Suite::from_problems(domain, [problem], ActionMode::Declared).expect("a suite");
    let mut env = Env::new(suite, EnvOptions::default()).expect("an environment");
    env.reset(Some(0)).expect("a problem");
    for (name, goal, change) in [("(toil)", 0.0, 2.0), ("(go-home)", 10.0, -1.0)] {
        let step = env.step(action(&env, name)).expect("a step");
        let parts = env.info().expect("a problem").step.expect("a step").reward;
        assert_eq!((parts.goal, parts.change), (goal, change), "{name}");
        assert_eq!(parts.goal + parts.change, step.reward, "{name}");
    }
}

#[test]
fn texts_can_be_had_for_other_programs() {
    for suite in [
        Registry::get("supply").expect("a bundled domain"),
        errands("(:metric minimize (total-cost))", EnvOptions::default())
            .problems()
            .clone(),
    ] {
        let domain = Domain::from_text(&suite.domain_text()).expect("a domain");
        assert_eq!(&domain, suite.domain());
        let problem =
            Problem::from_text(&suite.problem_text(0).expect("a problem"), &domain).expect("a problem");
        assert_eq!(problem, suite.parse_problem(0).expect("a problem"));
        assert!(suite.problem_text(999).is_err());
    }
}

#[test]
fn learning_the_sizes_compiles_each_problem_once() {
    let suite = Registry::get("gripper").expect("a bundled domain");
    let first = std::sync::Arc::clone(suite.instance(3).expect("a problem"));
    let sizes = suite.sizes(ObservedAtoms::All).expect("sound problems");
    assert!(sizes.atoms > 0 && sizes.actions > 0);
    assert!(std::sync::Arc::ptr_eq(
        &first,
        suite.instance(3).expect("a problem")
    ));
    let mut env = Env::new(suite, EnvOptions::default()).expect("problems");
    env.reset_to(None, ProblemChoice::Index(3)).expect("a problem");
    assert!(std::sync::Arc::ptr_eq(&first, env.instance().expect("a problem")));
}
