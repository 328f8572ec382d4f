//! Decision diagrams of the valid values of action fields that share preconditions.
//!
//! A diagram decides one field per level. Each node has a remainder: the preconditions after the fields above it have
//! values. Equal remainders are one node. A part of a remainder that reads no action field is a condition on the state, and
//! becomes the guard of an edge. A diagram is therefore compiled once per problem, and in each state the
//! edges whose guards are false carry no weight.
//!
//! ```text
//!   a + b <= 1,  b => s                      level a    ○ a + b <= 1, b => s
//!                                                  a=0 / \ a=1
//!                                            level b  ○   ○ 1 + b <= 1, b => s
//!                                    b=0, or b=1 if s  \ / b=0
//!                                                       ●
//! ```

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use fxhash::FxBuildHasher;
use herbrand_core::{Random, uniform_below, uniform_unit};
use herbrand_dataflow::{BinaryOp, Graph, NaryOp, NodeId, Operation, Substitution, UnaryOp, ValueType};
use herbrand_limits::Meter;

/// The maximum number of nodes of a diagram, or per field if that is more.
pub(super) const MOST_NODES: usize = 1 << 14;
const MOST_NODES_PER_FIELD: usize = 16;

/// The maximum number of fields of a diagram whose order is chosen; larger diagrams keep the order of the fields.
pub(super) const MOST_ORDERED: usize = 512;

/// The number of terms from which a sum is long, and becomes a chain.
const LONG_SUM: usize = 16;

/// The maximum number of values on all edges of a diagram.
const MOST_VALUES: usize = 1 << 18;

/// The maximum number of nodes of a graph after the diagrams of a problem are compiled, or per node before if that is more.
const MOST_REMAINDERS: usize = 1 << 19;
const MOST_REMAINDERS_PER_NODE: usize = 16;

/// The largest integer up to which intervals are exact.
const EXACT: f64 = (1_u64 << 52) as f64;

/// A discrete action field with few values.
#[derive(Clone, Copy, Debug)]
pub(super) struct DiscreteField {
    /// The number of the field in the action layout.
    pub(super) field: u32,
    /// The node of the field's register.
    pub(super) input: NodeId,
    /// The smallest value: 0 for bools, objects and enums.
    pub(super) low: i64,
    /// The number of values.
    pub(super) count: u32,
    /// The number of the default, counted from the smallest value; `count` or more if the default is no valid value.
    pub(super) default: u32,
}

/// A field that differs from its default, and its value, counted from its smallest value.
pub(super) type FieldChange<'d> = (&'d DiscreteField, u32);

/// The graph of remainders, the state conditions that guard edges, and the intervals of nodes.
#[derive(Debug)]
pub(super) struct Remainders<'g> {
    pub(super) graph: &'g mut Graph,
    /// By node: the smallest and the largest number of an action field that it reads; `None` if it reads none.
    reads: Vec<Option<(u32, u32)>>,
    /// By node: the interval of its numbers.
    intervals: Vec<(f64, f64)>,
    /// The number and the interval of each action field.
    fields: HashMap<NodeId, (u32, (f64, f64)), FxBuildHasher>,
    /// The intervals of state fluents, as far as they are known.
    states: HashMap<NodeId, (f64, f64), FxBuildHasher>,
    /// The guards, by node.
    guards: HashMap<NodeId, u32, FxBuildHasher>,
    /// The nodes of the guards.
    pub(super) listed: Vec<NodeId>,
    /// The maximum number of nodes of the graph.
    most: usize,
}

impl<'g> Remainders<'g> {
    /// Starts with the input nodes of fields, in order of their numbers, and of state fluents, with the intervals of their
    /// values.
    pub(super) fn new(
        graph: &'g mut Graph,
        fields: impl IntoIterator<Item = (NodeId, (f64, f64))>,
        states: impl IntoIterator<Item = (NodeId, (f64, f64))>,
    ) -> Self {
        Self {
            most: MOST_REMAINDERS.max(MOST_REMAINDERS_PER_NODE * graph.len()),
            graph,
            reads: Vec::new(),
            intervals: Vec::new(),
            fields: (0..)
                .zip(fields)
                .map(|(number, (node, interval))| (node, (number, interval)))
                .collect(),
            states: states.into_iter().collect(),
            guards: HashMap::default(),
            listed: Vec::new(),
        }
    }

