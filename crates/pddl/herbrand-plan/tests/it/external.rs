//! Tests of external planners: their plans are verified by execution.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use herbrand_core::Random;
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::strategies::{Shape, tasks};
use herbrand_pddl::{Domain, Problem};
use herbrand_plan::{
    Determinization, External, ExternalCommand, PlanRequest, Planner, PlannerError, Report, SearchOutcome,
    problem_at,
};
use herbrand_step::{Simulator, State, compile};
use proptest::prelude::*;

const RING: &str = "(define (domain ring) (:predicates (at ?x) (next ?x ?y)) (:functions (total-cost))
    (:action go :parameters (?x ?y) :precondition (and (at ?x) (next ?x ?y))
     :effect (and (at ?y) (not (at ?x)) (increase (total-cost) 2))))";

const PROBLEM: &str = "(define (problem p) (:domain ring) (:objects a b c)
    (:init (at a) (next a b) (next b c) (next c a) (= (total-cost) 0)) (:goal (at c)) (:metric minimize (total-cost)))";

/// A planner that is a shell script: `$1` is the domain, `$2` the problem, `$3` the plan.
fn script(text: &str) -> ExternalCommand {
    let words = ["-c", text, "fake", "{domain}", "{problem}", "{plan}"];
    ExternalCommand::new("sh", words).unwrap()
}

/// Runs a command on the ring, from the initial state or another one, and returns its report.
fn ask_from(command: ExternalCommand, budget: Budget, at: Option<&str>) -> Report {
    let domain = Domain::from_text(RING).unwrap();
    let problem = Problem::from_text(PROBLEM, &domain).unwrap();
    let simulator = compile(&domain, &problem).unwrap();
    let start = match at {
        Some(atom) => simulator
            .state_from_atoms([simulator.parse_atom(atom).unwrap()])
            .unwrap(),
        None => simulator.initial_state(),
    };
    let mut request = PlanRequest {
        budget,
        seed: 0,
        progress: &mut |_| {},
    };
    let planner = External::new(command, domain, problem);
    assert_eq!(planner.name(), "sh");
    planner
        .solve(&simulator, &start, Determinization::AllOutcomes, &mut request)
        .unwrap()
}

fn ask(text: &str) -> SearchOutcome {
    ask_from(script(text), Budget::unlimited(), None).outcome
}

fn within(time: Duration) -> Budget {
    Budget::new(Limits {
        bytes: None,
        time: Some(time),
    })
}

fn error(text: &str) -> String {
    match ask(text) {
        SearchOutcome::Failed(error) => error.to_string(),
        outcome => panic!("{text}: {outcome:?}"),
    }
}

#[test]
fn a_plan_that_holds_is_taken_with_what_it_costs() {
    for text in [
        "printf '; mine\\n(GO a b)\\n0.1: (go  b c) [1]\\n' > $3",
        // Earlier plans are incomplete or invalid.
        "echo '(go a b)' > $3.1; printf '(go a b)\\n(go b c)\\n' > $3.2; echo '(go a' > $3.10; exit 7",
    ] {
        let report = ask_from(script(text), Budget::unlimited(), None);
        let SearchOutcome::Plan(plan) = &report.outcome else {
            panic!("{text}: {:?}", report.outcome);
        };
        assert_eq!(
            (plan.steps.len(), plan.cost, plan.proven_optimal),
            (2, 4.0, false),
            "{text}"
        );
        assert_eq!(report.statistics.best_cost, Some(4.0));
    }
}

#[test]
fn a_plan_may_be_printed() {
    let words = |text| ["-c", text, "fake", "{domain}", "{problem}"];
    let say = |text| {
        ask_from(
            ExternalCommand::new("sh", words(text)).unwrap(),
            Budget::unlimited(),
            None,
        )
        .outcome
    };
    assert_eq!(
        say("echo '(go a b)'; echo '(go b c)'").plan().map(<[_]>::len),
        Some(2)
    );
    let SearchOutcome::Failed(PlannerError::Format(format)) =
        say("echo solved; echo '(go a b)'; echo '(go b c)'")
    else {
        panic!("that is no plan");
    };
    assert_eq!((format.line, format.text.as_str()), (1, "solved"));
    assert!(matches!(
        say("exit 12"),
        SearchOutcome::Failed(PlannerError::NoPlan { .. })
    ));
}

