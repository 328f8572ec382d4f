//! Compiled problems: the immutable data that simulators share.

use std::sync::{Arc, OnceLock};

use herbrand_core::{ActionField, ActionLayout, FieldDomain, FieldValue};
use herbrand_dataflow::{NodeId, Tape, ValueType};
use herbrand_limits::{Budget, BudgetExhausted, Limits, deep};
use herbrand_rddl::{Formula, Instance, Limit, PvariableId, Range};
use herbrand_text::Place;

use super::batches::Batches;
use super::error::StepError;
use super::preconditions::Preconditions;
use super::valid::{PreconditionGraph, ValidActions};
use super::values::{FluentRegisters, FluentValue, Values};

/// The ground fluents of one role in a problem (state, action, intermediate or observ), with the registers of their values.
/// They are in declaration order; ground fluents of one pvariable are in row order of their arguments. An index in this
/// order identifies a ground fluent. The fields of [`CompiledInstance`] are such lists.
#[derive(Clone, Debug, Default)]
pub struct GroundFluents {
    /// The pvariables, each with the index of its first ground fluent.
    pub(crate) pvariables: Vec<(PvariableId, usize)>,
    /// The registers.
    pub(crate) section: FluentRegisters,
}

impl GroundFluents {
    /// Returns the number of ground fluents of the role.
    #[must_use]
    pub fn len(&self) -> usize {
        self.section.len()
    }

    /// Returns `true` if the role has no ground fluents.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.section.is_empty()
    }

    /// Returns the pvariable of the ground fluent with this index, and the fluent's number in row order, from 0, among
    /// those of that pvariable. [`Instance::arguments`] turns the number into items. Panics if the role has no
    /// pvariables. An index of [`len`](Self::len) or above gives the last pvariable, and a number that it does not
    /// have.
    #[must_use]
    pub fn at(&self, fluent: usize) -> (PvariableId, u64) {
        let after = self.pvariables.partition_point(|&(_, first)| first <= fluent);
        let (pvariable, first) = self.pvariables[after - 1];
        (pvariable, (fluent - first) as u64)
    }

    /// Returns the index of the first ground fluent of a pvariable; `None` if the pvariable has another role. A pvariable
    /// without ground fluents gives the index at which they would begin.
    #[must_use]
    pub fn first(&self, pvariable: PvariableId) -> Option<usize> {
        self.pvariables
            .iter()
            .find(|(id, _)| *id == pvariable)
            .map(|&(_, first)| first)
    }

    /// Returns the registers of the ground fluents' values. Use it to read and write [`Values`] by index.
    #[must_use]
    pub const fn section(&self) -> &FluentRegisters {
        &self.section
    }
}

/// An instance compiled to tapes, which are instruction sequences for a step and its conditions. Simulators and planners
/// share it. Returned by [`compile`](crate::ground::compile()) and
/// [`RddlSuite::compiled`](crate::suite::RddlSuite::compiled), and passed to [`RddlSimulator::new`](super::RddlSimulator::new).
///
/// ```text
///                 ┌──────────────────── step ─────────────────────┐
///   state, action │ ──▶ next state, interm, observ, reward,       │
///                 │     which preconditions hold, terminal, sound │
///                 └───────────────────────────────────────────────┘
///   state ── status ──▶ terminal, sound,       state, action ── permission ──▶ which preconditions hold
///                       which invariants hold
/// ```
///
/// All three tapes have the same layout of inputs and outputs.
#[derive(Clone, Debug)]
pub struct CompiledInstance {
    /// The instance that was compiled.
    pub instance: Arc<Instance>,
    /// The ground state fluents.
    pub state: GroundFluents,
    /// The ground action fluents.
    pub action: GroundFluents,
    /// The ground intermediate and derived fluents.
    pub interm: GroundFluents,
    /// The ground observ fluents.
    pub observ: GroundFluents,
    pub(crate) next: FluentRegisters,
    pub(crate) initial: Values,
    pub(crate) defaults: Values,
    /// The registers of the reward and the conditions.
    pub(crate) registers: Outcome,
    pub(crate) step: Tape,
    /// The step for many environments at once.
    pub(crate) batches: Arc<Batches>,
    pub(crate) status: Tape,
    pub(crate) permission: Tape,
    /// The fluent or condition of each node.
    pub(crate) owners: Owners,
    pub(crate) layout: ActionLayout,
    /// By action field: the smallest and the largest real; an empty interval for other fields.
    pub(crate) bounds: Vec<(f64, f64)>,
    /// Whether the preconditions only restate the bounds of the layout's fields.
    pub(crate) preconditions_are_bounds: bool,
    /// The action fields grouped by pvariable, in order.
    pub(crate) families: Vec<FieldFamily>,
    /// The memory limit of the compilation, which applies to that of the valid joint actions too.
    pub(crate) memory: Option<u64>,
    /// Lowers the preconditions for [`valid`](Self::valid()).
    pub(crate) lower_conditions: LowerConditions,
    /// The valid joint actions, compiled on first use; `None` if they cannot be compiled.
    pub(crate) valid: OnceLock<Option<Arc<ValidActions>>>,
    /// The joint actions within the bounds of the action layout, compiled on first use.
    pub(crate) within_bounds: OnceLock<Option<Arc<ValidActions>>>,
}

