//! The documentation: every `herbrand …` in an `sh` block of the README and of `docs` is run by a shell, in a folder with the files
//! that the page mentions; tutorials have the output, too; the reference has the program's own help.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{Scratch, herbrand};

/// A block of a page: its language and its text.
struct Block {
    language: String,
    text: String,
}

/// The blocks of a page, in their order.
fn blocks(page: &str) -> Vec<Block> {
    let blocks = page.split("```").skip(1).step_by(2);
    let block = |block: &str| {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        Block {
            language: language.to_owned(),
            text: text.to_owned(),
        }
    };
    blocks.map(block).collect()
}

/// A block of a language, by its number among these.
fn nth<'b>(blocks: &'b [Block], language: &str, number: usize) -> &'b str {
    let mut fitting = blocks.iter().filter(|block| block.language == language);
    &fitting.nth(number).expect("a block").text
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Reads a page by its path below `docs`, or the README.
fn read(page: &str) -> String {
    let folder = if page == "README.md" { "" } else { "docs" };
    fs::read_to_string(root().join(folder).join(page)).expect("a page")
}

/// A file of a bundled domain.
fn bundled(path: &str) -> String {
    fs::read_to_string(root().join("domains").join(path)).expect("a bundled file")
}

/// The commands of a block that run the program, each in a line, as `herbrand …`. From a checkout the program is run by cargo.
fn commands(block: &str) -> Vec<String> {
    let by_name = |line: &str| {
        let run = line.strip_prefix("cargo run --release ");
        match run.and_then(|run| run.split_once("-- ")) {
            Some((options, rest)) if options.is_empty() || options.contains("-p herbrand-cli") => {
                format!("herbrand {rest}")
            }
            _ => line.to_owned(),
        }
    };
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(by_name);
    let is_run = |line: &String| line.starts_with("herbrand ") || line.contains("| herbrand ");
    lines.filter(is_run).collect()
}

/// The beginnings of commands that are not run here: they need answers, servers, keys, other planners or packages, which the tests
/// of their commands have, or take long.
const LEFT_OUT: &[&str] = &[
    "herbrand exam grade",
    "herbrand replay changed.jsonl",
    "herbrand serve",
    "herbrand plan blocks --time 30s  ",
    "herbrand explore --world coin --reader model --model NAME --url",
    "herbrand explore --world coin --reader model --model NAME --replay",
    "herbrand record sokoban --parquet",
    "herbrand replay sokoban-data",
    "herbrand explore                ",
    "herbrand explore --world cooking-hard",
    "herbrand domains pddlgym:",
    "herbrand rollout pddlgym:",
    "herbrand plan pddlgym:",
    "herbrand show rddlrepository:",
    "herbrand fetch",
    "herbrand rollout fetched:",
];

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

/// The files that a page mentions: their names and texts.
fn files(page: &str, own: &[Block]) -> Vec<(String, String)> {
    let given = |files: &[(&str, &str)]| {
        let files = files.iter();
        files
            .map(|&(name, text)| (name.to_owned(), text.to_owned()))
            .collect()
    };
    let domain = bundled("blocks/domain.pddl");
    match page {
        "README.md" => [
            "supply/domain.pddl",
            "supply/train/05.pddl",
            "blocks/domain.pddl",
            "blocks/train/01.pddl",
        ]
        .map(|path| (format!("domains/{path}"), bundled(path)))
        .to_vec(),
        "how-to/edit.md" => given(&[
            ("house.pddl", HOUSE),
            ("p01.pddl", KITCHEN),
            ("edits.json", nth(own, "json", 0)),
        ]),
        "tutorials/rddl.md" | "how-to/rddl.md" => {
            let tutorial = blocks(&read("tutorials/rddl.md"));
            let [domain, instance] = [0, 1].map(|number| nth(&tutorial, "rddl", number));
            given(&[("domain.rddl", domain), ("evening.rddl", instance)])
        }
        "how-to/exploring.md" => ["coin.toml", "domain.pddl"]
            .map(|name| {
                let path = root().join("crates/labs/herbrand-explore/tests/tasks").join(name);
                (
                    name.to_owned(),
                    fs::read_to_string(path).expect("a file of the task"),
                )
            })
            .to_vec(),
        "how-to/pddlworld.md" => given(&[("my-domain.pddl", &domain), ("p01.pddl", BLOCKS)]),
        "how-to/check.md"
        | "how-to/ground.md"
        | "how-to/learn.md"
        | "how-to/other-tools.md"
        | "how-to/plan.md"
        | "how-to/play.md"
        | "how-to/rollout.md"
        | "how-to/state-spaces.md" => given(&[
            ("domain.pddl", &domain),
            ("problem.pddl", BLOCKS),
            ("my.plan", &bundled("blocks/plans/train/01.plan")),
            ("src/lib.rs", ""),
        ]),
        _ => Vec::new(),
    }
}

