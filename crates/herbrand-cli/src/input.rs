//! Files, folders and names as suites.

use std::fs;
use std::path::{Component, Path, PathBuf};

use herbrand::env::plan::Plan;
use herbrand::env::{EnvError, ProblemFile, Registry, SuiteFiles};
use herbrand::pddl::Source;

use crate::failure::Failure;

/// How deep folders are looked through: `levels/<n>/train/<problem>`.
const DEPTH: usize = 3;

/// Reads a file of PDDL or settings.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<Source, Failure> {
    let bytes = fs::read(path).map_err(|error| file_error(path, error))?;
    Ok(Source::from_bytes(&path.to_string_lossy(), bytes))
}

pub fn file_error(path: &Path, error: std::io::Error) -> Failure {
    Failure::File {
        path: path.to_owned(),
        error,
    }
}

/// The suites that `name` means: a bundled domain, all levels of one, or a folder.
///
/// # Errors
/// When it means none, or a file cannot be read.
pub fn suites(name: &str) -> Result<Vec<SuiteFiles>, Failure> {
    let unknown = match Registry::files(name) {
        Ok(files) => return Ok(files),
        Err(error) => error,
    };
    let path = Path::new(name);
    if path.is_dir() {
        return folder(path);
    }
    match unknown {
        EnvError::UnknownDomain { suggestion, .. } => Err(Failure::Request(format!(
            "`{name}` is neither a bundled domain nor a folder{}",
            suggestion
                .map(|name| format!("; did you mean `{name}`?"))
                .unwrap_or_default()
        ))),
        error => Err(error.into()),
    }
}

/// The suites of a folder.
///
/// # Errors
/// When it is not laid out as one, or a file cannot be read.
pub fn folder(path: &Path) -> Result<Vec<SuiteFiles>, Failure> {
    let absolute = path.canonicalize().map_err(|error| file_error(path, error))?;
    let name = absolute
        .file_name()
        .map_or_else(|| path.to_string_lossy(), |name| name.to_string_lossy());
    let mut files = Vec::new();
    collect(path, "", DEPTH, &mut files)?;
    Ok(SuiteFiles::from_folder(&name, files)?)
}

/// A suite of a domain file and problem files, called as the domain's folder or file is.
///
/// # Errors
/// When a file cannot be read.
pub fn pair(domain: &Path, problems: &[PathBuf]) -> Result<SuiteFiles, Failure> {
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
            source: read(path)?,
        })
    });
    Ok(SuiteFiles {
        name,
        domain: read(domain)?,
        config: None,
        problems: problems.collect::<Result<_, Failure>>()?,
    })
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

/// What the header of a trace calls a domain and a problem: their files as seen from the trace's folder.
pub fn trace_names(domain: &Path, problem: &Path, trace: Option<&Path>) -> (String, String) {
    let folder = trace.and_then(Path::parent);
    let folder = Path::new(".").join(folder.unwrap_or(Path::new("")));
    (relative(domain, &folder), relative(problem, &folder))
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

fn collect(
    folder: &Path,
    prefix: &str,
    depth: usize,
    files: &mut Vec<(String, Source)>,
) -> Result<(), Failure> {
    let entries = fs::read_dir(folder).map_err(|error| file_error(folder, error))?;
    for entry in entries {
        let path = entry.map_err(|error| file_error(folder, error))?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let relative = format!("{prefix}{name}");
        if path.is_dir() {
            if depth > 0 {
                collect(&path, &format!("{relative}/"), depth - 1, files)?;
            }
        } else if name == "env.toml" || name.ends_with(".pddl") {
            files.push((relative, read(&path)?));
        }
    }
    Ok(())
}
