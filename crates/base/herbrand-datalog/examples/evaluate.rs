//! Evaluates a Datalog program. Prints the number of facts, the CPU seconds for reading and evaluation, and the bytes of
//! memory, as JSON.
//!
//! ```sh
//! cargo run --release -p herbrand-datalog --example evaluate -- program.lp
//! ```
//!
//! Options: `--apart` disables the folding of rules that differ only in their
//! constants. `--list` prints the facts instead: first the static facts, then the others in order of discovery.

use std::io::{BufWriter, Write};

use cpu_time::ProcessTime;
use herbrand_datalog::{Evaluator, Model, Program};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (mut path, mut list, mut apart) = (None, false, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--list" => list = true,
            "--apart" => apart = true,
            _ => path = Some(argument),
        }
    }
    let path = path.ok_or("usage: evaluate [--apart] [--list] PROGRAM")?;
    let start = ProcessTime::now();
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let (program, facts) = Program::parse(&text).map_err(|error| format!("{path}: {error}"))?;
    drop(text);
    let mut evaluator = Evaluator::new(&program)?;
    if apart {
        evaluator = evaluator.with_folding(usize::MAX);
    }
    let model = evaluator.run(&facts, &mut ())?;
    let seconds = start.elapsed();
    if list {
        return Ok(print(&program, &model)?);
    }
    let known: usize = statics(&program)
        .map(|relation| model.tuples(relation).len())
        .sum();
    let seconds = seconds.as_secs_f64();
    let (derived, bytes) = (model.len(), model.bytes());
    println!(
        r#"{{"facts": {}, "seconds": {seconds}, "bytes": {bytes}, "peak_bytes": {}}}"#,
        known + derived,
        peak_bytes()
    );
    Ok(())
}

/// The static relations.
fn statics(program: &Program) -> impl Iterator<Item = herbrand_datalog::RelationId> {
    program
        .relation_ids()
        .filter(|&relation| program.is_static(relation))
}

fn print(program: &Program, model: &Model) -> std::io::Result<()> {
    let mut out = BufWriter::new(std::io::stdout().lock());
    for relation in statics(program) {
        for tuple in model.tuples(relation) {
            writeln!(out, "{}.", program.display_fact(relation, tuple))?;
        }
    }
    for fact in model.ids() {
        writeln!(
            out,
            "{}.",
            program.display_fact(model.relation(fact), model.tuple(fact))
        )?;
    }
    out.flush()
}

/// Returns the peak memory of this process in bytes as JSON; `null` if the system does not report it.
fn peak_bytes() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes: Option<u64> = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok());
    kibibytes.map_or_else(|| "null".to_owned(), |kibibytes| (1024 * kibibytes).to_string())
}
