//! Weisfeiler–Leman features of graphs.

use fxhash::FxHashMap;

/// Graphs with labelled nodes and edges, one after the other in the same arrays.
#[derive(Clone, Copy, Debug)]
pub struct GraphList<'a> {
    /// The label of each node.
    pub labels: &'a [i64],
    /// For each edge, its label.
    pub edges: &'a [i64],
    /// For each edge, its two ends: positions in `labels`.
    pub links: &'a [[i64; 2]],
    /// For each graph, its first node.
    pub starts: &'a [i64],
}

/// A reason why arrays are no [`GraphList`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum GraphError {
    /// There is not one label for each edge.
    #[error("there are {0} labels of edges and {1} links")]
    Edges(usize, usize),
    /// An end of an edge is no node. Contains the end.
    #[error("an edge ends at node {0}, which does not exist")]
    Link(i64),
    /// The first nodes of the graphs do not begin with 0 and ascend, or exceed the number of nodes.
    #[error("the first nodes of the graphs do not begin with 0 and ascend up to the number of nodes")]
    Starts,
}

/// The colours of the Weisfeiler–Leman algorithm on graphs that were learned from, and the features by them: how often each occurs
/// in a graph (Shervashidze et al. 2011; for planning Chen, Trevizan and Thiébaux 2024, "Return to tradition: learning reliable
/// heuristics with classical machine learning").
///
/// In round 0 the colour of a node is its label. Each round gives a node a new colour for its colour before and the colours of its
/// neighbours, with the labels of the edges; edges count in both directions. A colour that was not learned is no feature, nor is one
/// that follows from it. With [`by_sets`](Self::by_sets), equal neighbours count once: colours of small graphs then recur in larger
/// ones, whose nodes have more neighbours.
///
/// ```
/// use herbrand_learn::{Colours, GraphList};
///
/// // A path of three nodes.
/// let path = GraphList { labels: &[0, 0, 0], edges: &[0, 0], links: &[[0, 1], [1, 2]], starts: &[0] };
/// let mut colours = Colours::new(1);
/// colours.learn(path)?;
/// let mut counts = vec![0; colours.len()];
/// colours.count(path, &mut counts)?;
/// // Three nodes with the label; then two ends, and one node with two neighbours.
/// assert_eq!(counts, [3, 2, 1]);
/// # Ok::<(), herbrand_learn::GraphError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Colours {
    pub(crate) rounds: usize,
    is_by_sets: bool,
    /// The number of each colour, by its key: the label of a node; or the colour before and the round, then the pairs of edge and
    /// colour of the neighbours in ascending order.
    numbers: FxHashMap<Vec<i64>, u32>,
}

/// The number of a colour that was not learned.
pub(crate) const UNKNOWN: u32 = u32::MAX;

impl Colours {
    /// Creates features of this many rounds, without any colour.
    #[must_use]
    pub fn new(rounds: usize) -> Self {
        Self {
            rounds,
            is_by_sets: false,
            numbers: FxHashMap::default(),
        }
    }

    /// Counts equal neighbours of a node once.
    #[must_use]
    pub fn by_sets(self) -> Self {
        Self {
            is_by_sets: true,
            ..self
        }
    }

    /// Returns the number of rounds, and whether equal neighbours count once.
    #[must_use]
    pub const fn kind(&self) -> (usize, bool) {
        (self.rounds, self.is_by_sets)
    }

    /// Returns the key of each colour, in the order of the features, for [`with_keys`](Self::with_keys).
    #[must_use]
    pub fn keys(&self) -> Vec<Vec<i64>> {
        let mut keys: Vec<_> = self.numbers.iter().map(|(key, &number)| (number, key)).collect();
        keys.sort_unstable();
        keys.into_iter().map(|(_, key)| key.clone()).collect()
    }

