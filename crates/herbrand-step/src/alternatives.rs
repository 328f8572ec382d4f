//! Draws among the alternatives of a probabilistic effect.

use herbrand_core::uniform_unit;
use herbrand_ground::BlockId;
use rand::Rng;

use crate::firing::remainder;

/// Draws one of the alternatives, or none with what they leave of 1; with the probability of what was drawn.
#[inline]
pub(crate) fn draw_alternative(
    alternatives: &[(f64, BlockId)],
    rng: &mut (impl Rng + ?Sized),
) -> (f64, Option<BlockId>) {
    let mut left = uniform_unit(rng);
    for &(probability, block) in alternatives {
        if left < probability {
            return (probability, Some(block));
        }
        left -= probability;
    }
    // Rounding may leave a sliver behind alternatives of sum 1.
    let rest = remainder(alternatives);
    let last = alternatives.iter().rfind(|&&(probability, _)| probability > 0.0);
    match last {
        Some(&(probability, block)) if rest == 0.0 => (probability, Some(block)),
        _ => (rest, None),
    }
}

/// The most likely of the alternatives, or none where no change is likelier than each; the first of equals.
pub(crate) fn most_likely(alternatives: &[(f64, BlockId)]) -> Option<BlockId> {
    let mut best = (remainder(alternatives), None);
    for &(probability, block) in alternatives.iter().rev() {
        if probability >= best.0 {
            best = (probability, Some(block));
        }
    }
    best.1
}
