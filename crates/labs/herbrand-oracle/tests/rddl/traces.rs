//! Compares the interpreter with recorded walks.

use std::path::Path;

use herbrand_distributions::Quantiles;
use herbrand_oracle::rddl::{RddlOracle, Tables};
use herbrand_rddl::{Instance, PvariableId};
use serde_json::Value as Json;

use crate::fixture::{Ground, agree, close, files, lines, oracle, value};

type Places = Vec<(PvariableId, usize)>;

/// The replay of a recording.
struct Replay {
    oracle: RddlOracle,
    ground: Ground,
    state: Places,
    interm: Places,
    observ: Places,
    steps: usize,
    refused: usize,
}

impl Replay {
    fn instance(&self) -> &Instance {
        self.oracle.instance()
    }

    fn state(&self, line: &Json) -> Tables {
        let mut state = self.oracle.initial();
        self.ground
            .set(self.instance(), &mut state, &self.state, &line["state"]);
        state
    }

    fn action(&self, line: &Json) -> Tables {
        let mut action = self.oracle.no_action();
        for (name, json) in line["action"].as_object().unwrap() {
            let (id, row) = self.ground.find(name);
            let range = self.instance().domain.pvariable(id).range;
            action[id.index()][row] = value(self.instance(), range, json);
        }
        action
    }

    /// Describes the differences between computed and recorded values.
    fn differences(&self, found: &Tables, places: &Places, recorded: &Json) -> Vec<String> {
        let Some(recorded) = recorded.as_array() else {
            return Vec::new();
        };
        assert_eq!(recorded.len(), places.len());
        let mut differences = Vec::new();
        for (&(id, row), json) in places.iter().zip(recorded) {
            let range = self.instance().domain.pvariable(id).range;
            let expected = value(self.instance(), range, json);
            let found = found[id.index()][row];
            if !agree(found, expected) {
                let name = self.instance().ground_name(id, row as u64);
                differences.push(format!("{name} is {found:?}, recorded {expected:?}"));
            }
        }
        differences
    }

    /// Replays one step, whose successor is recorded in the line `next`. Returns the differences.
    fn step(&mut self, line: &Json, next: &Json, horizon: u64) -> Vec<String> {
        let (state, action) = (self.state(line), self.action(line));
        let draws = Quantiles::at(line["u"].as_f64().unwrap());
        let step = self.oracle.step(&state, &action, &draws);
        self.steps += 1;
        if line.get("error").is_some() {
            self.refused += 1;
            return match step {
                Ok(_) => vec!["the step has values, recorded as refused".to_owned()],
                Err(_) => Vec::new(),
            };
        }
        let step = match step {
            Ok(step) => step,
            Err(error) => return vec![error.to_string()],
        };
        let mut wrong = self.differences(&step.next, &self.state, &next["state"]);
        wrong.extend(self.differences(&step.interm, &self.interm, &line["interm"]));
        wrong.extend(self.differences(&step.observ, &self.observ, &line["observ"]));
        let reward = value(self.instance(), herbrand_rddl::Range::Real, &line["reward"]);
        if !agree(herbrand_rddl::Value::Real(step.reward), reward) {
            wrong.push(format!("the reward is {}, recorded {reward:?}", step.reward));
        }
        let terminated = !step.terminations.is_empty();
        if line["terminated"].as_bool() != Some(terminated) {
            wrong.push(format!("terminated: {terminated}"));
        }
        let is_last = line["step"].as_u64().unwrap() + 1 == horizon;
        let truncated = is_last || !step.violated_invariants.is_empty();
        if line["truncated"].as_bool() != Some(truncated) {
            wrong.push(format!("truncated: {truncated}"));
        }
        let violated = self.oracle.violated_preconditions(&state, &action).unwrap();
        let recorded: Vec<usize> = line["precondition_violated"]
            .as_array()
            .unwrap()
            .iter()
            .map(|index| index.as_u64().unwrap() as usize)
            .collect();
        if violated != recorded {
            wrong.push(format!("violates {violated:?}, recorded {recorded:?}"));
        }
        wrong
    }
}

fn replay(path: &Path) -> (usize, usize, Vec<String>) {
    let lines = lines(path);
    let header = &lines[0];
    let oracle = oracle(path, header);
    let ground = Ground::new(oracle.instance());
    assert!(close(
        header["discount"].as_f64().unwrap(),
        oracle.instance().discount,
        0.0
    ));
    let mut replay = Replay {
        state: ground.places(&header["state_names"]),
        interm: ground.places(&header["interm_names"]),
        observ: ground.places(&header["observ_names"]),
        oracle,
        ground,
        steps: 0,
        refused: 0,
    };
    let horizon = header["horizon"].as_u64().unwrap_or(u64::MAX);
    let mut wrong = Vec::new();
    for pair in lines[1..].windows(2) {
        if pair[0].get("end").is_none() {
            let differences = replay.step(&pair[0], &pair[1], horizon);
            let place = format!("walk {} step {}", pair[0]["walk"], pair[0]["step"]);
            wrong.extend(
                differences
                    .into_iter()
                    .map(|difference| format!("{place}: {difference}")),
            );
        }
    }
    (replay.steps, replay.refused, wrong)
}

#[test]
fn every_trace_replays() {
    let (mut steps, mut refused, mut wrong) = (0, 0, Vec::new());
    for path in files(".trace.jsonl") {
        let begin = std::time::Instant::now();
        let (more, refusals, differences) = replay(&path);
        if begin.elapsed().as_secs() > 2 {
            eprintln!("{} takes {:?}", path.display(), begin.elapsed());
        }
        steps += more;
        refused += refusals;
        if !differences.is_empty() {
            let first = differences[..differences.len().min(5)].join("\n  ");
            wrong.push(format!("{}: {}\n  {first}", path.display(), differences.len()));
        }
    }
    println!("{steps} steps, {refused} of them refused");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
