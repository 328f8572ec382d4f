//! An explicit model: states with their actions and outcomes.

use herbrand_ground::ActionId;
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_step::{StateStore, StepError, Walker};

use super::policy::StateValue;
use super::task::ProbabilisticTask;
use crate::task::TaskError;

/// The states found so far, with the actions and outcomes of the expanded ones.
///
/// ```text
///   spans     by state ──▶ choices    by action of a state ──▶ branches   by outcome: probability, successor, cost
///   ends      by state: its worth if it is known: a goal, a dead end, or a state that was not expanded yet
/// ```
pub(crate) struct Model<'t> {
    task: &'t ProbabilisticTask,
    walker: Walker,
    pub(crate) store: StateStore,
    pub(crate) ends: Vec<Option<StateValue>>,
    spans: Vec<Span>,
    choices: Vec<Choice>,
    branches: Vec<Branch>,
    /// The start states with their probabilities.
    pub(crate) starts: Vec<(f64, u32)>,
    /// Buffers for the outcomes of one action: their probabilities and costs, and the words of the successors. They are
    /// discarded if an effect of the action has no result.
    outcomes: Vec<(f64, f64)>,
    words: Vec<u64>,
}

/// A range of indices into a list.
#[derive(Clone, Copy, Default, Debug)]
struct Span {
    start: u32,
    end: u32,
}

/// An action applicable in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub(crate) action: ActionId,
    span: Span,
}

/// An outcome of an action. Outcomes with the same successor are merged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Branch {
    pub(crate) probability: f64,
    /// The cost of the step, averaged over the merged outcomes.
    pub(crate) cost: f64,
    pub(crate) state: u32,
}

impl<'t> Model<'t> {
    /// Creates a model with the start states, none of them expanded.
    pub(crate) fn new(task: &'t ProbabilisticTask) -> Result<Self, TaskError> {
        let walker = task.searched().walker();
        let mut model = Self {
            store: StateStore::new(walker.state().words().len()),
            walker,
            task,
            ends: Vec::new(),
            spans: Vec::new(),
            choices: Vec::new(),
            branches: Vec::new(),
            starts: Vec::new(),
            outcomes: Vec::new(),
            words: Vec::new(),
        };
        for (probability, state) in task.starts() {
            let state = model.find(task.project(state)?.words());
            model.starts.push((*probability, state));
        }
        Ok(model)
    }

