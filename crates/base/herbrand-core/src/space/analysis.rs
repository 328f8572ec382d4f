//! Distances, dead ends and strongly connected components of a state space.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::iter::Copied;
use std::slice;

use fixedbitset::FixedBitSet;
use herbrand_limits::{Budget, BudgetExhausted};
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::visit::{
    GraphBase, GraphRef, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, Visitable,
};

use super::StateGraph;

/// Distances, dead ends and components of a state space. [`StateGraph::analyse`] computes them.
///
/// Distances count every outcome as a step that can be chosen, so with chance they are the least that luck allows. In a
/// part of a space they are those within the part.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SpaceAnalysis {
    /// For each state, the least number of steps from a start state; [`UNREACHED`](Self::UNREACHED) if there is no way.
    pub start_steps: Vec<u32>,
    /// For each state, the least number of steps to a goal state; [`UNREACHED`](Self::UNREACHED) if there is no way.
    pub goal_steps: Vec<u32>,
    /// For each state, the least cost to a goal state, or infinity. Empty if some cost is negative or no number.
    pub goal_costs: Vec<f64>,
    /// For each state, whether no goal state can be reached. A state from which an unexpanded state can be reached is no
    /// dead end here, because the goal may hold beyond it.
    pub dead_ends: Vec<bool>,
    /// For each state, the number of its strongly connected component, from 0. A step never leads to a component with a
    /// greater number.
    pub components: Vec<u32>,
    /// The number of states of each component, by its number.
    pub component_sizes: Vec<u32>,
}

/// The states and outcomes at one distance. [`SpaceAnalysis::by_distance`] returns the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DistanceRow {
    /// The number of states at this distance from the start.
    pub from_start: usize,
    /// The number of states at this distance from the goal.
    pub to_goal: usize,
    /// Of the outcomes of the states at this distance from the goal, the number that lead nearer to it.
    pub nearer: usize,
    /// Of the same outcomes, the number that lead to a state at the same distance from the goal: moves on a plateau.
    pub level: usize,
    /// Of the same outcomes, the number that lead farther away from the goal, or to a state from which it cannot be
    /// reached.
    pub farther: usize,
}

impl StateGraph {
    /// Computes distances, dead ends and components. Takes time and memory linear in the number of outcomes, and for
    /// costs other than 1 a logarithmic factor more.
    ///
    /// # Errors
    /// Fails if the budget is exhausted.
    pub fn analyse(&self, budget: &Budget) -> Result<SpaceAnalysis, BudgetExhausted> {
        const PASS: &str = "analysing the state space";
        let state = 4 * size_of::<u32>() + size_of::<f64>() + size_of::<Vec<u32>>();
        let held = self.bytes() + self.targets.len() * 2 * size_of::<u32>() + self.len() * state;
        let check = || budget.check(PASS, held as u64);
        check()?;
        let before = Predecessors::new(self);
        check()?;
        let starts = self.starts.iter().map(|&(_, state)| state);
        let start_steps = steps(self.len(), starts, |state| self.successors(state));
        let goals = self.all_states().filter(|&state| self.goals[state as usize]);
        let goal_steps = steps(self.len(), goals, |state| before.of(state));
        check()?;
        let hopeful = steps(self.len(), self.expanded..self.len() as u32, |state| {
            before.of(state)
        });
        let is_lost = |(&goal, &open): (&u32, &u32)| {
            goal == SpaceAnalysis::UNREACHED && open == SpaceAnalysis::UNREACHED
        };
        let dead_ends = goal_steps.iter().zip(&hopeful).map(is_lost).collect();
        let goal_costs = if self.costs.is_empty() {
            let cost = |&steps: &u32| {
                if steps == SpaceAnalysis::UNREACHED {
                    f64::INFINITY
                } else {
                    f64::from(steps)
                }
            };
            goal_steps.iter().map(cost).collect()
        } else {
            self.least_costs(&before)
        };
        check()?;
        let arcs = Arcs {
            graph: self,
            before: &before,
        };
        let mut components = vec![0; self.len()];
        let mut component_sizes = Vec::new();
        // Components come in reverse topological order.
        for (number, component) in (0..).zip(kosaraju_scc(arcs)) {
            component
                .iter()
                .for_each(|&state| components[state as usize] = number);
            component_sizes.push(component.len() as u32);
        }
        check()?;
        Ok(SpaceAnalysis {
            start_steps,
            goal_steps,
            goal_costs,
            dead_ends,
            components,
            component_sizes,
        })
    }

    fn all_states(&self) -> std::ops::Range<u32> {
        0..self.len() as u32
    }

    /// Returns the least cost from each state to a goal state, by Dijkstra's algorithm; nothing if a cost is negative or
    /// no number.
    fn least_costs(&self, before: &Predecessors) -> Vec<f64> {
        // `-0.0 >= 0.0`, so its sign has to be dropped before bits are compared.
        if !self.costs.iter().all(|&cost| cost >= 0.0) {
            return Vec::new();
        }
        let mut least = vec![f64::INFINITY; self.len()];
        let mut open = BinaryHeap::new();
        for state in self.all_states().filter(|&state| self.goals[state as usize]) {
            least[state as usize] = 0.0;
            open.push((Reverse(0_u64), state));
        }
        while let Some((Reverse(bits), state)) = open.pop() {
            // The bits of numbers that are not negative are ordered like the numbers.
            let cost = f64::from_bits(bits);
            if cost > least[state as usize] {
                continue;
            }
            let mut last = None;
            for &from in before.of(state) {
                // The predecessors are in order, so that equal ones are next to each other.
                if last.replace(from) == Some(from) {
                    continue;
                }
                for outcome in self.outcomes_of_state(from) {
                    let whole = cost + self.costs[outcome].abs();
                    if self.targets[outcome] == state && whole < least[from as usize] {
                        least[from as usize] = whole;
                        open.push((Reverse(whole.to_bits()), from));
                    }
                }
            }
        }
        least
    }
}

