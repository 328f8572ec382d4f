//! Running the program.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, process};

use serde_json::Value;

/// The result of running the program.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Self {
            status: output.status.code().expect("no signal ends it"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in {}\n{}", self.stdout, self.stderr))
    }
}

/// Runs the program in `folder`.
pub fn herbrand_in(folder: &Path, arguments: &[&str]) -> Run {
    let output = Command::new(env!("CARGO_BIN_EXE_herbrand"))
        .args(arguments)
        .current_dir(folder)
        .output();
    let run = Run::of(output.expect("the program starts"));
    assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
    assert!(
        !run.stdout.contains('\u{1b}'),
        "colours without a terminal: {}",
        run.stdout
    );
    assert!(
        !run.stderr.contains('\u{1b}'),
        "colours without a terminal: {}",
        run.stderr
    );
    run
}

/// Runs the program far from any domain.
pub fn herbrand(arguments: &[&str]) -> Run {
    herbrand_in(&env::temp_dir(), arguments)
}

/// What `domains --format json` lists of one language.
pub fn listed(language: &str) -> Vec<Value> {
    let all = herbrand(&["domains", "--format", "json"]).json();
    let mut rows = all.as_array().expect("a list").clone();
    rows.retain(|row| row["language"] == language);
    rows
}

/// A temporary folder, removed when dropped.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("herbrand-{name}-{}", process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).expect("a file")
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        herbrand_in(&self.0, arguments)
    }

    /// Runs a line of a shell in which the program is called `herbrand`.
    pub fn shell(&self, line: &str) -> Run {
        let program = env!("CARGO_BIN_EXE_herbrand");
        let output = Command::new("sh")
            .args(["-c", &format!("herbrand() {{ '{program}' \"$@\"; }}\n{line}")])
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .output();
        let run = Run::of(output.expect("a shell"));
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        run
    }

    /// Runs the program with something on standard input.
    pub fn feed(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_herbrand"))
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // The program may end before it has read everything.
        let _ = stdin.write_all(input);
        drop(stdin);
        Run::of(child.wait_with_output().expect("it ends"))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A domain with one switch for each lamp.
pub const LAMPS: &str = include_str!("../pages/files/lamps/domain.pddl");

/// Two lamps, one of them on.
pub const TWO_LAMPS: &str = include_str!("../pages/files/lamps/p.pddl");

/// A folder with that domain and problem.
pub fn lamps(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.pddl", LAMPS);
    scratch.write("p.pddl", TWO_LAMPS);
    scratch
}
