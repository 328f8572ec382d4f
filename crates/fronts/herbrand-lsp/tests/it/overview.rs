//! Outline, folding, colours and hints.

use serde_json::{Value, json};

use crate::client::Client;
use crate::places::{DELIVERY, DOMAIN, EVENING, LIGHTS, PROBLEM, opened};

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
