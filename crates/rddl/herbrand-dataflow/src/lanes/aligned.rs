//! Cache-aligned vectors.

use std::ops::{Deref, DerefMut};

/// The size in bytes of a cache line, and of the widest vector register.
const LINE: usize = 64;

/// A vector whose first element starts a cache line, so that no vector load from a row crosses two lines.
///
/// ```text
///   cells   | . . | x0 x1 x2 x3 x4 x5 x6 x7 | x8 …       | . |
///           ▲     ▲ first, where a cache line begins
///           where the allocator had room
/// ```
///
/// Moving it keeps its memory. A clone is aligned again.
#[derive(Debug)]
pub(crate) struct Aligned<T> {
    /// The elements, with room for one cache line of padding.
    cells: Vec<T>,
    first: usize,
    len: usize,
}

impl<T> Default for Aligned<T> {
    fn default() -> Self {
        Self {
            cells: Vec::new(),
            first: 0,
            len: 0,
        }
    }
}

impl<T: Copy> Aligned<T> {
    /// Grows the vector to at least `len` elements.
    pub(crate) fn grow(&mut self, len: usize, value: T) {
        if self.len < len {
            let cells = vec![value; len + LINE / size_of::<T>()];
            // `align_offset` may fail (in constant evaluation). Any position is valid then, only slower.
            let first = cells.as_ptr().align_offset(LINE).min(cells.len() - len);
            let mut longer = Self { cells, first, len };
            longer[..self.len].copy_from_slice(self);
            *self = longer;
        }
    }

    /// Returns the number of elements that its memory can hold.
    pub(crate) const fn capacity(&self) -> usize {
        self.cells.capacity()
    }
}

impl<T> Deref for Aligned<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.cells[self.first..][..self.len]
    }
}

impl<T> DerefMut for Aligned<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.cells[self.first..][..self.len]
    }
}

impl<T: Copy> Clone for Aligned<T> {
    fn clone(&self) -> Self {
        let mut clone = Self::default();
        if let Some(&value) = self.deref().first() {
            clone.grow(self.len, value);
            clone.copy_from_slice(self);
        }
        clone
    }
}

impl<T: PartialEq> PartialEq for Aligned<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

#[cfg(test)]
mod tests {
    use super::{Aligned, LINE};

    #[test]
    fn every_list_begins_a_line_and_keeps_its_values() {
        // Lists of many lengths, all kept alive, so that the allocator returns many different alignments.
        let mut lists = Vec::new();
        for len in 1..200 {
            let mut list = Aligned::default();
            list.grow(len, 0.5);
            list[len - 1] = len as f64;
            list.grow(2 * len, 1.5);
            lists.push(list.clone());
            lists.push(list);
        }
        for list in &lists {
            let len = list.len() / 2;
            assert_eq!(list.as_ptr().align_offset(LINE), 0);
            assert_eq!(list[..len - 1], vec![0.5; len - 1]);
            assert_eq!((list[len - 1], list[len]), (len as f64, 1.5));
            assert_eq!(list[len..], vec![1.5; len]);
        }
        let nothing = Aligned::<bool>::default();
        assert_eq!((nothing.len(), nothing.clone() == nothing), (0, true));
    }
}
