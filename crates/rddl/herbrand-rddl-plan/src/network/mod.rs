//! Dependencies between fluents, as a dynamic Bayes net of two slices.
//!
//! The first slice contains the state and action fluents before the step. Arrows lead from there, via intermediate fluents,
//! to the state fluents after the step, the observ fluents and the reward.
//!
//! ```
//! use herbrand_rddl_plan::network::Network;
//! use herbrand_rddl_sim::suite::RddlSuite;
//!
//! let suite = RddlSuite::bundled("rddl/cartpole-continuous")?;
//! let network = Network::lifted(suite.domain());
//! let reads = network.reads("position'");
//! assert!(reads.contains(&"position") && reads.contains(&"velocity"), "{reads:?}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "render")]
mod draw;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use fxhash::FxBuildHasher;
use herbrand_dataflow::{NodeId, Operation, ValueType};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_rddl::{Domain, Formula, Node, PvariableId, PvariableKind, Time};
use herbrand_rddl_sim::ground::StepGraph;
use herbrand_rddl_sim::simulate::GroundFluents;
use herbrand_text::{did_you_mean, nearest};
use serde::Serialize;
use thiserror::Error;

use crate::xadd::ground_name;

herbrand_text::named! {
    /// The role of a node of a [`Network`]: a kind of fluent, before or after the step, or the reward. [`NetworkNode::role`] has
    /// it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum NodeRole {
        /// A state fluent before the step.
        State = "state",
        /// An action fluent.
        Action = "action",
        /// An intermediate fluent.
        Interm = "interm",
        /// A derived fluent.
        Derived = "derived",
        /// A state fluent after the step.
        Next = "next",
        /// An observ fluent.
        Observ = "observ",
        /// The reward.
        Reward = "reward",
    }
    /// Returns the name of the role, such as `interm`.
    pub fn as_str
}

/// A node of a [`Network`]: a fluent or the reward. A state fluent has two nodes: one before the step, and one after it
/// with a prime. Every other fluent has one node without a prime.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NetworkNode {
    /// The name of the fluent, or `reward`. A state fluent after the step ends in a prime (`'`).
    pub name: String,
    /// The role of the node.
    pub role: NodeRole,
}

/// The dependencies between fluents as a dynamic Bayes net of two time slices, before and after a step. Every node
/// comes after the nodes that it reads. [`lifted`](Self::lifted) and [`ground`](Self::ground) make one.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Network {
    /// The name of the domain or instance.
    pub name: String,
    /// The nodes, which edges refer to by index.
    pub nodes: Vec<NetworkNode>,
    /// The edges in ascending order. An edge is a pair of indices: the first node is read by the second.
    pub edges: Vec<(usize, usize)>,
}

/// The reason why a Bayes net could not be drawn or restricted to a part, returned by `Network::scene` and
/// [`Network::behind`].
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// The network has too many nodes for a picture. Contains their number.
    #[error("the network has {0} nodes, but a picture has at most {most}; name a fluent to draw only its dependencies", most = Network::DRAWN)]
    TooLarge(usize),
    /// No node has this name.
    #[error("no node of the network is named `{name}`{}", did_you_mean(.suggestion.as_deref()))]
    Unknown {
        /// The unknown name.
        name: String,
        /// The name of the most similar node; `None` if no name is similar.
        suggestion: Option<String>,
    },
}

/// The bytes of an edge and of a node, with those of their lists while these grow.
const EDGE: usize = 3 * size_of::<(usize, usize)>();
const NODE: usize = 3 * size_of::<NetworkNode>() + 64;

/// Returns the fluents that a formula reads, without constants.
fn reads(domain: &Domain, formula: &Formula) -> BTreeSet<Read> {
    let mut found = BTreeSet::new();
    formula.body.walk(&mut |part| {
        if let Node::Fluent(id, time, _) = part.node
            && domain.pvariable(id).kind != PvariableKind::NonFluent
        {
            found.insert((id, time == Time::Next));
        }
    });
    found
}

const fn role(kind: PvariableKind, next: bool) -> Option<NodeRole> {
    Some(match kind {
        PvariableKind::NonFluent => return None,
        PvariableKind::State if next => NodeRole::Next,
        PvariableKind::State => NodeRole::State,
        PvariableKind::Action => NodeRole::Action,
        PvariableKind::Interm => NodeRole::Interm,
        PvariableKind::Derived => NodeRole::Derived,
        PvariableKind::Observ => NodeRole::Observ,
    })
}

impl Network {
    /// The maximum number of nodes that `scene` draws.
    pub const DRAWN: usize = 300;

