//! Reads suites from files, folders and names on the command line.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use herbrand::collections::Collection;
use herbrand::core::Choice;
use herbrand::datalog::Limits;
use herbrand::env::plan::ParsedPlan;
use herbrand::env::{ProblemFile, Registry, Suite, SuiteFiles};
use herbrand::limits::Budget;
use herbrand::pddl::{ReadOptions, Source, read as read_text};
use herbrand::play::Language;
use herbrand::rddl::plan as rddl;
use herbrand::rddl::simulate::RddlSimulator;
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::policy_json;

use crate::failure::{Failure, file_error, refuse};
use crate::files;

thread_local! {
    /// Whether the run of this thread reads PDDL leniently.
    static LENIENT: Cell<bool> = const { Cell::new(false) };
}

/// Sets whether this run reads PDDL leniently.
pub fn set_lenient(lenient: bool) {
    LENIENT.set(lenient);
}

/// Returns whether this run reads PDDL leniently.
pub fn is_lenient() -> bool {
    LENIENT.get()
}

/// Returns the options for reading PDDL within limits.
pub fn read_options(limits: Limits) -> ReadOptions {
    ReadOptions {
        lenient: LENIENT.get(),
        ..ReadOptions::within(&Budget::new(limits))
    }
}

/// Reads a file of PDDL, RDDL or settings as text; `-` is standard input.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn read(path: &Path) -> Result<Source, Failure> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map_err(Failure::Input)?;
        return Ok(Source::from_bytes("standard input", bytes));
    }
    let bytes = fs::read(path).map_err(|error| file_error(path, error))?;
    files::note_input(path);
    Ok(Source::from_bytes(&path.to_string_lossy(), bytes))
}

/// Like [`read`], but fails if the file is too large for the memory limit.
///
/// # Errors
/// Fails if the file cannot be read, or is too large.
pub fn read_within(path: &Path, limits: Limits) -> Result<Source, Failure> {
    let length = fs::metadata(path).map_or(0, |about| about.len());
    // The bytes and the decoded text are in memory at the same time.
    let held = Budget::new(limits).check("reading", 2 * length);
    held.map_err(|exhausted| {
        Failure::Caused(format!("{exhausted} {}", path.display()), Box::new(exhausted))
    })?;
    read(path)
}

/// Opens a file to be read line by line.
///
/// # Errors
/// Fails if the file cannot be opened.
pub fn open(path: &Path) -> Result<BufReader<File>, Failure> {
    let file = File::open(path).map_err(|error| file_error(path, error))?;
    files::note_input(path);
    Ok(BufReader::new(file))
}

/// Notes the problem and settings files in a folder and below it as inputs, so that they are not overwritten.
///
/// # Errors
/// Fails if a folder cannot be read.
pub fn note_folder(folder: &Path) -> Result<(), Failure> {
    let mut read = Vec::new();
    files_below(folder, &mut read, &|path| {
        let ending = path.extension().and_then(OsStr::to_str);
        matches!(ending, Some("pddl" | "ppddl" | "rddl" | "toml"))
    })?;
    read.iter().for_each(|path| files::note_input(path));
    Ok(())
}

/// Returns what a name of a domain under edit says after `pddlworld/`: the hidden domain; empty for `pddlworld`, the light
/// switch. A start may follow, as in `blocks@3`. `None` for other words, and for a file or folder of this name.
#[must_use]
pub fn hidden(word: &str) -> Option<&str> {
    let rest = word.strip_prefix(EDITED)?;
    let rest = if rest.is_empty() || rest.starts_with('@') {
        rest
    } else {
        rest.strip_prefix('/')?
    };
    (!Path::new(word).exists()).then_some(rest)
}

/// The name, or its first part, of a domain under edit.
const EDITED: &str = "pddlworld";

/// The role of a file on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// It defines a domain, and perhaps problems too, or is a finite-domain task.
    Domain,
    /// It defines problems but no domain.
    Problem,
    /// Anything else: a plan, edits, a trace.
    Other,
}

