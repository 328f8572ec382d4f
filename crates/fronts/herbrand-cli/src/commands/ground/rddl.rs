//! The size of a compiled RDDL problem.

use std::io::Write;
use std::time::Instant;

use herbrand::core::{Problems as _, Streams, System};
use herbrand::rddl::simulate::CompiledInstance;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use serde::Serialize;

use super::{Atoms, Ground};
use crate::failure::{Failure, refuse};
use crate::memory;
use crate::output::{self, Format, grouped, short};

#[derive(Serialize)]
struct Report {
    domain: String,
    problem: String,
    state_fluents: usize,
    action_fluents: usize,
    /// The number of intermediate and derived fluents.
    interm_fluents: usize,
    observed_fluents: usize,
    /// The number of action preconditions and state-action constraints.
    preconditions: usize,
    /// The number of instructions on the tape that computes a step.
    instructions: usize,
    /// Seconds of compilation, without parsing.
    seconds: f64,
    /// Seconds from the files to the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_step_seconds: Option<f64>,
    peak_bytes: Option<u64>,
}

impl Ground {
    /// Compiles the only problem of `suite` and prints its size; `begin` is when the command started to read the problem.
    pub(super) fn rddl(&self, suite: &RddlSuite, begin: Instant, format: Format) -> Result<(), Failure> {
        self.refuse_for_rddl()?;
        let suite = suite.clone().with_limits(self.problem.limits());
        let start = Instant::now();
        let compiled = suite.compiled(0)?;
        let seconds = start.elapsed().as_secs_f64();
        let mut report = Report::of(compiled, seconds);
        if self.first_step {
            first_step(&suite)?;
            report.first_step_seconds = Some(begin.elapsed().as_secs_f64());
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(())
    }

    /// Rejects options that apply to PDDL only.
    fn refuse_for_rddl(&self) -> Result<(), Failure> {
        let flags = [
            ("--atoms", self.atoms != Atoms::All),
            ("--out", self.out.is_some()),
            ("--list", self.list),
            ("--explain", self.explain),
        ];
        let given: Vec<_> = flags
            .iter()
            .filter(|(_, given)| *given)
            .map(|&(flag, _)| flag)
            .collect();
        if given.is_empty() {
            return Ok(());
        }
        let verb = if given.len() == 1 { "is" } else { "are" };
        refuse(format!("{} {verb} for PDDL only", given.join(" and ")))
    }
}

/// Takes one random step in the problem.
fn first_step(suite: &RddlSuite) -> Result<(), Failure> {
    let mut simulator = suite.system(0)?;
    let (mut streams, mut joint) = (Streams::new(0), Vec::new());
    simulator.reset(&mut streams.outcomes).map_err(RddlError::from)?;
    if simulator.sample(&mut streams.actions, &mut joint) {
        simulator
            .step(&joint, &mut streams.outcomes)
            .map_err(RddlError::from)?;
    }
    Ok(())
}

impl Report {
    fn of(compiled: &CompiledInstance, seconds: f64) -> Self {
        Self {
            domain: compiled.instance.domain.name.to_string(),
            problem: compiled.instance.name.to_string(),
            state_fluents: compiled.state.len(),
            action_fluents: compiled.action.len(),
            interm_fluents: compiled.interm.len(),
            observed_fluents: compiled.observ.len(),
            preconditions: compiled.precondition_count(),
            instructions: compiled.tape().len(),
            seconds,
            first_step_seconds: None,
            peak_bytes: memory::peak_bytes(),
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        writeln!(out, "{} ({})", self.problem, self.domain)?;
        let counts = [
            ("state fluents", self.state_fluents),
            ("action fluents", self.action_fluents),
            ("intermediate fluents", self.interm_fluents),
            ("observed fluents", self.observed_fluents),
            ("preconditions", self.preconditions),
            ("instructions per step", self.instructions),
        ];
        for (name, count) in counts {
            writeln!(out, "{name:<22} {:>12}", grouped(count as u64))?;
        }
        writeln!(out, "{:<22} {:>12}", "seconds", format!("{:.3}", self.seconds))?;
        if let Some(seconds) = self.first_step_seconds {
            writeln!(out, "{:<22} {:>12}", "to first step", format!("{seconds:.3}"))?;
        }
        if let Some(bytes) = self.peak_bytes {
            writeln!(out, "{:<22} {:>12}", "peak memory", short(bytes as f64))?;
        }
        Ok(out.flush()?)
    }
}
