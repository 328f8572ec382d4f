//! A step as a graph of values, for those who reason about problems.

use std::collections::HashMap;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_limits::Budget;

use super::compile::{CompileError, Compiled, Readers, compile_graph};
use super::templates::Templates;
use crate::Instance;
use crate::simulate::{Process, Section};
use crate::tape::{Graph, Kind, Node};

/// The values of a step, every ground variable by itself, and which node each of them is.
///
/// ```
/// use std::sync::Arc;
/// use herbrand_limits::Budget;
/// use herbrand_rddl::ground::StepGraph;
/// use herbrand_rddl::suite::RddlSuite;
///
/// let suite = RddlSuite::bundled("rddl/cartpole-continuous")?;
/// let step = StepGraph::new(&suite.process(0)?.instance, &Budget::unlimited())?;
/// assert_eq!(step.next().len(), step.process().state.len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StepGraph {
    graph: Arc<Graph>,
    process: Arc<Process>,
    next: Vec<Node>,
    interm: Vec<Node>,
    observ: Vec<Node>,
    preconditions: Vec<Node>,
    reward: Node,
    terminal: Node,
    sound: Node,
}

impl StepGraph {
    /// Compiles an instance.
    ///
    /// # Errors
    /// When it is too large, or the budget is spent.
    pub fn new(instance: &Arc<Instance>, budget: &Budget) -> Result<Self, CompileError> {
        let Compiled {
            graph,
            process,
            outputs,
            ..
        } = compile_graph(instance, budget, Templates::Never, Readers::Others)?;
        let nodes: HashMap<(Kind, u32), Node, FxBuildHasher> = outputs
            .into_iter()
            .map(|(node, register)| ((node.kind(), register), node))
            .collect();
        let all = |section: &Section| -> Vec<Node> {
            let places = 0..section.len();
            places
                .map(|at| nodes[&(section.kind(at), section.register(at))])
                .collect()
        };
        let outcome = &process.registers;
        Ok(Self {
            next: all(&process.next),
            interm: all(&process.interm.section),
            observ: all(&process.observ.section),
            preconditions: outcome
                .preconditions
                .clone()
                .map(|register| nodes[&(Kind::Bool, register)])
                .collect(),
            reward: nodes[&(Kind::Real, outcome.reward)],
            terminal: nodes[&(Kind::Bool, outcome.terminal)],
            sound: nodes[&(Kind::Bool, outcome.sound)],
            process: Arc::new(process),
            graph,
        })
    }

    /// The graph.
    #[must_use]
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The compiled problem.
    #[must_use]
    pub const fn process(&self) -> &Arc<Process> {
        &self.process
    }

    /// The state fluents after the step.
    #[must_use]
    pub fn next(&self) -> &[Node] {
        &self.next
    }

    /// The intermediate and derived fluents.
    #[must_use]
    pub fn interm(&self) -> &[Node] {
        &self.interm
    }

    /// The fluents that are observed.
    #[must_use]
    pub fn observ(&self) -> &[Node] {
        &self.observ
    }

    /// Whether each precondition holds; state-action constraints are the last of them.
    #[must_use]
    pub fn preconditions(&self) -> &[Node] {
        &self.preconditions
    }

    /// The reward.
    #[must_use]
    pub const fn reward(&self) -> Node {
        self.reward
    }

    /// Whether the episode ends with the step.
    #[must_use]
    pub const fn terminal(&self) -> Node {
        self.terminal
    }

    /// Whether the invariants hold after the step.
    #[must_use]
    pub const fn sound(&self) -> Node {
        self.sound
    }
}
