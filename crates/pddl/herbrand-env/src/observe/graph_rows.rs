//! Graphs as padded rows of numbers, so that graphs of many states can be stacked.

use herbrand_core::{Memory, ObservationField, ObservationLayout, Observer};

use crate::atoms::{GraphSizes, InstanceLearningGraph};
use crate::error::EnvError;
use crate::observed::ObservedAtoms;
use crate::planning::{Grounded, Lifted, Planning};
use crate::suite::{LiftedSuite, Suite};

/// An observer that writes a [`InstanceLearningGraph`] as a row of numbers. The row fits the largest possible graph of any
/// problem; padding is −1. The numbers are `i64`, and labels, positions, values and indices are those of the graph. If
/// the states of the domain have no numeric fluents, the part `values` is missing.
/// [`Env::observed`](herbrand_core::Env::observed) takes it. A buffer that is too short gets the front of the row.
///
/// ```text
///   nodes        [ label of node 0, 1, … | -1 -1 ]               nodes
///   values       [ value of node 0, 1, … | 0 0 ]                 nodes, as the bits of f64
///   edges        [ position of edge 0, 1, … | -1 -1 ]            edges
///   edge_links   [ atom, object of edge 0, … | -1 -1 -1 -1 ]     edges × 2
///   node_count, edge_count                                       how many are not padding
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GraphRows {
    part: ObservedAtoms,
    /// The maximum numbers of nodes and edges.
    nodes: usize,
    edges: usize,
    sizes: GraphSizes,
}

impl GraphRows {
    /// Creates an observer for the problems of `suite`. Compiles all of them. Use it for this suite only, or for a
    /// selection of it. `part` selects the atoms that get nodes: all observable ones, or only the changeable ones.
    ///
    /// # Errors
    /// Fails if a problem is faulty or too large to be grounded; then use [`of_lifted`](Self::of_lifted).
    pub fn of(suite: &Suite, part: ObservedAtoms) -> Result<Self, EnvError> {
        let sizes = (0..suite.len()).map(|index| Ok(suite.instance(index)?.atoms().graph_bounds(part)));
        Self::within(suite, part, sizes)
    }

    /// Like [`of`](Self::of), for problems that are stepped without grounding. Rows have room for every type-correct
    /// atom, so they are longer.
    ///
    /// # Errors
    /// Fails if a problem is faulty, exceeds the limits of the lifted engine, or has too many type-correct atoms to be
    /// numbered.
    pub fn of_lifted(suite: &LiftedSuite, part: ObservedAtoms) -> Result<Self, EnvError> {
        let functions = suite.suite().state_functions()?;
        let sizes = (0..suite.suite().len()).map(|index| {
            let planning = suite.planning(index, true)?;
            Ok(planning.walk().atoms().graph_bounds(part, &functions)?)
        });
        Self::within(suite.suite(), part, sizes)
    }

    fn within(
        suite: &Suite,
        part: ObservedAtoms,
        mut sizes: impl Iterator<Item = Result<(usize, usize), EnvError>>,
    ) -> Result<Self, EnvError> {
        let largest = |(nodes, edges): (usize, usize), found: Result<(usize, usize), EnvError>| {
            let (more, ties) = found?;
            Ok::<_, EnvError>((nodes.max(more), edges.max(ties)))
        };
        let (nodes, edges) = sizes.try_fold((0, 0), largest)?;
        let sizes = GraphSizes::of(suite)?;
        Ok(Self {
            part,
            nodes,
            edges,
            sizes,
        })
    }

    fn fields(&self) -> ObservationLayout {
        let field = |name: &str, shape: Vec<usize>, low: i32, above: usize| ObservationField {
            name: name.to_owned(),
            shape,
            low: f64::from(low),
            high: above as f64 - 1.0,
        };
        let values = (self.sizes.functions > 0).then(|| ObservationField {
            name: "values".to_owned(),
            shape: vec![self.nodes],
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        });
        let mut fields = vec![field("nodes", vec![self.nodes], -1, self.sizes.labels())];
        fields.extend(values);
        fields.extend([
            field("edges", vec![self.edges], -1, self.sizes.arity.max(1)),
            field("edge_links", vec![self.edges, 2], -1, self.nodes.max(1)),
            field("node_count", vec![1], 0, self.nodes + 1),
            field("edge_count", vec![1], 0, self.edges + 1),
        ]);
        ObservationLayout::new(fields)
    }

    /// Writes a graph to the front of `into` and returns the number of elements written.
    fn write_graph(&self, graph: &InstanceLearningGraph, into: &mut [i64]) -> usize {
        let numbers = |list: &[u32]| list.iter().map(|&number| i64::from(number)).collect::<Vec<_>>();
        let ends = graph.sources.iter().zip(&graph.targets);
        let links = ends.flat_map(|(&atom, &object)| [i64::from(atom), i64::from(object)]);
        let values = graph.values.iter().map(|value| value.to_bits() as i64);
        let parts = [
            (numbers(&graph.labels), self.nodes, -1),
            (
                values.collect(),
                if self.sizes.functions > 0 { self.nodes } else { 0 },
                0,
            ),
            (numbers(&graph.positions), self.edges, -1),
            (links.collect(), 2 * self.edges, -1),
            (vec![graph.labels.len() as i64], 1, -1),
            (vec![graph.positions.len() as i64], 1, -1),
        ];
        let row = parts.iter().flat_map(|(part, width, padding)| {
            let padding = std::iter::repeat(*padding);
            part.iter().copied().chain(padding).take(*width)
        });
        into.iter_mut()
            .zip(row)
            .map(|(cell, number)| *cell = number)
            .count()
    }
}

impl GraphSizes {
    /// Returns the sizes of a suite.
    ///
    /// # Errors
    /// Fails if a problem is faulty.
    pub fn of(suite: &Suite) -> Result<Self, EnvError> {
        let domain = suite.stepped_domain();
        let numeric = suite.state_functions()?;
        let functions = if numeric.is_empty() {
            0
        } else {
            domain.functions.len()
        };
        let arities = domain.predicates.iter().map(|one| one.parameters.len());
        let of_functions = numeric.iter().map(|&id| domain.function(id).parameters.len());
        Ok(Self {
            types: domain.types.len(),
            predicates: domain.predicates.len(),
            functions,
            arity: arities.chain(of_functions).max().unwrap_or(0),
        })
    }
}

impl Observer<Suite> for GraphRows {
    type Element = i64;

    fn layout(&self, _suite: &Suite) -> Result<ObservationLayout, EnvError> {
        Ok(self.fields())
    }

    fn write(&self, planning: &Planning<Grounded>, _memory: &Memory, into: &mut [i64]) -> usize {
        let mut graph = InstanceLearningGraph::default();
        let atoms = planning.instance().atoms();
        atoms.graph(planning.walker(), self.part, &mut graph);
        self.write_graph(&graph, into)
    }
}

impl Observer<LiftedSuite> for GraphRows {
    type Element = i64;

    fn layout(&self, _suite: &LiftedSuite) -> Result<ObservationLayout, EnvError> {
        Ok(self.fields())
    }

    fn write(&self, planning: &Planning<Lifted>, _memory: &Memory, into: &mut [i64]) -> usize {
        let mut graph = InstanceLearningGraph::default();
        let atoms = planning.walk().atoms();
        atoms.graph(planning.walker(), self.part, &mut graph);
        self.write_graph(&graph, into)
    }
}
