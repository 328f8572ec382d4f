//! Stratification of derivation rules.
//!
//! A set of rules is stratified if no predicate depends on its own negation (Apt, Blair and Walker 1988; PDDL 2.2, Edelkamp
//! and Hoffmann 2004). Whether an occurrence is negative depends on its polarity, which `not` and the premise of `imply`
//! flip and quantifiers keep.

use herbrand_text::Place;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::diagnostic::{Code, Diagnostics};
use crate::model::{Axiom, Formula, Polarity, Predicate, PredicateKind};

/// An occurrence of a derived predicate in the body of a rule.
struct Occurrence {
    negative: bool,
    place: Place,
}

type Dependencies = DiGraph<(), Occurrence>;

/// Reports each dependency cycle that contains a negation.
pub(super) fn check_stratified(predicates: &[Predicate], axioms: &[Axiom], faults: &mut Diagnostics) {
    let mut graph = Dependencies::new();
    for _ in predicates {
        graph.add_node(());
    }
    for axiom in axioms {
        add_occurrences(axiom, predicates, &mut graph);
    }
    let components = kosaraju_scc(&graph);
    let mut component_of = vec![0; predicates.len()];
    for (number, component) in components.iter().enumerate() {
        for node in component {
            component_of[node.index()] = number;
        }
    }
    let mut reported = vec![false; components.len()];
    for edge in graph.edge_indices() {
        let Some((from, to)) = graph.edge_endpoints(edge) else {
            continue;
        };
        let component = component_of[from.index()];
        if graph[edge].negative && component == component_of[to.index()] && !reported[component] {
            reported[component] = true;
            let back = path(&graph, to, from, |node| component_of[node.index()] == component);
            report(&graph, edge, &back, predicates, faults);
        }
    }
}

fn add_occurrences(axiom: &Axiom, predicates: &[Predicate], graph: &mut Dependencies) {
    let head = NodeIndex::new(axiom.predicate.index());
    axiom.body.walk(&mut |part, polarity| {
        if let Formula::Atom(atom) = part
            && predicates[atom.predicate.index()].kind == PredicateKind::Derived
        {
            let occurrence = Occurrence {
                negative: polarity == Polarity::Negative,
                place: atom.place,
            };
            graph.add_edge(head, NodeIndex::new(atom.predicate.index()), occurrence);
        }
    });
}

/// Returns a shortest path as edges, over nodes that satisfy `inside`.
fn path(
    graph: &Dependencies,
    from: NodeIndex,
    to: NodeIndex,
    inside: impl Fn(NodeIndex) -> bool,
) -> Vec<petgraph::graph::EdgeIndex> {
    use petgraph::visit::EdgeRef;
    let mut reached_by = vec![None; graph.node_count()];
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        if node == to {
            break;
        }
        for edge in graph.edges(node) {
            let next = edge.target();
            if inside(next) && next != from && reached_by[next.index()].is_none() {
                reached_by[next.index()] = Some((node, edge.id()));
                queue.push_back(next);
            }
        }
    }
    let mut edges = Vec::new();
    let mut node = to;
    while node != from {
        let Some((previous, edge)) = reached_by[node.index()] else {
            break;
        };
        edges.push(edge);
        node = previous;
    }
    edges.reverse();
    edges
}

fn report(
    graph: &Dependencies,
    negative: petgraph::graph::EdgeIndex,
    back: &[petgraph::graph::EdgeIndex],
    predicates: &[Predicate],
    faults: &mut Diagnostics,
) {
    let name = |node: NodeIndex| predicates[node.index()].name.as_str();
    let Some((start, _)) = graph.edge_endpoints(negative) else {
        return;
    };
    let mut chain = format!("`{}`", name(start));
    for &edge in std::iter::once(&negative).chain(back) {
        let Some((_, to)) = graph.edge_endpoints(edge) else {
            continue;
        };
        let not = if graph[edge].negative { "not " } else { "" };
        chain.push_str(&format!(" ← {not}`{}`", name(to)));
    }
    faults.report(
        Code::NegativeCycle,
        format!("`{}` depends on its own negation", name(start)),
        |mut d| {
            for (step, &edge) in std::iter::once(&negative).chain(back).take(8).enumerate() {
                let Some((from, to)) = graph.edge_endpoints(edge) else {
                    continue;
                };
                let Some(span) = graph[edge].place.span() else {
                    continue;
                };
                let not = if graph[edge].negative {
                    "the negation of "
                } else {
                    ""
                };
                let text = format!("`{}` depends on {not}`{}`", name(from), name(to));
                d = if step == 0 {
                    d.primary(span, text)
                } else {
                    d.label(span, text)
                };
            }
            d.note(format!("the cycle is {chain}"))
                .help("a derived predicate must be fully computed before its negation is used")
        },
    );
}
