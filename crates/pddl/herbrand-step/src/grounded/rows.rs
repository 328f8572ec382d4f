//! The conjunctions of all preconditions, called *rows*.

use herbrand_ground::GroundTask;

use crate::grounded::lists::Lists;
use crate::grounded::propositions::Propositions;

/// Rows with their actions and literals, stored contiguously.
#[derive(Clone, Default, Debug)]
pub(crate) struct RowTable {
    /// The action of each row.
    pub(crate) actions: Vec<u32>,
    /// The literals of each row, without duplicates.
    pub(crate) literals: Lists<u32>,
}

impl RowTable {
    /// Collects the rows of all preconditions, in the order of the actions.
    pub(crate) fn of(task: &GroundTask, propositions: &Propositions) -> Self {
        let mut this = Self::default();
        this.actions.reserve(task.actions.len());
        this.literals.reserve(task.actions.len(), task.conditions.size());
        let mut literals = Vec::new();
        for id in task.actions.ids() {
            for conjunction in task.conditions.conjunctions(task.actions.get(id).precondition) {
                propositions.write_literals(task, conjunction, &mut literals);
                this.push(id.number(), &literals);
            }
        }
        this
    }

    /// Returns whether some action has more than one row.
    pub(crate) fn has_several(&self) -> bool {
        self.actions.windows(2).any(|pair| pair[0] == pair[1])
    }

    pub(crate) fn len(&self) -> usize {
        self.actions.len()
    }

    pub(crate) fn push(&mut self, action: u32, literals: &[u32]) {
        self.actions.push(action);
        self.literals.push(literals.iter().copied());
    }

    /// Returns the rows with the given numbers, in the given order.
    pub(crate) fn select(&self, numbers: &[u32]) -> Self {
        let mut this = Self::default();
        this.actions.reserve(numbers.len());
        this.literals.reserve(numbers.len(), self.literals.items_len());
        for &number in numbers {
            this.push(self.actions[number as usize], self.literals.get(number as usize));
        }
        this
    }

    /// Returns the start and end of each run of rows whose actions have the same schema.
    pub(crate) fn schemas<'a>(&'a self, task: &'a GroundTask) -> impl Iterator<Item = (usize, usize)> + 'a {
        let schema = |row: usize| {
            task.actions
                .get(herbrand_ground::ActionId::new(self.actions[row]))
                .schema
        };
        let mut start = 0;
        std::iter::from_fn(move || {
            let first = (start < self.len()).then(|| schema(start))?;
            let rest = &self.actions[start..];
            let length = rest.partition_point(|&action| {
                task.actions.get(herbrand_ground::ActionId::new(action)).schema == first
            });
            let run = (start, start + length);
            start += length;
            Some(run)
        })
    }
}
