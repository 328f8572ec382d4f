//! Names of problems in installed packages.

use std::fs;
use std::path::{Path, PathBuf};

use herbrand_collections::{Collection, CollectionError, ProblemSet, Search};
use herbrand_env::{ActionMode, Suite};
use herbrand_limits::Limits;
use herbrand_rddl_sim::suite::RddlSuite;
use tempfile::TempDir;

pub const DOMAIN: &str =
    "(define (domain lamps) (:predicates (on ?x)) (:action light :parameters (?x) :effect (on ?x)))";
pub const PROBLEM: &str = "(define (problem p) (:domain lamps) (:objects a) (:init) (:goal (on a)))";
pub const RDDL: &str = "domain counter { pvariables { n : { state-fluent, int, default = 0 }; }; cpfs { n' = n + 1; }; reward = n; }";
pub const INSTANCE: &str = "instance i { domain = counter; horizon = 5; discount = 1.0; }";

fn write(root: &Path, files: &[(&str, &str)]) {
    for (path, text) in files {
        let path = root.join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it is made");
        fs::write(path, text).expect("it is written");
    }
}

/// Writes packages, and returns the search that finds only them.
fn packages(files: &[(&str, &str)]) -> (TempDir, Search) {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), files);
    let search = Search {
        folders: vec![PathBuf::from("no such folder"), folder.path().to_owned()],
        python: None,
        cache: Some(folder.path().join("cache")),
    };
    (folder, search)
}

/// Compiles all problems of a name, and returns the suite's name and its problems'.
fn compiled(search: &Search, name: &str) -> (String, Vec<String>) {
    match search
        .find(name)
        .unwrap_or_else(|error| panic!("{name}: {error}"))
    {
        ProblemSet::Pddl(files) => {
            let suite = Suite::new(files, ActionMode::Declared).expect("a sound domain");
            let names = (0..suite.len()).map(|index| {
                suite.instance(index).expect("a sound problem");
                suite.full_problem_name(index).expect("it is there")
            });
            (suite.name().to_owned(), names.collect())
        }
        ProblemSet::Rddl { name, sources } => {
            let suite = RddlSuite::from_named_files(Some(&name), &sources, Limits::default()).expect("sound");
            let names = (0..suite.len()).map(|index| {
                suite.compiled(index).expect("a sound instance");
                suite.problem_name(index).expect("it is there").to_owned()
            });
            (suite.name().to_owned(), names.collect())
        }
    }
}

fn error(search: &Search, name: &str) -> String {
    search.find(name).expect_err(name).to_string()
}

#[test]
fn pddlgym_has_a_file_per_domain_and_folders_of_problems() {
    let (_folder, search) = packages(&[
        ("pddlgym/__init__.py", ""),
        ("pddlgym/pddl/lamps.pddl", DOMAIN),
        ("pddlgym/pddl/lamps/p10.pddl", PROBLEM),
        ("pddlgym/pddl/lamps/p9.pddl", PROBLEM),
        ("pddlgym/pddl/lamps_test/p1.pddl", PROBLEM),
        ("pddlgym/pddl/lonely.pddl", DOMAIN),
    ]);
    let expected = ["train/p9", "train/p10", "test/p1"].map(str::to_owned);
    assert_eq!(
        compiled(&search, "pddlgym:lamps"),
        ("pddlgym:lamps".to_owned(), expected.to_vec())
    );
    let names = search.names(Collection::PddlGym).expect("it is installed");
    assert_eq!(names, ["pddlgym:lamps"]);
    assert_eq!(
        error(&search, "pddlgym:lamp"),
        "pddlgym has no `lamp`: `herbrand domains pddlgym:` lists the 1 names; did you mean `pddlgym:lamps`?"
    );
    for name in ["pddlgym:", "pddlgym:../pddl/lamps", "pddlgym:lamps/p9"] {
        assert!(
            matches!(search.find(name), Err(CollectionError::Unknown { .. })),
            "{name}"
        );
    }
}

