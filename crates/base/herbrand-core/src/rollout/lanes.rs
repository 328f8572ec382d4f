//! Episodes of one problem on the lanes of a block.

use super::totals::Totals;
use super::worker::trace_word;
use super::{Digest, StopConditions};
use crate::episode::{EpisodeEnd, EpisodeRules};
use crate::error::EpisodeFault;
use crate::random::Random;
use crate::simd::widest;
use crate::streams::Streams;
use crate::system_block::SystemBlock;

/// The number of steps of a block between checks of the clock.
const STEPS_BETWEEN_LOOKS: u64 = 64;

/// The number of steps that a block takes after the time is up, so that most episodes reach their end.
const LAST_STEPS: u64 = 4096;

/// Episodes of one problem, by number.
pub(super) struct Strand {
    /// The number of the first episode that is not started.
    pub(super) next: u64,
    /// The difference of the numbers of successive episodes.
    pub(super) stride: u64,
    /// The number of episodes that are not started.
    pub(super) left: u64,
    pub(super) seed: u64,
}

/// The episodes that run on the lanes of a block. Lists are by lane, sets of lanes are words.
pub(super) struct LaneEpisodes<'a, T> {
    block: &'a mut dyn SystemBlock<State = T>,
    rules: EpisodeRules,
    discount: f64,
    is_discounted: bool,
    totals: &'a mut Totals,
    /// The number of steps that the block has taken.
    now: u64,
    running: Vec<u64>,
    /// The number of running lanes.
    active: u64,
    /// The numbers of the episodes.
    index: Vec<u64>,
    digests: Vec<Digest>,
    returns: Vec<f64>,
    /// The discounted returns, and the weight of the next reward. Unused without a discount.
    discounted: Vec<f64>,
    weights: Vec<f64>,
    /// When each episode reaches its horizon, and the earliest of these times.
    horizons: Vec<u64>,
    earliest: u64,
    actions: Vec<Random>,
    outcomes: Vec<Random>,
}

impl<'a, T> LaneEpisodes<'a, T> {
    pub(super) fn new(
        block: &'a mut dyn SystemBlock<State = T>,
        rules: EpisodeRules,
        discount: f64,
        totals: &'a mut Totals,
    ) -> Self {
        let lanes = block.lanes();
        Self {
            rules,
            discount,
            is_discounted: discount.to_bits() != 1.0_f64.to_bits(),
            totals,
            now: 0,
            running: vec![0; lanes / 64],
            active: 0,
            index: vec![0; lanes],
            digests: vec![Digest::new(0); lanes],
            returns: vec![0.0; lanes],
            discounted: vec![0.0; lanes],
            weights: vec![1.0; lanes],
            horizons: vec![u64::MAX; lanes],
            earliest: u64::MAX,
            actions: vec![Random::new(0); lanes],
            outcomes: vec![Random::new(0); lanes],
            block,
        }
    }

    /// Runs the episodes of a strand. A lane whose episode ends takes the next one. When the time is up, no more episodes
    /// begin, and long ones are cut off. `progress` is called with the number of
    /// episodes that ended.
    pub(super) fn run(
        &mut self,
        mut strand: Strand,
        until: StopConditions<'_>,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<(), EpisodeFault> {
        let words = self.running.len();
        let (mut fresh, mut before, mut ended) = (vec![0; words], vec![0; words], vec![0; words]);
        let mut last = None;
        loop {
            if strand.left > 0 {
                self.start(&mut strand, &mut fresh);
                let (goals, dead_ends) = (self.block.goals(), self.block.dead_ends());
                for (word, ended) in ended.iter_mut().enumerate() {
                    let goal = if self.rules.goal_ends { goals[word] } else { 0 };
                    *ended = fresh[word] & (goal | dead_ends[word]);
                    // The policy is asked in a dead end, but not in a goal.
                    self.totals.states += u64::from((*ended & !goal).count_ones());
                }
                if has_lane(&ended) {
                    self.end(&ended, progress);
                    continue;
                }
            }
            if self.active == 0 {
                return Ok(());
            }
            before.copy_from_slice(self.block.goals());
            self.step();
            let at_horizon = self.now == self.earliest;
            let (goals, dead_ends) = (self.block.goals(), self.block.dead_ends());
            for (word, running) in self.running.iter().enumerate() {
                let goal = goals[word] & running;
                let entered = goal & !before[word];
                if entered != 0 {
                    self.totals.goals += u64::from(entered.count_ones());
                }
                let reached = if self.rules.goal_ends { goal } else { 0 };
                ended[word] = reached | dead_ends[word] & running;
            }
            if at_horizon {
                self.pass_horizons(&mut ended);
            }
            if has_lane(&ended) {
                self.end(&ended, progress);
            }
            if self.now.is_multiple_of(STEPS_BETWEEN_LOOKS) && until.is_over()? {
                strand.left = 0;
                if self.now >= *last.get_or_insert(self.now + LAST_STEPS) {
                    let running = self.running.clone();
                    self.cut_off(&running, progress);
                    return Ok(());
                }
            }
        }
    }

