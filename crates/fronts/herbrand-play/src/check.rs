//! Checks texts while they are edited.

use std::sync::Arc;

use herbrand_env::{Config, EnvError, Source};
use herbrand_limits::Budget;
use herbrand_pddl::{Code, Domain, Mention, Problem};

use crate::allowance::RequestLimits;
use crate::fault::{finding, findings, of_settings};
use crate::finding::Finding;
use crate::rddl::sources;
use crate::reply::Reply;
use crate::request::Texts;
use crate::request::{DOMAIN, PROBLEM, SETTINGS};
use herbrand_assist::Language;

/// Returns all faults and warnings of the texts, and hints about names that neither text reads. Texts that depend on a faulty text
/// are not checked.
pub(crate) fn check(texts: &Texts, allowance: &RequestLimits) -> Reply {
    let language = Language::of(&texts.domain);
    let mut found = match language {
        Language::Pddl => pddl(texts, allowance),
        Language::Rddl => rddl(texts, allowance),
    };
    let order = |finding: &Finding| match finding.text.as_str() {
        DOMAIN => 0,
        PROBLEM => 1,
        _ => 2,
    };
    found.sort_by_key(|finding| (finding.severity == "hint", order(finding), finding.place));
    let errors = found.iter().filter(|finding| finding.severity == "error").count();
    found.truncate(allowance.listed);
    Reply::Check {
        findings: found,
        errors,
        language,
    }
}

fn pddl(texts: &Texts, allowance: &RequestLimits) -> Vec<Finding> {
    let options = herbrand_pddl::ReadOptions::within(&Budget::new(allowance.limits));
    let (source, problem) = (
        Source::new(DOMAIN, &texts.domain),
        Source::new(PROBLEM, &texts.problem),
    );
    let document = herbrand_pddl::read(&source, &options);
    let mut found = findings(document.diagnostics());
    let mut sound = true;
    let domain = match document.domains().next() {
        Some(domain) => {
            let reading = domain.check();
            found.extend(findings(&reading.diagnostics));
            sound = reading.value.is_some();
            let doubts = |domain: &Domain| herbrand_pddl::doubts(domain, false);
            found.extend(reading.value.iter().flat_map(|domain| findings(&doubts(domain))));
            reading.value.or(reading.declared)
        }
        None => match Domain::parse_within(&source, &options.budget) {
            Ok(domain) => Some(domain),
            Err(faults) => {
                found = findings(faults.diagnostics());
                None
            }
        },
    };
    let declared = document.mentions();
    let document = herbrand_pddl::read(&problem, &options);
    // A problem that is still missing may read any name.
    if !texts.problem.trim().is_empty() {
        found.extend(unread(&[(&source, &declared), (&problem, &document.mentions())]));
    }
    let of_problem = findings(document.diagnostics());
    match (document.problems().next(), &domain) {
        (Some(problem), Some(domain)) => {
            found.extend(of_problem);
            let reading = problem.check(domain);
            found.extend(findings(&reading.diagnostics));
            if sound {
                found.extend(findings(&problem.missing_sections()));
                let warnings = |problem: &Problem| {
                    let mut all = herbrand_pddl::never_true(domain, problem, false);
                    all.extend(herbrand_pddl::undefined_values(domain, problem, false));
                    all.extend(herbrand_pddl::start_doubts(domain, problem, false));
                    findings(&all)
                };
                found.extend(reading.value.iter().flat_map(warnings));
            }
        }
        (None, Some(domain)) => {
            let parsed = Problem::parse_within(&problem, domain, &options.budget);
            found.extend(match parsed {
                Ok(_) => of_problem,
                Err(faults) => findings(faults.diagnostics()),
            });
        }
        (_, None) => found.extend(of_problem),
    }
    if !texts.settings.trim().is_empty() {
        let settings = Source::new(SETTINGS, &texts.settings);
        let sound_domain = domain.as_ref().filter(|_| sound);
        let faults = match sound_domain {
            Some(domain) => Config::faults(domain, &settings),
            None => Config::parse(&settings)
                .err()
                .into_iter()
                .map(EnvError::from)
                .collect(),
        };
        found.extend(faults.iter().flat_map(of_settings));
    }
    found
}

/// Returns the names of a domain that nothing reads: hints, but for derived predicates.
fn unread(texts: &[(&Source, &[Mention])]) -> Vec<Finding> {
    let shown = |diagnostic: &herbrand_pddl::Diagnostic| {
        let severity = match diagnostic.code() {
            Code::UnreadName => "hint".to_owned(),
            _ => diagnostic.severity().as_str().to_owned(),
        };
        Finding {
            severity,
            ..finding(diagnostic)
        }
    };
    herbrand_pddl::unread(texts, false).iter().map(shown).collect()
}

fn rddl(texts: &Texts, allowance: &RequestLimits) -> Vec<Finding> {
    let options = herbrand_rddl::ReadOptions::within(&Budget::new(allowance.limits));
    let sources = sources(texts);
    let document = herbrand_rddl::read(&sources, &options);
    let mut found = findings(document.diagnostics());
    let Some(unchecked) = document.domains().next() else {
        if let Err(faults) = herbrand_rddl::Domain::parse_within(&sources, &options.budget) {
            found = findings(faults.diagnostics());
        }
        return found;
    };
    let reading = unchecked.check();
    found.extend(findings(&reading.diagnostics));
    let Some(domain) = reading.value.map(Arc::new) else {
        return found;
    };
    let mut instances = 0;
    for instance in document.instances() {
        instances += 1;
        found.extend(findings(&instance.check(&domain).diagnostics));
    }
    if instances == 0
        && let Err(faults) = herbrand_rddl::Instance::parse_within(&sources, &domain, &options.budget)
    {
        found.extend(findings(faults.diagnostics()));
    }
    if !texts.settings.trim().is_empty() {
        let settings = Source::new(SETTINGS, &texts.settings);
        if let Err(error) = herbrand_rddl_sim::EnvSettings::parse(&settings, &domain) {
            found.extend(findings(error.diagnostics()));
        }
    }
    // Reading and checking may report the same fault of a text without a domain or an instance.
    found.dedup();
    found
}
