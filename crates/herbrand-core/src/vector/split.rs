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

/// What belongs to environments that follow each other, to be lent in any order.
pub(super) trait Lend: for<'s> Lent<'s> {
    /// What belongs to the environment at `index`.
    fn lend(&mut self, index: usize) -> One<'_, Self>;

    /// What belongs to `count` environments from `first` on.
    fn lend_several(&mut self, first: usize, count: usize) -> Several<'_, Self>;
}

/// What is lent for a while. The second parameter says that the lender lives as long, which lets closures take what is
/// lent for any time.
pub(super) trait Lent<'s, Lender = &'s Self> {
    /// What belongs to one environment.
    type One;
    /// What belongs to some that follow each other.
    type Several;
}

/// What belongs to one environment.
pub(super) type One<'s, S> = <S as Lent<'s>>::One;

/// What belongs to some environments that follow each other.
pub(super) type Several<'s, S> = <S as Lent<'s>>::Several;

impl<'s, T> Lent<'s> for &mut [T] {
    type One = &'s mut T;
    type Several = &'s mut [T];
}

impl<T> Lend for &mut [T] {
    #[inline]
    fn lend(&mut self, index: usize) -> &mut T {
        &mut self[index]
    }

    #[inline]
    fn lend_several(&mut self, first: usize, count: usize) -> &mut [T] {
        &mut self[first..first + count]
    }
}

/// Nothing belongs to any of them.
impl Lent<'_> for () {
    type One = ();
    type Several = ();
}

impl Lend for () {
    fn lend(&mut self, _index: usize) {}

    fn lend_several(&mut self, _first: usize, _count: usize) {}
}

/// Two things that belong to the same environments.
impl<'s, A: Lend, B: Lend> Lent<'s> for (A, B) {
    type One = (One<'s, A>, One<'s, B>);
    type Several = (Several<'s, A>, Several<'s, B>);
}

impl<A: Lend, B: Lend> Lend for (A, B) {
    #[inline]
    fn lend(&mut self, index: usize) -> One<'_, Self> {
        (self.0.lend(index), self.1.lend(index))
    }

    #[inline]
    fn lend_several(&mut self, first: usize, count: usize) -> Several<'_, Self> {
        (
            self.0.lend_several(first, count),
            self.1.lend_several(first, count),
        )
    }
}

/// Several items in a row for each environment.
impl<'s, S: Lend> Lent<'s> for Strips<S> {
    type One = Several<'s, S>;
    type Several = Strips<Several<'s, S>>;
}

impl<S: Lend> Lend for Strips<S> {
    #[inline]
    fn lend(&mut self, index: usize) -> One<'_, Self> {
        self.items.lend_several(index * self.length, self.length)
    }

    #[inline]
    fn lend_several(&mut self, first: usize, count: usize) -> Several<'_, Self> {
        let length = self.length;
        let items = self.items.lend_several(first * length, count * length);
        Strips { items, count, length }
    }
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

/// Nothing belongs to any of them.
impl Split for () {
    type Item = ();

    fn split_at(self, _count: usize) -> (Self, Self) {
        ((), ())
    }

    fn items(self) -> impl Iterator<Item = ()> {
        std::iter::repeat(())
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