#[test]
fn it_is_asked_about_the_state_to_start_from() {
    let text = "grep -q '(at b)' $2 && ! grep -q '(at a)' $2 && grep -q 'next c a' $2 && grep -q 'define (domain ring)' $1 &&
        echo '(go b c)' > $3";
    let outcome = ask_from(script(text), Budget::unlimited(), Some("(at b)")).outcome;
    assert_eq!(outcome.plan().map(<[_]>::len), Some(1), "{outcome:?}");
    // The program is not started if the goal already holds.
    let outcome = ask_from(script("echo no > $3"), Budget::unlimited(), Some("(at c)")).outcome;
    assert_eq!(outcome, SearchOutcome::GoalAlreadyTrue);
}

#[test]
fn plans_that_do_not_hold_are_refused() {
    for (text, expected) in [
        (
            "echo '(go a b)' > $3",
            "the plan from sh (1 steps) does not reach the goal",
        ),
        (": > $3", "the plan from sh (0 steps) does not reach the goal"),
        (
            "printf '(go a b)\\n(go c a)\\n' > $3",
            "step 2 of the plan from sh, (go c a), is rejected: ",
        ),
        (
            "echo '(fly a c)' > $3",
            "step 1 of the plan from sh, (fly a c), is rejected: ",
        ),
        (
            "echo '(go a c)' > $3",
            "step 1 of the plan from sh, (go a c), is rejected: ",
        ),
        (
            "echo '(go a)' > $3",
            "step 1 of the plan from sh, (go a), is rejected: ",
        ),
        (
            "echo 'go a b' > $3",
            "the plan from sh:1: `go a b` is not of the form",
        ),
        ("printf '\\377\\000' > $3", "is not of the form"),
        ("mkdir $3", "is no plain file"),
        ("mkfifo $3", "is no plain file"),
        ("ln -s /dev/zero $3", "is no plain file"),
    ] {
        let message = error(text);
        assert!(message.contains(expected), "{text}: {message}");
    }
}

#[test]
fn no_answer_is_told_with_its_last_line() {
    for (text, expected) in [
        ("exit 12", "sh returned no plan (exit status: 12)"),
        ("true", "sh returned no plan (exit status: 0)"),
        (
            "echo first; echo last; exit 1",
            "sh returned no plan (exit status: 1): last",
        ),
        (
            "echo out; printf 'what\\033[2J\\n\\n' >&2; exit 1",
            "sh returned no plan (exit status: 1): what[2J",
        ),
        ("kill -9 $$", "sh returned no plan (signal: 9 (SIGKILL))"),
    ] {
        assert_eq!(error(text), expected, "{text}");
    }
    let nowhere = ExternalCommand::new("no-such-planner", ["{domain}", "{problem}"]).unwrap();
    let domain = Domain::from_text(RING).unwrap();
    let problem = Problem::from_text(PROBLEM, &domain).unwrap();
    let simulator = compile(&domain, &problem).unwrap();
    let mut request = PlanRequest {
        budget: Budget::unlimited(),
        seed: 0,
        progress: &mut |_| {},
    };
    let report = External::new(nowhere, domain, problem)
        .solve(
            &simulator,
            &simulator.initial_state(),
            Determinization::AllOutcomes,
            &mut request,
        )
        .unwrap();
    assert!(
        matches!(&report.outcome, SearchOutcome::Failed(PlannerError::Start { program, .. }) if program == "no-such-planner"),
        "{:?}",
        report.outcome
    );
}

#[test]
fn a_program_that_prints_without_end_is_ended() {
    let message = error("yes; echo '(go a b)' > $3");
    assert_eq!(message, "sh wrote more than 67108864 bytes");
}

/// Returns whether the process whose id a script wrote to a file is still running after two seconds.
fn goes_on(file: &Path) -> bool {
    let id = fs::read_to_string(file).unwrap();
    let there = || {
        Path::new("/proc")
            .join(id.trim())
            .join("fd")
            .read_dir()
            .is_ok_and(|mut open| open.next().is_some())
    };
    (0..100).all(|_| {
        std::thread::sleep(Duration::from_millis(20));
        there()
    })
}

#[test]
fn the_limit_of_time_ends_it_with_all_that_it_started() {
    let folder = tempfile::tempdir().unwrap();
    let note = folder.path().join("child");
    let began = Instant::now();
    let text = format!("sleep 300 & echo $! > {}; wait", note.display());
    let outcome = ask_from(script(&text), within(Duration::from_millis(500)), None).outcome;
    assert_eq!(outcome, SearchOutcome::OutOfTime);
    assert!(began.elapsed() < Duration::from_secs(100), "it was waited for");
    if cfg!(target_os = "linux") {
        assert!(!goes_on(&note), "its child goes on");
    }
    // Processes left behind by a program that exits are killed too.
    let text = format!(
        "sleep 300 & echo $! > {}; printf '(go a b)\\n(go b c)\\n' > $3",
        note.display()
    );
    assert_eq!(ask(&text).plan().map(<[_]>::len), Some(2));
    if cfg!(target_os = "linux") {
        assert!(!goes_on(&note), "its child goes on");
    }
}

