//! The memory of a batch, and the calls on it.

use herbrand_core::{Autoreset, DeadEnd, EpisodeRules, Random, Streams};

use crate::tables::KernelTables;

/// The places of the planes of flags.
const GOAL: u32 = 0;
const DEAD_END: u32 = 1;
const APPLIED: u32 = 2;
const TERMINATED: u32 = 3;
const TRUNCATED: u32 = 4;
const REACHED: u32 = 5;
const OVER: u32 = 6;
const BEGINS: u32 = 7;

/// The number of generators of an environment: of outcomes and of actions.
const STREAMS: usize = 2;

/// A set of planes, each of `words` words of 32 environments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Planes {
    /// The atoms, in the order of the task.
    Atoms,
    /// The operators: the environments in which each is valid.
    Valid,
    /// The environments in which the goal holds.
    Goal,
    /// The environments in which no operator is valid.
    DeadEnd,
    /// The environments whose operator was carried out in the last step.
    Applied,
    /// The environments whose episode ended in the last step by the problem's own rules.
    Terminated,
    /// The environments whose episode was cut off by the horizon in the last step.
    Truncated,
    /// The environments whose episode ended in the last step because the goal was reached.
    Reached,
    /// The environments whose episode is over.
    Over,
    /// The environments that the next [`CallKind::Begin`] begins.
    Begins,
}

impl KernelTables {
    /// Returns the index of the first plane of a set, and the number of its planes.
    #[must_use]
    pub fn planes(&self, planes: Planes) -> (usize, usize) {
        let flag = |place| ((self.flags + place) as usize, 1);
        match planes {
            Planes::Atoms => (0, self.atoms as usize),
            Planes::Valid => (self.atoms as usize, self.operators as usize),
            Planes::Goal => flag(GOAL),
            Planes::DeadEnd => flag(DEAD_END),
            Planes::Applied => flag(APPLIED),
            Planes::Terminated => flag(TERMINATED),
            Planes::Truncated => flag(TRUNCATED),
            Planes::Reached => flag(REACHED),
            Planes::Over => flag(OVER),
            Planes::Begins => flag(BEGINS),
        }
    }

    /// Returns the length of each array of the memory of `count` environments: planes, generators, elapsed steps, actions and
    /// rewards.
    #[must_use]
    pub fn lengths(&self, count: u32) -> [usize; 5] {
        let words = count.div_ceil(32) as usize;
        [
            self.planes as usize * words,
            2 * 32 * STREAMS * words,
            32 * words,
            count as usize,
            count as usize,
        ]
    }

    /// Returns the memory of `count` environments in bytes, without the tables.
    #[must_use]
    pub fn batch_bytes(&self, count: u32) -> u64 {
        let sizes = [4, 8, 4, 4, 8_u64];
        let lengths = self.lengths(count).into_iter().zip(sizes);
        lengths.map(|(length, size)| length as u64 * size).sum()
    }
}

/// Returns the generators of `count` environments that start from the seeds `seed`, `seed + 1` and so on, as an
/// [`Env`](herbrand_core::Env) does.
#[must_use]
pub fn generators(count: u32, seed: u64) -> Vec<u64> {
    let words = count.div_ceil(32);
    let mut random = vec![0; 2 * 32 * STREAMS * words as usize];
    for index in 0..count {
        let streams = Streams::new(seed.wrapping_add(u64::from(index)));
        for (stream, own) in (0..).zip([streams.outcomes, streams.actions]) {
            let both = u128::from_le_bytes(own.to_bytes());
            let [counter, increment] = places(words, index, stream);
            (random[counter], random[increment]) = ((both >> 64) as u64, both as u64);
        }
    }
    random
}

/// Returns the places of the counter and the increment of a generator.
fn places(words: u32, index: u32, stream: u32) -> [usize; 2] {
    let place = |part: u32| ((stream * 64 + part * 32 + index % 32) as usize) * words as usize;
    [0, 1].map(|part| place(part) + (index / 32) as usize)
}

