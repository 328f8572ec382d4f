//! Which derived predicates depend on each other.

use herbrand_pddl::{Domain, Formula, PredicateId};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// For each predicate, the number of its strongly connected component in the graph of axioms: two predicates depend on
/// each other exactly if they share it. Found without recursion, as chains of predicates can be long.
pub(super) fn components(domain: &Domain) -> Vec<u32> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = domain.predicates.iter().map(|_| graph.add_node(())).collect();
    for axiom in &domain.axioms {
        for_each_predicate(&axiom.body, &mut |predicate| {
            graph.add_edge(nodes[axiom.predicate.index()], nodes[predicate.index()], ());
        });
    }
    let mut components = vec![0; nodes.len()];
    for (number, component) in (0..).zip(kosaraju_scc(&graph)) {
        component
            .iter()
            .for_each(|node| components[node.index()] = number);
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
