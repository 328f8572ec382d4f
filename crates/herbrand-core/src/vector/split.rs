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

/// What belongs to environments that follow each other, in blocks of at most `size` of them.
pub(super) struct Blocks<S> {
    pub(super) of_all: S,
    /// How many environments there are.
    pub(super) count: usize,
    pub(super) size: usize,
}

impl<S: Split> Split for Blocks<S> {
    /// What belongs to a block.
    type Item = S;

    fn split_at(self, blocks: usize) -> (Self, Self) {
        let count = (blocks * self.size).min(self.count);
        let (first, rest) = self.of_all.split_at(count);
        let part = |of_all, count| Self {
            of_all,
            count,
            size: self.size,
        };
        (part(first, count), part(rest, self.count - count))
    }

    fn items(self) -> impl Iterator<Item = S> {
        let (mut left, size) = (self.count, self.size);
        let mut rest = Some(self.of_all);
        std::iter::from_fn(move || {
            let count = left.min(size);
            if count == 0 {
                return None;
            }
            left -= count;
            let (block, later) = rest.take()?.split_at(count);
            rest = Some(later);
            Some(block)
        })
    }
}

/// Several items in a row for each environment.
pub(super) struct Strips<S> {
    pub(super) items: S,
    /// How many environments there are.
    pub(super) count: usize,
    /// How many items each has.
    pub(super) length: usize,
}

impl<S: Split> Split for Strips<S> {
    type Item = S;

    fn split_at(self, count: usize) -> (Self, Self) {
        let (items, later) = self.items.split_at(count * self.length);
        let strips = |items, count| Self {
            items,
            count,
            length: self.length,
        };
        (strips(items, count), strips(later, self.count - count))
    }

    fn items(self) -> impl Iterator<Item = S> {
        let length = self.length;
        let mut rest = Some(self.items);
        (0..self.count).map_while(move |_| {
            let (strip, later) = rest.take()?.split_at(length);
            rest = Some(later);
            Some(strip)
        })
    }
}
