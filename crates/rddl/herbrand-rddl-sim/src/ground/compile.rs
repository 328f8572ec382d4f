//! Compilation of an instance.

use std::sync::{Arc, OnceLock};

use herbrand_core::Choice;
use herbrand_dataflow::{Graph, Layout, NaryOp, NodeId, Tape, ValueType};
use herbrand_distributions::Quantiles;
use herbrand_limits::{Budget, BudgetExhausted, deep};
use herbrand_rddl::{Condition, Instance, Node, PvariableId, PvariableKind, Quantifier, Range, Value};
use thiserror::Error;

use super::bounds::{are_bounds, fluent_bounds};
use super::guard::{GuardError, Guards};
use super::lower::{Lowering, register};
use super::preconditions::{are_within, lower_conditions};
use super::templates::Templates;
use super::values::Values as Nodes;
use crate::simulate::{
    Batches, CompiledInstance, FluentRegisters, FluentValue, GroundFluents, Lean, Outcome, Owner, Owners,
    StepError, Values, action_layout, bounds_of_reals, field_families,
};

/// The reason why an instance could not be compiled. [`TooLarge`](Self::TooLarge) and
/// [`TooManyValues`](Self::TooManyValues) do not depend on the budget: use a smaller instance.
/// Returned by [`compile`] and its variants, [`StepGraph::new`](super::StepGraph::new),
/// [`ExactStep::new`](super::ExactStep::new) and [`state_bounds`](super::state_bounds).
#[derive(Clone, Debug, Error)]
pub enum CompileError {
    /// The tuples of the guards of aggregations (see [`Guards`]) could not be computed, for example because
    /// the budget ended during their evaluation.
    #[error(transparent)]
    Guards(#[from] GuardError),
    /// The number of ground fluents, non-fluents included, exceeds 2^30. Contains the number.
    #[error("the problem has {0} ground fluents: at most 2^30 are possible")]
    TooLarge(u64),
    /// A step computes more values than a graph can have nodes. Contains that maximum, 2^30.
    #[error("a step of the problem computes more than {0} values")]
    TooManyValues(u64),
    /// The budget of memory and time is spent.
    #[error("{0}")]
    BudgetExhausted(#[from] BudgetExhausted),
}

/// The maximum number of ground fluents, and of values per step.
const MOST: u64 = Graph::MOST as u64;

/// The bytes charged per ground fluent in addition to its CPF: its values, registers and nodes.
const FLUENT: u64 = 48;

/// Compiles an instance for an [`RddlSimulator`](crate::simulate::RddlSimulator), without limits on memory and time.
/// Create an [`RddlSimulator`](crate::simulate::RddlSimulator) or [`Rollouts`](crate::simulate::Rollouts) from the
/// result.
///
/// # Errors
/// Fails if the instance has too many ground fluents, guard tuples or values per step, or if a budget that encloses the
/// call is exhausted.
pub fn compile(instance: &Arc<Instance>) -> Result<CompiledInstance, CompileError> {
    compile_within(instance, &Budget::unlimited())
}

/// Compiles an instance within a budget of memory and time.
///
/// # Errors
/// Fails like [`compile`], or if `budget` is exhausted.
pub fn compile_within(instance: &Arc<Instance>, budget: &Budget) -> Result<CompiledInstance, CompileError> {
    compile_with(instance, budget, Templates::default())
}

/// Compiles an instance within a budget. `templates` controls which expressions become templates; it affects the
/// speed but not the values.
///
/// # Errors
/// Fails like [`compile`], or if `budget` is exhausted.
pub fn compile_with(
    instance: &Arc<Instance>,
    budget: &Budget,
    templates: Templates,
) -> Result<CompiledInstance, CompileError> {
    deep(|| compile_graph(instance, budget, templates, Readers::Tapes)).map(|found| found.compiled)
}

/// Returns for which objects an action precondition does not hold for a joint action in a state, if it is a `forall`: for
/// each combination of items of its variables, a text such as `?c = anna, ?x = hill`. Empty if it holds or is no `forall`,
/// if there are more than 4,096 combinations, or if they cannot be computed. `number` is the index of the precondition,
/// counted from 0, as [`RddlSimulator::would_violate`](crate::simulate::RddlSimulator::would_violate) returns it;
/// state-action constraints follow the preconditions. Empty also if there is no such precondition.
///
/// Compiles the precondition for this one query, so it is for messages rather than for every step.
///
/// # Errors
/// Fails if the state belongs to another problem, the joint action is malformed, or a budget that encloses the call is
/// exhausted.
pub fn violating_items(
    compiled: &CompiledInstance,
    state: &Values,
    joint: &[Choice],
    number: usize,
) -> Result<Vec<String>, StepError> {
    deep(|| violating(compiled, state, joint, number))
}

fn violating(
    compiled: &CompiledInstance,
    state: &Values,
    joint: &[Choice],
    number: usize,
) -> Result<Vec<String>, StepError> {
    const MOST_TRIED: u64 = 4096;
    let (instance, budget) = (&compiled.instance, Budget::unlimited());
    let domain = &instance.domain;
    let mut all = domain.preconditions.iter().chain(&domain.constraints);
    let Some(condition) = all.nth(number) else {
        return Ok(Vec::new());
    };
    let Node::Quantify(Quantifier::Forall, variables, body) = &condition.body.node else {
        return Ok(Vec::new());
    };
    let are_first = variables.iter().enumerate().all(|(at, id)| id.index() == at);
    let of = |at: usize| condition.variables[at].of;
    let sizes: Vec<u64> = (0..variables.len())
        .map(|at| u64::from(instance.size(of(at))))
        .collect();
    let count = sizes.iter().copied().fold(1, u64::saturating_mul);
    let (true, 1..=MOST_TRIED, Ok(guards)) = (are_first, count, Guards::of(instance, &budget.rest(0))) else {
        return Ok(Vec::new());
    };
    // The body is a condition of its own, with the outer variables as parameters.
    let inner = Condition {
        variables: condition.variables.clone(),
        parameters: variables.len() as u32,
        body: (**body).clone(),
    };
    let mut compiler = Compiler::new(
        instance,
        Lowering::new(instance, &guards, Templates::Never, budget.meter("compiling")),
    );
    compiler.functions();
    let Compiler { lowering, layout, .. } = &mut compiler;
    lowering.begin(&inner);
    let tuple = |mut rest: u64| {
        let mut items = vec![0; sizes.len()];
        for (item, size) in items.iter_mut().zip(&sizes).rev() {
            *item = (rest % size) as u32;
            rest /= size;
        }
        items
    };
    let holds: Vec<NodeId> = (0..count)
        .map(|number| lowering.formula(&inner, &tuple(number), Range::Bool))
        .collect();
    let first = layout.take(ValueType::Bool, holds.len() as u32);
    let outputs: Vec<(NodeId, u32)> = holds.iter().copied().zip(first..).collect();
    let tape = Tape::compile(&lowering.graph, *layout, &outputs, &mut lowering.meter)?;
    let mut registers = tape.registers();
    compiled.load(state, joint, &mut registers)?;
    if tape.run(&mut registers, &Quantiles::at(0.5)).is_err() {
        return Ok(Vec::new());
    }
    let text = |number: u64| {
        let items = tuple(number);
        let named = items.iter().enumerate().map(|(at, &item)| {
            let name = instance.item_name(of(at), item);
            format!("?{} = {name}", condition.variables[at].name)
        });
        named.collect::<Vec<_>>().join(", ")
    };
    let broken = (0..count).filter(|&number| !registers.bools[first as usize + number as usize]);
    Ok(broken.map(text).collect())
}

/// A compiled instance together with its graph.
pub(super) struct Compiled {
    pub(super) graph: Arc<Graph>,
    pub(super) compiled: CompiledInstance,
    /// By pvariable: the nodes of the state fluents after the step.
    pub(super) next: Vec<Nodes>,
    /// The nodes of the step with their output registers.
    pub(super) outputs: Vec<(NodeId, u32)>,
    /// The number of outputs, at the beginning, for the state after the step, its reward and whether it ends the episode.
    pub(super) lean: usize,
}

/// The consumers of a compiled graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Readers {
    /// Tapes only. The graph may compute values in other ways than the source text.
    Tapes,
    /// Also code that analyses the graph and expects the operations of the source text.
    Others,
}

pub(super) fn compile_graph(
    instance: &Arc<Instance>,
    budget: &Budget,
    templates: Templates,
    readers: Readers,
) -> Result<Compiled, CompileError> {
    let all = (0..instance.domain.pvariables.len()).map(PvariableId::from_index);
    let ground = all.map(|id| instance.count(id)).fold(0, u64::saturating_add);
    if ground > MOST {
        return Err(CompileError::TooLarge(ground));
    }
    budget.check("compiling", ground.saturating_mul(FLUENT))?;
    let guards = Guards::of(instance, &budget.rest(0))?;
    let mut compiler = Compiler::new(
        instance,
        Lowering::new(instance, &guards, templates, budget.meter("compiling")),
    );
    compiler.functions();
    let reward = compiler.reward();
    let preconditions = compiler.preconditions();
    let (status, invariants) = compiler.conditions();
    compiler.advance();
    let (outcome, _) = compiler.conditions();
    compiler.lowering.meter.check()?;
    if compiler.lowering.graph.is_full() {
        return Err(CompileError::TooManyValues(MOST));
    }
    let found = compiler.finish(reward, [&preconditions, &invariants], [status, outcome], readers)?;
    Ok(Compiled {
        compiled: CompiledInstance {
            memory: budget.limits().bytes,
            ..found.compiled
        },
        ..found
    })
}

/// Whether a state is terminal, and whether its invariants hold.
type Conditions = [NodeId; 2];

pub(super) struct Compiler<'i> {
    instance: &'i Arc<Instance>,
    pub(super) lowering: Lowering<'i>,
    pub(super) layout: Layout,
    /// The registers of states and actions.
    inputs: Layout,
    pub(super) state: GroundFluents,
    pub(super) action: GroundFluents,
    next: FluentRegisters,
    interm: GroundFluents,
    observ: GroundFluents,
    owners: Owners,
    /// By pvariable: the nodes of intermediate, derived and observ fluents in the step.
    before: Vec<Nodes>,
}

