//! State spaces: breadth-first enumeration of states, with their transitions.

use std::sync::Arc;

use herbrand_core::{GraphBuilder, PackedRows, SpaceLimit, SpaceOutcome, StateGraph};
use herbrand_ground::{ActionId, NumericId};
use herbrand_limits::{Budget, Meter};

use crate::grounded::moves::Mask;
use crate::grounded::simulator::Simulator;
use crate::grounded::state::{State, decode};
use crate::grounded::walker::Walker;
use crate::search::rounding::Rounding;
use crate::search::store::StateStore;
use crate::search::symmetry::ObjectSymmetry;
use crate::semantics::error::StepError;
use crate::semantics::numbers::NumberChange;

/// The states that a breadth-first search finds, and the transitions between them as a [`StateGraph`]. The number of a
/// state is its position in the order of discovery: start states come first, then states by their distance from them.
/// [`explore`](Self::explore) makes one; [`StateGraph::analyse`] computes distances, dead ends and components.
///
/// ```
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
/// use herbrand_step::{SpaceOptions, StateSpace, compile};
///
/// let domain = Domain::from_text("(define (domain coin) (:requirements :probabilistic-effects) (:predicates (up) (lost))
///     (:action toss :precondition (not (lost)) :effect (probabilistic 1/2 (up) 1/4 (lost))))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain coin) (:init) (:goal (up)))", &domain)?;
/// let simulator = compile(&domain, &problem)?;
/// let budget = Budget::unlimited();
/// let space = StateSpace::explore(&simulator, &SpaceOptions::default(), &budget)?;
/// assert_eq!((space.len(), space.graph.is_complete()), (4, true));
/// // The start is tossed to heads, lost, or stays.
/// assert_eq!(space.graph.successors(0), [0, 1, 2]);
/// let analysis = space.graph.analyse(&budget)?;
/// assert_eq!(analysis.dead_ends, [false, false, true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct StateSpace {
    store: StateStore,
    /// A state with the shape that all states of the task have.
    shape: State,
    /// The transitions, goals and start states.
    pub graph: StateGraph,
    /// The number of successors generated from the states whose actions were tried, including states that were known
    /// already.
    pub generated: u64,
    /// With [`SpaceOptions::symmetry`], the interchangeable objects. The space then has one state of each orbit.
    pub symmetry: Option<ObjectSymmetry>,
    /// With [`SpaceOptions::symmetry`], the number of states that are not merged with the others of their orbit, because
    /// that would take too many permutations.
    pub apart: u64,
    /// The reason why numbers of the states may be rounded, so that states may be missing, or be two instead of one; `None`
    /// if all numbers are exact.
    pub rounding: Option<Rounding>,
}

/// What [`StateSpace::explore`] explores. The default is the whole space from the initial states of the problem.
#[derive(Clone, Debug)]
pub struct SpaceOptions {
    /// The states to begin with, with equal probabilities; `None` for the initial states of the problem, with their
    /// probabilities. `None` by default.
    pub starts: Option<Vec<State>>,
    /// The number of states after which no further state is expanded. The last expansion is finished, so there may be
    /// more. With 0, only the start states are found. [`StateGraph::MOST`] by default.
    pub states: usize,
    /// Whether transitions are kept. Without them, the graph has the states, their goals and the starts only. `true` by
    /// default.
    pub transitions: bool,
    /// Whether states that differ only by an exchange of interchangeable objects are merged ([`ObjectSymmetry`]): the first
    /// one found is kept. A transition then leads to the kept state of the successor's orbit. Distances, dead ends and costs
    /// stay as they are, but the actions along a path are no plan. Costs must depend on the effects of a step alone. `false`
    /// by default.
    pub symmetry: bool,
    /// Numbers whose changes are left out of the states, ascending, such as a total cost. They must be
    /// [constant counters](herbrand_ground::GroundTask::constant_counters) of the task, which is not checked. Interchangeable objects have
    /// equal effects on them. None by default.
    pub left_out: Vec<NumericId>,
}

impl Default for SpaceOptions {
    fn default() -> Self {
        Self {
            starts: None,
            states: StateGraph::MOST,
            transitions: true,
            symmetry: false,
            left_out: Vec::new(),
        }
    }
}

