//! Deciding conditions and draws while the effects of an action are collected.

use herbrand_ground::{ConditionId, Distribution};
use rand::Rng;

use crate::semantics::options::Chance;

/// Decides which effect blocks happen: conditions by the old state, draws by chance.
pub(crate) trait Decide {
    /// Returns whether a condition holds before the action.
    fn holds(&self, condition: ConditionId) -> bool;

    /// Returns the alternative that is drawn; `None` for no change.
    fn draw(&mut self, distribution: &Distribution) -> Option<usize>;
}

/// Decides conditions by a function and draws by a random generator.
pub(crate) struct Sampled<'a, H, R: ?Sized> {
    pub(crate) holds: H,
    pub(crate) chance: Chance,
    pub(crate) rng: &'a mut R,
    /// The product of the probabilities of all draws so far.
    pub(crate) probability: f64,
}

impl<H: Fn(ConditionId) -> bool, R: Rng + ?Sized> Decide for Sampled<'_, H, R> {
    fn holds(&self, condition: ConditionId) -> bool {
        (self.holds)(condition)
    }

    fn draw(&mut self, distribution: &Distribution) -> Option<usize> {
        if self.chance == Chance::MostLikely {
            return distribution.most_likely();
        }
        let drawn = distribution.draw(self.rng.next_u64());
        self.probability *= distribution.probability(drawn);
        drawn
    }
}