    /// Returns the network of a domain, with one node per pvariable and slice. It includes every read in the text of a
    /// CPF or of the reward. `scene` and [`to_dot`](Self::to_dot) draw it.
    #[must_use]
    pub fn lifted(domain: &Domain) -> Self {
        let mut network = Self {
            name: domain.name.to_string(),
            nodes: Vec::new(),
            edges: Vec::new(),
        };
        let mut numbers: BTreeMap<Read, usize> = BTreeMap::new();
        for kind in [PvariableKind::State, PvariableKind::Action] {
            for id in domain.of_kind(kind) {
                let name = domain.pvariable(id).name.to_string();
                numbers.insert((id, false), network.node(name, role(kind, false)));
            }
        }
        for &id in domain.levels.iter().flatten() {
            let cpf = domain.cpf(id);
            let head = domain.pvariable(cpf.head);
            let is_next = head.kind == PvariableKind::State;
            let prime = if is_next { "'" } else { "" };
            let to = network.node(format!("{}{prime}", head.name), role(head.kind, is_next));
            numbers.insert((cpf.head, is_next), to);
            network.read(
                to,
                reads(domain, &cpf.formula)
                    .iter()
                    .filter_map(|one| numbers.get(one).copied()),
            );
        }
        let to = network.node("reward".to_owned(), Some(NodeRole::Reward));
        network.read(
            to,
            reads(domain, &domain.reward)
                .iter()
                .filter_map(|one| numbers.get(one).copied()),
        );
        network.edges.sort_unstable();
        network
    }

    /// Returns the network of an instance, given its step ([`StepGraph::new`]), with one node per ground fluent and
    /// slice. It omits reads that cannot affect a value, such as those ruled out by a non-fluent.
    ///
    /// # Errors
    /// Fails if the budget is exhausted: there can be as many edges as pairs of fluents.
    pub fn ground(step: &StepGraph, budget: &Budget) -> Result<Self, BudgetExhausted> {
        let mut meter = budget.meter("collecting the dependencies");
        let compiled = step.compiled();
        let domain = &compiled.instance.domain;
        let mut network = Self {
            name: compiled.instance.name.to_string(),
            nodes: Vec::new(),
            edges: Vec::new(),
        };
        let mut sources = Sources::default();
        for (fluents, role) in [
            (&compiled.state, NodeRole::State),
            (&compiled.action, NodeRole::Action),
        ] {
            for at in 0..fluents.len() {
                let register = (fluents.section().kind(at), fluents.section().register(at));
                let number = network.node(compiled.name(fluents, at), Some(role));
                sources.inputs.insert(register, number);
            }
        }
        let values = |id: PvariableId, kind: PvariableKind| -> (&GroundFluents, &[NodeId]) {
            match kind {
                PvariableKind::State => (&compiled.state, step.next()),
                PvariableKind::Observ => (&compiled.observ, step.observ()),
                _ => {
                    debug_assert!(compiled.interm.first(id).is_some());
                    (&compiled.interm, step.interm())
                }
            }
        };
        for &id in domain.levels.iter().flatten() {
            let cpf = domain.cpf(id);
            let kind = domain.pvariable(cpf.head).kind;
            let is_next = kind == PvariableKind::State;
            let reads = reads(domain, &cpf.formula);
            let (fluents, nodes) = values(cpf.head, kind);
            let Some(first) = fluents.first(cpf.head) else {
                continue;
            };
            let count = compiled.instance.count(cpf.head) as usize;
            let prime = if is_next { "'" } else { "" };
            let mut made = Vec::with_capacity(count);
            for (at, &value) in nodes.iter().enumerate().skip(first).take(count) {
                meter.hold((network.edges.len() * EDGE + network.nodes.len() * NODE) as u64);
                meter.check()?;
                let to = network.node(
                    format!("{}{prime}", compiled.name(fluents, at)),
                    role(kind, is_next),
                );
                network.read(to, sources.of(step, value, &reads));
                made.push((value, to));
            }
            for (node, to) in made {
                sources
                    .known
                    .entry(node)
                    .or_default()
                    .push(((cpf.head, is_next), to));
            }
        }
        let to = network.node("reward".to_owned(), Some(NodeRole::Reward));
        network.read(
            to,
            sources.of(step, step.reward(), &reads(domain, &domain.reward)),
        );
        network.edges.sort_unstable();
        Ok(network)
    }

    fn node(&mut self, name: String, role: Option<NodeRole>) -> usize {
        let role = role.unwrap_or(NodeRole::State);
        self.nodes.push(NetworkNode { name, role });
        self.nodes.len() - 1
    }

    fn read(&mut self, to: usize, from: impl IntoIterator<Item = usize>) {
        self.edges.extend(from.into_iter().map(|from| (from, to)));
    }

