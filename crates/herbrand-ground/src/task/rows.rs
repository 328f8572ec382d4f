//! Lists of lists in two flat blocks.

/// Rows of items, one after the other in one block (compressed sparse rows): 4 bytes per row beside the items, and none
/// for the rows before the first that has items.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rows<T> {
    /// How many rows without items come before all others.
    leading: u32,
    /// Where each further row ends.
    ends: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self {
            leading: 0,
            ends: Vec::new(),
            items: Vec::new(),
        }
    }
}

impl<T> Rows<T> {
    /// Appends a row and returns its index.
    ///
    /// # Panics
    /// When there would be 2^32 rows, or they would hold as many items together; the grounder's memory limit ends far
    /// below that.
    pub fn push(&mut self, row: impl IntoIterator<Item = T>) -> usize {
        let small =
            |length: usize| u32::try_from(length).expect("fewer than 2^32 items fit in the memory limit");
        self.items.extend(row);
        if self.items.is_empty() {
            self.leading = self.leading.checked_add(1).expect("fewer than 2^32 rows");
        } else {
            self.ends.push(small(self.items.len()));
        }
        self.len() - 1
    }

    /// Takes all rows out; their memory is kept.
    pub fn clear(&mut self) {
        self.leading = 0;
        self.ends.clear();
        self.items.clear();
    }

    /// The row at `index`.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn row(&self, index: usize) -> &[T] {
        match index.checked_sub(self.leading as usize) {
            None => &[],
            Some(0) => &self.items[..self.ends[0] as usize],
            Some(index) => &self.items[self.ends[index - 1] as usize..self.ends[index] as usize],
        }
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.leading as usize + self.ends.len()
    }

    /// Whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
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
        self.ends.len() * size_of::<u32>() + self.items.len() * size_of::<T>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_what_was_pushed() {
        let pushed: [&[u8]; 6] = [&[], &[], &[1, 2], &[], &[3], &[]];
        let mut rows = Rows::default();
        for (index, row) in pushed.iter().enumerate() {
            assert_eq!(rows.push(row.iter().copied()), index);
            assert!(rows.iter().eq(pushed[..=index].iter().copied()), "after {index}");
        }
        assert_eq!((rows.len(), rows.items()), (6, &[1, 2, 3][..]));
    }
}
