//! Strata: an order of rule evaluation in which a relation is complete before a rule negates it.

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef;
use std::collections::VecDeque;

use crate::program::ids::{RelationId, RuleId};
use crate::program::{Atom, Program};

/// A partition of the rules into groups, the *strata*, to be evaluated in order: the facts of a relation are complete
/// before a rule negates it. [`of`](Self::of) computes it.
///
/// The stratum of a relation `p` is at least that of each relation that a rule for `p` reads, and greater than that of each
/// relation that such a rule negates. It is the least such number: the greatest number of negations on a path of
/// dependencies from `p`. A rule with heads belongs to the lowest stratum of its heads' relations. A rule without heads
/// belongs to the lowest stratum in which its body can be decided. (Apt, Blair, Walker: Towards a theory of declarative
/// knowledge, 1988.)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stratification {
    strata: Vec<Vec<RuleId>>,
    relations: Vec<u32>,
}

/// A cycle of dependencies between relations through a negation, so that no stratification exists.
/// [`Stratification::of`] returns it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("negation in a cycle:{text}")]
pub struct NegativeCycle {
    /// The relations of the cycle. Each depends on the next one by the rule at the same position in `rules`, and the last
    /// one on the first.
    pub relations: Vec<RelationId>,
    /// The rules of the cycle. The first one contains the negation. The error message lists the cycle.
    pub rules: Vec<RuleId>,
    text: String,
}

/// A dependency of a head's relation on a relation of the body.
#[derive(Clone, Copy)]
struct Dependency {
    rule: RuleId,
    negative: bool,
}

type Dependencies = DiGraph<RelationId, Dependency>;

impl Stratification {
    /// Returns the strata of the folded program. `rule` maps each rule of this program to its folded rule. The folded
    /// program has `relations` relations: those of this program, then static ones.
    pub(crate) fn folded(&self, rule: impl Fn(RuleId) -> RuleId, relations: usize) -> Self {
        let stratum = |rules: &Vec<RuleId>| {
            let mut folded: Vec<RuleId> = rules.iter().map(|id| rule(*id)).collect();
            folded.sort_unstable();
            folded.dedup();
            folded
        };
        let mut strata = self.relations.clone();
        strata.resize(relations, 0);
        Self {
            strata: self.strata.iter().map(stratum).collect(),
            relations: strata,
        }
    }

    /// Computes the stratification of a program, in time linear in its size. Safety is not checked; see
    /// [`Program::check`].
    ///
    /// # Errors
    /// A cycle through a negation, if there is one.
    ///
    /// # Panics
    /// If a rule has a relation that the program does not declare.
    pub fn of(program: &Program) -> Result<Self, NegativeCycle> {
        let graph = dependencies(program);
        let mut relations = vec![0; program.relations().len()];
        let mut component_of = vec![usize::MAX; program.relations().len()];
        // Each component comes after the components that it depends on. Kosaraju's algorithm is not recursive, so long
        // chains of relations cannot overflow the stack.
        for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
            component
                .iter()
                .for_each(|node| component_of[node.index()] = number);
            let within = |node: NodeIndex| component_of[node.index()] == number;
            let mut stratum = 0;
            for edge in component.iter().flat_map(|&node| graph.edges(node)) {
                if edge.weight().negative && within(edge.target()) {
                    let ends = (edge.source(), edge.target());
                    return Err(cycle(program, &graph, within, ends, *edge.weight()));
                }
                stratum = stratum.max(relations[edge.target().index()] + u32::from(edge.weight().negative));
            }
            component
                .iter()
                .for_each(|node| relations[node.index()] = stratum);
        }
        Ok(Self {
            strata: rules_by_stratum(program, &relations),
            relations,
        })
    }

    /// Returns the rules of each stratum, lowest stratum first, in order of declaration. There is at least one stratum;
    /// a stratum may be empty.
    pub fn strata(&self) -> &[Vec<RuleId>] {
        &self.strata
    }

    /// Returns the index in [`strata`](Self::strata) of the stratum after which all facts of a relation are known; 0
    /// for a relation that no rule derives.
    ///
    /// # Panics
    /// If the program has no relation with this id.
    pub fn stratum(&self, relation: RelationId) -> usize {
        self.relations[relation.index()] as usize
    }
}