#[test]
fn a_plan_that_was_found_in_time_counts() {
    let text = "printf '(go a b)\\n(go b c)\\n' > $3.1; printf '(go a b)\\n(go' > $3.2; sleep 300";
    let outcome = ask_from(script(text), within(Duration::from_millis(500)), None).outcome;
    assert_eq!(outcome.plan().map(<[_]>::len), Some(2), "{outcome:?}");
    // If the plan is invalid, the outcome is the exceeded limit.
    let text = "echo '(go a b)' > $3; sleep 300";
    let outcome = ask_from(script(text), within(Duration::from_millis(500)), None).outcome;
    assert_eq!(outcome, SearchOutcome::OutOfTime);
}

#[test]
fn it_is_cancelled_from_another_thread() {
    let budget = Budget::unlimited();
    let other = budget.clone();
    let canceller = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(100));
        other.cancel();
    });
    let outcome = ask_from(script("sleep 300"), budget, None).outcome;
    assert_eq!(outcome, SearchOutcome::Cancelled);
    canceller.join().unwrap();
}

#[test]
#[cfg(target_os = "linux")]
fn the_limit_of_memory_is_one_of_address_space() {
    let budget = Budget::new(Limits {
        bytes: Some(512 << 20),
        time: None,
    });
    // `ulimit` uses kibibytes. The limit is set directly after the start.
    let text = "sleep 0.2; test $(ulimit -v) = 524288 && printf '(go a b)\\n(go b c)\\n' > $3";
    let outcome = ask_from(script(text), budget, None).outcome;
    assert_eq!(outcome.plan().map(<[_]>::len), Some(2), "{outcome:?}");
}

#[test]
fn a_task_with_chance_is_refused() {
    let domain = Domain::from_text(
        "(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up))
        (:action toss :effect (probabilistic 1/2 (up))))",
    )
    .unwrap();
    let problem = Problem::from_text(
        "(define (problem p) (:domain coin) (:init) (:goal (up)))",
        &domain,
    )
    .unwrap();
    let simulator = compile(&domain, &problem).unwrap();
    for how in [Determinization::AllOutcomes, Determinization::MostLikely] {
        let mut request = PlanRequest {
            budget: Budget::unlimited(),
            seed: 0,
            progress: &mut |_| {},
        };
        let report = External::new(script("echo '(toss)' > $3"), domain.clone(), problem.clone())
            .solve(&simulator, &simulator.initial_state(), how, &mut request)
            .unwrap();
        assert_eq!(report.outcome, SearchOutcome::Failed(PlannerError::Chance));
    }
}

/// Returns the names of the actions that are valid in a state, and whether the goal holds.
fn valid(simulator: &Simulator, state: &State) -> (Vec<String>, bool) {
    let actions = simulator.valid_actions(state).into_iter();
    let names = actions.map(|action| simulator.task().display_action(action).to_string());
    (names.collect(), simulator.is_goal(state))
}

proptest! {
    /// The problem with another initial state, printed and parsed again, has the valid actions of that state, also after one
    /// step.
    #[test]
    fn a_problem_begins_in_any_state((domain, problem) in tasks(&Shape::default()), seed in 0_u64..1000, steps in 0..6) {
        let Ok(simulator) = compile(&domain, &problem) else { return Ok(()) };
        let mut random = Random::new(seed);
        let mut walker = simulator.walker();
        if walker.reset(&mut random).is_err() {
            return Ok(());
        }
        for _ in 0..steps {
            let Some(action) = walker.sample(&mut random) else { break };
            let _ = walker.apply(action, &mut random);
        }
        let state = walker.state().clone();
        let text = problem_at(&domain, &problem, &simulator, &state).to_pddl(&domain);
        let again = Problem::from_text(&text, &domain).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        let again = compile(&domain, &again).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        let start = again.initial_state();
        prop_assert_eq!(valid(&again, &start), valid(&simulator, &state), "{}", text);
        // Both agree after one deterministic step, so numbers and atoms that no precondition reads yet agree too.
        for action in simulator.valid_actions(&state) {
            let name = simulator.task().display_action(action).to_string();
            let same = again.parse_action(&name).map_err(|error| TestCaseError::fail(error.to_string()))?;
            let (Ok(one), Ok(other)) = (simulator.outcomes(&state, action), again.outcomes(&start, same)) else { continue };
            if let ([one], [other]) = (one.as_slice(), other.as_slice()) {
                prop_assert_eq!(valid(&again, &other.state), valid(&simulator, &one.state), "{} in {}", name, text);
            }
        }
    }
}

