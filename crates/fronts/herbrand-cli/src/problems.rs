//! Sets of problems, in whatever language they are written.

use std::path::{Path, PathBuf};

use herbrand::datalog::Limits;
use herbrand::env::{ActionMode, EnvError, EpisodeFault, Registry, Split, Suite, SuiteFiles};
use herbrand::pddl::{Diagnostic, Domain, Problem, Severity};
use herbrand::play::Language;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use herbrand::text::{Style, did_you_mean, nearest};

use crate::failure::Failure;
use crate::input::{self, FileKind};

/// The prefix of the names of bundled RDDL environments; as a name, it means all of them.
pub const RDDL: &str = "rddl";

/// A set of problems of one domain, in either language.
#[derive(Clone, Debug)]
pub enum Problems {
    Pddl(Suite),
    Rddl(RddlSuite),
}

impl Problems {
    /// Reads the sets of problems that the words of a command line name. Problem files replace the problems that belong to
    /// the domain; the caller selects names and positions among `problems`.
    ///
    /// # Errors
    /// Fails if there is no such domain, a file cannot be read or is faulty, or a limit is reached.
    pub fn of_words(
        domain: &str,
        problems: &[String],
        mode: ActionMode,
        limits: Limits,
    ) -> Result<Vec<Self>, Failure> {
        let files = problems.iter().filter(|word| FileKind::is_file(word));
        let files: Vec<_> = files.map(PathBuf::from).collect();
        if FileKind::is_file(domain) {
            let word = problems.first().map(String::as_str);
            let set = Self::of_files(Path::new(domain), &files, word, mode, limits)?;
            return Ok(vec![set]);
        }
        if files.is_empty() {
            return Self::named(domain, mode, limits);
        }
        match NamedProblems::named(domain)? {
            NamedProblems::Pddl(sets) => sets
                .into_iter()
                .map(|set| {
                    let problems = input::problem_files(&files, limits)?;
                    pddl(SuiteFiles { problems, ..set }, mode, limits)
                })
                .collect(),
            NamedProblems::Bundled(_) | NamedProblems::Folder(_) => Err(Failure::Request(format!(
                "an instance file needs a domain file: name the domain file of `{domain}` instead of `{domain}`"
            ))),
            NamedProblems::All => Err(Failure::Request(format!(
                "`{domain}` names several environments: choose one, such as `{domain}/NAME`"
            ))),
        }
    }

    /// Reads the sets of problems that `name` names: a bundled domain, all levels of one, `rddl` for all bundled
    /// environments in RDDL, or a folder.
    ///
    /// # Errors
    /// Fails if there is no such domain, or a text is faulty or exceeds the limits.
    pub fn named(name: &str, mode: ActionMode, limits: Limits) -> Result<Vec<Self>, Failure> {
        match NamedProblems::named(name)? {
            NamedProblems::All => {
                let all = RddlSuite::bundled_names();
                all.iter().map(|name| bundled_rddl(name, limits)).collect()
            }
            NamedProblems::Bundled(name) => Ok(vec![bundled_rddl(&name, limits)?]),
            NamedProblems::Folder(path) => Ok(vec![Self::Rddl(RddlSuite::from_path_within(path, limits)?)]),
            NamedProblems::Pddl(sets) => sets.into_iter().map(|files| pddl(files, mode, limits)).collect(),
        }
    }

    /// Reads a domain file with problem files, and the settings beside it; without problem files, the problems that the domain
    /// file itself defines. The language is detected from the domain's content. `word` is the first word for a problem.
    ///
    /// # Errors
    /// Fails if a file cannot be read, is faulty, or exceeds the limits, or there is no problem.
    fn of_files(
        domain: &Path,
        problems: &[PathBuf],
        word: Option<&str>,
        mode: ActionMode,
        limits: Limits,
    ) -> Result<Self, Failure> {
        let source = input::read_within(domain, limits)?;
        match Language::of(source.text()) {
            Language::Pddl => pddl(input::pair(domain, source, problems, word, limits)?, mode, limits),
            Language::Rddl => {
                let mut sources = vec![source];
                for path in problems {
                    sources.push(input::read_within(path, limits)?);
                }
                match RddlSuite::from_sources_within(&sources, limits) {
                    Err(RddlError::NoProblems { .. }) if problems.is_empty() => {
                        Err(input::no_problem(domain, "instance", word))
                    }
                    suite => Ok(Self::Rddl(match input::settings(domain)? {
                        Some(settings) => suite?.with_settings(&settings)?,
                        None => suite?,
                    })),
                }
            }
        }
    }

