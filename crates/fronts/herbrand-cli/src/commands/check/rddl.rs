//! Checks RDDL files. Blocks of all files are checked together, because one file can refer to another.

use std::collections::BTreeMap;
use std::sync::Arc;

use herbrand::limits::{Budget, Limits};
use herbrand::rddl::{Domain, ReadOptions, Source, read};

use super::{Findings, Unchecked};

impl Findings {
    /// Checks RDDL files.
    pub(super) fn rddl(&mut self, sources: &[Source], strict: bool, limits: Limits) {
        let options = ReadOptions {
            strict,
            budget: Budget::new(limits),
            ..ReadOptions::default()
        };
        let document = read(sources, &options);
        self.add(document.diagnostics());
        let mut domains: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
        for domain in document.domains() {
            let reading = domain.check();
            self.domains += 1;
            self.add(&reading.diagnostics);
            let candidate = Candidate {
                file: domain.source().name().to_owned(),
                domain: reading.value.map(Arc::new),
            };
            domains
                .entry(domain.name().to_owned())
                .or_default()
                .push(candidate);
        }
        for instance in document.instances() {
            self.problems += 1;
            match domain_of(instance.domain_name(), instance.source().name(), &domains) {
                Ok(domain) => self.add(&instance.check(domain).diagnostics),
                Err(reason) => self.unchecked.push(Unchecked {
                    file: instance.source().name().to_owned(),
                    problem: instance.name().to_owned(),
                    reason,
                }),
            }
        }
    }
}

/// A domain and its file; `None` if the domain has errors.
struct Candidate {
    file: String,
    domain: Option<Arc<Domain>>,
}

/// Returns the domain that an instance is checked against: the domain that it names, or the only domain given. If several
/// domains have the name, the one in the instance's own file is used.
fn domain_of<'d>(
    name: Option<&str>,
    file: &str,
    domains: &'d BTreeMap<String, Vec<Candidate>>,
) -> Result<&'d Arc<Domain>, String> {
    let name = name.unwrap_or_default();
    let candidates = match (domains.get(name), domains.len()) {
        (Some(candidates), _) => candidates,
        (None, 1) => domains
            .values()
            .next()
            .ok_or("there is no domain among the files")?,
        (None, 0) => return Err("there is no domain among the files".to_owned()),
        (None, _) => return Err(format!("no domain has the name `{name}`")),
    };
    let own = candidates.iter().find(|candidate| candidate.file == file);
    match (own, candidates.as_slice()) {
        (Some(candidate), _) | (None, [candidate]) => candidate
            .domain
            .as_ref()
            .ok_or_else(|| "its domain has errors".to_owned()),
        _ if !domains.contains_key(name) => Err(format!("no domain has the name `{name}`")),
        _ => Err(format!("several domains have the name `{name}`")),
    }
}
