//! Requests about names and places.

use serde_json::{Value, json};

use crate::client::Client;
use crate::places::{DELIVERY, DOMAIN, EVENING, EVENING_TEXT, LIGHTS, LIGHTS_TEXT, MORNING, PROBLEM};

/// A client with all texts open.
fn opened() -> Client {
    let mut client = Client::start(None);
    for (uri, text) in [
        (DOMAIN, DELIVERY),
        (PROBLEM, MORNING),
        (LIGHTS, LIGHTS_TEXT),
        (EVENING, EVENING_TEXT),
    ] {
        client.open(uri, text);
    }
    client
}

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

/// Returns the labels offered at the `|` in the text of a file.
fn offered(client: &mut Client, uri: &str, text: &str) -> Vec<String> {
    let at = text.find('|').expect("a place");
    client.open(uri, &text.replacen('|', "", 1));
    let position = crate::client::position(client.text(uri), at);
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    let found = client.ask("textDocument/completion", params);
    found
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| one["label"].as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn completion_knows_the_place() {
    let mut client = opened();
    let action = |text: &str| DELIVERY.replace("(and (at ?x ?p) (at ?t ?p))", text);
    let rows: &[(&str, String, &[&str], &[&str])] = &[
        (
            DOMAIN,
            action("(and (at ?x |"),
            &["?p", "depot"],
            &["?x", "?t", "at", "place"],
        ),
        (DOMAIN, action("(and (at ?|"), &["?x", "?t"], &["?p", "depot"]),
        (
            DOMAIN,
            action("(and (|"),
            &["at", "road", "and", "forall"],
            &["drive", "depot", "when"],
        ),
        (DOMAIN, action("(and (ro|ad ?p ?p))"), &["road"], &["depot"]),
        (
            DOMAIN,
            action("(forall (?q - |"),
            &["truck", "place", "object", "either"],
            &["at", "depot"],
        ),
        (
            DOMAIN,
            action("(forall (?q - place) (road ?p |"),
            &["?q", "?p", "depot"],
            &["?t"],
        ),
        (
            DOMAIN,
            DELIVERY.replace("(not (at ?x ?p))", "(|"),
            &["at", "when", "increase"],
            &["or"],
        ),
        (
            DOMAIN,
            DELIVERY.replace(":strips :typing", ":strips :|"),
            &[":adl", ":typing"],
            &[":action"],
        ),
        (
            DOMAIN,
            DELIVERY.replace("(:constants depot", "(:|constants depot"),
            &[":predicates", ":action"],
            &[":init"],
        ),
        (
            DOMAIN,
            DELIVERY.replace("    :effect (and (not (at ?x ?p)) (inside ?x ?t)))", "    :|)"),
            &[":effect"],
            &[":precondition"],
        ),
        (
            PROBLEM,
            MORNING.replace("(:domain delivery", "(:domain |"),
            &["delivery"],
            &["lights"],
        ),
        (
            PROBLEM,
            MORNING.replace("- package", "- |"),
            &["package", "place"],
            &["lorry"],
        ),
        (
            PROBLEM,
            MORNING.replace("(at letter town)", "(at | town)"),
            &["lorry", "letter"],
            &["town", "depot"],
        ),
        (
            PROBLEM,
            MORNING.replace("(road depot town)", "(|"),
            &["at", "road", "="],
            &["drive"],
        ),
        (
            PROBLEM,
            MORNING.replace("(:init", "(|"),
            &[":init", ":goal"],
            &[":action"],
        ),
        (PROBLEM, "(define (|".to_owned(), &["problem", "domain"], &[]),
        (PROBLEM, "|".to_owned(), &[], &["define"]),
        (
            DOMAIN,
            DELIVERY.replace("where a thing is", "where (|"),
            &[],
            &["at"],
        ),
        (
            LIGHTS,
            LIGHTS_TEXT.replace("then ~on(?l)", "then ~o|"),
            &["on", "press", "?l", "Bernoulli", "if"],
            &["lights"],
        ),
        (
            LIGHTS,
            LIGHTS_TEXT.replace("then ~on(?l)", "then ~on(?|"),
            &["?l"],
            &["on"],
        ),
        (
            LIGHTS,
            LIGHTS_TEXT.replace("then @green", "then @|"),
            &["@red", "@green"],
            &["on"],
        ),
        (
            LIGHTS,
            LIGHTS_TEXT.replace("{ state-fluent, hue", "{ |"),
            &["state-fluent", "action-fluent"],
            &["on"],
        ),
        (
            LIGHTS,
            LIGHTS_TEXT.replace("{ state-fluent, hue", "{ state-fluent, |"),
            &["bool", "hue"],
            &["state-fluent"],
        ),
        (
            LIGHTS,
            LIGHTS_TEXT.replace("    reward", "    |reward"),
            &["cpfs", "reward"],
            &["horizon"],
        ),
        (
            EVENING,
            EVENING_TEXT.replace("init-state { on(hall)", "init-state { |"),
            &["on", "colour"],
            &["hall"],
        ),
        (
            EVENING,
            EVENING_TEXT.replace("on(hall)", "on(|"),
            &["hall", "kitchen"],
            &["on"],
        ),
        (
            EVENING,
            EVENING_TEXT.replace("    horizon", "    |horizon"),
            &["horizon", "discount"],
            &["cpfs"],
        ),
        (
            EVENING,
            EVENING_TEXT.replace("non-fluents = rooms", "non-fluents = |"),
            &["rooms"],
            &[],
        ),
        (EVENING, "|".to_owned(), &["instance", "domain"], &[]),
    ];
    for (uri, text, with, without) in rows {
        for (file, text) in [(DOMAIN, DELIVERY), (LIGHTS, LIGHTS_TEXT)] {
            client.open(file, text);
        }
        let labels = offered(&mut client, uri, text);
        for label in *with {
            assert!(
                labels.iter().any(|one| one == label),
                "{label} is in {labels:?} of\n{text}"
            );
        }
        for label in *without {
            assert!(
                !labels.iter().any(|one| one == label),
                "{label} is not in {labels:?} of\n{text}"
            );
        }
    }
}

#[test]
fn an_item_replaces_the_word_that_is_typed() {
    let mut client = Client::start(None);
    client.open(
        DOMAIN,
        &DELIVERY.replacen("(road ?from ?to))", "(ro ?from ?to))", 1),
    );
    let params = client.at(DOMAIN, "(ro ", 0, 3);
    let found = client.ask("textDocument/completion", params);
    let item = found
        .as_array()
        .expect("a list")
        .iter()
        .find(|one| one["label"] == "road")
        .expect("an item")
        .clone();
    client.apply_edits(DOMAIN, &json!([item["textEdit"]]));
    assert_eq!(client.text(DOMAIN), DELIVERY);
}

#[test]
fn signature_help_follows_the_arguments() {
    let mut client = opened();
    for (uri, word, inside, label, active) in [
        (DOMAIN, "(at ?t ?from) (road", 4, "(at ?x - thing ?p - place)", 0),
        (DOMAIN, "(at ?t ?from) (road", 8, "(at ?x - thing ?p - place)", 1),
        (
            PROBLEM,
            "(road depot town)",
            12,
            "(road ?from - place ?to - place)",
            1,
        ),
        (LIGHTS, "on(?l) else", 3, "on(lamp)", 0),
    ] {
        let params = client.at(uri, word, 0, inside);
        let help = client.ask("textDocument/signatureHelp", params);
        assert_eq!(help["signatures"][0]["label"], label, "{word}");
        assert_eq!(help["activeParameter"], active, "{word}");
    }
    let params = client.at(DOMAIN, "(and (at", 0, 2);
    assert_eq!(client.ask("textDocument/signatureHelp", params), Value::Null);
}

#[test]
fn the_outline_has_the_declarations_of_each_definition() {
    let mut client = opened();
    let mut outline = |uri: &str| {
        let found = client.ask(
            "textDocument/documentSymbol",
            json!({ "textDocument": { "uri": uri } }),
        );
        let names = |list: &Value| -> Vec<String> {
            let list = list.as_array().cloned().unwrap_or_default();
            list.iter()
                .map(|one| one["name"].as_str().expect("a name").to_owned())
                .collect()
        };
        for top in found.as_array().expect("a list") {
            for one in [top]
                .into_iter()
                .chain(top["children"].as_array().into_iter().flatten())
            {
                let inside = |end: &str| {
                    let place =
                        |range: &Value| (range[end]["line"].as_u64(), range[end]["character"].as_u64());
                    (place(&one["range"]), place(&one["selectionRange"]))
                };
                let ((start, inner_start), (end, inner_end)) = (inside("start"), inside("end"));
                assert!(start <= inner_start && inner_end <= end, "{one}");
            }
        }
        (names(&found), names(&found[0]["children"]))
    };
    let (top, inner) = outline(DOMAIN);
    assert_eq!(top, ["delivery"]);
    assert_eq!(
        inner.join(" "),
        "truck package thing place depot at road inside drive load unload"
    );
    assert_eq!(outline(EVENING).0, ["rooms", "evening"]);
    assert_eq!(
        outline(LIGHTS).1.join(" "),
        "lamp hue @red @green FADE on colour press on colour"
    );
    let found = client.ask("workspace/symbol", json!({ "query": "roa" }));
    assert_eq!(found.as_array().map(Vec::len), Some(1));
}

#[test]
fn lists_and_comments_fold() {
    let mut client = Client::start(None);
    client.open(
        DOMAIN,
        &DELIVERY.replace("  ; drives", "  ; an action\n  ; that drives"),
    );
    let found = client.ask(
        "textDocument/foldingRange",
        json!({ "textDocument": { "uri": DOMAIN } }),
    );
    let lines: Vec<_> = found
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| {
            (
                one["startLine"].as_u64().unwrap_or(99),
                one["endLine"].as_u64().unwrap_or(99),
                one["kind"].as_str(),
            )
        })
        .collect();
    assert!(
        lines.contains(&(0, 23, None)) && lines.contains(&(5, 9, None)),
        "{lines:?}"
    );
    assert!(lines.contains(&(10, 11, Some("comment"))), "{lines:?}");
}

