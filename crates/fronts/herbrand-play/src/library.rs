//! Domains of one's own, with names like the bundled ones.

use std::sync::Arc;

use crate::reply::DomainEntry;
use crate::request::{ProblemName, Request, Texts};

/// Domains with the texts of their problems, beside the bundled ones and before those of the same name. Clones share the
/// texts. [`Playground::with_library`](crate::Playground::with_library) takes it; the default has no domains.
#[derive(Clone, Debug, Default)]
pub struct Library(Arc<Vec<(DomainEntry, Vec<Texts>)>>);

impl Library {
    /// Creates a library of domains, each with the texts of its problems in the order of
    /// [`DomainEntry::problems`]. Of several domains with the same name, the first is used.
    #[must_use]
    pub fn new(domains: Vec<(DomainEntry, Vec<Texts>)>) -> Self {
        Self(Arc::new(domains))
    }

    /// Iterates over the domains.
    pub(crate) fn entries(&self) -> impl Iterator<Item = &DomainEntry> {
        self.0.iter().map(|(entry, _)| entry)
    }

    /// Returns whether these are the texts of one of the problems, which need not be short.
    pub(crate) fn has(&self, texts: &Texts) -> bool {
        self.0.iter().any(|(_, all)| all.contains(texts))
    }

    /// Returns the problem by its texts; `None` if it is not in the library.
    pub(crate) fn problem(&self, name: &ProblemName) -> Option<ProblemName> {
        let ProblemName::Bundled { domain, problem } = name else {
            return None;
        };
        let (entry, texts) = self.0.iter().find(|(entry, _)| entry.name == *domain)?;
        let at = entry.problems.iter().position(|one| one == problem)?;
        let texts = texts.get(at)?.clone();
        Some(ProblemName::Texts { texts })
    }

    /// Returns a request with the texts of its problem; `None` if that is not in the library.
    pub(crate) fn request(&self, request: &Request) -> Option<Request> {
        let found = self.problem(request.problem()?)?;
        let mut request = request.clone();
        *request.problem_mut()? = found;
        Some(request)
    }
}
