//! One seed gives one trajectory, the same one that the Python package gives for it.

use std::path::Path;

use herbrand_env::{Env, EnvOptions, InvalidAction, Registry};

/// Domain, seed, problem, and the sampled actions of one episode, one trajectory a line. The tests of the Python package
/// read the same file.
const FILE: &str = "../herbrand-python/tests/trajectories.txt";

fn trajectory(name: &str, seed: u64, steps: usize) -> Result<String, Box<dyn std::error::Error>> {
    let options = EnvOptions {
        invalid: InvalidAction::Ignore,
        ..EnvOptions::default()
    };
    let mut env = Env::new(Registry::get(name)?, options)?;
    let reset = env.reset(Some(seed))?;
    let problem = env.suite().full_problem_name(reset.problem).unwrap_or_default();
    let mut line = format!("{name} {seed} {problem}");
    for _ in 0..steps {
        let Some(action) = env.sample()? else { break };
        line += &format!(" {}", action.number());
        if env.step(action)?.ended() {
            break;
        }
    }
    Ok(line)
}

#[test]
fn stored_trajectories_are_repeated() -> Result<(), Box<dyn std::error::Error>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(FILE);
    let stored = std::fs::read_to_string(path)?;
    assert!(stored.lines().count() >= 6);
    for line in stored.lines() {
        let mut words = line.split(' ');
        let (Some(name), Some(seed)) = (words.next(), words.next()) else {
            return Err(format!("no trajectory: {line}").into());
        };
        assert_eq!(trajectory(name, seed.parse()?, words.count() - 1)?, line);
    }
    Ok(())
}
