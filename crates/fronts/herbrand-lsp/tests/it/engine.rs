//! Remarks above texts, plans and pictures.

use std::time::Duration;

use herbrand_limits::Limits;
use herbrand_lsp::ServerLimits;
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::places::{DELIVERY, DOMAIN, EVENING, MORNING, PROBLEM, opened};
use crate::reach::without_grounding;

fn lenses(client: &mut Client, uri: &str) -> Vec<(String, String)> {
    let found = client.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let text = |one: &Value| {
        let name = client.text_at(uri, &one["range"]);
        (
            name,
            one["command"]["title"].as_str().expect("a title").to_owned(),
        )
    };
    found.as_array().expect("a list").iter().map(text).collect()
}

fn run(client: &mut Client, command: &str, arguments: Value) -> (Result<Value, String>, String) {
    client.messages.clear();
    let answer = client.try_ask(
        "workspace/executeCommand",
        json!({ "command": command, "arguments": arguments }),
    );
    (answer, client.messages.join("\n"))
}

#[test]
fn actions_show_their_instances_and_problems_their_size() {
    let mut client = opened();
    let found = lenses(&mut client, DOMAIN);
    let title = |name: &str| {
        let of = found.iter().find(|(of, _)| of == name);
        of.unwrap_or_else(|| panic!("{name} is in {found:?}")).1.clone()
    };
    assert!(
        title("drive").starts_with("2 ground actions in `morning` · `?"),
        "{}",
        title("drive")
    );
    assert!(
        title("load").starts_with("2 ground actions in `morning`"),
        "{}",
        title("load")
    );
    let found = lenses(&mut client, PROBLEM);
    let titles: Vec<_> = found.iter().map(|(_, title)| title.as_str()).collect();
    assert_eq!(
        &titles[..4],
        ["Run a plan", "Check a plan", "Roll out", "Show the state"]
    );
    assert!(
        titles[4].starts_with("5 atoms · 6 actions · 0 strata of axioms · grounded in "),
        "{titles:?}"
    );
    assert_eq!(lenses(&mut client, EVENING).len(), 3);
    // Without a truck, no action can ever be applied.
    let text = MORNING
        .replace("lorry - truck", "lorry - thing")
        .replace("(at lorry depot)", "");
    client.open(PROBLEM, &text);
    let found = lenses(&mut client, DOMAIN);
    assert_eq!(
        found[0].1,
        "never applicable in `morning`: there is no object of type `truck` for `?t`"
    );
    client.open(
        PROBLEM,
        &MORNING.replace("(road depot town) (road town depot)", ""),
    );
    let found = lenses(&mut client, DOMAIN);
    assert_eq!(
        found[0].1,
        "never applicable in `morning`: `(road ?from ?to)` never holds: `:init` lists none, and no action adds `road`"
    );
}

#[test]
fn plans_are_found_and_checked() {
    let folder = tempfile::tempdir().expect("a folder");
    let (domain, problem) = (folder.path().join("domain.pddl"), folder.path().join("p01.pddl"));
    std::fs::write(&domain, DELIVERY).expect("a file");
    let mut client = Client::start(Some(folder.path()));
    let of = uri(&problem);
    client.open(&of, MORNING);
    let (answer, message) = run(&mut client, "herbrand.plan", json!([of]));
    let steps = answer.expect("a plan")["steps"].as_array().map(Vec::len);
    assert_eq!(steps, Some(4), "{message}");
    assert!(message.contains("(load letter lorry town)"), "{message}");
    let (answer, message) = run(&mut client, "herbrand.checkPlan", json!([of]));
    assert!(
        answer.is_err() && message.contains("there is no plan beside the problem"),
        "{message}"
    );
    let plan = "; found\n0: (drive lorry depot town) [1]\n(LOAD letter lorry town)\n(drive lorry town depot)\n(unload letter lorry depot)\n";
    std::fs::write(folder.path().join("p01.plan"), plan).expect("a file");
    let (_, message) = run(&mut client, "herbrand.checkPlan", json!([of]));
    assert_eq!(message, "the plan reaches the goal in 4 steps");
    let (_, message) = run(
        &mut client,
        "herbrand.checkPlan",
        json!([of, "(drive lorry depot town)"]),
    );
    assert_eq!(message, "the plan does not reach the goal: (at letter depot)");
    let wrong = "(drive lorry depot town)\n(drive lorry depot town)";
    let (_, message) = run(&mut client, "herbrand.checkPlan", json!([of, wrong]));
    assert!(
        message.starts_with("step 2 of the plan, (drive lorry depot town), cannot be taken: "),
        "{message}"
    );
    assert!(message.contains("(at lorry depot)"), "{message}");
}

