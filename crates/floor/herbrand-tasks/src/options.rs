//! Options of tasks, declared once for all fronts.

use serde_json::{Value, json};

use crate::planners::AnyPlanner;

/// An option of a task: a field of its query, in all fronts.
pub struct OptionSpec {
    /// The name, such as `t-norm`. In Python it has `_` in place of `-`.
    pub name: &'static str,
    /// The kind of its values.
    pub values: OptionValues,
    /// The title under which help lists the option; empty for the main options.
    pub heading: &'static str,
    /// A description with the default.
    pub help: &'static str,
    /// Returns whether a planner has the option.
    pub fits: fn(AnyPlanner) -> bool,
}

impl OptionSpec {
    /// Declares an option that has nothing to do with planners.
    #[must_use]
    pub const fn new(name: &'static str, values: OptionValues, help: &'static str) -> Self {
        Self {
            name,
            values,
            heading: "",
            help,
            fits: |_| true,
        }
    }

    /// Returns the name as a keyword: `t_norm` for `t-norm`.
    #[must_use]
    pub fn keyword(&self) -> String {
        self.name.replace('-', "_")
    }

    /// Returns the JSON schema of the values, with a description.
    #[must_use]
    pub fn schema(&self) -> Value {
        let mut help = self.help.to_owned();
        let mut schema = match self.values {
            OptionValues::Flag => json!({"type": "boolean"}),
            OptionValues::Count { least, .. } => json!({"type": "integer", "minimum": least}),
            OptionValues::Positive => json!({"type": "number", "exclusiveMinimum": 0}),
            OptionValues::Counts(_) => json!({"type": "array", "items": {"type": "integer", "minimum": 0}}),
            OptionValues::Text(..) => json!({"type": "string"}),
            OptionValues::Words(_, words) => {
                let meanings = words.iter().map(|(name, meaning)| format!("; {name}: {meaning}"));
                help.extend(meanings);
                let names: Vec<_> = words.iter().map(|(name, _)| *name).collect();
                json!({"type": "string", "enum": names})
            }
        };
        schema["description"] = help.into();
        schema
    }

    /// Returns whether a client that is not trusted may give the option: it starts no program and no threads.
    #[must_use]
    pub fn is_harmless(&self) -> bool {
        !matches!(self.name, "external" | "threads")
    }
}

/// The kind of the values of an option.
#[derive(Clone, Copy)]
pub enum OptionValues {
    /// The option is given or not.
    Flag,
    /// A whole number that is not below `least`, with a word for it. `missing` is the number if the option has no value.
    Count {
        /// The word for the number in help.
        word: &'static str,
        /// The least number.
        least: u32,
        /// The number if the option is given without one; `None` if it needs one.
        missing: Option<&'static str>,
    },
    /// A number greater than 0.
    Positive,
    /// Whole numbers, separated by commas, with a word for one.
    Counts(&'static str),
    /// A text, with a word for it, and a function that checks it.
    Text(&'static str, TextCheck),
    /// One of these words, each with its meaning.
    Words(&'static str, &'static [(&'static str, &'static str)]),
}

/// A function that checks whether a text is a value.
pub type TextCheck = fn(&str) -> Result<(), OptionError>;

/// The reason why a text is no value of an option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// The value is neither true nor false.
    #[error("expected true or false")]
    Flag,
    /// The text is no whole number, or is below the least.
    #[error("expected a whole number from {0} on")]
    Count(u32),
    /// The text is no number greater than 0.
    #[error("expected a number greater than 0")]
    Positive,
    /// The text is none of some words.
    #[error("expected one of {}", .0.join(", "))]
    Word(Vec<&'static str>),
    /// The text is faulty for another reason.
    #[error("{0}")]
    Text(String),
}

impl OptionError {
    /// Creates the error for a text that cannot be parsed.
    pub fn of(error: impl std::fmt::Display) -> Self {
        Self::Text(error.to_string())
    }
}

impl OptionValues {
    /// Checks a value of a front, and converts it to the form of a query. Numbers may be texts.
    ///
    /// # Errors
    /// Fails if it is no value of this kind.
    pub fn check(&self, value: &Value) -> Result<Value, OptionError> {
        let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        match (self, value) {
            (Self::Flag, Value::Bool(_)) => Ok(value.clone()),
            (Self::Flag, _) => Err(OptionError::Flag),
            (_, Value::Array(values)) => self.read(&values.iter().map(text).collect::<Vec<_>>().join(",")),
            _ => self.read(&text(value)),
        }
    }

    /// Converts a value to JSON, in the form of a query.
    ///
    /// # Errors
    /// Fails if the text is no value of this kind.
    pub fn read(&self, text: &str) -> Result<Value, OptionError> {
        match self {
            Self::Flag => Ok(Value::Bool(true)),
            Self::Count { least, .. } => {
                let count = text.parse().ok().filter(|count: &u32| count >= least);
                Ok(count.ok_or(OptionError::Count(*least))?.into())
            }
            Self::Positive => {
                let number = text.parse().ok();
                let number = number.filter(|number: &f64| *number > 0.0 && number.is_finite());
                Ok(number.ok_or(OptionError::Positive)?.into())
            }
            Self::Counts(_) => {
                let counts = text.split(',').map(|one| one.trim().parse());
                let counts: Result<Vec<u32>, _> = counts.collect();
                Ok(counts.map_err(|_| OptionError::Count(0))?.into())
            }
            Self::Text(_, check) => check(text).map(|()| text.into()),
            Self::Words(_, words) => {
                let names = || words.iter().map(|(name, _)| *name);
                let known = names().any(|name| name == text);
                known
                    .then(|| text.into())
                    .ok_or_else(|| OptionError::Word(names().collect()))
            }
        }
    }
}

/// Returns the values of an option that is a whole number.
pub(crate) const fn at_least(word: &'static str, least: u32) -> OptionValues {
    OptionValues::Count {
        word,
        least,
        missing: None,
    }
}

/// Checks nothing.
pub(crate) fn any_text(_: &str) -> Result<(), OptionError> {
    Ok(())
}
