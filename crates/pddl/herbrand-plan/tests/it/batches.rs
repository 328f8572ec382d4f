//! Best-first searches in batches against a slow twin, which keeps the states that wait in one list and looks for the least.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use herbrand_ground::ActionId;
use herbrand_limits::Budget;
use herbrand_plan::{
    Heuristic, HeuristicPlanner, HeuristicSearch, PlanRequest, Planner, SearchOutcome, StateBatch,
};
use herbrand_step::{Random, Walker};
use proptest::prelude::*;

use crate::any_task;
use crate::exhaustive::Exhaustive;

type Words = Vec<u64>;

/// A state with its key.
type Waiting = ((f64, f64), usize);

/// A heuristic or a policy whose answers are drawn from the words of a state. Writes down the states of each batch.
struct Drawn {
    salt: u64,
    is_policy: bool,
    asked: Arc<Mutex<Vec<Vec<Words>>>>,
}

fn hash(salt: u64, words: &[u64], more: u32) -> u64 {
    fxhash::hash64(&(salt, words, more)).rotate_left(20)
}

impl Drawn {
    fn estimate_of(&self, words: &[u64]) -> f64 {
        match hash(self.salt, words, 0) % 20 {
            0 => f64::INFINITY,
            _ if self.is_policy => 0.0,
            drawn => (drawn / 2) as f64 / 2.0,
        }
    }

    fn prefers(&self, words: &[u64], action: ActionId) -> bool {
        !self.is_policy && hash(self.salt, words, action.number() + 1).is_multiple_of(3)
    }

    fn probability(&self, words: &[u64], action: ActionId) -> f64 {
        (hash(self.salt, words, action.number() + 1) % 5) as f64 / 8.0
    }
}

impl Heuristic for Drawn {
    fn estimate(&mut self, batch: &mut StateBatch<'_>, estimates: &mut Vec<f64>) {
        let mut asked = Vec::new();
        for place in batch.places() {
            let walker = batch.walker(place);
            let words = walker.state().words().to_vec();
            let valid: Vec<_> = walker.valid().iter().collect();
            estimates.push(self.estimate_of(&words));
            for action in valid {
                if self.prefers(&words, action) {
                    batch.prefer(place, action);
                }
                if self.is_policy && self.probability(&words, action) > 0.0 {
                    batch.rate(place, action, self.probability(&words, action));
                }
            }
            asked.push(words);
        }
        self.asked.lock().unwrap().push(asked);
    }

    fn is_policy(&self) -> bool {
        self.is_policy
    }
}

/// A state that the twin found.
struct Found {
    words: Words,
    way: Option<(usize, ActionId)>,
    cost: u64,
    /// For each evaluator, the logarithm of the probability of the path; and the path's length.
    logs: Vec<f64>,
    length: u32,
    is_promising: bool,
    is_evaluated: bool,
    is_done: bool,
}

/// The slow twin.
struct Twin<'a> {
    evaluators: &'a [Drawn],
    search: HeuristicSearch,
    batch: usize,
    beam: usize,
    walker: Walker,
    states: Vec<Found>,
    /// For each list, the keys and the states that wait, and the pops so far.
    open: Vec<(Vec<Waiting>, i64)>,
    best: Vec<f64>,
    layer: Vec<Waiting>,
    facts: BTreeSet<(u64, Vec<(u32, u64)>)>,
    asked: Vec<Vec<Words>>,
    expanded: u64,
}