impl StateSpace {
    /// Finds the states that can be reached from the start states through all outcomes of all valid actions, breadth
    /// first. Every step costs 1. Goal states are expanded like others. An action whose numeric effects have no result
    /// in a state has no transition there.
    ///
    /// Reaching a limit is no error: the space is then a part, and [`StateGraph::limit`] says why. Its expanded states
    /// have all their transitions.
    ///
    /// # Errors
    /// Fails if an action or the initial state has more combinations of draws than
    /// [`Options::outcome_limit`](crate::Options::outcome_limit), if numbers of the initial state have no result, or if
    /// a start state belongs to another task.
    pub fn explore(
        simulator: &Simulator,
        options: &SpaceOptions,
        budget: &Budget,
    ) -> Result<Self, StepError> {
        Self::explore_costs(simulator, options, |_, _, _| 1.0, budget)
    }

    /// Like [`explore`](Self::explore), with costs of steps: `cost` returns the cost of a step by an action, given the
    /// numbers that it changes and the amounts by which it changes accumulators.
    ///
    /// # Errors
    /// Fails like [`explore`](Self::explore).
    pub fn explore_costs(
        simulator: &Simulator,
        options: &SpaceOptions,
        cost: impl FnMut(ActionId, &[NumberChange], &[(NumericId, f64)]) -> f64,
        budget: &Budget,
    ) -> Result<Self, StepError> {
        let mut meter = budget.meter("exploring the state space");
        let width = simulator.initial_state().words().len();
        // Effects on numbers that are left out tell objects apart, too.
        let orbits = options.symmetry.then(|| Orbits::of(simulator, width, &mut meter));
        let lean = simulator.task().without_changes(&options.left_out);
        let lean = lean.map(|task| Simulator::with_options(Arc::new(task), simulator.options()));
        let simulator = lean.as_ref().unwrap_or(simulator);
        let mut exploration = Exploration {
            walker: simulator.walker(),
            goals: Vec::new(),
            masks: Vec::new(),
            found: Found {
                store: StateStore::new(width),
                orbits,
                builder: GraphBuilder::default(),
                generated: 0,
                keeps_transitions: options.transitions,
                cost,
                outcomes: Vec::new(),
                words: Vec::new(),
            },
        };
        exploration.begin(simulator, options.starts.as_deref())?;
        let limit = exploration.run(options.states, &mut meter)?;
        exploration.find_goals();
        let Exploration { goals, found, .. } = exploration;
        let states = (0..found.store.len()).map(|number| found.store.get(number));
        Ok(Self {
            rounding: Rounding::of(simulator.task(), states),
            shape: simulator.initial_state(),
            graph: found.builder.finish(goals, limit),
            store: found.store,
            generated: found.generated,
            apart: found.orbits.as_ref().map_or(0, |orbits| orbits.apart),
            symmetry: found.orbits.map(|orbits| orbits.symmetry),
        })
    }

    /// Returns the number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.store.len()
    }

    /// Returns whether there is no state. This is only the case if no start state was given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the state with this number, counted from 0 in the order of discovery; `None` if there is no such state.
    #[must_use]
    pub fn state(&self, number: usize) -> Option<State> {
        (number < self.len()).then(|| self.shape.with_words(self.store.get(number)))
    }

    /// Returns the number of a state in the order of discovery; `None` if it is not in the space.
    #[must_use]
    pub fn number(&self, state: &State) -> Option<usize> {
        self.store.position(state.words())
    }

    /// Returns the [words](State::words) of all states as one list, state by state: [`width`](Self::width) words for
    /// each.
    #[must_use]
    pub fn words(&self) -> Vec<u64> {
        let mut words = Vec::with_capacity(self.len() * self.width());
        (0..self.len()).for_each(|number| words.extend_from_slice(self.store.get(number)));
        words
    }

    /// Returns the number of words of a state ([`State::words`]), which is the same for all states.
    #[must_use]
    pub fn width(&self) -> usize {
        self.shape.words().len()
    }

    /// Returns all states as tables: the bits of the fluent atoms by their ids, and the numeric fluents of the state by
    /// theirs, NaN for an undefined one. Row `i` is the state with number `i`.
    #[must_use]
    pub fn rows(&self) -> PackedRows {
        let (words, columns) = (self.shape.bits().len(), self.shape.numbers().len());
        let mut rows = PackedRows {
            bits: Vec::with_capacity(self.len() * words),
            words,
            numbers: Vec::with_capacity(self.len() * columns),
            columns,
        };
        for number in 0..self.len() {
            let (bits, numbers) = self.store.get(number).split_at(words);
            rows.bits.extend_from_slice(bits);
            rows.numbers
                .extend(numbers.iter().map(|&word| decode(word).unwrap_or(f64::NAN)));
        }
        rows
    }

    /// Returns the memory of the states with the hash table that finds them, and of the transitions, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.store.bytes() + self.graph.bytes()
    }
}

