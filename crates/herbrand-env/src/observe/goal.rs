//! What the goal still lacks.

use herbrand_ground::Literal;
use herbrand_step::Walker;

/// How far a state is from the goal, by its literals. Comparisons of numbers are not counted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoalProgress {
    /// How many literals the goal asks for; of several ways to reach it, in the one that lacks least.
    pub literals: usize,
    /// Those that do not hold.
    pub missing: Vec<Literal>,
}

impl GoalProgress {
    /// How far `walker` is from its goal. Takes time linear in the size of the goal.
    #[must_use]
    pub fn of(walker: &Walker) -> Self {
        let task = walker.simulator().task();
        let ways = task.conditions.conjunctions(task.goal).map(|conjunction| {
            let literals = task.conditions.get(conjunction).literals;
            let holds = |literal: &&Literal| walker.holds(literal.atom()) != literal.is_negative();
            Self {
                literals: literals.len(),
                missing: literals
                    .iter()
                    .filter(|literal| !holds(literal))
                    .copied()
                    .collect(),
            }
        });
        ways.min_by_key(|way| way.missing.len()).unwrap_or_default()
    }
}
