//! How a domain under edit is an environment.

use crate::Sketch;

/// The options of [`Worlds`](crate::Worlds).
#[derive(Clone, PartialEq, Debug)]
pub struct WorldOptions {
    /// The sketch that episodes begin with.
    pub start: Start,
    /// How edits are written as actions.
    pub actions: ActionForm,
    /// Whether the agent can ask whether its model is equivalent, and whether it solves each problem: one action for each
    /// question. Needs [`ActionForm::Numbered`].
    pub queries: bool,
    /// What is rewarded.
    pub rewards: Rewards,
    /// What ends an episode.
    pub ends: Ends,
    /// After how many steps an episode is cut off; twice the number of signs if left out.
    pub horizon: Option<u32>,
    /// How many states a search for a plan may meet, for each problem.
    pub most_states: usize,
}

/// The sketch that an episode begins with.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// No literal occurs.
    #[default]
    Empty,
    /// Each sign is drawn uniformly.
    Random,
    /// The target, in which so many signs, drawn uniformly, are others than they should be.
    Corrupted(u32),
    /// This one.
    Given(Sketch),
}

/// How edits are written as actions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ActionForm {
    /// One number for each sign and each of its values; the value that a sign has is masked.
    #[default]
    Numbered,
    /// Four numbers, as in gym-pddlworld: clause (0 preconditions, 1 effects), operator, literal, and value (0 positive, 1
    /// absent, 2 negative). A value may be set again, which changes nothing.
    Tuple,
}

/// What is rewarded: by how much each score of the sketch grows, times its weight, minus a cost per step.
///
/// Scores are from 0 to 1, and 1 for the target. As each step pays the growth of a score, an episode pays the difference
/// between its last and its first score, and the rewards can be summed in any mix.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rewards {
    /// The share of signs that are those of the target.
    pub distance: f64,
    /// The share of states and ground actions in which the model does what the target does.
    pub agreement: f64,
    /// 1 where the model does what the target does in every state.
    pub equivalent: f64,
    /// The share of problems for which a plan of the model reaches the goal in the target.
    pub solved: f64,
    /// The geometric mean of the probability of each bit that was seen on random walks, each prediction being wrong with a
    /// probability of [`noise`](Self::noise).
    pub likelihood: f64,
    /// With which probability a prediction is taken to be wrong.
    pub noise: f64,
    /// What each step costs.
    pub step_cost: f64,
}

/// What ends an episode. The first three are goals, where they hold.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ends {
    /// The sketch is the target.
    pub equal: bool,
    /// The model does what the target does in every state.
    pub equivalent: bool,
    /// Plans of the model solve all problems.
    pub solved: bool,
    /// The agent submits its model: one more action, which needs [`ActionForm::Numbered`]. Whether the goal is reached is then
    /// whether the model is equivalent.
    pub submitted: bool,
}

impl Rewards {
    /// No reward at all.
    pub const NONE: Self = Self {
        distance: 0.0,
        agreement: 0.0,
        equivalent: 0.0,
        solved: 0.0,
        likelihood: 0.0,
        noise: 0.01,
        step_cost: 0.0,
    };
}

impl Default for Rewards {
    /// The behaviour alone: agreement, and equivalence as much again.
    fn default() -> Self {
        Self {
            agreement: 1.0,
            equivalent: 1.0,
            ..Self::NONE
        }
    }
}

impl Default for Ends {
    /// Equivalence alone.
    fn default() -> Self {
        Self {
            equal: false,
            equivalent: true,
            solved: false,
            submitted: false,
        }
    }
}

impl Default for WorldOptions {
    fn default() -> Self {
        Self {
            start: Start::Empty,
            actions: ActionForm::Numbered,
            queries: false,
            rewards: Rewards::default(),
            ends: Ends::default(),
            horizon: None,
            most_states: 1000,
        }
    }
}

impl WorldOptions {
    /// What is wrong with these options, whatever the target.
    pub(crate) fn fault(&self) -> Option<String> {
        let Rewards {
            distance,
            agreement,
            equivalent,
            solved,
            likelihood,
            noise,
            step_cost,
        } = self.rewards;
        let numbers = [distance, agreement, equivalent, solved, likelihood, step_cost];
        if !numbers.iter().all(|number| number.is_finite()) {
            return Some("rewards and the cost of a step are finite numbers".to_owned());
        }
        if !(noise > 0.0 && noise < 1.0) {
            return Some(format!("noise is a probability between 0 and 1, not {noise}"));
        }
        if self.actions == ActionForm::Tuple && (self.queries || self.ends.submitted) {
            return Some(
                "actions of four numbers are edits: queries and submitting need numbered actions".to_owned(),
            );
        }
        if self.horizon == Some(0) {
            return Some("a horizon is 1 or more".to_owned());
        }
        None
    }

    /// Whether plans have to be looked for after every edit.
    pub(crate) const fn needs_plans(&self) -> bool {
        self.rewards.solved != 0.0 || self.ends.solved
    }

    /// Whether what was seen on walks has to be predicted after every edit.
    pub(crate) const fn needs_predictions(&self) -> bool {
        self.rewards.likelihood != 0.0
    }
}
