//! Hover, definitions, references and renames.

use serde_json::{Value, json};

use crate::client::Client;
use crate::places::{DELIVERY, DOMAIN, EVENING, LIGHTS, PROBLEM, opened};

fn places(client: &Client, found: &Value) -> Vec<(String, String, u64)> {
    let locations = found.as_array().expect("a list").iter();
    let place = |one: &Value| {
        let uri = one["uri"].as_str().expect("a file").to_owned();
        let text = client.text_at(&uri, &one["range"]);
        let line = one["range"]["start"]["line"].as_u64().expect("a line");
        (uri, text, line)
    };
    locations.map(place).collect()
}

fn hover(client: &mut Client, uri: &str, word: &str, nth: usize) -> String {
    let params = client.at(uri, word, nth, 1);
    client.ask("textDocument/hover", params)["contents"]["value"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn hover_tells_the_declaration_the_comment_and_the_changes() {
    let mut client = opened();
    let rows = [
        (
            DOMAIN,
            "at ?t ?from",
            0,
            &[
                "(at ?x - thing ?p - place)",
                "changed by `drive`, `load`, `unload`",
                "where a thing is",
            ][..],
        ),
        (
            DOMAIN,
            "road ?from ?to)",
            0,
            &[
                "(road ?from ?to - place)",
                "a static predicate",
                "read by `drive`",
            ],
        ),
        (
            DOMAIN,
            "drive\n",
            0,
            &[
                "(:action drive :parameters (?t - truck ?from - place ?to - place))",
                "another place",
            ],
        ),
        (
            DOMAIN,
            "?from) (road",
            0,
            &["?from - place", "a parameter of the action `drive`"],
        ),
        (DOMAIN, "truck ?from", 0, &["truck - thing"]),
        (DOMAIN, ":typing", 0, &["types of objects and parameters"]),
        (
            PROBLEM,
            "at letter",
            1,
            &["(at ?x - thing ?p - place)", "where a thing is"],
        ),
        (
            PROBLEM,
            "depot",
            0,
            &["depot - place", "a constant of the domain"],
        ),
        (PROBLEM, "lorry depot", 0, &["lorry - truck", "an object"]),
        (
            PROBLEM,
            "delivery",
            0,
            &["domain delivery", "3 predicates, 3 actions"],
        ),
        (
            LIGHTS,
            "on(?l) else",
            0,
            &[
                "on(lamp) : { state-fluent, bool, default = false };",
                "a part of the state",
            ],
        ),
        (
            LIGHTS,
            "FADE(?l)",
            0,
            &["a constant of the instance", "how likely a lamp goes out"],
        ),
        (LIGHTS, "press(?l)]", 0, &["chosen by the agent"]),
        (LIGHTS, "on'", 0, &["state-fluent"]),
        (LIGHTS, "Bernoulli", 0, &["a distribution"]),
        (EVENING, "hall); }", 0, &["hall - lamp", "an object"]),
        (EVENING, "FADE", 0, &["how likely a lamp goes out"]),
    ];
    for (uri, word, nth, parts) in rows {
        let text = hover(&mut client, uri, word, nth);
        for part in parts {
            assert!(text.contains(part), "{word}: {part} is in\n{text}");
        }
    }
}

#[test]
fn definitions_and_references_cross_files() {
    let mut client = opened();
    let mut definition = |uri: &str, word: &str, nth: usize| {
        let params = client.at(uri, word, nth, 1);
        let found = client.ask("textDocument/definition", params);
        places(&client, &found)
    };
    let one = |uri: &str, text: &str, line: u64| vec![(uri.to_owned(), text.to_owned(), line)];
    assert_eq!(definition(PROBLEM, "at lorry", 0), one(DOMAIN, "at", 7));
    assert_eq!(definition(PROBLEM, "depot", 0), one(DOMAIN, "depot", 4));
    assert_eq!(definition(PROBLEM, "town)", 0), one(PROBLEM, "town", 4));
    assert_eq!(definition(PROBLEM, "truck", 0), one(DOMAIN, "truck", 2));
    assert_eq!(definition(PROBLEM, "delivery", 0), one(DOMAIN, "delivery", 0));
    assert_eq!(definition(DOMAIN, "?to)))", 0), one(DOMAIN, "?to", 12));
    assert_eq!(definition(LIGHTS, "?l) else", 0), one(LIGHTS, "?l", 13));
    assert_eq!(definition(LIGHTS, "?l)]", 0), one(LIGHTS, "?l", 14));
    assert_eq!(definition(LIGHTS, "@green else", 0), one(LIGHTS, "@green", 3));
    assert_eq!(
        definition(LIGHTS, "on(lamp)", 0),
        one(LIGHTS, "on", 13),
        "the formula of a fluent"
    );
    assert_eq!(definition(EVENING, "rooms;", 0), one(EVENING, "rooms", 0));
    assert_eq!(definition(EVENING, "hall); }", 0), one(EVENING, "hall", 2));
    let mut references = |uri: &str, word: &str, with: bool| {
        let mut params = client.at(uri, word, 0, 1);
        params["context"] = json!({ "includeDeclaration": with });
        let found = client.ask("textDocument/references", params);
        let places = places(&client, &found);
        let files: Vec<_> = [DOMAIN, PROBLEM, LIGHTS, EVENING]
            .map(|file| places.iter().filter(|(uri, ..)| uri == file).count())
            .into();
        files
    };
    assert_eq!(references(DOMAIN, "road", true), [2, 2, 0, 0]);
    assert_eq!(references(PROBLEM, "road", false), [1, 2, 0, 0]);
    assert_eq!(references(PROBLEM, "lorry", true), [0, 2, 0, 0]);
    assert_eq!(references(DOMAIN, "depot", true), [1, 4, 0, 0]);
    assert_eq!(references(DOMAIN, "?t - truck ?from", true), [4, 0, 0, 0]);
    assert_eq!(references(LIGHTS, "on(lamp)", true), [0, 0, 5, 1]);
    assert_eq!(references(EVENING, "hall", true), [0, 0, 0, 3]);
}

#[test]
fn a_rename_changes_all_files_and_keeps_them_sound() {
    let rows = [
        (DOMAIN, "at ?x - thing", "location"),
        (DOMAIN, "truck package", "lorry-type"),
        (DOMAIN, "delivery", "post"),
        (PROBLEM, "letter", "parcel"),
        (PROBLEM, "depot", "office"),
        (DOMAIN, "?from ?to - place)\n    :pre", "?start"),
        (LIGHTS, "on(lamp)", "lit"),
        (LIGHTS, "@red, @green", "@crimson"),
        (LIGHTS, "?l) else", "x"),
        (LIGHTS, "lamp : object", "light"),
        (EVENING, "kitchen", "cellar"),
        (EVENING, "rooms", "house"),
    ];
    for (uri, word, new) in rows {
        let mut client = opened();
        let params = client.at(uri, word, 0, 1);
        let old = client.ask("textDocument/prepareRename", params.clone())["placeholder"].clone();
        let mut params = params;
        params["newName"] = json!(new);
        let edit = client.ask("textDocument/rename", params);
        client.apply(&edit);
        for file in [DOMAIN, PROBLEM, LIGHTS, EVENING] {
            client.forget(file);
        }
        // A later edit makes sure that the diagnostics are of the renamed texts.
        for file in [DOMAIN, LIGHTS, PROBLEM, EVENING] {
            let end = client.text(file).len();
            client.edit(file, end..end, "\n");
            assert_eq!(
                client.diagnostics(file),
                Vec::<Value>::new(),
                "{old} as {new} in {file}\n{}",
                client.text(file)
            );
        }
        let bare = old.as_str().expect("a name").trim_start_matches(['?', '@']);
        assert!(
            client.text(uri).contains(new.trim_start_matches(['?', '@'])),
            "{bare}"
        );
    }
}

#[test]
fn a_rename_that_would_change_the_meaning_is_refused() {
    let mut client = opened();
    for (uri, word, new, reason) in [
        (DOMAIN, "at ?x - thing", "road", "already a name"),
        (DOMAIN, "at ?x - thing", "a b", "not a name"),
        (DOMAIN, "at ?x - thing", "(x)", "not a name"),
        (DOMAIN, "at ?x - thing", "and", "not a name"),
        (DOMAIN, ":typing", "typed", "a word of the language"),
        (DOMAIN, "?from) (road", "to", "already a name"),
        (PROBLEM, "lorry", "town", "already a name"),
        (PROBLEM, "lorry", "depot", "already a name"),
        (LIGHTS, "on(lamp)", "press", "already a name"),
        (LIGHTS, "on(lamp)", "on'", "not a name"),
        (LIGHTS, "Bernoulli", "Coin", "not declared"),
    ] {
        let mut params = client.at(uri, word, 0, 1);
        params["newName"] = json!(new);
        let answer = client.try_ask("textDocument/rename", params);
        assert!(
            answer.as_ref().is_err_and(|error| error.contains(reason)),
            "{word} as {new}: {answer:?}"
        );
    }
}

#[test]
fn unknown_requests_and_files_are_refused() {
    let mut client = Client::start(None);
    assert!(client.try_ask("textDocument/moniker", json!({})).is_err());
    let params = json!({ "textDocument": { "uri": "file:///none.pddl" } });
    assert!(
        client
            .try_ask("textDocument/foldingRange", params)
            .is_err_and(|error| error.contains("not open"))
    );
    assert!(
        client
            .try_ask("textDocument/hover", json!({ "position": 3 }))
            .is_err()
    );
    client.tell("textDocument/didChange", json!({ "nonsense": true }));
    client.open(DOMAIN, DELIVERY);
    assert_eq!(client.diagnostics(DOMAIN), Vec::<Value>::new());
}
