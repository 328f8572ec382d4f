//! Measures PDDLGym by random walks on the files that its package contains.

use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use super::Bench;
use crate::failure::Failure;
use crate::input::file_error;
use crate::python::python;

/// The Python script that measures PDDLGym; its docstring describes the measurement.
const SCRIPT: &str = include_str!("pddlgym_walk.py");

/// A Python command that prints the folder of the package PDDLGym without importing it.
const WHERE: &str =
    "import importlib.util; print(importlib.util.find_spec('pddlgym').submodule_search_locations[0])";

/// The script's exit status if PDDLGym is not installed.
const NOT_INSTALLED: i32 = 3;

/// PDDLGym as a peer in a benchmark: the Python that has it, and the folder of its files.
pub struct Peer {
    python: PathBuf,
    corpus: PathBuf,
    steps: u32,
    limit: f64,
}

/// The files of one domain in PDDLGym's package.
pub struct Files {
    pub domain: PathBuf,
    pub problems: Vec<PathBuf>,
    folder: PathBuf,
}

/// The result of measuring a peer's random walks, as its script reports it.
#[derive(Serialize, Deserialize, Default, Clone)]
pub struct Walks {
    /// The error that ended the walks, if any.
    pub error: Option<String>,
    #[serde(default)]
    pub steps: u64,
    #[serde(default)]
    pub seconds: f64,
    pub steps_per_s: Option<f64>,
}

impl Peer {
    /// # Errors
    /// Fails if the folder does not exist, or if no folder is given and PDDLGym is not installed.
    pub fn new(bench: &Bench) -> Result<Self, Failure> {
        let python = python(bench.python.as_deref());
        let corpus = match &bench.corpus {
            Some(folder) if !folder.is_dir() => {
                return Err(Failure::Request(format!(
                    "{} is not a folder: name the folder of PDDLGym's domains with --corpus",
                    folder.display()
                )));
            }
            Some(folder) => folder.clone(),
            None => packaged(&python)?,
        };
        Ok(Self {
            python,
            corpus,
            steps: bench.steps,
            limit: bench.limit,
        })
    }

    /// Returns PDDLGym's files for the bundled domain `name`; `None` if PDDLGym does not have the domain. PDDLGym's names
    /// have no hyphens and end in `_level` and a number for a level; the first level may lack this ending.
    ///
    /// The files are `NAME.pddl` and the folder `NAME`, as in PDDLGym's package, or `NAME/domain.pddl` and
    /// `NAME/problems`.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    pub fn files(&self, name: &str) -> Result<Option<Files>, Failure> {
        let plain = |name: &str| name.replace('-', "");
        let (kind, level) = name.rsplit_once('-').unwrap_or((name, ""));
        let names = [
            plain(name),
            format!("{}_level{level}", plain(kind)),
            plain(name.strip_suffix("-1").unwrap_or(name)),
        ];
        let places = names.iter().flat_map(|name| {
            let folder = self.corpus.join(name);
            let packaged = (folder.with_extension("pddl"), folder.clone());
            [packaged, (folder.join("domain.pddl"), folder.join("problems"))]
        });
        let mut places = places.filter(|(domain, problems)| domain.is_file() && problems.is_dir());
        let Some((domain, folder)) = places.next() else {
            return Ok(None);
        };
        Ok(Some(Files {
            domain,
            problems: pddl_files(&folder)?,
            folder,
        }))
    }

    /// Runs PDDLGym's random walks through all problems of a domain, and measures them.
    ///
    /// # Errors
    /// Fails if Python or PDDLGym is not installed.
    pub fn walk(&self, files: &Files) -> Result<Walks, Failure> {
        let options = [
            "--steps",
            &self.steps.to_string(),
            "--limit",
            &self.limit.to_string(),
        ]
        .map(OsString::from);
        let files = [files.domain.clone().into(), files.folder.clone().into()];
        walks(&self.python, SCRIPT, files.into_iter().chain(options))
    }
}

/// Runs a Python script of random walks and returns its report. Python reads the script from standard input; the report is
/// one line of JSON.
///
/// # Errors
/// Fails if Python does not start, or if the script ends without a report.
pub fn walks(
    python: &Path,
    script: &str,
    arguments: impl IntoIterator<Item = OsString>,
) -> Result<Walks, Failure> {
    let fail = |what: String| Failure::Request(format!("{}: {what}", python.display()));
    let mut child = Command::new(python)
        .arg("-")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| fail(error.to_string()))?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin
            .write_all(script.as_bytes())
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

/// Returns the folder of PDDL files in the PDDLGym package of a Python.
fn packaged(python: &Path) -> Result<PathBuf, Failure> {
    let fail = |what: String| Failure::Request(format!("{}: {what}", python.display()));
    let asked = Command::new(python).args(["-c", WHERE]).output();
    let output = asked.map_err(|error| fail(error.to_string()))?;
    let folder = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim()).join("pddl");
    if !output.status.success() || !folder.is_dir() {
        return Err(fail(
            "PDDLGym is not installed in this Python: run `pip install pddlgym==0.0.7`".to_owned(),
        ));
    }
    Ok(folder)
}

/// Returns the PDDL files of a folder, sorted by name.
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
