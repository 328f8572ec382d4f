//! Names of actions and fluents.

use std::ops;

use herbrand_core::{Choice, Described, Fact, FactValue, Group, Value};

use super::process::{Fluents, Process};
use super::simulator::RddlSimulator;
use super::values::FluentValue;
use crate::Range;

impl Described for RddlSimulator {
    /// As `fluent___o1__o2` for a bool that is set, `fluent___o1__o2=value` for others.
    fn choice_text(&self, choice: Choice) -> String {
        let process = self.process();
        let Some(field) = process.actions().fields().get(choice.field as usize) else {
            return format!("{choice:?}");
        };
        let name = &field.name;
        match (
            process.range(&process.action, choice.field as usize),
            choice.value,
        ) {
            (Range::Bool, Value::Discrete(1)) => name.clone(),
            (Range::Bool, Value::Discrete(_)) => format!("{name}=false"),
            (Range::Item(of), Value::Discrete(place)) if place < process.instance.size(of) => {
                format!("{name}={}", process.instance.item_name(of, place))
            }
            (_, Value::Discrete(value)) => format!("{name}={value}"),
            (_, Value::Int(value)) => format!("{name}={value}"),
            (_, Value::Real(value)) => format!("{name}={value:?}"),
        }
    }

    fn parse_choice(&self, text: &str) -> Result<Choice, String> {
        let process = self.process();
        let (name, value) = match text.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (text.trim(), None),
        };
        let same = |found: &str| found.eq_ignore_ascii_case(name);
        let found = process
            .actions()
            .fields()
            .iter()
            .position(|field| same(&field.name));
        let Some(field) = found else {
            return Err(format!("`{name}` is not an action of this problem"));
        };
        let value = parse_value(process, field, value)?;
        Ok(Choice {
            field: field as u32,
            value,
        })
    }

    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        let process = self.process();
        let mut show = |fluents: &Fluents, group, value: &dyn Fn(usize) -> Option<FluentValue>| {
            show_fluents(process, fluents, 0..fluents.len(), group, value, visit);
        };
        show(&process.state, Group::Fluent, &|at| Some(self.fluent(at)));
        show(&process.interm, Group::Derived, &|at| self.interm(at));
        show(&process.observ, Group::Observed, &|at| self.observed(at));
    }
}

fn parse_value(process: &Process, field: usize, text: Option<&str>) -> Result<Value, String> {
    let name = &process.actions().fields()[field].name;
    let fault = |expected: &str| {
        let given = text.map_or_else(|| "nothing".to_owned(), |text| format!("`{text}`"));
        Err(format!("`{name}` takes {expected}, not {given}"))
    };
    match process.range(&process.action, field) {
        Range::Bool => match text {
            None | Some("true" | "1") => Ok(Value::Discrete(1)),
            Some("false" | "0") => Ok(Value::Discrete(0)),
            Some(_) => fault("true or false"),
        },
        Range::Item(of) => {
            let found = text.and_then(|text| process.instance.find_item(of, text.trim_start_matches('@')));
            match found {
                Some(place) => Ok(Value::Discrete(place)),
                None => {
                    let type_name = &process.instance.domain.type_of(of).name;
                    fault(&format!("one of the items of `{type_name}`"))
                }
            }
        }
        Range::Int => match text.and_then(|text| text.parse().ok()) {
            Some(value) => Ok(Value::Int(value)),
            None => fault("an int"),
        },
        Range::Real => match text.and_then(|text| text.parse().ok()) {
            Some(value) => Ok(Value::Real(value)),
            None => fault("a number"),
        },
    }
}

/// Shows some of the ground fluents of a role with what `value` knows of them.
pub(crate) fn show_fluents(
    process: &Process,
    fluents: &Fluents,
    which: ops::Range<usize>,
    group: Group,
    value: &dyn Fn(usize) -> Option<FluentValue>,
    visit: &mut dyn FnMut(Fact<'_>),
) {
    let instance = &process.instance;
    for at in which {
        let (id, number) = fluents.at(at);
        let pvariable = instance.domain.pvariable(id);
        let value = match (pvariable.range, value(at)) {
            // A bool that is false is no fact.
            (_, None | Some(FluentValue::Bool(false))) => continue,
            (Range::Item(of), Some(FluentValue::Int(place))) => {
                FactValue::Symbol(instance.item_name(of, place as u32).as_str())
            }
            (_, Some(FluentValue::Bool(value))) => FactValue::Bool(value),
            (_, Some(FluentValue::Int(value))) => FactValue::Int(value),
            (_, Some(FluentValue::Real(value))) => FactValue::Real(value),
        };
        let items = instance.arguments(id, number);
        let pairs = pvariable.parameters.iter().zip(items);
        let arguments: Vec<&str> = pairs
            .map(|(&of, item)| instance.item_name(of, item).as_str())
            .collect();
        visit(Fact {
            group,
            name: pvariable.name.as_str(),
            arguments: &arguments,
            value,
        });
    }
}
