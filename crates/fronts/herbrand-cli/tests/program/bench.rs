//! `bench`.

use crate::run::Scratch;

#[test]
fn domains_are_measured() {
    let scratch = Scratch::new("bench");
    let bench = |more: &str| {
        let run = scratch.shell(&format!("herbrand bench hanoi tireworld --seconds 0.01 {more}"));
        assert_eq!(run.status, 0, "{}", run.stderr);
        run
    };
    for engine in ["automatic", "grounded", "lifted"] {
        let report = bench(&format!("--format json --engine {engine}")).json();
        for (at, name) in ["hanoi", "tireworld"].into_iter().enumerate() {
            let row = &report[at];
            assert_eq!(row["domain"], name);
            assert!(
                row["steps_per_s"].as_f64() > Some(0.0) && row["problems"].as_u64() >= Some(20),
                "{row}"
            );
            // Under a second and over a microsecond: seconds are meant, and of one problem.
            let first_step = row["first_step_seconds"].as_f64();
            assert!(first_step > Some(1e-6) && first_step < Some(1.0), "{row}");
        }
    }
    let table = bench("").stdout;
    let head = table.lines().next().expect("a head");
    assert!(head.trim_end().ends_with("steps/s"), "{table}");
    assert!(
        table.contains("tireworld") && table.contains("probabilistic-effects"),
        "{table}"
    );
}