/// An exploration in progress. The expanded states are those whose choices are in the builder.
struct Exploration<C> {
    walker: Walker,
    /// For each expanded state, whether the goal holds.
    goals: Vec<bool>,
    /// A buffer for the effects of an action.
    masks: Vec<Mask>,
    found: Found<C>,
}

/// The states and transitions found so far.
struct Found<C> {
    store: StateStore,
    orbits: Option<Orbits>,
    builder: GraphBuilder,
    generated: u64,
    keeps_transitions: bool,
    cost: C,
    /// Buffers for the outcomes of an action and the words of its successors.
    outcomes: Vec<SpaceOutcome>,
    words: Vec<u64>,
}

/// The orbits of the states found so far, numbered like these.
struct Orbits {
    symmetry: ObjectSymmetry,
    canonical: StateStore,
    apart: u64,
}

impl Orbits {
    /// Finds the interchangeable objects. A budget that ends here ends the exploration, too.
    fn of(simulator: &Simulator, width: usize, meter: &mut Meter) -> Self {
        let task = simulator.shared_task();
        Self {
            symmetry: ObjectSymmetry::of(&task, meter).unwrap_or_else(|_| ObjectSymmetry::none(&task)),
            canonical: StateStore::new(width),
            apart: 0,
        }
    }

    /// Returns the number of the orbit of a state, and whether it is new.
    fn find_or_insert(&mut self, words: &[u64]) -> (usize, bool) {
        match self.symmetry.canonical(words) {
            Some(canonical) => self.canonical.find_or_insert(&canonical),
            None => {
                let (number, is_new) = self.canonical.find_or_insert(words);
                self.apart += u64::from(is_new);
                (number, is_new)
            }
        }
    }
}

/// Returns the number of the kept state of a state's orbit, and whether the orbit is new.
fn find_or_insert(store: &mut StateStore, orbits: Option<&mut Orbits>, words: &[u64]) -> (usize, bool) {
    let Some(orbits) = orbits else {
        return store.find_or_insert(words);
    };
    let (number, is_new) = orbits.find_or_insert(words);
    if is_new {
        store.find_or_insert(words);
    }
    (number, is_new)
}

/// Before each expansion, there is room for the numbers of this many states and outcomes.
const ROOM: usize = 1 << 24;

impl<C: FnMut(ActionId, &[NumberChange], &[(NumericId, f64)]) -> f64> Exploration<C> {
    /// Adds the start states.
    fn begin(&mut self, simulator: &Simulator, starts: Option<&[State]>) -> Result<(), StepError> {
        let starts: Vec<(f64, State)> = match starts {
            Some(states) => {
                let share = 1.0 / states.len().max(1) as f64;
                states.iter().map(|state| (share, state.clone())).collect()
            }
            None => {
                let initial = simulator.initial_outcomes()?;
                initial
                    .into_iter()
                    .map(|one| (one.probability, one.state))
                    .collect()
            }
        };
        let mut numbers: Vec<(f64, u32)> = Vec::with_capacity(starts.len());
        for (probability, state) in &starts {
            if !state.fits(simulator.task()) {
                return Err(StepError::ForeignState);
            }
            let Found { store, orbits, .. } = &mut self.found;
            let (number, is_new) = find_or_insert(store, orbits.as_mut(), state.words());
            if is_new {
                numbers.push((*probability, number as u32));
            } else {
                numbers[number].0 += probability;
            }
        }
        for (probability, number) in numbers {
            self.found.builder.start(probability, number);
        }
        Ok(())
    }

