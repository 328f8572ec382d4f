//! The names of planners on the command line.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use herbrand::plan::{PlannerKind, PolicyKind, UnknownPolicyPlanner, our_name};
use herbrand::rddl::planners::{RddlPlannerKind, UnknownRddlPlanner};

/// Returns the parser of planner names for clap. Each planner has a one-line summary for the help.
pub fn planners() -> impl TypedValueParser<Value = PlannerKind> {
    PlannerNames(PossibleValuesParser::new(PlannerKind::ALL.map(possible)))
        .try_map(|name| name.parse::<PlannerKind>())
}

fn possible(kind: PlannerKind) -> PossibleValue {
    PossibleValue::new(kind.as_str()).help(kind.summary())
}

/// A parser that accepts the names of other planners too.
#[derive(Clone)]
struct PlannerNames(PossibleValuesParser);

impl TypedValueParser for PlannerNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let ours = our_name(&value.to_string_lossy());
        let parsed = self.0.parse_ref(command, argument, OsStr::new(&ours));
        // An error names the word that was given.
        parsed.or_else(|_| self.0.parse_ref(command, argument, value))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

/// A planner for plans, for policies, or for RDDL.
#[derive(Clone, Copy)]
pub(super) enum AnyPlanner {
    Plan(PlannerKind),
    Policy(PolicyKind),
    Rddl(RddlPlannerKind),
    /// All planners for plans, and under chance those for policies, in turn.
    All,
}

/// The word for [`AnyPlanner::All`].
pub(super) const ALL: &str = "all";

pub(super) fn all_planners() -> impl TypedValueParser<Value = AnyPlanner> {
    let plans = PlannerKind::ALL.map(possible);
    let policies = PolicyKind::ALL.map(|kind| PossibleValue::new(kind.as_str()).help(kind.summary()));
    // The planners for policies have uct already.
    let rddl = RddlPlannerKind::ALL
        .into_iter()
        .filter(|&kind| kind != RddlPlannerKind::Uct);
    let rddl = rddl.map(|kind| PossibleValue::new(kind.as_str()).help(kind.summary()));
    let all = PossibleValue::new(ALL)
        .help("every planner, in a table, those for policies only under chance; they share --time");
    let values: Vec<_> = plans
        .into_iter()
        .chain(policies)
        .chain(rddl)
        .chain([all])
        .collect();
    PlannerNames(PossibleValuesParser::new(values)).try_map(|name| {
        if name == ALL {
            return Ok::<_, UnknownRddlPlanner>(AnyPlanner::All);
        }
        let plans = name.parse().map(AnyPlanner::Plan);
        let policies = plans.or_else(|_| name.parse().map(AnyPlanner::Policy));
        policies.or_else(|_: UnknownPolicyPlanner| name.parse().map(AnyPlanner::Rddl))
    })
}