impl FileKind {
    /// Returns the role of the file at `path`, by its content; `None` if `path` is a name rather than a file.
    ///
    /// A file that does not exist or whose content is unclear is judged by the ending of its name. Standard input (`-`)
    /// and pipes count as domains, since they can be read only once.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let is_name = |word| Collection::of(word).is_some() || hidden(word).is_some();
        if path.is_dir() || path.to_str().is_some_and(is_name) {
            return None;
        }
        if is_stream(path) {
            return Some(Self::Domain);
        }
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let is_language = matches!(ending.as_deref(), Some("pddl" | "ppddl" | "rddl"));
        let by_ending = if is_language { Self::Problem } else { Self::Other };
        if !path.is_file() {
            return ending
                .is_some_and(|ending| !ending.is_empty())
                .then_some(by_ending);
        }
        let by_content = prefix(path).ok().and_then(|source| Self::of_source(&source));
        Some(by_content.unwrap_or(by_ending))
    }

    /// Returns whether `word` names a file rather than a bundled domain, a folder or a problem.
    #[must_use]
    pub fn is_file(word: &str) -> bool {
        Self::of(Path::new(word)).is_some()
    }

    /// The role of a file from its beginning, `source`; `None` if it is none of PDDL, RDDL and SAS+.
    fn of_source(source: &Source) -> Option<Self> {
        let text = source.text();
        if is_task_text(text) {
            return Some(Self::Domain);
        }
        let language = Language::of_source(source);
        // PDDL has no comments `// …`, but users write them.
        let comments: &[&str] = match language {
            Language::Pddl => &[";", "//"],
            Language::Rddl => &["//"],
        };
        let code = |line: &str| {
            let ends = comments.iter().filter_map(|comment| line.find(comment));
            line[..ends.min().unwrap_or(line.len())].to_ascii_lowercase() + "\n"
        };
        let words = |line: String| {
            let words = line.split(|c: char| c.is_whitespace() || c == '(');
            let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
            words.collect::<Vec<_>>()
        };
        // Files may begin with very many comments.
        let is_comment = |line: &str| {
            let line = line.trim_start();
            line.is_empty() || comments.iter().any(|comment| line.starts_with(comment))
        };
        // The role of a PDDL text follows from its first words.
        let lines = text.lines().filter(|line| !is_comment(line));
        let mut words = lines.map(code).flat_map(words);
        if language == Language::Pddl {
            return match (words.next()?.as_str(), words.next()?.as_str()) {
                ("define", "domain") => Some(Self::Domain),
                ("define", "problem") => Some(Self::Problem),
                _ => None,
            };
        }
        // An instance has `domain = name;`, a domain is a block. A file without any block is read as a domain, and the reader
        // of domains reports the missing parts.
        let words: Vec<_> = words.collect();
        let is_block = |pair: &[String]| pair[0] == "domain" && !pair[1].starts_with('=');
        let is_instance = words
            .iter()
            .any(|word| word == "instance" || word == "non-fluents");
        Some(if words.windows(2).any(is_block) || !is_instance {
            Self::Domain
        } else {
            Self::Problem
        })
    }
}

/// Returns whether `path` can be read only once: it is standard input (`-`) or a pipe.
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-") || (path.exists() && !path.is_file() && !path.is_dir())
}

/// The beginning of a file, as far as its role needs it.
fn prefix(path: &Path) -> io::Result<Source> {
    const BYTES: u64 = 1 << 20;
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES).read_to_end(&mut bytes)?;
    Ok(Source::from_bytes(&path.to_string_lossy(), bytes))
}

/// The names of the domain file in a folder.
const DOMAIN_FILES: [&str; 2] = ["domain.pddl", "domain.rddl"];

/// Returns the domain file that belongs to a problem file by its place: `domain.pddl` or `domain.rddl` in the same folder
/// or the one above. `None` if there is no such file.
#[must_use]
pub fn domain_beside(problem: &Path) -> Option<PathBuf> {
    let own = problem.parent()?;
    let above = match own.parent() {
        Some(above) if !own.ends_with("..") => above.to_owned(),
        _ => own.join(".."),
    };
    let places = [own, &above]
        .into_iter()
        .flat_map(|folder| DOMAIN_FILES.map(|name| folder.join(name)));
    places.into_iter().find(|path| path.is_file())
}