    /// Returns whether the node reads an action field.
    pub(super) fn reads_action(&mut self, node: NodeId) -> bool {
        self.extend();
        self.reads[node.number() as usize].is_some()
    }

    /// Computes the data of new nodes. Operands precede the nodes that use them.
    fn extend(&mut self) {
        for node in self.graph.nodes_from(self.reads.len()) {
            let mut reads = self.fields.get(&node).map(|&(number, _)| (number, number));
            self.graph.operation(node).operands(|operand| {
                if let Some((first, last)) = self.reads[operand.number() as usize] {
                    reads = Some(reads.map_or((first, last), |(a, b)| (a.min(first), b.max(last))));
                }
            });
            let interval = self.interval(node);
            self.reads.push(reads);
            self.intervals.push(interval);
        }
    }

    /// Returns a condition with the value of one field, whose number is `field`; `None` if it cannot be taken apart.
    fn with_value(&mut self, condition: NodeId, field: u32, memo: &mut Substitution) -> Option<NodeId> {
        self.extend();
        let reads = &self.reads;
        self.graph.substitute_where(condition, memo, |node| {
            let of_node = reads.get(node.number() as usize).copied().flatten();
            of_node.is_some_and(|(first, last)| (first..=last).contains(&field))
        })
    }

    /// Writes each long sum of the conditions as a chain `a + (b + (c + …))`, in order of the levels of the first fields
    /// that the terms read. Fields get values in that order, so the rest of the chain is a node that exists already: the
    /// remainders of a sum of `n` terms need `n` nodes, and not `n` sums. `levels` has the level of each field. Returns
    /// `None` if a condition cannot be taken apart.
    fn chain_sums<'c>(
        &mut self,
        conditions: impl Iterator<Item = &'c mut NodeId>,
        levels: &HashMap<u32, u32, FxBuildHasher>,
    ) -> Option<()> {
        let conditions: Vec<&mut NodeId> = conditions.collect();
        let mut chains = Substitution::default();
        self.extend();
        for node in self.below(conditions.iter().map(|condition| **condition)) {
            let mut terms = match self.graph.operation(node) {
                Operation::Nary(NaryOp::Count | NaryOp::SumInt, list) if list.len() >= LONG_SUM => {
                    list.to_vec()
                }
                _ => continue,
            };
            let level = |term: &NodeId| {
                let (first, _) = self.reads[term.number() as usize]?;
                levels.get(&first).copied()
            };
            terms.sort_by_key(|term| level(term).unwrap_or(u32::MAX));
            let mut sum = self.graph.int(0);
            for term in terms.into_iter().rev() {
                let term = self.graph.substitute(term, &mut chains)?;
                let term = self.graph.to_int(term);
                sum = self.graph.binary(BinaryOp::AddInt, term, sum);
            }
            chains.insert(node, sum);
        }
        for condition in conditions {
            *condition = self.graph.substitute(*condition, &mut chains)?;
        }
        Some(())
    }

    /// Returns the nodes that conditions depend on and that read an action field, in ascending order. Unlike
    /// [`Graph::needed`], it does not look at the rest of the graph, which has the remainders of all diagrams.
    fn below(&self, conditions: impl Iterator<Item = NodeId>) -> Vec<NodeId> {
        let mut found: Vec<NodeId> = conditions.collect();
        let mut seen: HashSet<NodeId, FxBuildHasher> = found.iter().copied().collect();
        let mut next = 0;
        while let Some(&node) = found.get(next) {
            self.graph.operation(node).operands(|operand| {
                let reads_action = self.reads[operand.number() as usize].is_some();
                if reads_action && seen.insert(operand) {
                    found.push(operand);
                }
            });
            next += 1;
        }
        found.sort_unstable_by_key(|node| node.number());
        found.dedup();
        found
    }

    fn interval(&self, node: NodeId) -> (f64, f64) {
        const ALL: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);
        let of_field = self.fields.get(&node).map(|(_, interval)| interval);
        if let Some(&interval) = of_field.or_else(|| self.states.get(&node)) {
            return interval;
        }
        let of = |operand: NodeId| self.intervals[operand.number() as usize];
        let sum = |a: (f64, f64), b: (f64, f64)| (a.0 + b.0, a.1 + b.1);
        let (low, high) = match self.graph.operation(node) {
            Operation::Int(value) => (*value as f64, *value as f64),
            Operation::Unary(UnaryOp::BoolToInt, _) => (0.0, 1.0),
            Operation::Unary(UnaryOp::NegInt, a) => (-of(*a).1, -of(*a).0),
            Operation::Binary(BinaryOp::AddInt, a, b) => sum(of(*a), of(*b)),
            Operation::Binary(BinaryOp::SubInt, a, b) => sum(of(*a), (-of(*b).1, -of(*b).0)),
            Operation::Binary(BinaryOp::MulInt, a, b) => {
                let ((a, b), (c, d)) = (of(*a), of(*b));
                let corners = [a * c, a * d, b * c, b * d];
                // The product of 0 and infinity is NaN, and so no interval.
                if corners.iter().any(|corner| corner.is_nan()) {
                    ALL
                } else {
                    (
                        corners.into_iter().fold(f64::INFINITY, f64::min),
                        corners.into_iter().fold(f64::NEG_INFINITY, f64::max),
                    )
                }
            }
            Operation::Nary(NaryOp::Count, list) => (0.0, list.len() as f64),
            Operation::Nary(NaryOp::SumInt, list) => list.iter().map(|&one| of(one)).fold((0.0, 0.0), sum),
            _ => ALL,
        };
        // Sums of large ints can wrap around.
        if low >= -EXACT && high <= EXACT {
            (low, high)
        } else {
            ALL
        }
    }

    /// Returns the truth of a condition if the intervals of its operands decide it.
    fn decided(&self, condition: NodeId) -> Option<bool> {
        let of = |operand: NodeId| self.intervals[operand.number() as usize];
        let Operation::Binary(op, a, b) = *self.graph.operation(condition) else {
            return self.graph.as_bool(condition);
        };
        let ((a_low, a_high), (b_low, b_high)) = (of(a), of(b));
        match op {
            BinaryOp::LeInt if a_high <= b_low => Some(true),
            BinaryOp::LeInt if a_low > b_high => Some(false),
            BinaryOp::LtInt if a_high < b_low => Some(true),
            BinaryOp::LtInt if a_low >= b_high => Some(false),
            BinaryOp::EqInt if a_low > b_high || a_high < b_low => Some(false),
            _ => None,
        }
    }

    /// Splits a conjunction of conditions. Conditions that read action fields are added to `rest`, state conditions to `guards`.
    /// Returns `false` if one of them is false in every state.
    pub(super) fn split(
        &mut self,
        condition: NodeId,
        rest: &mut Vec<NodeId>,
        guards: &mut Vec<NodeId>,
    ) -> bool {
        let mut open = vec![condition];
        while let Some(next) = open.pop() {
            self.extend();
            match self.graph.operation(next) {
                Operation::Nary(NaryOp::All, parts) => open.extend_from_slice(parts),
                Operation::Binary(BinaryOp::And, a, b) => open.extend([*a, *b]),
                _ => match self.decided(next) {
                    Some(true) => {}
                    Some(false) => return false,
                    None if self.reads[next.number() as usize].is_some() => rest.push(next),
                    None => guards.push(next),
                },
            }
        }
        true
    }

    /// Returns the number of guards so far.
    pub(super) const fn guard_count(&self) -> usize {
        self.listed.len()
    }

    /// Removes the guards from number `first` on, which no diagram uses.
    pub(super) fn forget_guards(&mut self, first: usize) {
        for node in self.listed.drain(first..) {
            self.guards.remove(&node);
        }
    }

    /// Returns the number of the guard that is the conjunction of state conditions; `None` if it is always true.
    pub(super) fn guard(&mut self, conditions: Vec<NodeId>) -> Option<u32> {
        if conditions.is_empty() {
            return None;
        }
        let node = self.graph.junction(NaryOp::All, conditions);
        let next = self.listed.len() as u32;
        let number = *self.guards.entry(node).or_insert(next);
        if number == next {
            self.listed.push(node);
        }
        Some(number)
    }
}

