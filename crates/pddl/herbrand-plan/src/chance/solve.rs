//! The values of all states under a fixed policy.

use herbrand_limits::{Budget, BudgetExhausted};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::model::Model;
use super::policy::StateValue;

/// Marks the absence of a choice.
pub(crate) const NONE: u32 = u32::MAX;

/// Components with more states than this are solved iteratively.
const DENSE: usize = 100;

/// Iteration ends when no value has a larger relative change.
const CLOSE: f64 = 1e-14;

/// Computes the value of each state under the policy that takes the choice in `choices` in every state.
///
/// States that cannot reach the goal have the value [`StateValue::NOTHING`]. The others are solved by strongly connected
/// components in reverse topological order: small components by Gaussian elimination, components of more than [`DENSE`]
/// states by iteration.
pub(crate) fn evaluate(
    model: &Model<'_>,
    choices: &[u32],
    budget: &Budget,
) -> Result<Vec<StateValue>, BudgetExhausted> {
    let mut worths: Vec<StateValue> = model
        .ends
        .iter()
        .map(|end| end.unwrap_or(StateValue::NOTHING))
        .collect();
    let reaching = reaching(model, choices);
    let mut graph = DiGraph::<(), (), u32>::with_capacity(model.len(), model.len());
    (0..model.len()).for_each(|_| _ = graph.add_node(()));
    for state in 0..model.len() as u32 {
        if !reaching[state as usize] || model.ends[state as usize].is_some() {
            continue;
        }
        for branch in model.branches(choices[state as usize]) {
            graph.add_edge(NodeIndex::from(state), NodeIndex::from(branch.state), ());
        }
    }
    let mut place = vec![NONE; model.len()];
    // `kosaraju_scc` returns components in reverse topological order.
    for component in kosaraju_scc(&graph) {
        let states: Vec<u32> = component.iter().map(|node| node.index() as u32).collect();
        let unsolved = |state: &u32| reaching[*state as usize] && model.ends[*state as usize].is_none();
        if !states.iter().all(unsolved) {
            continue;
        }
        let system = System {
            model,
            choices,
            states: &states,
        };
        if states.len() <= DENSE {
            system.eliminate(&mut worths, &mut place);
        } else {
            system.iterate(&mut worths, budget)?;
        }
        budget.check("solving", 0)?;
    }
    Ok(worths)
}

/// For each state, whether it can reach the goal by the given choices.
fn reaching(model: &Model<'_>, choices: &[u32]) -> Vec<bool> {
    let chosen = |state: u32| match choices[state as usize] {
        NONE => 0..0,
        choice => choice..choice + 1,
    };
    let predecessors = model.predecessors(chosen);
    let has_worth = |end: &Option<StateValue>| end.is_some_and(|worth| worth.probability > 0.0);
    let mut reaching: Vec<bool> = model.ends.iter().map(has_worth).collect();
    let mut open: Vec<u32> = (0..model.len() as u32)
        .filter(|&state| reaching[state as usize])
        .collect();
    while let Some(state) = open.pop() {
        for &(before, _) in predecessors.of(state) {
            let is_end = model.ends[before as usize].is_some();
            if !is_end && !std::mem::replace(&mut reaching[before as usize], true) {
                open.push(before);
            }
        }
    }
    reaching
}

/// The equations of a strongly connected component. The values of all other successors are known.
struct System<'a> {
    model: &'a Model<'a>,
    choices: &'a [u32],
    states: &'a [u32],
}