    /// Returns the names of the nodes that the node `name` reads, such as `velocity` for `position'`; empty if there is
    /// no node of this name. The prime counts: a state fluent before the step reads nothing. The names are in the order
    /// of [`nodes`](Self::nodes).
    #[must_use]
    pub fn reads(&self, name: &str) -> Vec<&str> {
        let read = |&(from, to): &(usize, usize)| {
            (self.nodes[to].name == name).then(|| self.nodes[from].name.as_str())
        };
        self.edges.iter().filter_map(read).collect()
    }

    /// Returns the part of the network that affects the node `name`, directly or not, including the node itself. The prime
    /// in `name` is optional: the node after the step is preferred. `fluent(o1, o2)` means `fluent___o1__o2`.
    ///
    /// # Errors
    /// [`NetworkError::Unknown`] if no node has this name.
    pub fn behind(&self, name: &str) -> Result<Self, NetworkError> {
        let find = |name: &str| self.nodes.iter().rposition(|node| node.name == name);
        let bare = ground_name(name);
        let of = find(&format!("{bare}'")).or_else(|| find(&bare));
        let of = of.ok_or_else(|| NetworkError::Unknown {
            name: name.to_owned(),
            suggestion: nearest(&bare, self.nodes.iter().map(|node| node.name.as_str())).map(str::to_owned),
        })?;
        let mut kept = vec![false; self.nodes.len()];
        kept[of] = true;
        // A node comes after the nodes that it reads.
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for &(from, to) in &self.edges {
            into[to].push(from);
        }
        for to in (0..=of).rev().filter(|&to| to < self.nodes.len()) {
            if kept[to] {
                into[to].iter().for_each(|&from| kept[from] = true);
            }
        }
        let mut numbers = vec![0; self.nodes.len()];
        let mut nodes = Vec::new();
        for (at, node) in self.nodes.iter().enumerate().filter(|&(at, _)| kept[at]) {
            numbers[at] = nodes.len();
            nodes.push(node.clone());
        }
        let inside = self.edges.iter().filter(|&&(from, to)| kept[from] && kept[to]);
        Ok(Self {
            name: self.name.clone(),
            nodes,
            edges: inside.map(|&(from, to)| (numbers[from], numbers[to])).collect(),
        })
    }

    /// Returns the network as a graph in the DOT language of Graphviz.
    ///
    /// ```
    /// # use herbrand_rddl_plan::network::Network;
    /// # use herbrand_rddl_sim::suite::RddlSuite;
    /// let suite = RddlSuite::bundled("rddl/cartpole-continuous")?;
    /// let dot = Network::lifted(suite.domain()).to_dot();
    /// assert!(dot.contains("\"velocity\" -> \"position'\";"), "{dot}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_dot(&self) -> String {
        let mut text = format!("digraph \"{}\" {{\n  rankdir = LR;\n", self.name);
        for NetworkNode { name, role } in &self.nodes {
            let shape = match role {
                NodeRole::Action | NodeRole::Reward => "box",
                _ => "ellipse",
            };
            text += &format!("  \"{name}\" [shape = {shape}, class = \"{}\"];\n", role.as_str());
        }
        for &(from, to) in &self.edges {
            text += &format!(
                "  \"{}\" -> \"{}\";\n",
                self.nodes[from].name, self.nodes[to].name
            );
        }
        text + "}\n"
    }
}

/// A fluent, and whether its value after the step is read.
type Read = (PvariableId, bool);

/// The origins of the values of a graph.
#[derive(Default)]
struct Sources {
    /// By kind and register: the node of a state or action fluent.
    inputs: HashMap<(ValueType, u32), usize, FxBuildHasher>,
    /// By value: the fluents with that value, with their nodes.
    known: HashMap<NodeId, Vec<(Read, usize)>, FxBuildHasher>,
}

impl Sources {
    /// Returns the nodes on which a value depends: inputs, and fluents that its formula reads.
    fn of(&self, step: &StepGraph, value: NodeId, reads: &BTreeSet<Read>) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([value]);
        let mut open = vec![value];
        while let Some(node) = open.pop() {
            let fluents = self.known.get(&node).into_iter().flatten();
            let read: Vec<usize> = fluents
                .filter(|(fluent, _)| reads.contains(fluent))
                .map(|&(_, number)| number)
                .collect();
            if !read.is_empty() {
                found.extend(read);
                continue;
            }
            match step.graph().operation(node) {
                Operation::Input(register) => {
                    found.extend(self.inputs.get(&(node.kind(), *register)).copied());
                }
                term => term.operands(|operand| {
                    if seen.insert(operand) {
                        open.push(operand);
                    }
                }),
            }
        }
        found
    }
}
