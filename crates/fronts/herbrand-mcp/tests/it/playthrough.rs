//! The playthroughs of each language as sessions.

use serde_json::{Value, json};

use super::{done, tools};

#[test]
fn playthroughs_go_as_recorded() {
    for text in [
        include_str!("../../../../../tests/playthroughs/pddl.json"),
        include_str!("../../../../../tests/playthroughs/rddl.json"),
    ] {
        let played: Value = serde_json::from_str(text).expect("JSON");
        let tools = tools();
        let opened = json!({"domain": played["domain"], "problem": played["problem"]});
        let session = done(&tools, "open", opened).data["session"].clone();
        for step in played["steps"].as_array().expect("steps") {
            if !step["action"].is_null() {
                done(
                    &tools,
                    "step",
                    json!({"session": session, "action": step["action"]}),
                );
            }
            let state = done(&tools, "state", json!({"session": session})).data;
            assert_eq!(state["reward"], step["reward"], "{step}");
            assert_eq!(state["action_count"], step["actions"], "{step}");
            assert_eq!(json!(state["status"] == "goal"), step["goal"], "{step}");
            // In RDDL, there are intermediate values too.
            let facts = state["facts"].as_array().expect("facts");
            let mut expected = step["facts"].as_array().expect("facts").iter();
            assert!(expected.all(|fact| facts.contains(fact)), "{step}: {facts:?}");
        }
    }
}
