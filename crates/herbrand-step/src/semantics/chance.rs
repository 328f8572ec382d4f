//! Who decides which effects happen, and how a draw falls out.

use herbrand_core::uniform_unit;
use herbrand_ground::{BlockId, ConditionId};
use rand::Rng;

use crate::semantics::options::Chance;

/// What decides which blocks happen: the old state and chance.
pub(crate) trait Decide {
    /// Whether a condition holds before the action.
    fn holds(&self, condition: ConditionId) -> bool;

    /// The block that a draw brings about, if any.
    fn draw(&mut self, alternatives: &[(f64, BlockId)]) -> Option<BlockId>;
}

/// Decides conditions by a function and draws by a generator.
pub(crate) struct Sampled<'a, H, R: ?Sized> {
    pub(crate) holds: H,
    pub(crate) chance: Chance,
    pub(crate) rng: &'a mut R,
    /// The product of the probabilities of what was drawn.
    pub(crate) probability: f64,
}

impl<H: Fn(ConditionId) -> bool, R: Rng + ?Sized> Decide for Sampled<'_, H, R> {
    fn holds(&self, condition: ConditionId) -> bool {
        (self.holds)(condition)
    }

    fn draw(&mut self, alternatives: &[(f64, BlockId)]) -> Option<BlockId> {
        if self.chance == Chance::MostLikely {
            return most_likely(alternatives);
        }
        let (probability, block) = draw_alternative(alternatives, self.rng);
        self.probability *= probability;
        block
    }
}

/// What the probabilities of `draw` leave to no change. Less than a billionth is rounding.
pub(crate) fn remainder(alternatives: &[(f64, BlockId)]) -> f64 {
    let rest = 1.0
        - alternatives
            .iter()
            .map(|&(probability, _)| probability)
            .sum::<f64>();
    if rest < 1e-9 { 0.0 } else { rest }
}

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
