//! States as graphs for graph neural networks.

use std::collections::BTreeMap;

use herbrand_ground::{AtomId, Literal, Vocabulary};
use herbrand_pddl::{AtomRef, FunctionId, ObjectId};
use herbrand_step::Walker;

use super::{AtomSpace, grounded_numbers};
use crate::action::ids::Placed;
use crate::observed::{ObservedAtoms, ObservedId};

/// A graph of a state and its goal, with a node for each object, each atom that holds or is required by the goal, and each
/// defined numeric fluent of the state, and an edge from each atom or fluent to each of its arguments. [`AtomSpace::graph`] and
/// [`LiftedAtoms::graph`](crate::LiftedAtoms::graph) fill one, starting from the empty default.
/// [`GraphRows`](crate::GraphRows) writes it as a row.
///
/// This is the instance learning graph of Chen, Thiébaux and Trevizan ("Learning domain-independent heuristics for grounded
/// and lifted planning", AAAI 2024), with directed edges, numeric fluents, and an additional role for atoms that the goal
/// forbids. The nodes are the objects in order, the atoms that hold in ascending order, the goal atoms that do not hold, and
/// the numeric fluents. With the ids of a
/// suite, objects are ordered by place; objects that the problem lacks have no nodes.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct InstanceLearningGraph {
    /// For each node its label. The label of an object is the number of its first declared type. The label of an atom
    /// is the number of types plus four times the number of its predicate plus its [`AtomRole`]. The label of a numeric
    /// fluent is the number of types plus four times that of the domain's predicates plus the number of its function.
    pub labels: Vec<u32>,
    /// For each node its value if it is a numeric fluent, in the units of the domain; 0 for other nodes.
    pub values: Vec<f64>,
    /// The number of object nodes, which come first.
    pub objects: usize,
    /// For each edge, the index of its atom or fluent node in [`labels`](Self::labels).
    pub sources: Vec<u32>,
    /// For each edge, the index of its object node in [`labels`](Self::labels).
    pub targets: Vec<u32>,
    /// For each edge, the index of the object among the arguments, from 0.
    pub positions: Vec<u32>,
    /// The number of types, and the label of function 0.
    types: u32,
    functions: u32,
    /// For each object, its node.
    nodes: Vec<u32>,
}

/// The numbers of a suite that determine the labels and positions of its graphs ([`InstanceLearningGraph`]).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct GraphSizes {
    /// The number of types.
    pub types: usize,
    /// The number of predicates.
    pub predicates: usize,
    /// The number of functions; 0 if states have no numeric fluents.
    pub functions: usize,
    /// The largest number of arguments of a predicate, or of a function of the states.
    pub arity: usize,
}

impl GraphSizes {
    /// Returns the number of labels.
    #[must_use]
    pub const fn labels(&self) -> usize {
        self.types + 4 * self.predicates + self.functions
    }
}

/// The relation of an atom to the state and the goal, encoded in the label of its node. The goal is its first disjunct.
/// Without a goal, or if grounding found it unreachable, every atom is `Holds`. The label is an entry of
/// [`InstanceLearningGraph::labels`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomRole {
    /// The atom holds, and the goal does not mention it.
    Holds = 0,
    /// The atom holds, as the goal requires.
    Achieved = 1,
    /// The atom does not hold, but the goal requires it. Static atoms are never wanted.
    Wanted = 2,
    /// The atom holds, but the goal forbids it. A forbidden atom that does not hold has no node.
    Forbidden = 3,
}

/// Returns the node of each object of a problem: its index, or its rank by place if `places` is given.
pub(crate) fn object_nodes(vocabulary: &Vocabulary, places: Option<&Placed>) -> Vec<u32> {
    let mut nodes: Vec<_> = (0..vocabulary.objects.len() as u32).collect();
    if let Some(places) = places {
        for (node, object) in (0..).zip(places.objects()) {
            nodes[object.index()] = node;
        }
    }
    nodes
}