impl<'i> Compiler<'i> {
    pub(super) fn new(instance: &'i Arc<Instance>, lowering: Lowering<'i>) -> Self {
        let mut layout = Layout::default();
        let state = fluents(instance, &[PvariableKind::State], &mut layout);
        let action = fluents(instance, &[PvariableKind::Action], &mut layout);
        let inputs = layout;
        let next = fluents(instance, &[PvariableKind::State], &mut layout).section;
        let interm = fluents(
            instance,
            &[PvariableKind::Interm, PvariableKind::Derived],
            &mut layout,
        );
        let observ = fluents(instance, &[PvariableKind::Observ], &mut layout);
        let mut compiler = Self {
            instance,
            lowering,
            layout,
            inputs,
            state,
            action,
            next,
            interm,
            observ,
            owners: Owners::default(),
            before: Vec::new(),
        };
        compiler.read_inputs();
        compiler
    }

    /// Makes state and action fluents input registers.
    fn read_inputs(&mut self) {
        for fluents in [&self.state, &self.action] {
            for &(pvariable, first) in &fluents.pvariables {
                if self.instance.count(pvariable) > 0 {
                    let register = fluents.section.register(first);
                    self.lowering.now[pvariable.index()] = self.lowering.inputs(pvariable, register);
                }
            }
        }
    }

