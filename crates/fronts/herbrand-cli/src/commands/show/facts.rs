//! The facts of a state, by name.

use std::fmt;

use herbrand::core::{Described, Fact, FactValue, Group};
use herbrand::rddl::PvariableKind;
use herbrand::rddl::simulate::RddlSimulator;
use serde::Serialize;

/// The facts of a state as text, in the order in which they are declared.
#[derive(Serialize, Default)]
pub struct Facts {
    pub fluents: Vec<String>,
    pub derived: Vec<String>,
    /// The values of the observ fluents (RDDL).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observed: Vec<String>,
    /// The fluents whose values are not bools, with their values.
    pub numbers: Vec<Number>,
    /// The static facts; `None` if they were not requested.
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    pub statics: Option<Vec<String>>,
    /// The static facts.
    #[serde(skip)]
    fixed: Vec<String>,
    /// The facts as people read them in RDDL, by group; `None` in PDDL.
    #[serde(skip)]
    rddl: Option<[Vec<String>; 4]>,
}

/// A fluent with a value that is not a bool.
#[derive(Serialize)]
pub struct Number {
    fluent: String,
    value: Value,
}

/// A value that is not true or false.
#[derive(Serialize)]
#[serde(untagged)]
enum Value {
    Int(i64),
    Real(f64),
    /// An object or the value of an enumeration.
    Symbol(String),
}

impl Facts {
    /// Lists the facts of the current state of `system`, with static facts if `with_statics`.
    pub fn of(system: &impl Described, with_statics: bool) -> Self {
        let mut facts = Self::default();
        system.facts(&mut |fact| facts.add(&fact));
        facts.statics = with_statics.then(|| facts.fixed.clone());
        facts
    }

    /// The same of a problem in RDDL.
    pub fn of_rddl(system: &RddlSimulator, with_statics: bool) -> Self {
        let mut lists: [Vec<String>; 4] = Default::default();
        let domain = &system.compiled().instance.domain;
        let is_derived = |name: &str| {
            domain
                .of_kind(PvariableKind::Derived)
                .any(|id| domain.pvariable(id).name.as_str() == name)
        };
        system.facts(&mut |fact| {
            let list = match fact.group {
                Group::Static => return,
                Group::Fluent => 0,
                Group::Derived if is_derived(fact.name) => 1,
                Group::Derived => 2,
                Group::Observed => 3,
            };
            lists[list].push(rddl_text(&fact));
        });
        Self {
            rddl: Some(lists),
            ..Self::of(system, with_statics)
        }
    }

    /// Returns the headings of a report with the lines below them.
    pub fn sections(&self) -> Vec<(&'static str, Vec<String>)> {
        if let Some(lists) = &self.rddl {
            let names = [
                "state-fluents",
                "derived-fluents",
                "interm-fluents of the last step",
                "observ-fluents",
            ];
            return names.into_iter().zip(lists.iter().cloned()).collect();
        }
        vec![
            ("static", self.statics.clone().unwrap_or_default()),
            ("state", self.fluents.clone()),
            ("derived", self.derived.clone()),
            ("observed", self.observed.clone()),
            ("numbers", self.numbers.iter().map(Number::to_string).collect()),
        ]
    }

    fn add(&mut self, fact: &Fact<'_>) {
        let value = match fact.value {
            FactValue::Bool(_) => None,
            FactValue::Int(value) => Some(Value::Int(value)),
            FactValue::Real(value) => Some(Value::Real(value)),
            FactValue::Symbol(name) => Some(Value::Symbol(name.to_owned())),
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
            (Group::Static, _) => self.fixed.push(fact.to_string()),
        }
    }
}

/// Formats a fact as in RDDL: `at(anna, home)` if it is true, or `battery(anna) = 6`.
fn rddl_text(fact: &Fact<'_>) -> String {
    let name = match fact.arguments {
        [] => fact.name.to_owned(),
        arguments => format!("{}({})", fact.name, arguments.join(", ")),
    };
    match fact.value {
        FactValue::Bool(true) => name,
        value => format!("{name} = {value}"),
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.fluent;
        match &self.value {
            Value::Int(value) => write!(f, "(= {name} {value})"),
            Value::Real(value) => write!(f, "(= {name} {value})"),
            Value::Symbol(value) => write!(f, "(= {name} {value})"),
        }
    }
}
