//! Names of actions and fluents.

use std::ops;

use herbrand_core::{Choice, Described, Fact, FactValue, Group, Value};
use herbrand_rddl::Range;

use super::joint_text;
use super::process::{Fluents, Process};
use super::simulator::RddlSimulator;
use super::values::FluentValue;

impl Described for RddlSimulator {
    /// Formats a choice as `fluent___o1__o2` if it sets a bool to true, else as `fluent___o1__o2=value`.
    fn choice_text(&self, choice: Choice) -> String {
        let process = self.process();
        let Some(field) = process.actions().fields().get(choice.field as usize) else {
            return format!("action field {} = {}", choice.field, choice.value);
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

    /// Parses `order___apple=5`, and also `(order apple)=5`, `(order apple 5)` and `order(apple) = 5`.
    fn parse_choice(&self, text: &str) -> Result<Choice, String> {
        match self.parse_joint(text)?.as_slice() {
            [choice] => Ok(*choice),
            [] => Err("no action is named".to_owned()),
            several => Err(format!("`{text}` is {} actions, not one", several.len())),
        }
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

impl RddlSimulator {
    /// Parses a joint action: choices separated by commas or spaces, with or without parentheses around all of them. Each
    /// choice may have any form that [`parse_choice`](Described::parse_choice) accepts. `()` is the empty joint action.
    ///
    /// # Errors
    /// Fails with a message about the first part that cannot be parsed.
    pub fn parse_joint(&self, text: &str) -> Result<Vec<Choice>, String> {
        joint_text::parse_joint(self.process(), text)
    }
}

/// Calls `visit` with a fact per ground fluent of a role for which `value` returns a value.
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
            // A false bool is not a fact.
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
