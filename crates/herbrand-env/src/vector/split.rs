//! What belongs to environments that follow each other, to be parted.

/// What belongs to environments that follow each other, one item each.
pub(super) trait Split: Send + Sized {
    /// What belongs to one environment.
    type Item;

    /// What belongs to the first `count`, and to the rest.
    fn split_at(self, count: usize) -> (Self, Self);

    /// What belongs to each, in order.
    fn items(self) -> impl Iterator<Item = Self::Item>;
}

impl<'a, T: Send> Split for &'a mut [T] {
    type Item = &'a mut T;

    fn split_at(self, count: usize) -> (Self, Self) {
        self.split_at_mut(count)
    }

    fn items(self) -> impl Iterator<Item = Self::Item> {
        self.iter_mut()
    }
}

/// Two things that belong to the same environments.
impl<A: Split, B: Split> Split for (A, B) {
    type Item = (A::Item, B::Item);

    fn split_at(self, count: usize) -> (Self, Self) {
        let (first, later_first) = self.0.split_at(count);
        let (second, later_second) = self.1.split_at(count);
        ((first, second), (later_first, later_second))
    }

    fn items(self) -> impl Iterator<Item = Self::Item> {
        self.0.items().zip(self.1.items())
    }
}
