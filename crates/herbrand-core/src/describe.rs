//! Systems whose states and actions have names: what traces, pictures and people need.

use std::fmt;

use crate::{Choice, System};

/// A system that can name its actions and say what is true in a state.
pub trait Described: System {
    /// A choice as the system's language writes it, such as `(move a b)`. A choice that does not exist is written as its
    /// number.
    fn choice_text(&self, choice: Choice) -> String;

    /// The choice that `text` writes; case and extra spaces do not matter.
    ///
    /// # Errors
    /// A sentence that says what is wrong: an unknown name, a wrong number of arguments, an action that no reachable
    /// state allows.
    fn parse_choice(&self, text: &str) -> Result<Choice, String>;

    /// The actions that a trace lists for the current state: the valid choices, and others that a language lists although
    /// they are not offered.
    fn listed_actions(&self) -> Vec<String> {
        let mut choices = Vec::new();
        self.choices(&mut choices);
        choices
            .into_iter()
            .map(|choice| self.choice_text(choice))
            .collect()
    }

    /// Shows every fact of the current state to `visit`: those that are true, and the values of all others.
    /// The order is the same on every run.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));
}

/// A system whose walks have fingerprints over names and values, so that all systems for one problem agree on them.
pub trait Fingerprinted: System {
    /// The hashes of the problem's names, made before the first step.
    type Names: Send;

    /// Hashes the names of the problem.
    fn names(&self) -> Self::Names;

    /// The hash of a choice's name and value.
    fn choice_hash(&self, names: &mut Self::Names, choice: Choice) -> u64;

    /// How the current state differs from the initial one: the sum of the hashes of its facts, minus the sum for the
    /// initial state (as the problem states it, without what chance adds).
    ///
    /// What a system knows to be constant is in both sums or in neither, so systems need not agree on that.
    fn state_hash(&self, names: &Self::Names) -> u64;
}

/// One fact of a state: a name and its arguments, with a value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fact<'a> {
    /// What kind of fact it is.
    pub group: Group,
    /// The predicate or fluent.
    pub name: &'a str,
    /// The names of the objects it is about.
    pub arguments: &'a [&'a str],
    /// The value.
    pub value: FactValue<'a>,
}

/// What kind of fact something is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Never changes.
    Static,
    /// Is changed by actions.
    Fluent,
    /// Follows from other facts.
    Derived,
    /// Is what the agent is told (an observation fluent of RDDL).
    Observed,
}

/// The value of a fact.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum FactValue<'a> {
    /// True or false.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// A real number.
    Real(f64),
    /// An object or a value of an enumeration, by name.
    Symbol(&'a str),
}

impl fmt::Display for FactValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => write!(f, "{value}"),
            Self::Int(value) => write!(f, "{value}"),
            Self::Real(value) => write!(f, "{value}"),
            Self::Symbol(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for Fact<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.name)?;
        self.arguments.iter().try_for_each(|name| write!(f, " {name}"))?;
        match self.value {
            FactValue::Bool(true) => f.write_str(")"),
            value => write!(f, ") = {value}"),
        }
    }
}
