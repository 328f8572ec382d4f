//! Recording random walks.

use std::io::Write;

use super::observer::Observer;
use super::{Header, TraceError, Visit};
use crate::{AgentActionId, AgentActions, Engine, Instance, Planning, Streams};

/// How many walks are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOptions {
    /// The number of walks. Walk `i` is that of seed `seed + i`.
    pub walks: u64,
    /// The most steps of a walk; a dead end may end it earlier. Walks go on past goals.
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

/// Writes walks of a random policy, uniform over the valid actions of `instance`. `domain` and `problem` go into the
/// header as they are. Returns the number of states written.
///
/// # Errors
/// When writing fails, or a step is refused.
pub fn record(
    instance: &Instance,
    domain: &str,
    problem: &str,
    options: &RecordOptions,
    out: &mut impl Write,
) -> Result<u64, TraceError> {
    let mut recorder = Recorder::new(instance, domain, problem, options.seed, out)?;
    for walk in 0..options.walks {
        record_walk(instance, walk, options, &mut recorder)?;
    }
    Ok(recorder.states)
}

fn record_walk<W: Write>(
    instance: &Instance,
    walk: u64,
    options: &RecordOptions,
    recorder: &mut Recorder<W>,
) -> Result<(), TraceError> {
    let mut engine = instance.engine();
    let mut streams = Streams::new(options.seed.wrapping_add(walk));
    engine.reset(&mut streams.outcomes)?;
    let mut joint = Vec::new();
    for step in 0.. {
        let goes_on = step < options.steps && engine.sample(&mut streams.actions, &mut joint);
        let chosen = joint.first().copied().filter(|_| goes_on);
        recorder.visit(walk, step, &engine, chosen)?;
        if chosen.is_none() {
            break;
        }
        engine.step(&joint, &mut streams.outcomes)?;
    }
    Ok(())
}

/// Writes a trace, line by line.
pub struct Recorder<W> {
    observer: Observer,
    out: W,
    valid: Vec<AgentActionId>,
    states: u64,
}

impl<W: Write> Recorder<W> {
    /// Writes the header of a trace of `instance`. `domain`, `problem` and `seed` go into it as they are.
    ///
    /// # Errors
    /// When writing fails.
    pub fn new(
        instance: &Instance,
        domain: &str,
        problem: &str,
        seed: u64,
        mut out: W,
    ) -> Result<Self, TraceError> {
        let observer = Observer::new(instance.atoms());
        let agent = instance.space().agent_actions();
        let statics = observer.names(observer.statics());
        let header = header(domain, problem, seed, statics, agent);
        write_line(&mut out, &header)?;
        Ok(Self {
            observer,
            out,
            valid: Vec::new(),
            states: 0,
        })
    }

    /// Writes the state of `engine`, which must be of the recorder's problem, and the action that is chosen there; no
    /// action at the end of a walk.
    ///
    /// # Errors
    /// When writing fails.
    pub fn visit(
        &mut self,
        walk: u64,
        step: u64,
        engine: &Planning,
        chosen: Option<AgentActionId>,
    ) -> Result<(), TraceError> {
        let visit = self.describe(walk, step, engine, chosen);
        self.write(&visit)
    }

    /// The line that [`visit`](Self::visit) would write.
    pub fn describe(
        &mut self,
        walk: u64,
        step: u64,
        engine: &Planning,
        chosen: Option<AgentActionId>,
    ) -> Visit {
        let name = |action: AgentActionId| engine.space().display(action).to_string();
        engine.valid_actions(&mut self.valid);
        let mut actions = self.valid.iter().map(|&action| name(action)).collect::<Vec<_>>();
        actions.sort();
        let (derived, fluents) = self
            .observer
            .observe(engine.walker(), false)
            .into_iter()
            .partition::<Vec<_>, _>(|&id| self.observer.is_derived(id));
        Visit {
            walk,
            step,
            fluents: Some(self.observer.names(&fluents)),
            derived: Some(self.observer.names(&derived)),
            atoms: None,
            actions,
            goal: engine.is_goal(),
            chosen: chosen.map(name),
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

/// The header of a trace by this engine.
pub(super) fn header(
    domain: &str,
    problem: &str,
    seed: u64,
    statics: Vec<String>,
    agent: Option<&AgentActions>,
) -> Header {
    Header {
        oracle: concat!("herbrand ", env!("CARGO_PKG_VERSION")).to_owned(),
        domain: domain.to_owned(),
        problem: problem.to_owned(),
        seed,
        statics: Some(statics),
        agent_actions: agent.map(|agent| {
            let names = agent.actions().iter().map(|action| action.name.to_string());
            names.collect()
        }),
        repeated_objects_excluded: false,
    }
}

pub(super) fn write_line(out: &mut impl Write, line: &impl serde::Serialize) -> Result<(), TraceError> {
    serde_json::to_writer(&mut *out, line).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}
