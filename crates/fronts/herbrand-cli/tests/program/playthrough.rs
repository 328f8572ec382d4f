//! A playthrough of each language by `show`: the tests of the page, of MCP and of the Python package replay them too.

use serde_json::Value;

use crate::run::herbrand;

/// Replays a playthrough, state by state.
fn replay(text: &str) {
    let played: Value = serde_json::from_str(text).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let (domain, problem) = (text(&played["domain"]), text(&played["problem"]));
    let mut walk = String::new();
    for step in played["steps"].as_array().expect("steps") {
        walk += step["action"].as_str().unwrap_or_default();
        let walked = if walk.is_empty() {
            String::new()
        } else {
            format!("--actions '{walk}'")
        };
        let shown = herbrand(&format!("show {domain} {problem} {walked} --format json")).json();
        assert_eq!(shown["reward"], step["reward"], "{walk}");
        assert_eq!(
            shown["actions"].as_array().map(|all| all.len() as u64),
            step["actions"].as_u64(),
            "{walk}"
        );
        assert_eq!(shown["goal"].as_bool().unwrap_or(false), step["goal"], "{walk}");
        let fluents = shown["fluents"]
            .as_array()
            .or_else(|| shown["state_fluents"].as_array());
        let fact = |fact: &Value| match fact.as_str() {
            Some(fact) => fact.to_owned(),
            None => {
                let fluent = text(&fact["fluent"]).replace('(', " ").replace([',', ')'], "");
                format!("({fluent}) = {}", fact["value"])
            }
        };
        let mut facts: Vec<_> = fluents.expect("a state").iter().map(fact).collect();
        facts.sort();
        assert_eq!(serde_json::json!(facts), step["facts"], "{walk}");
    }
}

#[test]
fn playthroughs_go_as_recorded() {
    replay(include_str!("../../../../../tests/playthroughs/pddl.json"));
    replay(include_str!("../../../../../tests/playthroughs/rddl.json"));
}
