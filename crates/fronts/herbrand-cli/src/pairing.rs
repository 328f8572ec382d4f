//! Which problem belongs to which domain, among the files of one command.

use std::collections::BTreeMap;

use herbrand::Domain;
use herbrand::pddl::{Diagnostic, Document, Source, UncheckedProblem};

/// The checked domains in the files of a command, by name.
#[derive(Default)]
pub struct Domains {
    by_name: BTreeMap<String, Vec<Candidate>>,
}

/// A domain and the file it is in; none when it has faults.
struct Candidate {
    file: String,
    domain: Option<Domain>,
}

impl Domains {
    /// Checks the domains of a file and adds them. Returns their number and their diagnostics.
    pub fn add(&mut self, source: &Source, document: &Document<'_>) -> (usize, Vec<Diagnostic>) {
        let mut diagnostics = Vec::new();
        for domain in document.domains() {
            let reading = domain.check();
            diagnostics.extend(reading.diagnostics);
            let candidate = Candidate {
                file: source.name().to_owned(),
                domain: reading.value,
            };
            self.by_name.entry(domain.name()).or_default().push(candidate);
        }
        (document.domains().len(), diagnostics)
    }

    /// Returns the domain to check a problem against: the domain that the problem names (in the problem's own file, if
    /// several have the name), or the only domain.
    ///
    /// # Errors
    /// Fails with the reason if no domain or more than one fits the problem, or if the domain has errors.
    pub fn of(&self, source: &Source, problem: UncheckedProblem<'_, '_>) -> Result<&Domain, String> {
        let name = problem.domain_name().unwrap_or_default();
        let candidates = match (self.by_name.get(&name), self.by_name.len()) {
            (Some(candidates), _) => candidates,
            (None, 1) => self
                .by_name
                .values()
                .next()
                .ok_or("there is no domain among the files")?,
            (None, 0) => return Err("there is no domain among the files".to_owned()),
            (None, _) => return Err(format!("no domain has the name `{name}`")),
        };
        let own = candidates
            .iter()
            .find(|candidate| candidate.file == source.name());
        match (own, candidates.as_slice()) {
            (Some(candidate), _) | (None, [candidate]) => candidate
                .domain
                .as_ref()
                .ok_or_else(|| "its domain has errors".to_owned()),
            _ if !self.by_name.contains_key(&name) => Err(format!("no domain has the name `{name}`")),
            _ => Err(format!("several domains have the name `{name}`")),
        }
    }
}