/// Walks in two simulators with the same draws, and compares what is valid.
fn assert_same_walk(one: &Simulator, other: &Simulator, about: &str) {
    let (mut here, mut there) = (one.walker(), other.walker());
    let mut random = Random::new(7);
    for step in 0..20 {
        let (mine, theirs) = (here.state().clone(), there.state().clone());
        assert_eq!(valid(one, &mine), valid(other, &theirs), "{about}, step {step}");
        let Some(action) = here.sample(&mut random) else {
            break;
        };
        let name = one.task().display_action(action).to_string();
        let same = other.parse_action(&name).unwrap();
        let mut draws = random.clone();
        here.apply(action, &mut random).unwrap();
        there.apply(same, &mut draws).unwrap();
    }
}

/// Writes a problem as for other programs, reads it back, and compares the two. The texts have no actions of the agent.
fn assert_copy_is_the_same(domain: &Domain, problem: &Problem, about: &str) {
    let simulator = compile(domain, problem).unwrap();
    let (at, plain) = (simulator.initial_state(), domain.without_agent_actions());
    let copy = problem_at(domain, problem, &simulator, &at).to_pddl(domain);
    let text = plain.to_pddl();
    assert!(!text.contains(';'), "{about}: {text}");
    let domain = Domain::from_text(&text).unwrap_or_else(|faults| panic!("{about}: {faults}"));
    let problem = Problem::from_text(&copy, &domain).unwrap_or_else(|faults| panic!("{about}: {faults}"));
    assert_same_walk(&simulator, &compile(&domain, &problem).unwrap(), about);
}

#[test]
fn copies_of_the_bundled_problems_are_the_same_problems() {
    for (path, text) in herbrand_domains::pddl() {
        let Some(folder) = path.strip_suffix("/train/01.pddl") else {
            continue;
        };
        let Some(domain) = herbrand_domains::file(&format!("{folder}/domain.pddl")) else {
            continue;
        };
        let domain = Domain::from_text(domain).unwrap();
        let problem = Problem::from_text(text, &domain).unwrap();
        assert_copy_is_the_same(&domain, &problem, folder);
    }
}

#[test]
fn copies_of_problems_in_the_dialect_of_pddlgym_are_the_same_problems() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/pddlgym");
    let Ok(folders) = fs::read_dir(&folder) else {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    };
    let mut count = 0;
    for folder in folders.flatten().map(|entry| entry.path()) {
        let Ok(domain) = fs::read_to_string(folder.join("domain.pddl")) else {
            continue;
        };
        let Ok(domain) = Domain::from_text(&domain) else {
            continue;
        };
        let Ok(problems) = fs::read_dir(folder.join("problems")) else {
            continue;
        };
        let first = problems.flatten().map(|entry| entry.path()).min();
        let Some(Ok(text)) = first.map(fs::read_to_string) else {
            continue;
        };
        let Ok(problem) = Problem::from_text(&text, &domain) else {
            continue;
        };
        assert_copy_is_the_same(&domain, &problem, &folder.display().to_string());
        count += 1;
    }
    assert!(count > 20, "only {count} problems were compared");
}

/// The precondition `(move ?way)` is the agent's choice, so no fact has to hold.
#[test]
fn an_action_of_the_agent_is_no_condition_for_other_planners() {
    let domain = "(define (domain walk) (:predicates (at ?x) (road ?x ?y ?way) (move ?way))
        ; (:actions move)
        (:action go :parameters (?x ?y ?way) :precondition (and (move ?way) (at ?x) (road ?x ?y ?way))
         :effect (and (at ?y) (not (at ?x)))))";
    let domain = Domain::from_text(domain).unwrap();
    let problem = "(define (problem p) (:domain walk) (:objects a b east)
        (:init (at a) (road a b east) (move east)) (:goal (at b)))";
    let problem = Problem::from_text(problem, &domain).unwrap();
    assert_copy_is_the_same(&domain, &problem, "walk");
    let simulator = compile(&domain, &problem).unwrap();
    let mut request = PlanRequest {
        budget: Budget::unlimited(),
        seed: 0,
        progress: &mut |_| {},
    };
    // The script is a planner that knows no dialect: it finds a plan unless a condition lacks its fact.
    let text = "grep -q '(move' $1 && grep -q ':precondition.*(move' $1 && exit 1; echo '(go a b east)' > $3";
    let report = External::new(script(text), domain, problem)
        .solve(
            &simulator,
            &simulator.initial_state(),
            Determinization::AllOutcomes,
            &mut request,
        )
        .unwrap();
    assert!(
        matches!(report.outcome, SearchOutcome::Plan(_)),
        "{:?}",
        report.outcome
    );
}
