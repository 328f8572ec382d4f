//! `docs/reference/commands.md` has the program's own help. To write the page again:
//! `UPDATE_DOCS=1 cargo test -p herbrand-cli --features png,serve,http reference`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::run::herbrand;

const HEAD: &str = "# The program's commands

Look up every command and option: this is the output of `herbrand COMMAND --help`. The
[how-to guides](../welcome.md) show the commands at work. `herbrand completions SHELL` prints completions for a shell, and
`herbrand man` writes manual pages.
";

/// Adds the help of a command and of those below it; `words` are those of its name.
fn add(page: &mut String, words: &[&str]) {
    let help = herbrand(&[words, &["--help"]].concat());
    assert_eq!(help.status, 0, "{words:?}: {}", help.stderr);
    let name = [&["herbrand"], words].concat().join(" ");
    let lines: Vec<_> = help.stdout.lines().map(str::trim_end).collect();
    let text = lines.join("\n");
    writeln!(page, "\n## {name}\n\n```text\n{}\n```", text.trim_end()).expect("a string takes text");
    let listed = help
        .stdout
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // A line with deeper indentation continues the previous one.
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    for below in names.filter_map(|line| line.split_whitespace().next()) {
        if below != "help" {
            add(page, &[words, &[below]].concat());
        }
    }
}

#[test]
fn the_page_of_commands_is_up_to_date() {
    let mut page = HEAD.to_owned();
    add(&mut page, &[]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../docs/reference/commands.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, &page).expect("docs can be written");
    }
    let written = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "docs/reference/commands.md is out of date: run this test with UPDATE_DOCS=1"
    );
}
