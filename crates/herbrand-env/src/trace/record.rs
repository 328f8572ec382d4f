//! Recording random walks.

use std::io::Write;

use herbrand_core::{Choice, Described, FactValue, Group, Streams};

use super::{Header, TraceError, Visit};
use crate::AgentActions;

/// How many walks are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOptions {
    /// The number of walks. Walk `i` is that of seed `seed + i`.
    pub walks: u64,
    /// The most steps of a walk; a dead end may end it earlier. Walks continue past goals.
    pub steps: u64,
    /// The seed of the first walk.
    pub seed: u64,
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self {
            walks: 2,
            steps: 25,
            seed: 0,
        }
    }
}

/// Writes walks of a random policy, uniform over the valid actions of `system`, a problem with the agent's declared
/// `actions` if there are any. `domain` and `problem` go into the header as they are. Returns the number of states written.
///
/// Every engine writes the same bytes for one problem.
///
/// # Errors
/// When writing fails, or a step is refused.
pub fn record<S>(
    mut system: S,
    actions: Option<&AgentActions>,
    (domain, problem): (&str, &str),
    options: &RecordOptions,
    out: &mut impl Write,
) -> Result<u64, TraceError>
where
    S: Described,
    TraceError: From<S::Error>,
{
    let mut recorder = Recorder::new(&system, actions, domain, problem, options.seed, out)?;
    for walk in 0..options.walks {
        record_walk(&mut system, walk, options, &mut recorder)?;
    }
    Ok(recorder.states)
}

fn record_walk<S, W>(
    system: &mut S,
    walk: u64,
    options: &RecordOptions,
    recorder: &mut Recorder<W>,
) -> Result<(), TraceError>
where
    S: Described,
    W: Write,
    TraceError: From<S::Error>,
{
    let mut streams = Streams::new(options.seed.wrapping_add(walk));
    system.reset(&mut streams.outcomes)?;
    let mut joint = Vec::new();
    for step in 0.. {
        let goes_on = step < options.steps && system.sample(&mut streams.actions, &mut joint);
        let chosen = joint.first().copied().filter(|_| goes_on);
        recorder.visit(walk, step, system, chosen)?;
        if chosen.is_none() {
            break;
        }
        system.step(&joint, &mut streams.outcomes)?;
    }
    Ok(())
}

/// Writes a trace, line by line.
pub struct Recorder<W> {
    out: W,
    states: u64,
}

impl<W: Write> Recorder<W> {
    /// Writes the header of a trace of the problem of `system`. `domain`, `problem` and `seed` go into it as they are.
    ///
    /// # Errors
    /// When writing fails.
    pub fn new(
        system: &impl Described,
        actions: Option<&AgentActions>,
        domain: &str,
        problem: &str,
        seed: u64,
        mut out: W,
    ) -> Result<Self, TraceError> {
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
        Ok(Self { out, states: 0 })
    }

    /// Writes the state of `system`, which must be of the recorder's problem, and the action that is chosen there; no action
    /// at the end of a walk.
    ///
    /// # Errors
    /// When writing fails.
    pub fn visit(
        &mut self,
        walk: u64,
        step: u64,
        system: &impl Described,
        chosen: Option<Choice>,
    ) -> Result<(), TraceError> {
        let visit = self.describe(walk, step, system, chosen);
        self.write(&visit)
    }

    /// The line that [`visit`](Self::visit) would write.
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
    /// When writing fails.
    pub fn write(&mut self, visit: &Visit) -> Result<(), TraceError> {
        self.states += 1;
        write_line(&mut self.out, visit)
    }

    /// How many states were written.
    #[must_use]
    pub const fn states(&self) -> u64 {
        self.states
    }

    /// Writes what is still buffered, and gives back what was written to.
    ///
    /// # Errors
    /// When writing fails.
    pub fn finish(mut self) -> Result<W, TraceError> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// The facts of a group that are true, in alphabetical order. Numbers are not recorded.
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

fn write_line(out: &mut impl Write, line: &impl serde::Serialize) -> Result<(), TraceError> {
    serde_json::to_writer(&mut *out, line).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}
