//! Seeded random numbers: a splittable generator and unbiased draws.

use std::convert::Infallible;

use rand::{Rng, TryRng};

/// A small, fast generator with independent streams, reproducible on every platform.
///
/// Each draw adds a constant to a counter and scrambles the result: the splittable generator of Steele, Lea and Flood
/// ("Fast splittable pseudorandom number generators", OOPSLA 2014). Each stream has a constant and a start of its own,
/// so that different streams give unrelated sequences. Not for cryptography.
///
/// [`below`](Self::below), [`unit`](Self::unit), [`chance`](Self::chance) and [`choose`](Self::choose) draw from it. It is
/// an [`Rng`] of the crate `rand` 0.10 too.
///
/// ```
/// use herbrand_core::Random;
///
/// let mut actions = Random::new(7).stream(0);
/// let mut again = Random::new(7).stream(0);
/// assert_eq!(actions.below(6), again.below(6));
/// if actions.chance(0.25) {
///     println!("{:?}", actions.choose(&["left", "right"]));
/// }
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Random {
    counter: u64,
    /// Odd, so that the counter takes all 2^64 values.
    increment: u64,
}

/// 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Mixes the bits of a word by Stafford's variant 13 of the MurmurHash3 64-bit finaliser. It maps different words to
/// different words, and 0 to 0.
#[inline]
#[must_use]
pub const fn scramble(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Derives an increment from a random word. The result is odd and has enough changes between adjacent bits.
fn increment_from(word: u64) -> u64 {
    let mixed = (word ^ (word >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let odd = (mixed ^ (mixed >> 33)) | 1;
    if (odd ^ (odd >> 1)).count_ones() < 24 {
        odd ^ 0xaaaa_aaaa_aaaa_aaaa
    } else {
        odd
    }
}

impl Random {
    /// Creates the generator of a seed. Equal seeds give equal draws on every platform.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let counter = scramble(seed.wrapping_add(GOLDEN));
        Self {
            counter,
            increment: increment_from(scramble(counter.wrapping_add(GOLDEN))),
        }
    }

    /// Returns the generator of stream `number`, a function of this generator's state and `number`. Different numbers
    /// give independent generators. This generator does not change, so the same `number` gives the same stream until
    /// the next draw.
    #[must_use]
    pub fn stream(&self, number: u64) -> Self {
        let counter =
            scramble(self.counter ^ scramble(number.wrapping_mul(GOLDEN).wrapping_add(self.increment)));
        Self {
            counter,
            increment: increment_from(scramble(counter.wrapping_add(GOLDEN))),
        }
    }

    /// Draws a number below `bound`, each with the same probability; 0 if `bound` is 0. It consumes at least one draw,
    /// also if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        uniform_below(self, bound)
    }

    /// Draws a number below `bounds[i]` from generator `i` of 64, as [`below`](Self::below) does, for every bit `i` of
    /// `which`. The other generators do not change, and their numbers have no meaning. Bounds are at most `u32::MAX`.
    ///
    /// All first draws are made in one loop without branches, so that the compiler can use vector instructions.
    #[inline(always)]
    pub fn below_each(generators: &mut [Self; 64], which: u64, bounds: &[u64; 64]) -> [u64; 64] {
        let (mut numbers, mut rejected) = ([0; 64], 0);
        for (lane, (generator, bound)) in generators.iter_mut().zip(bounds).enumerate() {
            let drawn = which >> lane & 1;
            let Self { counter, increment } = *generator;
            let counter = counter.wrapping_add(increment & drawn.wrapping_neg());
            // Increments are odd. They are written too, so that whole generators are stored: a store of the counters alone
            // would scatter them word by word.
            let increment = increment | 1;
            *generator = Self { counter, increment };
            let product = (scramble(counter) >> 32) * bound;
            numbers[lane] = product >> 32;
            rejected |= u64::from(product & u64::from(u32::MAX) < *bound) & drawn;
        }
        if rejected != 0 {
            let lanes = numbers.iter_mut().zip(generators).zip(bounds).enumerate();
            for (_, ((number, generator), bound)) in lanes.filter(|(lane, _)| which >> lane & 1 == 1) {
                let word = (scramble(generator.counter) >> 32) as u32;
                *number = u64::from(below_from(word, generator, *bound as u32));
            }
        }
        numbers
    }

    /// Draws a multiple of 2^-53 in [0, 1), each with the same probability. It consumes one draw.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        uniform_unit(self)
    }

    /// Draws `true` with this probability: never if it is at most 0 or NaN, always if it is at least 1. It consumes
    /// one draw in every case.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Draws one of `items` with equal probability; `None` if `items` is empty. If there are more than 2^32 - 1 items,
    /// only the first 2^32 - 1 can be drawn. A draw is consumed in every case.
    #[inline]
    pub fn choose<'i, T>(&mut self, items: &'i [T]) -> Option<&'i T> {
        let count = u32::try_from(items.len()).unwrap_or(u32::MAX);
        items.get(self.below(count) as usize)
    }

    /// Serialises the generator state; [`from_bytes`](Self::from_bytes) reads it on any platform.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 16] {
        let both = (self.counter as u128) << 64 | self.increment as u128;
        both.to_le_bytes()
    }

    /// Restores a generator from [`to_bytes`](Self::to_bytes); `None` if the bytes cannot have come from it, because
    /// their first one is even. The restored generator continues where the serialised one stopped.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 16]) -> Option<Self> {
        let both = u128::from_le_bytes(bytes);
        let increment = both as u64;
        if increment.is_multiple_of(2) {
            return None;
        }
        let counter = (both >> 64) as u64;
        Some(Self { counter, increment })
    }

    /// Reads the generator state into the cache without drawing.
    #[inline]
    pub(crate) const fn prefetch(&self) -> u64 {
        self.counter
    }

    #[inline]
    fn next(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(self.increment);
        scramble(self.counter)
    }
}