    /// Lowers all CPFs, level by level.
    pub(super) fn functions(&mut self) {
        let domain = &self.instance.domain;
        for &id in domain.levels.iter().flatten() {
            let head = domain.cpf(id).head;
            let values = self.function(id);
            match domain.pvariable(head).kind {
                PvariableKind::State => self.lowering.next[head.index()] = values,
                _ => self.lowering.now[head.index()] = values,
            }
        }
    }

    /// Lowers a CPF for all bindings of its parameters, in row order.
    fn function(&mut self, id: herbrand_rddl::CpfId) -> Nodes {
        let domain = &self.instance.domain;
        let cpf = domain.cpf(id);
        let range = domain.pvariable(cpf.head).range;
        self.lowering.begin(&cpf.formula);
        if let Some(values) = self.template(id) {
            return values;
        }
        let value = |number: u64| {
            if self.lowering.is_over() {
                return self.lowering.graph.zero(register(range));
            }
            let items = self.instance.arguments(cpf.head, number);
            self.owners
                .begin(self.lowering.graph.len(), Owner::Fluent(cpf.head, number));
            self.lowering.formula(&cpf.formula, &items, range)
        };
        Nodes::Each((0..self.instance.count(cpf.head)).map(value).collect())
    }

    /// Lowers a CPF as a template; `None` if it does not become one.
    fn template(&mut self, id: herbrand_rddl::CpfId) -> Option<Nodes> {
        let domain = &self.instance.domain;
        let cpf = domain.cpf(id);
        let first = self.lowering.graph.len();
        self.owners.begin(first, Owner::Family(cpf.head));
        let range = domain.pvariable(cpf.head).range;
        let array = self.lowering.template(cpf.head, &cpf.formula, range)?;
        if array.number() as usize >= first {
            self.owners.begin(array.number() as usize, Owner::Each(cpf.head));
        }
        Some(Nodes::Whole(array))
    }

    fn reward(&mut self) -> NodeId {
        let reward = &self.instance.domain.reward;
        self.owners.begin(self.lowering.graph.len(), Owner::Reward);
        self.lowering.begin(reward);
        self.lowering.formula(reward, &[], Range::Real)
    }

