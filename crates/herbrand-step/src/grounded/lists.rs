//! Lists of lists, packed for quick reading.

/// Lists one after the other in one block. Unlike [`herbrand_ground::Rows`], which grows, it is made at once and is
/// read with as few instructions as possible.
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// Where each list starts, and where the last one ends.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut this = Self {
            starts: vec![0],
            items: Vec::new(),
        };
        for list in lists {
            this.items.extend(list);
            this.starts
                .push(crate::grounded::propositions::id32(this.items.len()));
        }
        this
    }
}
