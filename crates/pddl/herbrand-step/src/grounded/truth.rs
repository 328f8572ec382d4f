//! The truth of all literals of one state.

/// The truth of every literal and its negation, so that a look-up is a single load.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    literals: Vec<bool>,
}

impl Truth {
    /// Creates a table in which every proposition is false.
    pub(crate) fn new(propositions: usize) -> Self {
        Self {
            literals: [false, true].repeat(propositions),
        }
    }

    /// Reads the first entry, to bring it into the cache.
    #[inline]
    pub(crate) fn prefetch(&self) -> bool {
        self.literals.first().copied().unwrap_or_default()
    }

    /// The number of literals, twice the number of propositions.
    pub(crate) fn len(&self) -> usize {
        self.literals.len()
    }

    #[inline]
    pub(crate) fn holds(&self, literal: u32) -> bool {
        self.literals[literal as usize]
    }

    /// Makes true a literal that is false.
    #[inline]
    pub(crate) fn flip_to(&mut self, literal: u32) {
        self.literals[literal as usize] = true;
        self.literals[literal as usize ^ 1] = false;
    }
}
