//! The facts of a state, by name.

use std::fmt;

use herbrand_core::{Fact, FactValue, Group, readable};
use serde::Serialize;

use crate::any::AnySystem;
use crate::numbers::non_finite_as_text;

/// The facts of a state as text, in the order in which they are declared.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct ShownFacts(Lists);

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Lists {
    Atoms(Atoms),
    Rddl(Fluents),
}

/// The facts of a state by PDDL's names.
#[derive(Clone, Debug, Serialize, Default)]
struct Atoms {
    fluents: Vec<String>,
    derived: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    observed: Vec<String>,
    /// The fluents whose values are not bools, with their values.
    numbers: Vec<NamedValue>,
    /// The static facts; `None` if they were not requested.
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    statics: Option<Vec<String>>,
}

/// The fluents of a state by RDDL's names. Bools that are false are left out.
#[derive(Clone, Debug, Serialize, Default)]
struct Fluents {
    state_fluents: Vec<NamedValue>,
    derived_fluents: Vec<NamedValue>,
    /// The values of the last step.
    interm_fluents: Vec<NamedValue>,
    observ_fluents: Vec<NamedValue>,
    /// `None` if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    non_fluents: Option<Vec<NamedValue>>,
}

/// A ground fluent, such as `at(anna, home)` in RDDL, and its value.
#[derive(Clone, Debug, Serialize)]
struct NamedValue {
    fluent: String,
    value: Value,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Bool(bool),
    Int(i64),
    Real(#[serde(serialize_with = "non_finite_as_text")] f64),
    /// An object or the value of an enumeration.
    Symbol(String),
}

impl From<FactValue<'_>> for Value {
    fn from(value: FactValue<'_>) -> Self {
        match value {
            FactValue::Bool(value) => Self::Bool(value),
            FactValue::Int(value) => Self::Int(value),
            FactValue::Real(value) => Self::Real(value),
            FactValue::Symbol(name) => Self::Symbol(name.to_owned()),
        }
    }
}

impl ShownFacts {
    /// Lists the facts of the current state of `system`, with static facts if `with_statics`.
    pub(super) fn of(system: &dyn AnySystem, with_statics: bool) -> Self {
        match system.features().interm_names() {
            None => {
                let mut atoms = Atoms {
                    statics: with_statics.then(Vec::new),
                    ..Atoms::default()
                };
                system.facts(&mut |fact| atoms.add(&fact));
                Self(Lists::Atoms(atoms))
            }
            Some(interm) => {
                let mut fluents = Fluents {
                    non_fluents: with_statics.then(Vec::new),
                    ..Fluents::default()
                };
                system.facts(&mut |fact| fluents.add(&fact, &interm));
                Self(Lists::Rddl(fluents))
            }
        }
    }

    /// Returns the headings of a report with the lines below them.
    #[must_use]
    pub fn sections(&self) -> Vec<(&'static str, Vec<String>)> {
        let lines = |fluents: &[NamedValue]| fluents.iter().map(NamedValue::to_string).collect();
        match &self.0 {
            Lists::Atoms(atoms) => {
                let number = |one: &NamedValue| format!("(= {} {})", one.fluent, one.value);
                vec![
                    ("static", atoms.statics.clone().unwrap_or_default()),
                    ("state", atoms.fluents.clone()),
                    ("derived", atoms.derived.clone()),
                    ("observed", atoms.observed.clone()),
                    ("numbers", atoms.numbers.iter().map(number).collect()),
                ]
            }
            Lists::Rddl(fluents) => vec![
                (
                    "non-fluents",
                    lines(fluents.non_fluents.as_deref().unwrap_or_default()),
                ),
                ("state-fluents", lines(&fluents.state_fluents)),
                ("derived-fluents", lines(&fluents.derived_fluents)),
                ("interm-fluents of the last step", lines(&fluents.interm_fluents)),
                ("observ-fluents", lines(&fluents.observ_fluents)),
            ],
        }
    }
}

impl Atoms {
    fn add(&mut self, fact: &Fact<'_>) {
        match (fact.group, fact.value) {
            (Group::Fluent, FactValue::Bool(_)) => self.fluents.push(fact.to_string()),
            (Group::Fluent, value) => {
                let name = Fact {
                    value: FactValue::Bool(true),
                    ..*fact
                };
                self.numbers.push(NamedValue {
                    fluent: name.to_string(),
                    value: value.into(),
                });
            }
            (Group::Derived, _) => self.derived.push(fact.to_string()),
            (Group::Observed, _) => self.observed.push(fact.to_string()),
            (Group::Static, _) => self
                .statics
                .iter_mut()
                .for_each(|list| list.push(fact.to_string())),
        }
    }
}

impl Fluents {
    fn add(&mut self, fact: &Fact<'_>, interm: &[String]) {
        let list = match fact.group {
            Group::Static => self.non_fluents.as_mut(),
            Group::Fluent => Some(&mut self.state_fluents),
            Group::Derived if interm.iter().any(|name| name == fact.name) => Some(&mut self.interm_fluents),
            Group::Derived => Some(&mut self.derived_fluents),
            Group::Observed => Some(&mut self.observ_fluents),
        };
        let fluent = match fact.arguments {
            [] => fact.name.to_owned(),
            arguments => format!("{}({})", fact.name, arguments.join(", ")),
        };
        if let Some(list) = list {
            let value = fact.value.into();
            list.push(NamedValue { fluent, value });
        }
    }
}

/// Formats a fluent as in RDDL: `at(anna, home)` if it is true, or `battery(anna) = 6`.
impl fmt::Display for NamedValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Bool(true) => f.write_str(&self.fluent),
            value => write!(f, "{} = {value}", self.fluent),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bool(value) => value.fmt(f),
            Self::Int(value) => value.fmt(f),
            Self::Real(value) => readable(*value).fmt(f),
            Self::Symbol(value) => value.fmt(f),
        }
    }
}
