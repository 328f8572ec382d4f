//! The shell commands of all pages: every `herbrand …` in an `sh` block of the README and of `docs` is run by a shell, in a
//! folder with the files that the page mentions. The module `tutorial` compares the output.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::Scratch;

/// A block of a page: its language, its text, and the text before it.
pub struct Block {
    pub language: String,
    pub text: String,
    pub before: String,
}

/// The blocks of a page, in their order.
pub fn blocks(page: &str) -> Vec<Block> {
    let mut parts = page.split("```");
    let mut before = parts.next().unwrap_or_default();
    let mut blocks = Vec::new();
    while let Some(block) = parts.next() {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        blocks.push(Block {
            language: language.to_owned(),
            text: text.to_owned(),
            before: before.to_owned(),
        });
        before = parts.next().unwrap_or_default();
    }
    blocks
}

/// A block of a language, by its number among these.
pub fn nth<'b>(blocks: &'b [Block], language: &str, number: usize) -> &'b Block {
    let mut fitting = blocks.iter().filter(|block| block.language == language);
    fitting.nth(number).expect("a block")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Reads a page by its path below `docs`, or the README.
pub fn read(page: &str) -> String {
    let folder = if page == "README.md" {
        root()
    } else {
        root().join("docs")
    };
    fs::read_to_string(folder.join(page)).expect("a page")
}

/// The commands of a block that run the program, each in a line, as `herbrand …`. From a checkout the program is run by cargo.
pub fn commands(block: &str) -> Vec<String> {
    let by_name = |line: &str| {
        let options_and_rest = line
            .strip_prefix("cargo run --release ")
            .and_then(|run| run.split_once("-- "));
        match options_and_rest {
            Some((options, rest)) if options.is_empty() || options.contains("-p herbrand-cli") => {
                format!("herbrand {rest}")
            }
            _ => line.to_owned(),
        }
    };
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(by_name);
    lines
        .filter(|line| line.starts_with("herbrand ") || line.contains("| herbrand "))
        .collect()
}

/// The beginnings of commands that are not run here, each with the reason.
const LEFT_OUT: [(&str, &str); 16] = [
    (
        "herbrand exam grade",
        "reads answers that somebody gave; the tests of `exam` grade some",
    ),
    (
        "herbrand replay changed.jsonl",
        "reads a trace that `sed` changes; the tests of `traces` replay such a trace",
    ),
    (
        "herbrand serve",
        "runs until it is stopped; the tests of the server start it",
    ),
    (
        "herbrand plan blocks --time 30s  ",
        "needs another planner; the tests of `plan` have one of their own",
    ),
    (
        "herbrand explore --world coin --reader model --model NAME --url",
        "asks a language model in the network",
    ),
    (
        "herbrand explore --world coin --reader model --model NAME --replay",
        "needs the answers of that language model",
    ),
    (
        "herbrand record sokoban --parquet",
        "needs the Python package, whose tests record such a set",
    ),
    (
        "herbrand replay sokoban-data",
        "needs the Python package, whose tests replay such a set",
    ),
    (
        "herbrand explore                ",
        "150 games; the tests of `explore` play some",
    ),
    (
        "herbrand explore --world cooking-hard",
        "a hundred games; the tests of `explore` play some",
    ),
    ("herbrand domains pddlgym:", INSTALLED),
    ("herbrand rollout pddlgym:", INSTALLED),
    ("herbrand plan pddlgym:", INSTALLED),
    ("herbrand show rddlrepository:", INSTALLED),
    (
        "herbrand fetch",
        "asks servers in the network; the tests of `collections` have one of their own",
    ),
    (
        "herbrand rollout fetched:",
        "needs what was fetched from the network; the tests of `collections` fetch some",
    ),
];

/// Why commands with names of other packages are not run.
const INSTALLED: &str = "needs another package; the tests of `collections` have one of their own";

/// Runs the commands of a page in a folder with some files: names and texts.
fn run(page: &str, files: &[(&str, &str)]) {
    let scratch = Scratch::new(&format!(
        "page-{}",
        page.trim_end_matches(".md").replace('/', "-")
    ));
    for (name, text) in files {
        scratch.write(name, text);
    }
    let text = read(page);
    let mut count = 0;
    for block in blocks(&text).iter().filter(|block| block.language == "sh") {
        for command in commands(&block.text) {
            let left_out = LEFT_OUT.iter().any(|(begin, _)| command.starts_with(begin));
            if left_out {
                continue;
            }
            let run = scratch.shell(&command);
            assert_eq!(run.status, 0, "{page}: {command}\n{}{}", run.stdout, run.stderr);
            count += 1;
        }
    }
    assert!(count > 0, "{page} has commands");
}

/// A file of a bundled domain.
fn bundled(path: &str) -> String {
    fs::read_to_string(root().join("domains").join(path)).expect("a bundled file")
}

const BLOCKS: &str = "(define (problem three) (:domain blocks)
  (:objects a b c - block)
  (:init (hand-empty) (on-table a) (on-table b) (on-table c) (clear a) (clear b) (clear c))
  (:goal (and (on a b) (on b c))))
";

const HOUSE: &str = "(define (domain house)
  (:requirements :strips :typing)
  (:types room)
  (:predicates (at ?r - room) (door ?a ?b - room))
  (:action go :parameters (?a ?b - room) :precondition (and (at ?a) (door ?a ?b)) :effect (and (not (at ?a)) (at ?b))))
";

