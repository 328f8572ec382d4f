//! Open lists.

use std::collections::{BTreeMap, VecDeque};

/// A priority queue: the smallest key first, and the oldest entry first among equal keys.
#[derive(Clone, Debug)]
pub(crate) struct OpenList<K, T> {
    buckets: BTreeMap<K, VecDeque<T>>,
    len: usize,
}

impl<K: Ord + Copy, T> OpenList<K, T> {
    pub(crate) const fn new() -> Self {
        Self {
            buckets: BTreeMap::new(),
            len: 0,
        }
    }

    pub(crate) fn push(&mut self, key: K, entry: T) {
        self.buckets.entry(key).or_default().push_back(entry);
        self.len += 1;
    }

    /// Adds entries with the same key, in order.
    pub(crate) fn extend(&mut self, key: K, entries: impl Iterator<Item = T>) {
        let mut entries = entries.peekable();
        if entries.peek().is_none() {
            return;
        }
        let bucket = self.buckets.entry(key).or_default();
        let before = bucket.len();
        bucket.extend(entries);
        self.len += bucket.len() - before;
    }

    pub(crate) fn pop(&mut self) -> Option<(K, T)> {
        let mut first = self.buckets.first_entry()?;
        let key = *first.key();
        let entry = first.get_mut().pop_front();
        if first.get().is_empty() {
            first.remove();
        }
        self.len -= usize::from(entry.is_some());
        entry.map(|entry| (key, entry))
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the bytes used by the entries.
    pub(crate) const fn bytes(&self) -> usize {
        self.len * size_of::<T>()
    }
}

/// Several open lists that take turns. Each pop takes from the non-empty list with the fewest pops, and a list can get
/// temporary priority (Richter and Westphal 2010, "The LAMA planner").
#[derive(Clone, Debug)]
pub(crate) struct Alternation<K, T> {
    lists: Vec<(OpenList<K, T>, i64)>,
}

impl<K: Ord + Copy, T> Alternation<K, T> {
    pub(crate) fn new(lists: usize) -> Self {
        Self {
            lists: (0..lists).map(|_| (OpenList::new(), 0)).collect(),
        }
    }

    /// Adds entries with the same key to a list, in order.
    pub(crate) fn extend(&mut self, list: usize, key: K, entries: impl Iterator<Item = T>) {
        self.lists[list].0.extend(key, entries);
    }

    /// Gives a list priority for this many pops.
    pub(crate) fn boost(&mut self, list: usize, turns: i64) {
        self.lists[list].1 -= turns;
    }

    pub(crate) fn pop(&mut self) -> Option<(K, T)> {
        let filled = self.lists.iter_mut().filter(|(list, _)| !list.is_empty());
        let (list, used) = filled.min_by_key(|(_, used)| *used)?;
        *used += 1;
        list.pop()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lists.iter().all(|(list, _)| list.is_empty())
    }

    pub(crate) fn bytes(&self) -> usize {
        self.lists.iter().map(|(list, _)| list.bytes()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_of_the_least_comes_first() {
        let mut list = OpenList::new();
        [(3, 'a'), (1, 'b'), (1, 'c'), (2, 'd')]
            .into_iter()
            .for_each(|(key, entry)| list.push(key, entry));
        let popped: String = std::iter::from_fn(|| list.pop())
            .map(|(_, entry)| entry)
            .collect();
        assert_eq!(popped, "bcda");
        assert!(list.is_empty());
        list.extend(2, "xy".chars());
        list.extend(1, "".chars());
        assert_eq!(list.bytes(), 2 * size_of::<char>());
        assert_eq!(
            [list.pop(), list.pop(), list.pop()],
            [Some((2, 'x')), Some((2, 'y')), None]
        );
    }

    #[test]
    fn lists_take_turns_unless_one_has_priority() {
        let mut lists = Alternation::new(2);
        for key in 0..4 {
            lists.extend(0, key, std::iter::once('a'));
            lists.extend(1, key, std::iter::once('b'));
        }
        let mut popped: String = (0..4)
            .filter_map(|_| lists.pop())
            .map(|(_, entry)| entry)
            .collect();
        assert_eq!(popped, "abab");
        lists.boost(1, 2);
        popped = std::iter::from_fn(|| lists.pop())
            .map(|(_, entry)| entry)
            .collect();
        assert_eq!(popped, "bbaa");
    }
}