/// Returns the pages with their names.
fn pages() -> Vec<(String, String)> {
    let mut names = vec!["README.md".to_owned()];
    for folder in ["", "tutorials/", "how-to/", "reference/", "explanation/"] {
        for entry in fs::read_dir(root().join("docs").join(folder)).expect("the pages") {
            let name = entry.expect("a page").file_name().into_string().expect("UTF-8");
            if name.ends_with(".md") {
                names.push(format!("{folder}{name}"));
            }
        }
    }
    let page = |name: String| (name.clone(), read(&name));
    names.into_iter().map(page).collect()
}

/// Pages whose commands are compared with their outputs below.
const TUTORIALS: [&str; 2] = ["tutorials/first-domain.md", "tutorials/learning.md"];

#[test]
fn commands_of_the_pages_run() {
    let mut exceptions = LEFT_OUT.to_vec();
    for (name, text) in pages() {
        let blocks = blocks(&text);
        let shell = blocks.iter().filter(|block| block.language == "sh");
        let mut commands: Vec<_> = shell.flat_map(|block| commands(&block.text)).collect();
        let is_exception = |command: &str| LEFT_OUT.iter().any(|begin| command.starts_with(begin));
        exceptions.retain(|begin| !commands.iter().any(|command| command.starts_with(begin)));
        commands.retain(|command| !is_exception(command));
        if commands.is_empty() || TUTORIALS.contains(&name.as_str()) {
            continue;
        }
        let scratch = Scratch::new();
        for (file, text) in files(&name, &blocks) {
            scratch.write(&file, text);
        }
        for command in commands {
            let run = scratch.shell(&command);
            assert_eq!(run.status, 0, "{name}: {command}\n{}", run.told());
        }
    }
    assert!(exceptions.is_empty(), "no page has {exceptions:?}");
}

/// Text without times, which differ from run to run, nor the spaces in a line. A time is a number before the unit `s`, or in
/// the column `seconds` of a table.
fn steady(text: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let (mut lines, mut column) = (Vec::new(), None);
    for line in text.trim_matches('\n').lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        column = match column {
            _ if words.is_empty() => None,
            None => words.iter().position(|&word| word == "seconds"),
            found => found,
        };
        let is_timed = |at: usize| {
            let unit = words
                .get(at + 1)
                .filter(|unit| unit.starts_with('s') && unit.len() <= 2);
            is_time(words[at]) && (column == Some(at) || unit.is_some())
        };
        let shown = words.iter().enumerate();
        let shown = shown.map(|(at, &word)| if is_timed(at) { "TIME" } else { word });
        lines.push(shown.collect::<Vec<_>>().join(" "));
    }
    lines.join("\n")
}

/// Runs the commands of a tutorial in a folder with some of its blocks as files: by name, the language of the block and its number
/// among those of this language. Each block of text is the expected output of the commands before it.
fn follow(page: &str, files: &[(&str, &str, usize)], status: impl Fn(&str) -> i32, scratch: &Scratch) {
    let text = read(page);
    let blocks = blocks(&text);
    for &(name, language, number) in files {
        assert!(text.contains(&format!("`{name}`")), "{page} names {name}");
        scratch.write(name, nth(&blocks, language, number));
    }
    let (mut said, mut compared) = (String::new(), 0);
    for block in blocks {
        match block.language.as_str() {
            "sh" => {
                said.clear();
                for command in commands(&block.text) {
                    let run = scratch.shell(&command);
                    assert_eq!(run.status, status(&command), "{command}: {}", run.stderr);
                    said += &(run.stderr + &run.stdout);
                }
            }
            "text" => {
                assert_eq!(steady(&said), steady(&block.text), "{page}");
                compared += 1;
            }
            _ => {}
        }
    }
    assert!(compared >= 3, "{page}: {compared} outputs");
}

