//! `bench`.

use crate::run::herbrand;

#[test]
fn domains_are_measured() {
    let arguments = ["bench", "hanoi", "tireworld", "--seconds", "0.01"];
    let run = herbrand(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report = run.json();
    for (row, name) in report
        .as_array()
        .expect("rows")
        .iter()
        .zip(["hanoi", "tireworld"])
    {
        assert_eq!(row["domain"], name);
        assert!(
            row["steps_per_s"].as_f64() > Some(0.0) && row["problems"].as_u64() >= Some(20),
            "{row}"
        );
        // Under a second and over a microsecond: seconds are meant, and of one problem.
        let first_step = row["first_step_seconds"].as_f64();
        assert!(first_step > Some(1e-6) && first_step < Some(1.0), "{row}");
    }
    let table = herbrand(&arguments).stdout;
    let head = table.lines().next().expect("a head");
    assert!(head.trim_end().ends_with("steps/s"), "{table}");
    assert!(
        table.contains("tireworld") && table.contains("probabilistic-effects"),
        "{table}"
    );
}

#[test]
fn other_engines_are_measured() {
    let bench = [
        "bench",
        "hanoi",
        "--seconds",
        "0.01",
        "--format",
        "json",
        "--engine",
    ];
    for engine in ["grounded", "lifted"] {
        let run = herbrand(&[&bench[..], &[engine]].concat());
        assert_eq!(run.status, 0, "{}", run.stderr);
        assert!(run.json()[0]["steps_per_s"].as_f64() > Some(0.0), "{engine}");
    }
}
