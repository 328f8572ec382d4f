//! The header of PDDL traces, the spelling of their lines, and their errors.

use std::collections::HashSet;
use std::io;

use herbrand_core::Described;
use herbrand_core::trace::{FileError, Header, Visit};

use super::listed::{Place, spelled};
use crate::action::AgentActions;

/// Returns the header of a trace that this engine records. `system` is in any state of the problem, `actions` are its
/// declared agent actions, and the pair has the names of domain and problem. Pass it to
/// [`Recorder::new`](herbrand_core::trace::Recorder::new). `seed` is only noted in it.
#[must_use]
pub fn header(
    system: &impl Described,
    actions: Option<&AgentActions>,
    names: (&str, &str),
    seed: u64,
) -> Header {
    Header {
        agent_actions: actions.map(|agent| {
            let names = agent.actions().iter().map(|action| action.name.to_string());
            names.collect()
        }),
        ..Header::of(system, names, seed)
    }
}

/// Normalises all atoms and actions of a line to this engine's spelling: lower case, one space between names, no other spaces.
///
/// Other engines use different spacing: pymimir writes `(wait )` for an action without parameters.
pub(super) fn spell_alike(visit: &mut Visit) {
    let lists = [&mut visit.fluents, &mut visit.derived, &mut visit.atoms]
        .into_iter()
        .flatten();
    let texts = lists
        .chain([&mut visit.actions])
        .flatten()
        .chain(&mut visit.chosen);
    for text in texts {
        *text = spelled(text);
    }
}

/// Returns an atom that occurs twice in a list of a line. Actions may occur twice because other engines list distinct actions with
/// equal names.
pub(super) fn listed_twice(visit: &Visit) -> Option<&str> {
    let lists = [&visit.fluents, &visit.derived, &visit.atoms];
    lists.into_iter().flatten().find_map(|list| twice(list))
}

/// Iterates over the atoms of a line, each with the list that contains it.
pub(super) fn recorded(visit: &Visit) -> impl Iterator<Item = (Place, &str)> {
    let lists = [
        (Place::Fluents, &visit.fluents),
        (Place::Derived, &visit.derived),
        (Place::Atoms, &visit.atoms),
    ];
    lists.into_iter().flat_map(|(place, list)| {
        let texts = list.iter().flatten();
        texts.map(move |text| (place, text.as_str()))
    })
}

/// Returns a text that occurs twice in a list.
pub(super) fn twice(list: &[String]) -> Option<&str> {
    let mut seen = HashSet::new();
    list.iter().map(String::as_str).find(|text| !seen.insert(*text))
}

/// The reason why a trace could not be written ([`rollout_recorded`](crate::rollout_recorded)) or replayed
/// ([`Replayer`](super::Replayer)).
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read or written. Also a line that is not of the format, or out of order.
    #[error(transparent)]
    File(#[from] FileError),
    /// The recorded or replayed environment could not be created or stepped.
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
    /// The engine refused a step or a recorded state.
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
