//! Building the arrays of a state space, state by state.

use super::{SpaceLimit, StateGraph};

/// Builds a [`StateGraph`]: adds the choices of the states in the order of their numbers. Call [`start`](Self::start)
/// for the start states, [`choice`](Self::choice) for each choice of a state, [`close_state`](Self::close_state) after
/// the last choice of a state, and [`finish`](Self::finish) at the end. Numbers of states and actions are up to the
/// caller and are not checked.
///
/// ```
/// use herbrand_core::{GraphBuilder, SpaceOutcome};
///
/// // From state 0, action 5 leads to 0 or 1; state 1 is a goal without an action.
/// let mut builder = GraphBuilder::default();
/// builder.start(1.0, 0);
/// let outcome = |probability, state| SpaceOutcome { probability, cost: 1.0, state };
/// builder.choice(5, &mut vec![outcome(0.25, 1), outcome(0.5, 0), outcome(0.25, 1)]);
/// builder.close_state();
/// builder.close_state();
/// let graph = builder.finish(vec![false, true], None);
/// assert_eq!((graph.successors(0), graph.successors(1)), (&[0, 1][..], &[][..]));
/// assert_eq!((graph.probability(0), graph.probability(1)), (0.5, 0.5));
/// ```
#[derive(Clone, Debug)]
pub struct GraphBuilder {
    graph: StateGraph,
    /// The number of outcomes. Targets may be added later.
    outcomes: u32,
}

/// An outcome of a choice: a state to which the choice may lead. [`GraphBuilder::choice`] takes a list of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SpaceOutcome {
    /// The probability, above 0 and at most 1.
    pub probability: f64,
    /// The cost of the step.
    pub cost: f64,
    /// The number of the state that it leads to.
    pub state: u32,
}

impl Default for GraphBuilder {
    fn default() -> Self {
        let graph = StateGraph {
            first_choices: vec![0],
            ..StateGraph::default()
        };
        Self { graph, outcomes: 0 }
    }
}

/// Appends a number to a list that is empty as long as all its numbers are 1. It has `len` numbers so far.
fn push(list: &mut Vec<f64>, len: u32, value: f64) {
    if list.is_empty() {
        if value == 1.0 {
            return;
        }
        list.resize(len as usize, 1.0);
    }
    list.push(value);
}

impl GraphBuilder {
    /// Adds a start state by its number, with the probability of starting there. The probabilities of all start states
    /// should sum to 1, and each number should be that of a state of the finished graph; neither is checked.
    pub fn start(&mut self, probability: f64, state: u32) {
        self.graph.starts.push((probability, state));
    }

    /// Adds a choice of the current state: an action, by its number, with the outcomes that it may have. Outcomes that
    /// lead to the same state are merged: their probabilities are added, and their costs averaged. `outcomes` is left
    /// sorted and merged.
    pub fn choice(&mut self, action: u32, outcomes: &mut Vec<SpaceOutcome>) {
        merge(outcomes);
        let graph = &mut self.graph;
        if outcomes.len() != 1 && graph.first_outcomes.is_empty() {
            graph.first_outcomes = (0..=graph.actions.len() as u32).collect();
        }
        graph.actions.push(action);
        for outcome in &*outcomes {
            push(&mut graph.probabilities, self.outcomes, outcome.probability);
            push(&mut graph.costs, self.outcomes, outcome.cost);
            graph.targets.push(outcome.state);
            self.outcomes += 1;
        }
        if !graph.first_outcomes.is_empty() {
            graph.first_outcomes.push(self.outcomes);
        }
    }

    /// Adds a choice with one outcome, whose target is not known yet. [`add_targets`](Self::add_targets) adds it.
    #[inline]
    pub fn certain_choice(&mut self, action: u32, cost: f64) {
        let graph = &mut self.graph;
        graph.actions.push(action);
        push(&mut graph.costs, self.outcomes, cost);
        if !graph.probabilities.is_empty() {
            graph.probabilities.push(1.0);
        }
        self.outcomes += 1;
        if !graph.first_outcomes.is_empty() {
            graph.first_outcomes.push(self.outcomes);
        }
    }

    /// Adds the targets of the certain choices that lack them, in their order, and empties the list. Every certain
    /// choice must have its target before [`choice`](Self::choice) is called again.
    pub fn add_targets(&mut self, targets: &mut Vec<u32>) {
        self.graph.targets.append(targets);
    }

    /// Ends the choices of the current state, which is then [expanded](StateGraph::expanded). The next choices are of
    /// the state with the next number. A state without a choice has to be closed too.
    pub fn close_state(&mut self) {
        self.graph.first_choices.push(self.graph.actions.len() as u32);
        self.graph.expanded += 1;
    }

    /// Returns the number of outcomes added so far.
    #[must_use]
    pub const fn outcomes(&self) -> usize {
        self.outcomes as usize
    }

    /// Returns the memory of the arrays in bytes, including unused capacity.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
    }

    /// Returns the graph. `goals` has an entry for each state, closed or not: whether the goal holds. `limit` is the
    /// reason why states are missing, if some are. States after the last closed one get no choices.
    ///
    /// # Panics
    /// Panics if a certain choice lacks its target.
    #[must_use]
    pub fn finish(self, goals: Vec<bool>, limit: Option<SpaceLimit>) -> StateGraph {
        let mut graph = self.graph;
        assert_eq!(
            graph.targets.len(),
            self.outcomes as usize,
            "every outcome has a target"
        );
        let end = graph.actions.len() as u32;
        graph.first_choices.resize(goals.len() + 1, end);
        for list in [
            &mut graph.first_choices,
            &mut graph.actions,
            &mut graph.first_outcomes,
            &mut graph.targets,
        ] {
            list.shrink_to_fit();
        }
        graph.probabilities.shrink_to_fit();
        graph.costs.shrink_to_fit();
        StateGraph {
            goals,
            limit,
            ..graph
        }
    }
}

/// Sorts outcomes by their targets, and merges those with the same target.
fn merge(outcomes: &mut Vec<SpaceOutcome>) {
    // The sort is stable, so that probabilities are added in the order of the text.
    outcomes.sort_by_key(|outcome| outcome.state);
    outcomes.dedup_by(|next, kept| {
        if next.state != kept.state {
            return false;
        }
        let both = kept.probability + next.probability;
        if next.cost != kept.cost {
            kept.cost = (kept.cost * kept.probability + next.cost * next.probability) / both;
        }
        kept.probability = both;
        true
    });
    if let [only] = outcomes.as_mut_slice()
        && (only.probability - 1.0).abs() < 1e-9
    {
        only.probability = 1.0;
    }
}
