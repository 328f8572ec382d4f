//! The answers of several heuristics and policies for the states of one search.

use fxhash::FxHashMap;
use herbrand_ground::ActionId;

use super::Halt;
use super::space::Space;
use crate::heuristic::{Answer, Heuristic};

/// The heuristics and policies of a search, asked for batches of new states. Those found since the last evaluation wait.
///
/// ```text
///   expand(parent) ──▶ found(parent, action), … ──▶ evaluate ──▶ estimate(place), key(evaluator, place)
/// ```
pub(crate) struct Evaluators<'t> {
    all: Vec<Evaluator<'t>>,
    /// The number of states that have been evaluated: they are the first ones.
    pub(crate) evaluated: usize,
    /// For each state of the last batch and each that waits, whether a preferred action led to it.
    promising: Vec<bool>,
    /// For each state that is not expanded yet, its preferred actions; and those of the expanded one.
    preferred: FxHashMap<u32, Vec<ActionId>>,
    chosen: Vec<ActionId>,
    /// The bytes of preferred and rated actions.
    held: usize,
}

struct Evaluator<'t> {
    heuristic: Box<dyn Heuristic + 't>,
    answer: Answer,
    /// The paths of a policy; `None` for a heuristic.
    paths: Option<Paths>,
}

/// The paths to the states of a search under a policy.
#[derive(Default)]
struct Paths {
    /// For each state, the logarithm of the probability of its path, and the length of the path.
    paths: Vec<(f64, u32)>,
    /// For each state that is not expanded yet, the rated actions; and those of the expanded one.
    rated: FxHashMap<u32, Vec<(ActionId, f64)>>,
    chosen: Vec<(ActionId, f64)>,
}

impl<'t> Evaluators<'t> {
    /// Takes heuristics and policies for a search whose only state is its start.
    pub(crate) fn new(heuristics: Vec<Box<dyn Heuristic + 't>>) -> Self {
        let all = heuristics.into_iter().map(|heuristic| Evaluator {
            paths: heuristic.is_policy().then(|| Paths {
                paths: vec![(0.0, 0)],
                ..Paths::default()
            }),
            heuristic,
            answer: Answer::default(),
        });
        Self {
            all: all.collect(),
            evaluated: 0,
            promising: vec![false],
            preferred: FxHashMap::default(),
            chosen: Vec::new(),
            held: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    pub(crate) fn is_policy(&self, evaluator: usize) -> bool {
        self.all[evaluator].paths.is_some()
    }

    /// Returns whether all say that they are admissible.
    pub(crate) fn are_admissible(&self) -> bool {
        self.all.iter().all(|one| one.heuristic.is_admissible())
    }

    /// Begins the expansion of a state.
    pub(crate) fn expand(&mut self, state: u32) {
        self.chosen = self.preferred.remove(&state).unwrap_or_default();
        self.held -= size_of_val(&*self.chosen);
        for paths in self.all.iter_mut().filter_map(|one| one.paths.as_mut()) {
            paths.chosen = paths.rated.remove(&state).unwrap_or_default();
            self.held -= size_of_val(&*paths.chosen);
        }
    }

    /// Says that the expanded state `parent` leads to a new state by an action. New states get their numbers in this order.
    pub(crate) fn found(&mut self, parent: u32, action: ActionId) {
        self.promising.push(self.chosen.contains(&action));
        for paths in self.all.iter_mut().filter_map(|one| one.paths.as_mut()) {
            let rated = paths.chosen.iter().filter(|rated| rated.0 == action);
            let probability: f64 = rated.map(|rated| rated.1).sum();
            let (path, length) = paths.paths[parent as usize];
            paths.paths.push((path + probability.ln(), length + 1));
        }
    }

    /// Evaluates the states that wait.
    pub(crate) fn evaluate(&mut self, space: &mut Space<'_, '_>) -> Result<(), Halt> {
        let numbers = self.evaluated as u32..space.len() as u32;
        let before = space.statistics.dead_ends;
        for one in &mut self.all {
            space.evaluate(one.heuristic.as_mut(), numbers.clone(), &mut one.answer)?;
            for &(place, action) in &one.answer.preferred {
                self.preferred
                    .entry(numbers.start + place)
                    .or_default()
                    .push(action);
                self.held += size_of::<ActionId>();
            }
            if let Some(paths) = &mut one.paths {
                for &(place, action, probability) in &one.answer.rated {
                    let rated = paths.rated.entry(numbers.start + place).or_default();
                    rated.push((action, probability));
                    self.held += size_of::<(ActionId, f64)>();
                }
            }
        }
        self.promising.drain(..self.promising.len() - numbers.len());
        self.evaluated = space.len();
        // A state that several call a dead end is one.
        let dead = (0..numbers.len()).filter(|&place| self.estimate(place).is_infinite());
        space.statistics.dead_ends = before + dead.count() as u64;
        Ok(())
    }

    /// Returns the largest estimate of the state at a place in the last batch: infinity for a dead end, and 0 without heuristics.
    pub(crate) fn estimate(&self, place: usize) -> f64 {
        let estimates = self.all.iter().map(|one| one.answer.estimates[place]);
        estimates.fold(0.0, f64::max)
    }

    /// Returns what one evaluator says about the state at a place in the last batch, the better the lower: the estimate of a
    /// heuristic. For a policy, the logarithm of the number of expansions after which Levin tree search (Orseau et al. 2018,
    /// "Single-agent policy tree search with guarantees") has expanded this state at the latest: the length of the path over
    /// its probability.
    pub(crate) fn key(&self, evaluator: usize, place: usize) -> f64 {
        let one = &self.all[evaluator];
        let Some(paths) = &one.paths else {
            return one.answer.estimates[place];
        };
        let first = paths.paths.len() - one.answer.estimates.len();
        let (path, length) = paths.paths[first + place];
        // A sum of ratings may exceed 1 by rounding.
        (f64::from(length.max(1)).ln() - path).max(0.0)
    }

    /// Returns whether a preferred action led to the state at a place in the last batch.
    pub(crate) fn is_promising(&self, place: usize) -> bool {
        self.promising[place]
    }

    pub(crate) fn bytes(&self) -> usize {
        let own = self.all.iter().map(|one| {
            let paths = one.paths.as_ref().map_or(0, |paths| paths.paths.capacity());
            one.heuristic.bytes() + paths * size_of::<(f64, u32)>()
        });
        self.held + own.sum::<usize>()
    }
}