impl TryRng for Random {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok((self.next() >> 32) as u32)
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.next())
    }

    fn try_fill_bytes(&mut self, dest: &mut [u8]) -> Result<(), Infallible> {
        for chunk in dest.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

/// Draws a number below `bound` uniformly; returns 0 if `bound` is 0. At least one word is drawn, also if `bound` is
/// 0.
///
/// Usually takes one multiplication (Lemire, "Fast random integer generation in an interval", 2019).
#[inline]
pub fn uniform_below(rng: &mut (impl Rng + ?Sized), bound: u32) -> u32 {
    let word = rng.next_u32();
    below_from(word, rng, bound)
}

/// Like [`uniform_below`], with the first word drawn already.
#[inline]
fn below_from(word: u32, rng: &mut (impl Rng + ?Sized), bound: u32) -> u32 {
    let mut product = u64::from(word) * u64::from(bound);
    if (product as u32) < bound {
        let threshold = bound.wrapping_neg() % bound;
        while (product as u32) < threshold {
            product = u64::from(rng.next_u32()) * u64::from(bound);
        }
    }
    (product >> 32) as u32
}

/// Draws a multiple of 2^-53 in [0, 1) uniformly. It draws one word; the result is never 1.
#[inline]
pub fn uniform_unit(rng: &mut (impl Rng + ?Sized)) -> f64 {
    (rng.next_u64() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
}

#[cfg(test)]
mod tests {
    use rand::Rng;

    use super::{Random, uniform_below, uniform_unit};

    #[test]
    fn methods_draw_as_the_functions_do() {
        let (mut one, mut other) = (Random::new(5), Random::new(5));
        for bound in (0..100).chain([u32::MAX]) {
            assert_eq!(one.below(bound), uniform_below(&mut other, bound));
            assert_eq!(one.unit().to_bits(), uniform_unit(&mut other).to_bits());
            assert_eq!(one.chance(0.3), uniform_unit(&mut other) < 0.3);
        }
    }

    #[test]
    fn many_generators_draw_as_one_does() {
        let mut random = Random::new(4);
        // Large bounds reject many words.
        for largest in [1, 7, 100, 1 << 31, u32::MAX] {
            for _ in 0..50 {
                let which = random.next_u64();
                let mut many: [_; 64] = std::array::from_fn(|_| Random::new(random.next_u64()));
                let bounds: [_; 64] =
                    std::array::from_fn(|_| u64::from(largest - random.below(largest / 2 + 1)));
                let mut alone = many.clone();
                let numbers = Random::below_each(&mut many, which, &bounds);
                for lane in (0..64).filter(|lane| which >> lane & 1 == 1) {
                    let number = alone[lane].below(bounds[lane] as u32);
                    assert_eq!(numbers[lane], u64::from(number), "{largest} {lane}");
                }
                assert_eq!(many, alone);
            }
        }
    }

    #[test]
    fn certain_chances_are_certain() {
        let mut random = Random::new(2);
        for _ in 0..1000 {
            assert!(random.chance(1.0) && random.chance(7.0));
            assert!(!random.chance(0.0) && !random.chance(-1.0) && !random.chance(f64::NAN));
        }
    }

    #[test]
    fn every_item_is_chosen_equally_often() {
        let mut random = Random::new(3);
        let (items, mut counts) = ([0, 1, 2, 3, 4], [0; 5]);
        for _ in 0..50_000 {
            counts[*random.choose(&items).unwrap()] += 1;
        }
        // 10,000 on average, with a standard deviation of 89.
        assert!(
            counts.iter().all(|count| (9500..=10_500).contains(count)),
            "{counts:?}"
        );
        assert_eq!(random.choose::<u32>(&[]), None);
    }
}
