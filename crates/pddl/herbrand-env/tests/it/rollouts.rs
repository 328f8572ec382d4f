//! Rollouts and the bundled domains.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use herbrand_core::trace::FileError;
use herbrand_env::trace::TraceError;
use herbrand_env::{
    EngineKind, Env, EnvOptions, EpisodeHorizon, PlanningEnv, ProblemChoice, Registry, RolloutOptions,
    RolloutPolicy, Split, Suite, System, rollout, rollout_recorded, rollout_until,
};

fn run(suite: &Suite, options: &RolloutOptions) -> herbrand_env::Rollout {
    rollout(suite, options, &|_| ()).expect("a rollout")
}

/// Returns the first problem of a bundled domain; larger ones are slow to ground in debug builds.
fn small(name: &str) -> Suite {
    Registry::get(name)
        .expect("a bundled domain")
        .problem("train/01")
        .expect("a first problem")
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    for name in ["sokoban", "tireworld", "blocks-derived"] {
        let suite = small(name);
        let options = |threads| RolloutOptions {
            episodes: 50,
            steps: 20,
            seed: 3,
            threads,
            ..RolloutOptions::default()
        };
        let [one, again, three] = [1, 1, 3].map(|threads| run(&suite, &options(threads)));
        for other in [again, three] {
            let seconds = one.seconds;
            assert_eq!(herbrand_env::Rollout { seconds, ..other }, one, "{name}");
        }
        let other_seed = RolloutOptions {
            seed: 4,
            ..options(1)
        };
        assert_ne!(run(&suite, &other_seed).digest, one.digest, "{name}");
    }
}

#[test]
fn one_walk_has_one_digest_in_every_engine() {
    for name in [
        "blocks",
        "sokoban",
        "tireworld",
        "blocks-derived",
        "exploding-blocks",
        "slide-tile",
        "casino",
    ] {
        let suite = small(name);
        for policy in [RolloutPolicy::Random, RolloutPolicy::First] {
            let digest = |engine, seed| {
                let options = RolloutOptions {
                    episodes: 20,
                    steps: 15,
                    seed,
                    ..RolloutOptions::default()
                };
                let stop = AtomicBool::new(false);
                let report = rollout_until(&policy, &suite, engine, &options, &|_| (), &stop);
                report.expect("a rollout").digest
            };
            let grounded = digest(EngineKind::Grounded, 7);
            assert_eq!(digest(EngineKind::Lifted, 7), grounded, "{name}, {policy:?}");
        }
    }
}

/// Rolls out on one engine, and returns the result without the time it took.
fn on(suite: &Suite, engine: EngineKind, options: &RolloutOptions) -> herbrand_env::Rollout {
    let stop = AtomicBool::new(false);
    let report = rollout_until(&RolloutPolicy::Random, suite, engine, options, &|_| (), &stop);
    let seconds = 0.0;
    herbrand_env::Rollout {
        seconds,
        ..report.expect("a rollout")
    }
}

#[test]
fn blocks_of_every_bundled_domain_roll_out_as_single_systems_do() {
    for (turn, name) in Registry::names().expect("names").iter().enumerate() {
        let suite = Registry::get(name).expect("a bundled domain");
        let suite = suite.select(&[0, 3, 6]).expect("three problems");
        for (episodes, threads) in [(700, 1), (64, 2)] {
            let options = RolloutOptions {
                episodes,
                steps: 12 + turn as u32 % 5,
                seed: turn as u64,
                threads,
                through_goals: turn % 3 == 0,
                within_horizons: turn % 2 == 0,
                ..RolloutOptions::default()
            };
            let grounded = on(&suite, EngineKind::Grounded, &options);
            for engine in [EngineKind::Sliced, EngineKind::Automatic] {
                assert_eq!(on(&suite, engine, &options), grounded, "{name} by {engine:?}");
            }
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn blocks_of_every_bundled_problem_roll_out_as_single_systems_do() {
    for name in Registry::names().expect("names") {
        let suite = Registry::get(&name).expect("a bundled domain");
        let options = RolloutOptions {
            episodes: 600 * suite.len() as u64,
            steps: 100,
            seed: 5,
            ..RolloutOptions::default()
        };
        let grounded = on(&suite, EngineKind::Grounded, &options);
        assert_eq!(on(&suite, EngineKind::Sliced, &options), grounded, "{name}");
    }
}

/// Returns a suite of one problem.
fn suite_of(domain: &str, problem: &str) -> Suite {
    let domain = herbrand_env::Domain::from_text(domain).expect("a sound domain");
    let problem = herbrand_env::Problem::from_text(problem, &domain).expect("a sound problem");
    Suite::from_problems(domain, [problem], Default::default()).expect("a suite")
}

/// In some states, several operators carry out one action, and there are dead ends where every action is ambiguous.
#[test]
fn blocks_agree_where_actions_are_ambiguous() {
    for rule in ["error", "first", "uniform"] {
        let folder = std::env::temp_dir().join(format!("herbrand-sliced-{rule}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
        write(
            "domain.pddl",
            "(define (domain hop) (:predicates (at ?x) (next ?x ?y) (fork ?x))
               (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
                 :effect (and (not (at ?x)) (at ?y)))
               (:action split :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y) (fork ?x))
                 :effect (at ?y))
               (:action forget :parameters (?x) :precondition (at ?x) :effect (not (at ?x))))",
        );
        write(
            "p.pddl",
            "(define (problem p) (:domain hop) (:objects a b c d e) (:init (at a) (fork c) (next a b) (next b c) (next c d)
               (next d e) (next e a) (next a c) (next c e)) (:goal (and (at b) (at d) (at e))))",
        );
        let actions =
            "[actions.go]\nparameters = [\"to\"]\noperators = { go = [\"?y\"], split = [\"?y\"] }\n";
        let settings = format!("ambiguity = \"{rule}\"\n{actions}");
        write("env.toml", &settings);
        let suite = match Suite::from_path(&folder) {
            Ok(suite) => suite,
            Err(error) => panic!("{error}"),
        };
        let options = RolloutOptions {
            episodes: 900,
            steps: 40,
            seed: 2,
            ..RolloutOptions::default()
        };
        let grounded = on(&suite, EngineKind::Grounded, &options);
        assert!(grounded.steps > 1000, "{grounded:?}");
        assert_eq!(on(&suite, EngineKind::Sliced, &options), grounded, "{rule}");
        std::fs::remove_dir_all(&folder).expect("the folder is removed");
    }
}

