//! Undirected graphs: streets, roads, corridors.

use super::{Dice, explore, shortest};

/// An undirected graph. Its nodes are numbered from 0.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    neighbours: Vec<Vec<usize>>,
}

impl Graph {
    /// Creates a graph with this number of nodes and no edges.
    pub fn new(nodes: usize) -> Self {
        Self {
            neighbours: vec![Vec::new(); nodes],
        }
    }

    /// Creates a graph with an edge between any two nodes.
    pub fn complete(nodes: usize) -> Self {
        let mut graph = Self::new(nodes);
        for node in 0..nodes {
            (0..node).for_each(|other| graph.join(other, node));
        }
        graph
    }

    /// Draws a connected graph: a random tree over `nodes` nodes, and up to `extra` further random edges.
    pub fn connected(nodes: usize, extra: usize, dice: &mut Dice) -> Self {
        let order = dice.permutation(nodes);
        let mut graph = Self::new(nodes);
        for position in 1..nodes {
            graph.join(order[dice.below(position)], order[position]);
        }
        graph.add(extra, dice);
        graph
    }

    /// Adds `count` randomly drawn edges. An edge that exists already is not added twice. There may therefore be fewer than
    /// `count` new ones.
    pub fn add(&mut self, count: usize, dice: &mut Dice) {
        if self.len() >= 2 {
            for _ in 0..count {
                let node = dice.below(self.len());
                let other = dice.other(self.len(), node);
                self.join(node, other);
            }
        }
    }

    /// Adds an edge between two nodes. Does nothing if the nodes are equal or have an edge already. Panics if one of
    /// them does not exist.
    pub fn join(&mut self, one: usize, other: usize) {
        if one != other && !self.neighbours[one].contains(&other) {
            self.neighbours[one].push(other);
            self.neighbours[other].push(one);
        }
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Returns the edges in ascending order, the lesser node first.
    pub fn edges(&self) -> Vec<(usize, usize)> {
        let of = |node: usize| self.neighbours[node].iter().map(move |&other| (node, other));
        let mut edges: Vec<_> = (0..self.len()).flat_map(of).filter(|(a, b)| a < b).collect();
        edges.sort_unstable();
        edges
    }

    /// Returns the atoms of each edge in PDDL: `predicate` with the names of its nodes, in both directions.
    pub fn facts(&self, predicate: &str, names: &[String]) -> Vec<[String; 2]> {
        let both = |(a, b): (usize, usize)| {
            let (a, b) = (&names[a], &names[b]);
            [format!("{predicate} {a} {b}"), format!("{predicate} {b} {a}")]
        };
        self.edges().into_iter().map(both).collect()
    }

    /// Returns the nodes that can be reached from `node`, starting with `node`.
    pub fn area(&self, node: usize) -> Vec<usize> {
        self.area_through(node, |_| true)
    }

    /// Returns the nodes that can be reached from `node` by entering only nodes for which `open` is true. The first one
    /// is `node` itself, whether open or not. Panics if there is no such node.
    pub fn area_through(&self, node: usize, open: impl Fn(usize) -> bool) -> Vec<usize> {
        let moves = |&node: &usize| {
            let next = self.neighbours[node].iter().filter(|&&next| open(next));
            next.map(|&next| ((), next)).collect::<Vec<_>>()
        };
        explore(node, usize::MAX, |_| false, moves).0.states
    }

    /// Returns the edges of a shortest path between two nodes; empty if there is no path.
    pub fn route(&self, from: usize, to: usize) -> Vec<(usize, usize)> {
        self.route_through(from, to, |_| true).unwrap_or_default()
    }

    /// Returns the edges of a shortest path through nodes for which `open` is true; `None` if there is no path.
    pub fn route_through(
        &self,
        from: usize,
        to: usize,
        open: impl Fn(usize) -> bool,
    ) -> Option<Vec<(usize, usize)>> {
        let moves = |&node: &usize| {
            let next = self.neighbours[node].iter().filter(|&&next| open(next));
            next.map(|&next| ((node, next), next)).collect::<Vec<_>>()
        };
        shortest(from, usize::MAX, |&node| node == to, moves).map(|(way, _)| way)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawn_graphs_are_connected() {
        let mut dice = Dice::new(5, 0, 0, 0);
        for nodes in 1..30 {
            let graph = Graph::connected(nodes, 3, &mut dice);
            for node in 0..nodes {
                assert_eq!(graph.route(0, node).is_empty(), node == 0);
            }
        }
    }

    #[test]
    fn routes_are_shortest_and_keep_to_open_nodes() {
        let mut ring = Graph::new(6);
        (0..6).for_each(|node| ring.join(node, (node + 1) % 6));
        assert_eq!(ring.route(0, 4), [(0, 5), (5, 4)]);
        let around = ring.route_through(0, 4, |node| node != 5).expect("a way round");
        assert_eq!(around.len(), 4);
        assert!(ring.route_through(0, 4, |node| node != 5 && node != 1).is_none());
    }
}