    /// Starts episodes of the strand in the lanes without a running one, and stores these lanes in `fresh`.
    fn start(&mut self, strand: &mut Strand, fresh: &mut [u64]) {
        fresh.fill(0);
        for (word, fresh) in fresh.iter_mut().enumerate() {
            let mut idle = !self.running[word];
            while idle != 0 && strand.left > 0 {
                let lane = word * 64 + idle.trailing_zeros() as usize;
                *fresh |= idle & idle.wrapping_neg();
                idle &= idle - 1;
                (self.outcomes[lane], self.actions[lane]) =
                    Streams::of_episode(strand.seed.wrapping_add(strand.next));
                self.index[lane] = strand.next;
                // Digests of episodes are added up in any order, so each starts with the episode number.
                self.digests[lane] = Digest::new(strand.next);
                (self.returns[lane], self.discounted[lane], self.weights[lane]) = (0.0, 0.0, 1.0);
                let horizon = self.rules.horizon;
                self.horizons[lane] = horizon.map_or(u64::MAX, |horizon| self.now + u64::from(horizon));
                self.earliest = self.earliest.min(self.horizons[lane]);
                strand.next = strand.next.wrapping_add(strand.stride);
                strand.left -= 1;
                self.totals.episodes += 1;
                self.active += 1;
            }
            self.running[word] |= *fresh;
        }
        if has_lane(fresh) {
            self.block.reset(fresh, &mut self.outcomes);
        }
    }

    /// Takes a step in every running lane.
    fn step(&mut self) {
        self.block.sample(&self.running, &mut self.actions);
        self.block.describe_choices();
        self.totals.states += self.active;
        self.totals.steps += self.active;
        self.block.step(&mut self.outcomes);
        self.now += 1;
        // Lanes without a running episode are computed too; their content is overwritten.
        let (counts, hashes) = (self.block.counts(), self.block.choice_hashes());
        let rewards = self.block.rewards();
        let (digests, returns) = (&mut self.digests, &mut self.returns);
        self.totals.valid += widest(
            #[inline(always)]
            || {
                let mut valid = 0;
                let steps = hashes.iter().zip(counts).zip(rewards);
                for ((digest, total), ((&hash, &count), &reward)) in
                    digests.iter_mut().zip(returns).zip(steps)
                {
                    digest.add(trace_word(hash, u64::from(count), reward));
                    *total += reward;
                    valid += u64::from(count);
                }
                valid
            },
        );
        if self.is_discounted {
            let sums = self.discounted.iter_mut().zip(&mut self.weights);
            for ((sum, weight), &reward) in sums.zip(rewards) {
                *sum += *weight * reward;
                *weight *= self.discount;
            }
        }
    }

    /// Adds the running lanes that reach their horizon now to `ended`, and finds the next time.
    fn pass_horizons(&mut self, ended: &mut [u64]) {
        self.earliest = u64::MAX;
        for (lane, &horizon) in self.horizons.iter().enumerate() {
            let (word, bit) = (lane / 64, 1 << (lane % 64));
            if self.running[word] & bit == 0 {
                continue;
            }
            if horizon <= self.now {
                ended[word] |= bit;
            } else {
                self.earliest = self.earliest.min(horizon);
            }
        }
    }

    /// Ends episodes, for the reasons that their states give.
    fn end(&mut self, ended: &[u64], progress: &(dyn Fn(u64) + Sync)) {
        let (goals, dead_ends) = (self.block.goals(), self.block.dead_ends());
        let goal_ends = self.rules.goal_ends;
        let totals = &mut *self.totals;
        each(ended, |lane| {
            let [goal, dead] = [goals, dead_ends].map(|set| set[lane / 64] >> (lane % 64) & 1 == 1);
            totals.dead_ends += u64::from(dead && !goal);
            totals.ends.count(Some(if goal && goal_ends {
                EpisodeEnd::Goal
            } else if dead {
                EpisodeEnd::DeadEnd
            } else {
                EpisodeEnd::Horizon
            }));
        });
        self.finish(ended, progress);
    }

    /// Ends episodes because the rollout stops.
    fn cut_off(&mut self, ended: &[u64], progress: &(dyn Fn(u64) + Sync)) {
        each(ended, |_| self.totals.ends.count(None));
        self.finish(ended, progress);
    }

    /// Adds the returns and the digests of episodes to the totals.
    fn finish(&mut self, ended: &[u64], progress: &(dyn Fn(u64) + Sync)) {
        let Self {
            block,
            totals,
            index,
            digests,
            returns,
            discounted,
            ..
        } = self;
        let is_discounted = self.is_discounted;
        block.state_hashes(ended, &mut |lane, hash| {
            let total = returns[lane];
            let discounted = if is_discounted { discounted[lane] } else { total };
            totals.add_return(index[lane], (total, discounted), true);
            digests[lane].add(hash);
            totals.digest = totals.digest.wrapping_add(digests[lane].finish());
        });
        for (running, ended) in self.running.iter_mut().zip(ended) {
            *running &= !ended;
        }
        self.active -= count(ended);
        progress(count(ended));
    }
}

/// Returns whether a set has a lane.
fn has_lane(set: &[u64]) -> bool {
    set.iter().fold(0, |all, word| all | word) != 0
}

/// Returns the number of lanes in a set.
fn count(set: &[u64]) -> u64 {
    set.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Calls `visit` with every lane of a set, ascending.
fn each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        let mut rest = bits;
        while rest != 0 {
            visit(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}
