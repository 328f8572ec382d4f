//! Compares environments with the walks recorded in `flights.txt`, which the Python tests use as well.
//!
//! Each line is a state: seed, step, the action that led there (`-` at the start of an episode), the facts, the observation,
//! the reward, and `T` or `C` if the episode terminated or was cut off. Numbers are written as bit patterns, so that
//! comparisons are exact.

use std::fmt::Write;

use herbrand_core::{Described, FactValue};

use crate::env;

/// The number of flights and the size of the recording.
const FLIGHTS: usize = 6;
const SEEDS: u64 = 6;
const STEPS: usize = 45;

fn recorded() -> String {
    let mut text = String::new();
    for seed in 0..SEEDS {
        let mut env = env(FLIGHTS);
        env.reset(Some(seed)).expect("a reset");
        let (mut over, mut action, mut reward, mut end) = (false, "-".to_owned(), 0.0, "-");
        for step in 0..=STEPS {
            let mut seen = [0.0_f32; 2];
            env.write_observation(&mut seen).expect("reset before");
            let mut facts = Vec::new();
            env.system().expect("reset before").facts(&mut |fact| {
                facts.push(match fact.value {
                    FactValue::Real(value) => format!("{}={:016x}", fact.name, value.to_bits()),
                    value => format!("{}={value}", fact.name),
                });
            });
            let [shown, greatest] = seen.map(|number| format!("{:08x}", number.to_bits()));
            let facts = facts.join(" ");
            writeln!(
                text,
                "{seed} {step} | {action} | {facts} | {shown} {greatest} | {:016x} {end}",
                f64::to_bits(reward)
            )
            .expect("memory");
            if over {
                env.reset(None).expect("a reset");
                (over, action, reward, end) = (false, "-".to_owned(), 0.0, "-");
                continue;
            }
            let joint = env.sample().expect("reset before").expect("an action");
            let system = env.system().expect("reset before");
            let names = joint.iter().map(|&choice| system.choice_text(choice));
            action = names.collect::<Vec<_>>().join(", ");
            let taken = env.step(&joint).expect("a valid action");
            (over, reward) = (taken.ended(), taken.reward);
            end = match (taken.terminated, taken.truncated) {
                (true, _) => "T",
                (_, true) => "C",
                _ => "-",
            };
        }
    }
    text
}

#[test]
fn walks_are_as_recorded() {
    let walks = recorded();
    let (landed, cut) = (walks.matches(" T\n").count(), walks.matches(" C\n").count());
    assert!(landed > 0 && cut > 0, "{landed} landed, {cut} were cut off");
    let expected = include_str!("flights.txt");
    let place = walks
        .lines()
        .zip(expected.lines())
        .position(|(one, other)| one != other);
    assert!(
        walks == expected,
        "line {place:?} is another one; all of it:\n{walks}"
    );
}
