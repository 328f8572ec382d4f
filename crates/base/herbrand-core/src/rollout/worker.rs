//! The work of one thread in a rollout.

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::lanes::{LaneEpisodes, Strand};
use super::totals::Totals;
use super::{Digest, Queue, RolloutOptions, RolloutPolicy, Run, Shift, StopConditions};
use crate::action::{ActionCount, Choice};
use crate::batch_system::BatchSystem;
use crate::describe::Fingerprinted;
use crate::episode::{Episode, EpisodeEnd, Step};
use crate::non_finite::NonFiniteValue;
use crate::problems::Problems;
use crate::streams::Streams;
use crate::system::System;

/// Runs episodes by number and adds up their statistics.
pub(super) struct Worker<'a, P: Problems<System: Fingerprinted>> {
    policy: &'a RolloutPolicy,
    /// The episode of each problem.
    tracks: Vec<Track<P::System>>,
    seed: u64,
    require_finite: bool,
    count_broken: bool,
    joint: Vec<Choice>,
    totals: Totals,
}

/// The episode of one problem, with the names for fingerprints.
struct Track<S: Fingerprinted> {
    episode: Episode<S>,
    names: S::Names,
    discount: f64,
}

/// The maximum number of states whose joint actions are counted after a rollout, and the maximum number of steps that an
/// episode takes for that.
const SAMPLED_STATES: u64 = 64;
const SAMPLED_STEPS: u32 = 1000;

/// The number of steps between checks of the clock.
const STEPS_BETWEEN_LOOKS: u32 = 4096;

impl<'a, P: Problems<System: Fingerprinted>> Worker<'a, P> {
    pub(super) fn new(
        policy: &'a RolloutPolicy,
        problems: &P,
        episodes: Vec<Episode<P::System>>,
        options: &RolloutOptions,
    ) -> Self {
        let tracks = episodes.into_iter().enumerate().map(|(problem, episode)| Track {
            names: episode.system().names(),
            discount: problems.discount(problem),
            episode,
        });
        Self {
            policy,
            tracks: tracks.collect(),
            seed: options.seed,
            require_finite: options.require_finite,
            count_broken: options.count_broken,
            joint: Vec::with_capacity(1),
            totals: Totals::default(),
        }
    }

    /// Returns whether the policy draws random actions.
    pub(super) fn is_random(&self) -> bool {
        *self.policy == RolloutPolicy::Random
    }

    /// Returns the number of problems.
    pub(super) const fn problems(&self) -> u64 {
        self.tracks.len() as u64
    }

    pub(super) const fn totals(&self) -> &Totals {
        &self.totals
    }

