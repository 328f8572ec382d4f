//! Episodes: rewards, ends, seeds and agent actions.

use std::sync::atomic::AtomicBool;

use herbrand_core::{EpisodeEnd, RolloutOptions, RolloutPolicy, roll_out};
use herbrand_env::{
    ActionMode, AgentActionId, ConfigError, DeadEnd, Domain, EngineKind, Engines, Env, EnvError, EnvOptions,
    EpisodeFault, EpisodeHorizon, InvalidAction, PlanningEnv, PlanningError, Problem, ProblemChoice,
    ProblemFile, Source, Suite, SuiteFiles, System,
};
use herbrand_step::Random;

/// A corridor of three cells with a stone in the middle. The operators `walk` and `push` carry out the action `move`.
const CORRIDOR: &str = "(define (domain corridor)
  (:requirements :strips :typing)
  (:types cell dir)
  (:constants west east - dir)
  (:predicates (next ?a ?b - cell ?d - dir) (at ?c - cell) (stone ?c - cell) (free ?c - cell))
  (:action walk :parameters (?from ?to - cell ?d - dir)
    :precondition (and (at ?from) (next ?from ?to ?d) (free ?to))
    :effect (and (not (at ?from)) (at ?to) (free ?from) (not (free ?to))))
  (:action push :parameters (?from ?to ?beyond - cell ?d - dir)
    :precondition (and (at ?from) (next ?from ?to ?d) (next ?to ?beyond ?d) (stone ?to) (free ?beyond))
    :effect (and (not (at ?from)) (at ?to) (not (stone ?to)) (stone ?beyond) (free ?from) (not (free ?beyond)))))";

const THREE_CELLS: &str = "(define (problem three) (:domain corridor)
  (:objects a b c - cell)
  (:init (next a b east) (next b c east) (next b a west) (next c b west) (at a) (stone b) (free c))
  (:goal (and (stone c) (at a))))";

const MOVES: &str = r#"
  horizon = 9
  [actions.move]
  parameters = ["dir"]
  operators = { walk = ["?d"], push = ["?d"] }"#;

fn suite(domain: &str, config: Option<&str>, problems: &[&str]) -> Result<Suite, EnvError> {
    let problems = problems.iter().enumerate().map(|(index, text)| ProblemFile {
        split: None,
        name: index.to_string(),
        source: Source::new("problem", text),
    });
    let files = SuiteFiles {
        name: "suite".to_owned(),
        domain: Source::new("domain", domain),
        config: config.map(|text| Source::new("env.toml", text)),
        problems: problems.collect(),
    };
    Suite::new(files, ActionMode::Declared)
}

fn env(domain: &str, config: Option<&str>, problem: &str, options: EnvOptions) -> Env {
    let mut env =
        Env::new(suite(domain, config, &[problem]).expect("a suite"), options).expect("an environment");
    env.reset(Some(0)).expect("a problem");
    env
}

/// Returns the id of the action that `text` names.
fn action(env: &Env, text: &str) -> AgentActionId {
    let instance = env.instance().expect("a current problem");
    instance.space().parse(text).expect("an action of this name")
}

fn valid(env: &Env) -> Vec<String> {
    let instance = env.instance().expect("a current problem");
    let valid = env.valid_actions().expect("a current problem").into_iter();
    valid
        .map(|action| instance.space().display(action).to_string())
        .collect()
}

fn names(env: &Env) -> Vec<String> {
    let space = env.instance().expect("a current problem").space();
    let ids = (0..space.len()).map(|index| AgentActionId::new(index as u32));
    ids.map(|id| space.display(id).to_string()).collect()
}

#[test]
fn several_operators_carry_out_one_action() {
    let mut env = env(CORRIDOR, Some(MOVES), THREE_CELLS, EnvOptions::default());
    assert_eq!(names(&env), ["(move west)", "(move east)"]);
    assert_eq!(valid(&env), ["(move east)"]);
    env.step(action(&env, "(MOVE east)")).expect("a push");
    assert_eq!(valid(&env), ["(move west)"]);
    let step = env.step(action(&env, "(move west)")).expect("a walk");
    assert!(step.goal && step.terminated && !step.truncated);
    assert_eq!(step.reward.to_bits(), 1.0_f64.to_bits());
    assert!(matches!(
        env.step(action(&env, "(move east)")),
        Err(EnvError::Episode(EpisodeFault::Ended))
    ));
}