impl System<'_> {
    /// Solves the component by Gaussian elimination, first for the probabilities and then for the costs, which depend on
    /// them.
    fn eliminate(&self, worths: &mut [StateValue], place: &mut [u32]) {
        for (index, &state) in (0..).zip(self.states) {
            place[state as usize] = index;
        }
        let size = self.states.len();
        let mut matrix = vec![0.0; size * size];
        let mut known = vec![0.0; size];
        for (row, &state) in self.states.iter().enumerate() {
            matrix[row * size + row] = 1.0;
            for branch in self.model.branches(self.choices[state as usize]) {
                match place[branch.state as usize] {
                    NONE => known[row] += branch.probability * worths[branch.state as usize].probability,
                    column => matrix[row * size + column as usize] -= branch.probability,
                }
            }
        }
        let probabilities = solved(&mut matrix.clone(), known);
        for (&state, &probability) in self.states.iter().zip(&probabilities) {
            worths[state as usize].probability = probability;
        }
        let mut known = vec![0.0; size];
        for (row, &state) in self.states.iter().enumerate() {
            for branch in self.model.branches(self.choices[state as usize]) {
                let next = worths[branch.state as usize];
                known[row] += branch.probability * branch.cost * next.probability;
                if place[branch.state as usize] == NONE {
                    known[row] += branch.probability * next.paid;
                }
            }
        }
        for (&state, paid) in self.states.iter().zip(solved(&mut matrix, known)) {
            worths[state as usize].paid = paid;
        }
        for &state in self.states {
            place[state as usize] = NONE;
        }
    }

    /// Solves the component by Gauss–Seidel iteration.
    fn iterate(&self, worths: &mut [StateValue], budget: &Budget) -> Result<(), BudgetExhausted> {
        loop {
            budget.check("solving", 0)?;
            let mut change = 0.0_f64;
            for &state in self.states {
                let (mut worth, mut stay) = (StateValue::NOTHING, 0.0);
                let mut stay_cost = 0.0;
                for branch in self.model.branches(self.choices[state as usize]) {
                    if branch.state == state {
                        stay += branch.probability;
                        stay_cost += branch.probability * branch.cost;
                    } else {
                        worth.add(branch.probability, branch.cost, worths[branch.state as usize]);
                    }
                }
                let probability = worth.probability / (1.0 - stay);
                let new = StateValue {
                    probability,
                    paid: (worth.paid + stay_cost * probability) / (1.0 - stay),
                };
                let old = std::mem::replace(&mut worths[state as usize], new);
                change = change
                    .max((new.probability - old.probability).abs())
                    .max((new.paid - old.paid).abs() / new.paid.abs().max(1.0));
            }
            if change <= CLOSE {
                return Ok(());
            }
        }
    }
}

/// Solves a system of linear equations by elimination with partial pivoting. The square matrix is stored by rows and must
/// not be singular.
fn solved(matrix: &mut [f64], mut known: Vec<f64>) -> Vec<f64> {
    let size = known.len();
    for column in 0..size {
        let by_size = |&one: &usize, &other: &usize| {
            let size_of = |row: usize| matrix[row * size + column].abs();
            size_of(one).total_cmp(&size_of(other))
        };
        let pivot = (column..size).max_by(by_size).unwrap_or(column);
        if pivot != column {
            for index in 0..size {
                matrix.swap(pivot * size + index, column * size + index);
            }
            known.swap(pivot, column);
        }
        for row in column + 1..size {
            let factor = matrix[row * size + column] / matrix[column * size + column];
            if factor != 0.0 {
                for index in column..size {
                    matrix[row * size + index] -= factor * matrix[column * size + index];
                }
                known[row] -= factor * known[column];
            }
        }
    }
    for row in (0..size).rev() {
        let rest: f64 = (row + 1..size)
            .map(|index| matrix[row * size + index] * known[index])
            .sum();
        known[row] = (known[row] - rest) / matrix[row * size + row];
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_are_solved_whatever_their_order() {
        // x = 2, y = -1, z = 3; the first row has a zero in the first column.
        let mut matrix = [0.0, 1.0, 1.0, 2.0, 0.0, -1.0, 1.0, 1.0, 1.0];
        let solution = solved(&mut matrix, vec![2.0, 1.0, 4.0]);
        for (found, expected) in solution.iter().zip([2.0, -1.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{solution:?}");
        }
    }
}
