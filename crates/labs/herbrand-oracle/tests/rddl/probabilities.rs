//! Compares the interpreter with recorded one-step probabilities.

use crate::fixture::{Ground, close, files, lines, oracle, value};
use herbrand_distributions::Quantiles;
use herbrand_rddl::{Range, Value};

#[test]
fn every_probability_agrees() {
    let (mut count, mut wrong) = (0, Vec::new());
    for path in files(".probs.jsonl") {
        let lines = lines(&path);
        let header = &lines[0];
        let oracle = oracle(&path, header);
        let instance = oracle.instance();
        let ground = Ground::new(instance);
        let places = ground.places(&header["state_names"]);
        let has_reward = header["reward_of_state_and_action"].as_bool() == Some(true);
        for line in &lines[1..] {
            let mut state = oracle.initial();
            ground.set(instance, &mut state, &places, &line["state"]);
            let mut action = oracle.no_action();
            for (name, json) in line["action"].as_object().unwrap() {
                let (id, row) = ground.find(name);
                action[id.index()][row] = value(instance, Range::Bool, json);
            }
            let chances = oracle.chances(&state, &action).unwrap();
            for (&(id, row), recorded) in places.iter().zip(line["p"].as_array().unwrap()) {
                let (found, recorded) = (chances[id.index()][row], recorded.as_f64().unwrap());
                count += 1;
                if (found - recorded).abs() > 1e-12 {
                    let name = instance.ground_name(id, row as u64);
                    wrong.push(format!(
                        "{}: {name} is {found}, recorded {recorded}",
                        path.display()
                    ));
                }
            }
            if has_reward {
                let step = oracle.step(&state, &action, &Quantiles::at(0.5)).unwrap();
                let Value::Real(recorded) = value(instance, Range::Real, &line["reward"]) else {
                    unreachable!()
                };
                if !close(step.reward, recorded, 1e-9) {
                    wrong.push(format!(
                        "{}: reward {}, recorded {recorded}",
                        path.display(),
                        step.reward
                    ));
                }
            }
        }
    }
    println!("{count} probabilities");
    assert!(
        wrong.is_empty(),
        "{}:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}
