//! Tests of policy files: a policy acts like the one in memory, and faulty files are refused.

use std::sync::{Arc, Mutex};

use herbrand_core::{Problems as _, RolloutPolicy, StateFunction};
use herbrand_env::Registry;
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{Policy, PolicyKind, PolicyOptions, ProbabilisticTask};
use herbrand_rddl_plan::exact::ExactPolicy;
use herbrand_rddl_sim::simulate::Values;
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_step::State;
use herbrand_tasks::plan::{PlanAnswer, PlanQuery, plan};
use herbrand_tasks::rollout::{RolloutQuery, RolloutReport, rollout};
use herbrand_tasks::validate::{ValidateAnswer, ValidateQuery, validate};
use herbrand_tasks::{AnyProblems, Run, TaskFailure, TaskQuery as _, read_policy};
use serde_json::json;

const EPISODES: u32 = 40;

fn pddl(name: &str) -> AnyProblems {
    let suite = Registry::get(name).expect("a bundled domain");
    AnyProblems::Pddl(suite).first().expect("a problem")
}

fn run<'a>() -> Run<'a> {
    Run {
        seed: 3,
        ..Run::default()
    }
}

/// Plans, and returns the answer and its policy file.
fn planned(problems: &AnyProblems, planner: &str) -> (PlanAnswer, String) {
    let query = PlanQuery {
        planner: Some(planner.to_owned()),
        runs: Some(EPISODES),
        rounds: (planner == "reactive").then_some(3),
        keeps_policy: true,
        ..PlanQuery::default()
    };
    let answer = plan(problems, &query, &mut run()).expect("a policy");
    let file = match &answer {
        PlanAnswer::Policy(report) => report.file.clone(),
        PlanAnswer::Acting(report) => report.file.clone(),
        _ => None,
    };
    (answer, file.expect("a file"))
}

fn validated(problems: &AnyProblems, file: &str) -> ValidateAnswer {
    let query = ValidateQuery {
        plan: file.to_owned(),
        episodes: EPISODES,
        ..ValidateQuery::default()
    };
    validate(problems, &query, &run()).expect("it is a policy")
}

/// Rolls out a policy file in as many episodes as it was planned for.
fn rolled_out(problems: &AnyProblems, file: &str) -> RolloutReport {
    let query = RolloutQuery {
        policy_text: file.to_owned(),
        episodes: Some(EPISODES.into()),
        ..RolloutQuery::default()
    };
    query.answer(problems, &mut run()).expect("a rollout")
}

/// Checks that rollouts of the file have the same digest as those of a policy in memory.
fn rolls_out_alike(problems: &AnyProblems, file: &str, own: StateFunction) {
    let query = RolloutQuery {
        policy: RolloutPolicy::OfState(own),
        episodes: Some(EPISODES.into()),
        threads: 2,
        ..RolloutQuery::default()
    };
    let expected = rollout(problems, &query, &run()).expect("a rollout");
    let found = rolled_out(problems, file);
    assert_eq!((found.steps, &found.digest), (expected.steps, &expected.digest));
    let random = RolloutQuery {
        policy: RolloutPolicy::Random,
        ..query
    };
    let random = rollout(problems, &random, &run()).expect("a rollout");
    assert!(random.digest != found.digest && found.steps > 0);
}

#[test]
fn a_file_for_pddl_acts_like_the_policy_in_memory() {
    for (name, planner) in [
        ("tireworld", PolicyKind::Lao),
        ("river", PolicyKind::ValueIteration),
        ("exploding-blocks", PolicyKind::Lao),
    ] {
        let problems = pddl(name);
        let (PlanAnswer::Policy(report), file) = planned(&problems, planner.as_str()) else {
            panic!("a policy")
        };
        let ValidateAnswer::Policy(followed) = validated(&problems, &file) else {
            panic!("a policy")
        };
        assert_eq!(json!(followed.runs), json!(report.runs), "{name}");
        assert!(followed.runs.reached > 0 && followed.given_up == 0, "{name}");
        let AnyProblems::Pddl(suite) = &problems else {
            panic!("PDDL")
        };
        let budget = Budget::unlimited();
        let simulator = suite.instance(0).expect("a problem").simulator();
        let task = ProbabilisticTask::from_initial(simulator, &budget).expect("a task");
        let own = planner.policy(&task, &PolicyOptions::default(), &budget);
        let own: Mutex<Box<dyn Policy>> = Mutex::new(own.expect("a policy"));
        let space = Arc::clone(suite.instance(0).expect("a problem").space());
        let act = move |_: u32, state: &State, _: &mut _| {
            let action = own.lock().expect("no panic").act(state).expect("a state")?;
            Some(vec![space.action_of(action).into()])
        };
        rolls_out_alike(&problems, &file, StateFunction::new(act));
    }
}

