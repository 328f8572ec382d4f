//! A compiled problem: everything that a simulator needs and does not change.

use std::sync::Arc;

use herbrand_core::{ActionField, ActionLayout, Domain, Value};

use super::batches::Batches;
use super::error::StepError;
use super::values::{FluentValue, Section, Values};
use crate::tape::{Fault, Kind, Node, Tape};
use crate::{Instance, Limit, PvariableId, Range};

/// The ground fluents of one role, and where their values are: in the order of declaration, those of one pvariable in row
/// order of their arguments.
#[derive(Clone, Debug, Default)]
pub struct Fluents {
    /// The pvariables, each with the place of its first ground fluent.
    pub(crate) pvariables: Vec<(PvariableId, usize)>,
    /// Their registers.
    pub(crate) section: Section,
}

impl Fluents {
    /// The number of ground fluents.
    #[must_use]
    pub fn len(&self) -> usize {
        self.section.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.section.is_empty()
    }

    /// The pvariable of a ground fluent, and its number in row order.
    #[must_use]
    pub fn at(&self, fluent: usize) -> (PvariableId, u64) {
        let after = self.pvariables.partition_point(|&(_, first)| first <= fluent);
        let (pvariable, first) = self.pvariables[after - 1];
        (pvariable, (fluent - first) as u64)
    }

    /// The place of the first ground fluent of a pvariable.
    #[must_use]
    pub fn first(&self, pvariable: PvariableId) -> Option<usize> {
        self.pvariables
            .iter()
            .find(|(id, _)| *id == pvariable)
            .map(|&(_, first)| first)
    }

    /// The registers of the ground fluents.
    #[must_use]
    pub const fn section(&self) -> &Section {
        &self.section
    }
}

/// A problem compiled to tapes.
///
/// ```text
///                 ┌──────────────────── step ─────────────────────┐
///   state, action │ ──▶ next state, interm, observ, reward,       │
///                 │     which preconditions hold, terminal, sound │
///                 └───────────────────────────────────────────────┘
///   state ── status ──▶ terminal, sound        state, action ── permission ──▶ which preconditions hold
/// ```
///
/// All three tapes have the same layout of inputs and outputs.
#[derive(Clone, Debug)]
pub struct Process {
    /// What it was compiled from.
    pub instance: Arc<Instance>,
    /// The state fluents.
    pub state: Fluents,
    /// The action fluents.
    pub action: Fluents,
    /// The intermediate and derived fluents.
    pub interm: Fluents,
    /// The fluents that are observed.
    pub observ: Fluents,
    pub(crate) next: Section,
    pub(crate) initial: Values,
    pub(crate) defaults: Values,
    /// The registers of what is not a fluent.
    pub(crate) registers: Outcome,
    pub(crate) step: Tape,
    /// The step for many environments at once.
    pub(crate) batches: Arc<Batches>,
    pub(crate) status: Tape,
    pub(crate) permission: Tape,
    /// What the values of the tapes belong to.
    pub(crate) owners: Owners,
    pub(crate) layout: ActionLayout,
    /// By field that takes reals: the least and the largest.
    pub(crate) bounds: Vec<(f64, f64)>,
    /// Whether the preconditions say no more than the bounds of the layout's fields.
    pub(crate) preconditions_are_bounds: bool,
    /// The fields of the layout by pvariable, in order.
    pub(crate) families: Vec<FieldFamily>,
}

/// The action fields of one pvariable: they follow each other, and differ in nothing that a step asks for.
#[derive(Clone, Debug)]
pub(crate) struct FieldFamily {
    pub(crate) first: u32,
    count: u32,
    pub(crate) kind: Kind,
    /// The register of the first.
    pub(crate) register: u32,
    /// What the fields take, but for the bounds of numbers.
    pub(crate) domain: Domain,
    pub(crate) default: Value,
}

impl FieldFamily {
    pub(super) const fn fields(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    pub(crate) const fn contains(&self, field: u32) -> bool {
        self.first <= field && field - self.first < self.count
    }
}

/// The registers of what is not a fluent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// Real.
    pub(crate) reward: u32,
    /// Bool: some termination condition holds in the new state.
    pub(crate) terminal: u32,
    /// Bool: all invariants hold in the new state.
    pub(crate) sound: u32,
    /// Bools, one per precondition, then one per state-action constraint, consecutive.
    pub(crate) preconditions: std::ops::Range<u32>,
}

impl Process {
    /// The state that episodes begin in.
    #[must_use]
    pub const fn initial(&self) -> &Values {
        &self.initial
    }

    /// The action that sets nothing.
    #[must_use]
    pub const fn no_action(&self) -> &Values {
        &self.defaults
    }

    /// The error of a step that violates the action precondition of this number, from 0.
    #[must_use]
    pub fn violation(&self, number: usize) -> StepError {
        StepError::Precondition {
            number,
            text: self.instance.domain.precondition_text(number),
        }
    }

    /// The number of action preconditions and, after them, state-action constraints.
    #[must_use]
    pub fn precondition_count(&self) -> usize {
        self.registers.preconditions.len()
    }

    /// What a joint action consists of.
    #[must_use]
    pub const fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    /// Whether agents see observation fluents only.
    #[must_use]
    pub fn is_partially_observed(&self) -> bool {
        !self.observ.is_empty()
    }

