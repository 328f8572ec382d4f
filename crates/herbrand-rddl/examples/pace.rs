//! How fast an instance steps: `pace SECONDS DOMAIN INSTANCE`. Writes one line of JSON.
//!
//! Joint actions are drawn in advance and taken in turn; episodes end at the horizon or when the problem says so. The rate is
//! that of the fastest of five equal parts of the time. All times are processor time.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand_core::{Choice, Random, System};
use herbrand_rddl::ground::compile;
use herbrand_rddl::simulate::{Preconditions, RddlSimulator};
use herbrand_rddl::{Horizon, Instance};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [seconds, domain, instance] = &arguments[..] else {
        return Err("usage: pace SECONDS DOMAIN INSTANCE".into());
    };
    let begin = ProcessTime::now();
    let instance = Arc::new(Instance::from_files([domain, instance])?);
    let read = begin.elapsed();
    let process = Arc::new(compile(&instance)?);
    let mut simulator = RddlSimulator::new(Arc::clone(&process), Preconditions::Reported);
    let created = begin.elapsed();
    let joints = joints(&mut simulator);
    let part = Duration::from_secs_f64(seconds.parse::<f64>()? / 5.0);
    let rates: Result<Vec<f64>, _> = (0..5)
        .map(|part_number| rate(&mut simulator, &joints, part, part_number))
        .collect();
    let best = rates?.into_iter().fold(0.0, f64::max);
    println!(
        "{{\"steps_per_second\": {best:.1}, \"read_seconds\": {:.4}, \"create_seconds\": {:.4}, \
         \"instructions\": {}, \"templates\": {}, \"state_fluents\": {}}}",
        read.as_secs_f64(),
        created.as_secs_f64(),
        process.tape().len(),
        process.tape().templates(),
        process.state.len(),
    );
    if std::env::var_os("SHOW").is_some() {
        println!("{}", process.tape());
    }
    Ok(())
}

/// Sixty-four joint actions that the sampling rule draws.
fn joints(simulator: &mut RddlSimulator) -> Vec<Vec<Choice>> {
    let mut random = Random::new(1);
    let mut draw = || {
        let mut joint = Vec::new();
        simulator.sample(&mut random, &mut joint);
        joint
    };
    (0..64).map(|_| draw()).collect()
}

fn rate(
    simulator: &mut RddlSimulator,
    joints: &[Vec<Choice>],
    part: Duration,
    seed: u64,
) -> Result<f64, Box<dyn Error>> {
    let horizon = match simulator.process().instance.horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite => u32::MAX,
    };
    let mut chance = Random::new(seed);
    let (begin, mut steps, mut elapsed) = (ProcessTime::now(), 0_u64, 0);
    simulator.restart();
    loop {
        for joint in joints {
            // A step that is refused for its parameters ends the episode.
            let ended = match simulator.step(joint, &mut chance) {
                Ok(transition) => transition.status.terminal || transition.status.broken,
                Err(_) => true,
            };
            steps += 1;
            elapsed += 1;
            if ended || elapsed >= horizon {
                simulator.restart();
                elapsed = 0;
            }
        }
        let time = begin.elapsed();
        if time >= part {
            return Ok(steps as f64 / time.as_secs_f64());
        }
    }
}