#[test]
fn an_invalid_action_is_an_error_and_changes_nothing() {
    let mut env = env(CORRIDOR, Some(MOVES), THREE_CELLS, EnvOptions::default());
    let before = env.state().expect("a state").clone();
    let error = env
        .step(action(&env, "(move west)"))
        .expect_err("there is a wall");
    assert_eq!(
        error.to_string(),
        "(move west) is not valid here: no applicable operator carries it out"
    );
    assert_eq!(env.state().expect("a state"), &before);
    let error = env.step(AgentActionId::new(2)).expect_err("there are two");
    assert_eq!(
        error.to_string(),
        "there is no action number 2: the problem has 2"
    );
}

#[test]
fn an_invalid_action_can_be_let_pass() {
    let options = EnvOptions {
        invalid: InvalidAction::Ignore,
        horizon: EpisodeHorizon::Steps(2),
        ..EnvOptions::default()
    };
    let mut env = env(CORRIDOR, Some(MOVES), THREE_CELLS, options);
    let step = env.step(action(&env, "(move west)")).expect("let pass");
    assert!(!step.applied && !step.ended());
    let step = env.step(AgentActionId::new(99)).expect("let pass");
    assert!(step.truncated && !step.terminated);
}

#[test]
fn the_horizon_is_that_of_the_settings_unless_said_otherwise() {
    for (horizon, expected) in [
        (EpisodeHorizon::Declared, Some(9)),
        (EpisodeHorizon::Steps(4), Some(4)),
        (EpisodeHorizon::Never, None),
    ] {
        let options = EnvOptions {
            horizon,
            through_goals: true,
            ..EnvOptions::default()
        };
        let mut env = env(CORRIDOR, Some(MOVES), THREE_CELLS, options);
        let mut steps = 0;
        let ended = (0..20).any(|_| {
            let action = env.sample_action().expect("running").expect("not a dead end");
            steps += 1;
            env.step(action).expect("valid").truncated
        });
        assert_eq!(ended.then_some(steps), expected);
    }
}

#[test]
fn operators_can_be_the_actions_whatever_is_declared() {
    let declared = suite(CORRIDOR, Some(MOVES), &[THREE_CELLS]).expect("a suite");
    let problem = Problem::parse(declared.problem_source(0).expect("a text"), declared.domain());
    let domain = declared.domain().clone();
    let plain = Suite::from_problems(domain, [problem.expect("a problem")], ActionMode::Operators);
    let mut env = Env::new(plain.expect("a suite"), EnvOptions::default()).expect("an environment");
    assert!(matches!(
        env.valid_actions(),
        Err(EnvError::Episode(EpisodeFault::NotReset))
    ));
    env.reset(None).expect("a problem");
    assert_eq!(valid(&env), ["(push a b c east)"]);
}

#[test]
fn action_predicates_declare_the_agents_actions() {
    let domain = "(define (domain lift)
      (:requirements :strips :typing)
      (:types floor)
      (:predicates (at ?f - floor) (above ?f ?g - floor) (go ?g - floor) (stop))
      ; (:actions go stop)
      (:action up :parameters (?f ?g - floor) :precondition (and (go ?g) (at ?f) (above ?f ?g))
        :effect (and (not (at ?f)) (at ?g)))
      (:action down :parameters (?f ?g - floor) :precondition (and (go ?g) (at ?f) (above ?g ?f))
        :effect (and (not (at ?f)) (at ?g)))
      (:action rest :precondition (stop) :effect (and)))";
    let problem = "(define (problem two) (:domain lift) (:objects f g - floor)
      (:init (at f) (above f g) (go f) (go g) (stop)) (:goal (at g)))";
    let env = env(domain, None, problem, EnvOptions::default());
    assert_eq!(names(&env), ["(go f)", "(go g)", "(stop)"]);
    assert_eq!(valid(&env), ["(go g)", "(stop)"]);
}

