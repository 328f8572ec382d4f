//! Random edits: the texts of the server and of the client stay equal, and so do the diagnostics and those of a fresh check.

use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::Client;
use crate::places::{DELIVERY, DOMAIN, EVENING, EVENING_TEXT, LIGHTS, LIGHTS_TEXT, MORNING, PROBLEM};
use crate::reach::without_grounding;

/// Pieces of texts: words of the languages, and characters of one to four bytes.
const PIECES: [&str; 20] = [
    "(",
    ")",
    " ",
    "\n",
    "\r\n",
    "\r",
    ";",
    "//",
    "?x",
    "(at ?t",
    "{",
    "}",
    "@red",
    "\u{e9}",
    "\u{1f98a}",
    "\u{2013}",
    "define",
    ":action",
    "'",
    "\u{0}",
];

/// An edit of a file: the ends of the replaced part as fractions of the text, and the new part.
#[derive(Clone, Debug)]
struct Edit {
    file: usize,
    ends: [f64; 2],
    new: String,
}

fn edit() -> impl Strategy<Value = Edit> {
    let piece = (0..PIECES.len()).prop_map(|at| PIECES[at].to_owned());
    let new = prop_oneof![Just(String::new()), piece, "[a-z ()?]{0,8}"];
    // Most edits replace little, as people do.
    let length = prop_oneof![4 => 0.0..0.01, 1 => 0.0..0.5];
    (0..4_usize, 0.0..1.0, length, new).prop_map(|(file, start, length, new)| Edit {
        file,
        ends: [start, f64::min(start + length, 1.0)],
        new,
    })
}

const FILES: [(&str, &str); 4] = [
    (DOMAIN, DELIVERY),
    (PROBLEM, MORNING),
    (LIGHTS, LIGHTS_TEXT),
    (EVENING, EVENING_TEXT),
];

/// Returns the words of a file as the server sees them, with their places.
fn words(client: &mut Client, uri: &str) -> Value {
    client.ask(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": { "uri": uri } }),
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(8), ..ProptestConfig::default() })]

    #[test]
    fn edits_leave_the_server_as_a_fresh_one(edits in prop::collection::vec(edit(), 1..12)) {
        let mut client = Client::start_within(without_grounding(), None);
        for (uri, text) in FILES {
            client.open(uri, text);
        }
        for Edit { file, ends, new } in &edits {
            let uri = FILES[*file].0;
            let text = client.text(uri).to_owned();
            let [start, end] = ends.map(|end| {
                let end = text.floor_char_boundary((end * text.len() as f64) as usize);
                // No position of the protocol is inside the end of a line.
                let cuts = text[..end].ends_with('\r') && text[end..].starts_with('\n');
                end + usize::from(cuts)
            });
            client.edit(uri, start..end, new);
            let everywhere = client.at(uri, "", 0, 0);
            for method in ["hover", "completion", "signatureHelp", "definition"] {
                let mut params = everywhere.clone();
                params["position"] = crate::client::position(client.text(uri), start);
                client.ask(&format!("textDocument/{method}"), params);
            }
        }
        let mut fresh = Client::start_within(without_grounding(), None);
        for (uri, _) in FILES {
            fresh.open(uri, client.text(uri));
        }
        for (uri, _) in FILES {
            // The newest version may have been checked before the other files changed. Another edit checks it again.
            for one in [&mut client, &mut fresh] {
                let end = one.text(uri).len();
                one.edit(uri, end..end, " ");
            }
            prop_assert_eq!(client.text(uri), fresh.text(uri));
            prop_assert_eq!(client.diagnostics(uri), fresh.diagnostics(uri), "{}", uri);
            prop_assert_eq!(words(&mut client, uri), words(&mut fresh, uri), "{}", uri);
        }
    }

    #[test]
    fn positions_inside_characters_are_moved_back(line in 0_u32..12, start in 0_u32..60, length in 0_u32..8) {
        // The client of this test breaks the rules: its columns may cut a pair of code units. Both texts must still be text.
        let text = DELIVERY.replace("thing", "\u{1f98a}th\u{e9}ng");
        let mut client = Client::start(None);
        client.open(DOMAIN, &text);
        let range = json!({
            "start": { "line": line, "character": start },
            "end": { "line": line, "character": start + length },
        });
        let change = json!({ "range": range, "text": "" });
        let params = json!({ "textDocument": { "uri": DOMAIN, "version": 2 }, "contentChanges": [change] });
        client.tell("textDocument/didChange", params);
        client.texts.insert(DOMAIN.to_owned(), (2, String::new()));
        client.diagnostics(DOMAIN);
        let outline = client.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": DOMAIN } }));
        prop_assert!(outline.is_array());
    }
}
