//! Traces of the target, and how likely a model makes them.

use std::collections::BTreeMap;

use herbrand_core::{Random, uniform_below};
use rand::Rng;

use crate::arena::{Arena, Machine, Patterns};
use crate::{Sketch, Vocabulary};

/// The random walks that traces are recorded on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Walks {
    /// How many walks there are on each problem.
    pub count: u32,
    /// How many steps each one has, unless no action is applicable before.
    pub steps: u32,
    /// What they are drawn from.
    pub seed: u64,
    /// Whether each walk begins in a state in which every atom holds with probability 1/2, instead of the initial state.
    pub scattered: bool,
}

impl Default for Walks {
    fn default() -> Self {
        Self {
            count: 4,
            steps: 20,
            seed: 0,
            scattered: false,
        }
    }
}

/// What was seen of a target: which actions were applicable in the states of random walks, and what the ones taken did.
///
/// Seen states are kept as the atoms of an operator's literals alone, and what was seen several times is counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// By operator.
    operators: Vec<Seen>,
}

/// What was seen of one operator. A state is that of the atoms of a pattern.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Whether a grounding was applicable in a state, and how often that was seen.
    applicable: Vec<((u32, u128, bool), u64)>,
    /// What held before and after a grounding was carried out, and how often that was seen.
    taken: Vec<((u32, u128, u128), u64)>,
}

/// How many bits a model predicts rightly and wrongly: for each state and each action whether that is applicable, and for each
/// action taken whether each of its atoms holds after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Predictions {
    /// The bits that are as predicted.
    pub right: u64,
    /// The bits that are not.
    pub wrong: u64,
}

impl Predictions {
    /// The mean logarithm of a bit's probability, where each prediction is wrong with probability `noise`. It is 0 if
    /// nothing was seen.
    #[must_use]
    pub fn log_likelihood(self, noise: f64) -> f64 {
        let bits = self.right + self.wrong;
        if bits == 0 {
            return 0.0;
        }
        let sum = self.right as f64 * (1.0 - noise).ln() + self.wrong as f64 * noise.ln();
        sum / bits as f64
    }

    /// The geometric mean of a bit's probability: from `noise`, where all predictions are wrong, to `1 - noise`.
    #[must_use]
    pub fn likelihood(self, noise: f64) -> f64 {
        self.log_likelihood(noise).exp()
    }

    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            right: self.right + other.right,
            wrong: self.wrong + other.wrong,
        }
    }

    const fn note(&mut self, right: u64, wrong: u64, times: u64) {
        self.right += right * times;
        self.wrong += wrong * times;
    }
}

impl Evidence {
    /// Walks on the problems of a target, each action drawn uniformly among the applicable ones.
    pub(crate) fn record(
        arenas: &[Arena],
        machines: &[Machine],
        vocabulary: &Vocabulary,
        patterns: &[Patterns],
        walks: Walks,
    ) -> Self {
        let mut counts: Vec<Counts> = vec![Counts::default(); vocabulary.operators().len()];
        for (number, (arena, machine)) in arenas.iter().zip(machines).enumerate() {
            let mut random = Random::new(walks.seed).stream(number as u64);
            for _ in 0..walks.count {
                let mut state = arena.initial.clone();
                if walks.scattered {
                    state.iter_mut().for_each(|word| *word = random.next_u64());
                }
                let local = |action: usize, state: &[u64]| {
                    let grounding = &arena.actions[action];
                    let pattern =
                        &patterns[grounding.operator as usize].list[grounding.pattern as usize].pattern;
                    pattern.fold(arena.local(action, vocabulary, state))
                };
                for _ in 0..walks.steps {
                    let mut applicable = Vec::new();
                    for (action, grounding) in arena.actions.iter().enumerate() {
                        let applies = machine.applies(action, &state);
                        let seen = (grounding.pattern, local(action, &state), applies);
                        *counts[grounding.operator as usize]
                            .applicable
                            .entry(seen)
                            .or_default() += 1;
                        if applies {
                            applicable.push(action);
                        }
                    }
                    let Some(count) = u32::try_from(applicable.len()).ok().filter(|count| *count > 0) else {
                        break;
                    };
                    let action = applicable[uniform_below(&mut random, count) as usize];
                    let after = machine.after(action, &state);
                    let grounding = &arena.actions[action];
                    let seen = (grounding.pattern, local(action, &state), local(action, &after));
                    *counts[grounding.operator as usize].taken.entry(seen).or_default() += 1;
                    state = after;
                }
            }
        }
        let seen = counts.into_iter().map(|counts| Seen {
            applicable: counts.applicable.into_iter().collect(),
            taken: counts.taken.into_iter().collect(),
        });
        Self {
            operators: seen.collect(),
        }
    }

    /// What a sketch predicts of what was seen of an operator.
    pub(crate) fn predictions(&self, sketch: &Sketch, patterns: &[Patterns], operator: usize) -> Predictions {
        let signs = sketch.operator(operator);
        let behaviours = patterns[operator]
            .list
            .iter()
            .map(|found| (found.pattern.behaviour(signs), found.pattern.len()));
        let behaviours: Vec<_> = behaviours.collect();
        let mut predictions = Predictions::default();
        let seen = &self.operators[operator];
        for &((pattern, state, applicable), times) in &seen.applicable {
            let right = u64::from(behaviours[pattern as usize].0.applies(state) == applicable);
            predictions.note(right, 1 - right, times);
        }
        for &((pattern, before, after), times) in &seen.taken {
            let (behaviour, atoms) = behaviours[pattern as usize];
            let wrong = u64::from((behaviour.after(before) ^ after).count_ones());
            predictions.note(atoms as u64 - wrong, wrong, times);
        }
        predictions
    }
}

/// What was seen of one operator, while it is counted.
#[derive(Clone, Debug, Default)]
struct Counts {
    applicable: BTreeMap<(u32, u128, bool), u64>,
    taken: BTreeMap<(u32, u128, u128), u64>,
}
