//! How the episodes of a rollout ended.

use crate::episode::EpisodeEnd;

/// The number of episodes of a rollout by the reason of their end, in [`Rollout::ends`](super::Rollout::ends). The sum
/// is [`Rollout::episodes`](super::Rollout::episodes).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EndCounts {
    /// Ended at the goal.
    pub goal: u64,
    /// Ended by a termination condition of the problem other than the goal.
    pub terminal: u64,
    /// Ended in a state in which the system reports that no action is valid.
    pub dead_end: u64,
    /// Cut off by a broken state invariant.
    pub invariant: u64,
    /// Cut off after the maximum number of steps.
    pub horizon: u64,
    /// Ended because the policy chose no action although the system reports no dead end, such as at the end of a plan,
    /// or cut off because the rollout was stopped.
    pub stopped: u64,
}

impl EndCounts {
    /// Counts the end of an episode; `None` counts as stopped.
    pub(super) const fn count(&mut self, end: Option<EpisodeEnd>) {
        let count = match end {
            Some(EpisodeEnd::Goal) => &mut self.goal,
            Some(EpisodeEnd::Terminal) => &mut self.terminal,
            Some(EpisodeEnd::DeadEnd) => &mut self.dead_end,
            Some(EpisodeEnd::Invariant) => &mut self.invariant,
            Some(EpisodeEnd::Horizon) => &mut self.horizon,
            None => &mut self.stopped,
        };
        *count += 1;
    }

    pub(super) const fn add(&mut self, other: &Self) {
        self.goal += other.goal;
        self.terminal += other.terminal;
        self.dead_end += other.dead_end;
        self.invariant += other.invariant;
        self.horizon += other.horizon;
        self.stopped += other.stopped;
    }
}