/// Two keys fit one door; the agent action does not choose the key.
fn door(ambiguity: &str) -> Env {
    let domain = "(define (domain door) (:predicates (key ?k) (used ?k) (open))
      (:action unlock :parameters (?k) :precondition (and (key ?k) (not (open))) :effect (and (open) (used ?k))))";
    let problem =
        "(define (problem p) (:domain door) (:objects k1 k2) (:init (key k1) (key k2)) (:goal (open)))";
    let config = format!("ambiguity = \"{ambiguity}\"\n[actions.open]\noperators = {{ unlock = [] }}");
    env(domain, Some(&config), problem, EnvOptions::default())
}

#[test]
fn an_ambiguous_action_follows_the_policy() {
    let mut strict = door("error");
    assert!(valid(&strict).is_empty());
    let mut system = strict.system().expect("an episode").clone();
    let taken = system.step(&[AgentActionId::new(0).into()], &mut Random::new(0));
    let error = taken.expect_err("two keys");
    assert!(matches!(error, PlanningError::Ambiguous { .. }));
    let step = strict.step(AgentActionId::new(0)).expect("a dead end");
    assert!(step.dead_end && !step.applied);
    assert_eq!(
        error.to_string(),
        "(open) is ambiguous here: (unlock k1), (unlock k2) fit it"
    );

    let used = |ambiguity: &str, seed: u64| {
        let mut env = door(ambiguity);
        env.reset(Some(seed)).expect("a problem");
        env.step(AgentActionId::new(0)).expect("one key is taken");
        env.system()
            .expect("a state")
            .last_operator()
            .expect("a step was taken")
            .number()
    };
    assert!((0..20).all(|seed| used("first", seed) == 0));
    let second = (0..200).filter(|&seed| used("uniform", seed) == 1).count();
    assert!((60..140).contains(&second), "{second} of 200");
}

#[test]
fn an_ambiguous_action_is_not_offered() {
    let domain = "(define (domain door) (:predicates (key ?k) (open))
      (:action unlock :parameters (?k) :precondition (and (key ?k) (not (open))) :effect (open))
      (:action drop :parameters (?k) :precondition (key ?k) :effect (not (key ?k))))";
    let problem =
        "(define (problem p) (:domain door) (:objects k1 k2) (:init (key k1) (key k2)) (:goal (open)))";
    let config = "[actions.open]\noperators = { unlock = [] }";
    let ignore = EnvOptions {
        invalid: InvalidAction::Ignore,
        ..EnvOptions::default()
    };
    let mut env = env(domain, Some(config), problem, ignore);
    let open = action(&env, "(open)");
    for (keys, offered) in [(2, false), (1, true), (0, false)] {
        let mut mask = vec![2; env.instance().expect("a problem").space().len()];
        env.write_mask(&mut mask).expect("an episode");
        let drops = (0..keys).map(|_| "(drop".to_owned());
        let open_too = offered.then(|| "(open)".to_owned()).into_iter();
        let all = open_too.chain(drops).collect::<Vec<_>>();
        let heads = valid(&env)
            .into_iter()
            .map(|name| name.split(' ').next().map(str::to_owned));
        assert_eq!(heads.flatten().collect::<Vec<_>>(), all, "{keys} keys");
        assert_eq!(mask.iter().filter(|&&bit| bit == 1).count(), all.len());
        assert_eq!(mask[open.index()] == 1, offered);
        let system = env.system().expect("an episode");
        assert_eq!(system.choice_count(), all.len());
        assert_eq!(system.is_valid(&[open.into()]), offered);
        for _ in 0..20 {
            let sampled = env.sample_action().expect("an episode");
            assert!(offered || sampled != Some(open), "{keys} keys");
            assert_eq!(sampled.is_none(), all.is_empty());
        }
        if keys == 2 {
            let ignored = env.step(open).expect("it is passed over");
            assert!(!ignored.applied);
            let why = env.info().expect("a problem").step.expect("a step").failure;
            assert_eq!(
                why.as_deref(),
                Some("(open) is ambiguous here: (unlock k1), (unlock k2) fit it")
            );
        }
        if keys > 0 {
            let drop = action(&env, &format!("(drop k{keys})"));
            assert!(env.step(drop).expect("a key").applied);
        }
    }
}

