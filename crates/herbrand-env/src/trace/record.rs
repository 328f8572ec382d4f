//! Writes traces.

use std::io::{self, Write};

use herbrand_core::{Choice, Described, FactValue, Group};

use super::{Header, Visit};
use crate::AgentActions;

/// Writes a trace line by line.
pub struct Recorder<W> {
    out: W,
}

impl<W: Write> Recorder<W> {
    /// Writes the header of a trace for the problem of `system`. `domain`, `problem` and `seed` are copied to it.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn new(
        system: &impl Described,
        actions: Option<&AgentActions>,
        domain: &str,
        problem: &str,
        seed: u64,
        mut out: W,
    ) -> io::Result<Self> {
        let header = Header {
            oracle: concat!("herbrand ", env!("CARGO_PKG_VERSION")).to_owned(),
            domain: domain.to_owned(),
            problem: problem.to_owned(),
            seed,
            statics: Some(true_facts(system, Group::Static)),
            agent_actions: actions.map(|agent| {
                let names = agent.actions().iter().map(|action| action.name.to_string());
                names.collect()
            }),
            repeated_objects_excluded: false,
        };
        write_line(&mut out, &header)?;
        Ok(Self { out })
    }

    /// Writes the current state of `system`, which must be of the same problem, and the action chosen there, `None` at the
    /// end of a walk.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn visit(
        &mut self,
        walk: u64,
        step: u64,
        system: &impl Described,
        chosen: Option<Choice>,
    ) -> io::Result<()> {
        let visit = self.describe(walk, step, system, chosen);
        self.write(&visit)
    }

    /// Returns the line that [`visit`](Self::visit) writes.
    pub fn describe(&self, walk: u64, step: u64, system: &impl Described, chosen: Option<Choice>) -> Visit {
        let mut actions = system.listed_actions();
        actions.sort();
        Visit {
            walk,
            step,
            fluents: Some(true_facts(system, Group::Fluent)),
            derived: Some(true_facts(system, Group::Derived)),
            atoms: None,
            actions,
            goal: system.status().goal,
            chosen: chosen.map(|choice| system.choice_text(choice)),
        }
    }

    /// Writes a line.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn write(&mut self, visit: &Visit) -> io::Result<()> {
        write_line(&mut self.out, visit)
    }

    /// Flushes the output and returns it.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Returns the true facts of a group in alphabetical order. Numbers are not recorded.
pub(super) fn true_facts(system: &impl Described, group: Group) -> Vec<String> {
    let mut names = Vec::new();
    system.facts(&mut |fact| {
        if fact.group == group && fact.value == FactValue::Bool(true) {
            names.push(fact.to_string());
        }
    });
    names.sort();
    names.dedup();
    names
}

fn write_line(out: &mut impl Write, line: &impl serde::Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}
