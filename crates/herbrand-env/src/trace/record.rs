//! Recording random walks.

use std::io::Write;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{Fact, PredicateKind};

use super::observer::Observer;
use super::{Header, TraceError, Visit};
use crate::{
    AgentActionId, AgentActions, AtomSpace, Engine, LiftedPlanning, Planning, PlanningError, Streams,
};

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

/// An engine whose walks can be recorded: its states and actions have names. Every engine writes one walk alike.
pub trait Recordable: Engine<Error = PlanningError> {
    /// The names of the problem's atoms.
    type Names;

    /// The names of the problem's atoms, made once for all states.
    fn atom_names(&self) -> Self::Names;

    /// The atoms of static predicates, in alphabetical order.
    fn static_atoms(&self, names: &Self::Names) -> Vec<String>;

    /// The fluent and the derived atoms that hold now, each in alphabetical order.
    fn atoms(&self, names: &Self::Names) -> (Vec<String>, Vec<String>);

    /// An action as PDDL writes it; `None` when there is no such action.
    fn action_name(&self, action: AgentActionId) -> Option<String>;

    /// Puts the actions that some operator fits into `into`, in place of what it held: a trace lists ambiguous ones too.
    fn fitting_actions(&self, into: &mut Vec<AgentActionId>);

    /// The agent's declared actions; `None` when the operators are the actions.
    fn declared_actions(&self) -> Option<&AgentActions>;
}

impl Recordable for Planning {
    type Names = Observer;

    fn atom_names(&self) -> Observer {
        Observer::new(&AtomSpace::new(self.walker().simulator().clone()))
    }

    fn static_atoms(&self, names: &Observer) -> Vec<String> {
        names.names(names.statics())
    }

    fn atoms(&self, names: &Observer) -> (Vec<String>, Vec<String>) {
        let seen = names.observe(self.walker(), false);
        let (derived, fluents): (Vec<_>, Vec<_>) = seen.into_iter().partition(|&id| names.is_derived(id));
        (names.names(&fluents), names.names(&derived))
    }

    fn action_name(&self, action: AgentActionId) -> Option<String> {
        self.space().get(action)?;
        Some(self.space().display(action).to_string())
    }

    fn fitting_actions(&self, into: &mut Vec<AgentActionId>) {
        Self::fitting_actions(self, into);
    }

    fn declared_actions(&self) -> Option<&AgentActions> {
        self.space().agent_actions()
    }
}

impl Recordable for LiftedPlanning {
    type Names = ();

    fn atom_names(&self) {}

    fn static_atoms(&self, (): &()) -> Vec<String> {
        let statics = self.walker().simulator().task().static_atoms.iter();
        named(
            self.walker().simulator().vocabulary(),
            statics,
            PredicateKind::Static,
        )
    }

    fn atoms(&self, (): &()) -> (Vec<String>, Vec<String>) {
        let vocabulary = self.walker().simulator().vocabulary();
        (
            named(vocabulary, self.walker().state().atoms(), PredicateKind::Fluent),
            named(vocabulary, self.walker().derived(), PredicateKind::Derived),
        )
    }

    fn action_name(&self, action: AgentActionId) -> Option<String> {
        self.action_text(action)
    }

    fn fitting_actions(&self, into: &mut Vec<AgentActionId>) {
        Self::fitting_actions(self, into);
    }

    fn declared_actions(&self) -> Option<&AgentActions> {
        self.agent_actions()
    }
}

/// The names of the atoms of one kind that observations show, in alphabetical order.
fn named<'f>(
    vocabulary: &Vocabulary,
    facts: impl Iterator<Item = Fact<'f>>,
    kind: PredicateKind,
) -> Vec<String> {
    let shown = facts.filter_map(|fact| {
        let predicate = vocabulary.predicate(fact.predicate);
        let shown = predicate.kind == kind && !predicate.auxiliary;
        shown.then(|| {
            vocabulary
                .term(&predicate.signature.name, fact.arguments)
                .to_string()
        })
    });
    let mut names: Vec<_> = shown.collect();
    names.sort();
    names.dedup();
    names
}

/// Writes walks of a random policy, uniform over the valid actions of `engine`. `domain` and `problem` go into the header
/// as they are. Returns the number of states written.
///
/// # Errors
/// When writing fails, or a step is refused.
pub fn record(
    mut engine: impl Recordable,
    domain: &str,
    problem: &str,
    options: &RecordOptions,
    out: &mut impl Write,
) -> Result<u64, TraceError> {
    let mut recorder = Recorder::new(&engine, domain, problem, options.seed, out)?;
    for walk in 0..options.walks {
        record_walk(&mut engine, walk, options, &mut recorder)?;
    }
    Ok(recorder.states)
}

fn record_walk<E: Recordable, W: Write>(
    engine: &mut E,
    walk: u64,
    options: &RecordOptions,
    recorder: &mut Recorder<E, W>,
) -> Result<(), TraceError> {
    let mut streams = Streams::new(options.seed.wrapping_add(walk));
    engine.reset(&mut streams.outcomes)?;
    let mut joint = Vec::new();
    for step in 0.. {
        let goes_on = step < options.steps && engine.sample(&mut streams.actions, &mut joint);
        let chosen = joint.first().copied().filter(|_| goes_on);
        recorder.visit(walk, step, engine, chosen)?;
        if chosen.is_none() {
            break;
        }
        engine.step(&joint, &mut streams.outcomes)?;
    }
    Ok(())
}

/// Writes a trace, line by line.
pub struct Recorder<E: Recordable, W> {
    names: E::Names,
    out: W,
    valid: Vec<AgentActionId>,
    states: u64,
}

impl<E: Recordable, W: Write> Recorder<E, W> {
    /// Writes the header of a trace of the problem of `engine`. `domain`, `problem` and `seed` go into it as they are.
    ///
    /// # Errors
    /// When writing fails.
    pub fn new(engine: &E, domain: &str, problem: &str, seed: u64, mut out: W) -> Result<Self, TraceError> {
        let names = engine.atom_names();
        let statics = engine.static_atoms(&names);
        let header = header(domain, problem, seed, statics, engine.declared_actions());
        write_line(&mut out, &header)?;
        Ok(Self {
            names,
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
        engine: &E,
        chosen: Option<AgentActionId>,
    ) -> Result<(), TraceError> {
        let visit = self.describe(walk, step, engine, chosen);
        self.write(&visit)
    }

    /// The line that [`visit`](Self::visit) would write.
    pub fn describe(&mut self, walk: u64, step: u64, engine: &E, chosen: Option<AgentActionId>) -> Visit {
        engine.fitting_actions(&mut self.valid);
        let names = self.valid.iter().filter_map(|&action| engine.action_name(action));
        let mut actions = names.collect::<Vec<_>>();
        actions.sort();
        let (fluents, derived) = engine.atoms(&self.names);
        Visit {
            walk,
            step,
            fluents: Some(fluents),
            derived: Some(derived),
            atoms: None,
            actions,
            goal: engine.is_goal(),
            chosen: chosen.and_then(|action| engine.action_name(action)),
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
fn header(
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

fn write_line(out: &mut impl Write, line: &impl serde::Serialize) -> Result<(), TraceError> {
    serde_json::to_writer(&mut *out, line).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}