impl Twin<'_> {
    fn push(&mut self, list: usize, key: (f64, f64), state: usize) {
        self.open[list].0.push((key, state));
    }

    fn pop(&mut self) -> Option<usize> {
        let lists = self
            .open
            .iter()
            .enumerate()
            .filter(|(_, list)| !list.0.is_empty());
        let (number, _) = lists.min_by_key(|(_, list)| list.1)?;
        let (list, pops) = &mut self.open[number];
        *pops += 1;
        let least =
            (0..list.len()).reduce(|best, other| if list[other].0 < list[best].0 { other } else { best })?;
        Some(list.remove(least).1)
    }

    fn waiting(&self) -> usize {
        self.states.iter().filter(|state| !state.is_evaluated).count()
    }

    fn estimate(&self, state: usize) -> f64 {
        let estimates = self
            .evaluators
            .iter()
            .map(|one| one.estimate_of(&self.states[state].words));
        estimates.fold(0.0, f64::max)
    }

    fn key(&self, evaluator: usize, state: usize) -> f64 {
        let (one, found) = (&self.evaluators[evaluator], &self.states[state]);
        if one.is_policy {
            return (f64::from(found.length.max(1)).ln() - found.logs[evaluator]).max(0.0);
        }
        one.estimate_of(&found.words)
    }

    fn evaluate(&mut self) {
        let new: Vec<usize> = (0..self.states.len())
            .filter(|&state| !self.states[state].is_evaluated)
            .collect();
        self.asked.push(
            new.iter()
                .map(|&state| self.states[state].words.clone())
                .collect(),
        );
        for state in new {
            let estimate = self.estimate(state);
            self.states[state].is_evaluated = true;
            self.states[state].is_done = estimate.is_infinite();
            if estimate.is_infinite() {
                continue;
            }
            match self.search {
                HeuristicSearch::AStar => self.again(state),
                HeuristicSearch::Width => {
                    let novelty = self.novelty(state, estimate.round() as u64);
                    self.push(0, (novelty, estimate), state);
                }
                HeuristicSearch::Beam => {
                    let policies = (0..self.evaluators.len()).filter(|&one| self.evaluators[one].is_policy);
                    let path = policies.map(|one| self.key(one, state)).fold(0.0, f64::max);
                    self.layer.push(((estimate, path), state));
                }
                HeuristicSearch::Greedy => {
                    for one in 0..self.evaluators.len() {
                        let key = self.key(one, state);
                        if key.is_infinite() {
                            continue;
                        }
                        self.push(2 * one, (key, 0.0), state);
                        if self.states[state].is_promising {
                            self.push(2 * one + 1, (key, 0.0), state);
                        }
                        if key < self.best[one] {
                            self.best[one] = key;
                            self.open[2 * one + 1].1 -= 1000;
                        }
                    }
                }
            }
        }
    }

    fn again(&mut self, state: usize) {
        let estimate = self.estimate(state);
        if self.states[state].is_evaluated && estimate.is_finite() {
            let least = self.states[state].cost as f64 + estimate.round();
            self.push(0, (least, estimate), state);
            self.states[state].is_done = false;
        }
    }

    /// The size of the smallest set of facts that no state of the class had.
    fn novelty(&mut self, state: usize, class: u64) -> f64 {
        self.walker.set_words(&self.states[state].words).unwrap();
        let mut facts: Vec<(u32, u64)> = self
            .walker
            .state()
            .fluents()
            .map(|atom| (atom.number(), 0))
            .collect();
        let numbers = self.walker.simulator().task().state_numerics;
        for id in (0..numbers).map(herbrand_ground::NumericId::new) {
            if let Some(value) = self.walker.numeric(id) {
                facts.push((u32::MAX - id.number(), value.to_bits()));
            }
        }
        let mut least = 3.0_f64;
        for (index, &one) in facts.iter().enumerate() {
            if self.facts.insert((class, vec![one])) {
                least = 1.0;
            }
            for &other in &facts[index + 1..] {
                if self.facts.insert((class, vec![one.min(other), one.max(other)])) {
                    least = least.min(2.0);
                }
            }
        }
        least
    }

    fn plan(&self, mut state: usize) -> Vec<ActionId> {
        let mut steps = Vec::new();
        while let Some((parent, action)) = self.states[state].way {
            steps.push(action);
            state = parent;
        }
        steps.reverse();
        steps
    }

    /// Returns the plan, if there is one.
    fn run(&mut self) -> Option<Vec<ActionId>> {
        let is_astar = self.search == HeuristicSearch::AStar;
        if !is_astar && self.walker.is_goal() {
            return Some(Vec::new());
        }
        self.evaluate();
        loop {
            let Some(state) = self.pop() else {
                if self.waiting() > 0 {
                    self.evaluate();
                }
                let mut layer = std::mem::take(&mut self.layer);
                layer.sort_by(|one, other| one.partial_cmp(other).unwrap());
                layer.truncate(self.beam);
                layer
                    .into_iter()
                    .for_each(|(key, state)| self.push(0, key, state));
                if self.open.iter().all(|list| list.0.is_empty()) {
                    return None;
                }
                continue;
            };
            if self.states[state].is_done {
                continue;
            }
            let words = self.states[state].words.clone();
            self.walker.set_words(&words).unwrap();
            if is_astar && self.walker.is_goal() {
                if self.waiting() == 0 {
                    return Some(self.plan(state));
                }
                let estimate = self.estimate(state);
                self.push(
                    0,
                    (self.states[state].cost as f64 + estimate.round(), estimate),
                    state,
                );
                self.evaluate();
                continue;
            }
            self.states[state].is_done = true;
            self.expanded += 1;
            let valid: Vec<_> = self.walker.valid().iter().collect();
            for action in valid {
                self.walker.set_words(&words).unwrap();
                if self.walker.apply(action, &mut Random::new(0)).is_err() {
                    continue;
                }
                let next = self.walker.state().words().to_vec();
                let is_goal = self.walker.is_goal();
                let cost = self.states[state].cost + 1;
                if let Some(known) = (0..self.states.len()).find(|&known| self.states[known].words == next) {
                    if cost < self.states[known].cost {
                        self.states[known].cost = cost;
                        self.states[known].way = Some((state, action));
                        if is_astar {
                            self.again(known);
                        }
                    }
                    continue;
                }
                let logs = self.evaluators.iter().zip(&self.states[state].logs);
                let logs = logs
                    .map(|(one, log)| log + one.probability(&words, action).ln())
                    .collect();
                self.states.push(Found {
                    words: next,
                    way: Some((state, action)),
                    cost,
                    logs,
                    length: self.states[state].length + 1,
                    is_promising: self.evaluators.iter().any(|one| one.prefers(&words, action)),
                    is_evaluated: false,
                    is_done: false,
                });
                if !is_astar && is_goal {
                    return Some(self.plan(self.states.len() - 1));
                }
                if self.waiting() >= self.batch {
                    self.evaluate();
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    /// The search asks for the same batches as its twin, in the same order, and finds the same plan.
    #[test]
    fn batches_are_those_of_the_twin(
        task in any_task(),
        search in prop::sample::select(HeuristicSearch::ALL.to_vec()),
        batch in prop::sample::select(vec![1_usize, 2, 3, 7, 1000]),
        beam in 1_u32..5,
        kinds in prop::collection::vec(any::<bool>(), 1..4),
        salt: u64,
    ) {
        prop_assume!(Exhaustive::of(&task, 60).is_some());
        let task = task.by_length();
        let logs: Vec<Arc<Mutex<Vec<_>>>> = kinds.iter().map(|_| Arc::default()).collect();
        let drawn = |log: &Arc<Mutex<Vec<Vec<Words>>>>, number: usize| Drawn {
            salt: salt.wrapping_add(number as u64),
            is_policy: kinds[number] && matches!(search, HeuristicSearch::Greedy | HeuristicSearch::Beam),
            asked: Arc::clone(log),
        };
        let planner = HeuristicPlanner::new(search, |_, _| {
            let all = logs.iter().enumerate();
            Ok(all.map(|(number, log)| Box::new(drawn(log, number)) as Box<dyn Heuristic>).collect())
        });
        let planner = planner.in_batches(batch).with_beam(NonZeroU32::new(beam).unwrap());
        let mut request = PlanRequest { budget: Budget::unlimited(), seed: 0, progress: &mut |_| {} };
        let report = planner.plan(&task, &mut request);

        let evaluators: Vec<Drawn> = logs.iter().enumerate().map(|(number, _)| drawn(&Arc::default(), number)).collect();
        let mut walker = task.simulator().walker();
        walker.set_words(task.start().words()).unwrap();
        let mut twin = Twin {
            evaluators: &evaluators,
            search,
            batch,
            beam: beam as usize,
            walker,
            states: vec![Found {
                words: task.start().words().to_vec(),
                way: None,
                cost: 0,
                logs: vec![0.0; kinds.len()],
                length: 0,
                is_promising: false,
                is_evaluated: false,
                is_done: false,
            }],
            open: vec![(Vec::new(), 0); 2 * kinds.len()],
            best: vec![f64::INFINITY; kinds.len()],
            layer: Vec::new(),
            facts: BTreeSet::new(),
            asked: Vec::new(),
            expanded: 0,
        };
        let expected = twin.run();
        for log in &logs {
            prop_assert_eq!(&*log.lock().unwrap(), &twin.asked);
        }
        prop_assert_eq!(report.statistics.expanded, twin.expanded);
        let found = report.outcome.plan().map(<[_]>::to_vec);
        let expected = expected.map(|steps| steps.into_iter().map(|step| task.origin(step)).collect::<Vec<_>>());
        prop_assert_eq!(found, expected);
        // A search that leaves states out, or believes in dead ends, proves nothing.
        if report.outcome == SearchOutcome::ProvenUnsolvable {
            prop_assert!(report.statistics.dead_ends == 0);
            prop_assert!(!Exhaustive::of(&task, 60).unwrap().goals.contains(&true));
        }
    }
}
