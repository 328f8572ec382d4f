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
    /// Sorts `count` rows of `arity` numbers, which `cell` returns by row and column.
    pub(super) fn of(count: u32, arity: usize, cell: impl Fn(u32, usize) -> u32) -> Self {
        let bits = u32::BITS - count.leading_zeros();
        let Some(columns) = Column::of_all(count, arity, u64::BITS - bits, &cell) else {
            let mut rows: Vec<u32> = (0..count).collect();
            let tuple = |row: u32| (0..arity).map(move |column| (row, column));
            let read = |(row, column)| cell(row, column);
            rows.sort_by(|&a, &b| tuple(a).map(read).cmp(tuple(b).map(read)));
            return Self::Listed(rows);
        };
        let pack = |row: u32| {
            let digit = |(index, column): (usize, &Column)| {
                u64::from(cell(row, index) - column.least) * column.stride
            };
            let tuple: u64 = columns.iter().enumerate().map(digit).sum();
            tuple << bits | u64::from(row)
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
    /// Returns all columns; `None` if packed tuples would take more than `bits` bits.
    fn of_all(count: u32, arity: usize, bits: u32, cell: &impl Fn(u32, usize) -> u32) -> Option<Vec<Self>> {
        let (mut columns, mut stride) = (Vec::with_capacity(arity), 1u64);
        for index in (0..arity).rev() {
            let (least, most) = (0..count).fold((u32::MAX, 0), |(least, most), row| {
                let number = cell(row, index);
                (least.min(number), most.max(number))
            });
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
            let order = Order::of(500, arity, |row, column| tuples[row as usize][column]);
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
