//! Sets of problems, in whatever language they are written.

use std::path::{Path, PathBuf};

use herbrand::datalog::Limits;
use herbrand::env::{ActionMode, EnvError, EpisodeFault, Registry, Split, Suite, SuiteFiles};
use herbrand::pddl::Source;
use herbrand::play::Language;
use herbrand::rddl::suite::RddlSuite;
use herbrand::text::{did_you_mean, nearest};

use crate::failure::Failure;
use crate::input;

/// What the names of bundled environments in RDDL begin with; by itself, all of them.
pub const RDDL: &str = "rddl";

/// A set of problems.
#[derive(Clone, Debug)]
pub enum Problems {
    Pddl(Suite),
    Rddl(RddlSuite),
}

impl Problems {
    /// What `name` means: a bundled domain, all levels of one, `rddl` for all bundled environments in RDDL, or a folder.
    ///
    /// # Errors
    /// When it means none, or a text is at fault or beyond the limits.
    pub fn named(name: &str, mode: ActionMode, limits: Limits) -> Result<Vec<Self>, Failure> {
        if name == RDDL {
            let all = RddlSuite::bundled_names();
            return all.iter().map(|name| bundled_rddl(name, limits)).collect();
        }
        if name.starts_with("rddl/") && !Path::new(name).is_dir() {
            return Ok(vec![bundled_rddl(name, limits)?]);
        }
        let unknown = match Registry::files(name) {
            Ok(files) => return files.into_iter().map(|files| pddl(files, mode, limits)).collect(),
            Err(error) => error,
        };
        let path = Path::new(name);
        match unknown {
            _ if path.is_dir() && holds_rddl(path) => {
                let suite = RddlSuite::from_path_within(path, limits)?;
                Ok(vec![Self::Rddl(suite)])
            }
            _ if path.is_dir() => {
                let suites = SuiteFiles::from_path(path)?.into_iter();
                suites.map(|files| pddl(files, mode, limits)).collect()
            }
            EnvError::UnknownDomain { .. } => Err(Failure::Request(format!(
                "`{name}` is neither a bundled domain nor a folder{}",
                did_you_mean(near(name).as_deref())
            ))),
            error => Err(error.into()),
        }
    }

    /// A domain file with problem files. What language they are in, the domain's content tells.
    ///
    /// # Errors
    /// When a file cannot be read, is at fault, or is beyond the limits.
    pub fn of_files(
        domain: &Path,
        problems: &[PathBuf],
        mode: ActionMode,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let source = input::read_within(domain, limits)?;
        match Language::of(source.text()) {
            Language::Pddl => pddl(input::pair_with(domain, source, problems, limits)?, mode, limits),
            Language::Rddl => {
                let mut sources = vec![source];
                for path in problems {
                    sources.push(input::read_within(path, limits)?);
                }
                Ok(Self::Rddl(rddl(&sources, limits)?))
            }
        }
    }

    /// What the set is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Pddl(suite) => suite.name(),
            Self::Rddl(suite) => suite.name(),
        }
    }

    /// The number of problems.
    pub fn len(&self) -> usize {
        match self {
            Self::Pddl(suite) => suite.len(),
            Self::Rddl(suite) => suite.len(),
        }
    }

    /// The one problem that `name` means.
    ///
    /// # Errors
    /// When there is none of that name or place.
    pub fn problem(&self, name: &str) -> Result<Self, Failure> {
        Ok(match self {
            Self::Pddl(suite) => Self::Pddl(suite.problem(name)?),
            Self::Rddl(suite) => Self::Rddl(suite.problem(name)?),
        })
    }

    /// A part of the problems.
    ///
    /// # Errors
    /// When they are not parted.
    pub fn split(&self, split: Split) -> Result<Self, Failure> {
        match self {
            Self::Pddl(suite) => Ok(Self::Pddl(suite.split(split))),
            Self::Rddl(suite) => Err(Failure::Request(format!(
                "`{}` has instances, and no {split} problems: leave --split out",
                suite.name()
            ))),
        }
    }

    /// The problem at `index`, from 0.
    ///
    /// # Errors
    /// When there is none.
    pub fn only(&self, index: usize) -> Result<Self, Failure> {
        Ok(match self {
            Self::Pddl(suite) => Self::Pddl(suite.only(index)?),
            Self::Rddl(suite) => Self::Rddl(suite.only(index)?),
        })
    }

    /// The first problem.
    ///
    /// # Errors
    /// When there is none.
    pub fn first(&self) -> Result<Self, Failure> {
        match self {
            Self::Pddl(suite) if suite.is_empty() => {
                Err(Failure::from(EnvError::from(EpisodeFault::NoProblems {
                    problems: suite.name().to_owned(),
                })))
            }
            Self::Pddl(suite) => Ok(Self::Pddl(suite.only(0)?)),
            Self::Rddl(suite) => Ok(Self::Rddl(suite.only(0)?)),
        }
    }

    /// The set, where only one in PDDL will do for `what`.
    ///
    /// # Errors
    /// When it is in RDDL.
    pub fn pddl(self, what: &str) -> Result<Suite, Failure> {
        match self {
            Self::Pddl(suite) => Ok(suite),
            Self::Rddl(suite) => Err(Failure::Request(format!(
                "`{}` is in RDDL, and {what} is for PDDL",
                suite.name()
            ))),
        }
    }
}

fn pddl(files: SuiteFiles, mode: ActionMode, limits: Limits) -> Result<Problems, Failure> {
    Ok(Problems::Pddl(Suite::within(files, mode, limits)?))
}

/// The one domain and all instances of some texts.
///
/// # Errors
/// When they are at fault, or define no instance.
pub fn rddl(sources: &[Source], limits: Limits) -> Result<RddlSuite, Failure> {
    Ok(RddlSuite::from_sources_within(sources, limits)?)
}

/// The bundled environment of this name.
///
/// # Errors
/// When there is none.
fn bundled_rddl(name: &str, limits: Limits) -> Result<Problems, Failure> {
    let suite = RddlSuite::bundled(name)?;
    Ok(Problems::Rddl(suite.with_limits(limits)))
}

/// The bundled domain or environment of the nearest name.
fn near(name: &str) -> Option<String> {
    let pddl = Registry::names().unwrap_or_default();
    let in_rddl = RddlSuite::bundled_names();
    let bare = in_rddl.iter().filter_map(|name| name.split_once('/'));
    let near = nearest(
        name,
        pddl.iter().map(String::as_str).chain(bare.map(|(_, bare)| bare)),
    )?;
    Some(if pddl.iter().any(|name| name == near) {
        near.to_owned()
    } else {
        format!("{RDDL}/{near}")
    })
}

/// Whether a folder has files in RDDL.
fn holds_rddl(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.any(|path| path.extension().is_some_and(|ending| ending == "rddl"))
}