/// The number of edges from which the weights of a diagram are kept for later states.
const KEPT_EDGES: usize = 1 << 8;

/// The maximum number of weights that a diagram keeps.
const MOST_KEPT: usize = 1 << 20;

/// The weights of a diagram's nodes, by the guards that hold.
type KeptWeights = HashMap<Box<[bool]>, Arc<[f64]>, FxBuildHasher>;

/// The weights of a diagram in the present state.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights {
    own: Vec<f64>,
    kept: Option<Arc<[f64]>>,
    /// A buffer for the guards of the diagram that hold.
    key: Vec<bool>,
}

impl Weights {
    pub(super) fn get(&self) -> &[f64] {
        self.kept.as_deref().unwrap_or(&self.own)
    }
}

/// The valid values of some action fields, in every state.
#[derive(Debug)]
pub(super) struct Diagram {
    pub(super) fields: Vec<DiscreteField>,
    /// The nodes, level by level from the root, which is number 0. The last number is the end, which has no edges.
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The values of all edges other than the default, each counted from the smallest value of its field.
    values: Vec<u32>,
    /// The guards of the edges, in ascending order.
    guards: Vec<u32>,
    kept: Mutex<KeptWeights>,
}

#[derive(Debug)]
struct Node {
    level: u32,
    edges: Range<u32>,
}