#[test]
fn blocks_agree_on_rewards_and_random_starts() {
    let suite = suite_of(
        "(define (domain dice) (:requirements :adl :probabilistic-effects :rewards)
           (:predicates (up ?d) (lit) (seen ?d))
           (:action roll :parameters (?d) :effect (and (decrease (reward) 1)
             (probabilistic 1/3 (and (up ?d) (when (lit) (increase (reward) 5))) 1/6 (not (up ?d)))))
           (:action look :parameters (?d) :precondition (up ?d)
             :effect (and (seen ?d) (decrease (reward) 0.25) (when (not (lit)) (lit)))))",
        "(define (problem p) (:domain dice) (:objects x y z) (:init (probabilistic 1/2 (up x)) (probabilistic 1/4 (lit)))
           (:goal (and (seen x) (seen y) (seen z))) (:goal-reward 10) (:metric maximize (reward)))",
    );
    for through_goals in [false, true] {
        let options = RolloutOptions {
            episodes: 1000,
            steps: 25,
            seed: 11,
            through_goals,
            ..RolloutOptions::default()
        };
        let grounded = on(&suite, EngineKind::Grounded, &options);
        assert!(grounded.goals > 0 && grounded.mean_return != 0.0, "{grounded:?}");
        assert_eq!(on(&suite, EngineKind::Sliced, &options), grounded);
    }
}

#[test]
fn what_does_not_fit_into_blocks_is_refused_by_name() {
    let suite = suite_of(
        "(define (domain tank) (:requirements :numeric-fluents) (:functions (fuel))
           (:action burn :precondition (> (fuel) 0) :effect (decrease (fuel) 1)))",
        "(define (problem full) (:domain tank) (:init (= (fuel) 3)) (:goal (= (fuel) 0)))",
    );
    let error = suite.on(EngineKind::Sliced).expect_err("it has a number");
    assert_eq!(
        error.to_string(),
        "problem `full` cannot be stepped in blocks: its states contain numbers, such as `(fuel)`, and the bit-sliced \
         engine has atoms only"
    );
    let options = RolloutOptions::default();
    let automatic = on(&suite, EngineKind::Automatic, &options);
    assert_eq!(automatic, on(&suite, EngineKind::Grounded, &options));
}

#[test]
fn blocks_stop_when_they_are_told() {
    let suite = small("gripper");
    let run = |duration, stop: bool| {
        let options = RolloutOptions {
            episodes: 5000,
            steps: 100_000,
            duration,
            through_goals: true,
            ..RolloutOptions::default()
        };
        let (stop, finished) = (AtomicBool::new(stop), AtomicU64::new(0));
        let progress = |count| _ = finished.fetch_add(count, Ordering::Relaxed);
        let report = rollout_until(
            &RolloutPolicy::Random,
            &suite,
            EngineKind::Sliced,
            &options,
            &progress,
            &stop,
        );
        let report = report.expect("a rollout");
        assert_eq!(finished.into_inner(), report.episodes);
        report
    };
    let stopped = run(None, true);
    assert!(
        stopped.ends.stopped == 512 && stopped.steps < 512 * 5000,
        "{stopped:?}"
    );
    let timed = run(Some(Duration::from_millis(20)), false);
    assert!(timed.episodes > 0, "{timed:?}");
}

