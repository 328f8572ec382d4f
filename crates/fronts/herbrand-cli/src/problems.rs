//! The sets of problems that the words of a command line name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use herbrand::collections::{Collection, ProblemSet, Search};
use herbrand::datalog::Limits;
use herbrand::env::{ActionMode, EnvError, EpisodeFault, Registry, Suite, SuiteFiles};
use herbrand::pddl::{Diagnostic, Domain, Problem, Severity, Source};
use herbrand::pddlworld::{Start, Target, Walks, WorldOptions, Worlds};
use herbrand::play::Language;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use herbrand::tasks::{AnyProblems, SasFile};
use herbrand::text::{Style, did_you_mean, nearest};

use crate::failure::{Failure, refuse};
use crate::files;
use crate::input::{self, FileKind};

/// The prefix of the names of bundled RDDL environments; as a name, it means all of them.
pub const RDDL: &str = "rddl";

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
) -> Result<Vec<AnyProblems>, Failure> {
    if let Some(of) = input::hidden(domain) {
        return Ok(vec![AnyProblems::World(worlds(domain, of, problems, limits)?)]);
    }
    let files = problems.iter().filter(|word| FileKind::is_file(word));
    let files: Vec<_> = files.map(PathBuf::from).collect();
    if FileKind::is_file(domain) {
        let word = problems.first().map(String::as_str);
        let set = of_files(Path::new(domain), &files, word, mode, limits)?;
        return Ok(vec![set]);
    }
    if files.is_empty() {
        return named(domain, mode, limits);
    }
    match NamedProblems::named(domain)? {
        NamedProblems::Pddl(sets) => sets
            .into_iter()
            .map(|set| {
                let problems = input::problem_files(&files, limits)?;
                pddl(SuiteFiles { problems, ..set }, mode, limits)
            })
            .collect(),
        NamedProblems::Bundled(_) | NamedProblems::Folder(_) | NamedProblems::Rddl { .. } => refuse(format!(
            "an instance file needs a domain file: name the domain file of `{domain}` instead of `{domain}`"
        )),
        NamedProblems::All => refuse(format!(
            "`{domain}` names several environments: choose one, such as `{domain}/NAME`"
        )),
    }
}

