//! The bundled domains as files.

#![allow(dead_code, reason = "no test uses all of it")]

pub mod timed;

use std::path::{Path, PathBuf};

use herbrand::{Domain, Problem};

/// A problem file of a bundled domain, parsed and checked.
pub struct Bundled {
    /// The path below `domains/`, for messages.
    pub name: String,
    /// The domain.
    pub domain: Domain,
    /// The problem.
    pub problem: Problem,
    /// The stored plan, one action per line.
    pub plan: Option<String>,
}

/// Returns the first `count` problems of each split of each bundled domain, in order of their names.
pub fn bundled(count: usize) -> Vec<Bundled> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("domains");
    let mut all = Vec::new();
    for folder in sorted(&root)
        .into_iter()
        .filter(|folder| folder.join("domain.pddl").exists())
    {
        let domain = Domain::from_file(folder.join("domain.pddl")).unwrap_or_else(|error| panic!("{error}"));
        let mut suites = sorted(&folder.join("levels"));
        suites.push(folder);
        for (suite, split) in suites
            .iter()
            .flat_map(|suite| ["train", "test"].map(|split| (suite, split)))
        {
            for path in sorted(&suite.join(split)).into_iter().take(count) {
                let problem = Problem::from_file(&path, &domain).unwrap_or_else(|error| panic!("{error}"));
                let name = path
                    .strip_prefix(&root)
                    .expect("a path below the root")
                    .display()
                    .to_string();
                let plan = suite
                    .join("plans")
                    .join(split)
                    .join(path.file_name().expect("a file"));
                let plan = std::fs::read_to_string(plan.with_extension("plan")).ok();
                all.push(Bundled {
                    name,
                    domain: domain.clone(),
                    problem,
                    plan,
                });
            }
        }
    }
    all
}

/// Returns the entries of a folder in order of their names; empty if the folder does not exist.
fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect();
    paths.sort();
    paths
}
