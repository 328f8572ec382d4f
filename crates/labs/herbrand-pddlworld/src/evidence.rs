//! Traces of the target, and the likelihood of the traces under a model.

use std::collections::BTreeMap;

use herbrand_core::{Random, uniform_below};
use rand::Rng;

use crate::arena::{GroundedProblem, Machine, Patterns};
use crate::sketch::Sketch;
use crate::vocabulary::SketchVocabulary;

/// The options of the random walks in the target. [`Target::new`](crate::Target::new) takes them and records the walks;
/// [`Target::predictions`](crate::Target::predictions) compares a model with them. By default 4 walks of 20 steps from
/// the initial state, with seed 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Walks {
    /// The number of walks per problem. 0 records nothing.
    pub count: u32,
    /// The number of steps per walk. A walk ends early if no action is applicable.
    pub steps: u32,
    /// The seed of the random numbers.
    pub seed: u64,
    /// Whether each walk starts in a random state, in which every atom holds with probability 1/2. Otherwise walks start in
    /// the initial state.
    pub scattered: bool,
}

impl Default for Walks {
    /// 4 walks of 20 steps from the initial state, with seed 0.
    fn default() -> Self {
        Self {
            count: 4,
            steps: 20,
            seed: 0,
            scattered: false,
        }
    }
}

/// Observations of a target: the applicable actions in the states of random walks, and the effects of the actions taken.
///
/// States are projected onto the literals of an operator, and equal observations are counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    /// One entry per operator.
    operators: Vec<OperatorObservations>,
}

/// The observations of one operator. States are bit sets over the atoms of a pattern.
#[derive(Clone, Debug, Default)]
struct OperatorObservations {
    /// Pattern, state, whether the grounding was applicable, and the number of these observations.
    applicable: Vec<((u32, u128, bool), u64)>,
    /// Pattern, state before the action, state after it, and the number of these observations.
    taken: Vec<((u32, u128, u128), u64)>,
}

/// The number of correct and of wrong predictions of a model about the recorded random walks, counted in bits. Returned by
/// [`Target::predictions`](crate::Target::predictions). There is a bit for each state and ground action (whether it is
/// applicable) and for each action taken and each of its atoms (whether the atom holds afterwards).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Predictions {
    /// The number of correctly predicted bits.
    pub right: u64,
    /// The number of wrongly predicted bits.
    pub wrong: u64,
}

impl Predictions {
    /// Returns the mean natural log-probability per bit if each prediction is wrong with probability `noise`, between 0
    /// and 1. Returns 0 if there are no observations. A `noise` of 0 or 1 gives an infinite value or NaN, so take a
    /// number in between.
    #[must_use]
    pub fn log_likelihood(self, noise: f64) -> f64 {
        let bits = self.right + self.wrong;
        if bits == 0 {
            return 0.0;
        }
        let sum = self.right as f64 * (1.0 - noise).ln() + self.wrong as f64 * noise.ln();
        sum / bits as f64
    }

    /// Returns the geometric mean of the bits' probabilities under the same assumption, from `noise` (all predictions
    /// wrong) to `1 - noise` (all correct). Returns 1 if there are no observations. A `noise` of 0 or 1 may give NaN.
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
    /// Records random walks on the problems of a target. Each action is drawn uniformly among the applicable ones.
    pub(crate) fn record(
        arenas: &[GroundedProblem],
        machines: &[Machine],
        vocabulary: &SketchVocabulary,
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
        let seen = counts.into_iter().map(|counts| OperatorObservations {
            applicable: counts.applicable.into_iter().collect(),
            taken: counts.taken.into_iter().collect(),
        });
        Self {
            operators: seen.collect(),
        }
    }

    /// Compares a sketch's predictions with the observations of an operator.
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

/// Observations of one operator while they are counted.
#[derive(Clone, Debug, Default)]
struct Counts {
    applicable: BTreeMap<(u32, u128, bool), u64>,
    taken: BTreeMap<(u32, u128, u128), u64>,
}
