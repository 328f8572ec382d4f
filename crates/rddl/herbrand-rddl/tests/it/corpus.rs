//! Every problem of the reference corpus is parsed, checked, printed and parsed again. Every expression that the reference
//! rejects when loading is rejected here.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use herbrand_rddl::{Domain, Instance, Severity, Source};
use serde_json::Value;

/// Returns the corpus, which is next to the checkout; `None` if it is missing.
pub(super) fn corpus() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/rddl");
    if !folder.is_dir() {
        eprintln!("skipped: no corpus at {}", folder.display());
        return None;
    }
    Some(folder)
}

/// Returns the domain of each problem under `folder`, with its instances.
pub(super) fn problems(folder: &Path) -> Vec<(PathBuf, Vec<PathBuf>)> {
    let mut folders = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        open.extend(entries.filter(|path| path.is_dir()));
        if folder.join("domain.rddl").is_file() {
            folders.push(folder);
        }
    }
    folders.sort();
    folders
        .into_iter()
        .map(|folder| {
            let mut instances: Vec<PathBuf> = fs::read_dir(&folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
                .filter(|path| {
                    path.extension().is_some_and(|e| e == "rddl") && !path.ends_with("domain.rddl")
                })
                .collect();
            instances.sort();
            (folder.join("domain.rddl"), instances)
        })
        .collect()
}

/// Parses a problem, prints it and parses the text. Returns faults as an error.
fn read_and_print(domain: &Path, instances: &[PathBuf]) -> Result<(), String> {
    let source = Source::from_file(domain).unwrap();
    let (domain, warnings) =
        Domain::parse_with_warnings(std::slice::from_ref(&source)).map_err(|faults| faults.to_string())?;
    if std::env::var_os("SHOW_WARNINGS").is_some() {
        warnings.iter().for_each(|warning| println!("{warning}"));
    }
    let printed =
        Domain::from_text(&domain.to_rddl()).map_err(|faults| format!("as printed: {faults}\n{domain}"))?;
    if printed != domain {
        return Err(format!("printed differently:\n{domain}\n{printed}"));
    }
    let domain = Arc::new(domain);
    for path in instances {
        let source = Source::from_file(path).unwrap();
        let instance = Instance::parse(&[source], &domain).map_err(|faults| faults.to_string())?;
        let printed = Instance::parse(&[Source::new("printed", &instance.to_rddl())], &domain)
            .map_err(|faults| format!("as printed: {faults}"))?;
        if printed != instance {
            return Err(format!("{} is printed differently", path.display()));
        }
    }
    Ok(())
}

#[test]
fn every_problem_is_read_and_printed() {
    // Other collections of problems in the same layout can be given.
    let named = std::env::var_os("RDDL_PROBLEMS").map(PathBuf::from);
    let Some(folder) = named.or_else(corpus) else {
        return;
    };
    let problems = problems(&folder);
    assert!(!problems.is_empty());
    let faults: Vec<String> = problems
        .iter()
        .filter_map(|(domain, instances)| {
            let fault = read_and_print(domain, instances).err()?;
            Some(format!("{}:\n{fault}", domain.display()))
        })
        .collect();
    assert!(
        faults.is_empty(),
        "{} of {} problems:\n{}",
        faults.len(),
        problems.len(),
        faults.join("\n\n")
    );
}

/// Rows of the table that are accepted here although the reference rejects them, with the reason.
const ACCEPTED: &[(&str, &str)] = &[
    ("lexical-7", "exponents are read, with a warning"),
    (
        "aggregation-40",
        "a bound variable may hide a parameter, with a warning",
    ),
    (
        "enum-22",
        "KronDelta takes enum values, as in the language's description",
    ),
    ("switch-7", "a case may leave out the `@`, with a warning"),
    (
        "switch-11",
        "any term can be switched on, as in the language's description",
    ),
    (
        "distribution-17",
        "items that a Discrete does not list have probability 0, as in the language's description",
    ),
    (
        "distribution-20",
        "`otherwise` is read, as in the language's description",
    ),
];

/// Rows of the table that are rejected here although the reference accepts them, with the reason.
const REFUSED: &[(&str, &str)] = &[
    (
        "cast-41",
        "the range of an `if` is that of both branches, whichever is taken",
    ),
    ("cast-53", "DiracDelta gives a real, which is no int"),
    ("enum-23", "an enum value is no object of another type"),
    ("structure-20", "a prime belongs to no name"),
];

#[test]
fn refused_expressions_are_refused() {
    let Some(folder) = corpus() else { return };
    let text = fs::read_to_string(folder.join("expressions.jsonl")).unwrap();
    let mut wrong = Vec::new();
    let mut rows = 0;
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let field = |name: &str| row[name].as_str().unwrap_or_default();
        let id = field("id").split('@').next().unwrap();
        let reading = Instance::from_text(field("domain"), field("instance"));
        let listed = |list: &[(&str, &str)]| list.iter().any(|(name, _)| *name == id);
        let is_refused = row.get("error").is_some();
        let at_loading = field("stage") == "load";
        match &reading {
            Ok(_) if at_loading && !listed(ACCEPTED) => {
                wrong.push(format!("{id} is read: {}", field("expression")))
            }
            Err(faults) if !is_refused && !listed(REFUSED) => {
                wrong.push(format!("{id} is refused:\n{faults}"))
            }
            Err(faults) => {
                let errors = faults
                    .diagnostics()
                    .iter()
                    .filter(|d| d.severity() == Severity::Error);
                assert!(errors.count() > 0, "{id} is refused without a code");
                assert!(!listed(ACCEPTED), "{id}: {faults}");
            }
            Ok(_) => assert!(!listed(REFUSED), "{id} is read"),
        }
        rows += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {rows}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