    /// Replaces the colours by those with these [`keys`](Self::keys); `None` if two are equal.
    #[must_use]
    pub fn with_keys(self, keys: Vec<Vec<i64>>) -> Option<Self> {
        let count = keys.len();
        let numbers: FxHashMap<_, _> = keys.into_iter().zip(0..).collect();
        (numbers.len() == count).then_some(Self { numbers, ..self })
    }

    /// Returns the number of the colour of a label; [`UNKNOWN`] if it was not learned.
    pub(crate) fn of_label(&self, label: i64) -> u32 {
        self.numbers.get(&[label][..]).copied().unwrap_or(UNKNOWN)
    }

    /// Returns the number of the colour after a round, from those before of a node and its neighbours; [`UNKNOWN`] if it was not
    /// learned.
    pub(crate) fn after(
        &self,
        round: usize,
        before: u32,
        around: impl Iterator<Item = (i64, u32)>,
        key: &mut ColourKey,
    ) -> u32 {
        let is_known = key.fill(round, before, around, self.is_by_sets);
        let number = self.numbers.get(&key.numbers).filter(|_| is_known);
        number.copied().unwrap_or(UNKNOWN)
    }

    /// Returns the number of features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether no graph was learned from.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Adds the colours of graphs. They get the next numbers.
    ///
    /// # Errors
    /// Fails if the arrays do not fit each other.
    pub fn learn(&mut self, graphs: GraphList<'_>) -> Result<(), GraphError> {
        let (rounds, is_by_sets) = (self.rounds, self.is_by_sets);
        let numbers = &mut self.numbers;
        refine(graphs, rounds, is_by_sets, |key| {
            let next = numbers.len() as u32;
            *numbers.entry(key.to_vec()).or_insert(next)
        })
        .map(drop)
    }

    /// Adds to `counts` how often each colour occurs in each graph: one row of [`len`](Self::len) numbers for each.
    ///
    /// # Errors
    /// Fails if the arrays do not fit each other.
    ///
    /// # Panics
    /// Panics if `counts` is shorter.
    pub fn count(&self, graphs: GraphList<'_>, counts: &mut [u32]) -> Result<(), GraphError> {
        let known = |key: &[i64]| self.numbers.get(key).copied().unwrap_or(UNKNOWN);
        let colours = refine(graphs, self.rounds, self.is_by_sets, known)?;
        let mut graph_of = Vec::with_capacity(graphs.labels.len());
        let ends = graphs.starts.iter().skip(1).map(|&end| end as usize);
        for (graph, end) in ends.chain([graphs.labels.len()]).enumerate() {
            graph_of.resize(end, graph);
        }
        for round in colours.chunks(graphs.labels.len().max(1)) {
            for (&colour, &graph) in round.iter().zip(&graph_of) {
                if colour != UNKNOWN {
                    counts[graph * self.len() + colour as usize] += 1;
                }
            }
        }
        Ok(())
    }
}

/// The key of a colour after a round, and memory for it.
#[derive(Default)]
pub(crate) struct ColourKey {
    numbers: Vec<i64>,
    around: Vec<(i64, u32)>,
}

impl ColourKey {
    /// Makes the key of a node; returns whether the colours before are known.
    fn fill(
        &mut self,
        round: usize,
        before: u32,
        around: impl Iterator<Item = (i64, u32)>,
        is_by_sets: bool,
    ) -> bool {
        self.around.clear();
        self.around.extend(around);
        if before == UNKNOWN || self.around.iter().any(|&(_, colour)| colour == UNKNOWN) {
            return false;
        }
        self.around.sort_unstable();
        if is_by_sets {
            self.around.dedup();
        }
        self.numbers.clear();
        self.numbers.extend([before.into(), round as i64]);
        let pairs = self
            .around
            .iter()
            .flat_map(|&(edge, colour)| [edge, colour.into()]);
        self.numbers.extend(pairs);
        true
    }
}