#[test]
fn a_goal_pays_when_it_is_entered() {
    let domain = "(define (domain lamp) (:predicates (on) (hot))
      (:action press :effect (on))
      (:action release :effect (not (on)))
      (:action warm :effect (hot)))";
    let through = EnvOptions {
        through_goals: true,
        ..EnvOptions::default()
    };
    let walk = |init: &str| {
        let problem = format!("(define (problem p) (:domain lamp) (:init {init}) (:goal (on)))");
        let mut env = env(domain, None, &problem, through);
        ["(warm)", "(press)", "(press)", "(warm)", "(release)", "(press)"].map(|name| {
            let taken = env.step(action(&env, name)).expect("a valid action");
            let parts = env.info().expect("a problem").step.expect("a step").reward;
            assert_eq!((parts.goal, parts.change), (taken.reward, 0.0), "{name}");
            (taken.reward, taken.goal)
        })
    };
    let after = [(0.0, true), (0.0, true), (0.0, false), (1.0, true)];
    assert_eq!(walk("")[..2], [(0.0, false), (1.0, true)]);
    assert_eq!(walk("")[2..], after);
    assert_eq!(walk("(on)")[..2], [(0.0, true), (0.0, true)]);
    assert_eq!(walk("(on)")[2..], after);
}

#[test]
fn a_goal_that_holds_at_the_start_leaves_no_step() {
    let domain = "(define (domain lamp) (:predicates (on))
      (:action press :effect (on))
      (:action release :effect (not (on))))";
    let problem = "(define (problem p) (:domain lamp) (:init (on)) (:goal (on)))";
    let mut env = env(domain, None, problem, EnvOptions::default());
    let before = env.state().expect("a problem").clone();
    let step = env.step(action(&env, "(release)")).expect("a step");
    assert!(step.terminated && step.goal && !step.applied && step.reward == 0.0);
    assert_eq!(
        env.episode().expect("a problem").end(&step),
        Some(EpisodeEnd::Goal)
    );
    assert_eq!(*env.state().expect("a problem"), before);
    for engine in [EngineKind::Grounded, EngineKind::Sliced] {
        let Ok(Engines::Grounded(suite)) = env.problems().on(engine) else {
            panic!("the engine has the problem");
        };
        let options = RolloutOptions {
            episodes: 200,
            ..RolloutOptions::default()
        };
        let stop = AtomicBool::new(false);
        let found = roll_out(&suite, &RolloutPolicy::Random, &options, &|_| (), &stop).expect("rollouts");
        assert_eq!((found.steps, found.goals, found.mean_return), (0, 0, 0.0));
        assert_eq!(found.ends.goal, 200);
    }
}

/// `toss` has a fair outcome, and each problem has its own coin.
const COIN: &str = "(define (domain coin) (:requirements :probabilistic-effects)
  (:predicates (heads ?c) (coin ?c))
  (:action toss :parameters (?c) :precondition (coin ?c)
    :effect (probabilistic 1/2 (heads ?c) 1/2 (not (heads ?c))))
  (:action turn :parameters (?c) :precondition (and (coin ?c) (heads ?c)) :effect (not (heads ?c))))";

fn coins() -> Suite {
    let domain = Domain::from_text(COIN).expect("a domain");
    let problems = ["one", "two", "three"].map(|name| {
        let text =
            format!("(define (problem {name}) (:domain coin) (:objects c-{name}) (:init (coin c-{name})))");
        Problem::from_text(&text, &domain).expect("a problem")
    });
    Suite::from_problems(domain, problems, ActionMode::Declared).expect("a suite")
}

/// Returns the problems, actions and states of some episodes.
fn trajectory(env: &mut Env, seed: u64) -> Vec<(usize, Vec<String>)> {
    let mut seen = Vec::new();
    for episode in 0..6 {
        let reset = env.reset((episode == 0).then_some(seed)).expect("a problem");
        for _ in 0..5 {
            let action = env
                .sample_action()
                .expect("running")
                .expect("tossing is always valid");
            env.step(action).expect("valid");
            let mut record = valid(env);
            record.push(action.number().to_string());
            seen.push((reset.problem, record));
        }
    }
    seen
}

#[test]
fn one_seed_fixes_problems_actions_and_outcomes() {
    let mut env = Env::new(coins(), EnvOptions::default()).expect("an environment");
    let mut other = Env::new(coins(), EnvOptions::default()).expect("an environment");
    let first = trajectory(&mut env, 7);
    trajectory(&mut other, 3);
    assert_eq!(trajectory(&mut other, 7), first);
    assert_ne!(trajectory(&mut env, 8), first);
}

