//! The options of tasks on the command line, from the tables in which the tasks declare them.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use herbrand::plan::{PlannerKind, our_name};
use herbrand::tasks::{OptionSpec, OptionValues, TaskQuery};
use serde_json::{Map, Value};

/// The options of a task, as a query.
pub struct QueryArgs<Q> {
    /// The query.
    pub query: Q,
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
        let query = query(given(matches, Q::OPTIONS))?;
        Ok(Self { query })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the query with these fields.
pub fn query<Q: TaskQuery>(fields: Map<String, Value>) -> Result<Q, clap::Error> {
    let query = serde_json::from_value(Value::Object(fields));
    query.map_err(|error| clap::Error::raw(clap::error::ErrorKind::ValueValidation, error))
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
        _ => ValueParser::new(move |text: &str| values.read(text)),
    });
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

/// Returns the parser of the names of planners for plans. Each planner has a one-line summary for the help.
pub fn planners() -> impl TypedValueParser<Value = PlannerKind> {
    let names = PlannerKind::ALL.map(|kind| PossibleValue::new(kind.as_str()).help(kind.summary()));
    PlannerNames(PossibleValuesParser::new(names)).try_map(|name| name.parse::<PlannerKind>())
}

/// A parser that accepts the names of other planners too.
#[derive(Clone)]
pub struct PlannerNames(pub PossibleValuesParser);

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