#[test]
fn a_file_for_rddl_acts_like_the_policy_in_memory() {
    let suite = RddlSuite::bundled("sysadmin-mdp").expect("a bundled domain");
    let problems = AnyProblems::Rddl(suite).first().expect("a problem");
    let AnyProblems::Rddl(suite) = &problems else {
        panic!("RDDL")
    };
    for planner in ["exact", "reactive"] {
        let (PlanAnswer::Acting(report), file) = planned(&problems, planner) else {
            panic!("a policy")
        };
        let ValidateAnswer::Returns(followed) = validated(&problems, &file) else {
            panic!("returns")
        };
        let mean = |report| {
            json!(report)["mean_discounted_return"]
                .as_f64()
                .expect("a number")
        };
        let (own, read) = (mean(json!(report)), mean(json!(followed)));
        assert_eq!(own, read, "{planner}");
        let rolled = rolled_out(&problems, &file).mean_discounted_return;
        assert!((rolled - own).abs() < 1e-9, "{planner}: {rolled} and {own}");
        if planner == "exact" {
            let instance = &suite.compiled(0).expect("a problem").instance;
            let own = ExactPolicy::solve(instance, suite.horizon(0), &Budget::unlimited());
            let own = own.expect("few states");
            let act = move |step, state: &Values, _: &mut _| own.joint(step, state).map(<[_]>::to_vec);
            rolls_out_alike(&problems, &file, StateFunction::new(act));
        }
    }
}

/// Returns the failure of reading a text for the first problem of `river`.
fn failure(text: &str, budget: &Budget) -> TaskFailure {
    let Err(failure) = read_policy(text, &pddl("river"), 0, budget) else {
        panic!("{text} is read")
    };
    failure
}

#[test]
fn faulty_files_are_refused() {
    let head = r#""domain":"river","problem":"p""#;
    let table = |atoms: &str, actions: &str, states: &str| {
        format!(
            r#"{{{head},"actions":{{"atoms":[{atoms}],"numbers":[],"actions":[{actions}],"states":[{states}]}}}}"#
        )
    };
    let walk = r#""(walk west-2 west-1)""#;
    let most = u32::MAX.to_string();
    let cases = [
        ("; a comment\n{".to_owned(), "EOF while parsing"),
        (format!("{{{head}}}"), "no network, no table and no actions"),
        (
            format!(r#"{{{head},"table":{{"steps":1,"joints":[],"states":[],"choices":[]}}}}"#),
            "other fluents",
        ),
        (table("", "", ""), "none of its 0 states is a start state"),
        (
            table(r#""(at moon)""#, "", ""),
            "`(at moon)` is no changing fact of this problem",
        ),
        (
            table("", r#""(fly)""#, ""),
            "`(fly)` is no action of this problem",
        ),
        (
            table("", walk, "[0,[],[]]"),
            "none of its 1 states is a start state",
        ),
        (
            table("", walk, &format!("[{most},[],[]]")),
            "state 1, counted from 1, has the number 4294967295",
        ),
        (
            table("", walk, "[0,[],[]],[0,[0],[]]"),
            "state 2, counted from 1, has the number 0, but `atoms` has 0",
        ),
        (
            table("", walk, "[0,[],[[7,1e308]]]"),
            "the number 7, but `numbers` has 0 names",
        ),
        (table("", walk, "[0,[],[[0,null]]]"), "invalid type: null"),
        (table("", walk, "[-1,[],[]]"), "invalid value: integer `-1`"),
    ];
    for (text, part) in cases {
        let said = failure(&text, &Budget::unlimited()).to_string();
        assert!(said.contains(part), "{text}: {said}");
    }
    let plan = read_policy("(walk west-2 west-1)", &pddl("river"), 0, &Budget::unlimited());
    assert!(plan.expect("no fault").is_none());
    let small = Budget::new(Limits {
        bytes: Some(10_000),
        time: None,
    });
    let rows = vec!["[0,[],[]]"; 200].join(",");
    let said = failure(&table("", walk, &rows), &small);
    assert!(matches!(said, TaskFailure::Limit(_)), "{said}");
}