/// Lowers the preconditions of a problem; `None` if that is impossible.
pub(crate) type LowerConditions =
    fn(&CompiledInstance, &Budget) -> Result<Option<PreconditionGraph>, BudgetExhausted>;

/// The action fields of one pvariable. They are consecutive and alike except for the bounds of numbers.
#[derive(Clone, Debug)]
pub(crate) struct FieldFamily {
    pub(crate) first: u32,
    count: u32,
    pub(crate) kind: ValueType,
    /// The register of the first field.
    pub(crate) register: u32,
    /// The domain of the fields without the bounds of numbers.
    pub(crate) domain: FieldDomain,
    pub(crate) default: FieldValue,
}

impl FieldFamily {
    pub(super) const fn fields(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }

    pub(crate) const fn contains(&self, field: u32) -> bool {
        self.first <= field && field - self.first < self.count
    }
}

/// The registers of the outputs that are not fluents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outcome {
    /// Real.
    pub(crate) reward: u32,
    /// Bool: a termination condition holds in the new state.
    pub(crate) terminal: u32,
    /// Bool: all invariants hold in the new state.
    pub(crate) sound: u32,
    /// Consecutive bools: one per precondition, then one per state-action constraint.
    pub(crate) preconditions: std::ops::Range<u32>,
    /// Consecutive bools: one per state invariant, before the step.
    pub(crate) invariants: std::ops::Range<u32>,
}

impl CompiledInstance {
    /// Returns the valid joint actions, or those within the bounds of the action layout if preconditions are ignored. `None`
    /// if they cannot be compiled, or an enclosing budget is exhausted.
    pub(crate) fn valid(&self, preconditions: Preconditions) -> Option<&Arc<ValidActions>> {
        let ignored = preconditions == Preconditions::Ignored;
        let place = if ignored { &self.within_bounds } else { &self.valid };
        if let Some(valid) = place.get() {
            return valid.as_ref();
        }
        let valid = match self.compile_valid(ignored) {
            Ok(valid) => valid,
            // A second attempt would need as much memory.
            Err(BudgetExhausted::Memory { .. }) => None,
            Err(_) => return None,
        };
        place.get_or_init(|| valid).as_ref()
    }

    fn compile_valid(&self, ignored: bool) -> Result<Option<Arc<ValidActions>>, BudgetExhausted> {
        let budget = Budget::new(Limits {
            bytes: self.memory,
            time: None,
        });
        let Some(mut conditions) = deep(|| (self.lower_conditions)(self, &budget))? else {
            return Ok(None);
        };
        if ignored {
            conditions.conjuncts.clear();
        }
        let mut meter = budget.meter("compiling the valid actions");
        meter.charge(conditions.graph.bytes());
        Ok(Some(Arc::new(ValidActions::compile(
            self, conditions, &mut meter,
        )?)))
    }

