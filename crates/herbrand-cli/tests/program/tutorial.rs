//! The tutorials in `docs`: their files are written, their commands run, and what they print is what the page says.

use std::fs;
use std::path::Path;

use crate::run::Scratch;

/// A block of a page: its language, its text, and the last sentence before it.
struct Block<'p> {
    language: &'p str,
    text: &'p str,
    before: &'p str,
}

/// The blocks of a page, in their order.
fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut parts = page.split("```");
    let mut before = parts.next().unwrap_or_default();
    let mut blocks = Vec::new();
    while let Some(block) = parts.next() {
        let (language, text) = block.split_once('\n').unwrap_or((block, ""));
        blocks.push(Block {
            language,
            text,
            before,
        });
        before = parts.next().unwrap_or_default();
    }
    blocks
}

/// The words of a command, as a shell takes them.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in command.split('"').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Text without times, which differ from run to run, and without spaces at the ends of lines.
fn steady(text: &str) -> String {
    let is_time = |word: &str| word.parse::<f64>().is_ok() && word.contains('.');
    let line = |line: &str| {
        let words: Vec<&str> = line.trim_end().split(' ').collect();
        let timed = |at: usize| {
            words
                .get(at + 1)
                .is_some_and(|unit| unit.starts_with('s') && unit.len() <= 2)
        };
        let words = words
            .iter()
            .enumerate()
            .map(|(at, &word)| if is_time(word) && timed(at) { "TIME" } else { word });
        words.collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = text.trim_matches('\n').lines().map(line).collect();
    lines.join("\n")
}

#[test]
fn the_first_domain_is_what_its_page_says() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/first-domain.md");
    let page = fs::read_to_string(path).expect("the page");
    let blocks = blocks(&page);
    let scratch = Scratch::new("tutorial");
    let source = |language: &str, number: usize| {
        let mut fitting = blocks.iter().filter(|block| block.language == language);
        fitting.nth(number).expect("a block").text
    };
    let (domain, problem) = (source("pddl", 0), source("pddl", 1));
    for (name, text) in [
        ("lighthouse.pddl", domain),
        ("evening.pddl", problem),
        ("lighthouse/domain.pddl", domain),
        ("lighthouse/train/01.pddl", problem),
        ("lighthouse/env.toml", source("toml", 0)),
    ] {
        assert!(page.contains(&format!("`{name}`")), "the page names {name}");
        scratch.write(name, text);
    }
    scratch.write(
        "faulty.pddl",
        &problem.replace("(keeper-at hall)", "(keeper-in hall)"),
    );
    let mut said = String::new();
    let (mut commands, mut compared) = (0, 0);
    for block in &blocks {
        match block.language {
            "sh" => {
                said.clear();
                for command in block.text.lines() {
                    let words = words(command);
                    let words: Vec<&str> = words.iter().map(String::as_str).collect();
                    assert_eq!(words[0], "herbrand", "{command}");
                    let run = scratch.run(&words[1..]);
                    let faulty = command.contains("faulty");
                    assert_eq!(
                        run.status,
                        if faulty { 2 } else { 0 },
                        "{command}: {}",
                        run.stderr
                    );
                    said += &run.stderr;
                    said += &run.stdout;
                    commands += 1;
                }
            }
            "text" => {
                assert_eq!(steady(&said), steady(block.text), "after {}", block.before);
                compared += 1;
            }
            _ => {}
        }
    }
    assert!(
        commands >= 8 && compared >= 5,
        "{commands} commands, {compared} compared"
    );
    assert!(scratch.read("drawn.svg").contains("lamp"), "the declared picture");
}