/// Reads a suite from a domain file and problem files. `word` is a word of the command line in place of a problem file. The
/// suite has the name of the domain's file, or of its folder if the file
/// is called `domain`.
///
/// # Errors
/// When a file cannot be read, or takes more memory than the limits allow.
pub fn pair(
    domain: &Path,
    source: Source,
    problems: &[PathBuf],
    word: Option<&str>,
    limits: Limits,
) -> Result<SuiteFiles, Failure> {
    // `domain.pddl` without a folder is in the current folder.
    let absolute = std::path::absolute(domain).unwrap_or_else(|_| domain.to_owned());
    let parent = absolute.parent().and_then(Path::file_name);
    let name = match (stem(domain), parent) {
        (name, Some(folder)) if name == "domain" => folder.to_string_lossy().into_owned(),
        (name, _) => name,
    };
    let problems = match problems {
        [] => vec![own_problem(domain, &source, word)?],
        files => problem_files(files, limits)?,
    };
    Ok(SuiteFiles {
        name,
        domain: source,
        config: settings(domain)?,
        problems,
    })
}

/// Returns the problem that a domain file itself defines.
fn own_problem(path: &Path, source: &Source, word: Option<&str>) -> Result<ProblemFile, Failure> {
    let document = read_text(source, &ReadOptions::default());
    // A faulty domain is reported rather than the missing problem.
    if document.diagnostics().is_empty() && document.problems().len() == 0 {
        return Err(no_problem(path, "problem", word));
    }
    Ok(ProblemFile {
        split: None,
        name: stem(path),
        source: source.clone(),
    })
}

/// Returns the failure of a domain file that defines no `what`, and to which no file was added. `word` is a word in the place
/// of one.
pub fn no_problem(path: &Path, what: &str, word: Option<&str>) -> Failure {
    let path = path.display();
    let given = match word {
        Some(word) if Path::new(word).is_dir() => format!(", and `{word}` is a folder"),
        Some(word) => format!(", and `{word}` is not a file"),
        None => String::new(),
    };
    let example = what.to_ascii_uppercase();
    Failure::Request(format!(
        "{path} defines no {what}{given}: add {article} {what} file, as in `{path} {example}`",
        article = if what == "instance" { "an" } else { "a" },
    ))
}

/// Reads problem files. Each problem has the name of its file.
///
/// # Errors
/// Fails if a file cannot be read, or takes more memory than the limits allow.
pub fn problem_files(files: &[PathBuf], limits: Limits) -> Result<Vec<ProblemFile>, Failure> {
    let problem = |path: &PathBuf| {
        Ok(ProblemFile {
            split: None,
            name: stem(path),
            source: read_within(path, limits)?,
        })
    };
    files.iter().map(problem).collect()
}

/// The name of a file without folder and ending.
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// Reads the settings beside a domain file: `env.toml` in its folder, or in the folder that the domain is a level of.
/// `None` if there is no such file.
///
/// # Errors
/// Fails if the settings exist but cannot be read.
pub fn settings(domain: &Path) -> Result<Option<Source>, Failure> {
    settings_file(domain).map(|path| read(&path)).transpose()
}

/// The file with the settings of a domain file: `env.toml` in its folder, or in the folder that the domain is a level of. If
/// the folder also has a `domain.pddl` or `domain.rddl`, the settings belong to that file only.
pub fn settings_file(domain: &Path) -> Option<PathBuf> {
    file_of(domain, "env.toml")
}

/// Returns the table of sentences of a domain, like [`settings_file`].
#[must_use]
pub fn sentences_file(domain: &Path) -> Option<PathBuf> {
    file_of(domain, "domain.text.toml")
}

