//! One thread's part of a rollout.

use super::digest::{Digest, Traced};
use super::{Policy, Until};
use crate::{AgentActionId, EnvError, Episode, PlanningError, Step, Streams};

/// Runs episodes, given by their numbers, and adds up what they come to.
pub(super) struct Worker<'a, E: Traced> {
    policy: &'a Policy,
    /// By problem.
    episodes: Vec<(Episode<E>, E::Names)>,
    seed: u64,
    joint: Vec<AgentActionId>,
    totals: Totals,
}

/// Sums over episodes; they do not depend on the order of the episodes.
#[derive(Clone, Copy, Default)]
pub(super) struct Totals {
    pub(super) episodes: u64,
    pub(super) steps: u64,
    /// States in which an action was chosen or sought, and how many actions were valid in all of them.
    pub(super) states: u64,
    pub(super) valid: u64,
    pub(super) goals: u64,
    pub(super) dead_ends: u64,
    pub(super) returns: Returns,
    pub(super) digest: u64,
}

/// A sum of returns, in units of 2^-40: whole numbers add up to the same in any order.
#[derive(Clone, Copy, Default)]
pub(super) struct Returns(i128);

impl Returns {
    const UNITS: f64 = (1_u64 << 40) as f64;

    const fn add(&mut self, value: f64) {
        self.0 = self.0.saturating_add((value * Self::UNITS) as i128);
    }

    pub(super) fn mean(self, episodes: u64) -> f64 {
        self.0 as f64 / Self::UNITS / episodes.max(1) as f64
    }
}

impl Totals {
    pub(super) const fn add(&mut self, other: &Self) {
        self.episodes += other.episodes;
        self.steps += other.steps;
        self.states += other.states;
        self.valid += other.valid;
        self.goals += other.goals;
        self.dead_ends += other.dead_ends;
        self.returns.0 = self.returns.0.saturating_add(other.returns.0);
        self.digest = self.digest.wrapping_add(other.digest);
    }
}

/// How many steps of an episode pass between looks at the clock.
const STEPS_BETWEEN_LOOKS: u32 = 4096;

impl<'a, E: Traced<Error = PlanningError>> Worker<'a, E> {
    pub(super) fn new(policy: &'a Policy, episodes: Vec<Episode<E>>, seed: u64) -> Self {
        let names = |episode: Episode<E>| {
            let names = episode.engine().names();
            (episode, names)
        };
        Self {
            policy,
            episodes: episodes.into_iter().map(names).collect(),
            seed,
            joint: Vec::with_capacity(1),
            totals: Totals::default(),
        }
    }

    pub(super) const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Runs the episode of number `index`; it may be cut off. `watch` sees every state and what is chosen
    /// there.
    pub(super) fn episode(
        &mut self,
        index: u64,
        until: Until<'_>,
        mut watch: impl FnMut(&E, Option<AgentActionId>),
    ) -> Result<(), EnvError> {
        let problem = (index % self.episodes.len() as u64) as usize;
        let (episode, names) = &mut self.episodes[problem];
        let mut streams = Streams::new(self.seed.wrapping_add(index));
        // Episodes are summed in any order, so each digest begins with the episode's number.
        let mut digest = Digest::new(index);
        let mut goal_before = {
            episode.start(&mut streams.outcomes).map_err(EnvError::Planning)?;
            episode.engine().is_goal()
        };
        let mut reward = 0.0;
        let totals = &mut self.totals;
        totals.episodes += 1;
        loop {
            let valid = episode.engine().valid_count() as u64;
            totals.states += 1;
            totals.valid += valid;
            let (elapsed, engine) = (episode.elapsed(), episode.engine());
            if !(self.policy).choose(problem, elapsed, engine, &mut streams.actions, &mut self.joint) {
                totals.dead_ends += u64::from(valid == 0 && !engine.is_goal());
                break;
            }
            watch(engine, self.joint.first().copied());
            let step = episode.step(&self.joint, &mut streams.outcomes)?;
            totals.steps += 1;
            totals.goals += u64::from(step.goal && !goal_before);
            goal_before = step.goal;
            reward += step.reward;
            let action = self
                .joint
                .first()
                .map(|&id| episode.engine().action_hash(names, id));
            digest.add(trace_word(action.unwrap_or(0), valid, &step));
            if step.ended() {
                totals.dead_ends += u64::from(step.dead_end && !step.goal);
                break;
            }
            let look = episode.elapsed().is_multiple_of(STEPS_BETWEEN_LOOKS);
            if look && until.is_over() {
                break;
            }
        }
        totals.returns.add(reward);
        watch(episode.engine(), None);
        digest.add(episode.engine().state_hash(names));
        totals.digest = totals.digest.wrapping_add(digest.finish());
        Ok(())
    }
}

/// The word of a step: its action, how many actions were valid, and what it paid.
#[inline]
const fn trace_word(action: u64, valid: u64, step: &Step) -> u64 {
    action ^ (valid << 32) ^ step.reward.to_bits().rotate_left(17)
}
