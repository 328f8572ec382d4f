//! Checks RDDL files. Blocks of all files are checked together, because one file can refer to another.

use std::sync::Arc;

use herbrand::limits::{Budget, Limits};
use herbrand::rddl::{EnvSettings, ReadOptions, Source, read};

use super::{Findings, Unchecked, settings_of};
use crate::pairing::Domains;

impl Findings {
    /// Checks RDDL files.
    pub(super) fn rddl(&mut self, sources: &[Source], settings: &[Source], strict: bool, limits: Limits) {
        let options = ReadOptions {
            strict,
            budget: Budget::new(limits),
            ..ReadOptions::default()
        };
        let document = read(sources, &options);
        self.add(document.diagnostics());
        let mut domains = Domains::new();
        for domain in document.domains() {
            let reading = domain.check();
            self.domains += 1;
            self.add(&reading.diagnostics);
            let checked = reading.value.map(Arc::new);
            if let (Some(domain), Some(settings)) = (&checked, settings_of(domain.source(), settings))
                && let Err(faults) = EnvSettings::parse(settings, domain)
            {
                self.add(faults.diagnostics());
            }
            // Faults in formulas do not concern the instances.
            let checked = checked.or_else(|| domain.declarations().map(Arc::new));
            domains.add(domain.name(), domain.source().name(), checked);
        }
        for instance in document.instances() {
            self.problems += 1;
            match domains.of(instance.domain_name(), instance.source().name()) {
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
