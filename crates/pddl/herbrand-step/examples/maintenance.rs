//! Compares the speed of the lifted engine under incremental maintenance, and under evaluation from scratch by `ascent` or
//! by direct loops. It takes random walks and prints the steps per second of each method as JSON.
//!
//! ```sh
//! cargo run --release -p herbrand-step --example maintenance -- domain.pddl problem.pddl 1
//! ```

use std::process::ExitCode;
use std::time::{Duration, Instant};

use herbrand_datalog::EvaluatorKind;
use herbrand_ground::LiftedTask;
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{LiftedSimulator, Maintenance, Options, Random};

const USAGE: &str = "usage: maintenance DOMAIN PROBLEM [SECONDS]

Walks for so many seconds each way (default 1), from the start again after 100 steps, and prints the steps a second
  kept     what follows from a state is updated
  ascent   it is evaluated for every state, by ascent
  direct   the same by the loops without ascent";

type Failure = Box<dyn std::error::Error>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments.as_slice() {
        [domain, problem] => compare(domain, problem, 1.0),
        [domain, problem, seconds] => match seconds.parse() {
            Ok(seconds) => compare(domain, problem, seconds),
            Err(_) => Err(format!("not a number of seconds: {seconds}").into()),
        },
        _ => Err(USAGE.into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

fn compare(domain: &str, problem: &str, seconds: f64) -> Result<(), Failure> {
    let domain = Domain::from_file(domain)?;
    let problem = Problem::from_file(problem, &domain)?;
    let time = Duration::try_from_secs_f64(seconds)?;
    let rate = |maintenance, evaluator| {
        let options = Options {
            evaluator,
            ..Options::default()
        };
        let simulator = LiftedSimulator::with_options(LiftedTask::of(&domain, &problem)?, options)?;
        steps_a_second(&simulator, maintenance, time)
    };
    println!(
        r#"{{"kept": {:.0}, "ascent": {:.0}, "direct": {:.0}}}"#,
        rate(Maintenance::Incremental, EvaluatorKind::Ascent)?,
        rate(Maintenance::FromScratch, EvaluatorKind::Ascent)?,
        rate(Maintenance::FromScratch, EvaluatorKind::Direct)?,
    );
    Ok(())
}

fn steps_a_second(
    simulator: &LiftedSimulator,
    maintenance: Maintenance,
    time: Duration,
) -> Result<f64, Failure> {
    let (mut walker, mut random) = (simulator.walker(maintenance)?, Random::new(0));
    let (start, mut steps) = (Instant::now(), 0_u32);
    while start.elapsed() < time {
        walker.reset(&mut random)?;
        for _ in 0..100 {
            let Some(action) = walker.sample(&mut random) else {
                break;
            };
            let (schema, arguments) = (action.schema, action.arguments.to_vec());
            walker.apply(schema, &arguments, &mut random)?;
            steps += 1;
        }
    }
    Ok(f64::from(steps) / start.elapsed().as_secs_f64())
}