    pub(super) fn preconditions(&mut self) -> Vec<NodeId> {
        let domain = &self.instance.domain;
        let all: Vec<&Condition> = domain.preconditions.iter().chain(&domain.constraints).collect();
        (0..)
            .zip(all)
            .map(|(number, one)| {
                // Preconditions on numeric actions are lowered one by one, so that bounds can be derived from them.
                let templates = self.lowering.templates;
                if self.is_about_numbers(one) {
                    self.lowering.templates = Templates::Never;
                }
                let node = self.condition(one, Owner::Precondition(number));
                self.lowering.templates = templates;
                node
            })
            .collect()
    }

    /// Returns whether a condition reads numeric action fluents.
    fn is_about_numbers(&self, condition: &Condition) -> bool {
        let domain = &self.instance.domain;
        let mut found = false;
        condition.body.walk(&mut |part| {
            if let herbrand_rddl::Node::Fluent(id, ..) = part.node {
                let pvariable = domain.pvariable(id);
                found |= pvariable.kind == PvariableKind::Action
                    && matches!(pvariable.range, Range::Int | Range::Real);
            }
        });
        found
    }

    fn condition(&mut self, condition: &Condition, owner: Owner) -> NodeId {
        self.owners.begin(self.lowering.graph.len(), owner);
        self.lowering.begin(condition);
        self.lowering.formula(condition, &[], Range::Bool)
    }

    /// Returns whether the state in `now` is terminal, and whether its invariants hold, together and one by one.
    fn conditions(&mut self) -> (Conditions, Vec<NodeId>) {
        let domain = &self.instance.domain;
        let ends: Vec<NodeId> = (0..)
            .zip(&domain.terminations)
            .map(|(number, one)| self.condition(one, Owner::Termination(number)))
            .collect();
        let holds: Vec<NodeId> = (0..)
            .zip(&domain.invariants)
            .map(|(number, one)| self.condition(one, Owner::Invariant(number)))
            .collect();
        let graph = &mut self.lowering.graph;
        let together = [
            graph.junction(NaryOp::Any, ends),
            graph.junction(NaryOp::All, holds.clone()),
        ];
        (together, holds)
    }

    /// Advances `now` to the state after the step, including its derived fluents if conditions need them.
    fn advance(&mut self) {
        self.lowering.vectors.clear();
        self.lowering.matrices.clear();
        self.lowering.counts.clear();
        self.lowering.arrays.clear();
        let domain = &self.instance.domain;
        self.before = self.lowering.now.clone();
        for id in domain.of_kind(PvariableKind::State) {
            self.lowering.now[id.index()] = self.lowering.next[id.index()].clone();
        }
        if !domain.terminations.is_empty() || !domain.invariants.is_empty() {
            for &id in domain.levels.iter().flatten() {
                let head = domain.cpf(id).head;
                if domain.pvariable(head).kind == PvariableKind::Derived {
                    self.lowering.now[head.index()] = self.function(id);
                }
            }
        }
    }

