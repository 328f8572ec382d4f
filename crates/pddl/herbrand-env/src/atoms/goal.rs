//! The distance of a state from the goal.

use herbrand_ground::Literal;
use herbrand_step::Walker;

/// The number of goal literals, and the literals that a state does not satisfy. Numeric comparisons of the goal are
/// not counted. If the problem has no goal, or grounding found the goal unreachable, there are no literals and none is
/// missing, although the goal does not hold; [`Walker::is_goal`](herbrand_step::Walker::is_goal) tells.
/// [`Planning::goal_progress`](crate::Planning::goal_progress) returns it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GoalProgress {
    /// The number of literals in the goal. For a disjunctive goal, in the disjunct with the fewest unsatisfied
    /// literals. Literals that grounding found true in every state are not counted.
    pub literals: usize,
    /// The goal literals that the state does not satisfy, of the same disjunct. Their atoms are ids of the ground
    /// task. Of disjuncts with equally many, the first counts.
    pub missing: Vec<Literal>,
}

impl GoalProgress {
    /// Evaluates the goal in the current state of `walker`. Takes time linear in the size of the goal.
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
