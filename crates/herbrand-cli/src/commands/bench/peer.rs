//! PDDLGym's side of the measurement.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use super::Bench;
use crate::failure::Failure;
use crate::input::file_error;

/// Walks by PDDLGym; its head says what it measures and how.
const SCRIPT: &str = include_str!("../../../../../benches/peers/pddlgym_walk.py");

/// The exit status by which the script says that PDDLGym is not installed.
const NOT_INSTALLED: i32 = 3;

/// Where PDDLGym and its files are.
pub struct Peer {
    python: PathBuf,
    corpus: PathBuf,
    steps: u32,
    limit: f64,
}

/// One domain of PDDLGym's.
pub struct Files {
    pub domain: PathBuf,
    pub problems: Vec<PathBuf>,
    folder: PathBuf,
}

/// What the script measured.
#[derive(Serialize, Deserialize)]
pub struct Walks {
    /// Why there is nothing, or no more.
    pub error: Option<String>,
    #[serde(default)]
    pub steps: u64,
    #[serde(default)]
    pub seconds: f64,
    pub steps_per_s: Option<f64>,
}

impl Peer {
    /// # Errors
    /// When there is no such folder of files.
    pub fn new(bench: &Bench) -> Result<Self, Failure> {
        if !bench.corpus.is_dir() {
            return Err(Failure::Request(format!(
                "{} is no folder: name that of PDDLGym's domains by --corpus",
                bench.corpus.display()
            )));
        }
        Ok(Self {
            python: bench.python.clone(),
            corpus: bench.corpus.clone(),
            steps: bench.steps,
            limit: bench.limit,
        })
    }

    /// PDDLGym's files of the bundled domain `name`, if it has one: without hyphens; those of a domain with levels stand
    /// beside the first level.
    ///
    /// # Errors
    /// When its folder cannot be read.
    pub fn files(&self, name: &str) -> Result<Option<Files>, Failure> {
        let plain = |name: &str| name.replace('-', "");
        let names = [plain(name), plain(name.strip_suffix("-1").unwrap_or(name))];
        let folders = names.iter().map(|name| self.corpus.join(name));
        let Some(folder) = folders
            .into_iter()
            .find(|folder| folder.join("domain.pddl").is_file())
        else {
            return Ok(None);
        };
        let problems = folder.join("problems");
        Ok(Some(Files {
            domain: folder.join("domain.pddl"),
            problems: pddl_files(&problems)?,
            folder: problems,
        }))
    }

    /// Walks through all problems of a domain.
    ///
    /// # Errors
    /// When Python or PDDLGym is not there.
    pub fn walk(&self, files: &Files) -> Result<Walks, Failure> {
        let fail = |what: String| Failure::Request(format!("{}: {what}", self.python.display()));
        let mut child = Command::new(&self.python)
            .arg("-")
            .arg(&files.domain)
            .arg(&files.folder)
            .args([
                "--steps",
                &self.steps.to_string(),
                "--limit",
                &self.limit.to_string(),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| fail(error.to_string()))?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin
                .write_all(SCRIPT.as_bytes())
                .map_err(|error| fail(error.to_string()))?;
        }
        let output = child
            .wait_with_output()
            .map_err(|error| fail(error.to_string()))?;
        let said = String::from_utf8_lossy(&output.stderr);
        let last = said.trim_end().lines().last().unwrap_or("no report");
        if output.status.code() == Some(NOT_INSTALLED) {
            return Err(fail(last.to_owned()));
        }
        serde_json::from_slice(&output.stdout).map_err(|_| fail(last.to_owned()))
    }
}

/// The PDDL files of a folder, in order of their names.
fn pddl_files(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| file_error(folder, error))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pddl"));
    paths.sort();
    Ok(paths)
}