/// The values of a field that leave the same remainder. While a diagram is compiled, they are in a list.
#[derive(Debug)]
struct Edge<V = Range<u32>> {
    /// The state condition on which the edge exists.
    guard: Option<u32>,
    to: u32,
    /// Whether the default of the field is among the values.
    has_default: bool,
    others: V,
}

impl Edge {
    const fn others(&self) -> u32 {
        self.others.end - self.others.start
    }

    /// Returns whether the edge exists, given the guards that hold.
    fn exists(&self, holds: &[bool]) -> bool {
        self.guard.is_none_or(|guard| holds[guard as usize])
    }
}

impl Diagram {
    /// Compiles the diagram of fields and of the conditions that read them; `opened` has, for each field, the conditions
    /// that read it and no field before it. Returns `None` if the diagram becomes too large or a condition cannot be taken
    /// apart.
    pub(super) fn compile(
        fields: Vec<DiscreteField>,
        mut opened: Vec<Vec<NodeId>>,
        remainders: &mut Remainders<'_>,
        (most_nodes, meter): (usize, &mut Meter),
    ) -> Option<Self> {
        let (mut nodes, mut edges, mut values) = (Vec::new(), Vec::new(), Vec::new());
        let most_nodes = most_nodes.max(MOST_NODES_PER_FIELD * fields.len());
        if fields.len() >= LONG_SUM {
            let levels = fields.iter().map(|field| field.field).zip(0..).collect();
            remainders.chain_sums(opened.iter_mut().flatten(), &levels)?;
        }
        // By node: the conditions that read a field above it and one of its level or below. The others are the same for all
        // nodes of a level.
        let mut level_nodes = vec![Vec::new()];
        for ((level, field), opened) in (0..).zip(&fields).zip(opened) {
            let first_below = nodes.len() + level_nodes.len();
            let mut below: HashMap<Vec<NodeId>, u32, FxBuildHasher> = HashMap::default();
            let mut memos: Vec<Substitution> = (0..field.count)
                .map(|value| constant(remainders.graph, field, value))
                .map(|constant| Substitution::from_iter([(field.input, constant)]))
                .collect();
            for mut conditions in level_nodes {
                conditions.extend_from_slice(&opened);
                let conditions = sorted(conditions);
                let bytes = remainders.graph.bytes();
                let of_node = branches(field, &conditions, &mut memos, remainders, |rest| {
                    let next = (first_below + below.len()) as u32;
                    *below.entry(rest).or_insert(next)
                })?;
                let first_edge = edges.len() as u32;
                for edge in of_node {
                    let first = values.len() as u32;
                    values.extend(edge.others);
                    edges.push(Edge {
                        guard: edge.guard,
                        to: edge.to,
                        has_default: edge.has_default,
                        others: first..values.len() as u32,
                    });
                }
                nodes.push(Node {
                    level,
                    edges: first_edge..edges.len() as u32,
                });
                let is_within_limits = nodes.len() + below.len() <= most_nodes
                    && values.len() <= MOST_VALUES
                    && remainders.graph.len() <= remainders.most
                    && meter.charge(remainders.graph.bytes() - bytes);
                if !is_within_limits {
                    return None;
                }
            }
            let mut next_level: Vec<(Vec<NodeId>, u32)> = below.into_iter().collect();
            next_level.sort_unstable_by_key(|&(_, number)| number);
            level_nodes = next_level.into_iter().map(|(conditions, _)| conditions).collect();
        }
        let mut guards: Vec<u32> = edges.iter().filter_map(|edge| edge.guard).collect();
        guards.sort_unstable();
        guards.dedup();
        Some(Self {
            fields,
            nodes,
            edges,
            values,
            guards,
            kept: Mutex::default(),
        })
    }

