//! Completion, signature help and formatting.

use serde_json::{Value, json};

use crate::client::Client;
use crate::places::{DELIVERY, DOMAIN, EVENING, EVENING_TEXT, LIGHTS, LIGHTS_TEXT, MORNING, PROBLEM, opened};

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
