//! Random numbers that are equal on every platform.

use herbrand_step::{Random, uniform_below};

/// A stream of random numbers for generating a problem. All draws use integers below a bound, so there are no rounding
/// differences.
#[derive(Clone, Debug)]
pub struct Dice(Random);

impl Dice {
    /// Creates the stream for an attempt at a problem. Its numbers are a function of these four numbers.
    pub fn new(seed: u64, size: u32, index: u64, attempt: u64) -> Self {
        let problem = Random::new(seed).stream(u64::from(size)).stream(index);
        Self(problem.stream(attempt))
    }

    /// Draws a number below `bound`, which must not be 0.
    pub fn below(&mut self, bound: usize) -> usize {
        uniform_below(&mut self.0, bound as u32) as usize
    }

    /// Draws a number from `least` to `most` inclusive; returns `least` if `most` is smaller.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most.saturating_sub(least) + 1)
    }

    /// Draws `true` with probability `part / whole`.
    pub fn chance(&mut self, part: usize, whole: usize) -> bool {
        self.below(whole) < part
    }

    /// Draws one of the items. Panics if there are none.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// Draws a number below `bound` that differs from `not`, which must be below `bound` too. Panics if `bound` is
    /// below 2.
    pub fn other(&mut self, bound: usize, not: usize) -> usize {
        (not + 1 + self.below(bound - 1)) % bound
    }

    /// Draws an index with probability proportional to its weight. The weights must not all be 0.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut left = self.below(weights.iter().sum());
        let position = weights.iter().position(|&weight| {
            let here = left < weight;
            left = left.saturating_sub(weight);
            here
        });
        position.unwrap_or(0)
    }

    /// Shuffles the items in place. All orders are equally likely.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// Draws a permutation: the numbers below `count` in random order.
    pub fn permutation(&mut self, count: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..count).collect();
        self.shuffle(&mut numbers);
        numbers
    }

    /// Draws `size` different items in random order, or all of them if there are fewer.
    pub fn sample<T: Clone>(&mut self, items: &[T], size: usize) -> Vec<T> {
        let order = self.permutation(items.len());
        order
            .into_iter()
            .take(size)
            .map(|index| items[index].clone())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_stay_within_their_bounds_and_take_all_values() {
        let mut dice = Dice::new(1, 2, 3, 0);
        let mut seen = [false; 4];
        for _ in 0..200 {
            let number = dice.between(3, 6);
            assert!((3..=6).contains(&number));
            seen[number - 3] = true;
            assert_ne!(dice.other(4, 2), 2);
            assert_ne!(dice.weighted(&[3, 0, 1]), 1);
        }
        assert_eq!(seen, [true; 4]);
        let mut permutation = dice.permutation(20);
        permutation.sort_unstable();
        assert_eq!(permutation, (0..20).collect::<Vec<_>>());
        assert_eq!(dice.sample(&[7, 8], 5).len(), 2);
    }

    #[test]
    fn each_number_of_the_key_makes_a_stream_of_its_own() {
        let first = |seed, size, index, attempt| Dice::new(seed, size, index, attempt).below(1 << 30);
        let draws = [
            first(0, 0, 0, 0),
            first(1, 0, 0, 0),
            first(0, 1, 0, 0),
            first(0, 0, 1, 0),
            first(0, 0, 0, 1),
        ];
        for (index, draw) in draws.iter().enumerate() {
            assert!(!draws[..index].contains(draw), "{draws:?}");
        }
    }
}
