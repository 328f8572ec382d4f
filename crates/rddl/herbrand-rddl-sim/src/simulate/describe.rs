//! Names of actions and fluents.

use std::ops;

use herbrand_core::{Choice, Described, Fact, FactValue, FieldValue, Group};
use herbrand_rddl::Range;

use super::compiled::{CompiledInstance, GroundFluents};
use super::joint_text;
use super::simulator::RddlSimulator;
use super::values::FluentValue;

impl Described for RddlSimulator {
    /// Formats a choice as `fluent___o1__o2` if it sets a bool to true, else as `fluent___o1__o2=value`.
    fn choice_text(&self, choice: Choice) -> String {
        let compiled = self.compiled();
        let Some(field) = compiled.actions().fields().get(choice.field as usize) else {
            return format!("action field {} = {}", choice.field, choice.value);
        };
        let name = &field.name;
        match (
            compiled.range(&compiled.action, choice.field as usize),
            choice.value,
        ) {
            (Range::Bool, FieldValue::Discrete(1)) => name.clone(),
            (Range::Bool, FieldValue::Discrete(_)) => format!("{name}=false"),
            (Range::Item(of), FieldValue::Discrete(place)) if place < compiled.instance.size(of) => {
                format!("{name}={}", compiled.instance.item_name(of, place))
            }
            (_, FieldValue::Discrete(value)) => format!("{name}={value}"),
            (_, FieldValue::Int(value)) => format!("{name}={value}"),
            (_, FieldValue::Real(value)) => format!("{name}={value:?}"),
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
        let compiled = self.compiled();
        let mut show = |fluents: &GroundFluents, group, value: &dyn Fn(usize) -> Option<FluentValue>| {
            show_fluents(compiled, fluents, 0..fluents.len(), group, value, visit);
        };
        show(&compiled.state, Group::Fluent, &|at| Some(self.fluent(at)));
        show(&compiled.interm, Group::Derived, &|at| self.interm(at));
        show(&compiled.observ, Group::Observed, &|at| self.observed(at));
    }
}

impl RddlSimulator {
    /// Parses a joint action: choices separated by commas or spaces, with or without parentheses around all of them. Each
    /// choice may have any form that [`parse_choice`](Described::parse_choice) accepts. `()` is the empty joint action.
    ///
    /// # Errors
    /// Fails with a message about the first part that cannot be parsed.
    pub fn parse_joint(&self, text: &str) -> Result<Vec<Choice>, String> {
        joint_text::parse_joint(self.compiled(), text)
    }
}

/// Calls `visit` with a fact per ground fluent of a role for which `value` returns a value.
pub(crate) fn show_fluents(
    compiled: &CompiledInstance,
    fluents: &GroundFluents,
    which: ops::Range<usize>,
    group: Group,
    value: &dyn Fn(usize) -> Option<FluentValue>,
    visit: &mut dyn FnMut(Fact<'_>),
) {
    let instance = &compiled.instance;
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
