//! Systems whose actions and states have names. Traces, renderers and interactive players need them.

use std::fmt;

use crate::action::Choice;
use crate::system::System;

/// A system that can name its actions and list the facts of its current state.
pub trait Described: System {
    /// Returns a choice in the syntax of the planning language, such as `(move a b)`. If the layout has no such choice,
    /// returns its number as text.
    fn choice_text(&self, choice: Choice) -> String;

    /// Parses a choice; case and extra spaces are ignored.
    ///
    /// # Errors
    /// Returns a sentence for the user if a name is unknown, the number of arguments is wrong, or no reachable state allows
    /// the action.
    fn parse_choice(&self, text: &str) -> Result<Choice, String>;

    /// Returns the texts of the actions that a trace lists for the current state: the valid choices and, in PDDL, also the
    /// ambiguous agent actions, which several valid operators carry out and which the settings therefore refuse.
    fn listed_actions(&self) -> Vec<String> {
        let mut choices = Vec::new();
        self.choices(&mut choices);
        choices
            .into_iter()
            .map(|choice| self.choice_text(choice))
            .collect()
    }

    /// Calls `visit` with every true fact and every non-boolean value of the current state, static and derived ones
    /// included, in the same order on every run.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>));
}

/// A system whose trajectories can be fingerprinted by names and values, so that different systems for the same problem
/// yield equal fingerprints. Rollouts need it for [`Rollout::digest`](crate::Rollout::digest).
pub trait Fingerprinted: System {
    /// A cache of the hashes of the problem's names, made once per problem by [`names`](Self::names).
    type Names: Send;

    /// Computes the hashes of the problem's names.
    fn names(&self) -> Self::Names;

    /// Returns the hash of a choice's name and value, to be used as one word of a trajectory's fingerprint. May add to the
    /// cache `names`, which [`names`](Self::names) returned for this problem.
    fn choice_hash(&self, names: &mut Self::Names, choice: Choice) -> u64;

    /// Returns the difference between the current and the initial state: the sum of the hashes of the current facts minus
    /// the sum for the initial state. The initial state is that of the problem file, before any random draws.
    ///
    /// A fact that a system knows to be constant contributes to both sums or to neither, so systems need not agree on
    /// constants.
    fn state_hash(&self, names: &Self::Names) -> u64;
}

/// A fact of a state: a predicate or fluent with its arguments, and its value. Passed to the callback of
/// [`Described::facts`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fact<'a> {
    /// The kind of fact.
    pub group: Group,
    /// The name of the predicate or fluent.
    pub name: &'a str,
    /// The names of its arguments.
    pub arguments: &'a [&'a str],
    /// The value.
    pub value: FactValue<'a>,
}

/// The kind of a fact, by how its value may change.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Group {
    /// Static: never changes.
    Static,
    /// Fluent: changed by actions.
    Fluent,
    /// Derived from other facts.
    Derived,
    /// Observed by the agent: an observation fluent of RDDL.
    Observed,
}

/// The value of a fact: `Bool` for predicates and boolean fluents, the other variants for other fluents.
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
