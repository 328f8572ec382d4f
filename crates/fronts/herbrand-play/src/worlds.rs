//! Domains under edit by name.

use std::sync::Arc;

use herbrand_env::Registry;
use herbrand_pddlworld::{Target, Walks, WorldOptions, Worlds};

use crate::allowance::RequestLimits;
use crate::refusal::Refusal;
use crate::request::ProblemName;

/// The name, or its first part, of a domain under edit.
const EDITED: &str = "pddlworld";
/// The name of the world of the light switch, and of its problem.
const LIGHT_SWITCH: &str = "light-switch";

/// Returns the world that a name such as `pddlworld/blocks@3` names: the bundled domain that is edited, and the start of an
/// episode ([`Worlds::starting`]). `pddlworld` is the light switch. `None` for other names.
pub(crate) fn named(name: &ProblemName, allowance: &RequestLimits) -> Option<Result<Worlds, Refusal>> {
    let ProblemName::Bundled { domain, problem } = name else {
        return None;
    };
    let (name, start) = match domain.split_once('@') {
        Some((name, start)) => (name, Some(start)),
        None => (domain.as_str(), None),
    };
    let of = match name.split_once('/') {
        None => LIGHT_SWITCH,
        Some((_, of)) => of,
    };
    if name.split('/').next() != Some(EDITED) {
        return None;
    }
    Some(
        world(name, of, problem, allowance).and_then(|worlds| match start {
            Some(start) => Ok(worlds.starting(start)?),
            None => Ok(worlds),
        }),
    )
}

/// Returns the world of a domain, in which models are judged on a problem.
fn world(name: &str, of: &str, problem: &str, allowance: &RequestLimits) -> Result<Worlds, Refusal> {
    let (problem, target) = if of == LIGHT_SWITCH {
        if ![LIGHT_SWITCH, "1"].contains(&problem) {
            return Err(Refusal::unknown(format!("`{name}` has no problem `{problem}`")));
        }
        (LIGHT_SWITCH.to_owned(), Target::light_switch())
    } else {
        let suite = Registry::get(of).map_err(Refusal::unknown)?;
        let suite = suite.with_limits(allowance.limits).problem(problem)?;
        let parsed = suite.parse_problem(0)?;
        let target = Target::new(suite.domain(), &[parsed], Walks::default())?;
        (suite.full_problem_name(0).unwrap_or_default(), target)
    };
    let worlds = vec![(problem, Arc::new(target))];
    Ok(Worlds::named(name, worlds, WorldOptions::default())?)
}