#[test]
fn sampling_does_not_change_the_outcomes() {
    let run = |samples: usize| {
        let mut env = Env::new(coins(), EnvOptions::default()).expect("an environment");
        env.reset_to(Some(5), ProblemChoice::Index(1)).expect("a problem");
        let toss = action(&env, "(toss c-two)");
        let tossed = (0..32).map(|_| {
            (0..samples).for_each(|_| drop(env.sample_action()));
            env.step(toss).expect("valid");
            valid(&env).len()
        });
        tossed.collect::<Vec<_>>()
    };
    assert_eq!(run(0), run(3));
}

#[test]
fn a_dead_end_is_reported_and_ends_the_episode_unless_set_otherwise() {
    let domain = "(define (domain match) (:predicates (whole)) (:action burn :precondition (whole) :effect (not (whole))))";
    let problem = "(define (problem p) (:domain match) (:init (whole)))";
    assert_eq!(EnvOptions::default().dead_end, DeadEnd::Ends);
    for dead_end in [DeadEnd::Ends, DeadEnd::Continues] {
        let options = EnvOptions {
            dead_end,
            horizon: EpisodeHorizon::Steps(3),
            ..EnvOptions::default()
        };
        let mut env = env(domain, None, problem, options);
        let step = env.step(AgentActionId::new(0)).expect("valid");
        assert!(step.dead_end && !step.goal);
        assert_eq!(step.terminated, dead_end == DeadEnd::Ends);
        assert_eq!(env.sample_action().expect("a current problem"), None);
        if dead_end == DeadEnd::Ends {
            let after = env.step(AgentActionId::new(0));
            assert!(
                matches!(after, Err(EnvError::Episode(EpisodeFault::Ended))),
                "{after:?}"
            );
            continue;
        }
        let burnt = env.state().expect("a state").clone();
        for truncated in [false, true] {
            let step = env
                .step(AgentActionId::new(0))
                .expect("nothing happens in a dead end");
            assert!(step.dead_end && !step.applied && step.reward == 0.0 && !step.terminated);
            assert_eq!(step.truncated, truncated);
            assert_eq!(env.state().expect("a state"), &burnt);
        }
        let info = env.info().expect("a step");
        assert!(info.dead_end && info.step.is_some_and(|step| step.failure.is_some()));
    }
}

#[test]
fn a_packed_snapshot_is_the_snapshot() {
    let mut env = Env::new(coins(), EnvOptions::default()).expect("an environment");
    let mut other = Env::new(coins(), EnvOptions::default()).expect("an environment");
    env.reset(Some(9)).expect("a problem");
    for _ in 0..20 {
        let bytes = env.save().expect("a snapshot").pack::<Suite>();
        let saved = other.unpack(&bytes).expect("the same suite");
        assert_eq!(saved.pack::<Suite>(), bytes);
        other.restore(&saved).expect("the same suite");
        for _ in 0..6 {
            assert_eq!(other.state().expect("a state"), env.state().expect("a state"));
            let action = env
                .sample_action()
                .expect("running")
                .expect("coins can be tossed");
            assert_eq!(other.sample_action().expect("running"), Some(action));
            let (step, twin) = (
                env.step(action).expect("valid"),
                other.step(action).expect("valid"),
            );
            assert_eq!(step, twin);
            if step.ended() {
                let (reset, twin) = (
                    env.reset(None).expect("a problem"),
                    other.reset(None).expect("a problem"),
                );
                assert_eq!(reset, twin);
            }
        }
        for wrong in [&bytes[1..], &bytes[..bytes.len() - 1], &[][..], &[255; 80][..]] {
            assert!(matches!(other.unpack(wrong), Err(EnvError::NotASnapshot)));
        }
    }
}

