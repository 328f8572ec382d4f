//! Names of actions and fluents.

use std::ops;

use herbrand_core::{
    ActionTextError, ActionValidity, Choice, Described, Fact, FactValue, FieldValue, Group, Random, System,
    Transition,
};
use herbrand_rddl::{PvariableKind, Range};

use super::compiled::{CompiledInstance, GroundFluents};
use super::error::StepError;
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
    fn parse_choice(&self, text: &str) -> Result<Choice, ActionTextError> {
        let choices = joint_text::parse_choices(self.compiled(), text)?;
        match choices.as_slice() {
            [choice] => Ok(*choice),
            [] => Err(ActionTextError::new("no action is named")),
            several => Err(ActionTextError::new(format!(
                "`{text}` is {} actions, not one",
                several.len()
            ))),
        }
    }

    /// Parses choices separated by commas or spaces, with or without parentheses around all of them. Each choice may have
    /// any form that [`parse_choice`](Described::parse_choice) accepts. `()` is the empty joint action. Numbers outside of
    /// the range of their field are accepted; the preconditions refuse them.
    fn parse_joint(&self, text: &str) -> Result<Vec<Choice>, ActionTextError> {
        joint_text::parse_joint(self.compiled(), text)
    }

    /// Calls `visit` with the state and derived fluents of the current state, and the intermediate and observ fluents of the
    /// last step. Leaves out the non-fluents: they are constants of the instance, and
    /// [`Instance::values`](herbrand_rddl::Instance::values) returns them.
    fn facts(&self, visit: &mut dyn FnMut(Fact<'_>)) {
        let compiled = self.compiled();
        let mut show = |fluents: &GroundFluents, group, value: &dyn Fn(usize) -> Option<FluentValue>| {
            show_fluents(compiled, fluents, 0..fluents.len(), group, value, visit);
        };
        show(&compiled.state, Group::Fluent, &|at| Some(self.fluent(at)));
        let domain = &compiled.instance.domain;
        let is_derived = |at| domain.pvariable(compiled.interm.at(at).0).kind == PvariableKind::Derived;
        let now = (0..compiled.interm.len())
            .any(is_derived)
            .then(|| self.idle_step())
            .flatten();
        show(&compiled.interm, Group::Derived, &|at| match &now {
            Some(now) if is_derived(at) => Some(compiled.interm.section().read(now, at)),
            _ if is_derived(at) => None,
            _ => self.interm(at),
        });
        show(&compiled.observ, Group::Observed, &|at| self.observed(at));
    }

    fn choice_objects(&self, choice: Choice) -> Vec<String> {
        let text = self.choice_text(choice);
        let (name, value) = text.split_once('=').unwrap_or((&text, ""));
        let arguments = name.split_once("___").map_or("", |(_, arguments)| arguments);
        let words = arguments.split("__").chain([value]);
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    /// Names the first action precondition that the joint action violates, and its objects.
    fn explain_action(&self, joint: &[Choice]) -> ActionValidity {
        let action = self.joint_text(joint);
        let (valid, text) = match self.would_violate(joint) {
            Err(error) => (false, error.to_string()),
            Ok(violated) => match violated.first() {
                Some(&number) => (false, self.compiled().violation(number).to_string()),
                None if self.is_valid(joint) => (true, format!("{action} is valid here")),
                None => (false, "these actions are not valid together here".to_owned()),
            },
        };
        ActionValidity {
            failures: if valid { Vec::new() } else { vec![text.clone()] },
            action,
            valid,
            text,
        }
    }

    /// Describes a step by the action preconditions that it violated.
    fn step_described(
        &mut self,
        joint: &[Choice],
        chance: &mut Random,
    ) -> Result<(Transition, String), StepError> {
        let transition = self.step(joint, chance)?;
        let violated: Vec<String> = self.violated().map(|number| (number + 1).to_string()).collect();
        let text = match violated.as_slice() {
            [] => String::new(),
            numbers => format!("action preconditions that do not hold: {}", numbers.join(", ")),
        };
        Ok((transition, text))
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
