//! The lines of a trace file.

use std::collections::HashSet;
use std::io;

use herbrand_core::trace::{self, FileError, RECORDER, Seeded, VERSION};
use herbrand_core::{Described, Group};
use serde::{Deserialize, Serialize};

use super::listed::{Place, spelled};
use super::record::true_facts;
use crate::AgentActions;

/// The first line: where the trace comes from.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Header {
    /// The engine that recorded it.
    #[serde(default)]
    pub oracle: String,
    /// The version of the format; `None` in files of other engines and of earlier versions of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The domain's file, relative to the trace; or the name of a bundled domain.
    #[serde(default)]
    pub domain: String,
    /// The problem's file, relative to the trace; or the name of a problem of the bundled domain, such as `train/01`.
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
    /// The names of the agent's actions, when it is those that are listed and not the operators.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent_actions: Option<Vec<String>>,
    /// Whether actions that name one object twice are left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeated_objects_excluded: bool,
    /// The texts of domain, problem and settings, if the trace contains them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<serde_json::Value>,
    /// The keys of the line that the format does not have. They are not written.
    #[serde(skip)]
    pub unknown: Vec<String>,
}

impl Header {
    /// The header of a trace by this engine, of the problem of `system`, which is called so.
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

impl trace::Header for Header {
    fn version(&self) -> Option<u32> {
        self.version
    }

    fn unknown(&mut self) -> &mut Vec<String> {
        &mut self.unknown
    }
}

/// One visited state. Atoms are `fluents` and `derived`, without static ones, or `atoms`, with them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Visit {
    /// The walk it belongs to.
    pub walk: u64,
    /// Its place in the walk, from 0.
    pub step: u64,
    /// The fluent atoms that are true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fluents: Option<Vec<String>>,
    /// The derived atoms that are true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub derived: Option<Vec<String>>,
    /// All atoms that are true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atoms: Option<Vec<String>>,
    /// All valid actions.
    pub actions: Vec<String>,
    /// Whether the goal holds.
    pub goal: bool,
    /// The action that was then taken; none at the end of a walk.
    pub chosen: Option<String>,
}

impl Visit {
    /// Spells all atoms and actions as this engine does: in lower case, one blank between names, none elsewhere.
    ///
    /// Other engines differ there: pymimir writes `(wait )` for an action without parameters.
    pub(super) fn spell_alike(&mut self) {
        let lists = [&mut self.fluents, &mut self.derived, &mut self.atoms]
            .into_iter()
            .flatten();
        let texts = lists.chain([&mut self.actions]).flatten().chain(&mut self.chosen);
        for text in texts {
            *text = spelled(text);
        }
    }

    /// An atom that a list has twice. Actions may have the same name: other engines list such twice.
    pub(super) fn listed_twice(&self) -> Option<&str> {
        let lists = [&self.fluents, &self.derived, &self.atoms];
        lists.into_iter().flatten().find_map(|list| twice(list))
    }

    /// The recorded atoms, each with the list it is in.
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

/// A text that a list has twice.
pub(super) fn twice(list: &[String]) -> Option<&str> {
    let mut seen = HashSet::new();
    list.iter().map(String::as_str).find(|text| !seen.insert(*text))
}

/// Why a trace could not be written or followed.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The environment that is recorded could not be made or stepped.
    #[error(transparent)]
    Env(#[from] crate::EnvError),
    /// The trace lists actions of the agent that are not those of the environment.
    #[error(
        "the trace lists the agent's actions {}, and the environment {}",
        .recorded.join(", "),
        declares(.declared)
    )]
    AgentActions {
        /// The names of the trace's actions.
        recorded: Vec<String>,
        /// The names of the environment's actions; none when its actions are the operators.
        declared: Vec<String>,
    },
    /// The engine refused a step.
    #[error(transparent)]
    Planning(#[from] crate::PlanningError),
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
