//! The table of expressions: each row is a one-step problem with the expected value of its state fluent, or a rejection.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use herbrand_distributions::Quantiles;
use herbrand_rddl::Instance;
use herbrand_rddl_sim::ground::compile;
use herbrand_rddl_sim::simulate::{FluentValue, Preconditions, RddlSimulator};
use serde_json::Value;

use crate::reference::{Problem, close, root};

/// Rows with a different result here, with the reason.
const EXCEPTIONS: &[(&str, &[&str])] = &[
    (
        "division of ints by 0 has no result: the step is refused",
        &["integers-13", "integers-14", "integers-16"],
    ),
    (
        "ranges are checked before values are known: an int is no bool, a DiracDelta no int, an enum value no object",
        &["cast-41", "cast-53", "enum-23"],
    ),
    ("a pvariable is declared without a prime", &["structure-20"]),
    (
        "a wider grammar does no harm: exponents, `otherwise`, enum values without `@` in cases",
        &["lexical-7", "distribution-20@0.3", "switch-7"],
    ),
    (
        "unary plus means the same in a lifted expression",
        &["lexical-31"],
    ),
    (
        "arithmetic is that of IEEE 754: 0 times infinity is NaN, whatever the order of the factors",
        &["ieee-8", "ieee-11", "ieee-13"],
    ),
    (
        "NaN and infinities are no ints: the step is refused",
        &["ieee-58", "ieee-59"],
    ),
    (
        "the gamma function is defined at negative numbers, and infinite at its poles",
        &["function-35", "function-37"],
    ),
    ("a bound variable may hide a parameter", &["aggregation-40"]),
    (
        "KronDelta, switch and Discrete take what the language description gives them",
        &["enum-22", "switch-11", "distribution-17@0.3"],
    ),
];

/// Returns the problem after one step, or the stage and the reason of its rejection.
fn outcome(row: &Value) -> Result<(Problem, RddlSimulator), String> {
    let text = |key: &str| row[key].as_str().unwrap().to_owned();
    let instance = Instance::from_text(&text("domain"), &text("instance")).map_err(|faults| {
        format!(
            "at loading: {}",
            faults
                .to_string()
                .lines()
                .find(|line| line.starts_with("error"))
                .unwrap_or("")
        )
    })?;
    let compiled = Arc::new(compile(&Arc::new(instance)).map_err(|error| error.to_string())?);
    let problem = Problem {
        compiled: Arc::clone(&compiled),
    };
    let mut simulator = RddlSimulator::new(compiled, Preconditions::Reported);
    let u = row["u"].as_f64().unwrap_or(0.5);
    simulator
        .advance(&[], &Quantiles::at(u))
        .map_err(|error| format!("at the step: {error}"))?;
    Ok((problem, simulator))
}

/// Returns whether the values of `s` agree with the row.
fn agrees(row: &Value, problem: &Problem, simulator: &RddlSimulator) -> Result<(), String> {
    let state = &problem.compiled.state;
    let s = problem.compiled.instance.domain.find_pvariable("s").unwrap();
    let first = state.first(s).unwrap();
    let expected = match &row["value"] {
        Value::Array(values) => values.clone(),
        value => vec![value.clone()],
    };
    for (at, expected) in (first..).zip(&expected) {
        let found = simulator.fluent(at);
        let same = match (found, problem.value(state, at, expected)) {
            (FluentValue::Real(found), FluentValue::Real(expected)) => close(found, expected, 1e-9),
            (found, expected) => found == expected,
        };
        if !same {
            return Err(format!("{found:?}, not {expected}"));
        }
    }
    Ok(())
}

#[test]
fn every_row_agrees_or_is_excepted() {
    let Ok(text) = fs::read_to_string(root().join("expressions.jsonl")) else {
        return eprintln!("skipped: the corpus is not at ../shared/corpus");
    };
    let mut excepted: BTreeMap<&str, bool> = EXCEPTIONS
        .iter()
        .flat_map(|(_, rows)| rows.iter().map(|&row| (row, false)))
        .collect();
    let (mut rows, mut faults) = (0, Vec::new());
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        rows += 1;
        let found = match (outcome(&row), row.get("error")) {
            (Err(_), Some(_)) => Ok(()),
            (Err(error), None) => Err(format!("refused {error}, not {}", row["value"])),
            (Ok((_, simulator)), Some(error)) => Err(format!(
                "{:?}, not refused with {error} at {}",
                simulator.fluent(0),
                row["stage"]
            )),
            (Ok((problem, simulator)), None) => agrees(&row, &problem, &simulator),
        };
        let exception = excepted.get_mut(row["id"].as_str().unwrap());
        match (found, exception) {
            (Ok(()), None) => {}
            (Ok(()), Some(_)) => faults.push(format!("{} needs no exception", row["id"])),
            (Err(_), Some(used)) => *used = true,
            (Err(fault), None) => {
                faults.push(format!(
                    "{} {}: {fault} [{}]",
                    row["id"], row["expression"], row["doubtful"]
                ));
            }
        }
    }
    faults.extend(
        excepted
            .iter()
            .filter(|(_, used)| !**used)
            .map(|(row, _)| format!("{row} is unknown")),
    );
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert_eq!(rows, 501);
}
