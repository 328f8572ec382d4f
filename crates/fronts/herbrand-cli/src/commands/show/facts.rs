//! The facts of a state, by name.

use std::fmt;

use herbrand::core::{Described, Fact, FactValue, Group, readable};
use herbrand::rddl::PvariableKind;
use herbrand::rddl::simulate::RddlSimulator;
use serde::Serialize;

use crate::output::non_finite_as_text;

/// The facts of a state as text, in the order in which they are declared.
#[derive(Serialize)]
#[serde(untagged)]
pub enum Facts {
    Atoms(Atoms),
    Rddl(Fluents),
}

/// The facts of a state by PDDL's names.
#[derive(Serialize, Default)]
pub struct Atoms {
    fluents: Vec<String>,
    derived: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    observed: Vec<String>,
    /// The fluents whose values are not bools, with their values.
    numbers: Vec<Number>,
    /// The static facts; `None` if they were not requested.
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    statics: Option<Vec<String>>,
}

/// The fluents of a state by RDDL's names. Bools that are false are left out.
#[derive(Serialize, Default)]
pub struct Fluents {
    state_fluents: Vec<Fluent>,
    derived_fluents: Vec<Fluent>,
    /// The values of the last step.
    interm_fluents: Vec<Fluent>,
    observ_fluents: Vec<Fluent>,
    /// `None` if they were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    non_fluents: Option<Vec<Fluent>>,
}

/// A ground fluent in RDDL's notation, such as `at(anna, home)`, and its value.
#[derive(Serialize)]
struct Fluent {
    fluent: String,
    value: Value,
}

/// A fluent with a value that is not a bool.
#[derive(Serialize)]
pub struct Number {
    fluent: String,
    value: Value,
}

#[derive(Serialize)]
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

impl Facts {
    /// Lists the facts of the current state of `system`, with static facts if `with_statics`.
    pub fn of(system: &impl Described, with_statics: bool) -> Self {
        let mut atoms = Atoms {
            statics: with_statics.then(Vec::new),
            ..Atoms::default()
        };
        system.facts(&mut |fact| atoms.add(&fact));
        Self::Atoms(atoms)
    }

    /// The same of a problem in RDDL.
    pub fn of_rddl(system: &RddlSimulator, with_statics: bool) -> Self {
        let mut fluents = Fluents {
            non_fluents: with_statics.then(Vec::new),
            ..Fluents::default()
        };
        let domain = &system.compiled().instance.domain;
        let is_derived = |name: &str| {
            domain
                .of_kind(PvariableKind::Derived)
                .any(|id| domain.pvariable(id).name.as_str() == name)
        };
        system.facts(&mut |fact| {
            let list = match fact.group {
                Group::Static => fluents.non_fluents.as_mut(),
                Group::Fluent => Some(&mut fluents.state_fluents),
                Group::Derived if is_derived(fact.name) => Some(&mut fluents.derived_fluents),
                Group::Derived => Some(&mut fluents.interm_fluents),
                Group::Observed => Some(&mut fluents.observ_fluents),
            };
            if let Some(list) = list {
                list.push(Fluent::of(&fact));
            }
        });
        Self::Rddl(fluents)
    }

    /// Returns the headings of a report with the lines below them.
    pub fn sections(&self) -> Vec<(&'static str, Vec<String>)> {
        let lines = |fluents: &[Fluent]| fluents.iter().map(Fluent::to_string).collect();
        match self {
            Self::Atoms(atoms) => vec![
                ("static", atoms.statics.clone().unwrap_or_default()),
                ("state", atoms.fluents.clone()),
                ("derived", atoms.derived.clone()),
                ("observed", atoms.observed.clone()),
                ("numbers", atoms.numbers.iter().map(Number::to_string).collect()),
            ],
            Self::Rddl(fluents) => vec![
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
        let value = match fact.value {
            FactValue::Bool(_) => None,
            other => Some(Value::from(other)),
        };
        match (fact.group, value) {
            (Group::Fluent, Some(value)) => {
                let name = Fact {
                    value: FactValue::Bool(true),
                    ..*fact
                };
                self.numbers.push(Number {
                    fluent: name.to_string(),
                    value,
                });
            }
            (Group::Fluent, None) => self.fluents.push(fact.to_string()),
            (Group::Derived, _) => self.derived.push(fact.to_string()),
            (Group::Observed, _) => self.observed.push(fact.to_string()),
            (Group::Static, _) => self
                .statics
                .iter_mut()
                .for_each(|list| list.push(fact.to_string())),
        }
    }
}

impl Fluent {
    fn of(fact: &Fact<'_>) -> Self {
        Self {
            fluent: match fact.arguments {
                [] => fact.name.to_owned(),
                arguments => format!("{}({})", fact.name, arguments.join(", ")),
            },
            value: fact.value.into(),
        }
    }
}

/// Formats a fluent as in RDDL: `at(anna, home)` if it is true, or `battery(anna) = 6`.
impl fmt::Display for Fluent {
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

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(= {} {})", self.fluent, self.value)
    }
}
