//! `herbrand lsp`, driven by the clients of editors that are installed here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::run::Scratch;

const DOMAIN: &str = include_str!("delivery.pddl");
const PROBLEM: &str = include_str!("morning.pddl");

/// The features that `neovim.lua` tries, in order.
const FEATURES: &str = "diagnostics
quick fix
hover
definition
references
completion
signature help
symbols
folding
colours
hints
rename
formatting
lenses
plan
picture
goals that cannot hold
end
";

/// The features that `emacs.el` tries, in order. This client has no colours, hints or lenses.
const FEATURES_OF_EMACS: &str = "diagnostics
quick fix
hover
comments
definition
references
completion
signature help
symbols
rename
formatting
plan
goals that cannot hold
end
";

/// The page with the settings of each editor.
const PAGE: &str = include_str!("../../../../../../docs/how-to/editor.md");

/// Returns the blocks of the page in a language.
fn blocks(language: &str) -> impl Iterator<Item = &str> {
    let fence = format!("\n```{language}\n");
    let parts: Vec<_> = PAGE.split(&fence).skip(1).collect();
    parts
        .into_iter()
        .filter_map(|part| Some(part.split_once("\n```\n")?.0))
}

/// Returns a command that starts an editor, with the program on its path; `None` with a message if the editor is not installed.
fn editor(name: &str, scratch: &Scratch) -> Option<Command> {
    let version = Command::new(name).arg("--version").stdout(Stdio::null()).status();
    if !version.is_ok_and(|status| status.success()) {
        eprintln!("skipped: `{name}` is not installed");
        return None;
    }
    scratch.write("domain.pddl", DOMAIN);
    scratch.write("p01.pddl", PROBLEM);
    let program = Path::new(env!("CARGO_BIN_EXE_herbrand"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = program
        .parent()
        .map(Path::to_owned)
        .into_iter()
        .chain(std::env::split_paths(&path));
    let mut command = Command::new(name);
    command
        .env("HERBRAND", program)
        .env("PATH", std::env::join_paths(folders).expect("a path"))
        .env("FOLDER", scratch.path())
        .env("OUT", scratch.path().join("results"))
        .env("HOME", scratch.path())
        .env("XDG_STATE_HOME", scratch.path())
        .env("XDG_CACHE_HOME", scratch.path())
        .stdin(Stdio::null());
    Some(command)
}

/// Runs an editor with a script, and compares the features that worked.
fn try_all(mut command: Command, scratch: &Scratch, features: &str) {
    let output = command.output().expect("the editor starts");
    let worked = fs::read_to_string(scratch.path().join("results")).unwrap_or_default();
    assert_eq!(worked, features, "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
}

fn script(name: &str) -> String {
    format!("{}/tests/program/editors/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn neovim_shows_and_changes_texts_by_the_server() {
    let scratch = Scratch::new();
    let Some(mut command) = editor("nvim", &scratch) else {
        return;
    };
    // After an error in the script, it ends, too.
    command
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n"])
        .args(["-c", &format!("luafile {}", script("neovim.lua")), "-c", "cquit"]);
    try_all(command, &scratch, FEATURES);
}

#[test]
fn neovim_starts_the_server_by_the_settings_of_the_page() {
    let scratch = Scratch::new();
    let Some(mut command) = editor("nvim", &scratch) else {
        return;
    };
    let [new, old]: [&str; 2] = std::array::from_fn(|at| blocks("lua").nth(at).expect("settings"));
    let wait = "vim.wait(30000, function() return #vim.diagnostic.get(0) > 0 end, 20)
vim.fn.writefile(vim.tbl_map(function(one) return one.code end, vim.diagnostic.get(0)), vim.env.OUT)";
    scratch.write(
        "init.lua",
        &format!("if vim.fn.has('nvim-0.11') == 1 then\n{new}\nelse\n{old}\nend\n"),
    );
    scratch.write("wait.lua", wait);
    scratch.write(
        "faulty.pddl",
        &DOMAIN.replacen("(road ?from ?to))", "(raod ?from ?to))", 1),
    );
    command
        .current_dir(scratch.path())
        .args(["--headless", "-u", "init.lua", "-i", "NONE", "-n", "faulty.pddl"])
        .args(["-c", "luafile wait.lua", "-c", "qall!"]);
    try_all(command, &scratch, "W0108\nE0101\n");
}

#[test]
fn emacs_shows_and_changes_texts_by_the_server() {
    let scratch = Scratch::new();
    let Some(mut command) = editor("emacs", &scratch) else {
        return;
    };
    scratch.write("init.el", blocks("elisp").next().expect("settings"));
    // Emacs 28 and earlier have `eglot` as a package.
    let has = "(progn (package-initialize) (unless (locate-library \"eglot\") (kill-emacs 77)))";
    let probe = Command::new("emacs")
        .args(["--batch", "--no-init-file", "--eval", has])
        .status();
    if probe.is_ok_and(|status| status.code() == Some(77)) {
        eprintln!("skipped: Emacs has no `eglot`");
        return;
    }
    command
        .current_dir(scratch.path())
        .args(["--batch", "--no-init-file", "--funcall", "package-initialize"])
        .args(["--load", "init.el", "--load", &script("emacs.el")]);
    try_all(command, &scratch, FEATURES_OF_EMACS);
}