    /// The tape of a step, for those who want to read it.
    #[must_use]
    pub const fn tape(&self) -> &Tape {
        &self.step
    }

    /// The name of a ground fluent of one of the roles: `fluent`, or `fluent___o1__o2`.
    #[must_use]
    pub fn name(&self, fluents: &Fluents, fluent: usize) -> String {
        let (pvariable, number) = fluents.at(fluent);
        self.instance.ground_name(pvariable, number)
    }

    /// The range of a ground fluent of one of the roles.
    #[must_use]
    pub fn range(&self, fluents: &Fluents, fluent: usize) -> Range {
        self.instance.domain.pvariable(fluents.at(fluent).0).range
    }

    /// What a value belongs to.
    pub(crate) fn owner(&self, fault: &Fault) -> String {
        fault.node.map_or_else(
            || "a value".to_owned(),
            |node| self.owners.name(node, fault.value, &self.instance),
        )
    }
}

/// What the values of a graph belong to: runs of nodes, each with its owner.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners {
    /// Ascending by the first node.
    runs: Vec<(u32, Owner)>,
}

/// What a value is computed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// A ground fluent.
    Fluent(PvariableId, u64),
    /// Each ground fluent of a pvariable, by the number of the value.
    Each(PvariableId),
    /// All ground fluents of a pvariable together.
    Family(PvariableId),
    Reward,
    Precondition(u32),
    Invariant(u32),
    Termination(u32),
}

impl Owners {
    /// The nodes from number `first` on belong to `owner`.
    pub(crate) fn begin(&mut self, first: usize, owner: Owner) {
        self.runs.push((first as u32, owner));
    }

    /// The name of what a value belongs to, which may be one of the values of a template.
    fn name(&self, node: Node, value: Option<u32>, instance: &Instance) -> String {
        let after = self.runs.partition_point(|&(first, _)| first <= node.number());
        match after.checked_sub(1).map(|at| self.runs[at].1) {
            Some(Owner::Fluent(pvariable, number)) => instance.ground_name(pvariable, number),
            Some(Owner::Each(pvariable)) => instance.ground_name(pvariable, u64::from(value.unwrap_or(0))),
            Some(Owner::Family(pvariable)) => instance.domain.pvariable(pvariable).name.to_string(),
            Some(Owner::Reward) => "reward".to_owned(),
            Some(Owner::Precondition(number)) => format!("action precondition {}", number + 1),
            Some(Owner::Invariant(number)) => format!("state invariant {}", number + 1),
            Some(Owner::Termination(number)) => format!("termination {}", number + 1),
            None => "a value".to_owned(),
        }
    }
}

/// The layout of joint actions: one field per ground action fluent, with the bounds that preconditions give.
pub(crate) fn action_layout(
    instance: &Instance,
    action: &Fluents,
    defaults: &Values,
    bounds: &[(f64, f64)],
) -> ActionLayout {
    let field = |index: usize| {
        let (pvariable, number) = action.at(index);
        let default = action.section.get(defaults, index);
        let (domain, default) = field(instance, pvariable, default, bounds[index]);
        let name = instance.ground_name(pvariable, number);
        ActionField {
            name,
            domain,
            default: Some(default),
        }
    };
    let most = match instance.max_nondef_actions {
        Limit::AtMost(most) => most as usize,
        Limit::Unlimited => usize::MAX,
    };
    ActionLayout::new((0..action.len()).map(field).collect(), most)
}

/// By action field: the least and the largest real that it takes; nothing for one that takes no reals.
pub(crate) fn bounds_of_reals(layout: &ActionLayout) -> Vec<(f64, f64)> {
    let bounds = |field: &ActionField| match field.domain {
        Domain::Real { low, high } => (low, high),
        _ => (f64::INFINITY, f64::NEG_INFINITY),
    };
    layout.fields().iter().map(bounds).collect()
}

/// The action fields by pvariable.
pub(crate) fn field_families(instance: &Instance, action: &Fluents, defaults: &Values) -> Vec<FieldFamily> {
    let count = |id| instance.count(id) as u32;
    let some = action.pvariables.iter().filter(|&&(id, _)| count(id) > 0);
    some.map(|&(id, first)| {
        let default = action.section.get(defaults, first);
        let (domain, default) = field(instance, id, default, (f64::NEG_INFINITY, f64::INFINITY));
        FieldFamily {
            first: first as u32,
            count: count(id),
            kind: action.section.kind(first),
            register: action.section.register(first),
            domain,
            default,
        }
    })
    .collect()
}

/// The values that an action fluent can take, and its default.
fn field(
    instance: &Instance,
    pvariable: PvariableId,
    default: FluentValue,
    (low, high): (f64, f64),
) -> (Domain, Value) {
    let place = || Value::Discrete(default.number() as u32);
    match (instance.domain.pvariable(pvariable).range, default) {
        (Range::Bool, _) => (Domain::Discrete { count: 2 }, place()),
        (Range::Item(of), _) => (
            Domain::Discrete {
                count: instance.size(of),
            },
            place(),
        ),
        (_, FluentValue::Int(value)) => {
            let (low, high) = ((low.ceil() as i64).min(value), (high.floor() as i64).max(value));
            (Domain::Int { low, high }, Value::Int(value))
        }
        (_, value) => {
            let value = value.number();
            (
                Domain::Real {
                    low: low.min(value),
                    high: high.max(value),
                },
                Value::Real(value),
            )
        }
    }
}
