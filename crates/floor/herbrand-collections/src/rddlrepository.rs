//! The problems of rddlrepository: below `archive`, a folder per problem with `domain.rddl`, instances and a description in
//! `__init__.py`.

use std::fs;
use std::path::{Path, PathBuf};

use herbrand_text::Source;

use crate::error::CollectionError;
use crate::folder::{entries, has_ending};
use crate::set::ProblemSet;

/// The maximum depth of folders below the archive.
const DEPTH: usize = 6;

/// Returns the names of the problems, as the package forms them.
pub fn names(package: &Path) -> Result<Vec<String>, CollectionError> {
    Ok(problems(package)?.into_iter().map(|(name, _)| name).collect())
}

/// Reads the problem called `name`; `None` if there is no such problem.
pub fn find(package: &Path, name: &str) -> Result<Option<ProblemSet>, CollectionError> {
    let found = problems(package)?.into_iter().find(|(known, _)| known == name);
    let Some((_, folder)) = found else { return Ok(None) };
    let files = entries(&folder)?;
    let files = files.iter().filter(|path| has_ending(path, "rddl"));
    let sources: Result<Vec<_>, _> = files.map(Source::from_file).collect();
    Ok(Some(ProblemSet::Rddl {
        name: format!("rddlrepository:{name}"),
        sources: sources?,
    }))
}

fn problems(package: &Path) -> Result<Vec<(String, PathBuf)>, CollectionError> {
    let mut found = Vec::new();
    collect(&package.join("archive"), DEPTH, &mut found)?;
    Ok(found)
}

fn collect(folder: &Path, depth: usize, found: &mut Vec<(String, PathBuf)>) -> Result<(), CollectionError> {
    if folder.join("domain.rddl").is_file() {
        let about = fs::read_to_string(folder.join("__init__.py")).unwrap_or_default();
        if let Some(name) = name_in(&about) {
            found.push((name, folder.to_owned()));
        }
    } else if depth > 0 {
        for inner in entries(folder)?.into_iter().filter(|path| path.is_dir()) {
            collect(&inner, depth - 1, found)?;
        }
    }
    Ok(())
}

/// Returns the name of a problem by its description: its name, and its context if it has one.
fn name_in(about: &str) -> Option<String> {
    let name = value_of(about, "name")?;
    Some(match value_of(about, "context") {
        Some(context) if !context.is_empty() => format!("{name}_{context}"),
        _ => name.to_owned(),
    })
}

/// Returns the text of a key in a Python dictionary of texts.
fn value_of<'t>(about: &'t str, key: &str) -> Option<&'t str> {
    ['\'', '"'].into_iter().find_map(|quote| {
        let (_, after) = about.split_once(&format!("{quote}{key}{quote}"))?;
        let value = after.trim_start().strip_prefix(':')?.trim_start();
        let quote = value.chars().next().filter(|first| "'\"".contains(*first))?;
        value[1..].split(quote).next()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_problem_has_its_context() {
        let about =
            "info = {\n 'name': 'Elevators_MDP',\n 'description': \"the name's\",\n 'context': 'ippc2011' }";
        assert_eq!(name_in(about).as_deref(), Some("Elevators_MDP_ippc2011"));
        assert_eq!(
            name_in("{\"name\" : \"UAV\", 'context': ''}").as_deref(),
            Some("UAV")
        );
        for about in ["", "'name'", "'name':", "'name': x", "name"] {
            assert_eq!(name_in(about), None, "{about}");
        }
    }
}