#[test]
fn the_digest_speaks_of_names() {
    let domain = |switch: &str| {
        format!(
            "(define (domain lamps) (:requirements :negative-preconditions) (:predicates (on ?l) (lamp ?l))
           (:action {switch} :parameters (?l) :precondition (and (lamp ?l) (not (on ?l))) :effect (on ?l)))"
        )
    };
    let digest = |switch: &str, objects: &str| {
        let domain = herbrand_env::Domain::from_text(&domain(switch)).expect("a sound domain");
        let text = format!(
            "(define (problem p) (:domain lamps) (:objects {objects}) (:init (lamp a) (lamp b)) (:goal (and (on a) (on b))))"
        );
        let problem = herbrand_env::Problem::from_text(&text, &domain).expect("a sound problem");
        let suite = Suite::from_problems(domain, [problem], Default::default()).expect("a suite");
        run(
            &suite,
            &RolloutOptions {
                episodes: 1,
                ..RolloutOptions::default()
            },
        )
        .digest
    };
    let usual = digest("turn-on", "a b");
    assert_ne!(digest("light", "a b"), usual, "actions by another name");
    assert_eq!(
        digest("turn-on", "a b unused"),
        usual,
        "what nobody steps or sees does not count"
    );
}

#[test]
fn an_episode_of_a_rollout_is_that_of_an_environment() {
    let suite = small("tireworld");
    let options = RolloutOptions {
        episodes: 30,
        steps: 15,
        seed: 11,
        ..RolloutOptions::default()
    };
    let report = run(&suite, &options);
    let env_options = EnvOptions {
        horizon: EpisodeHorizon::Steps(15),
        ..EnvOptions::default()
    };
    let mut env = Env::new(suite, env_options).expect("an environment");
    let (mut steps, mut goals, mut dead_ends) = (0, 0, 0);
    for episode in 0..30 {
        env.reset_to(Some(11 + episode), ProblemChoice::Index(0))
            .expect("a problem");
        while let Some(action) = env.sample_action().expect("running") {
            let step = env.step(action).expect("valid");
            steps += 1;
            goals += u64::from(step.goal);
            dead_ends += u64::from(step.dead_end && !step.goal);
            if step.ended() {
                break;
            }
        }
    }
    assert_eq!(
        (report.steps, report.goals, report.dead_ends),
        (steps, goals, dead_ends)
    );
}

#[test]
fn walks_can_go_on_past_goals() {
    let suite = small("hanoi");
    let options = RolloutOptions {
        episodes: 5,
        steps: 400,
        ..RolloutOptions::default()
    };
    let through = RolloutOptions {
        through_goals: true,
        ..options
    };
    let (stopping, through) = (run(&suite, &options), run(&suite, &through));
    assert_eq!(through.steps, 2000);
    assert!(stopping.steps < through.steps && stopping.goals <= through.goals);
}

#[test]
fn time_can_be_the_limit() {
    let finished = AtomicU64::new(0);
    let options = RolloutOptions {
        duration: Some(Duration::from_millis(50)),
        steps: u32::MAX,
        through_goals: true,
        threads: 2,
        ..RolloutOptions::default()
    };
    let progress = |episodes| {
        finished.fetch_add(episodes, Ordering::Relaxed);
    };
    let report = rollout(&small("hanoi"), &options, &progress).expect("a rollout");
    assert!(report.seconds >= 0.05 && report.seconds < 20.0);
    assert_eq!(finished.into_inner(), report.episodes);
}

#[test]
fn every_bundled_domain_has_problems_of_both_kinds_that_begin_well() {
    let names = Registry::names().expect("sound domains");
    assert!(names.len() >= 6);
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
    for name in names {
        let suite = Registry::get(&name).expect("a bundled domain");
        assert!(
            suite.split(Split::Train).len() >= 5 && suite.split(Split::Test).len() >= 5,
            "{name}"
        );
        assert!(
            !suite.config().description.is_empty() && suite.config().horizon.is_some(),
            "{name}"
        );
        let engine = suite.engine(0).expect("a sound problem");
        assert!(!engine.status().goal && !engine.status().dead_end, "{name}");
    }
}

