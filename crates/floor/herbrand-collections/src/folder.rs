//! Folders of problems, as planning repositories lay them out: a folder per domain.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use herbrand_env::{Definition, ProblemFile, Split, SuiteFiles};
use herbrand_text::{Natural, Source, Unreadable};

use crate::error::CollectionError;
use crate::set::ProblemSet;

/// The maximum depth of folders that are searched for domains.
const DEPTH: usize = 8;

/// Reads the problems of the folder or of the problem's file `rest` below `root`; `None` if there is neither. `name` is the
/// whole name.
pub fn find(root: &Path, name: &str, rest: &str) -> Result<Option<ProblemSet>, CollectionError> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    if rest.is_empty() || !Path::new(rest).components().all(is_plain) {
        return Ok(None);
    }
    let path = root.join(rest);
    if path.is_dir() {
        return read(&path, name, None);
    }
    let Some(folder) = path.parent().filter(|_| path.is_file()) else {
        return Ok(None);
    };
    read(folder, name, Some(&path))
}

/// Returns the paths of the folders below `root` that have files of problems, relative to it.
pub fn names(root: &Path) -> Result<Vec<String>, CollectionError> {
    let mut found = Vec::new();
    collect(root, root, DEPTH, &mut found)?;
    Ok(found)
}

fn collect(root: &Path, folder: &Path, depth: usize, found: &mut Vec<String>) -> Result<(), CollectionError> {
    if !texts(folder)?.is_empty() {
        let relative = folder.strip_prefix(root).unwrap_or(folder);
        let parts = relative
            .components()
            .map(|part| part.as_os_str().to_string_lossy());
        found.push(parts.collect::<Vec<_>>().join("/"));
    } else if depth > 0 {
        for inner in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            collect(root, &inner, depth - 1, found)?;
        }
    }
    Ok(())
}

/// Returns the files and folders in a folder, sorted.
pub fn entries(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let unreadable = |error: io::Error| Unreadable {
        path: folder.to_owned(),
        error,
    };
    let mut paths = fs::read_dir(folder)
        .map_err(unreadable)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()
        .map_err(unreadable)?;
    paths.sort();
    Ok(paths)
}

/// Returns the files in PDDL or RDDL in a folder, sorted.
fn texts(folder: &Path) -> Result<Vec<PathBuf>, Unreadable> {
    let mut paths = entries(folder)?;
    paths.retain(|path| has_ending(path, "pddl") || has_ending(path, "rddl"));
    paths.retain(|path| path.is_file());
    Ok(paths)
}

/// Whether the name of a file has this ending, in any case.
pub fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// Reads the problem files in a folder, sorted in natural order.
pub fn problem_files(folder: &Path, split: Option<Split>) -> Result<Vec<ProblemFile>, CollectionError> {
    let mut files = Vec::new();
    for path in texts(folder)? {
        let name = path.file_stem().unwrap_or_default();
        files.push(ProblemFile {
            split,
            name: name.to_string_lossy().into_owned(),
            source: Source::from_file(&path)?,
        });
    }
    files.sort_by_key(|file| Natural(file.name.clone()));
    Ok(files)
}

/// Reads a folder, or only the problem `only` in it.
fn read(folder: &Path, name: &str, only: Option<&Path>) -> Result<Option<ProblemSet>, CollectionError> {
    let paths = texts(folder)?;
    if paths.iter().any(|path| has_ending(path, "rddl")) {
        let own = paths.iter().filter(|path| has_ending(path, "rddl"));
        let own = own
            .filter(|path| only.is_none_or(|only| only == path.as_path()) || path.ends_with("domain.rddl"));
        let sources: Result<Vec<_>, _> = own.map(Source::from_file).collect();
        return Ok(Some(ProblemSet::Rddl {
            name: name.to_owned(),
            sources: sources?,
        }));
    }
    let mut problems = problem_files(folder, None)?;
    let inner = [
        ("train", Some(Split::Train)),
        ("test", Some(Split::Test)),
        ("problems", None),
    ];
    for (part, split) in inner {
        let part = folder.join(part);
        if part.is_dir() {
            problems.extend(problem_files(&part, split)?);
        }
    }
    if problems.is_empty() {
        return Ok(None);
    }
    let is_domain = |file: &mut ProblemFile| {
        let text = file.source.text();
        Definition::Domain.name_in(text).is_some() && Definition::Problem.name_in(text).is_none()
    };
    let domains: Vec<_> = problems.extract_if(.., is_domain).collect();
    problems.retain(|file| Definition::Problem.name_in(file.source.text()).is_some());
    if let Some(only) = only {
        problems.retain(|file| Path::new(file.source.name()) == only);
    }
    let Some(first) = problems.first() else {
        return Err(CollectionError::NoProblems(name.to_owned()));
    };
    let Some(domain) = domain_of(first, &domains) else {
        return Err(CollectionError::NoDomain {
            name: name.to_owned(),
            problem: first.source.name().to_owned(),
        });
    };
    let differs = |file| domain_of(file, &domains).is_none_or(|other| other.source != domain.source);
    if problems.iter().any(differs) {
        let file = Path::new(first.source.name()).file_name().unwrap_or_default();
        return Err(CollectionError::SeveralDomains {
            name: name.to_owned(),
            example: format!("{name}/{}", file.to_string_lossy()),
        });
    }
    let settings = folder.join("env.toml");
    let config = settings.is_file().then(|| Source::from_file(&settings));
    let domain = domain.source.clone();
    Ok(Some(ProblemSet::Pddl(SuiteFiles {
        name: name.to_owned(),
        domain,
        config: config.transpose()?,
        problems,
    })))
}

/// Returns the domain of a problem: the one with a name made of the problem's, such as `p01-domain` or `domain_p01`, or
/// `domain`, or the only one, or the only one that defines the domain that the problem names.
fn domain_of<'d>(problem: &ProblemFile, domains: &'d [ProblemFile]) -> Option<&'d ProblemFile> {
    let stem = &problem.name;
    let short: String = stem.chars().take(3).collect();
    let usual = [
        format!("{stem}-domain"),
        format!("{short}-domain"),
        format!("domain_{stem}"),
        format!("domain-{stem}"),
        "domain".to_owned(),
    ];
    let by_file = usual
        .iter()
        .find_map(|name| domains.iter().find(|domain| domain.name == *name));
    if let Some(domain) = by_file {
        return Some(domain);
    }
    if let [domain] = domains {
        return Some(domain);
    }
    let wanted = domain_named_by(problem.source.text())?;
    let mut fitting = domains
        .iter()
        .filter(|domain| Definition::Domain.name_in(domain.source.text()).as_deref() == Some(&wanted));
    fitting.next().filter(|_| fitting.next().is_none())
}

/// Returns the name after `:domain` in the text of a problem, in lower case.
fn domain_named_by(text: &str) -> Option<String> {
    let code = text
        .lines()
        .map(|line| line.split(';').next().unwrap_or_default());
    let code = code.collect::<Vec<_>>().join(" ").to_ascii_lowercase();
    let (_, after) = code.split_once(":domain")?;
    let name = after.trim_start();
    let end = name.find(|c: char| c.is_whitespace() || "()".contains(c))?;
    Some(name[..end].to_owned())
}
