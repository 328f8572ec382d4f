//! States as graphs for graph networks.

use std::collections::BTreeMap;

use herbrand_ground::{AtomId, Literal};
use herbrand_pddl::{Fact, ObjectId};
use herbrand_step::Walker;

use super::{AtomSpace, Part};

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

/// The nodes of objects.
struct ObjectOrder {
    /// By node: the object.
    objects: Vec<usize>,
    /// By object: the node.
    nodes: Vec<u32>,
}

impl AtomSpace {
    /// Writes the graph of the state where `walker` stands into `graph`, in place of what it held. The goal is its
    /// first way, if it can be reached in several. Takes time linear in the size of the graph and the goal.
    pub fn graph(&self, walker: &Walker, part: Part, graph: &mut Graph) {
        graph.clear();
        let types = self.task().vocabulary.types.len() as u32;
        let objects = &self.task().vocabulary.objects;
        graph.objects = objects.len();
        let order = self.object_order();
        let in_order =
            (0..objects.len()).map(|node| order.as_ref().map_or(node, |order| order.objects[node]));
        let first_type = in_order.map(|object| objects[object].types.types().first());
        graph
            .labels
            .extend(first_type.map(|id| id.map_or(0, |id| id.number())));
        let node = |object: ObjectId| match &order {
            None => object.number(),
            Some(order) => order.nodes[object.index()],
        };
        let mut roles = self.goal_roles();
        for id in self.observe(walker, part) {
            let role = self.atom(id).and_then(|atom| roles.remove(&atom));
            let role = match role {
                None => Role::Holds,
                Some(literal) if literal.is_negative() => Role::Forbidden,
                Some(_) => Role::Achieved,
            };
            if let Some(fact) = self.get(id) {
                graph.add(types, fact, role, node);
            }
        }
        for (atom, literal) in roles {
            if let Some(fact) = self.task().atoms.get(atom.index())
                && !literal.is_negative()
                && self.number(atom).is_some()
            {
                graph.add(types, fact, Role::Wanted, node);
            }
        }
    }

    /// The order of the objects, where it is not their own.
    fn object_order(&self) -> Option<ObjectOrder> {
        let objects: Vec<_> = self.ids()?.objects().map(ObjectId::index).collect();
        let mut nodes = vec![0; objects.len()];
        for (node, &object) in (0..).zip(&objects) {
            nodes[object] = node;
        }
        Some(ObjectOrder { objects, nodes })
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
    fn clear(&mut self) {
        self.labels.clear();
        self.sources.clear();
        self.targets.clear();
        self.positions.clear();
    }

    fn add(&mut self, types: u32, fact: Fact<'_>, role: Role, node_of: impl Fn(ObjectId) -> u32) {
        let node = self.labels.len() as u32;
        self.labels
            .push(types + 4 * fact.predicate.number() + role as u32);
        for (position, object) in (0..).zip(fact.arguments) {
            self.sources.push(node);
            self.targets.push(node_of(*object));
            self.positions.push(position);
        }
    }
}
