//! Collections of one item per environment that can be split between threads.

/// A collection with one item per consecutive environment, which can be split and consumed.
pub(super) trait Split: Send + Sized {
    /// The item of one environment.
    type Item;

    /// Splits off the items of the first `count` environments.
    fn split_at(self, count: usize) -> (Self, Self);

    /// Iterates over the items in order.
    fn items(self) -> impl Iterator<Item = Self::Item>;
}

/// A collection with one item per consecutive environment, from which items can be borrowed in any order.
pub(super) trait Lend: for<'s> Lent<'s> {
    /// Borrows the item of the environment at `index`.
    fn lend(&mut self, index: usize) -> One<'_, Self>;

    /// Borrows the items of `count` environments starting at `first`.
    fn lend_several(&mut self, first: usize, count: usize) -> Several<'_, Self>;
}

/// The borrowed types of [`Lend`]. The second parameter implies that the lender outlives `'s`, so closures can take borrowed
/// items of any lifetime.
pub(super) trait Lent<'s, Lender = &'s Self> {
    /// The borrowed item of one environment.
    type One;
    /// The borrowed items of several consecutive environments.
    type Several;
}

/// The borrowed item of one environment.
pub(super) type One<'s, S> = <S as Lent<'s>>::One;

/// The borrowed items of several consecutive environments.
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

/// No data per environment.
impl Lent<'_> for () {
    type One = ();
    type Several = ();
}

impl Lend for () {
    fn lend(&mut self, _index: usize) {}

    fn lend_several(&mut self, _first: usize, _count: usize) {}
}

/// A pair of items per environment.
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

/// Several consecutive items per environment.
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

/// No data per environment.
impl Split for () {
    type Item = ();

    fn split_at(self, _count: usize) -> (Self, Self) {
        ((), ())
    }

    fn items(self) -> impl Iterator<Item = ()> {
        std::iter::repeat(())
    }
}

/// A pair of items per environment.
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

/// Groups the items of consecutive environments into blocks of at most `size` environments.
pub(super) struct Blocks<S> {
    pub(super) of_all: S,
    /// The number of environments.
    pub(super) count: usize,
    pub(super) size: usize,
}

impl<S: Split> Split for Blocks<S> {
    /// The items of a block.
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

/// Several consecutive items per environment.
pub(super) struct Strips<S> {
    pub(super) items: S,
    /// The number of environments.
    pub(super) count: usize,
    /// The number of items per environment.
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
