//! A block with the environments on its lanes.

use crate::action::{ActionLayout, Choice};
use crate::episode::{DeadEnd, EpisodeEnd, EpisodeRules};
use crate::observe::{BitRow, Element, Elements, write_bytes};
use crate::random::Random;
use crate::simd::widest;
use crate::system_block::SystemBlock;
use crate::vector::batch::{ActionRow, ActionRows, Flags, Lanes};
use crate::vector::split::Lend;

/// The data that all environments of a problem share.
#[derive(Debug)]
pub(super) struct Shape {
    /// The form of observations.
    pub(super) row: BitRow,
    /// The number of alternatives.
    pub(super) mask: usize,
    pub(super) layout: ActionLayout,
    pub(super) rules: EpisodeRules,
}

/// A block of one problem, and the environments on its lanes. Lists are by lane, sets of lanes are words.
pub(super) struct Deck<T> {
    pub(super) block: Box<dyn SystemBlock<State = T>>,
    pub(super) problem: usize,
    /// The lanes that have an environment.
    pub(super) used: Vec<u64>,
    /// The lanes whose episode is over and the next one has not begun.
    pub(super) over: Vec<u64>,
    /// The lanes whose environment failed in the current call.
    pub(super) failed: Vec<u64>,
    pub(super) envs: Vec<u32>,
    pub(super) elapsed: Vec<u32>,
    pub(super) actions: Vec<Random>,
    pub(super) outcomes: Vec<Random>,
    /// The alternatives that the caller gives.
    pub(super) given: Vec<u32>,
    pub(super) turn: Turn,
}

/// The lanes of a deck by their part in a step.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// The lanes that choose an action, or would do if it were valid.
    pub(super) acting: Vec<u64>,
    /// The lanes whose block is stepped.
    pub(super) stepping: Vec<u64>,
    /// The lanes whose episode ended.
    pub(super) ended: Vec<u64>,
    /// The lanes that begin an episode.
    pub(super) begins: Vec<u64>,
    pub(super) refused: Vec<u64>,
}

impl<T> Deck<T> {
    pub(super) fn new(block: Box<dyn SystemBlock<State = T>>, problem: usize) -> Self {
        let (lanes, words) = (block.lanes(), block.lanes() / 64);
        let none = || vec![0; words];
        Self {
            problem,
            used: none(),
            over: none(),
            failed: none(),
            envs: vec![0; lanes],
            elapsed: vec![0; lanes],
            actions: vec![Random::new(0); lanes],
            outcomes: vec![Random::new(0); lanes],
            given: vec![0; lanes],
            turn: Turn {
                acting: none(),
                stepping: none(),
                ended: none(),
                begins: none(),
                refused: none(),
            },
            block,
        }
    }

    /// Returns the first lane without an environment.
    pub(super) fn free_lane(&self) -> Option<usize> {
        let word = self.used.iter().position(|used| *used != u64::MAX)?;
        Some(word * 64 + self.used[word].trailing_ones() as usize)
    }

    /// Draws an action in every lane whose episode runs, and writes the actions: 0 for the other lanes.
    pub(super) fn sample(
        &mut self,
        shape: &Shape,
        actions: &mut ActionRows<'_>,
        place: impl Fn(usize) -> usize,
    ) {
        let Self {
            block,
            used,
            over,
            failed,
            envs,
            given,
            turn,
            ..
        } = self;
        for (word, acting) in turn.acting.iter_mut().enumerate() {
            *acting = used[word] & !over[word] & !failed[word];
        }
        block.sample(&turn.acting, &mut self.actions);
        for (word, stepping) in turn.stepping.iter_mut().enumerate() {
            *stepping = turn.acting[word] & !resting(&**block, &shape.rules, word);
        }
        given.copy_from_slice(block.choices());
        let mut rests = false;
        for (word, &used) in used.iter().enumerate() {
            let offered = turn.acting[word] & !block.dead_ends()[word];
            rests |= offered != turn.stepping[word];
            each_bit(used & !failed[word], |bit| {
                let lane = word * 64 + bit;
                let choice = (offered >> bit & 1 == 1).then(|| given[lane]);
                match actions.lend(place(envs[lane] as usize)) {
                    ActionRow::Alternative(action) => *action = choice.unwrap_or(0),
                    mut row @ (ActionRow::Row(_) | ActionRow::Cells(_)) => {
                        let joint = choice.map(Choice::discrete);
                        row.write(&shape.layout, joint.as_slice());
                    }
                }
            });
        }
        if rests {
            // Lanes that rest forget their choice.
            block.choose(&turn.stepping, given, &mut turn.refused);
        }
    }