impl AtomSpace {
    /// Replaces the content of `graph` by the graph of the current state of `walker`. `part` selects the atoms that
    /// get nodes: all observable ones, or only the changeable ones. Of a disjunctive goal, the first disjunct is used.
    /// Takes time linear in the size of the graph and the goal. The walker must belong to the same simulator.
    pub fn graph(&self, walker: &Walker, part: ObservedAtoms, graph: &mut InstanceLearningGraph) {
        graph.begin(&self.task().vocabulary, self.ids());
        let mut roles = self.goal_roles();
        for id in self.observe(walker, part) {
            let role = self.atom(id).and_then(|atom| roles.remove(&atom));
            let role = match role {
                None => AtomRole::Holds,
                Some(literal) if literal.is_negative() => AtomRole::Forbidden,
                Some(_) => AtomRole::Achieved,
            };
            if let Some(fact) = self.get(id) {
                graph.add(fact, role);
            }
        }
        for (atom, literal) in roles {
            if let Some(fact) = self.task().atoms.get(atom.index())
                && !literal.is_negative()
                && self.number(atom).is_some()
            {
                graph.add(fact, AtomRole::Wanted);
            }
        }
        graph.add_numbers(grounded_numbers(walker));
    }

    /// Returns upper bounds on the numbers of nodes and edges of the graphs of a part.
    pub(crate) fn graph_bounds(&self, part: ObservedAtoms) -> (usize, usize) {
        let atoms = (0..self.len(part)).map(|index| ObservedId::new(index as u32));
        let arities = atoms
            .filter_map(|id| self.get(id))
            .map(|fact| fact.arguments.len());
        let task = self.task();
        let numbers = task.numerics.iter().take(task.state_numerics as usize);
        let arities = arities.chain(numbers.map(|fluent| fluent.arguments.len()));
        let nodes = task.vocabulary.objects.len() + self.len(part) + task.state_numerics as usize;
        (nodes, arities.sum())
    }

    /// Returns the literals of the goal's first disjunct by atom.
    fn goal_roles(&self) -> BTreeMap<AtomId, Literal> {
        let task = self.task();
        let first = task.conditions.conjunctions(task.goal).next();
        let literals = first.map_or(&[][..], |id| task.conditions.get(id).literals);
        literals
            .iter()
            .map(|&literal| (literal.atom(), literal))
            .collect()
    }
}

impl InstanceLearningGraph {
    /// Starts a graph with the objects of a problem, ordered by place if `places` is given.
    pub(crate) fn begin(&mut self, vocabulary: &Vocabulary, places: Option<&Placed>) {
        self.sources.clear();
        self.targets.clear();
        self.positions.clear();
        self.labels.clear();
        self.types = vocabulary.types.len() as u32;
        let predicates = vocabulary.predicates.iter().filter(|one| !one.auxiliary);
        self.functions = self.types + 4 * predicates.count() as u32;
        self.objects = vocabulary.objects.len();
        self.nodes = object_nodes(vocabulary, places);
        self.labels.resize(self.objects, 0);
        for (object, &node) in vocabulary.objects.iter().zip(&self.nodes) {
            let first_type = object.types.types().first();
            self.labels[node as usize] = first_type.map_or(0, |id| id.number());
        }
    }

    /// Adds an atom with edges to its arguments.
    pub(crate) fn add(&mut self, fact: AtomRef<'_>, role: AtomRole) {
        let label = self.types + 4 * fact.predicate.number() + role as u32;
        self.add_node(label, fact.arguments);
    }

    /// Adds the numeric fluents, after all atoms, with edges to their arguments.
    pub(crate) fn add_numbers<'n>(
        &mut self,
        numbers: impl Iterator<Item = (FunctionId, &'n [ObjectId], f64)>,
    ) {
        self.values.clear();
        self.values.resize(self.labels.len(), 0.0);
        for (function, arguments, value) in numbers {
            self.add_node(self.functions + function.number(), arguments);
            self.values.push(value);
        }
    }

    fn add_node(&mut self, label: u32, arguments: &[ObjectId]) {
        let node = self.labels.len() as u32;
        self.labels.push(label);
        for (position, object) in (0..).zip(arguments) {
            self.sources.push(node);
            self.targets.push(self.nodes[object.index()]);
            self.positions.push(position);
        }
    }
}
