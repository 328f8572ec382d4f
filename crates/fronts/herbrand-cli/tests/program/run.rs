//! Running the program.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::{env, fs};

use serde_json::Value;
use tempfile::TempDir;

/// The path of the built program.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_herbrand");

/// The result of running the program.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
    fn of(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let run = Self {
            status: output.status.code().expect("no signal ends it"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        };
        for text in [&run.stdout, &run.stderr] {
            assert!(!text.contains("panicked"), "{text}");
            assert!(!text.contains('\u{1b}'), "colours without a terminal: {text}");
        }
        run
    }

    /// Standard output as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in {}\n{}", self.stdout, self.stderr))
    }

    /// Everything that was told.
    pub fn told(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }

    /// Checks the exit status, and that this was told.
    #[track_caller]
    pub fn ends(self, status: i32, part: &str) -> Self {
        let told = self.told();
        assert!(
            self.status == status && told.contains(part),
            "{status}, {part}: {} {told}",
            self.status
        );
        self
    }
}

/// Runs the program far from any domain.
pub fn herbrand(line: &str) -> Run {
    Scratch::new().run(line)
}

/// What `domains --format json` lists of one language.
pub fn listed(language: &str) -> Vec<Value> {
    let all = herbrand("domains --format json").json();
    let mut rows = all.as_array().expect("a list").clone();
    rows.retain(|row| row["language"] == language);
    rows
}

/// A temporary folder, removed when dropped.
pub struct Scratch(TempDir);

impl Scratch {
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    pub fn bytes(&self, name: &str) -> Vec<u8> {
        fs::read(self.path().join(name)).expect("a file")
    }

    pub fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("UTF-8")
    }

    /// Runs the program with these words, as a shell splits them.
    pub fn run(&self, line: &str) -> Run {
        self.shell(&format!("herbrand {line}"))
    }

    /// Like [`run`](Self::run), for a command that succeeds.
    #[track_caller]
    pub fn done(&self, line: &str) -> Run {
        self.run(line).ends(0, "")
    }

    /// Runs a line of a shell in which the program is called `herbrand`.
    pub fn shell(&self, line: &str) -> Run {
        let output = Command::new("bash")
            .args(["-c", &format!("herbrand() {{ '{PROGRAM}' \"$@\"; }}\n{line}")])
            .current_dir(self.path())
            .stdin(Stdio::null())
            .output();
        Run::of(output.expect("a shell"))
    }
}

/// A domain with one switch for each lamp.
pub const LAMPS: &str = include_str!("../pages/files/lamps/domain.pddl");

/// Two lamps, one of them on.
pub const TWO_LAMPS: &str = include_str!("../pages/files/lamps/p.pddl");

/// A folder with that domain and problem.
pub fn lamps() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("domain.pddl", LAMPS);
    scratch.write("p.pddl", TWO_LAMPS);
    scratch
}
