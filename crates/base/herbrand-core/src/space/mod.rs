//! State spaces as data: numbered states, and the transitions between them in compressed sparse rows.

mod analysis;
mod builder;

use std::fmt;

use herbrand_limits::BudgetExhausted;

pub use analysis::{DistanceRow, SpaceAnalysis};
pub use builder::{GraphBuilder, SpaceOutcome};

/// The transitions of a state space, as arrays. States, actions and outcomes are numbered from 0.
///
/// A *choice* is an action that is valid in a state. It has one outcome for each successor that it may lead to, so it is a
/// hyperedge if there is chance. Both levels are compressed sparse rows:
///
/// ```text
///   state    s   choices  first_choices[s] .. first_choices[s + 1]
///   choice   c   action   actions[c]       outcomes  first_outcomes[c] .. first_outcomes[c + 1]
///   outcome  o   state    targets[o]       probabilities[o]   costs[o]
/// ```
///
/// The outcomes of all choices of a state are next to each other, so [`targets`](Self::targets) has the successors of a
/// state as one slice ([`successors`](Self::successors)). Arrays that would hold nothing new are empty; read them by the
/// methods. [`GraphBuilder`] makes a graph; the crates of the languages explore problems.
#[derive(Clone, Debug, Default)]
pub struct StateGraph {
    /// For each state, whether the goal holds.
    pub goals: Vec<bool>,
    /// The start states with their probabilities, which sum to 1. Start states chosen by a caller have equal probabilities.
    pub starts: Vec<(f64, u32)>,
    /// The number of expanded states, which are those with the smallest numbers. The others have no choices here.
    pub expanded: u32,
    /// For each state, its first choice; at the end the number of choices.
    pub first_choices: Vec<u32>,
    /// For each choice, its action.
    pub actions: Vec<u32>,
    /// For each choice, its first outcome; at the end the number of outcomes. Empty if every choice has one outcome.
    pub first_outcomes: Vec<u32>,
    /// For each outcome, the state that it leads to.
    pub targets: Vec<u32>,
    /// For each outcome, its probability. Empty if all are 1.
    pub probabilities: Vec<f64>,
    /// For each outcome, the cost of the step. Empty if all are 1.
    pub costs: Vec<f64>,
    /// The reason why states are missing; `None` if this is the whole space.
    pub limit: Option<SpaceLimit>,
}

/// The states of a space as two tables with one row for each state: row after row in [`bits`](Self::bits), and in
/// [`numbers`](Self::numbers). The explorers of the languages return them.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PackedRows {
    /// The bits of each state in whole words: bit `i` of a state is bit `i % 64` of word `i / 64` of its row.
    pub bits: Vec<u64>,
    /// The number of words in a row of [`bits`](Self::bits).
    pub words: usize,
    /// The numbers of each state; NaN if one is undefined.
    pub numbers: Vec<f64>,
    /// The number of numbers in a row of [`numbers`](Self::numbers).
    pub columns: usize,
}

/// The reason why an exploration stopped before it had found all states. [`StateGraph::limit`] has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpaceLimit {
    /// The number of states that the caller asked for is reached; contains that number.
    States(usize),
    /// The states further from the start than this number of steps are missing, as the caller asked for.
    Steps(u32),
    /// The limits of time or memory are reached.
    Budget(BudgetExhausted),
    /// States or outcomes can no longer be numbered by 31 bits.
    Numbers,
}

impl fmt::Display for SpaceLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::States(limit) => write!(f, "the limit of {limit} states is reached"),
            Self::Steps(1) => f.write_str("states more than 1 step away are left out"),
            Self::Steps(steps) => write!(f, "states more than {steps} steps away are left out"),
            Self::Budget(exhausted) => exhausted.fmt(f),
            Self::Numbers => f.write_str("there are more than 2147483647 states or transitions"),
        }
    }
}

impl StateGraph {
    /// The largest number of states, and of outcomes, so that they fit into the 32-bit integers of sparse matrices.
    pub const MOST: usize = i32::MAX as usize;

    /// Returns the number of states, expanded or not.
    #[must_use]
    pub fn len(&self) -> usize {
        self.goals.len()
    }

    /// Returns whether there is no state.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.goals.is_empty()
    }

    /// Returns whether all states were found and expanded.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.limit.is_none()
    }

    /// Returns the numbers of the choices of a state, which index [`actions`](Self::actions). The range is empty if the
    /// state was not expanded.
    ///
    /// # Panics
    /// Panics if there is no such state.
    #[must_use]
    pub fn choices(&self, state: u32) -> std::ops::Range<u32> {
        self.first_choices[state as usize]..self.first_choices[state as usize + 1]
    }

    /// Returns the numbers of the outcomes of a choice, which index [`targets`](Self::targets), in ascending order of
    /// their targets. No target occurs twice. Whether there is such a choice is not checked.
    #[must_use]
    pub fn outcomes(&self, choice: u32) -> std::ops::Range<u32> {
        self.first_outcome(choice)..self.first_outcome(choice + 1)
    }

    /// Returns the first outcome of a choice, or the number of outcomes for the number of choices.
    #[inline]
    fn first_outcome(&self, choice: u32) -> u32 {
        let first = self.first_outcomes.get(choice as usize);
        first.copied().unwrap_or(choice)
    }

    /// Returns the numbers of the outcomes of all choices of a state, as indices of [`targets`](Self::targets). Panics
    /// if there is no such state.
    #[inline]
    #[must_use]
    pub fn outcomes_of_state(&self, state: u32) -> std::ops::Range<usize> {
        let choices = self.choices(state);
        self.first_outcome(choices.start) as usize..self.first_outcome(choices.end) as usize
    }

    /// Returns the successors of a state, in the order of its choices. A state that several choices lead to occurs
    /// several times. Empty if the state was not expanded. Panics if there is no such state.
    #[inline]
    #[must_use]
    pub fn successors(&self, state: u32) -> &[u32] {
        &self.targets[self.outcomes_of_state(state)]
    }

    /// Returns the probability of an outcome, by its number. Whether there is such an outcome is not checked.
    #[must_use]
    pub fn probability(&self, outcome: u32) -> f64 {
        self.probabilities.get(outcome as usize).copied().unwrap_or(1.0)
    }

    /// Returns the cost of an outcome, by its number. Whether there is such an outcome is not checked.
    #[must_use]
    pub fn cost(&self, outcome: u32) -> f64 {
        self.costs.get(outcome as usize).copied().unwrap_or(1.0)
    }

    /// Returns whether some choice has several outcomes.
    #[must_use]
    pub fn has_chance(&self) -> bool {
        !self.probabilities.is_empty()
    }

    /// Returns the memory of the arrays in bytes, including unused capacity.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let words = [
            &self.first_choices,
            &self.actions,
            &self.first_outcomes,
            &self.targets,
        ];
        let numbers = [&self.probabilities, &self.costs];
        words
            .iter()
            .map(|list| list.capacity() * size_of::<u32>())
            .sum::<usize>()
            + numbers
                .iter()
                .map(|list| list.capacity() * size_of::<f64>())
                .sum::<usize>()
            + self.goals.capacity()
            + self.starts.capacity() * size_of::<(f64, u32)>()
    }
}