/// Returns the colours of all nodes in each round. `number` gives the number of a key.
fn refine(
    graphs: GraphList<'_>,
    rounds: usize,
    is_by_sets: bool,
    mut number: impl FnMut(&[i64]) -> u32,
) -> Result<Vec<u32>, GraphError> {
    let nodes = graphs.labels.len();
    let neighbours = Neighbours::of(graphs)?;
    // The key of a label has one number, and the keys of later colours have more.
    let mut colours: Vec<u32> = graphs.labels.iter().map(|&label| number(&[label])).collect();
    let mut key = ColourKey::default();
    for round in 0..rounds {
        for node in 0..nodes {
            let before = &colours[round * nodes..][..nodes];
            let around = neighbours.of_node(node).iter();
            let around = around.map(|&(edge, other)| (edge, before[other]));
            let is_known = key.fill(round, before[node], around, is_by_sets);
            colours.push(if is_known { number(&key.numbers) } else { UNKNOWN });
        }
    }
    Ok(colours)
}

/// The edges at each node.
struct Neighbours {
    /// For each node, the start of its edges; then the end.
    starts: Vec<usize>,
    /// For each edge of a node, its label and the other end.
    edges: Vec<(i64, usize)>,
}

impl Neighbours {
    fn of(graphs: GraphList<'_>) -> Result<Self, GraphError> {
        let nodes = graphs.labels.len();
        if graphs.edges.len() != graphs.links.len() {
            return Err(GraphError::Edges(graphs.edges.len(), graphs.links.len()));
        }
        let begins = graphs.starts.first().map_or(nodes == 0, |&first| first == 0);
        let last = graphs.starts.last().is_none_or(|&last| last <= nodes as i64);
        if !begins || !last || !graphs.starts.is_sorted() {
            return Err(GraphError::Starts);
        }
        let mut starts = vec![0; nodes + 1];
        for &end in graphs.links.iter().flatten() {
            let node = usize::try_from(end).ok().filter(|&node| node < nodes);
            starts[node.ok_or(GraphError::Link(end))? + 1] += 1;
        }
        for node in 0..nodes {
            starts[node + 1] += starts[node];
        }
        let mut free = starts.clone();
        let mut edges = vec![(0, 0); starts[nodes]];
        for (&label, &[one, other]) in graphs.edges.iter().zip(graphs.links) {
            for (node, neighbour) in [(one as usize, other as usize), (other as usize, one as usize)] {
                edges[free[node]] = (label, neighbour);
                free[node] += 1;
            }
        }
        Ok(Self { starts, edges })
    }