    /// Steps the lanes of [`Turn::stepping`], and writes the results of these and of the other acting lanes. Finds the
    /// episodes that ended.
    pub(super) fn step<E: Element>(
        &mut self,
        rules: &EpisodeRules,
        rows: &mut Lanes<'_, E>,
        place: impl Fn(usize) -> usize,
    ) {
        let Self {
            block,
            problem,
            envs,
            elapsed,
            outcomes,
            turn,
            ..
        } = self;
        if turn.stepping.iter().any(|word| *word != 0) {
            block.step(outcomes);
        }
        let (goals, dead_ends, rewards) = (block.goals(), block.dead_ends(), block.rewards());
        let horizon = rules.horizon.map_or(u64::MAX, u64::from);
        let (goal_ends, dead_ends_end) = (rules.goal_ends, rules.dead_end == DeadEnd::Ends);
        let kept = |holds: bool, set: u64| if holds { set } else { 0 };
        for (word, ended) in turn.ended.iter_mut().enumerate() {
            let (goal, dead) = (goals[word], dead_ends[word]);
            let (acting, stepping) = (turn.acting[word], turn.stepping[word]);
            let terminated = kept(goal_ends, goal) | kept(dead_ends_end, dead);
            let own = word * 64..word * 64 + 64;
            let first = place(envs[own.start] as usize);
            let results = Results {
                goal,
                dead,
                stepping,
                terminated,
                horizon,
                problem: *problem as u32,
            };
            let is_run = is_run(&envs[own.clone()]) && place(envs[own.end - 1] as usize) == first + 63;
            let over = if acting == u64::MAX && is_run {
                results.write_run(&mut elapsed[own.clone()], &rewards[own], rows, first)
            } else {
                let mut over = 0;
                each_bit(acting, |bit| {
                    let lane = word * 64 + bit;
                    let row = place(envs[lane] as usize);
                    over |= results.write(bit, &mut elapsed[lane], rewards[lane], rows, row) << bit;
                });
                over
            };
            *ended = over;
            if !rows.flags.is_empty() {
                each_bit(over, |bit| {
                    let row = place(envs[word * 64 + bit] as usize);
                    rows.flags[row].end = Some(end_of(goal_ends, rows.terminated[row], &rows.flags[row]));
                });
            }
        }
    }

    /// Writes the last observations and flags of the episodes that ended. `words` is a buffer.
    pub(super) fn write_last<E: Element>(
        &mut self,
        shape: &Shape,
        rows: &mut Lanes<'_, E>,
        place: impl Fn(usize) -> usize,
        words: &mut Vec<u64>,
    ) {
        if self.turn.ended.iter().all(|word| *word == 0) {
            return;
        }
        let width = rows.widths.observation;
        if !rows.final_observations.is_empty() {
            let length = self.transpose(words, &shape.row);
            each(&self.turn.ended, |lane| {
                let row = place(self.envs[lane] as usize);
                let into = &mut rows.final_observations[row * width..][..width];
                write_row(&words[lane * length..][..length], &shape.row, into);
            });
        }
        if !rows.final_flags.is_empty() {
            let (goals, dead_ends) = (self.block.goals(), self.block.dead_ends());
            let holds = |set: &[u64], lane: usize| set[lane / 64] >> (lane % 64) & 1 == 1;
            each(&self.turn.ended, |lane| {
                let row = place(self.envs[lane] as usize);
                let flags = Flags {
                    goal: holds(goals, lane),
                    dead_end: holds(dead_ends, lane),
                    applied: holds(&self.turn.stepping, lane),
                    end: None,
                    problem: self.problem as u32,
                };
                let end = end_of(shape.rules.goal_ends, rows.terminated[row], &flags);
                rows.final_flags[row] = Flags {
                    end: Some(end),
                    ..flags
                };
            });
        }
    }

