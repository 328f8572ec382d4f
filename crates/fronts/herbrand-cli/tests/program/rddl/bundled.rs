//! Traces of the reference corpus, and all bundled environments. The pages `rddl-*.md` have the rest.

use std::fs;
use std::path::Path;

use crate::run::{herbrand, listed};

#[test]
fn traces_of_the_reference_corpus_replay() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/corpus/rddl");
    if !corpus.is_dir() {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    }
    for name in ["SysAdmin_POMDP_ippc2011", "UAV_Mixed", "Own_Objects"] {
        let files = fs::read_dir(corpus.join(name)).expect("a folder").flatten();
        let paths = files.map(|file| file.path().to_string_lossy().into_owned());
        let traces: Vec<_> = paths.filter(|path| path.ends_with(".trace.jsonl")).collect();
        let traces: Vec<&str> = traces.iter().map(String::as_str).collect();
        let run = herbrand(&[&["replay", "--format", "json"][..], &traces].concat());
        assert_eq!(run.status, 0, "{name}: {}", run.stderr);
        let report = run.json();
        assert_eq!(report["traces"], traces.len(), "{name}");
        assert_eq!(report["mismatches"], 0, "{name}: {report}");
    }
}

#[test]
fn bundled_environments_are_listed_and_measured() {
    let rows = listed("rddl");
    assert_eq!(rows.len(), 37);
    for row in &rows {
        assert!(
            row["domain"]
                .as_str()
                .is_some_and(|name| name.starts_with("rddl/")),
            "{row}"
        );
        assert!(
            row["description"].as_str().is_some_and(|text| !text.is_empty()),
            "{row}"
        );
        assert_eq!(row["problems"], 5, "{row}");
        assert!(row["actions"]["least"].as_u64() > Some(0), "{row}");
    }
    let text = herbrand(&["domains"]).stdout;
    assert!(
        text.contains("\nrddl/cartpole-continuous ") && text.contains("partially-observed"),
        "{text}"
    );
    let bench = herbrand(&[
        "bench",
        "rddl/navigation-mdp",
        "--seconds",
        "0.05",
        "--format",
        "json",
    ]);
    assert_eq!(bench.status, 0, "{}", bench.stderr);
    assert!(bench.json()[0]["steps_per_s"].as_f64() > Some(0.0));
}

#[test]
fn the_first_step_takes_time_of_its_own() {
    let words = ["ground", "rddl/elevators", "--first-step", "--format", "json"];
    let report = herbrand(&words).json();
    assert!(
        report["first_step_seconds"].as_f64() >= report["seconds"].as_f64(),
        "{report}"
    );
}