    fn edges_of(&self, node: &Node) -> &[Edge] {
        &self.edges[node.edges.start as usize..node.edges.end as usize]
    }

    /// Returns the number of nodes, without the end.
    pub(super) const fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether the weights depend on the state.
    pub(super) const fn is_guarded(&self) -> bool {
        !self.guards.is_empty()
    }

    /// Computes the weights of [`weigh`](Self::weigh), which must always be asked for with the same limit. A large diagram
    /// keeps them for the next state in which the same guards hold.
    pub(super) fn weigh_kept(&self, holds: &[bool], limit: Option<usize>, weights: &mut Weights) {
        if self.edges.len() < KEPT_EDGES {
            return self.weigh(holds, limit, &mut weights.own);
        }
        let key = &mut weights.key;
        key.clear();
        key.extend(self.guards.iter().map(|&guard| holds[guard as usize]));
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        weights.kept = lock().get(key.as_slice()).cloned();
        if weights.kept.is_none() {
            self.weigh(holds, limit, &mut weights.own);
            let computed: Arc<[f64]> = weights.own.as_slice().into();
            let mut kept = lock();
            if (kept.len() + 1) * (computed.len() + key.len()) > MOST_KEPT {
                kept.clear();
            }
            kept.insert(key.as_slice().into(), Arc::clone(&computed));
            weights.kept = Some(computed);
        }
    }

    /// Counts, for each node, the ways to reach the end, given the guards that hold. With a limit, there is one number per
    /// number of fields that differ from their defaults, from 0 to the limit.
    pub(super) fn weigh(&self, holds: &[bool], limit: Option<usize>, weights: &mut Vec<f64>) {
        let width = width(limit);
        weights.clear();
        weights.resize((self.nodes.len() + 1) * width, 0.0);
        weights[self.nodes.len() * width] = 1.0;
        for (number, node) in self.nodes.iter().enumerate().rev() {
            let (above, below) = weights.split_at_mut((number + 1) * width);
            let of_node = &mut above[number * width..];
            for edge in self.edges_of(node).iter().filter(|edge| edge.exists(holds)) {
                let at = (edge.to as usize - number - 1) * width;
                let of_end = &below[at..at + width];
                let others = f64::from(edge.others());
                if limit.is_none() {
                    of_node[0] += (others + f64::from(u8::from(edge.has_default))) * of_end[0];
                    continue;
                }
                if edge.has_default {
                    of_node.iter_mut().zip(of_end).for_each(|(to, from)| *to += from);
                }
                for (to, from) in of_node[1..].iter_mut().zip(of_end) {
                    *to += others * from;
                }
            }
        }
    }

