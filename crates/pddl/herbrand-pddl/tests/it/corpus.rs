//! Tests that all bundled files, and all files of the corpus if it is present, are parsed without errors.

use std::fs;
use std::path::{Path, PathBuf};

use herbrand_pddl::{
    Checked, Diagnostic, Domain, Problem, ReadOptions, Severity, Source, never_true, read, start_doubts,
};

/// Returns the `.pddl` files under `folder`, sorted.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pddl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub(super) fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus");
    if !folder.is_dir() {
        eprintln!("skipped: there is no corpus at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Whether a file of the corpus uses the supported language alone. Hostile texts are covered by the tests of limits; some of the
/// temporal texts have preferences and trajectory constraints.
pub(super) fn is_readable(path: &Path, corpus: &Path) -> bool {
    if path.starts_with(corpus.join("hostile")) {
        return false;
    }
    let folder = path.parent().unwrap();
    let texts = [folder.join("domain.pddl"), folder.join("problem.pddl")];
    let mut texts = texts.iter().filter_map(|path| fs::read_to_string(path).ok());
    !path.starts_with(corpus.join("temporal"))
        || texts.all(|text| !text.contains("(preference") && !text.contains("(:constraints"))
}

fn assert_no_errors(diagnostics: &[Diagnostic]) {
    let errors: Vec<String> = diagnostics
        .iter()
        .filter(|d| d.severity() == Severity::Error)
        .map(ToString::to_string)
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n\n"));
    if std::env::var_os("SHOW_WARNINGS").is_some() {
        for d in diagnostics {
            if !matches!(d.code().as_str(), "W0602" | "W0603") {
                eprintln!("{d}\n");
            }
        }
    }
}

fn value<T>(reading: Checked<T>) -> T {
    assert_no_errors(&reading.diagnostics);
    reading.value.unwrap()
}

/// Returns the candidates for the domain of a problem file: the file itself, and the names that the corpus uses for domains.
pub(super) fn domains_for(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().unwrap();
    let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
    [
        path.to_owned(),
        folder.join("domain.pddl"),
        folder.join(format!("{stem}.domain.pddl")),
        folder.join(format!("{stem}-domain.pddl")),
        folder.join(format!("domain_{stem}.pddl")),
        folder.join(format!("{stem}_domain.pddl")),
        folder.join(format!("{}-domain.pddl", stem.trim_end_matches("-problem"))),
        folder.join(format!(
            "{}.pddl",
            stem.rsplit_once('-').map_or("", |(name, _)| name)
        )),
        folder.join(format!("{}.d.pddl", stem.trim_end_matches(".p"))),
        folder.parent().unwrap().join("domain.pddl"),
    ]
    .into_iter()
    .filter(|path| path.is_file())
    .collect()
}

/// Asserts that a domain is unchanged after printing and parsing.
fn assert_domain_round_trip(domain: &Domain) {
    let text = domain.to_pddl();
    let again = Domain::from_text(&text).unwrap();
    assert!(again == *domain, "{text}");
    assert_eq!(again.to_pddl(), text);
}

/// Asserts that a problem is unchanged after printing and parsing.
fn assert_problem_round_trip(problem: &Problem, domain: &Domain) {
    let text = problem.to_pddl(domain);
    let again = Problem::from_text(&text, domain).unwrap();
    assert!(again == *problem, "{text}");
    assert_eq!(again.to_pddl(domain), text);
}

#[test]
fn the_bundled_domains_are_read_without_a_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../domains");
    let strict = ReadOptions {
        strict: true,
        ..ReadOptions::default()
    };
    for path in files(&folder) {
        let source = Source::from_file(&path).unwrap();
        let document = read(&source, &strict);
        assert_no_errors(document.diagnostics());
        for domain in document.domains() {
            assert_domain_round_trip(&value(domain.check()));
        }
        for problem in document.problems() {
            let mut folders = path.ancestors().map(|folder| folder.join("domain.pddl"));
            let domain = folders.find(|path| path.is_file()).unwrap();
            let domain = Domain::from_file(domain).unwrap();
            assert_eq!(problem.missing_sections(), [], "{}", path.display());
            let problem = value(problem.check(&domain));
            assert_eq!(never_true(&domain, &problem, true), [], "{}", path.display());
            assert_eq!(start_doubts(&domain, &problem, true), [], "{}", path.display());
            assert_problem_round_trip(&problem, &domain);
        }
    }
}

#[test]
fn every_file_of_the_corpus_is_read() {
    let Some(corpus) = corpus() else { return };
    let (mut domains, mut problems) = (0, 0);
    for path in files(&corpus).iter().filter(|path| is_readable(path, &corpus)) {
        let source = Source::from_file(path).unwrap();
        let document = read(&source, &ReadOptions::default());
        assert_no_errors(document.diagnostics());
        for domain in document.domains() {
            assert_domain_round_trip(&value(domain.check()));
            domains += 1;
        }
        for problem in document.problems() {
            let domain = domains_for(path)
                .into_iter()
                .find_map(|path| Domain::from_file(path).ok())
                .unwrap_or_else(|| panic!("no domain for {}", path.display()));
            assert_problem_round_trip(&value(problem.check(&domain)), &domain);
            problems += 1;
        }
    }
    eprintln!("{domains} domains and {problems} problems");
    assert!(domains >= 90 && problems >= 190);
}