fn file_of(domain: &Path, name: &str) -> Option<PathBuf> {
    let own = domain.parent().unwrap_or(Path::new(""));
    let is_main = || DOMAIN_FILES.iter().any(|main| domain.ends_with(main));
    let has_main = || DOMAIN_FILES.iter().any(|main| own.join(main).is_file());
    if is_stream(domain) || (!is_main() && has_main()) {
        return None;
    }
    let levels = own.parent().filter(|folder| folder.ends_with("levels"));
    let places = [Some(own), levels.and_then(Path::parent)];
    let mut files = places.into_iter().flatten().map(|folder| folder.join(name));
    files.find(|path| path.is_file())
}

/// Reads the plan in a file.
///
/// # Errors
/// Fails if the file cannot be read, or is not a plan.
pub fn read_plan(path: &Path) -> Result<ParsedPlan, Failure> {
    parse_plan(&read(path)?)
}

/// Returns whether `path` is a file that defines problems but no domain, by its content.
pub fn is_problem(path: &Path) -> bool {
    let by_content = || prefix(path).ok().and_then(|source| FileKind::of_source(&source));
    path.is_file() && by_content() == Some(FileKind::Problem)
}

/// Returns whether `path` is a file in the format of Fast Downward's translator.
pub fn is_task(path: &Path) -> bool {
    path.is_file() && prefix(path).is_ok_and(|source| is_task_text(source.text()))
}

/// Returns whether a text is in the format of Fast Downward's translator.
pub fn is_task_text(text: &str) -> bool {
    text.trim_start().starts_with("begin_version")
}

/// Returns the failure of a finite-domain task with a word for a problem after it.
pub fn whole_task(path: &Path, surplus: &str) -> Failure {
    Failure::Request(format!(
        "{} is a finite-domain task, which is one whole problem: remove `{surplus}`",
        path.display()
    ))
}

/// Returns whether `path` is a file that begins like a trace of any program, whatever its name.
pub fn is_trace(path: &Path) -> bool {
    path.is_file() && prefix(path).is_ok_and(|source| source.text().starts_with("{\"oracle\":"))
}

/// Returns whether the file at `path` is a plan for a problem in PDDL.
pub fn is_plan(path: &Path) -> bool {
    let plan = Source::from_file(path)
        .ok()
        .and_then(|source| ParsedPlan::parse(&source).ok());
    plan.is_some_and(|plan| !plan.steps.is_empty())
}

/// Reads a plan for an RDDL problem from a file that `herbrand plan --out` wrote, up to a faulty line. Returns the failure that names the line, if
/// there is one.
///
/// # Errors
/// Fails if the file cannot be read.
pub fn read_known_rddl_plan(
    path: &Path,
    simulator: &RddlSimulator,
) -> Result<(Vec<Vec<Choice>>, Option<Failure>), Failure> {
    let source = read(path)?;
    if policy_json(source.text()).is_some() {
        return refuse(format!(
            "{} is a policy, not a plan: `herbrand validate` evaluates it",
            path.display()
        ));
    }
    let failure = |error| Failure::at(path, error);
    let error = match rddl::parse_plan(simulator, source.text()) {
        Ok(steps) => return Ok((steps, None)),
        Err(error) => error,
    };
    let before: Vec<_> = source.text().lines().take(error.line - 1).collect();
    let steps = rddl::parse_plan(simulator, &before.join("\n")).map_err(failure)?;
    Ok((steps, Some(failure(error))))
}

/// Parses a plan.
///
/// # Errors
/// Fails if the text is not a plan.
pub fn parse_plan(source: &Source) -> Result<ParsedPlan, Failure> {
    ParsedPlan::parse(source).map_err(|error| Failure::Request(error.to_string()))
}

/// Returns the text of the plan stored for the first problem of a suite: that of a bundled domain, or the one in the folder `plans` of
/// the folder `domain`, where `herbrand generate --plans` writes it.
///
/// # Errors
/// Fails if the problem has no stored plan, or if the plan cannot be read.
pub fn stored_plan(domain: &str, suite: &Suite) -> Result<Source, Failure> {
    stored_plan_of(domain, suite, 0, "")
}

