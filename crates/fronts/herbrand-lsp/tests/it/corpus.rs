//! The names of all bundled texts: each is a token, and each use has a declaration.

use serde_json::{Value, json};

use crate::client::Client;

/// Opens a domain with its first problems. Returns their addresses.
fn opened(client: &mut Client, folder: &str, files: &[(&str, &str)]) -> Vec<String> {
    let open = |(path, text): &(&str, &str)| {
        let uri = format!("file:///models/{folder}/{path}");
        client.open(&uri, text);
        uri
    };
    files.iter().map(open).collect()
}

#[test]
fn each_use_in_a_bundled_text_has_a_declaration() {
    // Names that the languages declare.
    const OWN: &[&str] = &[
        "object",
        "number",
        "total-cost",
        "reward",
        "bool",
        "int",
        "real",
        "Normal",
        "Poisson",
        "Uniform",
        "Geometric",
        "Gamma",
        "Weibull",
        "Binomial",
        "Exponential",
        "sum",
        "prod",
        "min",
        "max",
        "avg",
        "abs",
        "exp",
        "ln",
        "sqrt",
        "pow",
        "round",
        "floor",
        "ceil",
        "sin",
        "cos",
        "tan",
        "sgn",
        "div",
        "mod",
        "minimize",
        "maximize",
        "either",
        "domain",
        "problem",
    ];
    let mut uses = 0;
    for (folder, files) in crate::places::bundled() {
        let mut client = Client::start(None);
        for uri in opened(&mut client, &folder, &files) {
            let params = json!({ "textDocument": { "uri": uri } });
            let outline = client.ask("textDocument/documentSymbol", params.clone());
            assert!(outline.as_array().is_some_and(|list| !list.is_empty()), "{uri}");
            let text = client.text(&uri).to_owned();
            let faults: Vec<Value> = client
                .diagnostics(&uri)
                .into_iter()
                .filter(|one| one["severity"] == 1)
                .collect();
            assert!(faults.is_empty(), "{uri}: {faults:#?}");
            // Each seventh word, so that the test is quick.
            let words = text
                .match_indices(|c: char| c.is_ascii_alphabetic())
                .map(|(at, _)| at);
            let starts = words.filter(|&at| {
                at > 0
                    && !text.as_bytes()[at - 1].is_ascii_alphanumeric()
                    && !b"-_'".contains(&text.as_bytes()[at - 1])
            });
            for at in starts.step_by(37) {
                let mut at_word = params.clone();
                at_word["position"] = crate::client::position(&text, at + 1);
                let prepared = client.try_ask("textDocument/prepareRename", at_word);
                match prepared {
                    Ok(found) => {
                        let word = found["placeholder"].as_str().expect("a name");
                        let bare = word.trim_start_matches(['?', '@']);
                        assert!(text[..at + bare.len()].ends_with(bare), "{uri}: {word}");
                        uses += 1;
                    }
                    Err(reason)
                        if reason.contains("no name") || reason.contains("a word of the language") => {}
                    Err(reason) => {
                        let word = reason.split('`').nth(1).unwrap_or_default();
                        assert!(OWN.contains(&word), "{uri}: {reason}");
                    }
                }
            }
        }
    }
    assert!(uses > 300, "{uses}");
}
