//! The problems of PDDLGym: in `pddl`, a file per domain, and folders with its training and test problems.

use std::path::Path;

use herbrand_env::{Split, SuiteFiles};
use herbrand_text::Source;

use crate::error::CollectionError;
use crate::folder::{entries, has_ending, problem_files};
use crate::set::ProblemSet;

/// Returns the names of the domains that have problems.
pub fn names(package: &Path) -> Result<Vec<String>, CollectionError> {
    let folder = package.join("pddl");
    let files = entries(&folder)?;
    let files = files.iter().filter(|path| has_ending(path, "pddl"));
    let names = files.filter_map(|path| path.file_stem()?.to_str());
    let has_problems = |name: &&str| parts(name).iter().any(|(part, _)| folder.join(part).is_dir());
    Ok(names.filter(has_problems).map(str::to_owned).collect())
}

/// Returns the folders of a domain's training and test problems.
fn parts(name: &str) -> [(String, Split); 2] {
    [
        (name.to_owned(), Split::Train),
        (format!("{name}_test"), Split::Test),
    ]
}

/// Reads the domain called `name`; `None` if there is no such domain.
pub fn find(package: &Path, name: &str) -> Result<Option<ProblemSet>, CollectionError> {
    if !names(package)?.iter().any(|known| known == name) {
        return Ok(None);
    }
    let folder = package.join("pddl");
    let mut problems = Vec::new();
    for (part, split) in parts(name) {
        let part = folder.join(part);
        if part.is_dir() {
            problems.extend(problem_files(&part, Some(split))?);
        }
    }
    Ok(Some(ProblemSet::Pddl(SuiteFiles {
        name: format!("pddlgym:{name}"),
        domain: Source::from_file(folder.join(format!("{name}.pddl")))?,
        config: None,
        problems,
    })))
}