    /// Runs episode `index`, which may be cut off. Calls `watch` with every state, the reward of the step that led there,
    /// and the joint action chosen there, or `None` at the end.
    // Not inlined: inside the caller's loop, it would run out of registers.
    #[inline(never)]
    pub(super) fn episode(
        &mut self,
        index: u64,
        until: StopConditions<'_>,
        mut watch: impl FnMut(&P::System, Option<f64>, Option<&[Choice]>),
    ) -> Result<(), P::Error> {
        let problem = (index % self.tracks.len() as u64) as usize;
        let Track {
            episode,
            names,
            discount,
        } = &mut self.tracks[problem];
        let mut streams = Streams::new(self.seed.wrapping_add(index));
        // Digests of episodes are added up in any order, so each starts with the episode number.
        let mut digest = Digest::new(index);
        episode.start(&mut streams.outcomes)?;
        let mut goal_before = episode.status().goal;
        let (mut reward, mut discounted, mut weight) = (0.0, 0.0, 1.0);
        let (totals, joint) = (&mut self.totals, &mut self.joint);
        totals.episodes += 1;
        if episode.rules().horizon == Some(0) {
            totals.ends.count(Some(EpisodeEnd::Horizon));
            watch(episode.system(), None, None);
            return Ok(());
        }
        let mut before = None;
        let end = loop {
            // Only an initial state can end the episode here.
            if let end @ Some(EpisodeEnd::Goal | EpisodeEnd::Terminal | EpisodeEnd::Invariant) =
                episode.end_of_state()
            {
                break end;
            }
            let (elapsed, system) = (episode.elapsed(), episode.system());
            let valid = system.choice_count() as u64;
            totals.states += 1;
            totals.valid += valid;
            if !(self.policy).choose(problem, elapsed, system, &mut streams.actions, joint) {
                let status = system.status();
                totals.dead_ends += u64::from(status.dead_end && !status.goal);
                break status.dead_end.then_some(EpisodeEnd::DeadEnd);
            }
            watch(system, before, Some(joint));
            let step: Step = episode.step::<P::Error>(joint, &mut streams.outcomes)?;
            totals.steps += 1;
            totals.goals += u64::from(step.goal && !goal_before);
            totals.violating_steps += u64::from(episode.system().has_violated());
            goal_before = step.goal;
            before = Some(step.reward);
            reward += step.reward;
            discounted += weight * step.reward;
            weight *= *discount;
            let hashes = joint
                .iter()
                .map(|&choice| episode.system().choice_hash(names, choice));
            digest.add(trace_word(hashes.fold(0, u64::wrapping_add), valid, step.reward));
            if step.ended() {
                totals.dead_ends += u64::from(step.dead_end && !step.goal);
                break episode.end(&step);
            }
            let look = episode.elapsed().is_multiple_of(STEPS_BETWEEN_LOOKS);
            if look && until.is_over()? {
                break None;
            }
        };
        totals.ends.count(end);
        let is_counted = self.count_broken || end != Some(EpisodeEnd::Invariant);
        totals.add_return(index, (reward, discounted), is_counted);
        watch(episode.system(), before, None);
        digest.add(episode.system().state_hash(names));
        totals.digest = totals.digest.wrapping_add(digest.finish());
        Ok(())
    }

    /// Reruns an episode whose return is not finite and finds the first non-finite value.
    pub(super) fn first_non_finite(&mut self, index: u64) -> Result<NonFiniteValue, P::Error> {
        let problem = (index % self.tracks.len() as u64) as usize;
        let Track {
            episode, discount, ..
        } = &mut self.tracks[problem];
        let mut streams = Streams::new(self.seed.wrapping_add(index));
        episode.start(&mut streams.outcomes)?;
        let (mut reward, mut discounted, mut weight) = (0.0, 0.0, 1.0);
        let (mut last, mut ended) = (0.0_f64, false);
        let joint = &mut self.joint;
        let (name, value) = loop {
            let (elapsed, system) = (episode.elapsed(), episode.system());
            if let Some(found) = system.non_finite() {
                break found;
            }
            let sums = [
                ("reward", last),
                ("return", reward),
                ("discounted return", discounted),
            ];
            if let Some((name, value)) = sums.into_iter().find(|(_, value)| !f64::is_finite(*value)) {
                break (name.to_owned(), value);
            }
            // Unreachable: the first run of this episode had a non-finite value before its end.
            if ended || !(self.policy).choose(problem, elapsed, system, &mut streams.actions, joint) {
                break ("return".to_owned(), reward);
            }
            let step: Step = episode.step::<P::Error>(joint, &mut streams.outcomes)?;
            (last, ended) = (step.reward, step.ended());
            reward += step.reward;
            discounted += weight * step.reward;
            weight *= *discount;
        };
        Ok(NonFiniteValue {
            episode: index,
            problem,
            step: episode.elapsed(),
            name,
            value,
        })
    }