    /// Expands states until all are expanded or a limit is reached, which is returned.
    fn run(&mut self, states: usize, meter: &mut Meter) -> Result<Option<SpaceLimit>, StepError> {
        loop {
            let found = &mut self.found;
            if self.goals.len() == found.store.len() || found.store.len() + found.store.waiting() > states {
                found.settle();
                if self.goals.len() == found.store.len() {
                    return Ok(None);
                }
            }
            let limit = if found.store.len() > states {
                Some(SpaceLimit::States(states))
            } else if found.store.len().max(found.builder.outcomes()) > StateGraph::MOST - ROOM {
                Some(SpaceLimit::Numbers)
            } else if meter.hold((found.bytes() + self.goals.capacity()) as u64) {
                None
            } else {
                meter.check().err().map(SpaceLimit::Budget)
            };
            if limit.is_some() {
                found.settle();
                return Ok(limit);
            }
            self.expand()?;
        }
    }

    /// Expands the next state.
    fn expand(&mut self) -> Result<(), StepError> {
        let Self {
            walker,
            goals,
            masks,
            found,
        } = self;
        walker.go_to(found.store.get(goals.len()));
        found.store.set_parent(goals.len());
        goals.push(walker.is_goal());
        for action in walker.valid().iter() {
            match walker.masks(action, masks) {
                Some(masks) if found.orbits.is_none() => found.change(action, masks),
                _ => found.enumerate(walker, action)?,
            }
        }
        found.drain();
        found.builder.close_state();
        Ok(())
    }

    /// Finds out whether the goal holds in the states that were not expanded.
    fn find_goals(&mut self) {
        let store = &self.found.store;
        for number in self.goals.len()..store.len() {
            self.walker.go_to(store.get(number));
            self.goals.push(self.walker.is_goal());
        }
    }
}

impl<C: FnMut(ActionId, &[NumberChange], &[(NumericId, f64)]) -> f64> Found<C> {
    fn bytes(&self) -> usize {
        let orbits = self.orbits.as_ref().map_or(0, |orbits| orbits.canonical.bytes());
        self.store.bytes() + self.builder.bytes() + orbits
    }

    /// Inserts the successors that still wait in a batch, and adds their numbers to the transitions.
    fn settle(&mut self) {
        self.store.flush();
        self.drain();
    }

    /// Adds the numbers of the successors of flushed batches to the transitions.
    fn drain(&mut self) {
        if self.keeps_transitions {
            self.builder.add_targets(&mut self.store.numbers);
        } else {
            self.store.numbers.clear();
        }
    }

    /// Adds an action that changes the parent by masks.
    #[inline]
    fn change(&mut self, action: ActionId, masks: &[Mask]) {
        self.store.insert_changed(masks);
        self.generated += 1;
        if self.keeps_transitions {
            let cost = (self.cost)(action, &[], &[]);
            self.builder.certain_choice(action.number(), cost);
        }
    }

    /// Adds the outcomes of an action of the walker's state that has draws or numeric effects.
    fn enumerate(&mut self, walker: &Walker, action: ActionId) -> Result<(), StepError> {
        self.settle();
        let (outcomes, words) = (&mut self.outcomes, &mut self.words);
        outcomes.clear();
        words.clear();
        let done = walker.each_outcome(action, |branch| {
            outcomes.push(SpaceOutcome {
                probability: branch.probability,
                cost: (self.cost)(action, branch.numbers, branch.deltas),
                state: 0,
            });
            words.extend_from_slice(branch.state.words());
        });
        match done {
            Ok(count) => self.generated += count,
            Err(error @ (StepError::TooManyOutcomes { .. } | StepError::Limit { .. })) => return Err(error),
            // A number has no result, so the action cannot be taken here.
            Err(_) => return Ok(()),
        }
        let width = walker.state().words().len();
        for (index, outcome) in outcomes.iter_mut().enumerate() {
            let words = &words[index * width..(index + 1) * width];
            let (number, _) = find_or_insert(&mut self.store, self.orbits.as_mut(), words);
            outcome.state = number as u32;
        }
        if self.keeps_transitions {
            self.builder.choice(action.number(), outcomes);
        }
        Ok(())
    }
}
