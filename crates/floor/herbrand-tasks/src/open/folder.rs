//! The files that belong to a domain or a problem by their places.

use std::fs;
use std::path::{Component, Path, PathBuf};

use herbrand_collections::Collection;
use herbrand_env::{Registry, Suite, SuiteFiles};
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_text::{Source, Unreadable};

use super::file_kind::is_stream;
use crate::problems::AnyProblems;

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

/// The name of a file without folder and ending.
#[must_use]
pub fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The file with the settings of a domain file: `env.toml` in its folder, or in the folder that the domain is a level of. If
/// the folder also has a `domain.pddl` or `domain.rddl`, the settings belong to that file only.
#[must_use]
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

/// Returns the names of the domain and the problem for the header of a trace of the first of the problems: paths relative to the
/// trace's folder, or plain names if they are bundled.
#[must_use]
pub fn trace_names(problems: &AnyProblems, trace: Option<&Path>) -> (String, String) {
    let is_own = Collection::of(problems.name()).is_none();
    let texts = match problems {
        AnyProblems::Pddl(suite) if is_own && !is_bundled(suite) => {
            suite.domain_source().zip(suite.problem_source(0))
        }
        AnyProblems::Rddl(suite)
            if is_own
                && !RddlSuite::bundled(suite.name())
                    .is_ok_and(|bundled| bundled.domain() == suite.domain()) =>
        {
            let instance = suite.instance(0).ok();
            let instance = instance.and_then(|instance| instance.origin.source());
            suite.domain().origin.source().zip(instance)
        }
        _ => None,
    };
    match texts {
        Some((domain, problem)) => (seen_from(trace, domain), seen_from(trace, problem)),
        None => (problems.name().to_owned(), problems.full_problem_name(0)),
    }
}

/// The file of a text as seen from the folder of a trace.
fn seen_from(trace: Option<&Path>, source: &Source) -> String {
    let folder = trace.and_then(Path::parent);
    let folder = Path::new(".").join(folder.unwrap_or(Path::new("")));
    relative(Path::new(source.name()), &folder)
}

/// Returns whether a suite is the bundled one of its name, or a part of it.
#[must_use]
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
) -> Result<(), Unreadable> {
    let failed = |error| Unreadable {
        path: folder.to_owned(),
        error,
    };
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