#[test]
fn an_unknown_domain_is_told_with_a_suggestion() {
    let error = Registry::get("sokobann").expect_err("no such domain");
    assert_eq!(
        error.to_string(),
        "there is no domain `sokobann`; did you mean `sokoban`?"
    );
    assert!(Registry::plan("blocks", "train/01").is_some_and(|plan| plan.starts_with('(')));
    assert!(Registry::plan("blocks", "train/999").is_none());
    assert!(Registry::plan("search-and-rescue-3", "test/01").is_some_and(|plan| plan.starts_with('(')));
}

#[test]
fn a_stopped_rollout_says_what_was_done() {
    let stop = AtomicBool::new(false);
    let options = RolloutOptions {
        episodes: u64::MAX,
        steps: 50,
        ..RolloutOptions::default()
    };
    let progress = |_| stop.store(true, Ordering::Relaxed);
    let engine = EngineKind::Automatic;
    let report = rollout_until(
        &RolloutPolicy::Random,
        &small("hanoi"),
        engine,
        &options,
        &progress,
        &stop,
    );
    let report = report.expect("a rollout");
    assert!(report.episodes > 0 && report.steps > 0);
}

#[test]
fn every_engine_records_the_rollout_that_it_makes() {
    for name in ["tireworld", "sokoban"] {
        let suite = small(name);
        let record = |engine| {
            let options = RolloutOptions {
                episodes: 4,
                seed: 2,
                ..RolloutOptions::default()
            };
            let mut trace = Vec::new();
            let report = rollout_recorded(
                &RolloutPolicy::Random,
                &suite,
                engine,
                &options,
                (name, "train/01"),
                &mut trace,
            );
            let report = report.expect("a rollout");
            (
                report.digest,
                report.mean_return,
                String::from_utf8(trace).expect("UTF-8"),
            )
        };
        let grounded = record(EngineKind::Grounded);
        assert_eq!(record(EngineKind::Lifted), grounded, "{name}");
    }
}

#[test]
fn an_episode_of_no_steps_is_its_initial_state() {
    let options = RolloutOptions {
        episodes: 3,
        steps: 0,
        ..RolloutOptions::default()
    };
    let (suite, mut trace) = (small("hanoi"), Vec::new());
    let names = ("hanoi", "train/01");
    let report = rollout_recorded(
        &RolloutPolicy::Random,
        &suite,
        EngineKind::Grounded,
        &options,
        names,
        &mut trace,
    );
    let report = report.expect("a rollout");
    assert_eq!((report.episodes, report.steps), (3, 0));
    let trace = String::from_utf8(trace).expect("UTF-8");
    assert_eq!(trace.lines().count(), 1 + 3);
    assert_eq!(trace.matches("\"chosen\":null").count(), 3);
}

/// A file on a disk with room for this number of bytes.
struct Full(usize);

impl std::io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_recording_ends_when_it_cannot_be_written() {
    let options = RolloutOptions {
        duration: Some(Duration::from_secs(30)),
        ..RolloutOptions::default()
    };
    let (suite, names) = (small("hanoi"), ("hanoi", "train/01"));
    let start = std::time::Instant::now();
    let engine = EngineKind::Grounded;
    let refused = rollout_recorded(
        &RolloutPolicy::Random,
        &suite,
        engine,
        &options,
        names,
        Full(100_000),
    );
    assert!(matches!(refused, Err(TraceError::File(FileError::Io(_)))));
    assert!(start.elapsed() < Duration::from_secs(15));
}

#[test]
fn the_mean_return_is_exact_on_any_number_of_threads() {
    let suite = small("hanoi");
    let mean = |threads| {
        let options = RolloutOptions {
            episodes: 300,
            steps: 60,
            threads,
            ..RolloutOptions::default()
        };
        let report = run(&suite, &options);
        assert!((report.mean_return - report.goals as f64 / report.episodes as f64).abs() < 1e-9);
        report.mean_return
    };
    let [one, three] = [mean(1), mean(3)];
    assert!(one > 0.0 && one.to_bits() == three.to_bits(), "{one} and {three}");
}

#[test]
fn a_problem_is_named_or_counted_from_one() {
    let suite = Registry::get("sokoban").expect("a bundled domain");
    let index = |name| suite.index_of(name).ok();
    assert_eq!(
        (index("01"), index("1"), index("train/01")),
        (Some(0), Some(0), Some(0))
    );
    assert_eq!((index("02"), index("2")), (Some(1), Some(1)));
    assert_eq!(
        (index("0"), index("test/01")),
        (None, Some(suite.split(Split::Train).len()))
    );
    let last = suite.len();
    assert_eq!(
        (index(&last.to_string()), index(&(last + 1).to_string())),
        (Some(last - 1), None)
    );
    let error = suite.index_of("99").expect_err("no such problem").to_string();
    assert!(error.starts_with("sokoban has no problem `99`, only "), "{error}");
    assert!(
        error.contains(": train/01 to test/") && !error.contains("did you mean"),
        "{error}"
    );
}
