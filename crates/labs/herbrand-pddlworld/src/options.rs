//! Options of worlds.

use crate::sketch::Sketch;

/// The options of [`Worlds`](crate::Worlds). [`Worlds::new`](crate::Worlds::new) takes them. By default an empty sketch
/// at the start, numbered actions without questions, the default [`Rewards`] and [`Ends`], and 1,000 states per search.
#[derive(Clone, PartialEq, Debug)]
pub struct WorldOptions {
    /// The sketch at the start of an episode.
    pub start: Start,
    /// The encoding of edits as actions of the agent.
    pub actions: ActionForm,
    /// Whether the agent can ask whether its model is equivalent and whether it solves each problem, with one action
    /// per question. Requires [`ActionForm::Numbered`].
    pub queries: bool,
    /// The weights of the scores that make up the rewards.
    pub rewards: Rewards,
    /// The conditions that end an episode.
    pub ends: Ends,
    /// The maximum number of steps of an episode, at least 1. `None` means twice the number of signs, which is four
    /// times the number of literals, and at least 2.
    pub horizon: Option<u32>,
    /// The maximum number of states that a search for a plan may reach, per problem. A problem with a larger search
    /// counts as not solved.
    pub most_states: usize,
}

/// The choice of the sketch that an episode starts from. [`Worlds::new`](crate::Worlds::new) fails if a given sketch
/// does not fit a target. It is [`WorldOptions::start`]; the default is [`Empty`](Self::Empty).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Start {
    /// No literals.
    #[default]
    Empty,
    /// A random sketch: each sign is drawn uniformly.
    Random,
    /// The target with this number of different signs changed, or all if there are fewer. The signs and their new
    /// values are drawn uniformly.
    Corrupted(u32),
    /// The given sketch.
    Given(Sketch),
}

/// The encoding of edits as actions of the agent. It is [`WorldOptions::actions`]; the default is
/// [`Numbered`](Self::Numbered).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ActionForm {
    /// One number for each combination of a literal, a part of the operator and a sign. The action mask excludes the
    /// current sign of each literal.
    #[default]
    Numbered,
    /// Four numbers per action, as in gym-pddlworld: clause (0 precondition, 1 effect), operator, literal, and value (0
    /// positive, 1 absent, 2 negative). Setting the current value is permitted and changes nothing. The mask permits
    /// all numbers, but a step fails with [`WorldError::NotAnEdit`](crate::WorldError::NotAnEdit) if the operator has
    /// no such literal.
    Tuple,
}

/// The weights of the scores that make up the rewards. The reward of a step is the weighted increase of the sketch's
/// scores minus a cost.
///
/// Scores range from 0 to 1, and the target has the greatest score of each kind. Because each step pays an increase,
/// the rewards of an episode sum to the difference of its last and first score, minus the costs. They are
/// [`WorldOptions::rewards`]. [`Worlds::new`](crate::Worlds::new) fails if a weight or cost is not finite. By default,
/// agreement and equivalence have the weight 1, the others 0, and steps cost nothing.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rewards {
    /// The weight of the share of signs that are the same in the sketch and in the target.
    pub distance: f64,
    /// The weight of the share of pairs of a state and a ground action on which the model agrees with the target.
    pub agreement: f64,
    /// The weight of equivalence: its score is 1 if the model agrees with the target in every state, and 0 otherwise.
    pub equivalent: f64,
    /// The weight of the share of problems for which a plan of the model reaches the goal in the target.
    pub solved: f64,
    /// The weight of [`Predictions::likelihood`](crate::Predictions::likelihood): the geometric mean probability of the
    /// bits observed on random walks, with [`noise`](Self::noise).
    pub likelihood: f64,
    /// The assumed probability that a prediction is wrong, for `likelihood`. It must be above 0 and below 1.
    pub noise: f64,
    /// The cost of each step, subtracted from its reward.
    pub step_cost: f64,
}

/// The conditions that end an episode; any of them suffices. The first three are goals. Without any, only the horizon
/// ends it. They are [`WorldOptions::ends`]; by default, only equivalence ends an episode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ends {
    /// Whether the episode ends when the sketch equals the target.
    pub equal: bool,
    /// Whether the episode ends when the model agrees with the target in every state.
    pub equivalent: bool,
    /// Whether the episode ends when plans of the model solve all problems. A problem without a goal is never solved.
    pub solved: bool,
    /// Whether the agent can submit its model, with one more action. Requires [`ActionForm::Numbered`]. Submitting
    /// always ends the episode. The goal is then reached if the submitted model is equivalent to the target.
    pub submitted: bool,
}

impl Rewards {
    /// Weights of zero: no rewards and no costs, with a noise of 0.01. Set single fields from it.
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
    /// Behaviour only: agreement and equivalence, with equal weights.
    fn default() -> Self {
        Self {
            agreement: 1.0,
            equivalent: 1.0,
            ..Self::NONE
        }
    }
}

impl Default for Ends {
    /// Equivalence only.
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
    /// The empty sketch, numbered actions without questions, the default rewards and ends, no own horizon and 1000
    /// states per search.
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
    /// Returns an error message if the options are invalid for every target.
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

    /// Returns whether plans are needed after every edit.
    pub(crate) const fn needs_plans(&self) -> bool {
        self.rewards.solved != 0.0 || self.ends.solved
    }

    /// Returns whether predictions are needed after every edit.
    pub(crate) const fn needs_predictions(&self) -> bool {
        self.rewards.likelihood != 0.0
    }
}