/// A strongly connected component of relations.
pub(crate) struct Group {
    pub(crate) relations: Vec<RelationId>,
    /// Whether a relation of the group depends on itself.
    pub(crate) recursive: bool,
}

/// Returns the strongly connected components of relations, each after the components that it depends on.
pub(crate) fn components(program: &Program) -> Vec<Group> {
    let graph = dependencies(program);
    let group = |nodes: Vec<NodeIndex>| Group {
        recursive: nodes.len() > 1 || nodes.iter().any(|&node| graph.contains_edge(node, node)),
        relations: nodes.into_iter().map(|node| graph[node]).collect(),
    };
    kosaraju_scc(&graph).into_iter().map(group).collect()
}

fn dependencies(program: &Program) -> Dependencies {
    let mut graph = Dependencies::new();
    for relation in program.relation_ids() {
        graph.add_node(relation);
    }
    let node = |relation: RelationId| NodeIndex::new(relation.index());
    let open = |atom: &&Atom| !program.is_static(atom.relation);
    for (id, rule) in program.rule_ids().zip(program.rules()) {
        for head in &rule.heads {
            let positive = rule.positive().filter(open).map(|atom| (atom, false));
            let negative = rule.negative().filter(open).map(|atom| (atom, true));
            for (atom, negative) in positive.chain(negative) {
                graph.add_edge(
                    node(head.relation),
                    node(atom.relation),
                    Dependency { rule: id, negative },
                );
            }
        }
    }
    graph
}

fn rules_by_stratum(program: &Program, relations: &[u32]) -> Vec<Vec<RuleId>> {
    let mut strata = vec![Vec::new(); relations.iter().max().map_or(1, |top| *top as usize + 1)];
    for (id, rule) in program.rule_ids().zip(program.rules()) {
        let heads = rule
            .heads
            .iter()
            .map(|head| relations[head.relation.index()])
            .min();
        let stratum = heads.unwrap_or_else(|| {
            let positive = rule.positive().map(|atom| relations[atom.relation.index()]);
            let negative = rule.negative().filter(|atom| !program.is_static(atom.relation));
            let negative = negative.map(|atom| relations[atom.relation.index()] + 1);
            positive.chain(negative).max().unwrap_or(0)
        }) as usize;
        if stratum >= strata.len() {
            strata.resize(stratum + 1, Vec::new());
        }
        strata[stratum].push(id);
    }
    strata
}

/// Returns the cycle of the negative edge from `source` to `target` and the shortest path from `target` back to `source`.
fn cycle(
    program: &Program,
    graph: &Dependencies,
    within: impl Fn(NodeIndex) -> bool,
    (source, target): (NodeIndex, NodeIndex),
    negation: Dependency,
) -> NegativeCycle {
    let mut reached: Vec<Option<(NodeIndex, Dependency)>> = vec![None; graph.node_count()];
    let mut queue = VecDeque::from([source]);
    // The search runs backwards from the source; following `reached` from the target then leads to the source.
    while let Some(node) = queue.pop_front() {
        for edge in graph.edges_directed(node, petgraph::Incoming) {
            let from = edge.source();
            if within(from) && reached[from.index()].is_none() {
                reached[from.index()] = Some((node, *edge.weight()));
                queue.push_back(from);
            }
        }
    }
    let (mut relations, mut rules) = (vec![graph[source]], vec![negation.rule]);
    let mut text = step_text(program, graph[source], graph[target], negation);
    let mut at = target;
    while at != source {
        let Some((next, dependency)) = reached[at.index()] else {
            break;
        };
        relations.push(graph[at]);
        rules.push(dependency.rule);
        text += &step_text(program, graph[at], graph[next], dependency);
        at = next;
    }
    NegativeCycle {
        relations,
        rules,
        text,
    }
}

fn step_text(program: &Program, from: RelationId, to: RelationId, by: Dependency) -> String {
    let not = if by.negative { "not " } else { "" };
    let (from, to) = (program.relation_text(from), program.relation_text(to));
    format!(
        "\n  {from} depends on {not}{to} by {}",
        program.display_rule(by.rule)
    )
}
