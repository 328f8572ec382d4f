//! Answers to an editor: the texts of every bundled problem, and small ones with faults.

use herbrand_play::{Reply, Request, TextName, Texts, Want};
use serde_json::{Value, json};

use crate::{bundled, fresh, refusal};

fn asked(texts: &Texts, text: TextName, want: Want) -> Reply {
    fresh().reply(&Request::Assist {
        texts: texts.clone(),
        text,
        want,
    })
}

fn answer(reply: Reply) -> Value {
    match reply {
        Reply::Assist { answer } => answer,
        other => panic!("{other:?}"),
    }
}

fn texts_of(domain: &str, problem: &str) -> Texts {
    let problem = bundled(domain, problem);
    match fresh().reply(&Request::Texts { problem }) {
        Reply::Texts { texts, .. } => texts,
        other => panic!("{other:?}"),
    }
}

/// Returns the line and the column of the last place of a text in another one.
fn place(text: &str, part: &str) -> (u32, u32) {
    let before = &text[..text.rfind(part).expect("a part")];
    let line = before.matches('\n').count();
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .encode_utf16()
        .count();
    (line as u32, column as u32)
}

#[test]
fn names_are_described_and_completed_in_both_languages() {
    for (domain, problem, name, said) in [
        ("blocks", "train/01", "clear", "changed by"),
        ("rddl/elevators", "1", "riding", "state-fluent"),
    ] {
        let texts = texts_of(domain, problem);
        let (line, character) = place(&texts.domain, name);
        let hover = answer(asked(&texts, TextName::Domain, Want::Hover { line, character }));
        let text = hover["contents"]["value"].as_str().expect("a text");
        assert!(text.contains(name) && text.contains(said), "{text}");
        let character = character + 1;
        let items = answer(asked(
            &texts,
            TextName::Domain,
            Want::Completion { line, character },
        ));
        assert!(items.as_array().is_some_and(|items| !items.is_empty()), "{items}");
    }
    // A name of the problem has its declaration in the domain.
    let texts = texts_of("blocks", "train/01");
    let (line, character) = place(&texts.problem, "(clear");
    let character = character + 2;
    let hover = answer(asked(&texts, TextName::Problem, Want::Hover { line, character }));
    assert!(
        hover["contents"]["value"]
            .as_str()
            .is_some_and(|text| text.contains("(clear ?")),
        "{hover}"
    );
    assert_eq!(
        answer(asked(&texts, TextName::Settings, Want::Fixes)),
        Value::Null
    );
}

#[test]
fn formatting_is_that_of_the_program() {
    let texts = Texts {
        domain: "(define (domain d) ; kept\n (:predicates (p))\n(:ACTION a :effect (p)))".to_owned(),
        problem: "(define (problem p)".to_owned(),
        settings: String::new(),
    };
    let edits = answer(asked(&texts, TextName::Domain, Want::Format));
    let mut text = texts.domain.clone();
    let lines: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices('\n').map(|(at, _)| at + 1))
        .collect();
    let at = |position: &Value| {
        lines[position["line"].as_u64().expect("a line") as usize]
            + position["character"].as_u64().expect("a column") as usize
    };
    for edit in edits.as_array().expect("edits").iter().rev() {
        let range = at(&edit["range"]["start"])..at(&edit["range"]["end"]);
        text.replace_range(range, edit["newText"].as_str().expect("a text"));
    }
    let source = herbrand_text::Source::new("domain", &texts.domain);
    assert_eq!(
        text,
        herbrand_pddl::format(&source).expect("it has no faults of syntax")
    );
    let refused = refusal(asked(&texts, TextName::Problem, Want::Format));
    assert!(refused.contains("not formatted"), "{refused}");
}

#[test]
fn fixes_edit_the_text_with_the_fault_or_the_domain() {
    let texts = Texts {
        domain: "(define (domain d) (:requirements :strips) (:predicates (clear)) (:action a :parameters () :effect (cler)))".to_owned(),
        problem: "(define (problem p) (:domain d) (:init (dirty)) (:goal (clear)))".to_owned(),
        settings: String::new(),
    };
    let fixes = answer(asked(&texts, TextName::Domain, Want::Fixes));
    assert_eq!(fixes[0]["title"], "Write `clear`");
    assert_eq!(fixes[0]["diagnostics"][0]["code"], "E0101");
    assert!(fixes[0]["edit"]["changes"]["file:///domain.pddl"].is_array());
    let fixes = answer(asked(&texts, TextName::Problem, Want::Fixes));
    assert!(
        fixes[0]["edit"]["changes"]["file:///domain.pddl"].is_array(),
        "{fixes}"
    );
}

#[test]
fn codes_are_explained() {
    let explained = |code: &str| {
        answer(fresh().reply(&Request::Explanation {
            code: code.to_owned(),
        }))
    };
    assert!(
        explained("E0101")
            .as_str()
            .is_some_and(|text| text.starts_with("# E0101: "))
    );
    assert_eq!(explained("E9999"), Value::Null);
}

#[test]
fn a_request_is_json() {
    let request = json!({
        "ask": "assist",
        "texts": { "domain": "(define (domain d) (:predicates (p ?x)))", "problem": "" },
        "text": "domain",
        "want": "hover",
        "line": 0,
        "character": 33,
    });
    let reply: Value = serde_json::from_str(&fresh().answer(&request.to_string())).expect("JSON");
    assert_eq!(reply["is"], "assist");
    assert!(reply["answer"]["contents"]["value"].is_string(), "{reply}");
}
