//! Lists of lists, stored in two flat lists.

/// A list of rows of items, stored in two flat lists (compressed sparse rows). [`push`](Self::push) appends a row, and
/// [`row`](Self::row) returns one. It takes 4 bytes per row in addition to the items. Empty rows before the first
/// non-empty row take no memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Rows<T> {
    /// The number of empty rows before all others.
    leading: u32,
    /// The end of each further row.
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
    /// If there would be 2^32 rows or 2^32 items. The memory limit of the grounder is reached far earlier.
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

    /// Removes all rows and keeps the memory.
    pub fn clear(&mut self) {
        self.leading = 0;
        self.ends.clear();
        self.items.clear();
    }

    /// Returns the row at `index`.
    ///
    /// # Panics
    /// If there is no such row.
    #[must_use]
    #[inline]
    pub fn row(&self, index: usize) -> &[T] {
        match index.checked_sub(self.leading as usize) {
            None => &[],
            Some(0) => &self.items[..self.ends[0] as usize],
            Some(index) => &self.items[self.ends[index - 1] as usize..self.ends[index] as usize],
        }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.leading as usize + self.ends.len()
    }

    /// Returns whether there is no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Iterates over the rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|index| self.row(index))
    }

    /// Returns the items of all rows, in order.
    #[must_use]
    pub fn items(&self) -> &[T] {
        &self.items
    }

    /// Returns the items of all rows, in order.
    pub(crate) fn items_mut(&mut self) -> &mut [T] {
        &mut self.items
    }

    /// Returns the size of the rows in bytes. Memory that is allocated but not used does not count.
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
