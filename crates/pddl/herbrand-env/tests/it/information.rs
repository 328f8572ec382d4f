//! Information about environments.

use herbrand_env::{
    ActionMode, AgentActionId, Domain, Env, EnvError, EnvOptions, EpisodeFault, InvalidAction, ObservedAtoms,
    PlanningEnv, Problem, ProblemChoice, Registry, Suite,
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

fn action(env: &Env, name: &str) -> AgentActionId {
    env.instance()
        .expect("a problem")
        .space()
        .parse(name)
        .expect("an action")
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
