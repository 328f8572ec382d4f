//! A step as a graph of values, for code that analyses problems.

use std::collections::HashMap;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_dataflow::{Graph, NodeId, ValueType};
use herbrand_limits::{Budget, deep};
use herbrand_rddl::Instance;

use super::compile::{CompileError, Compiled, Readers, compile_graph};
use super::templates::Templates;
use crate::simulate::{CompiledInstance, FluentRegisters};

/// The graph of the values that a step computes, with the node of each ground variable. For code that analyses
/// problems: [`new`](Self::new) creates one, and the analyses of `herbrand-rddl-plan` take it. The value of a node is
/// defined by [`Graph::operation`].
///
/// ```
/// use std::sync::Arc;
/// use herbrand_limits::Budget;
/// use herbrand_rddl_sim::ground::StepGraph;
/// use herbrand_rddl_sim::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/cartpole-continuous")?;
/// let step = StepGraph::new(&suite.compiled(0)?.instance, &Budget::unlimited())?;
/// assert_eq!(step.next().len(), step.compiled().state.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StepGraph {
    graph: Arc<Graph>,
    compiled: Arc<CompiledInstance>,
    next: Vec<NodeId>,
    interm: Vec<NodeId>,
    observ: Vec<NodeId>,
    preconditions: Vec<NodeId>,
    reward: NodeId,
    terminal: NodeId,
    sound: NodeId,
}

impl StepGraph {
    /// Compiles the step of an instance to a graph, within a budget. For simulation, use
    /// [`compile`](crate::ground::compile()) instead.
    ///
    /// # Errors
    /// Fails if the instance is too large, or the budget is exhausted.
    pub fn new(instance: &Arc<Instance>, budget: &Budget) -> Result<Self, CompileError> {
        let Compiled {
            graph,
            compiled,
            outputs,
            ..
        } = deep(|| compile_graph(instance, budget, Templates::Never, Readers::Others))?;
        let nodes: HashMap<(ValueType, u32), NodeId, FxBuildHasher> = outputs
            .into_iter()
            .map(|(node, register)| ((node.kind(), register), node))
            .collect();
        let all = |section: &FluentRegisters| -> Vec<NodeId> {
            let places = 0..section.len();
            places
                .map(|at| nodes[&(section.kind(at), section.register(at))])
                .collect()
        };
        let outcome = &compiled.registers;
        Ok(Self {
            next: all(&compiled.next),
            interm: all(&compiled.interm.section),
            observ: all(&compiled.observ.section),
            preconditions: outcome
                .preconditions
                .clone()
                .map(|register| nodes[&(ValueType::Bool, register)])
                .collect(),
            reward: nodes[&(ValueType::Real, outcome.reward)],
            terminal: nodes[&(ValueType::Bool, outcome.terminal)],
            sound: nodes[&(ValueType::Bool, outcome.sound)],
            compiled: Arc::new(compiled),
            graph,
        })
    }

    /// Returns the graph of the step, whose inputs are the state and action fluents, by their registers in the compiled
    /// instance ([`GroundFluents::section`](crate::simulate::GroundFluents::section)).
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// Returns the compiled instance, whose fluents the nodes belong to.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Returns, for each ground state fluent, the node of its value after the step, in the order of
    /// [`CompiledInstance::state`].
    #[must_use]
    pub fn next(&self) -> &[NodeId] {
        &self.next
    }

    /// Returns, for each ground intermediate or derived fluent, the node of its value in the step, in the order of
    /// [`CompiledInstance::interm`].
    #[must_use]
    pub fn interm(&self) -> &[NodeId] {
        &self.interm
    }

    /// Returns, for each ground observ fluent, the node of its value, in the order of [`CompiledInstance::observ`].
    #[must_use]
    pub fn observ(&self) -> &[NodeId] {
        &self.observ
    }

    /// Returns, for each action precondition of the domain and then for each state-action constraint, the node of the bool
    /// that is true if it holds.
    #[must_use]
    pub fn preconditions(&self) -> &[NodeId] {
        &self.preconditions
    }

    /// Returns the node of the step's reward, a real.
    #[must_use]
    pub const fn reward(&self) -> NodeId {
        self.reward
    }

    /// Returns the node of the bool that is true if a termination condition holds in the next state.
    #[must_use]
    pub const fn terminal(&self) -> NodeId {
        self.terminal
    }

    /// Returns the node of the bool that is true if all state invariants hold in the next state.
    #[must_use]
    pub const fn sound(&self) -> NodeId {
        self.sound
    }
}
