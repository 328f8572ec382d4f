//! Why an action is not valid.

use std::fmt;

use herbrand_ground::{ActionId, GroundComparison, Literal};
use herbrand_pddl::{ObjectId, SchemaId};

/// Why an action is not valid in a state, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The action.
    pub action: ActionId,
    /// The action as PDDL writes it.
    pub name: String,
    /// For each way in which the precondition can hold, the first condition that fails. Empty when the action is
    /// valid, or when no way is left at all.
    pub failures: Vec<Failure>,
    /// Whether the action is valid after all.
    pub valid: bool,
}

/// A condition that fails, with all variables bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What was asked for.
    pub requirement: Requirement,
    /// What was asked for, as PDDL writes it.
    pub text: String,
}

/// One part of a conjunction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Requirement {
    /// A literal.
    Literal(Literal),
    /// A comparison of numbers.
    Comparison(GroundComparison),
}

/// Why an action is not valid in a lifted state, in words: the lifted counterpart of an
/// [`Explanation`]. Here static conditions count too, which a ground task has decided beforehand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiftedExplanation {
    /// The schema.
    pub schema: SchemaId,
    /// The values of its parameters.
    pub arguments: Vec<ObjectId>,
    /// The action as PDDL writes it.
    pub name: String,
    /// The first condition that fails, as PDDL writes it, with objects for all variables that are bound; several where
    /// any of them would do. Empty when the action is valid, or when its precondition never holds.
    pub failures: Vec<String>,
    /// Whether the action is valid after all.
    pub valid: bool,
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_reasons(f, &self.name, self.valid, &self.failures)
    }
}

impl fmt::Display for LiftedExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_reasons(f, &self.name, self.valid, &self.failures)
    }
}

/// Says of an action that it is valid, or else which conditions fail.
pub(crate) fn write_reasons(
    f: &mut fmt::Formatter<'_>,
    action: &str,
    valid: bool,
    failures: &[impl fmt::Display],
) -> fmt::Result {
    match failures {
        _ if valid => write!(f, "{action} is valid"),
        [] => write!(f, "{action} is not valid: its precondition cannot hold"),
        [only] => {
            let only = only.to_string();
            match undefined_value(&only) {
                Some(value) => write!(f, "{action} is not valid: {value} has no value"),
                None => write!(f, "{action} is not valid: {only} does not hold"),
            }
        }
        [first, rest @ ..] => {
            write!(f, "{action} is not valid: none of {first}")?;
            rest.iter().try_for_each(|failure| write!(f, ", {failure}"))?;
            f.write_str(" holds")
        }
    }
}

/// The function term that has no value if this condition does not hold: `(f)` of `(= (f) (f))`.
fn undefined_value(condition: &str) -> Option<&str> {
    let sides = condition.strip_prefix("(= ")?.strip_suffix(')')?;
    let (left, right) = sides.split_at_checked(sides.len() / 2)?;
    let value = right.strip_prefix(' ')?;
    (left == value && value.starts_with('(')).then_some(value)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// `(word text …)`, or the text where there is one alone.
pub(crate) fn connected(word: &str, mut texts: Vec<String>) -> String {
    match texts.len() {
        0 => format!("({word})"),
        1 => texts.remove(0),
        _ => format!("({word} {})", texts.join(" ")),
    }
}