    /// Returns the mean number of valid joint actions over a sample of states from the first episodes.
    pub(super) fn sample_counts(&mut self, episodes: u64) -> Result<ActionCount, P::Error> {
        let of_each = (SAMPLED_STATES / episodes.max(1)).max(1);
        let mut counts = Vec::new();
        for index in 0..episodes.min(SAMPLED_STATES) {
            let problem = (index % self.tracks.len() as u64) as usize;
            let episode = &mut self.tracks[problem].episode;
            let horizon = episode.rules().horizon.unwrap_or(u32::MAX).min(SAMPLED_STEPS);
            // Takes every state of a short episode, and every `stride`-th state of a longer one.
            let stride = u64::from(horizon).div_ceil(of_each).max(1);
            let mut streams = Streams::new(self.seed.wrapping_add(index));
            episode.start(&mut streams.outcomes)?;
            for elapsed in 0..horizon {
                if episode.end_of_state().is_some() {
                    break;
                }
                let system = episode.system();
                if u64::from(elapsed).is_multiple_of(stride) {
                    counts.push(system.count_joint_actions());
                }
                let joint = &mut self.joint;
                if !(self.policy).choose(problem, elapsed, system, &mut streams.actions, joint)
                    || episode.step::<P::Error>(joint, &mut streams.outcomes)?.ended()
                {
                    break;
                }
            }
        }
        Ok(ActionCount::mean(&counts))
    }

    /// Runs episodes from the queue until it is empty or the time is up.
    pub(super) fn shift(
        mut self,
        queue: &Queue,
        ready: &Barrier,
        duration: Option<Duration>,
        progress: &(dyn Fn(u64) + Sync),
        stop: &AtomicBool,
    ) -> Result<Shift, P::Error> {
        ready.wait();
        let start = Instant::now();
        let until = StopConditions {
            deadline: duration.map(|duration| start + duration),
            stop,
        };
        let worked = self.work(queue, until, progress);
        let end = Instant::now();
        if worked.is_err() {
            queue.stop.store(true, Ordering::Relaxed);
        }
        worked.map(|()| Shift {
            totals: self.totals,
            start,
            end,
        })
    }

    fn work(
        &mut self,
        queue: &Queue,
        until: StopConditions<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), P::Error> {
        while let Some(run) = queue.take() {
            match run {
                Run::Turns(run) => {
                    let count = run.end - run.start;
                    self.turns(run, 1, queue, until)?;
                    progress(count);
                }
                Run::Strand(problem, run) => self.strand(problem, run, queue, until, progress)?,
            }
            if until.is_over()? {
                queue.stop.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Runs episodes one by one; their numbers differ by `stride`.
    fn turns(
        &mut self,
        run: std::ops::Range<u64>,
        stride: u64,
        queue: &Queue,
        until: StopConditions<'_>,
    ) -> Result<(), P::Error> {
        for index in run.step_by(usize::try_from(stride).unwrap_or(usize::MAX)) {
            self.episode(index, until, |_, _, _| ())?;
            if until.stop.load(Ordering::Relaxed) {
                break;
            }
            // Stopping here still finds the first such episode: all earlier episodes are finished or running.
            if self.require_finite && self.totals.non_finite > 0 {
                queue.stop.store(true, Ordering::Relaxed);
                break;
            }
        }
        Ok(())
    }

    /// Runs episodes of one problem, in a block if its system makes one. Their numbers differ by the number of problems.
    fn strand(
        &mut self,
        problem: usize,
        run: std::ops::Range<u64>,
        queue: &Queue,
        until: StopConditions<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), P::Error> {
        let stride = self.tracks.len() as u64;
        let left = (run.end - run.start).div_ceil(stride);
        let track = &self.tracks[problem];
        let lanes = usize::try_from(left).unwrap_or(usize::MAX);
        let Some(mut block) = track.episode.system().block(lanes) else {
            self.turns(run, stride, queue, until)?;
            progress(left);
            return Ok(());
        };
        let strand = Strand {
            next: run.start,
            stride,
            left,
            seed: self.seed,
        };
        let rules = *track.episode.rules();
        let mut episodes = LaneEpisodes::new(&mut *block, rules, track.discount, &mut self.totals);
        Ok(episodes.run(strand, until, progress)?)
    }

    /// Returns whether a system makes blocks for the episodes of a strand.
    pub(super) fn has_blocks(&self, lanes: usize) -> bool {
        let makes = |track: &Track<P::System>| track.episode.system().block(lanes).is_some();
        self.tracks.iter().any(makes)
    }
}

/// Returns the digest word of a step: its action, the number of valid choices, and the reward.
#[inline]
pub(super) const fn trace_word(action: u64, valid: u64, reward: f64) -> u64 {
    action ^ (valid << 32) ^ reward.to_bits().rotate_left(17)
}
