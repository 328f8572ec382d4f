//! The playthroughs of each language as positions of the page.

use herbrand_play::{EpisodeStatus, JointTexts};
use serde_json::{Value, json};

use crate::{bundled, fresh, look, position};

#[test]
fn playthroughs_go_as_recorded() {
    for text in [
        include_str!("../../../../../tests/playthroughs/pddl.json"),
        include_str!("../../../../../tests/playthroughs/rddl.json"),
    ] {
        let played: Value = serde_json::from_str(text).expect("JSON");
        let name = |key: &str| played[key].as_str().expect("a name");
        let problem = bundled(name("domain"), name("problem"));
        let mut playground = fresh();
        let mut walk = Vec::<JointTexts>::new();
        for step in played["steps"].as_array().expect("steps") {
            // `()` is no action.
            let joint = step["action"].as_str().map(|action| action.replace("()", ""));
            walk.extend(joint.map(|joint| Vec::from_iter(Some(joint).filter(|joint| !joint.is_empty()))));
            let view = look(&mut playground, &position(&problem, 0, &walk));
            assert_eq!(json!(view.reward), step["reward"], "{walk:?}");
            assert_eq!(json!(view.action_count), step["actions"], "{walk:?}");
            assert_eq!(
                json!(view.status == EpisodeStatus::Goal),
                step["goal"],
                "{walk:?}"
            );
            // In RDDL, there are intermediate values too.
            let has = |fact: &Value| view.facts.iter().any(|own| fact == own);
            assert!(
                step["facts"].as_array().expect("facts").iter().all(has),
                "{:?}",
                view.facts
            );
        }
    }
}
