//! The tutorials in `docs`: writes their files, runs their commands, and compares the output with the page.

use crate::pages::{self, Block};
use crate::run::Scratch;

/// Text without times, which differ from run to run, and without spaces at the ends of lines.
fn steady(text: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let (mut lines, mut column) = (Vec::new(), None);
    for line in text.trim_matches('\n').lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.is_empty() {
            column = None;
        } else if column.is_none() {
            column = words.iter().position(|&word| word == "seconds");
        }
        let line = match column {
            // A row of a table: its column of seconds has as many spaces as its numbers need.
            Some(column) => masked(&words, |at| at == column && is_time(words[at])),
            None => {
                let words: Vec<&str> = line.trim_end().split(' ').collect();
                let timed = |at: usize| {
                    let unit = words.get(at + 1);
                    unit.is_some_and(|unit| unit.starts_with('s') && unit.len() <= 2)
                };
                masked(&words, |at| is_time(words[at]) && timed(at))
            }
        };
        lines.push(line);
    }
    lines.join("\n")
}

/// Words in a line, some of them hidden.
fn masked(words: &[&str], hide: impl Fn(usize) -> bool) -> String {
    let shown = words.iter().enumerate();
    let shown = shown.map(|(at, &word)| if hide(at) { "TIME" } else { word });
    shown.collect::<Vec<_>>().join(" ")
}

/// Runs the commands of a page in a folder with its files. Each block of text is the expected output of the commands before
/// it. `status` returns the expected exit status of a command.
fn run(blocks: &[Block], scratch: &Scratch, status: impl Fn(&str) -> i32) -> (usize, usize) {
    let mut said = String::new();
    let (mut commands, mut compared) = (0, 0);
    for block in blocks {
        match block.language.as_str() {
            "sh" => {
                said.clear();
                for command in pages::commands(&block.text) {
                    let run = scratch.shell(&command);
                    assert_eq!(run.status, status(&command), "{command}: {}", run.stderr);
                    said += &run.stderr;
                    said += &run.stdout;
                    commands += 1;
                }
            }
            "text" => {
                assert_eq!(steady(&said), steady(&block.text), "after {}", block.before);
                compared += 1;
            }
            _ => {}
        }
    }
    (commands, compared)
}

/// The page's blocks, and a folder with some of them as files: by name, the language of the block and its number among those of
/// this language. The page names each file.
fn written(page: &str, files: &[(&str, &str, usize)]) -> (Vec<Block>, Scratch) {
    let text = pages::read(page);
    let blocks = pages::blocks(&text);
    let scratch = Scratch::new(&page.trim_end_matches(".md").replace('/', "-"));
    for &(name, language, number) in files {
        assert!(text.contains(&format!("`{name}`")), "{page} names {name}");
        scratch.write(name, &pages::nth(&blocks, language, number).text);
    }
    (blocks, scratch)
}

#[test]
fn the_first_domain_is_what_its_page_says() {
    let files = [
        ("lighthouse.pddl", "pddl", 0),
        ("evening.pddl", "pddl", 1),
        ("lighthouse/domain.pddl", "pddl", 0),
        ("lighthouse/train/01.pddl", "pddl", 1),
        ("lighthouse/env.toml", "toml", 0),
    ];
    let (blocks, scratch) = written("tutorials/first-domain.md", &files);
    let problem = &pages::nth(&blocks, "pddl", 1).text;
    scratch.write(
        "faulty.pddl",
        &problem.replace("(keeper-at hall)", "(keeper-in hall)"),
    );
    let status = |command: &str| if command.contains("faulty") { 2 } else { 0 };
    let (commands, compared) = run(&blocks, &scratch, status);
    assert!(
        commands >= 8 && compared >= 5,
        "{commands} commands, {compared} compared"
    );
    assert!(scratch.read("drawn.svg").contains("lamp"), "the declared picture");
}

#[test]
fn a_model_is_learned_as_its_page_says() {
    let files = [
        ("lighthouse/domain.pddl", "pddl", 0),
        ("lighthouse/train/01.pddl", "pddl", 1),
        ("lighthouse/train/02.pddl", "pddl", 2),
        ("lighthouse/test/01.pddl", "pddl", 3),
    ];
    let (blocks, scratch) = written("tutorials/learning.md", &files);
    let (commands, compared) = run(&blocks, &scratch, |_| 0);
    assert_eq!((commands, compared), (6, 3));
    assert!(scratch.read("learned.pddl").contains("(:action take-oil"));
    // The program has no doubts about its own output.
    let checked = scratch.run(&["check", "--strict", "learned.pddl"]);
    assert_eq!(checked.status, 0, "{}", checked.stderr);
    assert!(scratch.read("curve.svg").starts_with("<svg"));
}