/// Returns the plane of the environments for which `contains` is true.
#[must_use]
pub fn plane(count: u32, contains: impl Fn(usize) -> bool) -> Vec<u32> {
    let mut words = vec![0; count.div_ceil(32) as usize];
    for index in (0..count as usize).filter(|&index| contains(index)) {
        words[index / 32] |= 1 << (index % 32);
    }
    words
}

/// A kind of call of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum CallKind {
    /// Begins episodes in the environments of [`Planes::Begins`].
    Begin = 0,
    /// Steps all environments by operators that the kernel draws uniformly from the valid ones and writes to the actions.
    Sampled = 1,
    /// Steps all environments by the operators in the actions. An operator that is not valid changes nothing, as with
    /// [`InvalidAction::Ignore`](herbrand_core::InvalidAction::Ignore).
    Given = 2,
}

/// Returns the rules of episodes as bits, and the horizon, 0 for none. The treatment of invalid actions is not read.
#[must_use]
pub fn episode_words(rules: &EpisodeRules, autoreset: Autoreset) -> [u32; 2] {
    let next = match autoreset {
        Autoreset::NextStep => 4,
        Autoreset::SameStep => 8,
        Autoreset::Disabled => 0,
    };
    let dead_end = u32::from(rules.dead_end == DeadEnd::Ends);
    let bits = u32::from(rules.goal_ends) | dead_end << 1 | next;
    [bits, rules.horizon.map_or(0, |horizon| horizon.max(1))]
}

/// The memory of a batch, in the layout of the kernel: item `word` of plane `p` is at `p * words + word`, and bit `i` of it
/// belongs to environment `32 * word + i`.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchMemory {
    /// All planes.
    pub planes: Vec<u32>,
    /// The generators.
    pub random: Vec<u64>,
    /// The number of steps of each episode.
    pub elapsed: Vec<u32>,
    /// By environment, the operator of the last step; 0 if none was drawn.
    pub actions: Vec<u32>,
    /// By environment, the reward of the last step.
    pub rewards: Vec<f64>,
    words: usize,
}

impl BatchMemory {
    /// Creates the memory of `count` environments. No episode has begun, and no seed is set.
    #[must_use]
    pub fn new(tables: &KernelTables, count: u32) -> Self {
        let [planes, random, elapsed, actions, rewards] = tables.lengths(count);
        let mut this = Self {
            planes: vec![0; planes],
            random: vec![0; random],
            elapsed: vec![0; elapsed],
            actions: vec![0; actions],
            rewards: vec![0.0; rewards],
            words: count.div_ceil(32) as usize,
        };
        this.write(tables, Planes::Over, &plane(count, |_| true));
        this
    }

    /// Writes the first plane of a set.
    pub fn write(&mut self, tables: &KernelTables, planes: Planes, words: &[u32]) {
        let start = tables.planes(planes).0 * self.words;
        self.planes[start..start + words.len()].copy_from_slice(words);
    }

    /// Returns whether an environment is in a plane of a set.
    ///
    /// # Panics
    /// If there is no such plane or environment.
    #[must_use]
    pub fn holds(&self, tables: &KernelTables, planes: Planes, index: usize, environment: usize) -> bool {
        let (first, count) = tables.planes(planes);
        assert!(index < count, "plane {index} of {count}");
        self.planes[(first + index) * self.words + environment / 32] >> (environment % 32) & 1 == 1
    }

    /// Returns the number of steps of the episode of an environment.
    #[must_use]
    pub fn elapsed(&self, environment: usize) -> u32 {
        self.elapsed[environment % 32 * self.words + environment / 32]
    }

    /// Returns the generators of outcomes and of actions of an environment; `None` if no seed was set.
    #[must_use]
    pub fn streams(&self, environment: u32) -> Option<[Random; 2]> {
        let own = |stream| {
            let [counter, increment] =
                places(self.words as u32, environment, stream).map(|place| self.random[place]);
            let both = u128::from(counter) << 64 | u128::from(increment);
            Random::from_bytes(both.to_le_bytes())
        };
        Some([own(0)?, own(1)?])
    }
}
