//! States as graphs for graph networks.

use std::collections::BTreeMap;

use herbrand_ground::{AtomId, Literal, Vocabulary};
use herbrand_pddl::Fact;
use herbrand_step::Walker;

use super::{AtomSpace, ObservedId, Part};
use crate::ids::Placed;

/// A state and its goal as a graph: a node for each object and each atom that holds or is wanted, and an edge from
/// each atom to each of its arguments.
///
/// This is the instance learning graph of Chen, Thiébaux and Trevizan ("Learning domain-independent heuristics for
/// grounded and lifted planning", AAAI 2024), with directed edges and one more role for what the goal forbids.
/// Nodes are objects in their order, then the atoms that hold, ascending, then those that are wanted. With the ids of a suite
/// the order of the objects is that of their places; a graph has no nodes for objects that the problem lacks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// By node: for an object its first type's number; for an atom the number of types, plus four times its
    /// predicate's number, plus its [`Role`].
    pub labels: Vec<u32>,
    /// How many of the nodes are objects.
    pub objects: usize,
    /// By edge: the atom.
    pub sources: Vec<u32>,
    /// By edge: the object.
    pub targets: Vec<u32>,
    /// By edge: which argument of the atom the object is, from 0.
    pub positions: Vec<u32>,
    /// How many types there are.
    types: u32,
    /// By object: its node.
    nodes: Vec<u32>,
}

/// What an atom is to the goal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// It holds, and the goal does not name it.
    Holds = 0,
    /// It holds, as the goal asks.
    Achieved = 1,
    /// It does not hold, and the goal asks for it.
    Wanted = 2,
    /// It holds, and the goal forbids it.
    Forbidden = 3,
}

impl AtomSpace {
    /// Writes the graph of the current state of `walker` into `graph`, in place of what it held. The goal is its
    /// first way, if it can be reached in several. Takes time linear in the size of the graph and the goal.
    pub fn graph(&self, walker: &Walker, part: Part, graph: &mut Graph) {
        graph.begin(&self.task().vocabulary, self.ids());
        let mut roles = self.goal_roles();
        for id in self.observe(walker, part) {
            let role = self.atom(id).and_then(|atom| roles.remove(&atom));
            let role = match role {
                None => Role::Holds,
                Some(literal) if literal.is_negative() => Role::Forbidden,
                Some(_) => Role::Achieved,
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
                graph.add(fact, Role::Wanted);
            }
        }
    }

    /// The most nodes and edges that a graph of a part can have.
    pub(crate) fn graph_bounds(&self, part: Part) -> (usize, usize) {
        let atoms = (0..self.len(part)).map(|index| ObservedId::new(index as u32));
        let arities = atoms
            .filter_map(|id| self.get(id))
            .map(|fact| fact.arguments.len());
        let objects = self.task().vocabulary.objects.len();
        (objects + self.len(part), arities.sum())
    }

    /// The literals of the goal's first way, by atom.
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

impl Graph {
    /// The graph of a problem's objects alone, in the order of their places if they have any.
    pub(super) fn begin(&mut self, vocabulary: &Vocabulary, places: Option<&Placed>) {
        self.sources.clear();
        self.targets.clear();
        self.positions.clear();
        self.labels.clear();
        self.types = vocabulary.types.len() as u32;
        self.objects = vocabulary.objects.len();
        self.nodes.clear();
        self.nodes.resize(self.objects, 0);
        match places {
            None => (0..self.objects).for_each(|object| self.add_object(vocabulary, object)),
            Some(places) => places
                .objects()
                .for_each(|object| self.add_object(vocabulary, object.index())),
        }
    }

    fn add_object(&mut self, vocabulary: &Vocabulary, object: usize) {
        self.nodes[object] = self.labels.len() as u32;
        let first_type = vocabulary.objects[object].types.types().first();
        self.labels.push(first_type.map_or(0, |id| id.number()));
    }

    /// Adds an atom, with edges to its arguments.
    pub(super) fn add(&mut self, fact: Fact<'_>, role: Role) {
        let node = self.labels.len() as u32;
        self.labels
            .push(self.types + 4 * fact.predicate.number() + role as u32);
        for (position, object) in (0..).zip(fact.arguments) {
            self.sources.push(node);
            self.targets.push(self.nodes[object.index()]);
            self.positions.push(position);
        }
    }
}