    /// Returns whether random joint actions are drawn exactly uniformly from the valid ones in every state. If not, some
    /// precondition restricts reals, bounds an int only in some states, can fail, or is too large to be compiled: then actions are drawn within the bounds of their
    /// fields until one is valid, and where valid ones are rare, by a random walk from a valid one (a Markov chain).
    /// The first call compiles the preconditions; it gives `false` if an enclosing budget is exhausted meanwhile.
    #[must_use]
    pub fn samples_exactly(&self) -> bool {
        self.valid(Preconditions::Reported)
            .is_some_and(|valid| valid.is_exact())
    }

    /// Returns the initial state of each episode, as the values of the state fluents.
    #[must_use]
    pub const fn initial(&self) -> &Values {
        &self.initial
    }

    /// Returns the values of the action fluents if no action is taken: their defaults, in the places of
    /// [`action`](Self::action).
    #[must_use]
    pub const fn no_action(&self) -> &Values {
        &self.defaults
    }

    /// Creates the error of a step that violates the action precondition with this index, counted from 0; state-action
    /// constraints follow the preconditions. [`RddlSimulator::would_violate`](super::RddlSimulator::would_violate)
    /// returns such indices. The error's text is empty if there is no such precondition.
    #[must_use]
    pub fn violation(&self, number: usize) -> StepError {
        StepError::Precondition {
            number,
            text: self.instance.domain.precondition_text(number),
        }
    }

    /// Returns the number of action preconditions and state-action constraints of the domain.
    #[must_use]
    pub fn precondition_count(&self) -> usize {
        self.registers.preconditions.len()
    }

    /// Returns the layout of joint actions: a field per ground action fluent, with the bounds that the preconditions imply.
    #[must_use]
    pub const fn actions(&self) -> &ActionLayout {
        &self.layout
    }

    /// Returns `true` if agents see only the observ fluents, because the problem has some. Otherwise they see the state
    /// fluents.
    #[must_use]
    pub fn is_partially_observed(&self) -> bool {
        !self.observ.is_empty()
    }

    /// Returns the tape of a step, for inspection, such as of its number of instructions.
    #[must_use]
    pub const fn tape(&self) -> &Tape {
        &self.step
    }

    /// Returns the name of the ground fluent with index `fluent` in `fluents`, which is one of the four lists of this
    /// instance: `fluent` or `fluent___o1__o2`. An index of [`GroundFluents::len`] or above gives the name of another
    /// fluent, or panics.
    #[must_use]
    pub fn name(&self, fluents: &GroundFluents, fluent: usize) -> String {
        let (pvariable, number) = fluents.at(fluent);
        self.instance.ground_name(pvariable, number)
    }

    /// Returns the range of the ground fluent with index `fluent` in `fluents`, which is one of the four lists of this
    /// instance. Panics if the list has no pvariables; an index of [`GroundFluents::len`] or above gives the range of
    /// the last one.
    #[must_use]
    pub fn range(&self, fluents: &GroundFluents, fluent: usize) -> Range {
        self.instance.domain.pvariable(fluents.at(fluent).0).range
    }

    /// Returns the name of the ground fluent or condition that a node of the step's graph belongs to, and the file and
    /// the line of its formula, such as `shop.rddl:12`; `None` if the model does not come from a text. `value` is the
    /// position of a value in a template's results, and `None` for a node that is no template; a
    /// [`TapeFault`](herbrand_dataflow::TapeFault) has both. The names of conditions have their numbers, from one on.
    /// The name is `a value` for a node that belongs to none. The node must be of the graph from which this instance
    /// was compiled: that of the [`StepGraph`](crate::ground::StepGraph) whose
    /// [`compiled`](crate::ground::StepGraph::compiled) it is, for example.
    #[must_use]
    pub fn owner(&self, node: NodeId, value: Option<u32>) -> (String, Option<String>) {
        self.owners.name(node, value, &self.instance)
    }
}

/// Maps each node of a graph to the fluent or condition that it belongs to, as runs of nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owners {
    /// The first node of each run with its owner, in ascending order.
    runs: Vec<(u32, Owner)>,
}

/// The fluent or condition that a node belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Owner {
    /// A ground fluent.
    Fluent(PvariableId, u64),
    /// A ground fluent of a pvariable, chosen by the position of the value in its template.
    Each(PvariableId),
    /// All ground fluents of a pvariable together.
    Family(PvariableId),
    Reward,
    Precondition(u32),
    Invariant(u32),
    Termination(u32),
}

