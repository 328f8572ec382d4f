//! Recorded trajectories replay on the tape, and recorded probabilities are those of the engine.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::reference::{self, Problem, close, folders};
use herbrand_core::Choice;
use herbrand_rddl::draw::Quantiles;
use herbrand_rddl::ground::{ExactStep, compile};
use herbrand_rddl::simulate::{FluentValue, Fluents, Preconditions, RddlSimulator, StepError};
use serde_json::Value;

/// The places of named fluents.
fn places(problem: &Problem, fluents: &Fluents, names: &Value) -> Vec<usize> {
    let known: std::collections::HashMap<String, usize> = (0..fluents.len())
        .map(|at| (problem.process.name(fluents, at), at))
        .collect();
    let place = |name: &Value| known[name.as_str().unwrap()];
    names
        .as_array()
        .map_or_else(Vec::new, |names| names.iter().map(place).collect())
}

fn agree(problem: &Problem, fluents: &Fluents, at: usize, found: FluentValue, expected: &Value) -> bool {
    match (found, problem.value(fluents, at, expected)) {
        (FluentValue::Real(found), FluentValue::Real(expected)) => close(found, expected, 1e-9),
        (found, expected) => found == expected,
    }
}

struct Replay {
    problem: Problem,
    simulator: RddlSimulator,
    state: Vec<usize>,
    interm: Vec<usize>,
    observ: Vec<usize>,
    horizon: u64,
    preconditions: usize,
}

impl Replay {
    fn new(folder: &Path, header: &Value) -> Self {
        let problem = Problem::load(folder, header["instance"].as_str().unwrap());
        let process = Arc::clone(&problem.process);
        Self {
            state: places(&problem, &process.state, &header["state_names"]),
            interm: places(&problem, &process.interm, &header["interm_names"]),
            observ: places(&problem, &process.observ, &header["observ_names"]),
            simulator: RddlSimulator::new(process, Preconditions::Reported),
            problem,
            horizon: header["horizon"].as_u64().unwrap(),
            preconditions: header["preconditions"].as_u64().unwrap() as usize,
        }
    }

    fn go_to(&mut self, state: &Value) {
        let process = &self.problem.process;
        let mut values = process.initial().clone();
        for (&at, value) in self.state.iter().zip(state.as_array().unwrap()) {
            let value = self.problem.value(&process.state, at, value);
            assert!(process.state.section().set(&mut values, at, value));
        }
        self.simulator.go_to(&values).unwrap();
    }

    /// Takes a recorded step; what differs comes back.
    fn step(&mut self, line: &Value, next: &Value) -> Vec<String> {
        self.go_to(&line["state"]);
        let joint: Vec<Choice> = self.problem.joint(&line["action"]);
        let taken = self
            .simulator
            .advance(&joint, &Quantiles::at(line["u"].as_f64().unwrap()));
        let mut faults = Vec::new();
        let transition = match taken {
            Ok(_) if line.get("error").is_some() => return vec![format!("no error: {}", line["error"])],
            Ok(transition) => transition,
            Err(StepError::Value { .. }) if line.get("error").is_some() => return faults,
            Err(error) => return vec![error.to_string()],
        };
        let reward = reference::real(&line["reward"]);
        if !close(transition.reward, reward, 1e-9) {
            faults.push(format!("reward {}, not {reward}", transition.reward));
        }
        let violated: Vec<usize> = self
            .simulator
            .violated()
            .filter(|&number| number < self.preconditions)
            .collect();
        if serde_json::json!(violated) != line["precondition_violated"] {
            faults.push(format!(
                "violated {violated:?}, not {}",
                line["precondition_violated"]
            ));
        }
        if Value::Bool(transition.status.terminal) != line["terminated"] {
            faults.push(format!("terminated {}", transition.status.terminal));
        }
        let cut = transition.status.broken || line["step"].as_u64().unwrap() + 1 == self.horizon;
        if Value::Bool(cut) != line["truncated"] {
            faults.push(format!("truncated {cut}"));
        }
        let process = Arc::clone(&self.problem.process);
        let simulator = &self.simulator;
        let mut compare = |fluents: &Fluents,
                           places: &[usize],
                           values: &Value,
                           read: &dyn Fn(usize) -> Option<FluentValue>| {
            for (&at, expected) in places.iter().zip(values.as_array().into_iter().flatten()) {
                let found = read(at).unwrap();
                if !agree(&self.problem, fluents, at, found, expected) {
                    faults.push(format!(
                        "{} = {found:?}, not {expected}",
                        process.name(fluents, at)
                    ));
                }
            }
        };
        compare(&process.interm, &self.interm, &line["interm"], &|at| {
            simulator.interm(at)
        });
        compare(&process.observ, &self.observ, &line["observ"], &|at| {
            simulator.observed(at)
        });
        compare(&process.state, &self.state, &next["state"], &|at| {
            Some(simulator.fluent(at))
        });
        faults
    }
}

/// Replays a trace of a problem in `folder`: how many steps it has. What differs is added to `faults`.
fn replay(path: &Path, folder: &Path, faults: &mut Vec<String>) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    let mut replay = Replay::new(folder, &lines.next().unwrap());
    let lines: Vec<Value> = lines.collect();
    let mut steps = 0;
    for (line, next) in lines.iter().zip(lines.iter().skip(1)) {
        if line.get("u").is_none() {
            continue;
        }
        steps += 1;
        let found = replay.step(line, next);
        if !found.is_empty() && faults.len() < 60 {
            let name = path.display();
            let shown = &found[..found.len().min(3)];
            faults.push(format!(
                "{name} walk {} step {}: {shown:?}",
                line["walk"], line["step"]
            ));
        }
    }
    steps
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

/// The traces are of the first instances, in the format of the reference data, recorded with pyRDDLGym 2.7.
#[test]
fn recorded_trajectories_of_the_bundled_environments_replay() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut steps, mut faults) = (0, Vec::new());
    for environment in herbrand_domains::environments() {
        let name = environment.name;
        let trace = root.join(format!("tests/bundled/{name}.trace.jsonl"));
        let folder = root.join(format!("../../domains/rddl/{name}"));
        steps += replay(&trace, &folder, &mut faults);
    }
    assert_none(&faults);
    assert_eq!(steps, 1_688);
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
        let exact = ExactStep::new(&problem.process.instance).unwrap();
        let process = &problem.process;
        let places = places(&problem, &process.state, &header["state_names"]);
        let mut simulator = RddlSimulator::new(Arc::clone(process), Preconditions::Reported);
        files += 1;
        for line in lines {
            let mut state = process.initial().clone();
            for (&at, value) in places.iter().zip(line["state"].as_array().unwrap()) {
                let value = FluentValue::Bool(value.as_u64() == Some(1));
                assert!(process.state.section().set(&mut state, at, value));
            }
            let joint = problem.joint(&line["action"]);
            for (&at, expected) in places.iter().zip(line["p"].as_array().unwrap()) {
                let distribution = exact.distribution(&state, &joint, at).unwrap();
                let of_true = distribution
                    .iter()
                    .find(|(value, _)| *value == FluentValue::Bool(true));
                let (found, expected) = (of_true.map_or(0.0, |&(_, p)| p), expected.as_f64().unwrap());
                let name = process.name(&process.state, at);
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
    let guards = herbrand_rddl::ground::Guards::of(&problem.process.instance, &limits).unwrap();
    assert_eq!(
        guards.program().to_string(),
        "sum_1(X, Y) :- CONNECTED(Y, X).\nsum_2(X, Y) :- CONNECTED(Y, X).\n"
    );
    let _ = compile(&problem.process.instance).unwrap();
}