#[test]
fn an_episode_that_is_set_into_a_dead_end_or_saved_there_knows() {
    let domain = "(define (domain match) (:predicates (whole)) (:action burn :precondition (whole) :effect (not (whole))))";
    let problem = "(define (problem p) (:domain match) (:init (whole)))";
    let options = EnvOptions {
        dead_end: DeadEnd::Continues,
        ..EnvOptions::default()
    };
    let mut env = env(domain, None, problem, options);
    let (whole, start) = (
        env.state().expect("a state").clone(),
        env.save().expect("a snapshot"),
    );
    let burn = AgentActionId::new(0);
    assert!(env.step(burn).expect("valid").applied);
    let (burnt, end) = (
        env.state().expect("a state").clone(),
        env.save().expect("a snapshot"),
    );
    env.set_state(&whole).expect("a state");
    assert!(!env.info().expect("a problem").dead_end && env.step(burn).expect("valid").applied);
    env.restore(&start).expect("a snapshot");
    env.set_state(&burnt).expect("a state");
    assert!(env.info().expect("a problem").dead_end && !env.step(burn).expect("idle").applied);
    env.restore(&start).expect("a snapshot");
    assert!(env.step(burn).expect("valid").applied);
    env.reset(None).expect("a problem");
    assert!(env.step(burn).expect("valid").applied);
    env.reset(None).expect("a problem");
    env.restore(&end).expect("a snapshot");
    assert!(!env.step(burn).expect("idle").applied);
}

#[test]
fn a_state_can_be_returned_to() {
    let mut env = env(CORRIDOR, Some(MOVES), THREE_CELLS, EnvOptions::default());
    let start = env.state().expect("a state").clone();
    env.step(action(&env, "(move east)")).expect("a push");
    env.step(action(&env, "(move west)")).expect("a walk to the goal");
    env.set_state(&start).expect("a state of this problem");
    assert_eq!(valid(&env), ["(move east)"]);
    env.step(action(&env, "(move east)"))
        .expect("the episode goes on");
}

#[test]
fn a_fault_in_the_settings_says_what_is_meant() {
    let message = |config: &str| match suite(CORRIDOR, Some(config), &[THREE_CELLS]) {
        Ok(_) => "no error".to_owned(),
        Err(error) => error.to_string(),
    };
    let action = |body: &str| message(&format!("[actions.move]\nparameters = [\"dir\"]\n{body}"));
    for (found, expected) in [
        (message("horizn = 3"), "unknown field `horizn`"),
        (message("horizon = \"x\""), "env.toml"),
        (
            message("horizon = 0"),
            "`horizon` is a number of steps, 1 or more",
        ),
        (message("ambiguity = \"last\""), "unknown variant `last`"),
        (
            action("operators = { wlak = [\"?d\"] }"),
            "no operator `wlak`; did you mean `walk`?",
        ),
        (
            action("operators = { walk = [\"?form\"] }"),
            "no parameter `?form`; did you mean `?from`?",
        ),
        (
            action("operators = { walk = [] }"),
            "has 1 parameter(s), but operator `walk` is given 0",
        ),
        (action("operators = {}"), "action `move` names no operator"),
        (
            message("[actions.walk]\noperators = { push = [] }"),
            "does not list the operator `walk`",
        ),
        (
            message("[actions.a]\noperators = { push = [] }\n[actions.b]\noperators = { push = [] }"),
            "operator `push` belongs to two actions: `a` and `b`",
        ),
    ] {
        assert!(found.contains(expected), "{found}");
    }
}

#[test]
fn a_config_error_is_data_too() {
    let config = Source::new("env.toml", "steps = 3");
    let error = herbrand_env::Config::parse(&config).expect_err("no such key");
    assert!(matches!(error, ConfigError::Faults(_)));
}

#[test]
fn a_problem_is_found_by_name_or_place() {
    let suite = coins();
    assert_eq!(suite.problem("two").expect("a name").problem_name(0), Some("two"));
    assert_eq!(suite.problem("2").expect("a place").problem_name(0), Some("two"));
    let error = suite.problem("tow").expect_err("no such problem");
    assert_eq!(
        error.to_string(),
        "coin has no problem `tow`, only one, two, three; did you mean `two`?"
    );
    assert!(suite.instance(3).is_err());
    assert!(Env::new(suite.split(herbrand_env::Split::Test), EnvOptions::default()).is_err());
}

#[test]
fn environments_go_to_other_threads() {
    fn check<T: Send + Clone>() {}
    check::<Env>();
    check::<herbrand_env::Planning<herbrand_env::Grounded>>();
}
