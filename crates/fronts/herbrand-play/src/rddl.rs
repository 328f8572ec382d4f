//! RDDL problems by name or by their texts.

use herbrand_env::Source;
use herbrand_rddl_sim::simulate::Preconditions;
use herbrand_rddl_sim::suite::RddlSuite;

use crate::allowance::RequestLimits;
use crate::refusal::Refusal;
use crate::request::{DOMAIN, PROBLEM, ProblemName, SETTINGS, Texts};

/// Returns a suite with the selected instance only.
pub(crate) fn suite(name: &ProblemName, allowance: &RequestLimits) -> Result<RddlSuite, Refusal> {
    match name {
        ProblemName::Bundled { domain, problem } => {
            let suite = RddlSuite::bundled(domain).and_then(|suite| suite.problem(problem));
            let suite = suite.map_err(Refusal::unknown)?.with_limits(allowance.limits);
            Ok(suite.with_preconditions(Preconditions::Refused))
        }
        ProblemName::Texts { texts } => {
            let suite = RddlSuite::from_sources_within(&sources(texts), allowance.limits)?;
            let suite = if texts.settings.trim().is_empty() {
                suite
            } else {
                suite.with_settings(&Source::new(SETTINGS, &texts.settings))?
            };
            Ok(suite.only(0)?.with_preconditions(Preconditions::Refused))
        }
    }
}

/// Returns the RDDL texts. The domain text may contain all blocks; then the problem text is empty.
pub(crate) fn sources(texts: &Texts) -> Vec<Source> {
    let mut sources = vec![Source::new(DOMAIN, &texts.domain)];
    if !texts.problem.trim().is_empty() {
        sources.push(Source::new(PROBLEM, &texts.problem));
    }
    sources
}