#[test]
fn tokens_have_the_colours_of_their_names() {
    let mut client = opened();
    let kinds: Vec<String> = [
        "namespace",
        "type",
        "class",
        "enumMember",
        "variable",
        "parameter",
        "function",
        "property",
        "method",
        "keyword",
        "comment",
        "number",
        "operator",
    ]
    .map(str::to_owned)
    .into();
    for (uri, rows) in [
        (
            DOMAIN,
            &[
                ("delivery", "namespace"),
                ("?from", "parameter"),
                ("drive", "method"),
                ("road", "function"),
                ("truck", "type"),
                ("depot", "variable"),
                ("define", "keyword"),
            ][..],
        ),
        (
            LIGHTS,
            &[
                ("on", "property"),
                ("@red", "enumMember"),
                ("?l", "parameter"),
                ("0.1", "number"),
                ("if", "keyword"),
                ("lamp", "type"),
            ],
        ),
    ] {
        let found = client.ask(
            "textDocument/semanticTokens/full",
            json!({ "textDocument": { "uri": uri } }),
        );
        let data: Vec<u64> = found["data"]
            .as_array()
            .expect("numbers")
            .iter()
            .filter_map(Value::as_u64)
            .collect();
        let (mut line, mut start) = (0, 0);
        let mut words = Vec::new();
        for token in data.as_chunks::<5>().0 {
            let [down, right, length, kind, _] = *token;
            (line, start) = (line + down, if down == 0 { start + right } else { right });
            let range = json!({ "start": { "line": line, "character": start }, "end": { "line": line, "character": start + length } });
            words.push((client.text_at(uri, &range), kinds[kind as usize].clone()));
        }
        for (word, kind) in rows {
            assert!(
                words.iter().any(|(text, of)| text == word && of == kind),
                "{word} {kind} in {words:?}"
            );
        }
        assert!(
            words
                .iter()
                .all(|(text, of)| of == "comment" || !text.contains([' ', '('])),
            "{words:?}"
        );
    }
}

