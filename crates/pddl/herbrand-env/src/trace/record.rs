//! Writes traces.

use std::io::{self, Write};

use herbrand_core::trace::write_line;
use herbrand_core::{Choice, Described, FactValue, Group};

use super::{Header, Visit};

/// Writes a trace line by line: first the header, then one line per visited state.
pub struct Recorder<W> {
    out: W,
}

impl<W: Write> Recorder<W> {
    /// Creates a recorder and writes the header to `out`.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn new(header: &Header, mut out: W) -> io::Result<Self> {
        write_line(&mut out, header)?;
        Ok(Self { out })
    }

    /// Writes a line for the current state of `system`, which must be of the problem in the header. `walk` is the number
    /// of the walk and `step` the number of steps taken in it; `chosen` is the action taken in the state, `None` at the
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

    /// Writes a line that [`describe`](Self::describe) returned.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn write(&mut self, visit: &Visit) -> io::Result<()> {
        write_line(&mut self.out, visit)
    }

    /// Flushes the output and returns the writer given to [`new`](Self::new).
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
