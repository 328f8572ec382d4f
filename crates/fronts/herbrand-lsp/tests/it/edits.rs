//! Random edits: the texts of the server and of the client stay equal, and so do the diagnostics and those of a fresh check.

use std::cell::Cell;
use std::fmt;

use herbrand_assist::{Finding, TextFile, Workspace, check};
use herbrand_limits::Budget;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::{Client, position};
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

/// An edit of a file, with its place as fractions of the text.
#[derive(Clone, Debug)]
struct Edit {
    file: usize,
    start: f64,
    length: f64,
    /// Whether each end is moved into the middle of the next character of two code units.
    cuts: [bool; 2],
    new: String,
    /// Whether the next edit waits for the diagnostics of this one.
    waits: bool,
}

fn edit() -> impl Strategy<Value = Edit> {
    let piece = (0..PIECES.len()).prop_map(|at| PIECES[at].to_owned());
    let new = prop_oneof![Just(String::new()), piece, "[a-z ()?]{0,8}"];
    // Most edits replace little, as people do.
    let length = prop_oneof![2 => Just(0.0), 4 => 0.0..0.01, 1 => 0.0..0.5];
    let cuts = prop::array::uniform2(prop::bool::weighted(0.1));
    let waits = prop::bool::weighted(0.75);
    (0..4_usize, 0.0..1.0, length, cuts, new, waits).prop_map(|(file, start, length, cuts, new, waits)| {
        Edit {
            file,
            start,
            length,
            cuts,
            new,
            waits,
        }
    })
}

impl Edit {
    /// Returns the ends of the replaced part: the bytes in the text, and the positions that the client sends.
    fn ends(&self, text: &str) -> [(usize, Value); 2] {
        let first = end(text, self.start, 0, self.cuts[0]);
        let last = end(
            text,
            f64::min(self.start + self.length, 1.0),
            first.0,
            self.cuts[1],
        );
        // The place of an insertion is one position, also inside a character.
        let last = if first.0 == last.0 { first.clone() } else { last };
        [first, last]
    }
}

/// Returns the byte at a fraction of a text, but at least `least`, and its position. A cut is in the middle of the next character
/// of two code units, and the server moves it back to the start of that character.
fn end(text: &str, fraction: f64, least: usize, cuts: bool) -> (usize, Value) {
    let at = text.floor_char_boundary((fraction * text.len() as f64) as usize);
    // No position of the protocol is inside the end of a line.
    let is_inside = text[..at].ends_with('\r') && text[at..].starts_with('\n');
    let at = usize::max(at + usize::from(is_inside), least);
    let pair = text[at..].find(|c: char| c.len_utf16() == 2).filter(|_| cuts);
    let at = at + pair.unwrap_or_default();
    let mut place = position(text, at);
    if pair.is_some() {
        place["character"] = json!(place["character"].as_u64().unwrap_or_default() + 1);
    }
    (at, place)
}

/// The numbers of edits of a run.
#[derive(Default)]
struct Tally {
    series: Cell<usize>,
    insertions: Cell<usize>,
    deletions: Cell<usize>,
    replacements: Cell<usize>,
    nothing: Cell<usize>,
    cuts: Cell<usize>,
    compared: Cell<usize>,
}

fn count(cell: &Cell<usize>) {
    cell.set(cell.get() + 1);
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [
            series,
            insertions,
            deletions,
            replacements,
            nothing,
            cuts,
            compared,
        ] = [
            &self.series,
            &self.insertions,
            &self.deletions,
            &self.replacements,
            &self.nothing,
            &self.cuts,
            &self.compared,
        ]
        .map(Cell::get);
        let all = insertions + deletions + replacements + nothing;
        write!(
            f,
            "{all} edits in {series} series: {insertions} insertions, {deletions} deletions, {replacements} replacements, \
             {nothing} that change nothing; {cuts} end inside a character; {compared} compared at once"
        )
    }
}

