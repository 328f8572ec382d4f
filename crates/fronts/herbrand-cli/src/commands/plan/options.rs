//! The options of `herbrand plan`.

use std::fmt::Display;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};
use herbrand::tasks::TaskQuery;
use herbrand::tasks::plan::{AnyPlanner, PlanQuery};
use serde_json::Value;

use crate::options::{PlannerNames, QueryArgs, given, query};

/// The word for all planners in turn.
const ALL: &str = "all";

/// The options of planning, as a query.
pub(super) struct PlanOptions {
    /// The query.
    pub(super) query: PlanQuery,
    /// Whether all planners are compared.
    pub(super) all: bool,
}

impl Args for PlanOptions {
    fn augment_args(command: Command) -> Command {
        QueryArgs::<PlanQuery>::augment_args(command).mut_arg("planner", |argument| {
            let help = argument.get_help().cloned().unwrap_or_default();
            argument
                .value_parser(all_planners())
                .hide_possible_values(true)
                .long_help(planner_help(help))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for PlanOptions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut fields = given(matches, PlanQuery::OPTIONS);
        let all = fields.get("planner").is_some_and(|name| name == ALL);
        if all {
            fields.remove("planner");
        }
        let query = query(fields)?;
        Ok(Self { query, all })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the help of `--planner`: the planners by language, and what each does.
fn planner_help(help: impl Display) -> String {
    let list = |title: &str, planners: &mut dyn Iterator<Item = AnyPlanner>| {
        let lines = planners.map(|one| format!("\n  {:<18} {}", one.name(), one.summary()));
        format!("\n\n{title}:{}", lines.collect::<String>())
    };
    let is_search = |one: &AnyPlanner| matches!(one, AnyPlanner::Search(_));
    format!(
        "{help}{}{}{}\n\n{ALL}: every planner of the language, in a table; they share --time",
        list("Plans in PDDL", &mut AnyPlanner::of_searches()),
        list(
            "Policies in PDDL",
            &mut AnyPlanner::of_pddl().filter(|one| !is_search(one))
        ),
        list("Plans and policies in RDDL", &mut AnyPlanner::of_rddl()),
    )
}

/// Returns the parser of the names of all planners, and of [`ALL`].
fn all_planners() -> impl TypedValueParser<Value = Value> {
    let mut names: Vec<&str> = Vec::new();
    for planner in AnyPlanner::of_pddl().chain(AnyPlanner::of_rddl()) {
        if !names.contains(&planner.name()) {
            names.push(planner.name());
        }
    }
    names.push(ALL);
    PlannerNames(PossibleValuesParser::new(names)).map(Value::from)
}
