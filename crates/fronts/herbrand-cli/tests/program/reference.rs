//! `docs/reference/commands.md` has the program's own help.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::run::herbrand;

const HEAD: &str = "# The program's commands

Look up every command and option: this is the output of `herbrand COMMAND --help`. The
[how-to guides](../welcome.md) show the commands at work. `herbrand completions SHELL` prints completions for a shell, and
`herbrand man` writes manual pages.
";

/// Returns the names of the commands that a help text lists.
fn commands(help: &str) -> impl Iterator<Item = &str> {
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // A line with deeper indentation continues the previous one.
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    names
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help")
}

/// Adds the help of a command and of those below it; `words` are those of its name.
fn add(page: &mut String, words: &[&str]) {
    let help = herbrand(&[words, &["--help"]].concat());
    assert_eq!(help.status, 0, "{words:?}: {}", help.stderr);
    let name = [&["herbrand"], words].concat().join(" ");
    let lines: Vec<_> = help.stdout.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    writeln!(page, "\n## {name}\n\n```text\n{}\n```", text.trim_end()).expect("a string takes text");
    for below in commands(&help.stdout) {
        add(page, &[words, &[below]].concat());
    }
}

#[test]
fn the_page_of_commands_is_up_to_date() {
    let mut page = HEAD.to_owned();
    add(&mut page, &[]);
    snapbox::assert_data_eq!(
        page,
        snapbox::file!("../../../../../docs/reference/commands.md").raw()
    );
}

#[test]
fn the_readme_lists_every_command() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../README.md");
    let readme = fs::read_to_string(path).expect("the README");
    let rows = readme.lines().skip_while(|line| *line != "| commands | for |");
    let rows = rows.take_while(|line| line.starts_with('|'));
    let cells = rows.filter_map(|row| row.split('|').nth(1));
    let listed: Vec<_> = cells
        .flat_map(|cell| cell.split('`').skip(1).step_by(2))
        .collect();
    let help = herbrand(&["--help"]).stdout;
    let all: Vec<_> = commands(&help).collect();
    for name in &all {
        let is_for_the_shell = ["completions", "man"].contains(name);
        assert!(
            is_for_the_shell || listed.contains(name),
            "the README does not list `{name}`"
        );
    }
    for name in listed {
        assert!(
            all.contains(&name),
            "the README lists `{name}`, which is not a command"
        );
    }
}