#[test]
fn states_are_drawn_and_actions_explained() {
    let mut client = opened();
    for problem in [PROBLEM, EVENING] {
        let view = client.ask(
            "herbrand/ask",
            json!({ "uri": problem, "ask": "look", "walk": [] }),
        );
        assert!(
            view["picture"]["svg"]
                .as_str()
                .is_some_and(|svg| svg.starts_with("<svg")),
            "{view}"
        );
        let (answer, message) = run(&mut client, "herbrand.rollout", json!([problem]));
        assert!(answer.is_ok() && message.contains("random steps"), "{message}");
    }
    // The goal is drawn as a state with the static facts.
    let goal = client.ask(
        "herbrand/ask",
        json!({ "uri": PROBLEM, "ask": "look", "of": "goal" }),
    );
    let facts: Vec<_> = goal["facts"]
        .as_array()
        .expect("facts")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    assert_eq!(facts, ["(at letter depot)"], "{goal}");
    assert_eq!(goal["goal"][0]["satisfied"], true);
    let refused = client.try_ask(
        "herbrand/ask",
        json!({ "uri": EVENING, "ask": "look", "of": "goal" }),
    );
    assert!(refused.is_err_and(|reason| reason.contains("RDDL has no goals")));
    let (_, message) = run(
        &mut client,
        "herbrand.why",
        json!([PROBLEM, "(load letter lorry town)"]),
    );
    assert!(message.contains("(at lorry town)"), "{message}");
    let (_, message) = run(&mut client, "herbrand.why", json!([PROBLEM, "drive"]));
    assert_eq!(
        message,
        "1 of `drive` are valid at the start, such as (drive lorry depot town)"
    );
    // An action without a valid instance is explained by the nearest one.
    let (_, message) = run(&mut client, "herbrand.why", json!([PROBLEM, "load"]));
    assert!(
        message.starts_with("no instance of `load` is valid at the start\n(load letter lorry depot): "),
        "{message}"
    );
    assert!(message.contains("(at letter depot) does not hold"), "{message}");
    let (_, message) = run(&mut client, "herbrand.ground", json!([PROBLEM]));
    assert!(message.contains("6 actions"), "{message}");
    let (answer, _) = run(&mut client, "herbrand.nothing", json!([PROBLEM]));
    assert!(answer.is_err_and(|error| error.contains("no command")));
    let (answer, _) = run(&mut client, "herbrand.plan", json!([DOMAIN]));
    assert!(answer.is_err_and(|error| error.contains("defines no problem")));
    // An edit changes the picture.
    let drawn = |client: &mut Client| {
        client.ask("herbrand/ask", json!({ "uri": PROBLEM, "ask": "look" }))["picture"]["svg"].clone()
    };
    let before = drawn(&mut client);
    let start = MORNING.find("(at lorry depot)").expect("a fact");
    client.edit(PROBLEM, start..start + 16, "(at lorry town)");
    assert_ne!(drawn(&mut client), before);
}

#[test]
fn a_request_that_waits_can_be_cancelled() {
    let mut client = opened();
    let slow = client.send(
        "workspace/executeCommand",
        json!({ "command": "herbrand.rollout", "arguments": [EVENING] }),
    );
    let waiting: Vec<_> = (0..5)
        .map(|_| {
            client.send(
                "workspace/executeCommand",
                json!({ "command": "herbrand.rollout", "arguments": [EVENING] }),
            )
        })
        .collect();
    for id in &waiting {
        client.tell("$/cancelRequest", json!({ "id": id }));
    }
    let last = waiting.last().expect("a request");
    assert!(
        client
            .answer_to(last)
            .is_err_and(|error| error.contains("cancelled"))
    );
    let _ = slow;
    // Later requests are answered.
    client.open(PROBLEM, MORNING);
    assert_eq!(client.diagnostics(PROBLEM), Vec::<Value>::new());
}

#[test]
fn a_problem_too_large_to_ground_has_upper_bounds() {
    let engine = Limits {
        time: Some(Duration::from_secs(6)),
        bytes: None,
    };
    let mut client = Client::start_within(
        ServerLimits {
            engine,
            ..without_grounding()
        },
        None,
    );
    let parameters = "?a ?b ?c ?d ?e ?f ?g ?h - truck";
    let action = format!(
        "(:action meet :parameters ({parameters}) :effect (met {}))",
        &parameters[..23]
    );
    let met = format!("(:predicates (met {parameters})");
    client.open(
        DOMAIN,
        &DELIVERY
            .replace("(:predicates", &met)
            .replace("(:action drive", &format!("{action} (:action drive")),
    );
    let trucks: String = (0..30).map(|at| format!("t{at} ")).collect();
    client.open(
        PROBLEM,
        &MORNING.replace("lorry - truck", &format!("{trucks} lorry - truck")),
    );
    let found = lenses(&mut client, DOMAIN);
    let bound = format!(
        "at most {} ground actions in `morning`, which is too large to ground here",
        31_u64.pow(8)
    );
    assert!(found.contains(&("meet".to_owned(), bound)), "{found:?}");
    let found = lenses(&mut client, PROBLEM);
    assert!(
        found.contains(&("morning".to_owned(), "too large to ground here".to_owned())),
        "{found:?}"
    );
}
