//! Warnings that need the open problems grounded: impossible goals, actions and predicates.

use std::time::Duration;

use herbrand_limits::Limits;
use herbrand_lsp::ServerLimits;
use serde_json::{Value, json};

use crate::client::{Client, uri};
use crate::places::{DELIVERY, DOMAIN, MORNING, PROBLEM};

/// The codes of warnings that need grounding.
const CODES: [&str; 2] = ["W0306", "W0307"];

/// Returns the limits of a server that never finds time to ground.
pub(crate) fn without_grounding() -> ServerLimits {
    ServerLimits {
        pause: Duration::from_secs(3600),
        ..ServerLimits::default()
    }
}

fn at_once() -> ServerLimits {
    ServerLimits {
        pause: Duration::ZERO,
        ..ServerLimits::default()
    }
}

/// Returns the names that warnings of grounding point at, with their codes and messages.
fn told(client: &Client, uri: &str, found: &[Value]) -> Vec<[String; 3]> {
    let own = found
        .iter()
        .filter(|one| one["code"].as_str().is_some_and(|code| CODES.contains(&code)));
    let text = |one: &Value| one.as_str().unwrap_or_default().to_owned();
    own.map(|one| {
        [
            text(&one["code"]),
            client.text_at(uri, &one["range"]),
            text(&one["message"]),
        ]
    })
    .collect()
}

/// A problem without a truck.
fn truckless() -> String {
    MORNING.replace("lorry - truck", "lorry - thing")
}

fn has(code: &'static str) -> impl Fn(&[Value]) -> bool {
    move |found| found.iter().any(|one| one["code"] == code)
}

fn none(found: &[Value]) -> bool {
    !CODES.iter().any(|&code| has(code)(found))
}

#[test]
fn actions_and_predicates_are_marked_in_the_domain_with_the_proof() {
    let mut client = Client::start_within(at_once(), None);
    client.open(DOMAIN, DELIVERY);
    client.open(PROBLEM, &truckless());
    let found = client.until(DOMAIN, has("W0306"));
    let no_truck = "there is no object of type `truck` for `?t`";
    let action = |name: &str| {
        let message = format!("`{name}` can never be applied in `morning`\n{no_truck}");
        ["W0306".to_owned(), name.to_owned(), message]
    };
    let message = "no atom of `inside` can ever be true in `morning`\n`:init` lists none, and what adds it can never be applied: \
                   `load`";
    let predicate = ["W0307".to_owned(), "inside".to_owned(), message.to_owned()];
    let mut all = told(&client, DOMAIN, &found);
    all.sort();
    assert_eq!(
        all,
        [action("drive"), action("load"), action("unload"), predicate]
    );
    let related = &found
        .iter()
        .find(|one| one["code"] == "W0306")
        .expect("a warning")["relatedInformation"];
    assert_eq!(client.text_at(DOMAIN, &related[0]["location"]["range"]), "?t");
    // The warning of the goal is in the problem.
    let found = client.until(PROBLEM, has("W0304"));
    assert_eq!(found.len(), 1, "{found:#?}");
    let said = found[0]["message"].as_str().unwrap_or_default().to_owned();
    assert!(
        said.starts_with(
            "the goal `(at letter depot)` can never hold\nno action that adds `at` can add this"
        ),
        "{said}"
    );
    assert!(
        said.contains("`unload` would add it, but can never be applied"),
        "{said}"
    );
    let page = client.ask(
        "workspace/textDocumentContent",
        json!({ "uri": "herbrand-explain:W0306" }),
    );
    assert!(
        page["text"]
            .as_str()
            .is_some_and(|text| text.contains("No objects satisfy"))
    );
}