    /// Starts episodes in the lanes of [`Turn::begins`], and writes their flags. With `clears`, also clears rewards and
    /// ends, for a call that took no step in these lanes.
    pub(super) fn begin<E: Element>(
        &mut self,
        rows: &mut Lanes<'_, E>,
        place: impl Fn(usize) -> usize,
        clears: bool,
    ) {
        let Self {
            block,
            problem,
            over,
            envs,
            elapsed,
            outcomes,
            turn,
            ..
        } = self;
        if turn.begins.iter().all(|word| *word == 0) {
            return;
        }
        block.reset(&turn.begins, outcomes);
        let (goals, dead_ends) = (block.goals(), block.dead_ends());
        for (word, &begins) in turn.begins.iter().enumerate() {
            over[word] &= !begins;
            each_bit(begins, |bit| {
                let lane = word * 64 + bit;
                elapsed[lane] = 0;
                let row = place(envs[lane] as usize);
                if clears {
                    (rows.rewards[row], rows.terminated[row], rows.truncated[row]) = (0.0, false, false);
                }
                if let Some(flags) = rows.flags.get_mut(row) {
                    *flags = Flags {
                        goal: goals[word] >> bit & 1 == 1,
                        dead_end: dead_ends[word] >> bit & 1 == 1,
                        applied: false,
                        end: None,
                        problem: *problem as u32,
                    };
                }
            });
        }
    }

    /// Writes the observations and masks of the lanes for which `wanted` returns a set, word by word. `words` is a buffer.
    pub(super) fn write_rows<E: Element>(
        &mut self,
        shape: &Shape,
        wanted: impl Fn(&Self, usize) -> u64,
        rows: &mut Lanes<'_, E>,
        place: impl Fn(usize) -> usize,
        packed_masks: bool,
        words: &mut Vec<u64>,
    ) {
        if (0..self.used.len()).all(|word| wanted(self, word) == 0) {
            return;
        }
        let (width, mask_width) = (rows.widths.observation, rows.widths.mask);
        let length = self.transpose(words, &shape.row);
        for word in 0..self.used.len() {
            each_bit(wanted(self, word), |bit| {
                let lane = word * 64 + bit;
                let row = place(self.envs[lane] as usize);
                let into = &mut rows.observations[row * width..][..width];
                write_row(&words[lane * length..][..length], &shape.row, into);
            });
        }
        let length = shape.mask.div_ceil(64);
        words.resize(length * self.envs.len(), 0);
        self.block.write_masks(words);
        for word in 0..self.used.len() {
            each_bit(wanted(self, word), |bit| {
                let lane = word * 64 + bit;
                let row = place(self.envs[lane] as usize);
                let into = &mut rows.masks[row * mask_width..][..mask_width];
                write_bytes(&words[lane * length..][..length], packed_masks, into);
            });
        }
    }

    /// Writes the bits of all lanes to a buffer, and returns the number of words of a lane.
    fn transpose(&mut self, words: &mut Vec<u64>, row: &BitRow) -> usize {
        let length = row.bits.len().div_ceil(64);
        words.resize(length * self.envs.len(), 0);
        self.block.write_bits(&row.bits, words);
        length
    }
}

/// The results of a step in 64 lanes.
struct Results {
    goal: u64,
    dead: u64,
    /// The lanes that took a step.
    stepping: u64,
    terminated: u64,
    /// The number of steps of an episode.
    horizon: u64,
    problem: u32,
}

impl Results {
    /// Writes the results of lane `bit` to a row; returns 1 if its episode ended, and 0 otherwise.
    #[inline(always)]
    fn write<E: Element>(
        &self,
        bit: usize,
        elapsed: &mut u32,
        reward: f64,
        rows: &mut Lanes<'_, E>,
        row: usize,
    ) -> u64 {
        let holds = |set: u64| set >> bit & 1 == 1;
        *elapsed += 1;
        let terminated = holds(self.terminated);
        let truncated = !terminated & (u64::from(*elapsed) >= self.horizon);
        rows.rewards[row] = if holds(self.stepping) { reward } else { 0.0 };
        rows.terminated[row] = terminated;
        rows.truncated[row] = truncated;
        if let Some(flags) = rows.flags.get_mut(row) {
            *flags = self.flags(bit);
        }
        u64::from(terminated | truncated)
    }

