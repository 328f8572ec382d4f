//! Running the program.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, process};

use serde_json::Value;

/// What a run of the program gave.
pub struct Run {
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Run {
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
    let Output {
        status,
        stdout,
        stderr,
    } = output.expect("the program starts");
    let run = Run {
        status: status.code().expect("no signal ends it"),
        stdout: String::from_utf8(stdout).expect("UTF-8"),
        stderr: String::from_utf8(stderr).expect("UTF-8"),
    };
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

/// A folder of its own, removed at the end.
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
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A domain with one switch for each lamp.
pub const LAMPS: &str = "(define (domain lamps)
  (:requirements :strips :negative-preconditions)
  (:predicates (lamp ?l) (on ?l))
  (:action turn-on :parameters (?l) :precondition (and (lamp ?l) (not (on ?l))) :effect (on ?l))
  (:action turn-off :parameters (?l) :precondition (and (lamp ?l) (on ?l)) :effect (not (on ?l))))
";

/// Two lamps, of which one is on.
pub const TWO_LAMPS: &str = "(define (problem two) (:domain lamps)
  (:objects a b)
  (:init (lamp a) (lamp b) (on b))
  (:goal (and (on a) (on b))))
";

/// A folder with that domain and problem.
pub fn lamps(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("domain.pddl", LAMPS);
    scratch.write("p.pddl", TWO_LAMPS);
    scratch
}
