//! Holds the fronts to their work: they decode, call a task of the floor, and print.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of source of a front.
const MOST_LINES: [(&str, usize); 6] = [
    ("cli", 14_400),
    ("python", 14_100),
    ("play", 4_000),
    ("lsp", 3_000),
    ("mcp", 2_000),
    ("serve", 1_500),
];

/// The largest share of the fronts in the source, in percent.
const MOST_SHARE: usize = 15;

/// The words of one language or planner, each with the most lines of the program that may have it. A new line that needs one
/// belongs into a task.
const WORDS_OF_LANGUAGES: [(&str, usize); 5] = [
    ("AnyProblems::Pddl", 6),
    ("AnyProblems::Rddl", 7),
    ("AnyProblems::World", 2),
    ("PlannerKind", 8),
    ("PolicyKind", 4),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            found.push(path);
        }
    }
}

/// Returns the texts of the sources of some crates below `crates`, by their paths.
fn texts(folders: &str) -> BTreeMap<PathBuf, String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates");
    let mut found = Vec::new();
    sources(&crates.join(folders), &mut found);
    let is_source = |path: &PathBuf| path.components().any(|part| part.as_os_str() == "src");
    found.retain(is_source);
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text");
        (path, text)
    };
    found.into_iter().map(read).collect()
}

fn lines(folders: &str) -> usize {
    texts(folders).values().map(|text| text.lines().count()).sum()
}

#[test]
fn fronts_stay_small() {
    for (name, most) in MOST_LINES {
        let own = lines(&format!("fronts/herbrand-{name}"));
        assert!(own <= most, "herbrand-{name} has {own} lines, more than {most}");
    }
    let (fronts, all) = (lines("fronts"), lines("."));
    let share = 100 * fronts / all;
    assert!(
        share <= MOST_SHARE,
        "the fronts have {fronts} of {all} lines: {share} %"
    );
}

#[test]
fn the_program_asks_for_no_more_languages() {
    let texts = texts("fronts/herbrand-cli");
    for (word, most) in WORDS_OF_LANGUAGES {
        let has = |text: &String| text.lines().filter(|line| line.contains(word)).count();
        let own: usize = texts.values().map(has).sum();
        assert!(
            own <= most,
            "{own} lines of the program have `{word}`, more than {most}"
        );
    }
}

#[test]
fn every_public_function_has_a_caller() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["crates", "tests"] {
        sources(&crates.join(folder), &mut files);
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let texts: Vec<_> = files
        .iter()
        .map(|path| fs::read_to_string(path).expect("a text"))
        .collect();
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    for text in &texts {
        for word in text.split(|c| !is_name(c)).filter(|word| !word.is_empty()) {
            *counts.entry(word.to_owned()).or_default() += 1;
        }
    }
    let mut lonely = Vec::new();
    for (path, text) in files.iter().zip(&texts) {
        for line in text.lines() {
            let Some((_, rest)) = line.trim_start().split_once("pub fn ") else {
                continue;
            };
            let name = rest.split(|c| !is_name(c)).next().unwrap_or_default();
            if counts.get(name) == Some(&1) {
                lonely.push(format!("{name} in {}", path.display()));
            }
        }
    }
    assert!(lonely.is_empty(), "{lonely:#?}");
}
