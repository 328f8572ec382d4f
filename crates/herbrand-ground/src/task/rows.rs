//! Lists of lists in two flat blocks.

/// Rows of items, one after the other in one block (compressed sparse rows): 4 bytes a row beside the items.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rows<T> {
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            ends: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl<T> Rows<T> {
    /// Appends a row and returns its index.
    ///
    /// # Panics
    /// When all rows together would hold 2^32 items; the grounder's memory limit ends far below that.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) -> usize {
        self.items.extend(row);
        self.ends
            .push(u32::try_from(self.items.len()).expect("fewer than 2^32 items fit in the memory limit"));
        self.ends.len() - 1
    }

    /// The row at `index`.
    #[must_use]
    pub fn row(&self, index: usize) -> &[T] {
        &self.items[self.start(index)..self.ends[index] as usize]
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The rows, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// The items of all rows, one row after the other.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// The items of all rows, to be changed.
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// The bytes that the rows hold on to.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.ends.capacity() * size_of::<u32>() + self.items.capacity() * size_of::<T>()
    }

    fn start(&self, index: usize) -> usize {
        if index == 0 {
            0
        } else {
            self.ends[index - 1] as usize
        }
    }
}
