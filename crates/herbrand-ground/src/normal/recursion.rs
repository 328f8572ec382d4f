//! Which derived predicates depend on each other.

use herbrand_pddl::{Domain, Formula, PredicateId};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// For each predicate, those that it depends on and that depend on it: itself, and with it all others of its strongly
/// connected component in the graph of axioms (Tarjan 1972).
pub(super) fn components(domain: &Domain) -> Vec<Vec<PredicateId>> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = domain.predicates.iter().map(|_| graph.add_node(())).collect();
    for axiom in &domain.axioms {
        for_each_predicate(&axiom.body, &mut |predicate| {
            graph.update_edge(nodes[axiom.predicate.index()], nodes[predicate.index()], ());
        });
    }
    let mut components = vec![Vec::new(); nodes.len()];
    for component in tarjan_scc(&graph) {
        let ids = |node: &NodeIndex| PredicateId::from_index(node.index());
        let mut predicates: Vec<_> = component.iter().map(ids).collect();
        predicates.sort_unstable();
        for node in component {
            components[node.index()].clone_from(&predicates);
        }
    }
    components
}

fn for_each_predicate(formula: &Formula, see: &mut dyn FnMut(PredicateId)) {
    match formula {
        Formula::Atom(atom) => see(atom.predicate),
        Formula::Equal(..) | Formula::Compare(..) => {}
        Formula::Not(inner) | Formula::Forall(_, inner) | Formula::Exists(_, inner) => {
            for_each_predicate(inner, see);
        }
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| for_each_predicate(part, see));
        }
        Formula::Imply(premise, conclusion) => {
            for_each_predicate(premise, see);
            for_each_predicate(conclusion, see);
        }
    }
}
