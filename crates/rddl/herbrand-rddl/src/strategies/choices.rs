//! A sequence of numbers as a source of decisions.

/// Decisions taken from a sequence of numbers. At the end of the sequence, every decision is 0.
pub(super) struct Choices {
    numbers: std::vec::IntoIter<u32>,
}

impl Choices {
    pub(super) fn new(numbers: Vec<u32>) -> Self {
        Self {
            numbers: numbers.into_iter(),
        }
    }

    /// Returns a number below `limit`, which must be at least 1; 0 at the end of the sequence.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.numbers.next().unwrap_or(0) as usize % limit
    }

    /// Returns one of some values; the first at the end of the sequence.
    pub(super) fn pick<T: Copy>(&mut self, values: &[T]) -> T {
        values[self.below(values.len())]
    }

    /// Returns `true` for 1 in `odds` numbers, and `false` at the end of the sequence.
    pub(super) fn rarely(&mut self, odds: usize) -> bool {
        self.below(odds) + 1 == odds
    }
}
