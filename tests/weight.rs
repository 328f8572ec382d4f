//! Holds the number of lines of source to `tests/weight.txt`: a change that makes a part of the tree larger says so there.

use std::fs;
use std::path::Path;

/// The parts of the tree: each has a name, a folder, the folder names that its files are below, and the endings of its files.
const PARTS: [(&str, &str, &str, &[&str]); 9] = [
    ("base", "crates/base", "src", &["rs"]),
    ("pddl", "crates/pddl", "src", &["rs"]),
    ("rddl", "crates/rddl", "src", &["rs"]),
    ("labs", "crates/labs", "src", &["rs"]),
    ("floor", "crates/floor", "src", &["rs"]),
    ("fronts", "crates/fronts", "src", &["rs"]),
    (
        "python",
        "crates/fronts/herbrand-python",
        "python",
        &["py", "pyi"],
    ),
    (
        "page",
        "crates/fronts/herbrand-serve",
        "assets",
        &["js", "css", "html"],
    ),
    ("tests", "crates", "tests", &["rs", "py"]),
];

/// Written by `codemirror`'s bundler.
const BUNDLED: &str = "codemirror.js";

/// The number of lines that a part may fall below its figure before the figure is lowered.
const SLACK: usize = 1000;

/// Counts the lines of the files with these endings below folders named `within` in `folder`.
fn lines(folder: &Path, within: &str, endings: &[&str], is_within: bool) -> usize {
    let entries = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path());
    entries
        .map(|path| {
            let is_named = |name: &str| path.file_name().is_some_and(|own| own == name);
            if path.is_dir() {
                return lines(&path, within, endings, is_within || is_named(within));
            }
            let ending = path.extension().and_then(|ending| ending.to_str());
            let is_counted = is_within && ending.is_some_and(|ending| endings.contains(&ending));
            if is_counted && !is_named(BUNDLED) {
                fs::read_to_string(&path).expect("a text").lines().count()
            } else {
                0
            }
        })
        .sum()
}

#[test]
fn no_part_of_the_tree_grows_unnoticed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("tests/weight.txt");
    let known = fs::read_to_string(&file).expect("the figures");
    let head: String = known
        .lines()
        .take_while(|line| line.starts_with('#'))
        .map(|line| format!("{line}\n"))
        .collect();
    let found = PARTS
        .map(|(name, folder, within, endings)| (name, lines(&root.join(folder), within, endings, false)));
    if std::env::var_os("UPDATE_WEIGHT").is_some() {
        let figures: String = found
            .iter()
            .map(|(name, lines)| format!("{name:<8}{lines:>7}\n"))
            .collect();
        fs::write(&file, head + &figures).expect("the file can be written");
        return;
    }
    let limit = |name: &str| {
        let mut figures = known.lines().filter_map(|line| line.split_once(' '));
        let figure = figures.find(|(part, _)| *part == name);
        figure.and_then(|(_, figure)| figure.trim().parse::<usize>().ok())
    };
    let wrong: Vec<String> = found
        .iter()
        .filter_map(|&(name, lines)| match limit(name) {
            None => Some(format!("{name} has no figure")),
            Some(limit) if lines > limit => Some(format!(
                "{name} has {lines} lines, {} more than its figure",
                lines - limit
            )),
            Some(limit) if lines + SLACK < limit => {
                Some(format!("{name} has {lines} lines: lower its figure, {limit}"))
            }
            Some(_) => None,
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{}\nTake something away, or run `UPDATE_WEIGHT=1 cargo test -p herbrand --test weight` and say in the commit that changes \
         tests/weight.txt why the part grows.",
        wrong.join("\n")
    );
}
