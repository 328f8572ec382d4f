//! `play`: hints, drawings of all kinds, and terminals. The page `play.md` has the rest.

use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::run::Scratch;

/// Returns the program's output for some lines, in a folder of this name.
fn play(folder: &str, arguments: &[&str], lines: &str) -> String {
    let scratch = Scratch::new(folder);
    let run = scratch.feed(&[&["play"], arguments].concat(), lines.as_bytes());
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.stdout
}

#[test]
fn hints_lead_to_the_goal() {
    for domain in ["blocks", "search-and-rescue-2", "tireworld"] {
        let mut lines = String::new();
        for _ in 0..40 {
            let said = play(
                "hints",
                &[domain, "--problem", "train/01"],
                &format!("{lines}hint\n"),
            );
            if said.contains("goal reached in") {
                break;
            }
            let last = said.lines().last().expect("an answer");
            let (_, action) = last
                .split_once("It starts with ")
                .unwrap_or_else(|| panic!("{said}"));
            lines += action;
            lines += "\n";
        }
        let said = play("hints", &[domain, "--problem", "train/01"], &lines);
        assert!(said.contains("goal reached in"), "{said}");
    }
}

#[test]
fn grids_are_drawn_wherever_one_is_declared() {
    for (domain, row) in [
        ("slide-tile", "          goal\n  2 #     . 1\n  3 1     2 3\n"),
        ("snake", "  a,s   .   o\n    .   .   O\n  ahead  r2c3 r1c3\n"),
        ("search-and-rescue-3", "  @1  %  %\n   .  .  h\n   .  .  R\n"),
        ("navigation", "    s n*R\n  n,R   n\n"),
        ("maze-reachability", "  l1@   .  *@\n  G1  r1c1 – r1c2\n"),
        ("hiking", "  @e  ^\n   ^ *e\n  rested\n"),
        ("rearrangement", "  p1,R  *p1\n"),
        ("doors", "  room-1   k2@    2\n  room-2    3l 4l*@\n"),
        ("tireworld", "   c  . *c\n   t  t\n   t\n"),
        ("rddl/wildfire-mdp", "    f   t   t\n    t t,g   t\n"),
        (
            "rddl/recon-mdp",
            "     .    .   r2\n     ~    .   r1\n  h,d1    .    .\n",
        ),
    ] {
        let problem = if domain.starts_with("rddl/") {
            "1"
        } else {
            "train/01"
        };
        let said = play("grids", &[domain, "--problem", problem], "");
        assert!(said.contains(row), "{said}");
    }
}

/// A terminal of its own, in which something runs; ended at the end.
struct Terminal(String);

impl Terminal {
    fn open(command: &str) -> Self {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let terminal = Self(format!("herbrand-play-{}-{number}", process::id()));
        let size = ["-x", "90", "-y", "50"];
        let run = [&["new-session", "-d", "-s", "play"], &size[..], &[command]].concat();
        terminal.tmux(&run);
        terminal
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-L", &self.0, "-f", "/dev/null"])
            .args(arguments)
            .output()
            .expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn type_keys(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys", "-t", "play"], keys].concat());
    }

    /// Waits for something to be seen.
    fn wait_for(&self, seen: impl Fn(&str) -> bool, what: &str) {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let screen = self.tmux(&["capture-pane", "-p", "-t", "play"]);
            if seen(&screen) {
                return;
            }
            assert!(Instant::now() < end, "no {what} in\n{screen}");
            sleep(Duration::from_millis(30));
        }
    }

    fn is_open(&self) -> bool {
        !self.tmux(&["list-sessions"]).is_empty()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn it_plays_in_a_terminal() {
    if Command::new("tmux").arg("-V").output().is_err() {
        eprintln!("skipped: tmux is not installed");
        return;
    }
    let program = env!("CARGO_BIN_EXE_herbrand");
    let terminal = Terminal::open(&format!("'{program}' play sokoban --problem train/01"));
    let prompt = |screen: &str| screen.trim_end().ends_with('>');
    terminal.wait_for(|screen| screen.contains("@ . $ x") && prompt(screen), "start");
    // Tab completes the only action there is.
    terminal.type_keys(&["mo", "Tab"]);
    terminal.wait_for(
        |screen| screen.trim_end().ends_with("> (move right)"),
        "completion",
    );
    terminal.type_keys(&["Enter"]);
    terminal.wait_for(|screen| screen.contains(". @ $ x") && prompt(screen), "step");
    // Ctrl-P brings the line back; on a grid the arrows move.
    terminal.type_keys(&["C-p"]);
    terminal.wait_for(|screen| screen.trim_end().ends_with("> (move right)"), "history");
    terminal.type_keys(&["C-u", "Up"]);
    terminal.wait_for(
        |screen| screen.contains("no valid action leads up"),
        "an arrow that leads nowhere",
    );
    terminal.type_keys(&["Right"]);
    terminal.wait_for(
        |screen| screen.contains("goal reached in 2 steps, reward 1"),
        "goal",
    );
    terminal.type_keys(&["undo", "Enter"]);
    terminal.wait_for(
        |screen| screen.matches("step 1").count() == 2 && prompt(screen),
        "undo",
    );
    terminal.type_keys(&["quit", "Enter"]);
    let end = Instant::now() + Duration::from_secs(20);
    while terminal.is_open() {
        assert!(Instant::now() < end, "it does not quit");
        sleep(Duration::from_millis(30));
    }
}

#[test]
fn arrows_move_where_actions_name_cells() {
    if Command::new("tmux").arg("-V").output().is_err() {
        eprintln!("skipped: tmux is not installed");
        return;
    }
    let program = env!("CARGO_BIN_EXE_herbrand");
    let terminal = Terminal::open(&format!("'{program}' play hiking --problem train/01"));
    let prompt = |screen: &str| screen.trim_end().ends_with('>');
    terminal.wait_for(
        |screen| screen.contains("the arrow keys move") && prompt(screen),
        "start",
    );
    terminal.type_keys(&["Down"]);
    terminal.wait_for(
        |screen| screen.contains("(climb r2c1)") && prompt(screen),
        "step down",
    );
    terminal.type_keys(&["Left"]);
    terminal.wait_for(|screen| screen.contains("no valid action leads left"), "the edge");
    terminal.type_keys(&["C-d"]);
    // Elsewhere arrows bring back lines.
    let terminal = Terminal::open(&format!("'{program}' play ferry"));
    terminal.wait_for(prompt, "start");
    terminal.type_keys(&["fly", "Enter"]);
    terminal.wait_for(
        |screen| screen.contains("no valid action contains `fly`") && prompt(screen),
        "answer",
    );
    terminal.type_keys(&["Up"]);
    terminal.wait_for(|screen| screen.trim_end().ends_with("> fly"), "history");
}
