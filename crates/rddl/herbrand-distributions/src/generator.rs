//! A counter-based random number generator.

use crate::draws::{DrawKey, Draws, Site};

/// A source of uniform random numbers without state: each number is a function of (seed, environment, step, site).
/// [`keyed`](Self::keyed) creates one for a step; draw from it by the methods of [`Draws`].
///
/// The number of a site is the site-th output of a splittable generator (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014) that starts at the key of the step:
///
/// ```text
///  seed ──▶ scramble ──▶ + environment ──▶ scramble ──▶ + step ──▶ scramble ──▶ key of the step
///                                                     key + (site + 1) · golden ──▶ scramble ──▶ 52 bits
/// ```
///
/// A draw costs a few multiplications and needs no memory. It does not depend on the order, the lane or the thread of the
/// draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RandomGenerator {
    key: u64,
}

/// 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Stafford's variant 13 of the 64-bit finaliser of MurmurHash3.
#[inline]
fn scramble(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[inline]
fn mix(key: u64, part: u64) -> u64 {
    scramble(key ^ scramble(part.wrapping_add(GOLDEN)))
}

impl RandomGenerator {
    /// Creates the generator for one step of one environment. The same three numbers give the same draws. `environment` is
    /// the number of the environment in a batch, `step` the number of the step.
    #[inline]
    #[must_use]
    pub fn keyed(seed: u64, environment: u64, step: u64) -> Self {
        Self::of_environment(seed, environment).at_step(step)
    }

    /// Creates the generator of an environment, from which [`at_step`](Self::at_step) derives the generators of its
    /// steps. Use [`keyed`](Self::keyed) for a single step.
    #[inline]
    #[must_use]
    pub fn of_environment(seed: u64, environment: u64) -> Self {
        Self::from_key(mix(scramble(seed.wrapping_add(GOLDEN)), environment))
    }

    /// Derives the generator of a step from the generator of an environment. The result equals [`keyed`](Self::keyed).
    #[inline]
    #[must_use]
    pub fn at_step(self, step: u64) -> Self {
        Self::from_key(mix(self.key, step))
    }

    /// Creates the generator of a step from a key, which should be a random word, such as the next word of the
    /// environment's stream.
    #[inline]
    #[must_use]
    pub const fn from_key(key: u64) -> Self {
        Self { key }
    }

    /// Returns the 64 random bits of the draw at `site`. Its [`uniform`](Draws::uniform) number is computed from them.
    #[inline]
    #[must_use]
    pub fn word(&self, site: Site) -> u64 {
        scramble(self.key.wrapping_add(offset(site)))
    }
}

/// Returns the offset of a site's state from the key.
#[inline]
const fn offset(site: Site) -> u64 {
    (site.0 as u64 + 1).wrapping_mul(GOLDEN)
}

/// Returns the midpoint of one of 2^52 equal parts of the unit interval: never 0 and never 1.
#[inline]
fn midpoint(word: u64) -> f64 {
    ((word >> 12) as f64 + 0.5) * (1.0 / (1_u64 << 52) as f64)
}

impl Draws for RandomGenerator {
    #[inline]
    fn uniform(&self, site: Site) -> f64 {
        midpoint(self.word(site))
    }

    /// The offsets do not depend on the generator, so a loop over generators computes them once.
    #[inline]
    fn uniform_of_two(&self, first: bool, [a, b]: [Site; 2]) -> f64 {
        let (a, b) = (offset(a), offset(b));
        midpoint(scramble(self.key.wrapping_add(if first { a } else { b })))
    }

    fn key(&self) -> Option<DrawKey> {
        Some(DrawKey::Word(self.key))
    }
}