    #[inline(always)]
    fn flags(&self, bit: usize) -> Flags {
        let holds = |set: u64| set >> bit & 1 == 1;
        Flags {
            goal: holds(self.goal),
            dead_end: holds(self.dead),
            applied: holds(self.stepping),
            end: None,
            problem: self.problem,
        }
    }

    /// Writes the results of all 64 lanes to rows from `first` on, as [`write`](Self::write) does one by one; returns the lanes
    /// whose episode ended. Each list is written by a loop of its own, in vector instructions.
    fn write_run<E: Element>(
        &self,
        elapsed: &mut [u32],
        rewards: &[f64],
        rows: &mut Lanes<'_, E>,
        first: usize,
    ) -> u64 {
        let run = first..first + 64;
        let (into, terminated) = (&mut rows.rewards[run.clone()], &mut rows.terminated[run.clone()]);
        let truncated = &mut rows.truncated[run.clone()];
        let flags = rows.flags.get_mut(run).unwrap_or_default();
        widest(
            #[inline(always)]
            || {
                let mut cut = 0;
                for (bit, elapsed) in elapsed.iter_mut().enumerate() {
                    *elapsed += 1;
                    cut |= u64::from(u64::from(*elapsed) >= self.horizon) << bit;
                }
                let cut = cut & !self.terminated;
                for (bit, (into, reward)) in into.iter_mut().zip(rewards).enumerate() {
                    *into = if self.stepping >> bit & 1 == 1 {
                        *reward
                    } else {
                        0.0
                    };
                }
                for (bit, (terminated, truncated)) in terminated.iter_mut().zip(truncated).enumerate() {
                    (*terminated, *truncated) = (self.terminated >> bit & 1 == 1, cut >> bit & 1 == 1);
                }
                for (bit, flags) in flags.iter_mut().enumerate() {
                    *flags = self.flags(bit);
                }
                self.terminated | cut
            },
        )
    }
}

/// Returns the lanes of a word in whose state a step changes nothing: dead ends, and goals if they end episodes.
pub(super) fn resting<T>(block: &dyn SystemBlock<State = T>, rules: &EpisodeRules, word: usize) -> u64 {
    let goals = if rules.goal_ends { block.goals()[word] } else { 0 };
    block.dead_ends()[word] | goals
}

/// Returns whether numbers follow each other.
fn is_run(numbers: &[u32]) -> bool {
    let first = numbers.first().copied().unwrap_or_default();
    let differing = (first..)
        .zip(numbers)
        .fold(0, |all, (number, own)| all | (number ^ own));
    differing == 0
}

/// Returns why an episode ended, as [`Episode::end`](crate::Episode::end) does: lanes have no other terminal states than
/// goals, and no state invariants.
const fn end_of(goal_ends: bool, terminated: bool, flags: &Flags) -> EpisodeEnd {
    match (terminated, flags.goal && goal_ends) {
        (true, true) => EpisodeEnd::Goal,
        (true, false) => EpisodeEnd::DeadEnd,
        (false, _) => EpisodeEnd::Horizon,
    }
}

/// Writes the bits of a lane to a row, if its elements are bytes.
#[inline]
fn write_row<E: Element>(words: &[u64], row: &BitRow, into: &mut [E]) {
    if let Elements::U8(bytes) = E::erased(into) {
        write_bytes(words, row.packed, bytes);
    }
}

/// Calls `visit` with the index of every bit of a word, ascending.
#[inline(always)]
pub(super) fn each_bit(mut word: u64, mut visit: impl FnMut(usize)) {
    while word != 0 {
        visit(word.trailing_zeros() as usize);
        word &= word - 1;
    }
}

/// Calls `visit` with every lane of a set, ascending.
#[inline(always)]
pub(super) fn each(set: &[u64], mut visit: impl FnMut(usize)) {
    for (word, &bits) in set.iter().enumerate() {
        each_bit(bits, |bit| visit(word * 64 + bit));
    }
}