/// The files, each with comments of characters of one to four bytes.
fn files() -> [(&'static str, String); 4] {
    let fox = |text: &str, sign: &str| {
        let comment = format!("{sign} \u{1f98a} na\u{ef}ve \u{2013} \u{1f98a}\u{1f98a}\n");
        let (first, rest) = text.split_once('\n').expect("lines");
        format!("{comment}{first} {comment}{rest}{comment}")
    };
    [
        (DOMAIN, fox(DELIVERY, ";")),
        (PROBLEM, fox(MORNING, ";")),
        (LIGHTS, fox(LIGHTS_TEXT, "//")),
        (EVENING, fox(EVENING_TEXT, "//")),
    ]
}

/// Returns the words of a file as the server sees them, with their places.
fn words(client: &mut Client, uri: &str) -> Value {
    client.ask(
        "textDocument/semanticTokens/full",
        json!({ "textDocument": { "uri": uri } }),
    )
}

/// Returns the diagnostics of a file in a check that knows nothing but the newest texts of all files.
fn fresh_check(client: &Client, uri: &str) -> Vec<Value> {
    let mut workspace = Workspace::default();
    for (uri, (version, text)) in &client.texts {
        workspace.set(TextFile::new(uri, text, Some(*version)));
    }
    let file = workspace.file(uri).expect("the file is open");
    let found = check(&workspace, file, &Budget::unlimited()).expect("no limit");
    let value = |one: Finding| serde_json::to_value(one.diagnostic).expect("JSON");
    found.into_iter().map(value).collect()
}

/// Makes one series of edits and compares with a fresh server at the end.
fn make(edits: &[Edit], tally: &Tally) -> Result<(), TestCaseError> {
    count(&tally.series);
    let mut client = Client::start_within(without_grounding(), None);
    let files = files();
    for (uri, text) in &files {
        client.open(uri, text);
    }
    for edit in edits {
        let uri = files[edit.file].0;
        let [(start, first), (end, last)] = edit.ends(client.text(uri));
        let kind = match (start == end, edit.new.is_empty()) {
            (true, true) => &tally.nothing,
            (true, false) => &tally.insertions,
            (false, true) => &tally.deletions,
            (false, false) => &tally.replacements,
        };
        count(kind);
        let is_cut = |at, place: &Value| position(client.text(uri), at) != *place;
        if is_cut(start, &first) || is_cut(end, &last) {
            count(&tally.cuts);
        }
        client.edit_at(uri, start..end, [first, last], &edit.new);
        if edit.waits {
            prop_assert_eq!(client.diagnostics(uri), fresh_check(&client, uri), "{}", uri);
            count(&tally.compared);
        }
        for method in ["hover", "completion", "signatureHelp", "definition"] {
            let place = position(client.text(uri), start);
            let params = json!({ "textDocument": { "uri": uri }, "position": place });
            client.ask(&format!("textDocument/{method}"), params);
        }
    }
    let mut fresh = Client::start_within(without_grounding(), None);
    for (uri, _) in &files {
        fresh.open(uri, client.text(uri));
    }
    for (uri, _) in &files {
        // The newest version may have been checked before the other files changed. Another edit checks it again.
        for one in [&mut client, &mut fresh] {
            let end = one.text(uri).len();
            one.edit(uri, end..end, " ");
        }
        prop_assert_eq!(client.text(uri), fresh.text(uri));
        prop_assert_eq!(client.diagnostics(uri), fresh.diagnostics(uri), "{}", uri);
        prop_assert_eq!(words(&mut client, uri), words(&mut fresh, uri), "{}", uri);
    }
    Ok(())
}

/// `PROPTEST_CASES` is the number of series. With `--nocapture`, the test prints how many edits of each kind it made.
#[test]
fn edits_leave_the_server_as_a_fresh_one() {
    let tally = Tally::default();
    let config = ProptestConfig {
        cases: ProptestConfig::default().cases.div_ceil(8),
        ..ProptestConfig::default()
    };
    proptest!(config, |(edits in prop::collection::vec(edit(), 1..12))| make(&edits, &tally)?);
    println!("{tally}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.div_ceil(8), ..ProptestConfig::default() })]

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