#[test]
fn tutorials_have_the_output_of_their_commands() {
    let scratch = Scratch::new();
    let problem = read(TUTORIALS[0]);
    let problem = nth(&blocks(&problem), "pddl", 1).replace("(keeper-at hall)", "(keeper-in hall)");
    scratch.write("faulty.pddl", problem);
    let first = [
        ("lighthouse.pddl", "pddl", 0),
        ("evening.pddl", "pddl", 1),
        ("lighthouse/domain.pddl", "pddl", 0),
        ("lighthouse/train/01.pddl", "pddl", 1),
        ("lighthouse/env.toml", "toml", 0),
    ];
    let status = |command: &str| if command.contains("faulty") { 2 } else { 0 };
    follow(TUTORIALS[0], &first, status, &scratch);
    assert!(scratch.read("drawn.svg").contains("lamp"), "the declared picture");
    let scratch = Scratch::new();
    let learned = [
        ("lighthouse/domain.pddl", "pddl", 0),
        ("lighthouse/train/01.pddl", "pddl", 1),
        ("lighthouse/train/02.pddl", "pddl", 2),
        ("lighthouse/test/01.pddl", "pddl", 3),
    ];
    follow(TUTORIALS[1], &learned, |_| 0, &scratch);
    assert!(scratch.read("learned.pddl").contains("(:action take-oil"));
    // The program has no doubts about its own output.
    scratch.done("check --strict learned.pddl");
    assert!(scratch.read("curve.svg").starts_with("<svg"));
}

const HEAD: &str = "# The program's commands

Look up every command and option: this is the output of `herbrand COMMAND --help`. The
[how-to guides](../welcome.md) show the commands at work. `herbrand completions SHELL` prints completions for a shell, and
`herbrand man` writes manual pages.
";

/// Returns the names of the commands that a help text lists.
fn listed(help: &str) -> impl Iterator<Item = &str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // A line with deeper indentation continues the previous one.
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help")
}

/// Adds the help of a command and of those below it to the page.
fn add(page: &mut String, command: &str) {
    let help = herbrand(&format!("{command} --help"));
    assert_eq!(help.status, 0, "{command}: {}", help.stderr);
    let lines: Vec<_> = help.stdout.lines().map(str::trim_end).collect();
    let (name, text) = (format!("herbrand {command}"), lines.join("\n"));
    writeln!(page, "\n## {}\n\n```text\n{}\n```", name.trim(), text.trim_end()).expect("a string takes text");
    for below in listed(&help.stdout) {
        add(page, format!("{command} {below}").trim());
    }
}

#[test]
fn the_page_of_commands_is_up_to_date() {
    let mut page = HEAD.to_owned();
    add(&mut page, "");
    snapbox::assert_data_eq!(
        page,
        snapbox::file!("../../../../../docs/reference/commands.md").raw()
    );
}

#[test]
fn the_readme_lists_every_command() {
    let readme = read("README.md");
    let rows = readme.lines().skip_while(|line| *line != "| commands | for |");
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let mut named: BTreeSet<_> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    named.extend(["completions", "man"]);
    let help = herbrand("--help").stdout;
    assert_eq!(named, listed(&help).collect());
}

/// The page of traces has each key of a recorded line.
#[test]
fn the_page_of_traces_has_the_keys_of_lines() {
    let page = read("reference/traces.md");
    for (domain, language) in [("blocks-derived", "PDDL"), ("rddl/recon-pomdp", "RDDL")] {
        let trace = herbrand(&format!("record {domain}")).stdout;
        let heading = format!("| key of a line in {language} |");
        let (_, table) = page.split_once(&heading).expect("a table");
        let table = table.split("\n\n").next().expect("a table");
        for line in trace.lines().skip(1) {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            for key in line.as_object().expect("an object").keys() {
                assert!(table.contains(&format!("`{key}`")), "{key} in {table}");
            }
        }
    }
}
