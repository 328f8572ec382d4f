//! Checks tables of sentences.

use std::path::Path;

use herbrand::Domain;
use herbrand::env::{AgentActions, Config};
use herbrand::pddl::Source;
use herbrand::verbalize::{TextTable, TextVocabulary, Wording};

use super::Findings;
use crate::input;

impl Findings {
    /// Checks the table of sentences of the domain in a file, if it is among `files`.
    pub(super) fn sentences(
        &mut self,
        domain: &Source,
        files: &[Source],
        vocabulary: impl FnOnce() -> TextVocabulary,
    ) {
        let file = input::sentences_file(Path::new(domain.name()));
        let table = files
            .iter()
            .find(|source| Some(Path::new(source.name())) == file.as_deref());
        let Some(table) = table else { return };
        let fitted = TextTable::parse(table).and_then(|table| Wording::new(vocabulary(), Some(&table)));
        if let Err(faults) = fitted {
            self.add(faults.diagnostics());
        }
    }
}

/// Returns the names of a domain whose actions are those of its settings.
pub(super) fn vocabulary(domain: &Domain, settings: Option<&Source>) -> TextVocabulary {
    let config = settings.and_then(|source| Config::parse(source).ok());
    let agent = config.and_then(|config| AgentActions::of(domain, &config).ok().flatten());
    TextVocabulary::of_domain(domain, agent.as_ref())
}
