//! `herbrand lsp`, driven by the clients of editors that are installed here.

use std::fs;
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

#[test]
fn neovim_shows_and_changes_texts_by_the_server() {
    let version = Command::new("nvim")
        .arg("--version")
        .stdout(Stdio::null())
        .status();
    if !version.is_ok_and(|status| status.success()) {
        eprintln!("skipped: `nvim` is not installed");
        return;
    }
    let scratch = Scratch::new("neovim");
    scratch.write("domain.pddl", DOMAIN);
    scratch.write("p01.pddl", PROBLEM);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/editors/neovim.lua");
    let results = scratch.path().join("results");
    // After an error in the script, it ends, too.
    let output = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "-n"])
        .args(["-c", &format!("luafile {script}"), "-c", "cquit"])
        .env("HERBRAND", env!("CARGO_BIN_EXE_herbrand"))
        .env("FOLDER", scratch.path())
        .env("OUT", &results)
        .env("XDG_STATE_HOME", scratch.path())
        .env("XDG_CACHE_HOME", scratch.path())
        .stdin(Stdio::null())
        .output()
        .expect("Neovim starts");
    let worked = fs::read_to_string(&results).unwrap_or_default();
    assert_eq!(worked, FEATURES, "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success());
}
