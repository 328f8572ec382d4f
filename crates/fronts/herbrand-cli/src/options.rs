//! The options of tasks on the command line, from the tables in which the tasks declare them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use herbrand::plan::{PlannerKind, our_name};
use herbrand::tasks::plan::AnyPlanner;
use herbrand::tasks::{OptionSpec, OptionValues, TaskQuery};
use serde_json::{Map, Value};

/// The word for all planners in turn.
pub const ALL: &str = "all";

/// The options of a task, as a query.
pub struct QueryArgs<Q> {
    /// The query.
    pub query: Q,
    /// Whether all planners are compared.
    pub all: bool,
}

impl<Q: TaskQuery> Args for QueryArgs<Q> {
    fn augment_args(command: Command) -> Command {
        Q::OPTIONS
            .iter()
            .fold(command, |command, spec| command.arg(argument(spec)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<Q: TaskQuery> FromArgMatches for QueryArgs<Q> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut fields = given(matches, Q::OPTIONS);
        let all = fields.get("planner").is_some_and(|name| name == ALL);
        if all {
            fields.remove("planner");
        }
        let query = serde_json::from_value(Value::Object(fields));
        let query =
            query.map_err(|error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, error))?;
        Ok(Self { query, all })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the options that are given, as the fields of a request.
pub fn given(matches: &ArgMatches, specs: &[OptionSpec]) -> Map<String, Value> {
    let value = |spec: &OptionSpec| match spec.values {
        OptionValues::Flag => matches.get_flag(spec.name).then_some(Value::Bool(true)),
        _ => matches.get_one::<Value>(spec.name).cloned(),
    };
    let given = specs
        .iter()
        .filter_map(|spec| Some((spec.name.to_owned(), value(spec)?)));
    given.collect()
}

/// Returns an option as an argument.
pub fn argument(spec: &'static OptionSpec) -> Arg {
    let mut argument = Arg::new(spec.name).long(spec.name).help(spec.help);
    if !spec.heading.is_empty() {
        argument = argument.help_heading(spec.heading);
    }
    let values = spec.values;
    if let OptionValues::Flag = values {
        return argument.action(ArgAction::SetTrue);
    }
    let word = match values {
        OptionValues::Count { word, .. } | OptionValues::Counts(word) => word,
        OptionValues::Text(word, _) | OptionValues::Words(word, _) => word,
        OptionValues::Positive | OptionValues::Flag => "NUMBER",
    };
    argument = argument.value_name(word).value_parser(match values {
        OptionValues::Words(_, words) => {
            let words = words
                .iter()
                .map(|(name, help)| PossibleValue::new(*name).help(*help));
            ValueParser::new(PossibleValuesParser::new(words).map(Value::from))
        }
        OptionValues::Text(..) if spec.name == "planner" => ValueParser::new(all_planners()),
        _ => ValueParser::new(move |text: &str| values.read(text)),
    });
    if spec.name == "planner" {
        argument = argument
            .hide_possible_values(true)
            .long_help(planner_help(spec.help));
    }
    match values {
        OptionValues::Count {
            missing: Some(missing),
            ..
        } => argument
            .num_args(0..=1)
            .require_equals(true)
            .default_missing_value(missing),
        _ => argument,
    }
}

/// Returns the help of `--planner`: the planners by language, and what each does.
fn planner_help(help: &str) -> String {
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

/// Returns the parser of the names of planners for plans. Each planner has a one-line summary for the help.
pub fn planners() -> impl TypedValueParser<Value = PlannerKind> {
    let names = PlannerKind::ALL.map(|kind| PossibleValue::new(kind.as_str()).help(kind.summary()));
    PlannerNames(PossibleValuesParser::new(names)).try_map(|name| name.parse::<PlannerKind>())
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

/// A parser that accepts the names of other planners too.
#[derive(Clone)]
struct PlannerNames(PossibleValuesParser);

impl TypedValueParser for PlannerNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
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