    /// Draws values uniformly from the ways that `weights` counts, with exactly `set` fields that differ from their
    /// defaults if there is a limit. There must be such a way. Calls `visit` with the index of each field that
    /// differs from its default, and its value, counted from its smallest value.
    pub(super) fn draw(
        &self,
        (weights, limit): (&[f64], Option<usize>),
        holds: &[bool],
        mut set: usize,
        random: &mut Random,
        mut visit: impl FnMut(&DiscreteField, u32),
    ) {
        let (mut number, width, limited) = (0, width(limit), limit.is_some());
        while let Some(node) = self.nodes.get(number) {
            let weight = |edge: &Edge| -> (f64, f64) {
                if !edge.exists(holds) {
                    return (0.0, 0.0);
                }
                let of_end = &weights[edge.to as usize * width..][..width];
                let others = f64::from(edge.others());
                let (stay, leave) = match (limited, set) {
                    (false, _) => (of_end[0], of_end[0]),
                    (true, 0) => (of_end[0], 0.0),
                    (true, _) => (of_end[set], of_end[set - 1]),
                };
                (if edge.has_default { stay } else { 0.0 }, others * leave)
            };
            let total = weights[number * width + if limited { set } else { 0 }];
            let mut left = uniform_unit(random) * total;
            // Rounding can leave a rest after the last edge; then the last possible edge is taken.
            let mut taken = None;
            for edge in self.edges_of(node) {
                let (stay, leave) = weight(edge);
                if stay > 0.0 {
                    taken = Some((edge, true));
                    if left < stay {
                        break;
                    }
                    left -= stay;
                }
                if leave > 0.0 {
                    taken = Some((edge, false));
                    if left < leave {
                        break;
                    }
                    left -= leave;
                }
            }
            let Some((edge, stays)) = taken else {
                return;
            };
            if !stays {
                let at = edge.others.start + uniform_below(random, edge.others());
                visit(&self.fields[node.level as usize], self.values[at as usize]);
                set = set.saturating_sub(usize::from(limited));
            }
            number = edge.to as usize;
        }
    }

