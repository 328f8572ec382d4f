//! Both evaluators ground every bundled problem, and every problem of the corpus, to the same task.

use std::path::{Path, PathBuf};

use herbrand_datalog::EvaluatorKind;
use herbrand_ground::{GroundOptions, ground};
use herbrand_pddl::{Domain, Problem};

/// Asserts that the tasks of both evaluators are equal, including all ids and orders.
fn check(domain: &Path, problem: &Path) {
    let name = problem.display();
    let domain = Domain::from_file(domain).unwrap_or_else(|error| panic!("{error}"));
    let problem = Problem::from_file(problem, &domain).unwrap_or_else(|error| panic!("{error}"));
    let [ascent, direct] = [EvaluatorKind::Ascent, EvaluatorKind::Direct].map(|evaluator| {
        let options = GroundOptions {
            evaluator,
            ..GroundOptions::default()
        };
        ground(&domain, &problem, &options).unwrap_or_else(|error| panic!("{name}: {error}"))
    });
    assert!(ascent == direct, "{name}");
}

/// Returns the entries of a folder, sorted by name; empty if the folder does not exist.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
}

/// Returns the PDDL files of a folder, except for domains.
fn problems(folder: &Path) -> Vec<PathBuf> {
    let mut paths = entries(folder);
    let is_problem = |name: &str| name.ends_with(".pddl") && !name.ends_with("domain.pddl");
    paths.retain(|path| {
        path.file_name()
            .is_some_and(|name| is_problem(&name.to_string_lossy()))
    });
    paths
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

#[test]
fn bundled_problems_ground_alike() {
    let mut count = 0;
    for domain in entries(&root().join("domains")) {
        let mut suites = entries(&domain.join("levels"));
        suites.push(domain.clone());
        for split in suites
            .iter()
            .flat_map(|suite| ["train", "test"].map(|split| suite.join(split)))
        {
            for problem in problems(&split) {
                check(&domain.join("domain.pddl"), &problem);
                count += 1;
            }
        }
    }
    assert!(count > 100, "{count}");
}

#[test]
fn competition_problems_ground_alike() {
    let corpus = root().join("../shared/corpus/ipc");
    if !corpus.exists() {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    }
    let mut count = 0;
    for problem in entries(&corpus).iter().flat_map(|suite| problems(suite)) {
        let stem = problem.file_stem().unwrap_or_default().to_string_lossy();
        let own = problem.with_file_name(format!("{stem}.domain.pddl"));
        let shared = problem.with_file_name("domain.pddl");
        check(if own.exists() { &own } else { &shared }, &problem);
        count += 1;
    }
    assert!(count > 40, "{count}");
}
