//! The planners by name, in each language.

use herbrand_plan::{PlannerKind, PolicyKind};
use herbrand_rddl_plan::planners::RddlPlannerKind;

/// A planner, as a request chooses it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AnyPlanner {
    /// In PDDL, another program.
    External,
    /// In PDDL, a search for a plan.
    Search(PlannerKind),
    /// In PDDL, a planner for policies.
    Policy(PolicyKind),
    /// In RDDL, a search for a plan.
    Line(RddlPlannerKind),
    /// In RDDL, a planner that selects an action in every state.
    Acting(RddlPlannerKind),
}

impl AnyPlanner {
    /// Returns the planners of PDDL that search for plans, but other programs.
    pub fn of_searches() -> impl Iterator<Item = Self> {
        PlannerKind::ALL.into_iter().map(Self::Search)
    }

    /// Returns all planners of PDDL but other programs: those for plans, then those for policies.
    pub fn of_pddl() -> impl Iterator<Item = Self> {
        Self::of_searches().chain(PolicyKind::ALL.into_iter().map(Self::Policy))
    }

    /// Returns all planners of RDDL: first the planners for plans, then the planners that act in every state.
    pub fn of_rddl() -> impl Iterator<Item = Self> {
        let kinds = || RddlPlannerKind::ALL.into_iter();
        let (lines, acting) = (kinds().filter(finds_lines), kinds());
        let acting = acting.filter(|kind| !finds_lines(kind) || *kind == REPLANNED);
        lines.map(Self::Line).chain(acting.map(Self::Acting))
    }

    /// Returns the name of the planner.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::External => "external",
            Self::Search(kind) => kind.as_str(),
            Self::Policy(kind) => kind.as_str(),
            Self::Acting(REPLANNED) => PolicyKind::Replan.as_str(),
            Self::Line(kind) | Self::Acting(kind) => kind.as_str(),
        }
    }

    /// Returns a description of the planner in one line.
    #[must_use]
    pub const fn summary(self) -> &'static str {
        match self {
            Self::External => "another program",
            Self::Search(kind) => kind.summary(),
            Self::Policy(kind) => kind.summary(),
            Self::Acting(REPLANNED) => "plans again before each action, by cross-entropy",
            Self::Line(kind) | Self::Acting(kind) => kind.summary(),
        }
    }
}

/// The planner of RDDL whose name is `replan` where it plans again in every state.
const REPLANNED: RddlPlannerKind = RddlPlannerKind::CrossEntropy;

/// Returns whether a planner finds plans and does not only act.
fn finds_lines(kind: &RddlPlannerKind) -> bool {
    kind.finds_plans() && *kind != RddlPlannerKind::Uct
}