const KITCHEN: &str = "(define (problem p01) (:domain house)
  (:objects kitchen loc1 loc2 - room)
  (:init (at kitchen) (door kitchen loc1) (door loc1 loc2))
  (:goal (at loc2)))
";

#[test]
fn commands_of_the_guides_run() {
    let (domain, plan) = (
        bundled("blocks/domain.pddl"),
        bundled("blocks/plans/train/01.plan"),
    );
    let files = [
        ("domain.pddl", domain.as_str()),
        ("problem.pddl", BLOCKS),
        ("my.plan", &plan),
        ("src/lib.rs", ""),
    ];
    for page in [
        "check",
        "ground",
        "learn",
        "plan",
        "play",
        "rollout",
        "state-spaces",
    ] {
        run(&format!("how-to/{page}.md"), &files);
    }
}

#[test]
fn commands_about_edits_run() {
    let blocks = blocks(&read("how-to/edit.md"));
    let edits = &nth(&blocks, "json", 0).text;
    run(
        "how-to/edit.md",
        &[
            ("house.pddl", HOUSE),
            ("p01.pddl", KITCHEN),
            ("edits.json", edits),
        ],
    );
}

#[test]
fn commands_for_users_of_other_tools_run() {
    let domain = bundled("blocks/domain.pddl");
    run(
        "how-to/other-tools.md",
        &[("domain.pddl", &domain), ("problem.pddl", BLOCKS)],
    );
}

#[test]
fn commands_of_the_readme_run() {
    let files = [
        "supply/domain.pddl",
        "supply/train/05.pddl",
        "blocks/domain.pddl",
        "blocks/train/01.pddl",
    ];
    let texts = files.map(|path| (format!("domains/{path}"), bundled(path)));
    let files: Vec<_> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.as_str()))
        .collect();
    run("README.md", &files);
}

#[test]
fn commands_about_rddl_run() {
    let page = read("tutorials/rddl.md");
    let blocks = blocks(&page);
    let (domain, instance) = (&nth(&blocks, "rddl", 0).text, &nth(&blocks, "rddl", 1).text);
    for page in ["tutorials/rddl.md", "how-to/rddl.md"] {
        run(page, &[("domain.rddl", domain), ("evening.rddl", instance)]);
    }
}

#[test]
fn commands_of_the_other_pages_run() {
    for page in [
        "how-to/collections.md",
        "how-to/exams.md",
        "reference/generators.md",
        "reference/traces.md",
        "how-to/pictures.md",
        "how-to/replays.md",
        "how-to/teach.md",
        "how-to/translate.md",
        "tutorials/language-models.md",
    ] {
        run(page, &[]);
    }
    let tasks = root().join("crates/labs/herbrand-explore/tests/tasks");
    let task = |name: &str| fs::read_to_string(tasks.join(name)).expect("a file of the task");
    run(
        "how-to/exploring.md",
        &[
            ("coin.toml", &task("coin.toml")),
            ("domain.pddl", &task("domain.pddl")),
        ],
    );
    let domain = bundled("blocks/domain.pddl");
    run(
        "how-to/pddlworld.md",
        &[("my-domain.pddl", &domain), ("p01.pddl", BLOCKS)],
    );
}

/// The pages above, the pages of `tutorial`, and the pages without commands to run.
const PAGES: [&str; 27] = [
    "README.md",
    "how-to/check.md",
    "how-to/collections.md",
    "how-to/data.md",
    "how-to/edit.md",
    "how-to/exams.md",
    "how-to/exploring.md",
    "how-to/ground.md",
    "how-to/learn.md",
    "how-to/other-tools.md",
    "how-to/pddlworld.md",
    "how-to/pictures.md",
    "how-to/plan.md",
    "how-to/play.md",
    "how-to/rddl.md",
    "how-to/replays.md",
    "how-to/rollout.md",
    "how-to/serve.md",
    "how-to/translate.md",
    "how-to/state-spaces.md",
    "how-to/teach.md",
    "reference/generators.md",
    "reference/traces.md",
    "tutorials/first-domain.md",
    "tutorials/language-models.md",
    "tutorials/learning.md",
    "tutorials/rddl.md",
];

#[test]
fn no_page_and_no_exception_is_forgotten() {
    let mut names = vec!["README.md".to_owned()];
    for folder in ["", "tutorials/", "how-to/", "reference/", "explanation/"] {
        for entry in fs::read_dir(root().join("docs").join(folder)).expect("the pages") {
            let name = entry.expect("a page").file_name();
            let name = name.into_string().expect("UTF-8");
            if name.ends_with(".md") {
                names.push(format!("{folder}{name}"));
            }
        }
    }
    let commands_of = |page: &String| -> Vec<String> {
        let blocks = blocks(&read(page));
        let shell = blocks.iter().filter(|block| block.language == "sh");
        shell.flat_map(|block| commands(&block.text)).collect()
    };
    let all: Vec<(String, Vec<String>)> = names
        .into_iter()
        .map(|name| (name.clone(), commands_of(&name)))
        .collect();
    for (page, commands) in &all {
        assert!(
            commands.is_empty() || PAGES.contains(&page.as_str()),
            "{page} is run"
        );
    }
    for (begin, why) in LEFT_OUT {
        let mut commands = all.iter().flat_map(|(_, commands)| commands);
        assert!(
            commands.any(|command| command.starts_with(begin)),
            "no page has `{begin}` ({why})"
        );
    }
}