impl Owners {
    /// Assigns the nodes from number `first` on to `owner`.
    pub(crate) fn begin(&mut self, first: usize, owner: Owner) {
        self.runs.push((first as u32, owner));
    }

    /// Returns the name of a node's owner, and the place of its formula. `value` is the position in the template, if the node is one.
    fn name(&self, node: NodeId, value: Option<u32>, instance: &Instance) -> (String, Option<String>) {
        let after = self.runs.partition_point(|&(first, _)| first <= node.number());
        let Some(owner) = after.checked_sub(1).map(|at| self.runs[at].1) else {
            return ("a value".to_owned(), None);
        };
        let name = match owner {
            Owner::Fluent(pvariable, number) => instance.ground_name(pvariable, number),
            Owner::Each(pvariable) => instance.ground_name(pvariable, u64::from(value.unwrap_or(0))),
            Owner::Family(pvariable) => instance.domain.pvariable(pvariable).name.to_string(),
            Owner::Reward => "reward".to_owned(),
            Owner::Precondition(number) => format!("action precondition {}", number + 1),
            Owner::Invariant(number) => format!("state invariant {}", number + 1),
            Owner::Termination(number) => format!("termination {}", number + 1),
        };
        let span = owner.place(&instance.domain).span();
        let place = span.zip(instance.domain.origin.source());
        let place =
            place.map(|(span, source)| format!("{}:{}", source.name(), source.position(span.start).line));
        (name, place)
    }
}

impl Owner {
    /// Returns the place of the formula: the head of a CPF, or the whole condition.
    fn place(self, domain: &herbrand_rddl::Domain) -> Place {
        let body = |formula: Option<&Formula>| formula.map_or(Place::NOWHERE, |formula| formula.body.place);
        match self {
            Self::Fluent(head, _) | Self::Each(head) | Self::Family(head) => {
                let cpf = domain.cpfs.iter().find(|cpf| cpf.head == head);
                cpf.map_or(Place::NOWHERE, |cpf| cpf.place)
            }
            Self::Reward => domain.reward.body.place,
            Self::Precondition(number) => {
                let mut all = domain.preconditions.iter().chain(&domain.constraints);
                body(all.nth(number as usize))
            }
            Self::Invariant(number) => body(domain.invariants.get(number as usize)),
            Self::Termination(number) => body(domain.terminations.get(number as usize)),
        }
    }
}

/// Returns the layout of joint actions: one field per ground action fluent, with the bounds from the preconditions.
pub(crate) fn action_layout(
    instance: &Instance,
    action: &GroundFluents,
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

/// Returns, by action field, the smallest and the largest real; an empty interval for fields that are not real.
pub(crate) fn bounds_of_reals(layout: &ActionLayout) -> Vec<(f64, f64)> {
    let bounds = |field: &ActionField| match field.domain {
        FieldDomain::Real { low, high } => (low, high),
        _ => (f64::INFINITY, f64::NEG_INFINITY),
    };
    layout.fields().iter().map(bounds).collect()
}

/// Returns the action fields grouped by pvariable.
pub(crate) fn field_families(
    instance: &Instance,
    action: &GroundFluents,
    defaults: &Values,
) -> Vec<FieldFamily> {
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

/// Returns the domain of an action fluent, and its default.
fn field(
    instance: &Instance,
    pvariable: PvariableId,
    default: FluentValue,
    (low, high): (f64, f64),
) -> (FieldDomain, FieldValue) {
    let place = || FieldValue::Discrete(default.number() as u32);
    match (instance.domain.pvariable(pvariable).range, default) {
        (Range::Bool, _) => (FieldDomain::Discrete { count: 2 }, place()),
        (Range::Item(of), _) => (
            FieldDomain::Discrete {
                count: instance.size(of),
            },
            place(),
        ),
        (_, FluentValue::Int(value)) => {
            let (low, high) = ((low.ceil() as i64).min(value), (high.floor() as i64).max(value));
            (FieldDomain::Int { low, high }, FieldValue::Int(value))
        }
        (_, value) => {
            let value = value.number();
            (
                FieldDomain::Real {
                    low: low.min(value),
                    high: high.max(value),
                },
                FieldValue::Real(value),
            )
        }
    }
}
