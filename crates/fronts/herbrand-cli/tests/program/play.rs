//! `play`: drawings of all kinds, and terminals. The page `play.md` has the rest.

use std::process::{self, Command};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::run::{PROGRAM, herbrand};

#[test]
fn grids_are_drawn_wherever_one_is_declared() {
    for (problem, row) in [
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
        herbrand(&format!("play {problem} 1")).ends(0, row);
    }
}

/// A terminal of its own, in which the program plays; ended at the end.
struct Terminal(String);

impl Terminal {
    /// Returns `None` with a message if there is no tmux.
    fn play(words: &str) -> Option<Self> {
        static OPENED: AtomicU32 = AtomicU32::new(0);
        if Command::new("tmux").arg("-V").output().is_err() {
            eprintln!("skipped: tmux is not installed");
            return None;
        }
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        let terminal = Self(format!("herbrand-play-{}-{number}", process::id()));
        let command = format!("'{PROGRAM}' play {words}");
        terminal.tmux(&[
            "new-session",
            "-d",
            "-s",
            "play",
            "-x",
            "90",
            "-y",
            "50",
            &command,
        ]);
        Some(terminal)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let output = Command::new("tmux")
            .args(["-L", &self.0, "-f", "/dev/null"])
            .args(arguments)
            .output()
            .expect("tmux starts");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// Types keys, and waits until the screen has a text; at its end if the text begins with the prompt.
    fn types(&self, keys: &[&str], seen: &str) {
        self.tmux(&[&["send-keys", "-t", "play"], keys].concat());
        self.waits(|screen| match seen.starts_with('>') {
            true => screen.trim_end().ends_with(seen),
            false => screen.contains(seen) && screen.trim_end().ends_with('>'),
        });
    }

    fn waits(&self, seen: impl Fn(&str) -> bool) {
        let end = Instant::now() + Duration::from_secs(20);
        loop {
            let screen = self.tmux(&["capture-pane", "-p", "-t", "play"]);
            if seen(&screen) {
                return;
            }
            assert!(Instant::now() < end, "{screen}");
            sleep(Duration::from_millis(30));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.tmux(&["kill-server"]);
    }
}

#[test]
fn it_plays_in_a_terminal() {
    let Some(terminal) = Terminal::play("sokoban --problem train/01") else {
        return;
    };
    terminal.types(&[], "@ . $ x");
    // Tab completes the only action there is.
    terminal.types(&["mo", "Tab"], "> (move right)");
    terminal.types(&["Enter"], ". @ $ x");
    // Ctrl-P brings the line back; on a grid the arrows move.
    terminal.types(&["C-p"], "> (move right)");
    terminal.types(&["C-u", "Up"], "no valid action leads up");
    terminal.types(&["Right"], "goal reached in 2 steps, reward 1");
    terminal.types(&["reset", "Enter"], "sokoban train/01, step 0");
    terminal.tmux(&["send-keys", "-t", "play", "quit", "Enter"]);
    let end = Instant::now() + Duration::from_secs(20);
    while !terminal.tmux(&["list-sessions"]).is_empty() {
        assert!(Instant::now() < end, "it does not quit");
        sleep(Duration::from_millis(30));
    }
}

#[test]
fn arrows_move_where_actions_name_cells() {
    let Some(terminal) = Terminal::play("hiking --problem train/01") else {
        return;
    };
    terminal.types(&[], "the arrow keys move");
    terminal.types(&["Down"], "hiking train/01, step 1");
    terminal.types(&["Left"], "no valid action leads left");
    // Elsewhere arrows bring back lines.
    let Some(terminal) = Terminal::play("ferry") else {
        return;
    };
    terminal.types(&[], "ferry train/01");
    terminal.types(&["fly", "Enter"], "no valid action contains `fly`");
    terminal.types(&["Up"], "> fly");
}