/// Reads the sets of problems that `name` names: a bundled domain, all levels of one, `rddl` for all bundled
/// environments in RDDL, a folder, or problems of a collection, such as `pddlgym:sokoban`.
///
/// # Errors
/// Fails if there is no such domain, or a text is faulty or exceeds the limits.
pub fn named(name: &str, mode: ActionMode, limits: Limits) -> Result<Vec<AnyProblems>, Failure> {
    if let Some(of) = input::hidden(name) {
        return Ok(vec![AnyProblems::World(worlds(name, of, &[], limits)?)]);
    }
    match NamedProblems::named(name)? {
        NamedProblems::All => {
            let all = RddlSuite::bundled_names();
            all.iter().map(|name| bundled_rddl(name, limits)).collect()
        }
        NamedProblems::Bundled(name) => Ok(vec![bundled_rddl(&name, limits)?]),
        NamedProblems::Folder(path) => Ok(vec![AnyProblems::Rddl(RddlSuite::from_path_within(
            path, limits,
        )?)]),
        NamedProblems::Rddl { name, sources } => {
            let suite = RddlSuite::from_named_files(Some(&name), &sources, limits)?;
            Ok(vec![AnyProblems::Rddl(suite.with_limits(limits))])
        }
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
) -> Result<AnyProblems, Failure> {
    let source = input::read_within(domain, limits)?;
    if input::is_task_text(source.text()) {
        return match problems.first() {
            Some(surplus) => Err(input::whole_task(domain, &surplus.to_string_lossy())),
            None => {
                let file = SasFile::read(&input::stem(domain), source, limits)?;
                Ok(AnyProblems::Pddl(file.suite(limits)?))
            }
        };
    }
    match Language::of_source(&source) {
        Language::Pddl => pddl(input::pair(domain, source, problems, word, limits)?, mode, limits),
        Language::Rddl => {
            let mut sources = vec![source];
            for path in problems {
                sources.push(input::read_within(path, limits)?);
            }
            match RddlSuite::from_sources_within(&sources, limits) {
                Err(RddlError::Episode(EpisodeFault::NoProblems { .. })) if problems.is_empty() => {
                    Err(input::no_problem(domain, "instance", word))
                }
                suite => Ok(AnyProblems::Rddl(match input::settings(domain)? {
                    Some(settings) => suite?.with_settings(&settings)?,
                    None => suite?,
                })),
            }
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
    /// The texts of a problem in RDDL of a collection.
    Rddl { name: String, sources: Vec<Source> },
    /// A bundled domain, a folder or a domain of a collection in PDDL, with a set for each level.
    Pddl(Vec<SuiteFiles>),
}

impl NamedProblems {
    fn named(name: &str) -> Result<Self, Failure> {
        if name == RDDL {
            return Ok(Self::All);
        }
        if let Some(set) = of_collection(name)? {
            return Ok(match set {
                ProblemSet::Pddl(files) => Self::Pddl(vec![files]),
                ProblemSet::Rddl { name, sources } => Self::Rddl { name, sources },
            });
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
            Err(EnvError::UnknownDomain { .. }) if path.is_file() => refuse(format!(
                "`{name}` is a file, and a bundled domain or a folder is needed here: name the folder that it is in"
            )),
            Err(EnvError::UnknownDomain { .. }) => refuse(format!(
                "`{name}` is not a bundled domain, folder or file{}",
                did_you_mean(near(name).as_deref())
            )),
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

/// The hidden domain of `pddlworld`.
const LIGHT_SWITCH: &str = "light-switch";

/// Returns the worlds of the domain `of` under edit, the light switch if it is empty. `words` name problems on which models are
/// judged: a world each, or only the first problem's without words. A problem of a domain file has the name of its file. A
/// start may follow the domain, as in `blocks@3`.
///
/// # Errors
/// Fails if there is no such domain or problem, a file is faulty, or the domain cannot be edited.
fn worlds(name: &str, of: &str, words: &[String], limits: Limits) -> Result<Worlds, Failure> {
    // A folder of the user may have the sign in its name.
    if let Some((domain, start)) = of.rsplit_once('@').filter(|_| !Path::new(of).exists()) {
        let name = &name[..name.len() - start.len() - 1];
        return started(&worlds(name, domain, words, limits)?, start);
    }
    if of.is_empty() || of == LIGHT_SWITCH {
        return match words
            .iter()
            .find(|word| ![LIGHT_SWITCH, "1"].contains(&word.as_str()))
        {
            None => Ok(Worlds::light_switch(WorldOptions::default())?),
            Some(word) => refuse(format!(
                "`{name}` is the world of the light switch and has no problem `{word}`: name a domain, as in `pddlworld/blocks`"
            )),
        };
    }
    let mut sets = of_words(of, words, ActionMode::Operators, limits)?;
    let set = sets.pop().filter(|_| sets.is_empty());
    let set =
        set.ok_or_else(|| Failure::Request(format!("`{of}` names several sets of problems: choose one")))?;
    let suite = set.pddl("an environment of edits")?;
    let names: Vec<&String> = words.iter().filter(|word| !FileKind::is_file(word)).collect();
    let suite = match (words, names.as_slice()) {
        ([], _) => suite.only(0)?,
        (_, []) => suite,
        (_, names) => {
            let indices: Result<Vec<_>, _> = names.iter().map(|name| suite.index_of(name)).collect();
            suite.select(&indices?)?
        }
    };
    let target = |index| {
        let problem = suite.parse_problem(index)?;
        let file = suite.problem_source(index).filter(|_| FileKind::is_file(of));
        let own = file.map(|source| source.name().to_owned());
        let target = Target::new(suite.domain(), &[problem], Walks::default())?;
        let own = own.or_else(|| suite.full_problem_name(index)).unwrap_or_default();
        Ok((own, Arc::new(target)))
    };
    let targets: Result<Vec<_>, Failure> = (0..suite.len()).map(target).collect();
    Ok(Worlds::named(name, targets?, WorldOptions::default())?)
}

/// Returns worlds that begin as a word says, which becomes the end of their name.
///
/// # Errors
/// Fails if the word names no start, or if its file is faulty or no model of the domain.
pub fn started(worlds: &Worlds, word: &str) -> Result<Worlds, Failure> {
    if !FileKind::is_file(word) {
        let started = worlds.starting(word);
        return started.map_err(|error| Failure::Request(format!("{error}, or name a domain file")));
    }
    let domain = Domain::parse(&input::read(Path::new(word))?)?;
    let sketch = worlds.targets()[0].sketch_of(&domain)?;
    Ok(worlds.starting_at(Start::Given(sketch), word)?)
}

/// Returns whether a word names a domain: a bundled one, a folder, a file, or one of a collection, whether or not that has it.
#[must_use]
pub fn is_domain(word: &str) -> bool {
    Collection::of(word).is_some()
        || input::hidden(word).is_some()
        || FileKind::is_file(word)
        || NamedProblems::named(word).is_ok()
}

/// Reads the problems of a collection that `name` names; `None` if it is no name of a collection.
///
/// # Errors
/// Fails if the collection is not there, or has no such problems.
pub fn of_collection(name: &str) -> Result<Option<ProblemSet>, Failure> {
    if Collection::of(name).is_none() {
        return Ok(None);
    }
    let set = Search::from_environment().find(name)?;
    set.sources()
        .for_each(|source| files::note_input(Path::new(source.name())));
    Ok(Some(set))
}

fn pddl(files: SuiteFiles, mode: ActionMode, limits: Limits) -> Result<AnyProblems, Failure> {
    let options = input::read_options(limits);
    if !options.lenient {
        return Ok(AnyProblems::Pddl(Suite::within(files, mode, limits)?));
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
    Ok(AnyProblems::Pddl(suite.leniently()))
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
fn bundled_rddl(name: &str, limits: Limits) -> Result<AnyProblems, Failure> {
    let suite = RddlSuite::bundled(name)?;
    Ok(AnyProblems::Rddl(suite.with_limits(limits)))
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