    fn finish(
        mut self,
        reward: NodeId,
        [preconditions, invariants]: [&[NodeId]; 2],
        [status, outcome]: [Conditions; 2],
        readers: Readers,
    ) -> Result<Compiled, CompileError> {
        let mut bools = |nodes: &[NodeId]| {
            let first = self.layout.take(ValueType::Bool, nodes.len() as u32);
            first..first + nodes.len() as u32
        };
        let (of_preconditions, of_invariants) = (bools(preconditions), bools(invariants));
        let registers = Outcome {
            reward: self.layout.take(ValueType::Real, 1),
            terminal: self.layout.take(ValueType::Bool, 1),
            sound: self.layout.take(ValueType::Bool, 1),
            preconditions: of_preconditions,
            invariants: of_invariants,
        };
        let each = |nodes: &[NodeId], registers: &std::ops::Range<u32>| -> Vec<(NodeId, u32)> {
            nodes.iter().copied().zip(registers.clone()).collect()
        };
        let allowed = each(preconditions, &registers.preconditions);
        let ends = |[terminal, sound]: Conditions| [(terminal, registers.terminal), (sound, registers.sound)];
        let mut status = ends(status).to_vec();
        status.extend(each(invariants, &registers.invariants));
        let mut lean = self.next_outputs();
        lean.push((reward, registers.reward));
        lean.extend(ends(outcome));
        let mut others = self.other_outputs();
        others.extend_from_slice(&allowed);
        let outputs = [lean.as_slice(), &others].concat();
        let (mut graph, layout, meter) = (self.lowering.graph, self.layout, &mut self.lowering.meter);
        let (initial, defaults) = (
            values(self.instance, &self.state),
            values(self.instance, &self.action),
        );
        let bounds = fluent_bounds(&graph, preconditions, &self.action, true);
        // A default outside the bounds is representable in the action layout but not valid.
        let preconditions_are_bounds =
            are_bounds(&graph, preconditions, &self.action) && are_within(&self.action, &defaults, &bounds);
        if readers == Readers::Tapes {
            let values = outputs.iter().map(|&(node, _)| node);
            graph.tabulate(values.chain(status.iter().map(|&(node, _)| node)), meter)?;
        }
        // A step fails if any of its values cannot be computed, so lean tapes also need the others that can fail.
        let needed = others
            .iter()
            .map(|&(node, _)| node)
            .filter(|&node| graph.is_fallible(node));
        let lean_count = lean.len();
        let lean = Lean {
            outputs: lean,
            needed: needed.collect(),
        };
        let step = Tape::compile(&graph, layout, &outputs, meter)?;
        let graph = Arc::new(graph);
        let layout_of_actions = action_layout(self.instance, &self.action, &defaults, &bounds);
        let compiled = CompiledInstance {
            instance: Arc::clone(self.instance),
            batches: Arc::new(Batches::new(
                &graph,
                self.inputs,
                &step,
                outputs.clone(),
                lean,
                (&self.next, &registers),
            )),
            step,
            status: Tape::compile(&graph, layout, &status, meter)?,
            permission: Tape::compile(&graph, layout, &allowed, meter)?,
            families: field_families(self.instance, &self.action, &defaults),
            bounds: bounds_of_reals(&layout_of_actions),
            preconditions_are_bounds,
            memory: None,
            lower_conditions,
            valid: OnceLock::new(),
            within_bounds: OnceLock::new(),
            layout: layout_of_actions,
            next: self.next,
            initial,
            defaults,
            registers,
            owners: self.owners,
            state: self.state,
            action: self.action,
            interm: self.interm,
            observ: self.observ,
        };
        Ok(Compiled {
            graph,
            compiled,
            next: self.lowering.next,
            outputs,
            lean: lean_count,
        })
    }

    /// Returns the nodes of state fluents after the step with their registers.
    fn next_outputs(&self) -> Vec<(NodeId, u32)> {
        outputs_of(&self.state, &self.next, &self.lowering.next)
    }

    /// Returns the nodes of the intermediate, derived and observ fluents with their registers.
    fn other_outputs(&self) -> Vec<(NodeId, u32)> {
        let mut outputs = outputs_of(&self.interm, &self.interm.section, &self.before);
        outputs.extend(outputs_of(&self.observ, &self.observ.section, &self.before));
        outputs
    }
}

fn outputs_of(fluents: &GroundFluents, section: &FluentRegisters, values: &[Nodes]) -> Vec<(NodeId, u32)> {
    let mut outputs = Vec::new();
    for &(id, first) in &fluents.pvariables {
        match &values[id.index()] {
            Nodes::Whole(array) => outputs.push((*array, section.register(first))),
            Nodes::Each(all) => {
                let registers = (first..).map(|at| section.register(at));
                outputs.extend(all.iter().copied().zip(registers));
            }
        }
    }
    outputs
}

/// Returns the ground fluents of some kinds, in declaration order, and assigns registers to them.
fn fluents(instance: &Instance, kinds: &[PvariableKind], layout: &mut Layout) -> GroundFluents {
    let domain = &instance.domain;
    let mut pvariables = Vec::new();
    let mut registers = Vec::new();
    for (index, pvariable) in domain.pvariables.iter().enumerate() {
        if kinds.contains(&pvariable.kind) {
            let id = PvariableId::from_index(index);
            pvariables.push((id, registers.len()));
            let count = instance.count(id) as usize;
            registers.resize(registers.len() + count, register(pvariable.range));
        }
    }
    GroundFluents {
        pvariables,
        section: FluentRegisters::take(layout, registers),
    }
}

/// Returns the initial or default values of ground fluents.
fn values(instance: &Instance, fluents: &GroundFluents) -> Values {
    let mut values = fluents.section.values();
    for &(id, first) in &fluents.pvariables {
        for (at, value) in (first..).zip(instance.values(id)) {
            let value = match value {
                Value::Bool(value) => FluentValue::Bool(value),
                Value::Int(value) => FluentValue::Int(value),
                Value::Real(value) => FluentValue::Real(value),
                Value::Item(item) => FluentValue::Int(i64::from(item)),
            };
            fluents.section.set(&mut values, at, value);
        }
    }
    values
}
