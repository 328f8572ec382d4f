//! A compact list of lists of integers.

/// Lists of integers, stored contiguously. Heuristics spend most of their time on look-ups, so the start of each list is
/// stored, even if the list is empty.
#[derive(Clone, Debug)]
pub(crate) struct Lists {
    /// The start of each list, then the end of the last one.
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            starts: vec![0],
            items: Vec::new(),
        }
    }
}

impl Lists {
    /// Appends a list.
    ///
    /// # Panics
    /// Panics if there are 2^32 or more items in total. The memory limit is far below that.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        let end = u32::try_from(self.items.len());
        self.starts
            .push(end.expect("fewer than 2^32 items fit in memory"));
    }

    /// Returns the list with a number.
    #[inline]
    pub(crate) fn row(&self, number: u32) -> &[u32] {
        let number = number as usize;
        &self.items[self.starts[number] as usize..self.starts[number + 1] as usize]
    }

    /// Returns the lists, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u32]> {
        self.starts
            .windows(2)
            .map(|ends| &self.items[ends[0] as usize..ends[1] as usize])
    }

    pub(crate) fn bytes(&self) -> usize {
        (self.starts.len() + self.items.len()) * size_of::<u32>()
    }

    /// Returns the transposed lists: for each of `columns` numbers, the lists that contain it, ascending.
    pub(crate) fn transposed(&self, columns: usize) -> Self {
        let mut starts = vec![0_u32; columns + 1];
        for &column in &self.items {
            starts[column as usize + 1] += 1;
        }
        for column in 0..columns {
            starts[column + 1] += starts[column];
        }
        let mut next = starts.clone();
        let mut items = vec![0_u32; self.items.len()];
        for (number, list) in (0_u32..).zip(self.iter()) {
            for &column in list {
                let place = &mut next[column as usize];
                items[*place as usize] = number;
                *place += 1;
            }
        }
        Self { starts, items }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_what_was_pushed_and_turn_around() {
        let pushed: [&[u32]; 5] = [&[], &[1, 3], &[], &[0, 3], &[]];
        let mut lists = Lists::default();
        pushed.iter().for_each(|list| lists.push(list.iter().copied()));
        assert!(lists.iter().eq(pushed));
        assert!((0..).zip(pushed).all(|(number, list)| lists.row(number) == list));
        let turned = lists.transposed(4);
        assert!(turned.iter().eq([&[3][..], &[1], &[], &[1, 3]]));
        assert!(turned.transposed(5).iter().eq(pushed));
    }
}
