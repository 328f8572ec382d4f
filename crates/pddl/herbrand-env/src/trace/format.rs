//! The line formats of trace files.

use std::collections::HashSet;
use std::io;

use herbrand_core::trace::{self, FileError, RECORDER, Seeded, VERSION};
use herbrand_core::{Described, Group};
use serde::{Deserialize, Serialize};

use super::listed::{Place, spelled};
use super::record::true_facts;
use crate::action::AgentActions;

/// The first line of a trace, with the recorded engine, domain, problem and seed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// The name and version of the engine that recorded the trace.
    #[serde(default)]
    pub oracle: String,
    /// The version of the format; `None` in files of other engines and of earlier versions of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The domain file, relative to the trace, or the name of a bundled domain.
    #[serde(default)]
    pub domain: String,
    /// The problem file, relative to the trace, or the name of a problem of the bundled domain, such as `train/01`.
    #[serde(default)]
    pub problem: String,
    /// The seed of the walks.
    #[serde(default)]
    pub seed: u64,
    /// The part of the walks that the seed determines; `None` if none or unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeded: Option<Seeded>,
    /// The atoms that are true in every state, if recorded.
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    pub statics: Option<Vec<String>>,
    /// The names of the agent actions, if the trace lists agent actions instead of operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_actions: Option<Vec<String>>,
    /// Whether actions with the same object twice are omitted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated_objects_excluded: bool,
    /// The texts of domain, problem and settings, if the trace contains them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<serde_json::Value>,
    /// The keys of the line that the format does not define, reported as warnings. They are not written.
    #[serde(skip)]
    pub unknown: Vec<String>,
}

impl Header {
    /// Creates the header of a trace that this engine records. `system` is in any state of the problem, `actions` are its
    /// declared agent actions, and the pair has the names of domain and problem.
    #[must_use]
    pub fn of(
        system: &impl Described,
        actions: Option<&AgentActions>,
        (domain, problem): (&str, &str),
        seed: u64,
    ) -> Self {
        Self {
            oracle: RECORDER.to_owned(),
            version: Some(VERSION),
            domain: domain.to_owned(),
            problem: problem.to_owned(),
            seed,
            statics: Some(true_facts(system, Group::Static)),
            agent_actions: actions.map(|agent| {
                let names = agent.actions().iter().map(|action| action.name.to_string());
                names.collect()
            }),
            ..Self::default()
        }
    }
}

impl trace::TraceHeader for Header {
    fn version(&self) -> Option<u32> {
        self.version
    }

    fn unknown(&mut self) -> &mut Vec<String> {
        &mut self.unknown
    }
}

/// A line of a trace: a visited state, its valid actions, and the action taken. The true atoms are in `fluents` and
/// `derived`, which exclude static atoms, or in `atoms`, which includes them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Visit {
    /// The number of the walk, which is one recorded episode.
    pub walk: u64,
    /// The number of the step within the walk, counted from 0.
    pub step: u64,
    /// The true fluent atoms, in PDDL syntax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluents: Option<Vec<String>>,
    /// The true derived atoms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<Vec<String>>,
    /// All true atoms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atoms: Option<Vec<String>>,
    /// All valid actions, in PDDL syntax.
    pub actions: Vec<String>,
    /// Whether the goal holds in the state.
    pub goal: bool,
    /// The action taken in this state; `None` at the end of a walk.
    pub chosen: Option<String>,
}

impl Visit {
    /// Normalises all atoms and actions to this engine's spelling: lower case, one space between names, no other spaces.
    ///
    /// Other engines use different spacing: pymimir writes `(wait )` for an action without parameters.
    pub(super) fn spell_alike(&mut self) {
        let lists = [&mut self.fluents, &mut self.derived, &mut self.atoms]
            .into_iter()
            .flatten();
        let texts = lists.chain([&mut self.actions]).flatten().chain(&mut self.chosen);
        for text in texts {
            *text = spelled(text);
        }
    }

    /// Returns an atom that occurs twice in a list. Actions may occur twice because other engines list distinct actions with
    /// equal names.
    pub(super) fn listed_twice(&self) -> Option<&str> {
        let lists = [&self.fluents, &self.derived, &self.atoms];
        lists.into_iter().flatten().find_map(|list| twice(list))
    }

    /// Iterates over the recorded atoms, each with the list that contains it.
    pub(super) fn recorded(&self) -> impl Iterator<Item = (Place, &str)> {
        let lists = [
            (Place::Fluents, &self.fluents),
            (Place::Derived, &self.derived),
            (Place::Atoms, &self.atoms),
        ];
        lists.into_iter().flat_map(|(place, list)| {
            let texts = list.iter().flatten();
            texts.map(move |text| (place, text.as_str()))
        })
    }
}

/// Returns a text that occurs twice in a list.
pub(super) fn twice(list: &[String]) -> Option<&str> {
    let mut seen = HashSet::new();
    list.iter().map(String::as_str).find(|text| !seen.insert(*text))
}

/// The reason why a trace could not be written or replayed.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The recorded environment could not be created or stepped.
    #[error(transparent)]
    Env(#[from] crate::error::EnvError),
    /// The agent actions of the trace differ from those of the environment.
    #[error(
        "the trace lists the agent's actions {}, and the environment {}",
        .recorded.join(", "),
        declares(.declared)
    )]
    AgentActions {
        /// The names of the agent actions in the trace.
        recorded: Vec<String>,
        /// The names of the environment's actions; empty if its actions are the operators.
        declared: Vec<String>,
    },
    /// The engine refused a step.
    #[error(transparent)]
    Planning(#[from] crate::error::PlanningError),
}

impl From<io::Error> for TraceError {
    fn from(error: io::Error) -> Self {
        Self::File(error.into())
    }
}

fn declares(declared: &[String]) -> String {
    match declared {
        [] => "declares none: its `env.toml` is missing, or has no actions".to_owned(),
        some => format!("has {}", some.join(", ")),
    }
}
