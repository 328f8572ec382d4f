//! Domains under edit that are played.

use std::sync::Arc;

use herbrand_env::Registry;
use herbrand_pddlworld::{PARTS, Sign, Target, Walks, WorldError, WorldOptions, Worlds};

use crate::allowance::RequestLimits;
use crate::fault::at_fault;
use crate::played::Played;
use crate::refusal::{Reason, Refusal};
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

/// A model is listed literal by literal, in the syntax of the edits.
impl Played for Worlds {
    fn action_forms(&self) -> Vec<String> {
        let operators = self.targets().iter().take(1);
        let operators = operators.flat_map(|target| target.vocabulary().operators());
        let forms = operators.flat_map(|operator| {
            let literals: Vec<_> = operator.literals.iter().map(ToString::to_string).collect();
            let literals = literals.join(" or ");
            let signs = Sign::ALL.map(Sign::name).join(" or ");
            PARTS.map(|part| format!("{part} {} <{literals}> <{signs}>", operator.name))
        });
        forms.collect()
    }
}

impl From<WorldError> for Refusal {
    fn from(error: WorldError) -> Self {
        match &error {
            WorldError::Pddl(faults) => at_fault(faults),
            WorldError::UnknownWorld(_) => Self::unknown(error),
            WorldError::Episode(_) | WorldError::NotAnEdit(_) => Self::new(Reason::Step, error),
            _ => Self::new(Reason::Texts, error),
        }
    }
}
