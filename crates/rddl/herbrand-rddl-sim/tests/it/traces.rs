//! Recorded trajectories are replayed, and recorded probabilities equal those of the engine.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;
use std::sync::Arc;

use herbrand_distributions::Quantiles;
use herbrand_rddl_sim::ground::{ExactStep, compile};
use herbrand_rddl_sim::simulate::{FluentValue, GroundFluents, Preconditions, RddlSimulator};
use herbrand_rddl_sim::trace::Replayer;
use serde_json::Value;

use crate::reference::{self, Problem, close, folders};

/// Returns the indices of named fluents.
fn places(problem: &Problem, fluents: &GroundFluents, names: &Value) -> Vec<usize> {
    let known: std::collections::HashMap<String, usize> = (0..fluents.len())
        .map(|at| (problem.compiled.name(fluents, at), at))
        .collect();
    let place = |name: &Value| known[name.as_str().unwrap()];
    names
        .as_array()
        .map_or_else(Vec::new, |names| names.iter().map(place).collect())
}

/// Replays a trace of a problem in `folder`. Its header names the file of the instance, or a bundled environment and the
/// instance's name. Returns its number of steps, and adds mismatches to `faults`.
fn replay(path: &Path, folder: &Path, faults: &mut Vec<String>) -> u64 {
    let mut lines = BufReader::new(File::open(path).unwrap());
    let header = Replayer::read_header(&mut lines).unwrap();
    let problem = if header.domain.starts_with("rddl/") {
        assert!(folder.ends_with(&header.domain), "{}", path.display());
        Problem::load(folder, &format!("{}.rddl", header.instance))
    } else {
        Problem::load(folder, &header.instance)
    };
    let replay = Replayer::new(&problem.compiled, header).unwrap().replay(lines);
    let replay = replay.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    faults.extend(replay.first.map(|first| format!("{}: {first}", path.display())));
    let warnings = replay.warnings.iter();
    faults.extend(warnings.map(|warning| format!("{}: {warning}", path.display())));
    replay.states
}

fn assert_none(faults: &[String]) {
    assert!(
        faults.is_empty(),
        "{}\n{} faults",
        faults.join("\n"),
        faults.len()
    );
}

#[test]
fn recorded_trajectories_replay() {
    let Some(folders) = folders() else { return };
    let (mut steps, mut files, mut faults) = (0, 0, Vec::new());
    for folder in &folders {
        for path in reference::files(folder, ".trace.jsonl") {
            files += 1;
            steps += replay(&path, folder, &mut faults);
        }
    }
    assert_none(&faults);
    assert!(files >= 132 && steps >= 9_428, "{files} files, {steps} steps");
}

/// The traces of the first instances, in the format of the reference data, recorded with pyRDDLGym 2.7.
#[test]
fn recorded_trajectories_of_the_bundled_environments_replay() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut steps, mut faults) = (0, Vec::new());
    for environment in herbrand_domains::environments() {
        let name = environment.name;
        let trace = root.join(format!("tests/bundled/{name}.trace.jsonl"));
        let folder = root.join(format!("../../../domains/rddl/{name}"));
        steps += replay(&trace, &folder, &mut faults);
    }
    assert_none(&faults);
    assert_eq!(steps, 1_720);
}

#[test]
fn recorded_probabilities_are_exact() {
    let Some(folders) = folders() else { return };
    let (mut compared, mut files) = (0, 0);
    for path in folders
        .iter()
        .flat_map(|folder| reference::files(folder, ".probs.jsonl"))
    {
        let text = fs::read_to_string(&path).unwrap();
        let mut lines = text
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let header = lines.next().unwrap();
        let problem = Problem::load(path.parent().unwrap(), header["instance"].as_str().unwrap());
        let exact = ExactStep::new(&problem.compiled.instance).unwrap();
        let compiled = &problem.compiled;
        let places = places(&problem, &compiled.state, &header["state_names"]);
        let mut simulator = RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported);
        files += 1;
        for line in lines {
            let mut state = compiled.initial().clone();
            for (&at, value) in places.iter().zip(line["state"].as_array().unwrap()) {
                let value = FluentValue::Bool(value.as_u64() == Some(1));
                assert!(compiled.state.section().set(&mut state, at, value));
            }
            let joint = problem.joint(&line["action"]);
            for (&at, expected) in places.iter().zip(line["p"].as_array().unwrap()) {
                let distribution = exact.distribution(&state, &joint, at).unwrap();
                let of_true = distribution
                    .iter()
                    .find(|(value, _)| *value == FluentValue::Bool(true));
                let (found, expected) = (of_true.map_or(0.0, |&(_, p)| p), expected.as_f64().unwrap());
                let name = compiled.name(&compiled.state, at);
                assert!(
                    (found - expected).abs() <= 1e-12,
                    "{name}: {found}, not {expected}"
                );
                compared += 1;
            }
            if let Some(reward) = line.get("reward") {
                simulator.go_to(&state).unwrap();
                let transition = simulator.advance(&joint, &Quantiles::at(0.5)).unwrap();
                let (found, expected) = (transition.reward, reference::real(reward));
                assert!(
                    close(found, expected, 1e-9),
                    "{}: {found}, not {expected}",
                    path.display()
                );
            }
        }
    }
    assert!(
        files >= 58 && compared > 10_000,
        "{files} files, {compared} probabilities"
    );
}

#[test]
fn the_program_of_guards_is_printed() {
    let Some(folders) = folders() else { return };
    let folder = folders
        .iter()
        .find(|folder| folder.ends_with("SysAdmin_MDP_ippc2011"))
        .unwrap();
    let problem = Problem::load(folder, "instance1.rddl");
    let limits = herbrand_datalog::Limits::default();
    let guards = herbrand_rddl_sim::ground::Guards::of(&problem.compiled.instance, &limits).unwrap();
    assert_eq!(
        guards.program().to_string(),
        "sum_1(X, Y) :- CONNECTED(Y, X).\nsum_2(X, Y) :- CONNECTED(Y, X).\n"
    );
    let _ = compile(&problem.compiled.instance).unwrap();
}
