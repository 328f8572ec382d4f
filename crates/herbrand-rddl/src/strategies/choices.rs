//! A list of numbers as a source of decisions.

/// Decisions, by a list of numbers.
pub(super) struct Choices {
    numbers: std::vec::IntoIter<u32>,
}

impl Choices {
    pub(super) fn new(numbers: Vec<u32>) -> Self {
        Self {
            numbers: numbers.into_iter(),
        }
    }

    /// A number below `limit`, which is at least 1; 0 once the list is at its end.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.numbers.next().unwrap_or(0) as usize % limit
    }

    /// One of some values: the first once the list is at its end.
    pub(super) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// True once in `odds` times, never once the list is at its end.
    pub(super) fn rarely(&mut self, odds: usize) -> bool {
        self.below(odds) + 1 == odds
    }
}
