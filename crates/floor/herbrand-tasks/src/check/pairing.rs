//! Pairs the problems among some texts with their domains.

use std::collections::BTreeMap;
use std::path::Path;

/// The domains of some files by name, each as `D` if problems can be checked against it.
pub(super) struct Domains<D> {
    by_name: BTreeMap<String, Vec<Candidate<D>>>,
}

/// A domain and its file; `None` if the domain has errors in its declarations.
struct Candidate<D> {
    file: String,
    domain: Option<D>,
}

/// Why a problem has no domain.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum Unpaired {
    #[error("there is no domain among the files")]
    NoDomain,
    #[error("no domain has the name `{0}`")]
    Unknown(String),
    #[error("several domains have the name `{0}`")]
    Several(String),
    #[error("its domain has errors")]
    Faulty,
}

impl<D> Domains<D> {
    /// Returns no domains.
    pub(super) const fn new() -> Self {
        let by_name = BTreeMap::new();
        Self { by_name }
    }

    /// Adds the domain called `name` in `file`; `None` if it has errors in its declarations.
    pub(super) fn add(&mut self, name: &str, file: &str, domain: Option<D>) {
        let candidate = Candidate {
            file: file.to_owned(),
            domain,
        };
        self.by_name.entry(name.to_owned()).or_default().push(candidate);
    }

    /// Returns the domain that a problem in `file` is checked against: the domain that it names, or the only domain given. If
    /// several domains have the name, the domain in the problem's own file is used, or else the only one in its folder, or
    /// else the only one in the folder above.
    ///
    /// # Errors
    /// Fails if no domain, or more than one, fits the problem, or if its domain has errors.
    pub(super) fn of(&self, name: Option<&str>, file: &str) -> Result<&D, Unpaired> {
        let name = name.unwrap_or_default();
        let unknown = || Unpaired::Unknown(name.to_owned());
        let mut all = self.by_name.values();
        let candidates = match (self.by_name.get(name), all.next(), all.next()) {
            (Some(named), ..) => named,
            (None, None, _) => return Err(Unpaired::NoDomain),
            (None, Some(only), None) => only,
            (None, Some(_), Some(_)) => return Err(unknown()),
        };
        let own = candidates.iter().find(|candidate| candidate.file == file);
        let folders = Path::new(file).ancestors().skip(1).take(2);
        let beside = folders.map(|folder| {
            let in_folder = |candidate: &&Candidate<D>| Path::new(&candidate.file).parent() == Some(folder);
            candidates.iter().filter(in_folder).collect::<Vec<_>>()
        });
        let beside = beside
            .into_iter()
            .find(|beside| !beside.is_empty())
            .and_then(|beside| <[_; 1]>::try_from(beside).ok());
        match (own.or(beside.map(|[candidate]| candidate)), candidates.as_slice()) {
            (Some(candidate), _) | (None, [candidate]) => candidate.domain.as_ref().ok_or(Unpaired::Faulty),
            _ if !self.by_name.contains_key(name) => Err(unknown()),
            _ => Err(Unpaired::Several(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_the_domain_that_it_names_or_the_only_one() {
        let mut domains = Domains::new();
        assert_eq!(domains.of(Some("a"), "p"), Err(Unpaired::NoDomain));
        domains.add("a", "a.pddl", Some(1));
        assert_eq!(domains.of(Some("a"), "p"), Ok(&1));
        assert_eq!(
            (domains.of(Some("b"), "p"), domains.of(None, "p")),
            (Ok(&1), Ok(&1))
        );
        domains.add("a", "other.pddl", Some(2));
        assert_eq!(domains.of(Some("a"), "other.pddl"), Ok(&2));
        domains.add("a", "one/domain.pddl", Some(3));
        domains.add("a", "two/domain.pddl", Some(4));
        for (file, expected) in [("one/p.pddl", 3), ("two/p.pddl", 4), ("two/problems/p.pddl", 4)] {
            assert_eq!(domains.of(Some("a"), file), Ok(&expected), "{file}");
        }
        assert_eq!(domains.of(Some("a"), "p"), Err(Unpaired::Several("a".to_owned())));
        domains.add("b", "b.pddl", None);
        assert_eq!(domains.of(Some("b"), "p"), Err(Unpaired::Faulty));
        assert_eq!(domains.of(Some("c"), "p"), Err(Unpaired::Unknown("c".to_owned())));
    }
}