    fn of_node(&self, node: usize) -> &[(i64, usize)] {
        &self.edges[self.starts[node]..self.starts[node + 1]]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    /// The labels of the nodes, and the edges.
    type Graph = (Vec<i64>, Vec<(i64, usize, usize)>);

    /// The colours by their definition: a term for each node and round.
    fn terms(
        labels: &[i64],
        edges: &[(i64, usize, usize)],
        rounds: usize,
        is_by_sets: bool,
    ) -> Vec<Vec<String>> {
        let mut all = vec![labels.iter().map(i64::to_string).collect::<Vec<_>>()];
        for _ in 0..rounds {
            let before = all[all.len() - 1].clone();
            let term = |node: usize| {
                let mut around: Vec<String> = Vec::new();
                for &(label, one, other) in edges {
                    around.extend((one == node).then(|| format!("{label}:{}", before[other])));
                    around.extend((other == node).then(|| format!("{label}:{}", before[one])));
                }
                around.sort();
                if is_by_sets {
                    around.dedup();
                }
                format!("({} {})", before[node], around.join(" "))
            };
            all.push((0..labels.len()).map(term).collect());
        }
        all
    }

    prop_compose! {
        fn any_graph()(labels in prop::collection::vec(0_i64..3, 1..7))(
            edges in prop::collection::vec((0_i64..2, 0..labels.len(), 0..labels.len()), 0..9),
            labels in Just(labels),
        ) -> Graph {
            (labels, edges)
        }
    }

    proptest! {
        /// Features are how often each term of the learned graph occurs, up to the order of the features, for several graphs at
        /// once as for each alone.
        #[test]
        fn features_count_terms(
            learned in any_graph(),
            others in prop::collection::vec(any_graph(), 1..4),
            rounds in 0_usize..4,
            is_by_sets in any::<bool>(),
        ) {
            let list = |graphs: &[&Graph]| {
                let (mut labels, mut edges, mut links, mut starts) = (vec![], vec![], vec![], vec![]);
                for (own, ties) in graphs {
                    let first = labels.len();
                    labels.extend(own);
                    edges.extend(ties.iter().map(|tie| tie.0));
                    links.extend(ties.iter().map(|tie| [(first + tie.1) as i64, (first + tie.2) as i64]));
                    starts.push(first as i64);
                }
                (labels, edges, links, starts)
            };
            let count = |colours: &Colours, graphs: &[&Graph]| {
                let (labels, edges, links, starts) = list(graphs);
                let graphs = GraphList { labels: &labels, edges: &edges, links: &links, starts: &starts };
                let mut counts = vec![0; colours.len() * graphs.starts.len()];
                colours.count(graphs, &mut counts).map(|()| counts)
            };
            let mut colours = Colours::new(rounds);
            if is_by_sets {
                colours = colours.by_sets();
            }
            let (labels, edges, links, starts) = list(&[&learned]);
            colours.learn(GraphList { labels: &labels, edges: &edges, links: &links, starts: &starts }).unwrap();
            let known: Vec<Vec<String>> = terms(&learned.0, &learned.1, rounds, is_by_sets);
            let mut rows = Vec::new();
            for graph in &others {
                let own = terms(&graph.0, &graph.1, rounds, is_by_sets);
                let mut expected = Vec::new();
                for (round, terms) in own.iter().enumerate() {
                    let features: BTreeMap<&String, usize> = known[round].iter().map(|term| (term, 0)).collect();
                    expected.extend(features.keys().map(|key| terms.iter().filter(|term| term == key).count() as u32));
                }
                let found = count(&colours, &[graph]).unwrap();
                let (mut sorted, mut wanted) = (found.clone(), expected);
                sorted.sort_unstable();
                wanted.sort_unstable();
                prop_assert_eq!(sorted, wanted);
                rows.extend(found);
            }
            let all: Vec<_> = others.iter().collect();
            prop_assert_eq!(count(&colours, &all).unwrap(), rows);
        }
    }

    #[test]
    fn arrays_that_do_not_fit_are_errors() {
        let learn = |graphs| Colours::new(2).learn(graphs).unwrap_err().to_string();
        let graph = GraphList {
            labels: &[1, 2],
            edges: &[0],
            links: &[[0, 1]],
            starts: &[0],
        };
        let errors = [
            learn(GraphList { edges: &[], ..graph }),
            learn(GraphList {
                links: &[[0, 2]],
                ..graph
            }),
            learn(GraphList {
                links: &[[-1, 1]],
                ..graph
            }),
            learn(GraphList {
                starts: &[1],
                ..graph
            }),
            learn(GraphList {
                starts: &[0, 3],
                ..graph
            }),
            learn(GraphList {
                starts: &[0, 2, 1],
                ..graph
            }),
            learn(GraphList { starts: &[], ..graph }),
        ];
        assert_eq!(
            errors,
            [
                "there are 0 labels of edges and 1 links",
                "an edge ends at node 2, which does not exist",
                "an edge ends at node -1, which does not exist",
                "the first nodes of the graphs do not begin with 0 and ascend up to the number of nodes",
                "the first nodes of the graphs do not begin with 0 and ascend up to the number of nodes",
                "the first nodes of the graphs do not begin with 0 and ascend up to the number of nodes",
                "the first nodes of the graphs do not begin with 0 and ascend up to the number of nodes",
            ]
        );
    }
}