    /// Calls `visit` with each of the ways that `weights` counts, with exactly `set` fields that differ from their defaults
    /// if there is a limit: these fields, and their values as in [`draw`](Self::draw).
    pub(super) fn each_way(
        &self,
        weights: (&[f64], Option<usize>),
        holds: &[bool],
        set: usize,
        visit: &mut dyn FnMut(&[FieldChange<'_>]),
    ) {
        let (weights, limit) = weights;
        let (width, is_limited) = (width(limit), limit.is_some());
        let mut way: Vec<FieldChange<'_>> = Vec::new();
        // Nodes to visit: each with the number of fields to set from there, the length of the way before, and the change
        // that leads there. A recursion would be as deep as there are fields.
        let mut open: Vec<(usize, usize, usize, Option<FieldChange<'_>>)> = vec![(0, set, 0, None)];
        while let Some((number, set, length, change)) = open.pop() {
            way.truncate(length);
            way.extend(change);
            let Some(node) = self.nodes.get(number) else {
                visit(&way);
                continue;
            };
            let first = open.len();
            for edge in self.edges_of(node).iter().filter(|edge| edge.exists(holds)) {
                let to = edge.to as usize;
                let leads = |set: usize| weights[to * width + if is_limited { set } else { 0 }] > 0.0;
                if edge.has_default && leads(set) {
                    open.push((to, set, way.len(), None));
                }
                let Some(left) = set
                    .checked_sub(usize::from(is_limited))
                    .filter(|&left| leads(left))
                else {
                    continue;
                };
                let field = &self.fields[node.level as usize];
                let range = edge.others.start as usize..edge.others.end as usize;
                let changes = self.values[range].iter().map(|&value| Some((field, value)));
                open.extend(changes.map(|change| (to, left, way.len(), change)));
            }
            open[first..].reverse();
        }
    }

    /// Computes, for each node, the smallest number of fields that differ from their defaults on a way to the end;
    /// `u32::MAX` if there is no way. Returns the number of the root.
    pub(super) fn least_set(&self, holds: &[bool], least: &mut Vec<u32>) -> u32 {
        least.clear();
        least.resize(self.nodes.len() + 1, u32::MAX);
        least[self.nodes.len()] = 0;
        for (number, node) in self.nodes.iter().enumerate().rev() {
            for edge in self.edges_of(node).iter().filter(|edge| edge.exists(holds)) {
                let cost = least[edge.to as usize].saturating_add(u32::from(!edge.has_default));
                least[number] = least[number].min(cost);
            }
        }
        least[0]
    }

    /// Calls `visit` with each value that some way contains on which at most `most` fields differ from their defaults:
    /// the field, the value counted from the field's smallest, possibly several times. `least` is from
    /// [`least_set`](Self::least_set), and `from_root` is a buffer.
    pub(super) fn each_possible(
        &self,
        holds: &[bool],
        least: &[u32],
        most: u32,
        from_root: &mut Vec<u32>,
        mut visit: impl FnMut(&DiscreteField, u32),
    ) {
        from_root.clear();
        from_root.resize(self.nodes.len() + 1, u32::MAX);
        from_root[0] = 0;
        for (number, node) in self.nodes.iter().enumerate() {
            let before = from_root[number];
            if before == u32::MAX {
                continue;
            }
            let field = &self.fields[node.level as usize];
            for edge in self.edges_of(node).iter().filter(|edge| edge.exists(holds)) {
                let through = before.saturating_add(least[edge.to as usize]);
                if edge.has_default && through <= most {
                    visit(field, field.default);
                }
                if through < most {
                    let others = edge.others.start as usize..edge.others.end as usize;
                    self.values[others].iter().for_each(|&value| visit(field, value));
                }
                let cost = before + u32::from(!edge.has_default);
                from_root[edge.to as usize] = from_root[edge.to as usize].min(cost);
            }
        }
    }
}

/// Returns the number of weights per node.
const fn width(limit: Option<usize>) -> usize {
    match limit {
        Some(limit) => limit + 1,
        None => 1,
    }
}

/// Returns the edges of a node with these conditions. `memos` has the substitution of each value of the field, and `number`
/// returns the number of the node with a remainder. Returns `None` if a condition cannot be taken apart.
fn branches(
    field: &DiscreteField,
    conditions: &[NodeId],
    memos: &mut [Substitution],
    remainders: &mut Remainders<'_>,
    mut number: impl FnMut(Vec<NodeId>) -> u32,
) -> Option<Vec<Edge<Vec<u32>>>> {
    let mut edges: Vec<Edge<Vec<u32>>> = Vec::new();
    let mut known: HashMap<(Option<u32>, u32), usize, FxBuildHasher> = HashMap::default();
    for (value, memo) in (0..).zip(memos) {
        let (mut rest, mut guards) = (Vec::new(), Vec::new());
        let mut possible = true;
        for &condition in conditions {
            let remains = remainders.with_value(condition, field.field, memo)?;
            possible = possible && remainders.split(remains, &mut rest, &mut guards);
        }
        if !possible {
            continue;
        }
        let (guard, to) = (remainders.guard(guards), number(sorted(rest)));
        let index = *known.entry((guard, to)).or_insert_with(|| {
            edges.push(Edge {
                guard,
                to,
                has_default: false,
                others: Vec::new(),
            });
            edges.len() - 1
        });
        if value == field.default {
            edges[index].has_default = true;
        } else {
            edges[index].others.push(value);
        }
    }
    Some(edges)
}

fn sorted(mut nodes: Vec<NodeId>) -> Vec<NodeId> {
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}

/// Returns the node of a field's value, counted from its smallest.
fn constant(graph: &mut Graph, field: &DiscreteField, value: u32) -> NodeId {
    match field.input.kind() {
        ValueType::Bool => graph.bool(value != 0),
        _ => graph.int(field.low + i64::from(value)),
    }
}
