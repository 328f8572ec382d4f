//! Traces whose lines are visited states, for systems that name their actions and facts.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::{RECORDER, Seeded, TraceHeader, VERSION, write_line};
use crate::action::Choice;
use crate::describe::{Described, FactValue, Group};

/// The first line of a trace of visited states, with the recorded engine, domain, problem and seed. [`of`](Self::of)
/// makes one for [`Recorder::new`]; [`read_header`](super::read_header) reads one. Walk `i` has the seed plus `i`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// The name and version of the engine that recorded the trace.
    #[serde(default)]
    pub oracle: String,
    /// The version of the format; `None` in files of other engines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The domain file, relative to the trace, or the name of a bundled domain.
    #[serde(default)]
    pub domain: String,
    /// The problem file, relative to the trace, or the name of a problem of the domain, such as `train/01`.
    #[serde(default)]
    pub problem: String,
    /// The seed of the walks.
    #[serde(default)]
    pub seed: u64,
    /// The part of the walks that the seed determines; `None` if none or unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeded: Option<Seeded>,
    /// The facts that are true in every state, if recorded. [`replay`](super::replay) does not compare them.
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    pub statics: Option<Vec<String>>,
    /// The names of the agent actions, if the trace lists agent actions of PDDL instead of operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_actions: Option<Vec<String>>,
    /// Whether actions with the same object twice are omitted. The replay of PDDL then does not compare them;
    /// [`replay`](super::replay) ignores the key.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated_objects_excluded: bool,
    /// The texts of domain, problem and settings, if the trace contains them, as JSON in a form that its writer
    /// chooses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<serde_json::Value>,
    /// The keys of the line that the format does not define, reported as warnings. They are not written.
    #[serde(skip)]
    pub unknown: Vec<String>,
}

impl Header {
    /// Creates the header of a trace that this engine records. `system` is in any state of the problem, and the pair
    /// has the names of domain and problem. `seeded`, `agent_actions` and `texts` are `None`: set what applies.
    #[must_use]
    pub fn of(system: &impl Described, (domain, problem): (&str, &str), seed: u64) -> Self {
        Self {
            oracle: RECORDER.to_owned(),
            version: Some(VERSION),
            domain: domain.to_owned(),
            problem: problem.to_owned(),
            seed,
            statics: Some(true_facts(system, Group::Static)),
            ..Self::default()
        }
    }
}

impl TraceHeader for Header {
    fn version(&self) -> Option<u32> {
        self.version
    }

    fn unknown(&mut self) -> &mut Vec<String> {
        &mut self.unknown
    }
}

/// A line of a trace: a visited state, its valid actions, and the action taken. The true facts are in `fluents` and
/// `derived`, which exclude static facts, or in `atoms`, which includes them. [`of`](Self::of) makes one with
/// `fluents` and `derived`; [`TraceLines::read`](super::TraceLines::read) reads one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Visit {
    /// The number of the walk, which is one recorded episode, counted from 0.
    pub walk: u64,
    /// The number of the step within the walk, counted from 0.
    pub step: u64,
    /// The true fluent facts, in the syntax of PDDL; `None` if the line has no such list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluents: Option<Vec<String>>,
    /// The true derived facts, in the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<Vec<String>>,
    /// All true facts, static ones included, if another engine wrote them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atoms: Option<Vec<String>>,
    /// The valid actions, in the syntax of the language, as [`Described::listed_actions`] lists them.
    pub actions: Vec<String>,
    /// Whether the goal holds in the state.
    pub goal: bool,
    /// The joint action taken in this state; `None` at the end of a walk.
    pub chosen: Option<String>,
}

impl Visit {
    /// Describes the current state of `system`. `walk` is the number of the walk and `step` the number of steps taken
    /// in it; `chosen` is the joint action taken in the state, `None` at the end of a walk. Facts and actions are
    /// sorted by text. Non-boolean values, static facts and observed facts are not recorded.
    #[must_use]
    pub fn of(walk: u64, step: u64, system: &impl Described, chosen: Option<&[Choice]>) -> Self {
        let mut actions = system.listed_actions();
        actions.sort();
        Self {
            walk,
            step,
            fluents: Some(true_facts(system, Group::Fluent)),
            derived: Some(true_facts(system, Group::Derived)),
            atoms: None,
            actions,
            goal: system.status().goal,
            chosen: chosen.map(|joint| system.joint_text(joint)),
        }
    }
}

/// Writes a trace line by line: first the header, then one line per visited state. [`new`](Self::new) starts it, and
/// [`finish`](Self::finish) ends it; [`replay`](super::replay) reads the file.
pub struct Recorder<W> {
    out: W,
}

impl<W: Write> Recorder<W> {
    /// Creates a recorder and writes the header to `out`. Call [`visit`](Self::visit) for each state, and
    /// [`finish`](Self::finish) at the end.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn new(header: &Header, mut out: W) -> io::Result<Self> {
        write_line(&mut out, header)?;
        Ok(Self { out })
    }

    /// Writes a line for the current state of `system`, which must be of the problem in the header, as in
    /// [`Visit::of`]. `walk` and `step` count from 0. Pass `None` as `chosen` in the last state of a walk.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn visit(
        &mut self,
        walk: u64,
        step: u64,
        system: &impl Described,
        chosen: Option<&[Choice]>,
    ) -> io::Result<()> {
        self.write(&Visit::of(walk, step, system, chosen))
    }

    /// Writes a line. Nothing is checked: `visit` may come from another trace.
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

/// Returns the true facts of a group in alphabetical order. Numbers are not recorded. Empty if none is true. Each fact
/// occurs once.
#[must_use]
pub fn true_facts(system: &impl Described, group: Group) -> Vec<String> {
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
