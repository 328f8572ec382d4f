//! Searches all reachable states of a problem breadth first, with duplicate detection, and prints statistics as JSON.
//!
//! ```sh
//! cargo run --release -p herbrand-step --example search -- domain.pddl problem.pddl 1000000
//! ```

use std::process::ExitCode;

use herbrand_limits::Budget;
use herbrand_pddl::{Domain, Problem};
use herbrand_step::{SpaceOptions, StateSpace, compile};

const USAGE: &str = "usage: search DOMAIN PROBLEM [LIMIT]

Expands states breadth first until all are found or more than LIMIT are (default 1000000), and prints
  states     how many different states were found
  expanded   how many of them were expanded
  generated  how many successors were computed, states found before included
  bytes      the memory of all states with the table that finds them
  complete   whether these are all reachable states";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match *arguments.as_slice() {
        [domain, problem] => search(domain, problem, 1_000_000),
        [domain, problem, limit] => match limit.parse() {
            Ok(limit) => search(domain, problem, limit),
            Err(_) => Err(format!("not a number of states: {limit}").into()),
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

fn search(domain: &str, problem: &str, limit: usize) -> Result<(), Box<dyn std::error::Error>> {
    let domain = Domain::from_file(domain)?;
    let problem = Problem::from_file(problem, &domain)?;
    let options = SpaceOptions {
        states: limit,
        transitions: false,
        ..SpaceOptions::default()
    };
    let found = StateSpace::explore(&compile(&domain, &problem)?, &options, &Budget::unlimited())?;
    println!(
        r#"{{"states": {}, "expanded": {}, "generated": {}, "bytes": {}, "complete": {}}}"#,
        found.len(),
        found.graph.expanded,
        found.generated,
        found.bytes(),
        found.graph.is_complete()
    );
    Ok(())
}
