//! Derived atoms and their negations in the relaxation.

use herbrand_ground::{AtomId, GroundAxiom, GroundComparison, GroundTask};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::build::Builder;
use super::conditions::NeededFacts;
use super::{NONE, TRUE};

/// The axioms, indexed by head, and the dependencies between derived atoms.
pub(super) struct Axioms {
    /// All axioms, sorted by head.
    by_head: Vec<GroundAxiom>,
    /// For each derived atom, the number of its strongly connected component in the dependency graph.
    component: Vec<u32>,
    fluents: u32,
}

impl Axioms {
    pub(super) fn of(task: &GroundTask) -> Self {
        let mut by_head = task.axioms.clone();
        by_head.sort_by_key(|axiom| axiom.head);
        let derived = task.atom_count() - task.fluent_count();
        let mut graph = DiGraph::<(), (), u32>::with_capacity(derived, by_head.len());
        let nodes: Vec<NodeIndex> = (0..derived).map(|_| graph.add_node(())).collect();
        let node = |atom: AtomId| nodes.get(atom.index().wrapping_sub(task.fluent_count())).copied();
        for axiom in &by_head {
            for literal in task.conditions.get(axiom.body).literals {
                if let (Some(head), Some(body)) = (node(axiom.head), node(literal.atom())) {
                    graph.update_edge(head, body, ());
                }
            }
        }
        let mut component = vec![0; derived];
        for (number, atoms) in (0..).zip(kosaraju_scc(&graph)) {
            for atom in atoms {
                component[atom.index()] = number;
            }
        }
        Self {
            by_head,
            component,
            fluents: task.fluents,
        }
    }

    fn of_head(&self, head: AtomId) -> &[GroundAxiom] {
        let start = self.by_head.partition_point(|axiom| axiom.head < head);
        let end = self.by_head.partition_point(|axiom| axiom.head <= head);
        &self.by_head[start..end]
    }

    fn depend_on_each_other(&self, one: AtomId, other: AtomId) -> bool {
        let component = |atom: AtomId| {
            let derived = atom.number().checked_sub(self.fluents)?;
            self.component.get(derived as usize)
        };
        component(one).is_some_and(|number| component(other) == Some(number))
    }
}

impl Builder<'_> {
    /// Adds the operators of all derived literals that conditions need, directly or through axioms.
    pub(super) fn derive(&mut self) {
        while let Some((literal, fact)) = self.facts.open.pop() {
            if literal.is_negative() {
                self.refute(literal.atom(), fact);
            } else {
                self.support(literal.atom(), fact);
            }
        }
    }

    /// Adds one operator per axiom of an atom.
    fn support(&mut self, atom: AtomId, fact: u32) {
        let axioms = self.axioms.of_head(atom).to_vec();
        for axiom in axioms {
            if let NeededFacts::Facts(needed) = self.conjunction(axiom.body) {
                self.operator(NONE, &needed, &[fact]);
            }
        }
    }

    /// Adds an operator for the negation of an atom: the body of each of its axioms must be false.
    fn refute(&mut self, atom: AtomId, fact: u32) {
        let axioms = self.axioms.of_head(atom).to_vec();
        let mut needed = Vec::with_capacity(axioms.len());
        for axiom in axioms {
            match self.blocked(atom, axiom) {
                NeededFacts::Facts(blocked) => needed.extend(blocked),
                NeededFacts::Nothing => return,
            }
        }
        needed.sort_unstable();
        needed.dedup();
        self.operator(NONE, &needed, &[fact]);
    }

    /// Returns the facts needed to make the body of an axiom of `head` false: one false literal or comparison.
    fn blocked(&mut self, head: AtomId, axiom: GroundAxiom) -> NeededFacts {
        let body = self.input.task.conditions.get(axiom.body);
        let (literals, comparisons) = (body.literals.to_vec(), body.comparisons.to_vec());
        let mut ways = Vec::with_capacity(literals.len() + comparisons.len());
        for literal in literals {
            if self.axioms.depend_on_each_other(head, literal.atom()) {
                return NeededFacts::Facts(Vec::new());
            }
            ways.extend(self.literal(literal.negated()));
        }
        for comparison in comparisons {
            let negated = !comparison.negated;
            ways.push(self.comparison(GroundComparison {
                negated,
                ..comparison
            }));
        }
        if ways.contains(&TRUE) {
            return NeededFacts::Facts(Vec::new());
        }
        match ways.as_slice() {
            [] => NeededFacts::Nothing,
            [only] => NeededFacts::Facts(vec![*only]),
            _ => {
                let blocked = self.facts.auxiliary();
                for way in ways {
                    self.operator(NONE, &[way], &[blocked]);
                }
                NeededFacts::Facts(vec![blocked])
            }
        }
    }
}