#[test]
fn rddlrepository_has_a_folder_per_problem_with_a_name() {
    let about = "info = {\n    'name': 'Counter_MDP',\n    'context': 'ippc2011',\n}";
    let (_folder, search) = packages(&[
        ("rddlrepository/__init__.py", ""),
        (
            "rddlrepository/archive/competitions/IPPC2011/Counter/domain.rddl",
            RDDL,
        ),
        (
            "rddlrepository/archive/competitions/IPPC2011/Counter/instance2.rddl",
            INSTANCE,
        ),
        (
            "rddlrepository/archive/competitions/IPPC2011/Counter/__init__.py",
            about,
        ),
        ("rddlrepository/archive/unnamed/domain.rddl", RDDL),
    ]);
    let name = "rddlrepository:Counter_MDP_ippc2011".to_owned();
    assert_eq!(
        compiled(&search, &name),
        (name.clone(), vec!["instance2".to_owned()])
    );
    assert_eq!(
        search.names(Collection::RddlRepository).expect("installed"),
        [name]
    );
}

#[test]
fn data_sets_have_a_domain_per_folder_or_per_problem() {
    let other = DOMAIN.replace("lamps", "others");
    let problem = PROBLEM.replace("lamps", "others");
    let data = "pypddl-datasets/data/classical";
    let files = [
        ("flat/domain.pddl", DOMAIN),
        ("flat/p2.pddl", PROBLEM),
        ("several/p01-domain.pddl", DOMAIN),
        ("several/p01.pddl", PROBLEM),
        ("several/p02-domain.pddl", &other),
        ("several/p02.pddl", &problem),
        ("by-name/a.pddl", DOMAIN),
        ("by-name/b.pddl", &other),
        ("by-name/p.pddl", &problem),
        ("none/p.pddl", PROBLEM),
        ("domain-only/domain.pddl", DOMAIN),
    ]
    .map(|(path, text)| (format!("{data}/{path}"), text));
    let files = files.each_ref().map(|(path, text)| (path.as_str(), *text));
    let (_folder, search) = packages(&files);
    let flat = "pypddl-datasets:classical/flat".to_owned();
    assert_eq!(compiled(&search, &flat), (flat, vec!["p2".to_owned()]));
    assert_eq!(
        error(&search, "pypddl-datasets:classical/several"),
        "`pypddl-datasets:classical/several` has several domains: name one of its problems, such as \
         `pypddl-datasets:classical/several/p01.pddl`"
    );
    for (name, domain) in [
        ("pypddl-datasets:classical/several/p01.pddl", "lamps"),
        ("pypddl-datasets:classical/several/p02.pddl", "others"),
        ("pypddl-datasets:classical/by-name", "others"),
    ] {
        let Ok(ProblemSet::Pddl(files)) = search.find(name) else {
            panic!("{name}")
        };
        let suite = Suite::new(files, ActionMode::Declared).expect("a sound domain");
        assert_eq!((suite.domain().name.as_str(), suite.len()), (domain, 1), "{name}");
    }
    assert!(error(&search, "pypddl-datasets:classical/none").contains("has no domain for"));
    assert_eq!(
        error(&search, "pypddl-datasets:classical/domain-only"),
        "`pypddl-datasets:classical/domain-only` has no problems"
    );
    for name in [
        "pypddl-datasets:classical",
        "pypddl-datasets:../data/classical/flat",
        "pypddl-datasets:/etc",
    ] {
        assert!(
            matches!(search.find(name), Err(CollectionError::Unknown { .. })),
            "{name}"
        );
    }
    assert_eq!(
        search
            .names(Collection::PypddlDatasets)
            .expect("it is there")
            .len(),
        5
    );
}

#[test]
fn a_missing_package_says_what_to_install() {
    let (_folder, search) = packages(&[]);
    assert_eq!(
        error(&search, "pddlgym:lamps"),
        "the Python package pddlgym is not installed: run `pip install pddlgym`, or name the folder in which it lies in \
         HERBRAND_PACKAGES"
    );
    let python = Some(PathBuf::from("no-such-python"));
    let message = error(
        &Search {
            python,
            ..search.clone()
        },
        "rddlrepository:x",
    );
    assert!(
        message.contains("(no-such-python: ") && message.contains("pip install rddlrepository"),
        "{message}"
    );
    assert_eq!(
        error(&search, "fetched:lamps"),
        "fetched has no `lamps`: nothing was fetched yet, `herbrand fetch` does"
    );
    assert!(error(&search, "lamps").contains("begin with pddlgym:, rddlrepository:"));
}
