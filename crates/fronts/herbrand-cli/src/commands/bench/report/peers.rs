//! Measures the packages of the user's Python on the same problems as Herbrand.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use herbrand_domains::environments;
use serde::{Deserialize, Serialize};

use crate::commands::bench::peer::{Walks, walks};
use crate::failure::Failure;
use crate::files::{Mark, write_file};
use crate::problems::Problems;

/// The script that measures other packages; its docstring describes the measurement.
const SCRIPT: &str = include_str!("peer_walk.py");

/// The name of PDDLGym, the peer with its own script, because it walks on its own files.
pub const PDDLGYM: &str = "pddlgym";

/// The versions of the installed peers.
#[derive(Serialize, Deserialize, Clone)]
pub struct Versions {
    /// The version of Python.
    pub python: String,
    /// The version of each package.
    pub peers: BTreeMap<String, String>,
}

impl Versions {
    /// Returns the versions that a Python interpreter reports; `None` if it does not run.
    pub fn of(python: &Path) -> Option<Self> {
        let mut child = Command::new(python)
            .args(["-", "--list"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        std::io::Write::write_all(&mut child.stdin.take()?, SCRIPT.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        serde_json::from_slice(&output.stdout).ok()
    }
}

/// A problem as files in a temporary folder, which other packages can read.
pub struct Files {
    folder: tempfile::TempDir,
    /// The name of the problem.
    pub problem: String,
    in_rddl: bool,
}

impl Files {
    /// Writes the files of the problem at `index`; `None` if it has no text that other packages can read.
    ///
    /// # Errors
    /// Fails if the files cannot be written.
    pub fn of(problems: &Problems, index: usize) -> Result<Option<Self>, Failure> {
        let texts = match problems {
            Problems::Pddl(suite) => {
                let name = suite.full_problem_name(index).unwrap_or_default();
                Some((name, suite.domain_text(), suite.problem_text(index)?))
            }
            Problems::Rddl(suite) => {
                let name = suite.problem_name(index).unwrap_or_default().to_owned();
                bundled(suite.name(), &name).map(|(domain, instance)| (name, domain, instance))
            }
        };
        let Some((problem, domain_text, problem_text)) = texts else {
            return Ok(None);
        };
        let files = Self {
            folder: tempfile::tempdir()?,
            problem,
            in_rddl: matches!(problems, Problems::Rddl(_)),
        };
        write_file(&files.path("domain"), domain_text, Mark::Beginning)?;
        write_file(&files.path("problem"), problem_text, Mark::Beginning)?;
        Ok(Some(files))
    }

    fn path(&self, name: &str) -> PathBuf {
        let extension = if self.in_rddl { "rddl" } else { "pddl" };
        self.folder.path().join(name).with_extension(extension)
    }

    /// Returns whether the package `peer` can walk on these files: it reads their language, and is not PDDLGym.
    pub fn are_for(&self, peer: &str) -> bool {
        peer != PDDLGYM && (peer == "pyRDDLGym") == self.in_rddl
    }

    /// Runs random walks with the package `peer` and measures them. A run without a report counts as a failure.
    pub fn walk(&self, python: &Path, peer: &str, protocol: &Protocol) -> Walks {
        let files = [
            OsString::from(peer),
            self.path("domain").into(),
            self.path("problem").into(),
        ];
        let options = [
            ("--steps", protocol.steps.to_string()),
            ("--seconds", protocol.seconds.to_string()),
            ("--limit", protocol.limit.to_string()),
            ("--seed", protocol.seed.to_string()),
        ];
        let options = options.into_iter();
        let options = options.flat_map(|(name, value)| [OsString::from(name), value.into()]);
        walks(python, SCRIPT, files.into_iter().chain(options)).unwrap_or_else(|failure| Walks {
            error: Some(failure.to_string()),
            ..Walks::default()
        })
    }
}

/// The settings of a peer's random walks.
pub struct Protocol {
    /// The maximum number of steps per episode.
    pub steps: u32,
    /// The time to measure, in CPU seconds.
    pub seconds: f64,
    /// The time after which a peer is stopped, in CPU seconds.
    pub limit: f64,
    /// The random seed of the walks.
    pub seed: u64,
}

/// Returns the RDDL texts of a bundled environment and of one of its instances.
fn bundled(name: &str, instance: &str) -> Option<(String, String)> {
    let short = name.strip_prefix("rddl/")?;
    let environment = environments().into_iter().find(|one| one.name == short)?;
    let (_, text) = environment.instances.iter().find(|(name, _)| *name == instance)?;
    Some((environment.domain.to_owned(), (*text).to_owned()))
}