#[test]
fn hints_show_types_and_positions() {
    let mut client = opened();
    let mut hints = |uri: &str| {
        let end = crate::client::position(client.text(uri), client.text(uri).len());
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": end });
        let found = client.ask(
            "textDocument/inlayHint",
            json!({ "textDocument": { "uri": uri }, "range": range }),
        );
        let text = client.text(uri);
        let place = |one: &Value| {
            let at = crate::client::offset(text, &one["position"]);
            let before = text[..at]
                .chars()
                .rev()
                .take_while(|c| !c.is_whitespace())
                .collect::<String>();
            let before: String = before.chars().rev().collect();
            format!("{before}[{}]", one["label"].as_str().expect("text"))
        };
        found
            .as_array()
            .expect("a list")
            .iter()
            .map(place)
            .collect::<Vec<_>>()
    };
    let domain = hints(DOMAIN);
    assert!(
        domain.contains(&"(?from[- place]".to_owned()) || domain.contains(&"?from[- place]".to_owned()),
        "{domain:?}"
    );
    let problem = hints(PROBLEM);
    assert!(
        problem.contains(&"[from:]".to_owned()) && problem.contains(&"[x:]".to_owned()),
        "{problem:?}"
    );
}

#[test]
fn formatting_keeps_all_tokens_and_comments() {
    let mut client = opened();
    let messy = DELIVERY
        .replace("  (:action", "(:ACTION")
        .replace("(at ?x ?p) (at ?t ?p)", "(at ?x   ?p)\n(at\t?t ?p) ; both\n");
    client.open(DOMAIN, &messy);
    let params =
        json!({ "textDocument": { "uri": DOMAIN }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", params.clone());
    client.apply_edits(DOMAIN, &edits);
    let once = client.text(DOMAIN).to_owned();
    assert!(
        once.contains("; both") && once.contains("; drives to another place"),
        "{once}"
    );
    assert!(once.contains("\n  (:action load\n"), "{once}");
    assert_eq!(client.ask("textDocument/formatting", params), json!([]));
    // A range changes its lines only.
    client.open(DOMAIN, &messy);
    let line = messy
        .lines()
        .position(|line| line.contains("ACTION drive"))
        .expect("a line");
    let range =
        json!({ "start": { "line": line, "character": 0 }, "end": { "line": line + 1, "character": 0 } });
    let mut params =
        json!({ "textDocument": { "uri": DOMAIN }, "options": { "tabSize": 2, "insertSpaces": true } });
    params["range"] = range;
    let edits = client.ask("textDocument/rangeFormatting", params);
    client.apply_edits(DOMAIN, &edits);
    let text = client.text(DOMAIN);
    assert!(
        text.contains("  (:action drive") && text.contains("(:ACTION load"),
        "{text}"
    );
    client.open(DOMAIN, "(define (domain d)");
    let params =
        json!({ "textDocument": { "uri": DOMAIN }, "options": { "tabSize": 2, "insertSpaces": true } });
    assert!(
        client
            .try_ask("textDocument/formatting", params)
            .is_err_and(|error| error.contains("faults of syntax"))
    );
    let messy: String = LIGHTS_TEXT
        .lines()
        .map(|line| format!("{}  \n", line.trim()))
        .collect();
    client.open(LIGHTS, &messy);
    let params =
        json!({ "textDocument": { "uri": LIGHTS }, "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = client.ask("textDocument/formatting", params);
    client.apply_edits(LIGHTS, &edits);
    assert_eq!(client.text(LIGHTS), LIGHTS_TEXT);
}

#[test]
fn a_text_without_definitions_is_left_as_it_is() {
    let mut client = Client::start(None);
    for (uri, text) in [
        (DOMAIN, ""),
        (PROBLEM, "  ; later\n\n"),
        (LIGHTS, "// later\n"),
        (EVENING, "\n"),
    ] {
        client.open(uri, text);
        let params =
            json!({ "textDocument": { "uri": uri }, "options": { "tabSize": 2, "insertSpaces": true } });
        assert_eq!(
            client.ask("textDocument/formatting", params),
            json!([]),
            "{text:?}"
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
