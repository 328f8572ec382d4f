//! Heuristics that are linear in Weisfeiler–Leman features.

use std::sync::Arc;

use fxhash::FxHashMap;
use herbrand_env::{AtomRole, AtomSpace, InstanceLearningGraph, ObservedAtoms, ObservedId};
use herbrand_ground::AtomId;
use herbrand_plan::{Heuristic, SearchTask, StateBatch};

use crate::colours::{ColourKey, Colours, GraphList, UNKNOWN};

/// Weights of the features of [`Colours`], for a [`LinearHeuristic`].
#[derive(Clone, Debug)]
pub struct Weights {
    colours: Colours,
    /// For each colour, its weight in units of [`UNIT`]. Whole numbers give the same sum in any order.
    weights: Vec<i64>,
    bias: i64,
}

/// The unit of weights.
const UNIT: f64 = 1.0 / (1 << 20) as f64;

impl Weights {
    /// Creates weights, one for each colour, and a number that is added to each estimate. They are rounded to multiples of
    /// 2^-20. `None` if there is another number of weights.
    #[must_use]
    pub fn new(colours: Colours, weights: &[f64], bias: f64) -> Option<Self> {
        let whole = |weight: f64| (weight / UNIT).round() as i64;
        (weights.len() == colours.len()).then(|| Self {
            colours,
            weights: weights.iter().copied().map(whole).collect(),
            bias: whole(bias),
        })
    }

    fn of(&self, colour: u32) -> i128 {
        self.weights.get(colour as usize).copied().unwrap_or(0).into()
    }

    /// Returns the estimate for a sum of weights.
    fn estimate(&self, sum: i128) -> f64 {
        (sum + i128::from(self.bias)).max(0) as f64 * UNIT
    }

    /// Returns the estimate of a graph, by all of its colours.
    fn of_graph(&self, graph: &InstanceLearningGraph) -> f64 {
        let labels: Vec<i64> = graph.labels.iter().map(|&label| label.into()).collect();
        let edges: Vec<i64> = graph.positions.iter().map(|&position| position.into()).collect();
        let ends = graph.sources.iter().zip(&graph.targets);
        let links: Vec<[i64; 2]> = ends
            .map(|(&atom, &object)| [atom.into(), object.into()])
            .collect();
        let list = GraphList {
            labels: &labels,
            edges: &edges,
            links: &links,
            starts: &[0],
        };
        let mut counts = vec![0_u32; self.colours.len()];
        // The arrays of a graph fit each other.
        let _ = self.colours.count(list, &mut counts);
        let counts = (0..).zip(counts);
        self.estimate(
            counts
                .map(|(colour, count)| i128::from(count) * self.of(colour))
                .sum(),
        )
    }
}

/// A heuristic that adds up the [`Weights`] of the colours of a state's [graph](InstanceLearningGraph); 0 if the sum is negative.
///
/// From state to state, it gives new colours only to the nodes near the atoms that changed. In a task with numeric fluents or
/// derived atoms, it gives new ones to all nodes.
pub struct LinearHeuristic<'t> {
    task: &'t SearchTask,
    weights: Arc<Weights>,
    atoms: AtomSpace,
    /// For each atom of the goal, whether it must be false.
    goal: FxHashMap<ObservedId, bool>,
    /// Whether the task has neither numeric fluents nor derived atoms.
    is_incremental: bool,
    /// The atoms of the coloured state as bits.
    noted: Vec<u64>,
    nodes: Nodes,
}

/// The coloured graph of a state.
#[derive(Default)]
struct Nodes {
    /// For each node its label; [`GONE`] if its atom is not in the graph. Objects come first.
    labels: Vec<i64>,
    /// For each node, the positions and the other ends of its edges. Those of objects lead only to atoms in the graph.
    edges: Vec<Vec<(i64, u32)>>,
    of_atom: FxHashMap<ObservedId, u32>,
    /// For each round, the colour of each node.
    colours: Vec<Vec<u32>>,
    sum: i128,
    /// The nodes with another label or other edges since they were coloured.
    changed: Vec<u32>,
    /// For each node, the number of the last pass over nodes that met it.
    met: Vec<u64>,
    pass: u64,
    key: ColourKey,
}

const GONE: i64 = -1;

impl<'t> LinearHeuristic<'t> {
    /// Creates a heuristic for a task.
    #[must_use]
    pub fn new(task: &'t SearchTask, weights: Arc<Weights>) -> Self {
        let atoms = AtomSpace::new(task.simulator().clone());
        let ground = task.simulator().task();
        let first = ground.conditions.conjunctions(ground.goal).next();
        let literals = first.map_or(&[][..], |id| ground.conditions.get(id).literals);
        let goal = literals.iter().filter_map(|literal| {
            let id = atoms.number(literal.atom())?;
            Some((id, literal.is_negative()))
        });
        Self {
            goal: goal.collect(),
            is_incremental: ground.state_numerics == 0 && ground.atom_count() == ground.fluent_count(),
            task,
            weights,
            atoms,
            noted: Vec::new(),
            nodes: Nodes::default(),
        }
    }

    /// Makes the graph of a state in which no atom holds that can change.
    fn begin(&mut self) {
        let simulator = self.task.simulator();
        for object in &simulator.task().vocabulary.objects {
            let label = object.types.types().first().map_or(0, |id| id.number());
            let node = self.nodes.add(self.weights.colours.rounds, label.into());
            self.nodes.changed.push(node);
        }
        let wanted: Vec<_> = self.goal.keys().copied().collect();
        for id in wanted {
            self.note(id, false);
        }
        let fixed: Vec<_> = self.atoms.fixed().collect();
        for id in fixed {
            self.note(id, true);
        }
        self.noted.resize(simulator.task().fluent_count().div_ceil(64), 0);
    }