/// Like [`stored_plan`], for the problem at `index`. `place` completes the advice `give a plan file`.
///
/// # Errors
/// Fails like [`stored_plan`].
pub fn stored_plan_of(domain: &str, suite: &Suite, index: usize, place: &str) -> Result<Source, Failure> {
    let problem = suite.full_problem_name(index).unwrap_or_default();
    let file = format!("{problem}.plan");
    let beside = Path::new(domain).join("plans").join(&file);
    if beside.is_file() {
        return read(&beside);
    }
    match Registry::plan(suite.name(), &problem) {
        Some(text) if is_bundled(suite) => Ok(Source::new(&format!("{domain}/plans/{file}"), text)),
        _ => refuse(format!(
            "problem {problem} of {domain} has no stored plan: give a plan file{place}, which \
             `herbrand plan … --out FILE` writes"
        )),
    }
}

/// Returns the names of the domain and the problem for the header of a trace: paths relative to the trace's folder, or plain
/// names if the suite is bundled. `suite` has one problem.
pub fn trace_names(suite: &Suite, trace: Option<&Path>) -> (String, String) {
    let sources = suite.domain_source().zip(suite.problem_source(0));
    match sources {
        Some((domain, problem)) if !is_bundled(suite) && Collection::of(suite.name()).is_none() => {
            (seen_from(trace, domain), seen_from(trace, problem))
        }
        _ => (
            suite.name().to_owned(),
            suite.full_problem_name(0).unwrap_or_default(),
        ),
    }
}

/// Like [`trace_names`], for an instance in RDDL.
pub fn trace_names_of_rddl(suite: &RddlSuite, trace: Option<&Path>) -> (String, String) {
    let bundled = Collection::of(suite.name()).is_some()
        || RddlSuite::bundled(suite.name()).is_ok_and(|bundled| bundled.domain() == suite.domain());
    let instance = suite.instance(0).ok();
    let sources = suite
        .domain()
        .origin
        .source()
        .zip(instance.and_then(|instance| instance.origin.source()));
    match sources {
        Some((domain, instance)) if !bundled => (seen_from(trace, domain), seen_from(trace, instance)),
        _ => (
            suite.name().to_owned(),
            suite.problem_name(0).unwrap_or_default().to_owned(),
        ),
    }
}

/// The file of a text as seen from the folder of a trace.
fn seen_from(trace: Option<&Path>, source: &Source) -> String {
    let folder = trace.and_then(Path::parent);
    let folder = Path::new(".").join(folder.unwrap_or(Path::new("")));
    relative(Path::new(source.name()), &folder)
}

/// Returns whether a suite is the bundled one of its name, or a part of it.
pub fn is_bundled(suite: &Suite) -> bool {
    let bundled = Registry::files(suite.name()).unwrap_or_default();
    let same = |files: &SuiteFiles| suite.domain_source() == Some(&files.domain);
    bundled.iter().any(same)
}

/// `path` as seen from `folder`.
fn relative(path: &Path, folder: &Path) -> String {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let (path, folder) = (absolute(path), absolute(folder));
    let shared = path
        .components()
        .zip(folder.components())
        .take_while(|(one, other)| one == other)
        .count();
    let up = folder.components().skip(shared).map(|_| Component::ParentDir);
    let relative = up.chain(path.components().skip(shared)).collect::<PathBuf>();
    relative.to_string_lossy().into_owned()
}

/// Adds to `files` the files in a folder and below it for which `wanted` is true. Links to folders are not followed, since
/// they may lead back.
///
/// # Errors
/// Fails if a folder cannot be read.
pub fn files_below(
    folder: &Path,
    files: &mut Vec<PathBuf>,
    wanted: &dyn Fn(&Path) -> bool,
) -> Result<(), Failure> {
    let failed = |error| file_error(folder, error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let path = entry.path();
        if entry.file_type().map_err(failed)?.is_dir() {
            files_below(&path, files, wanted)?;
        } else if wanted(&path) {
            files.push(path);
        }
    }
    Ok(())
}
