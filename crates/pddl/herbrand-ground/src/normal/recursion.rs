//! The mutual dependencies of derived predicates.

use herbrand_pddl::{Domain, Formula};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

/// Returns, for each predicate, the number of its strongly connected component in the graph of axioms. Two predicates depend
/// on each other exactly if they are in the same component. The algorithm is not recursive, because chains of predicates can
/// be long.
pub(super) fn components(domain: &Domain) -> Vec<u32> {
    let mut graph = DiGraph::<(), ()>::new();
    let nodes: Vec<_> = domain.predicates.iter().map(|_| graph.add_node(())).collect();
    for axiom in &domain.axioms {
        axiom.body.walk(&mut |part, _| {
            if let Formula::Atom(atom) = part {
                graph.add_edge(nodes[axiom.predicate.index()], nodes[atom.predicate.index()], ());
            }
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
