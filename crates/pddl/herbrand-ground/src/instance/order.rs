//! Sorting of tuples of object numbers.

/// The numbers of rows, sorted by the rows' tuples. Rows with equal tuples are sorted by their numbers.
///
/// If a tuple and a row number fit into one 64-bit word, only these words are stored and compared.
pub(super) enum Order {
    /// Words that consist of the packed tuple and, in the lowest `bits` bits, the row number.
    Packed { words: Vec<u64>, bits: u32 },
    /// The row numbers.
    Listed(Vec<u32>),
}

impl Order {
    /// Sorts `count` rows of `arity` numbers, which `tuple` returns.
    pub(super) fn of<T: IntoIterator<Item = u32>>(
        count: u32,
        arity: usize,
        tuple: impl Fn(u32) -> T,
    ) -> Self {
        let bits = u32::BITS - count.leading_zeros();
        let Some(columns) = Column::of_all((0..count).map(&tuple), arity, u64::BITS - bits) else {
            let mut rows: Vec<u32> = (0..count).collect();
            rows.sort_by(|&a, &b| tuple(a).into_iter().cmp(tuple(b)));
            return Self::Listed(rows);
        };
        let pack = |row: u32| {
            let digits = tuple(row).into_iter().zip(&columns);
            let digit = |(cell, column): (u32, &Column)| u64::from(cell - column.least) * column.stride;
            digits.map(digit).sum::<u64>() << bits | u64::from(row)
        };
        let mut words: Vec<u64> = (0..count).map(pack).collect();
        words.sort_unstable();
        Self::Packed { words, bits }
    }

    /// Returns the number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Packed { words, .. } => words.len(),
            Self::Listed(rows) => rows.len(),
        }
    }

    /// Returns the row at a position.
    #[inline]
    pub(super) fn row(&self, position: usize) -> u32 {
        match self {
            Self::Packed { words, bits } => (words[position] & ((1 << bits) - 1)) as u32,
            Self::Listed(rows) => rows[position],
        }
    }

    /// Iterates over the rows in order.
    pub(super) fn rows(&self) -> impl Iterator<Item = u32> {
        (0..self.len()).map(|position| self.row(position))
    }
}

/// A column as a digit of a packed tuple.
struct Column {
    least: u32,
    stride: u64,
}

impl Column {
    /// Returns all columns of some tuples; `None` if packed tuples would take more than `bits` bits.
    fn of_all(
        tuples: impl Iterator<Item: IntoIterator<Item = u32>>,
        arity: usize,
        bits: u32,
    ) -> Option<Vec<Self>> {
        let mut ranges = vec![(u32::MAX, 0); arity];
        for tuple in tuples {
            for (cell, (least, most)) in tuple.into_iter().zip(&mut ranges) {
                *least = cell.min(*least);
                *most = cell.max(*most);
            }
        }
        let (mut columns, mut stride) = (Vec::with_capacity(arity), 1u64);
        for (least, most) in ranges.into_iter().rev() {
            columns.push(Self { least, stride });
            stride = stride.checked_mul(u64::from(most.saturating_sub(least)) + 1)?;
        }
        columns.reverse();
        (u64::BITS - (stride - 1).leading_zeros() <= bits).then_some(columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a generator of deterministic pseudo-random numbers less than `below`.
    fn numbers(mut state: u64, below: u64) -> impl FnMut() -> u32 {
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            ((state >> 33) % below) as u32
        }
    }

    #[test]
    fn rows_come_in_order_of_their_tuples() {
        for (below, arity, packed) in [
            (3, 2, true),
            (70_000, 3, true),
            (u64::from(u32::MAX), 2, false),
            (5, 0, true),
        ] {
            let mut next = numbers(below, below);
            let tuples: Vec<Vec<u32>> = (0..500).map(|_| (0..arity).map(|_| next()).collect()).collect();
            let order = Order::of(500, arity, |row| tuples[row as usize].iter().copied());
            assert_eq!(
                matches!(order, Order::Packed { .. }),
                packed,
                "numbers below {below}"
            );
            let mut expected: Vec<u32> = (0..500).collect();
            expected.sort_by_key(|&row| &tuples[row as usize]);
            assert_eq!(
                order.rows().collect::<Vec<_>>(),
                expected,
                "numbers below {below}"
            );
        }
    }
}