/// The pictures of the documentation show these texts.
#[test]
fn a_goal_and_an_action_are_explained_together() {
    let mut client = Client::start_within(at_once(), None);
    client.open(DOMAIN, include_str!("../../editors/pictures/museum/domain.pddl"));
    client.open(PROBLEM, include_str!("../../editors/pictures/museum/p01.pddl"));
    // The domain is checked alone until the problem is read.
    let found = client.until(DOMAIN, |found| has("W0306")(found) && has("W0308")(found));
    let mut codes: Vec<_> = found.iter().filter_map(|one| one["code"].as_str()).collect();
    codes.sort_unstable();
    assert_eq!(codes, ["W0306", "W0306", "W0307", "W0308"], "{found:#?}");
    let found = client.until(PROBLEM, has("W0304"));
    let message = found[0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("`sweep` would add it, but"), "{message}");
}

#[test]
fn an_edit_of_the_problem_renews_the_warnings_of_the_domain() {
    let mut client = Client::start_within(at_once(), None);
    client.open(DOMAIN, DELIVERY);
    client.open(PROBLEM, &truckless());
    client.until(DOMAIN, has("W0306"));
    let start = truckless().find("thing").expect("a type");
    client.edit(PROBLEM, start..start + 5, "truck");
    client.until(DOMAIN, none);
    assert_eq!(client.until(PROBLEM, |found| found.is_empty()), [] as [Value; 0]);
    client.edit(PROBLEM, start..start + 5, "thing");
    client.until(DOMAIN, has("W0306"));
    // A problem with an error, or a closed one, has no such warnings.
    client.edit(PROBLEM, start..start + 5, "thng");
    client.until(DOMAIN, none);
    client.edit(PROBLEM, start..start + 4, "thing");
    client.until(DOMAIN, has("W0306"));
    client.tell(
        "textDocument/didClose",
        json!({ "textDocument": { "uri": PROBLEM } }),
    );
    client.until(DOMAIN, none);
}

#[test]
fn what_another_open_problem_can_do_is_not_told() {
    let mut client = Client::start_within(at_once(), None);
    client.open(DOMAIN, DELIVERY);
    client.open(PROBLEM, &truckless());
    client.until(DOMAIN, has("W0306"));
    let second = "file:///models/p02.pddl";
    client.open(second, MORNING);
    client.until(DOMAIN, none);
    client.edit(
        second,
        0..MORNING.len(),
        &MORNING.replace("(road depot town) (road town depot)", ""),
    );
    // In the second one, the lorry cannot leave its place either.
    let found = client.until(DOMAIN, has("W0306"));
    let names: Vec<_> = told(&client, DOMAIN, &found)
        .into_iter()
        .map(|[_, name, _]| name)
        .collect();
    assert_eq!(names, ["drive", "load", "unload", "inside"]);
}

#[test]
fn warnings_of_a_domain_that_is_not_open_are_at_the_name_of_the_problem() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("domain.pddl"), DELIVERY).expect("a file");
    let problem = uri(&folder.path().join("p01.pddl"));
    let mut client = Client::start_within(at_once(), Some(folder.path()));
    client.open(&problem, &truckless());
    let found = client.until(&problem, has("W0306"));
    let places: Vec<_> = told(&client, &problem, &found)
        .into_iter()
        .map(|[_, name, _]| name)
        .collect();
    assert_eq!(places, ["morning"; 4]);
}

#[test]
fn grounding_waits_for_a_pause_and_ends_at_its_limits() {
    let mut client = Client::start_within(without_grounding(), None);
    client.open(DOMAIN, DELIVERY);
    client.open(PROBLEM, &truckless());
    assert_eq!(client.diagnostics(DOMAIN), [] as [Value; 0]);
    // No further message comes: the next answer is the first one after the diagnostics.
    client.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": DOMAIN } }),
    );
    assert!(none(&client.diagnostics(DOMAIN)));
    let small = Limits {
        bytes: Some(1),
        time: None,
    };
    let limits = ServerLimits {
        engine: small,
        ..at_once()
    };
    let mut client = Client::start_within(limits, None);
    client.open(DOMAIN, DELIVERY);
    client.open(PROBLEM, &truckless());
    assert_eq!(client.diagnostics(PROBLEM).len(), 0);
    std::thread::sleep(Duration::from_millis(200));
    client.ask(
        "textDocument/documentSymbol",
        json!({ "textDocument": { "uri": DOMAIN } }),
    );
    assert!(none(&client.diagnostics(DOMAIN)));
}
