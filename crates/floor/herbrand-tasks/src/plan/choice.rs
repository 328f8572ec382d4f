//! The choice of a planner by a query.

use herbrand_plan::{Admissible, PlannerKind, PolicyKind, our_name};
use herbrand_rddl_plan::planners::RddlPlannerKind;
use herbrand_text::{did_you_mean, nearest};

use super::query::PlanQuery;
use crate::failure::TaskFailure;
use crate::planners::AnyPlanner;

impl AnyPlanner {
    /// Returns the planner of a request for a problem in PDDL.
    ///
    /// # Errors
    /// Fails if there is no such planner for the language, or an option does not go with it.
    pub(super) fn for_pddl(request: &PlanQuery) -> Result<Self, TaskFailure> {
        if request.optimal && request.planner.is_some() {
            return Err(TaskFailure::option("optimal", "does not go with --planner"));
        }
        if request.values && request.table.is_none() {
            return Err(TaskFailure::option("values", "needs --table"));
        }
        let chosen = match request.planner.as_deref().map(our_name) {
            _ if request.external.is_some() => Self::External,
            _ if request.optimal => Self::Search(PlannerKind::AStar(Admissible::LandmarkCut)),
            None if request.table.is_some() => Self::Policy(PolicyKind::ValueIteration),
            None => Self::Search(PlannerKind::default()),
            Some(name) => Self::of_pddl()
                .find(|one| one.name() == name)
                .ok_or_else(|| unknown(&name, Self::of_pddl(), Self::of_rddl(), "RDDL"))?,
        };
        request.fits(chosen)?;
        Ok(chosen)
    }

    /// Returns the planner of a request for a problem in RDDL.
    ///
    /// # Errors
    /// Fails like [`for_pddl`](Self::for_pddl).
    pub(super) fn for_rddl(request: &PlanQuery) -> Result<Self, TaskFailure> {
        let chosen = match request.planner.as_deref() {
            None => Self::Line(RddlPlannerKind::default()),
            Some(name) => Self::of_rddl()
                .find(|one| one.name() == name)
                .ok_or_else(|| unknown(&our_name(name), Self::of_rddl(), Self::of_pddl(), "PDDL"))?,
        };
        let chosen = match chosen {
            Self::Line(kind) if request.replan => Self::Acting(kind),
            chosen => chosen,
        };
        request.fits(chosen)?;
        Ok(chosen)
    }
}

/// Returns the failure for a name that is no planner of a language. `others` are those of the `other` language.
fn unknown(
    name: &str,
    planners: impl Iterator<Item = AnyPlanner>,
    mut others: impl Iterator<Item = AnyPlanner>,
    other: &'static str,
) -> TaskFailure {
    let own = if other == "PDDL" { "RDDL" } else { "PDDL" };
    let names: Vec<_> = planners.map(AnyPlanner::name).collect();
    TaskFailure::Planner {
        name: name.to_owned(),
        advice: if others.any(|one| one.name() == name) {
            format!(" supports only {other}: for {own}, use {}", names.join(", "))
        } else {
            match nearest(name, names.iter().copied()) {
                None => format!(" is not known: use {}", names.join(", ")),
                meant => format!(" is not known{}", did_you_mean(meant)),
            }
        },
    }
}
