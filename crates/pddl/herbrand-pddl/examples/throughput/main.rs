//! Measures the parsing of large problems.
//!
//! `throughput write FOLDER` writes a domain and a problem with 72,000 facts. `throughput read DOMAIN PROBLEM [RUNS]` parses
//! two files several times and prints the fastest run as JSON: bytes, seconds, megabytes per second.

mod task;

use std::error::Error;
use std::path::Path;
use std::time::Instant;

use herbrand_pddl::{Domain, Problem, Source};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["write", folder] => write(Path::new(folder)),
        ["read", domain, problem] => read(domain, problem, 10),
        ["read", domain, problem, runs] => read(domain, problem, runs.parse()?),
        _ => Err("usage: throughput write FOLDER | throughput read DOMAIN PROBLEM [RUNS]".into()),
    }
}

fn write(folder: &Path) -> Result<(), Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("domain.pddl"), task::DOMAIN)?;
    std::fs::write(folder.join("problem.pddl"), task::problem())?;
    Ok(())
}

fn read(domain: &str, problem: &str, runs: usize) -> Result<(), Box<dyn Error>> {
    let mut best = f64::INFINITY;
    let mut bytes = 0;
    for _ in 0..runs.max(1) {
        let start = Instant::now();
        let (domain, problem) = (Source::from_file(domain)?, Source::from_file(problem)?);
        let model = Domain::parse(&domain)?;
        let task = Problem::parse(&problem, &model)?;
        best = best.min(start.elapsed().as_secs_f64());
        bytes = domain.text().len() + problem.text().len();
        drop(task);
    }
    let rate = bytes as f64 / best / 1e6;
    println!("{{\"bytes\": {bytes}, \"seconds\": {best:.6}, \"mb_per_s\": {rate:.1}}}");
    Ok(())
}
