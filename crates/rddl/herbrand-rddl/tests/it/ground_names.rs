//! Ground variables with one name are refused, and all others are accepted.

use std::collections::BTreeSet;

use herbrand_rddl::{Instance, Source};
use proptest::prelude::*;
use proptest::sample::subsequence;

const FLUENTS: [&str; 4] = ["q", "q___a", "q___a__b", "q__a"];
const OBJECTS: [&str; 6] = ["a", "b", "c", "a__b", "b__c", "b_c"];

/// An instance in which the fluents have zero, one or two parameters.
fn text(fluents: &[(&str, usize)], x: &[&str], y: &[&str]) -> String {
    let declared = fluents.iter().map(|(name, parameters)| {
        let parameters = ["", "(x)", "(x, y)"][*parameters];
        format!("{name}{parameters} : {{ state-fluent, bool, default = false }};")
    });
    let functions = fluents.iter().map(|(name, parameters)| {
        let (head, body) = [("", ""), ("(?x)", "(?x)"), ("(?x, ?y)", "(?x, ?y)")][*parameters];
        format!("{name}'{head} = {name}{body};")
    });
    format!(
        "domain d {{
            types {{ x : object; y : object; }};
            pvariables {{ {} go : {{ action-fluent, bool, default = false }}; }};
            cpfs {{ {} }};
            reward = 0;
        }}
        instance i {{
            domain = d;
            objects {{ x : {{ {} }}; y : {{ {} }}; }};
            horizon = 3;
            discount = 1.0;
        }}",
        declared.collect::<String>(),
        functions.collect::<String>(),
        x.join(", "),
        y.join(", ")
    )
}

proptest! {
    #[test]
    fn ground_variables_with_one_name_are_refused(
        fluents in subsequence(&FLUENTS[..], 1..=4),
        parameters in prop::array::uniform4(0_usize..3),
        x in subsequence(&OBJECTS[..], 1..=4),
        y in subsequence(&OBJECTS[..], 1..=4),
    ) {
        let fluents: Vec<(&str, usize)> = fluents.into_iter().zip(parameters).collect();
        let mut names = Vec::new();
        for &(fluent, parameters) in &fluents {
            match parameters {
                0 => names.push(fluent.to_owned()),
                1 => names.extend(x.iter().map(|x| format!("{fluent}___{x}"))),
                _ => names.extend(
                    x.iter().flat_map(|x| y.iter().map(move |y| format!("{fluent}___{x}__{y}"))),
                ),
            }
        }
        let differ = names.iter().collect::<BTreeSet<_>>().len() == names.len();
        let text = text(&fluents, &x, &y);
        let loaded = Instance::load(&[Source::new("model", text.as_str())]);
        prop_assert_eq!(loaded.is_ok(), differ, "{}\n{:?}", text, loaded.err());
    }
}

#[test]
fn the_message_names_both() {
    let text = text(&[("q", 2)], &["a", "a__b"], &["c", "b__c"]);
    let faults = Instance::load(&[Source::new("model", text.as_str())])
        .unwrap_err()
        .to_string();
    assert!(
        faults.contains("`q(a, b__c)` and `q(a__b, c)` have the same ground name, `q___a__b__c`"),
        "{faults}"
    );
}
