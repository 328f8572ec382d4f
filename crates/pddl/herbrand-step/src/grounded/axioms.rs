//! The axioms of a task, indexed for maintaining derived atoms from step to step.

use herbrand_ground::{ConditionId, GroundTask};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use crate::grounded::bits::Bits;
use crate::grounded::lists::Lists;
use crate::grounded::propositions::Propositions;
use crate::semantics::options::Derived;

/// The axioms of the maintained derived atoms: usually the atoms that preconditions, effects or the goal depend on.
///
/// Derived atoms are numbered from 0 here. They are grouped into *components*: the strongly connected components of the
/// dependency graph of the axioms, numbered so that each depends only on itself and on earlier components.
#[derive(Debug)]
pub(crate) struct Axioms {
    /// The number of fluent atoms.
    pub(crate) fluents: u32,
    /// The derived atoms that are maintained, by number: the atoms that an action or the goal depends on, or all.
    pub(crate) needed: Bits,
    /// The head of each rule, a derived atom.
    pub(crate) heads: Vec<u32>,
    /// The body of each rule.
    pub(crate) bodies: Lists<u32>,
    /// For each derived atom, the rules that derive it.
    pub(crate) rules: Lists<u32>,
    /// For each literal, the rules of later components with it in their body.
    pub(crate) outer: Lists<u32>,
    /// For each derived atom, the rules of its own component with it in their body.
    pub(crate) inner: Lists<u32>,
    /// The component of each derived atom.
    pub(crate) component: Vec<u32>,
    /// For each component, whether its atoms depend on themselves.
    pub(crate) recursive: Vec<bool>,
}

impl Axioms {
    /// Indexes the axioms of `task`.
    pub(crate) fn new(task: &GroundTask, propositions: &Propositions, kept: Derived) -> Self {
        let derived = task.atom_count() - task.fluent_count();
        let all: Vec<(u32, Vec<u32>)> = task
            .axioms
            .iter()
            .map(|axiom| {
                (
                    axiom.head.number() - task.fluents,
                    propositions.literals(task, axiom.body),
                )
            })
            .collect();
        let needed = match kept {
            Derived::Needed => needed(task, &all),
            Derived::All => Bits::full(derived),
        };
        let kept = all.into_iter().filter(|(head, _)| needed.get(*head as usize));
        let (heads, bodies): (Vec<u32>, Vec<Vec<u32>>) = kept.unzip();

        let as_derived = |literal: u32| {
            (literal / 2)
                .checked_sub(task.fluents)
                .filter(|&d| (d as usize) < derived)
        };
        let component = components(derived, &heads, &bodies, as_derived);
        let mut rules = vec![Vec::new(); derived];
        let mut inner = vec![Vec::new(); derived];
        let mut outer = vec![Vec::new(); propositions.len() * 2];
        let mut recursive = vec![false; derived];
        for (rule, (&head, body)) in (0..).zip(heads.iter().zip(&bodies)) {
            rules[head as usize].push(rule);
            for &literal in body {
                match as_derived(literal).filter(|&d| component[d as usize] == component[head as usize]) {
                    Some(own) => {
                        inner[own as usize].push(rule);
                        recursive[component[own as usize] as usize] = true;
                    }
                    None => outer[literal as usize].push(rule),
                }
            }
        }
        Self {
            fluents: task.fluents,
            needed,
            heads,
            bodies: bodies.into_iter().collect(),
            rules: rules.into_iter().collect(),
            outer: outer.into_iter().collect(),
            inner: inner.into_iter().collect(),
            component,
            recursive,
        }
    }

    /// Returns whether there are no axioms for maintained atoms.
    pub(crate) fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }
}

/// The derived atoms that a precondition, an effect condition or the goal depends on, directly or through axioms.
fn needed(task: &GroundTask, rules: &[(u32, Vec<u32>)]) -> Bits {
    let derived = task.atom_count() - task.fluent_count();
    let mut needed = Bits::new(derived);
    if derived == 0 {
        return needed;
    }
    let mut pending = Vec::new();
    let mut visit = |proposition: u32, pending: &mut Vec<u32>| {
        let atom = proposition
            .checked_sub(task.fluents)
            .filter(|&atom| (atom as usize) < derived);
        if let Some(atom) = atom.filter(|&atom| !needed.get(atom as usize)) {
            needed.insert(atom as usize);
            pending.push(atom);
        }
    };
    for condition in conditions(task) {
        for id in task.conditions.conjunctions(condition) {
            for literal in task.conditions.get(id).literals {
                visit(literal.atom().number(), &mut pending);
            }
        }
    }
    let by_head: Lists<u32> = {
        let mut lists = vec![Vec::new(); derived];
        (0..)
            .zip(rules)
            .for_each(|(rule, (head, _))| lists[*head as usize].push(rule));
        lists.into_iter().collect()
    };
    while let Some(atom) = pending.pop() {
        for &rule in by_head.get(atom as usize) {
            for &literal in &rules[rule as usize].1 {
                visit(literal / 2, &mut pending);
            }
        }
    }
    needed
}

/// The conditions of preconditions, conditional effects and the goal.
fn conditions(task: &GroundTask) -> impl Iterator<Item = ConditionId> + '_ {
    let preconditions = task.actions.ids().map(|id| task.actions.get(id).precondition);
    let blocks = (0..task.effects.len()).map(herbrand_ground::BlockId::from_index);
    let whens = blocks
        .flat_map(|block| task.effects.get(block).whens)
        .map(|&(condition, _)| condition);
    preconditions.chain(whens).chain([task.goal])
}

/// The component of each derived atom.
fn components(
    derived: usize,
    heads: &[u32],
    bodies: &[Vec<u32>],
    as_derived: impl Fn(u32) -> Option<u32>,
) -> Vec<u32> {
    let mut graph = DiGraph::<(), ()>::with_capacity(derived, bodies.len());
    (0..derived).for_each(|_| _ = graph.add_node(()));
    for (&head, body) in heads.iter().zip(bodies) {
        for &literal in body {
            if let Some(atom) = as_derived(literal) {
                graph.add_edge(head.into(), atom.into(), ());
            }
        }
    }
    let mut component = vec![0; derived];
    // `kosaraju_scc` returns components in reverse topological order: dependencies come first.
    for (number, nodes) in (0..).zip(kosaraju_scc(&graph)) {
        nodes.iter().for_each(|node| component[node.index()] = number);
    }
    component
}