    /// Returns the number of states.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    fn find(&mut self, words: &[u64]) -> u32 {
        let (number, is_new) = self.store.find_or_insert(words);
        if is_new {
            self.ends.push(None);
            self.spans.push(Span::default());
        }
        number as u32
    }

    /// Returns the numbers of the actions of a state, for [`choice`](Self::choice).
    pub(crate) fn choices(&self, state: u32) -> std::ops::Range<u32> {
        let span = self.spans[state as usize];
        span.start..span.end
    }

    pub(crate) fn choice(&self, number: u32) -> Choice {
        self.choices[number as usize]
    }

    pub(crate) fn branches(&self, choice: u32) -> &[Branch] {
        let span = self.choices[choice as usize].span;
        &self.branches[span.start as usize..span.end as usize]
    }

    /// Moves the walker to a state.
    pub(crate) fn go_to(&mut self, state: u32) -> Result<&Walker, TaskError> {
        self.walker.set_words(self.store.get(state as usize))?;
        Ok(&self.walker)
    }

    /// Computes the outcomes of all `wanted` actions of a state. A goal state gets none. An action whose effects have no
    /// result in the state is not applicable.
    pub(crate) fn expand(&mut self, state: u32, wanted: impl Fn(ActionId) -> bool) -> Result<(), TaskError> {
        self.go_to(state)?;
        if self.walker.is_goal() {
            self.ends[state as usize] = Some(StateValue::GOAL);
            return Ok(());
        }
        let valid: Vec<ActionId> = self
            .walker
            .valid()
            .iter()
            .filter(|&action| wanted(action))
            .collect();
        let start = self.choices.len() as u32;
        for action in valid {
            self.add_choice(action)?;
        }
        let end = self.choices.len() as u32;
        self.spans[state as usize] = Span { start, end };
        self.ends[state as usize] = (start == end).then_some(StateValue::NOTHING);
        Ok(())
    }

    /// Adds an action of the walker's state.
    fn add_choice(&mut self, action: ActionId) -> Result<(), TaskError> {
        let (costs, outcomes) = (self.task.costs(), &mut self.outcomes);
        outcomes.clear();
        self.words.clear();
        let words = &mut self.words;
        let done = self.walker.each_outcome(action, |branch| {
            let units = costs.of_changes(action, branch.numbers, branch.deltas);
            outcomes.push((branch.probability, costs.value(units)));
            words.extend_from_slice(branch.state.words());
        });
        match done {
            Ok(_) => {}
            Err(error @ (StepError::TooManyOutcomes { .. } | StepError::Limit { .. })) => {
                return Err(error.into());
            }
            Err(_) => return Ok(()),
        }
        let (outcomes, words) = (
            std::mem::take(&mut self.outcomes),
            std::mem::take(&mut self.words),
        );
        let width = self.walker.state().words().len();
        let first = self.branches.len();
        for (index, &(probability, cost)) in outcomes.iter().enumerate() {
            let state = self.find(&words[index * width..(index + 1) * width]);
            self.branches.push(Branch {
                probability,
                cost,
                state,
            });
        }
        (self.outcomes, self.words) = (outcomes, words);
        merge(&mut self.branches, first);
        self.choices.push(Choice {
            action,
            span: Span {
                start: first as u32,
                end: self.branches.len() as u32,
            },
        });
        Ok(())
    }

    pub(crate) fn check(&self, budget: &Budget) -> Result<(), BudgetExhausted> {
        let lists = self.ends.capacity() * (size_of::<Option<StateValue>>() + size_of::<Span>())
            + self.choices.capacity() * size_of::<Choice>()
            + self.branches.capacity() * size_of::<Branch>();
        self.task.set_enumerated(self.len());
        // The data structures of the solver take about as much again.
        budget.check("enumerating states", (2 * lists + self.store.bytes()) as u64)
    }

    /// For each state, its predecessors by the given choices, with the numbers of these choices.
    pub(crate) fn predecessors(&self, chosen: impl Fn(u32) -> std::ops::Range<u32>) -> Predecessors {
        let states = 0..self.len() as u32;
        let edges = || {
            states.clone().flat_map(|state| {
                let choices = chosen(state);
                choices.flat_map(move |choice| {
                    self.branches(choice)
                        .iter()
                        .map(move |branch| (branch.state, state, choice))
                })
            })
        };
        let mut ends = vec![0_u32; self.len() + 1];
        edges().for_each(|(to, ..)| ends[to as usize + 1] += 1);
        for index in 0..self.len() {
            ends[index + 1] += ends[index];
        }
        let mut next = ends.clone();
        let mut items = vec![(0, 0); ends[self.len()] as usize];
        for (to, from, choice) in edges() {
            items[next[to as usize] as usize] = (from, choice);
            next[to as usize] += 1;
        }
        Predecessors { ends, items }
    }
}

/// Edges indexed by their target.
pub(crate) struct Predecessors {
    ends: Vec<u32>,
    items: Vec<(u32, u32)>,
}

impl Predecessors {
    /// Returns the predecessors of a state, each with the choice that leads from it to the state.
    pub(crate) fn of(&self, state: u32) -> &[(u32, u32)] {
        let index = state as usize;
        &self.items[self.ends[index] as usize..self.ends[index + 1] as usize]
    }
}

/// Merges branches from index `first` on that lead to the same state into one branch per state.
fn merge(branches: &mut Vec<Branch>, first: usize) {
    if branches.len() - first < 2 {
        return;
    }
    // The sort is stable, so that probabilities are added in the order of the text.
    branches[first..].sort_by_key(|branch| branch.state);
    let mut last = first;
    for index in first + 1..branches.len() {
        let branch = branches[index];
        let kept = &mut branches[last];
        if kept.state == branch.state {
            let both = kept.probability + branch.probability;
            kept.cost = (kept.cost * kept.probability + branch.cost * branch.probability) / both;
            kept.probability = both;
        } else {
            last += 1;
            branches[last] = branch;
        }
    }
    branches.truncate(last + 1);
}