    /// Notes the atoms that differ from those of the coloured state.
    fn go_to(&mut self, words: &[u64]) {
        let mut noted = std::mem::take(&mut self.noted);
        for (index, (noted, &word)) in noted.iter_mut().zip(words).enumerate() {
            let mut changed = std::mem::replace(noted, word) ^ word;
            while changed != 0 {
                let bit = changed.trailing_zeros();
                changed &= changed - 1;
                let atom = AtomId::from_index(index * 64 + bit as usize);
                if let Some(id) = self.atoms.number(atom) {
                    self.note(id, word >> bit & 1 == 1);
                }
            }
        }
        self.noted = noted;
    }

    /// Notes whether an atom holds.
    fn note(&mut self, id: ObservedId, holds: bool) {
        let role = match (holds, self.goal.get(&id)) {
            (true, None) => Some(AtomRole::Holds),
            (true, Some(false)) => Some(AtomRole::Achieved),
            (true, Some(true)) => Some(AtomRole::Forbidden),
            (false, Some(false)) => Some(AtomRole::Wanted),
            (false, _) => None,
        };
        let Some(fact) = self.atoms.get(id) else { return };
        let types = self.task.simulator().task().vocabulary.types.len() as u32;
        let label = role.map_or(GONE, |role| {
            (types + 4 * fact.predicate.number() + role as u32).into()
        });
        let nodes = &mut self.nodes;
        let node = *nodes.of_atom.entry(id).or_insert(nodes.labels.len() as u32);
        if node as usize == nodes.labels.len() {
            nodes.add(self.weights.colours.rounds, GONE);
            let ends = (0..).zip(fact.arguments.iter().map(|object| object.number()));
            nodes.edges[node as usize] = ends.collect();
        }
        nodes.relabel(node, label);
    }
}

impl Nodes {
    /// Adds a node without colours.
    fn add(&mut self, rounds: usize, label: i64) -> u32 {
        self.labels.push(label);
        self.edges.push(Vec::new());
        self.met.push(0);
        self.colours.resize(rounds + 1, Vec::new());
        self.colours.iter_mut().for_each(|round| round.push(UNKNOWN));
        self.labels.len() as u32 - 1
    }

    /// Gives the node of an atom another label, and adds or removes the edges of its objects.
    fn relabel(&mut self, node: u32, label: i64) {
        let before = std::mem::replace(&mut self.labels[node as usize], label);
        if before == label {
            return;
        }
        self.changed.push(node);
        if (before == GONE) == (label == GONE) {
            return;
        }
        let ends = std::mem::take(&mut self.edges[node as usize]);
        for &(position, object) in &ends {
            let own = &mut self.edges[object as usize];
            if label != GONE {
                own.push((position, node));
            } else if let Some(place) = own.iter().position(|&edge| edge == (position, node)) {
                own.swap_remove(place);
            }
            self.changed.push(object);
        }
        self.edges[node as usize] = ends;
    }

    /// Colours the changed nodes, and those to which the change spreads from round to round.
    fn colour(&mut self, weights: &Weights) {
        let changed = std::mem::take(&mut self.changed);
        let mut recoloured: Vec<u32> = Vec::new();
        for round in 0..=weights.colours.rounds {
            let spread = std::mem::take(&mut recoloured);
            self.pass += 1;
            let near = spread.iter().flat_map(|&node| &self.edges[node as usize]);
            let near: Vec<u32> = near.map(|&(_, other)| other).collect();
            for &node in changed.iter().chain(&spread).chain(&near) {
                if std::mem::replace(&mut self.met[node as usize], self.pass) == self.pass {
                    continue;
                }
                let colour = self.colour_of(node as usize, round, weights);
                let before = std::mem::replace(&mut self.colours[round][node as usize], colour);
                if before != colour {
                    self.sum += weights.of(colour) - weights.of(before);
                    recoloured.push(node);
                }
            }
        }
    }

    fn colour_of(&mut self, node: usize, round: usize, weights: &Weights) -> u32 {
        let label = self.labels[node];
        if label == GONE {
            return UNKNOWN;
        }
        let Some(last) = round.checked_sub(1) else {
            return weights.colours.of_label(label);
        };
        let before = &self.colours[last];
        let around = self.edges[node].iter();
        let around = around.map(|&(position, other)| (position, before[other as usize]));
        weights.colours.after(last, before[node], around, &mut self.key)
    }
}

impl Heuristic for LinearHeuristic<'_> {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        let weights = Arc::clone(&self.weights);
        for place in batch.places() {
            if !self.is_incremental {
                let mut graph = InstanceLearningGraph::default();
                let walker = batch.walker(place);
                self.atoms.graph(walker, ObservedAtoms::All, &mut graph);
                estimates.push(weights.of_graph(&graph));
                continue;
            }
            if self.nodes.labels.is_empty() {
                self.begin();
            }
            self.go_to(batch.words(place));
            self.nodes.colour(&weights);
            estimates.push(weights.estimate(self.nodes.sum));
        }
    }

    fn bytes(&self) -> usize {
        let nodes = &self.nodes;
        let of_node = 64 + (nodes.colours.len() + 8) * size_of::<u32>();
        nodes.labels.len() * of_node + self.noted.len() * size_of::<u64>()
    }
}
