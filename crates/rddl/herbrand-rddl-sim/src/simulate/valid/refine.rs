//! The set of valid joint actions of a single state, for fields that have bounds only in a given state.

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use fxhash::FxBuildHasher;
use herbrand_core::{ActionField, FieldDomain, FieldValue};
use herbrand_dataflow::{Graph, Layout, NodeId, Operation, Substitution};
use herbrand_limits::Budget;

use super::super::compiled::CompiledInstance;
use super::super::values::{FluentValue, Values};
use super::{BoundsOf, PreconditionGraph, ValidActions};

/// The maximum number of nodes of preconditions that are compiled for single states.
const MOST_REFINED: usize = 1 << 12;

/// The maximum number of nodes of a diagram of a single state.
const MOST_NODES: usize = 1 << 10;

/// The maximum number of states whose sets are kept.
const MOST_KEPT: usize = 1 << 10;

/// The set of each state that was asked for, by the values of the fluents that it depends on; `None` where it covers no more
/// preconditions than the set of all states.
type KeptSets = HashMap<Box<[u64]>, Option<Arc<ValidActions>>, FxBuildHasher>;

/// The preconditions of a problem, from which the set of a single state is compiled: its state fluents become constants,
/// and the action fields get the bounds that follow.
#[derive(Debug)]
pub(super) struct Refinement {
    graph: Graph,
    layout: Layout,
    conjuncts: Vec<NodeId>,
    bounds_of: BoundsOf,
    /// The number of fields whose preconditions the set of all states does not cover.
    pub(super) unchecked: usize,
    /// The state fluents that the preconditions read, with their nodes.
    reads: Vec<(usize, NodeId)>,
    /// By the values of these fluents, as bits.
    kept: Mutex<KeptSets>,
}

/// The valid joint actions of a problem in all its states, or in one state.
pub(in super::super) enum ValidIn<'c> {
    All(&'c Arc<ValidActions>),
    One(Arc<ValidActions>),
}

impl Deref for ValidIn<'_> {
    type Target = ValidActions;

    fn deref(&self) -> &ValidActions {
        match self {
            Self::All(valid) => valid,
            Self::One(valid) => valid,
        }
    }
}

impl ValidActions {
    /// Returns the set of joint actions to use in a state: this set, or that of the state if it covers more preconditions.
    pub(in super::super) fn in_state<'v>(
        self: &'v Arc<Self>,
        compiled: &CompiledInstance,
        state: &Values,
    ) -> ValidIn<'v> {
        let refined = self.refinement.as_ref().and_then(|one| one.at(compiled, state));
        refined.map_or(ValidIn::All(self), ValidIn::One)
    }
}

impl Refinement {
    /// Keeps the preconditions of a problem; `None` if they are too many.
    pub(super) fn of(compiled: &CompiledInstance, conditions: &PreconditionGraph) -> Option<Self> {
        let needed = conditions.graph.needed(conditions.conjuncts.iter().copied());
        if needed.len() > MOST_REFINED || conditions.graph.len() > 4 * MOST_REFINED {
            return None;
        }
        let section = &compiled.state.section;
        let register = |fluent| ((section.kind(fluent), section.register(fluent)), fluent);
        let fluents: HashMap<_, usize, FxBuildHasher> = (0..compiled.state.len()).map(register).collect();
        let fluent = |&node: &NodeId| match *conditions.graph.operation(node) {
            Operation::Input(register) => Some((*fluents.get(&(node.kind(), register))?, node)),
            _ => None,
        };
        Some(Self {
            reads: needed.iter().filter_map(fluent).collect(),
            graph: conditions.graph.clone(),
            unchecked: 0,
            layout: conditions.layout,
            conjuncts: conditions.conjuncts.clone(),
            bounds_of: conditions.bounds_of,
            kept: Mutex::default(),
        })
    }

    /// Returns the set of a state; `None` if it covers no more preconditions than the set of all states.
    fn at(&self, compiled: &CompiledInstance, state: &Values) -> Option<Arc<ValidActions>> {
        let section = &compiled.state.section;
        let values = self
            .reads
            .iter()
            .map(|&(fluent, _)| match section.get(state, fluent) {
                FluentValue::Bool(value) => u64::from(value),
                FluentValue::Int(value) => value as u64,
                FluentValue::Real(value) => value.to_bits(),
            });
        let key: Box<[u64]> = values.collect();
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = lock().get(&key) {
            return known.clone();
        }
        let budget = Budget::unlimited();
        let refined = self.compile(compiled, state, &budget);
        // An exhausted budget says nothing about the state.
        budget.check("compiling the valid actions", 0).ok()?;
        let mut kept = lock();
        if kept.len() >= MOST_KEPT {
            kept.clear();
        }
        kept.insert(key, refined.clone());
        refined
    }

    fn compile(
        &self,
        compiled: &CompiledInstance,
        state: &Values,
        budget: &Budget,
    ) -> Option<Arc<ValidActions>> {
        let mut graph = self.graph.clone();
        let section = &compiled.state.section;
        let mut constants = Substitution::default();
        for &(fluent, input) in &self.reads {
            let constant = match section.get(state, fluent) {
                FluentValue::Bool(value) => graph.bool(value),
                FluentValue::Int(value) => graph.int(value),
                FluentValue::Real(value) => graph.real(value),
            };
            constants.insert(input, constant);
        }
        let conjuncts = self.conjuncts.iter();
        let conjuncts: Vec<NodeId> = conjuncts
            .map(|&condition| graph.substitute(condition, &mut constants))
            .collect::<Option<_>>()?;
        let bounds = (self.bounds_of)(&graph, &conjuncts, &compiled.action);
        let fields = compiled.layout.fields().iter().zip(bounds);
        let domains: Vec<FieldDomain> = fields.map(|(field, bounds)| narrowed(field, bounds)).collect();
        let conditions = PreconditionGraph {
            graph,
            layout: self.layout,
            conjuncts,
            bounds: Vec::new(),
            bounds_of: self.bounds_of,
        };
        let mut meter = budget.meter("compiling the valid actions");
        let domains = domains.into_iter();
        let valid =
            ValidActions::compile_within(compiled, conditions, domains, MOST_NODES, &mut meter).ok()?;
        (valid.unchecked.len() < self.unchecked).then(|| Arc::new(valid))
    }
}

/// Returns the domain of a field within bounds. It always contains the default.
fn narrowed(field: &ActionField, (low, high): (f64, f64)) -> FieldDomain {
    match (field.domain, field.default) {
        (
            FieldDomain::Int {
                low: least,
                high: most,
            },
            Some(FieldValue::Int(default)),
        ) => FieldDomain::Int {
            low: least.max(low.ceil() as i64).min(default),
            high: most.min(high.floor() as i64).max(default),
        },
        (domain, _) => domain,
    }
}
