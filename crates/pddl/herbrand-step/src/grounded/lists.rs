//! A compact list of lists.

use crate::grounded::propositions::id32;

/// Lists stored contiguously. Unlike [`herbrand_ground::Rows`], access takes as few instructions as possible.
///
/// ```text
/// lists:   [a b] [] [c]
/// starts:  0 2 2 3
/// items:   a b c
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Lists<T> {
    /// The start of each list, then the end of the last one.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            starts: vec![0],
            items: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[T] {
        &self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, index: usize) -> &mut [T] {
        &mut self.items[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The number of lists.
    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The lists, in order.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> + Clone {
        (0..self.len()).map(|index| self.get(index))
    }

    /// Appends a list.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = T>) {
        self.items.extend(list);
        self.starts.push(id32(self.items.len()));
    }

    /// Reserves room for additional lists and items.
    pub(crate) fn reserve(&mut self, lists: usize, items: usize) {
        self.starts.reserve(lists);
        self.items.reserve(items);
    }

    /// The total number of items.
    pub(crate) fn items_len(&self) -> usize {
        self.items.len()
    }
}

impl<T: Copy> Lists<T> {
    /// Creates lists of the given lengths, with every item set to `item`.
    pub(crate) fn of_lengths(lengths: &[u32], item: T) -> Self {
        let mut starts = Vec::with_capacity(lengths.len() + 1);
        let mut end = 0;
        starts.push(0);
        for &length in lengths {
            end += length as usize;
            starts.push(id32(end));
        }
        Self {
            starts,
            items: vec![item; end],
        }
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut this = Self::default();
        lists.into_iter().for_each(|list| this.push(list));
        this
    }
}
