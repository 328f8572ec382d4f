//! Files, folders and names as suites.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Component, Path, PathBuf};

use herbrand::datalog::Limits;
use herbrand::env::plan::Plan;
use herbrand::env::{ProblemFile, Registry, Suite, SuiteFiles};
use herbrand::limits::Budget;
use herbrand::pddl::Source;
use herbrand::rddl::suite::RddlSuite;

use crate::failure::Failure;

/// Reads a file of PDDL or settings; `-` is standard input.
///
/// # Errors
/// When it cannot be read.
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
    Ok(Source::from_bytes(&path.to_string_lossy(), bytes))
}

/// [`read`], unless the file is too large to be held within the limits.
///
/// # Errors
/// When it cannot be read, or is too large.
pub fn read_within(path: &Path, limits: Limits) -> Result<Source, Failure> {
    let length = fs::metadata(path).map_or(0, |about| about.len());
    // Its bytes are held beside its text for a moment.
    let held = Budget::new(limits).check("reading", 2 * length);
    held.map_err(|spent| Failure::Request(format!("{spent} {}", path.display())))?;
    read(path)
}

pub fn file_error(path: &Path, error: std::io::Error) -> Failure {
    Failure::File {
        path: path.to_owned(),
        error,
    }
}

/// A suite of a domain file and problem files, called as the domain's folder or file is.
///
/// # Errors
/// When a file cannot be read, or takes more memory than the limits allow.
pub fn pair(domain: &Path, problems: &[PathBuf], limits: Limits) -> Result<SuiteFiles, Failure> {
    pair_with(domain, read_within(domain, limits)?, problems, limits)
}

/// As [`pair`], of a domain file that was read.
///
/// # Errors
/// As [`pair`].
pub fn pair_with(
    domain: &Path,
    source: Source,
    problems: &[PathBuf],
    limits: Limits,
) -> Result<SuiteFiles, Failure> {
    let stem = |path: &Path| {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let parent = domain.parent().and_then(Path::file_name);
    let name = match (stem(domain), parent) {
        (name, Some(folder)) if name == "domain" => folder.to_string_lossy().into_owned(),
        (name, _) => name,
    };
    let problems = problems.iter().map(|path| {
        Ok(ProblemFile {
            split: None,
            name: stem(path),
            source: read_within(path, limits)?,
        })
    });
    Ok(SuiteFiles {
        name,
        domain: source,
        config: None,
        problems: problems.collect::<Result<_, Failure>>()?,
    })
}

/// The settings beside a domain file: `env.toml` in its folder, or in the folder that the domain is a level of.
///
/// # Errors
/// When there are some that cannot be read.
pub fn settings(domain: &Path) -> Result<Option<Source>, Failure> {
    let own = domain.parent().unwrap_or(Path::new(""));
    let levels = own.parent().filter(|folder| folder.ends_with("levels"));
    let places = [Some(own), levels.and_then(Path::parent)];
    let file = places.into_iter().flatten().map(|folder| folder.join("env.toml"));
    file.filter(|path| path.is_file())
        .map(|path| read(&path))
        .next()
        .transpose()
}

/// The plan in a file.
///
/// # Errors
/// When it cannot be read, or is none.
pub fn read_plan(path: &Path) -> Result<Plan, Failure> {
    parse_plan(&read(path)?)
}

fn parse_plan(source: &Source) -> Result<Plan, Failure> {
    Plan::parse(source).map_err(|error| Failure::Request(error.to_string()))
}

/// The plan that comes with a problem of a bundled domain.
///
/// # Errors
/// When none does.
pub fn stored_plan(domain: &str, problem: &str) -> Result<Plan, Failure> {
    let text = Registry::plan(domain, problem)
        .ok_or_else(|| Failure::Request(format!("no plan comes with {problem} of {domain}: name one")))?;
    parse_plan(&Source::new(&format!("the plan of {problem}"), text))
}

/// What the header of a trace calls the domain and the one problem of `suite`: their files as seen from the trace's folder,
/// or their names if they are bundled.
pub fn trace_names(suite: &Suite, trace: Option<&Path>) -> (String, String) {
    let sources = suite.domain_source().zip(suite.problem_source(0));
    match sources {
        Some((domain, problem)) if !is_bundled(suite) => {
            (seen_from(trace, domain), seen_from(trace, problem))
        }
        _ => (
            suite.name().to_owned(),
            suite.full_problem_name(0).unwrap_or_default(),
        ),
    }
}

/// As [`trace_names`], of an instance in RDDL.
pub fn trace_names_of_rddl(suite: &RddlSuite, trace: Option<&Path>) -> (String, String) {
    let bundled = RddlSuite::bundled(suite.name()).is_ok_and(|bundled| bundled.domain() == suite.domain());
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

/// Writes a trace into a file. If that fails, no file is left behind; `failed` says what an error comes to.
///
/// # Errors
/// When the file cannot be written, or what it is to hold cannot be made.
pub fn trace_file<T, E: From<io::Error>>(
    path: &Path,
    failed: impl FnOnce(&Path, E) -> Failure,
    write: impl FnOnce(&mut dyn Write) -> Result<T, E>,
) -> Result<T, Failure> {
    let file = File::create(path).map_err(|error| file_error(path, error))?;
    let is_file = file.metadata().is_ok_and(|about| about.is_file());
    let mut out = BufWriter::new(file);
    let written = write(&mut out).and_then(|result| {
        out.flush()?;
        Ok(result)
    });
    written.map_err(|error| {
        if is_file {
            // What went wrong before says more than what may go wrong now.
            let _ = fs::remove_file(path);
        }
        failed(path, error)
    })
}

/// Whether a suite is the bundled one of its name, or a part of it.
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