    /// Returns whether random actions are exactly uniform over the valid ones. They are in PDDL, and in RDDL unless a
    /// precondition restricts reals or is too large.
    ///
    /// # Errors
    /// Fails if a problem cannot be compiled.
    pub fn samples_exactly(&self) -> Result<bool, Failure> {
        let Self::Rddl(suite) = self else { return Ok(true) };
        for index in 0..suite.len() {
            if !suite.simulator(index)?.samples_exactly() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the name of the set.
    pub fn name(&self) -> &str {
        match self {
            Self::Pddl(suite) => suite.name(),
            Self::Rddl(suite) => suite.name(),
        }
    }

    /// Returns the name of the problem at `index`; empty if the index is out of range.
    pub fn problem_name(&self, index: usize) -> String {
        let name = match self {
            Self::Pddl(suite) => herbrand::core::Problems::problem_name(suite, index),
            Self::Rddl(suite) => herbrand::core::Problems::problem_name(suite, index),
        };
        name.unwrap_or_default()
    }

    /// Returns the number of problems in the set.
    pub fn len(&self) -> usize {
        match self {
            Self::Pddl(suite) => suite.len(),
            Self::Rddl(suite) => suite.len(),
        }
    }

    /// Returns the set of the problems that these names or positions select, in this order.
    ///
    /// # Errors
    /// Fails if one of them matches no problem.
    pub fn select(&self, names: &[impl AsRef<str>]) -> Result<Self, Failure> {
        let names = names.iter().map(AsRef::as_ref);
        Ok(match self {
            Self::Pddl(suite) => {
                let indices: Result<Vec<_>, _> = names.map(|name| suite.index_of(name)).collect();
                Self::Pddl(suite.select(&indices?)?)
            }
            Self::Rddl(suite) => {
                let indices: Result<Vec<_>, _> = names.map(|name| suite.index_of(name)).collect();
                Self::Rddl(suite.select(&indices?)?)
            }
        })
    }

    /// Returns the set of the training or of the test problems.
    ///
    /// # Errors
    /// Fails if the set has no training and test problems.
    pub fn split(&self, split: Split) -> Result<Self, Failure> {
        match self {
            Self::Pddl(suite) => Ok(Self::Pddl(suite.split(split))),
            Self::Rddl(suite) => Err(Failure::Request(format!(
                "`{}` is in RDDL and has no {split} problems: leave --split out",
                suite.name()
            ))),
        }
    }

    /// Returns the set that contains only the problem at `index`, from 0.
    ///
    /// # Errors
    /// Fails if the index is out of range.
    pub fn only(&self, index: usize) -> Result<Self, Failure> {
        Ok(match self {
            Self::Pddl(suite) => Self::Pddl(suite.only(index)?),
            Self::Rddl(suite) => Self::Rddl(suite.only(index)?),
        })
    }

    /// Returns the set that contains only the first problem.
    ///
    /// # Errors
    /// Fails if the set is empty.
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

    /// Returns the suite of PDDL problems, for the operation `what` that supports only PDDL.
    ///
    /// # Errors
    /// Fails if the set is in RDDL.
    pub fn pddl(self, what: &str) -> Result<Suite, Failure> {
        match self {
            Self::Pddl(suite) => Ok(suite),
            Self::Rddl(suite) => Err(Failure::Request(format!(
                "`{}` is in RDDL, but {what} supports only PDDL",
                suite.name()
            ))),
        }
    }
}

/// The domain or environments that a name refers to.
enum NamedProblems {
    /// All bundled environments in RDDL.
    All,
    /// A bundled environment in RDDL.
    Bundled(String),
    /// A folder of RDDL files.
    Folder(PathBuf),
    /// A bundled domain or a folder in PDDL, with a set for each level.
    Pddl(Vec<SuiteFiles>),
}

impl NamedProblems {
    fn named(name: &str) -> Result<Self, Failure> {
        if name == RDDL {
            return Ok(Self::All);
        }
        let path = Path::new(name);
        if name.starts_with("rddl/") && !path.is_dir() {
            return Ok(Self::Bundled(name.to_owned()));
        }
        // A folder of the user comes before a bundled domain of its name.
        if holds_domain(path) {
            return Self::folder(path);
        }
        match Registry::files(name) {
            Ok(files) => Ok(Self::Pddl(files)),
            Err(_) if path.is_dir() => Self::folder(path),
            Err(EnvError::UnknownDomain { .. }) if path.is_file() => Err(Failure::Request(format!(
                "`{name}` is a file, and a bundled domain or a folder is needed here: name the folder that it is in"
            ))),
            Err(EnvError::UnknownDomain { .. }) => Err(Failure::Request(format!(
                "`{name}` is not a bundled domain, folder or file{}",
                did_you_mean(near(name).as_deref())
            ))),
            Err(error) => Err(error.into()),
        }
    }

    /// The problems of a folder.
    fn folder(path: &Path) -> Result<Self, Failure> {
        input::note_folder(path)?;
        if holds_rddl(path) {
            return Ok(Self::Folder(path.to_owned()));
        }
        Ok(Self::Pddl(SuiteFiles::from_path(path)?))
    }
}

/// Returns whether a word names a domain: a bundled one, a folder or a file.
#[must_use]
pub fn is_domain(word: &str) -> bool {
    FileKind::is_file(word) || NamedProblems::named(word).is_ok()
}

fn pddl(files: SuiteFiles, mode: ActionMode, limits: Limits) -> Result<Problems, Failure> {
    let options = input::read_options(limits);
    if !options.lenient {
        return Ok(Problems::Pddl(Suite::within(files, mode, limits)?));
    }
    let (domain, warnings) = Domain::parse_with(&files.domain, &options)?;
    warn_of_repairs(&warnings);
    for file in &files.problems {
        // A fault without a repair is reported when the problem is used.
        if let Ok((_, warnings)) = Problem::parse_with(&file.source, &domain, &input::read_options(limits)) {
            warn_of_repairs(&warnings);
        }
    }
    let suite = Suite::with_domain(domain, files, mode, limits)?;
    Ok(Problems::Pddl(suite.leniently()))
}

/// Prints the warnings of a text that was read leniently which are about repairs: those with codes of errors.
fn warn_of_repairs(warnings: &[Diagnostic]) {
    for warning in warnings
        .iter()
        .filter(|one| one.code().severity() == Severity::Error)
    {
        anstream::eprintln!("{}\n", warning.render(Style::Colored).trim_end());
    }
}

/// The bundled environment of this name.
///
/// # Errors
/// Fails if no bundled environment has this name.
fn bundled_rddl(name: &str, limits: Limits) -> Result<Problems, Failure> {
    let suite = RddlSuite::bundled(name)?;
    Ok(Problems::Rddl(suite.with_limits(limits)))
}

/// Returns the bundled domain or environment, or else the file or folder, with the most similar name.
fn near(name: &str) -> Option<String> {
    near_bundled(name).or_else(|| near_path(Path::new(name)))
}

/// Returns the file or folder with the most similar name in the same folder.
fn near_path(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = std::fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter();
    let names = entries.flatten().flatten().map(|entry| entry.file_name());
    let mut names: Vec<_> = names.filter_map(|name| name.into_string().ok()).collect();
    names.sort();
    let near = nearest(name, names.iter().map(String::as_str))?;
    Some(path.with_file_name(near).to_string_lossy().into_owned())
}

fn near_bundled(name: &str) -> Option<String> {
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

/// Whether there is a folder that defines a domain or its levels.
fn holds_domain(folder: &Path) -> bool {
    folder.join("domain.pddl").is_file() || folder.join("levels").is_dir() || holds_rddl(folder)
}

/// Whether a folder has files in RDDL.
fn holds_rddl(folder: &Path) -> bool {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut paths = entries.map(|entry| entry.path());
    paths.any(|path| path.extension().is_some_and(|ending| ending == "rddl"))
}
