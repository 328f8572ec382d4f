//! A priority queue of facts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A bucket queue: each cost below a bound has a bucket, and all other entries share a heap. The order among facts of equal
/// cost is deterministic.
#[derive(Clone, Debug, Default)]
pub(super) struct FactQueue {
    buckets: Vec<Vec<u32>>,
    /// The index of the first bucket that may be non-empty.
    first: usize,
    /// The number of facts in all buckets.
    waiting: usize,
    far: BinaryHeap<Reverse<(u32, u32)>>,
}

/// The maximum number of buckets.
const BUCKETS: usize = 1 << 12;

impl FactQueue {
    /// Removes all entries, but keeps the memory.
    pub(super) fn clear(&mut self) {
        if self.waiting > 0 {
            self.buckets.iter_mut().for_each(Vec::clear);
        }
        (self.first, self.waiting) = (0, 0);
        self.far.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, cost: u32, fact: u32) {
        let bucket = cost as usize;
        if bucket >= BUCKETS {
            return self.far.push(Reverse((cost, fact)));
        }
        if bucket >= self.buckets.len() {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(fact);
        self.first = self.first.min(bucket);
        self.waiting += 1;
    }

    /// Removes and returns an entry with the lowest cost.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<(u32, u32)> {
        if self.waiting == 0 {
            return self.far.pop().map(|Reverse(entry)| entry);
        }
        loop {
            if let Some(fact) = self.buckets[self.first].pop() {
                self.waiting -= 1;
                return Some((self.first as u32, fact));
            }
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_come_out_by_cost() {
        let mut queue = FactQueue::default();
        let costs = [7, 0, 5000, 3, 3, 4095, 4096, 1 << 30];
        costs.iter().for_each(|&cost| queue.push(cost, cost / 2));
        let mut sorted = costs.to_vec();
        sorted.sort_unstable();
        let popped: Vec<_> = std::iter::from_fn(|| queue.pop()).collect();
        let expected: Vec<_> = sorted.into_iter().map(|cost| (cost, cost / 2)).collect();
        assert_eq!(popped, expected);
        queue.push(4, 1);
        queue.clear();
        assert_eq!(queue.pop(), None);
    }
}