impl SpaceAnalysis {
    /// The number of steps of a state that cannot be reached, or from which no goal state can be reached.
    pub const UNREACHED: u32 = u32::MAX;

    /// Returns the largest number of steps from the start to a state that can be reached: the number of layers of a
    /// breadth-first search, less one. `None` if no state is a start state.
    #[must_use]
    pub fn depth(&self) -> Option<u32> {
        let reached = self.start_steps.iter().filter(|&&steps| steps != Self::UNREACHED);
        reached.max().copied()
    }

    /// Returns the table of states by their distance from the start and from the goal; the number of steps is the
    /// position of a row. Row 0 has the start states and the goal states. `graph` is the graph that was analysed; a
    /// larger one causes a panic.
    #[must_use]
    pub fn by_distance(&self, graph: &StateGraph) -> Vec<DistanceRow> {
        let reached = self.start_steps.iter().chain(&self.goal_steps);
        let most = reached.filter(|&&steps| steps != Self::UNREACHED).max();
        let mut rows = vec![DistanceRow::default(); most.map_or(0, |&most| most as usize + 1)];
        for state in graph.all_states() {
            if let Some(row) = rows.get_mut(self.start_steps[state as usize] as usize) {
                row.from_start += 1;
            }
            let steps = self.goal_steps[state as usize];
            let Some(row) = rows.get_mut(steps as usize) else {
                continue;
            };
            row.to_goal += 1;
            for &target in graph.successors(state) {
                match self.goal_steps[target as usize].cmp(&steps) {
                    std::cmp::Ordering::Less => row.nearer += 1,
                    std::cmp::Ordering::Equal => row.level += 1,
                    std::cmp::Ordering::Greater => row.farther += 1,
                }
            }
        }
        rows
    }
}

/// Returns the least number of steps from the `sources` to each state, by a breadth-first search.
fn steps<'a>(len: usize, sources: impl Iterator<Item = u32>, next: impl Fn(u32) -> &'a [u32]) -> Vec<u32> {
    let mut steps = vec![SpaceAnalysis::UNREACHED; len];
    let mut open: Vec<u32> = Vec::new();
    for source in sources {
        if steps[source as usize] != 0 {
            steps[source as usize] = 0;
            open.push(source);
        }
    }
    let mut at = 0;
    while let Some(&state) = open.get(at) {
        at += 1;
        for &other in next(state) {
            if steps[other as usize] == SpaceAnalysis::UNREACHED {
                steps[other as usize] = steps[state as usize] + 1;
                open.push(other);
            }
        }
    }
    steps
}

/// For each state, the states with a step to it, ascending, once for each outcome.
struct Predecessors {
    starts: Vec<u32>,
    states: Vec<u32>,
}

impl Predecessors {
    fn new(graph: &StateGraph) -> Self {
        let mut starts = vec![0_u32; graph.len() + 2];
        for &target in &graph.targets {
            starts[target as usize + 2] += 1;
        }
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        // The end of each row moves from the end of the row before to its place.
        let mut states = vec![0; graph.targets.len()];
        for state in graph.all_states() {
            for &target in graph.successors(state) {
                let end = &mut starts[target as usize + 1];
                states[*end as usize] = state;
                *end += 1;
            }
        }
        starts.pop();
        Self { starts, states }
    }

    /// Returns the predecessors of a state.
    fn of(&self, state: u32) -> &[u32] {
        &self.states[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }
}

/// The graph of all outcomes, as petgraph sees it.
#[derive(Clone, Copy)]
struct Arcs<'a> {
    graph: &'a StateGraph,
    before: &'a Predecessors,
}

impl GraphBase for Arcs<'_> {
    type NodeId = u32;
    type EdgeId = u32;
}

impl GraphRef for Arcs<'_> {}

impl<'a> IntoNeighbors for Arcs<'a> {
    type Neighbors = Copied<slice::Iter<'a, u32>>;

    fn neighbors(self, state: u32) -> Self::Neighbors {
        self.graph.successors(state).iter().copied()
    }
}

impl<'a> IntoNeighborsDirected for Arcs<'a> {
    type NeighborsDirected = Copied<slice::Iter<'a, u32>>;

    fn neighbors_directed(self, state: u32, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.graph.successors(state).iter().copied(),
            Direction::Incoming => self.before.of(state).iter().copied(),
        }
    }
}

impl IntoNodeIdentifiers for Arcs<'_> {
    type NodeIdentifiers = std::ops::Range<u32>;

    fn node_identifiers(self) -> Self::NodeIdentifiers {
        self.graph.all_states()
    }
}

impl Visitable for Arcs<'_> {
    type Map = FixedBitSet;

    fn visit_map(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.graph.len())
    }

    fn reset_map(&self, map: &mut FixedBitSet) {
        map.clear();
    }
}
