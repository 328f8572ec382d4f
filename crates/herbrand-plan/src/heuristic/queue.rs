//! A queue of facts by cost.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A monotone priority queue: costs below a bound have a bucket each, the others share a heap. Facts of one cost come out
/// in an order that depends on nothing but what was put in.
#[derive(Clone, Debug, Default)]
pub(super) struct FactQueue {
    buckets: Vec<Vec<u32>>,
    /// All buckets before this one are empty.
    first: usize,
    /// How many facts are in buckets.
    waiting: usize,
    far: BinaryHeap<Reverse<(u32, u32)>>,
}

/// How many buckets there are at most.
const BUCKETS: usize = 1 << 12;

impl FactQueue {
    /// Empties the queue; the memory is kept.
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

    /// A fact of the least cost.
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
