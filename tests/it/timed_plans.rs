//! Plans with times: the verdicts of other validators, and the words for faults.

use std::fs;
use std::path::{Path, PathBuf};

use herbrand::env::{ActionMode, Suite, SuiteFiles};
use herbrand::pddl::Source;
use herbrand::tasks::validate::{GoalReport, ValidateAnswer, ValidateQuery, validate};
use herbrand::tasks::{AnyProblems, Run};
use serde_json::Value;

/// Returns a folder of the corpus; `None`, with a message, if there is none.
fn corpus(folder: &str) -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../shared/corpus")
        .join(folder);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: there is no corpus at {}", folder.display());
    None
}

fn problems(domain: &str, problem: &str) -> AnyProblems {
    let files = [("domain.pddl", domain), ("problem.pddl", problem)];
    let files = files.map(|(name, text)| (name.to_owned(), Source::new(name, text)));
    let mut suites = SuiteFiles::from_folder("timed", files).expect("a problem");
    AnyProblems::Pddl(Suite::new(suites.remove(0), ActionMode::Operators).expect("a domain"))
}

fn report(problems: &AnyProblems, plan: &str) -> GoalReport {
    let query = ValidateQuery {
        plan: plan.to_owned(),
        ..ValidateQuery::default()
    };
    match validate(problems, &query, &Run::default()).expect("an executable problem") {
        ValidateAnswer::Goal(report) => *report,
        other => unreachable!("a plan in PDDL reaches a goal or not: {other:?}"),
    }
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns the lines of a file with one JSON value each.
fn lines(path: &Path) -> Vec<Value> {
    let text = text(path);
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("JSON"));
    lines.collect()
}

#[test]
fn rules_are_judged_as_val_does() {
    let Some(folder) = corpus("temporal-rules") else {
        return;
    };
    let domain = text(&folder.join("domain.pddl"));
    for case in lines(&folder.join("cases.jsonl")) {
        let name = case["case"].as_str().expect("a name");
        let problem = text(&folder.join(format!("{name}.pddl")));
        let report = report(
            &problems(&domain, &problem),
            &text(&folder.join(format!("{name}.plan"))),
        );
        assert_eq!(
            Some(report.valid),
            case["val_001"].as_bool(),
            "{name}: {report:?}"
        );
    }
}

#[test]
fn competition_plans_are_judged_as_val_and_kairos_do() {
    let Some(folder) = corpus("temporal") else {
        return;
    };
    let mut folders: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().collect();
    folders.sort_by_key(fs::DirEntry::path);
    let (mut judged, mut wrong) = (0, Vec::new());
    for folder in folders
        .iter()
        .map(fs::DirEntry::path)
        .filter(|path| path.is_dir())
    {
        let verdicts = lines(&folder.join("verdicts.jsonl"));
        let features = verdicts[0]["features"].as_array().expect("a list");
        if features
            .iter()
            .any(|feature| feature == "preferences" || feature == "constraints")
        {
            continue;
        }
        let problems = problems(
            &text(&folder.join("domain.pddl")),
            &text(&folder.join("problem.pddl")),
        );
        for verdict in &verdicts[1..] {
            let (val, kairos) = (verdict["val"].as_bool(), verdict["kairos"].as_bool());
            if val != kairos {
                continue;
            }
            let plan = verdict["plan"].as_str().expect("a name");
            let report = report(&problems, &text(&folder.join(plan)));
            judged += 1;
            if Some(report.valid) != val {
                wrong.push(format!(
                    "{}/{plan} {val:?}: {:?}",
                    folder.display(),
                    report.failure
                ));
            }
            if let (Some(expected), Some(metric)) = (verdict["val_value"].as_f64(), report.metric)
                && report.valid
                && (expected - metric).abs() > 0.01 * expected.abs().max(1.0)
            {
                wrong.push(format!(
                    "{}/{plan}: metric {metric}, not {expected}",
                    folder.display()
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {judged}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(judged >= 1000, "only {judged} plans");
}
