//! State spaces of problems with finitely many outcomes.

use std::collections::HashMap;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_core::{
    GraphBuilder, JointTable, PackedRows, SpaceLimit, SpaceOutcome, StateGraph, System as _, TableError,
};
use herbrand_dataflow::ValueType;
use herbrand_limits::Budget;
use herbrand_rddl::Instance;
use herbrand_rddl_sim::ground::{CompileError, ExactError, ExactStep};
use herbrand_rddl_sim::simulate::{
    CompiledInstance, FluentValue, Preconditions, RddlSimulator, StepError, Values,
};
use thiserror::Error;

/// The states that a breadth-first search finds, and the transitions between them as a [`StateGraph`]: an explicit Markov
/// decision process. [`explore`](Self::explore) makes one.
///
/// Actions of the graph are numbers of joint actions in [`joints`](Self::joints). The cost of an outcome is its negated
/// reward, averaged over the draws that lead to the same state. No state is a goal; a state in which the episode ends has
/// no choices.
#[derive(Clone, Debug)]
pub struct RddlStateSpace {
    compiled: Arc<CompiledInstance>,
    rows: Rows,
    /// The transitions and the start states.
    pub graph: StateGraph,
    /// The joint actions by their numbers.
    pub joints: JointTable,
}

/// The options of [`RddlStateSpace::explore`]: where it begins, and its limits. By default it begins in the initial
/// state, and the limits are half of [`StateGraph::MOST`] states, and 65,536 joint actions and combinations of draws each.
#[derive(Clone, Debug)]
pub struct RddlSpaceOptions {
    /// The states to begin with, equally probable; `None` for the initial state of the problem. With an empty list, the
    /// space is empty.
    pub starts: Option<Vec<Values>>,
    /// The number of states after which no further state is expanded.
    pub states: usize,
    /// The number of steps from the start states after which no further state is expanded; `None` for no limit.
    pub steps: Option<u32>,
    /// The greatest number of joint actions of the problem. With more, [`RddlStateSpace::explore`] fails.
    pub joint_actions: usize,
    /// The greatest number of combinations of draws in a step. With more, [`RddlStateSpace::explore`] fails.
    pub outcomes: usize,
}

impl Default for RddlSpaceOptions {
    fn default() -> Self {
        Self {
            starts: None,
            states: StateGraph::MOST,
            steps: None,
            joint_actions: 1 << 16,
            outcomes: 1 << 16,
        }
    }
}

/// The reason why a problem has no state space. [`RddlStateSpace::explore`] returns it.
#[derive(Debug, Error)]
pub enum RddlSpaceError {
    /// The problem cannot be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The joint actions cannot be numbered.
    #[error(transparent)]
    Joints(#[from] TableError),
    /// A step has infinitely many outcomes or too many, or it fails.
    #[error(transparent)]
    Step(#[from] ExactError),
}

impl From<StepError> for RddlSpaceError {
    fn from(error: StepError) -> Self {
        Self::Step(error.into())
    }
}

impl RddlStateSpace {
    /// Finds the states that are reachable through all outcomes of all joint actions that fulfil the preconditions, breadth
    /// first.
    ///
    /// Reaching a limit of the budget or the number of states is no error: the space is then a part, and
    /// [`StateGraph::limit`] says why. If the budget has no room to compile the problem, there is no part.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use herbrand_limits::Budget;
    /// use herbrand_rddl::Instance;
    /// use herbrand_rddl_plan::space::{RddlSpaceOptions, RddlStateSpace};
    ///
    /// let domain = "domain lamp {
    ///     pvariables {
    ///         lit : { state-fluent, bool, default = false };
    ///         press : { action-fluent, bool, default = false };
    ///     };
    ///     cpfs { lit' = if (press) then Bernoulli(0.75) else lit; };
    ///     reward = lit;
    /// }";
    /// let instance = Instance::from_text(domain, "instance i { domain = lamp; horizon = 5; discount = 1.0; }")?;
    /// let options = RddlSpaceOptions::default();
    /// let space = RddlStateSpace::explore(&Arc::new(instance), &options, &Budget::unlimited())?;
    /// assert_eq!((space.len(), space.joints.len()), (2, 2));
    /// // From the dark: nothing changes, or the lamp is pressed.
    /// assert_eq!(space.graph.successors(0), [0, 0, 1]);
    /// assert_eq!(space.graph.probabilities[..3], [1.0, 0.25, 0.75]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if the problem cannot be compiled; if the joint actions cannot be numbered, as with real action fluents;
    /// if a step draws from a distribution that is not a choice among finitely many alternatives, or has too many
    /// outcomes; if a value of a step cannot be computed; or if a start state belongs to another problem.
    pub fn explore(
        instance: &Arc<Instance>,
        options: &RddlSpaceOptions,
        budget: &Budget,
    ) -> Result<Self, RddlSpaceError> {
        let step = ExactStep::within(instance, budget)?;
        let compiled = Arc::clone(step.compiled());
        let joints = JointTable::of(compiled.actions(), options.joint_actions)?;
        let mut simulator = RddlSimulator::new(Arc::clone(&compiled), Preconditions::Refused);
        let mut rows = Rows::new(&compiled);
        let mut builder = GraphBuilder::default();
        let starts = options
            .starts
            .as_deref()
            .unwrap_or(std::slice::from_ref(compiled.initial()));
        let share = 1.0 / starts.len().max(1) as f64;
        let mut found = HashMap::<u32, f64, FxBuildHasher>::default();
        for state in starts {
            if !compiled.state.section().fits(state) {
                return Err(StepError::ForeignState.into());
            }
            *found.entry(rows.number(&compiled, state)).or_default() += share;
        }
        for number in 0..rows.len() as u32 {
            builder.start(found[&number], number);
        }
        let mut meter = budget.meter("exploring the state space");
        let mut outcomes = Vec::new();
        let mut expanded = 0;
        // The states before `layer` are at most `depth` steps away.
        let (mut depth, mut layer) = (0, rows.len());
        let limit = loop {
            if expanded == rows.len() {
                break None;
            }
            if expanded == layer {
                (depth, layer) = (depth + 1, rows.len());
            }
            if let Some(steps) = options.steps.filter(|&steps| depth >= steps) {
                break Some(SpaceLimit::Steps(steps));
            }
            if rows.len() > options.states.min(StateGraph::MOST >> 1) {
                break Some(SpaceLimit::States(options.states.min(StateGraph::MOST >> 1)));
            }
            if builder.outcomes() > StateGraph::MOST >> 1 {
                break Some(SpaceLimit::Numbers);
            }
            meter.hold((rows.bytes() + builder.bytes()) as u64);
            // A step takes long enough for the clock to be read each time.
            if let Err(exhausted) = meter.check() {
                break Some(SpaceLimit::Budget(exhausted));
            }
            let state = rows.values(&compiled, expanded);
            simulator.go_to(&state)?;
            let status = simulator.status();
            let ends = status.terminal || status.broken;
            for joint in (0..joints.len()).filter(|_| !ends) {
                let choices = joints.joint(joint);
                if !simulator.is_valid(choices) {
                    continue;
                }
                outcomes.clear();
                for outcome in step.successors(&state, choices, options.outcomes)? {
                    outcomes.push(SpaceOutcome {
                        probability: outcome.probability,
                        cost: -outcome.reward,
                        state: rows.number(&compiled, &outcome.state),
                    });
                }
                builder.choice(joint as u32, &mut outcomes);
            }
            builder.close_state();
            expanded += 1;
        };
        Ok(Self {
            graph: builder.finish(vec![false; rows.len()], limit),
            compiled,
            rows,
            joints,
        })
    }

    /// Returns the number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there is no state. This is only the case if no start state was given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the state with a number of the [`graph`](Self::graph), counted from 0 in the order in which states were
    /// found; `None` if there is no such state.
    #[must_use]
    pub fn state(&self, number: usize) -> Option<Values> {
        (number < self.len()).then(|| self.rows.values(&self.compiled, number))
    }

    /// Returns the number of a state in the [`graph`](Self::graph); `None` if it is not in the space. Reals are
    /// compared bit for bit.
    #[must_use]
    pub fn number(&self, state: &Values) -> Option<usize> {
        let fits = self.compiled.state.section().fits(state);
        let row = fits.then(|| Rows::row(&self.compiled, state))?;
        self.rows.numbers.get(&row).map(|&number| number as usize)
    }

    /// Returns the compiled problem, which names the fluents of the states.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Returns all states as tables with a row per state, by its number: the bits of the state fluents that are bools,
    /// and the values of the others, both in the order of [`CompiledInstance::state`].
    #[must_use]
    pub fn rows(&self) -> PackedRows {
        let section = self.compiled.state.section();
        let kinds: Vec<ValueType> = (0..section.len()).map(|fluent| section.kind(fluent)).collect();
        let others: Vec<ValueType> = kinds
            .iter()
            .copied()
            .filter(|&kind| kind != ValueType::Bool)
            .collect();
        let words = self.rows.width - others.len();
        let mut rows = PackedRows {
            words,
            columns: others.len(),
            ..PackedRows::default()
        };
        for number in 0..self.len() {
            let (bits, numbers) = self.rows.get(number).split_at(words);
            rows.bits.extend_from_slice(bits);
            let number = |(&kind, &word): (&ValueType, &u64)| match kind {
                ValueType::Int => word.cast_signed() as f64,
                _ => f64::from_bits(word),
            };
            rows.numbers.extend(others.iter().zip(numbers).map(number));
        }
        rows
    }

    /// Returns the memory of the states and transitions in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.rows.bytes() + self.graph.bytes()
    }
}

/// States as packed rows, with a table that finds them. A row has one bit for each bool, in whole words, and then one word
/// for each other fluent, in the order of the fluents. Reals are bit patterns.
#[derive(Clone, Debug)]
struct Rows {
    width: usize,
    words: Vec<u64>,
    numbers: HashMap<Box<[u64]>, u32, FxBuildHasher>,
}

impl Rows {
    fn new(compiled: &CompiledInstance) -> Self {
        Self {
            width: Self::row(compiled, compiled.initial()).len(),
            words: Vec::new(),
            numbers: HashMap::default(),
        }
    }

    fn len(&self) -> usize {
        self.numbers.len()
    }

    fn bytes(&self) -> usize {
        let entry = size_of::<(Box<[u64]>, u32)>() + 1 + self.width * 8;
        self.words.capacity() * 8 + self.numbers.capacity() * entry
    }

    /// Returns the words of a state.
    fn row(compiled: &CompiledInstance, state: &Values) -> Box<[u64]> {
        let section = compiled.state.section();
        let (mut bits, mut others) = (Vec::new(), Vec::new());
        let mut bools = 0;
        for fluent in 0..section.len() {
            match section.get(state, fluent) {
                FluentValue::Bool(value) => {
                    if bools % 64 == 0 {
                        bits.push(0);
                    }
                    bits[bools / 64] |= u64::from(value) << (bools % 64);
                    bools += 1;
                }
                FluentValue::Int(value) => others.push(value.cast_unsigned()),
                FluentValue::Real(value) => others.push(value.to_bits()),
            }
        }
        bits.append(&mut others);
        bits.into()
    }

    fn get(&self, number: usize) -> &[u64] {
        &self.words[number * self.width..(number + 1) * self.width]
    }

    /// Returns the state with a number.
    fn values(&self, compiled: &CompiledInstance, number: usize) -> Values {
        let section = compiled.state.section();
        let row = self.get(number);
        let is_bool = |&fluent: &usize| section.kind(fluent) == ValueType::Bool;
        let bools = (0..section.len()).filter(is_bool).count();
        let (mut bit, mut word) = (0, bools.div_ceil(64));
        let mut values = section.values();
        for fluent in 0..section.len() {
            let value = match section.kind(fluent) {
                ValueType::Bool => {
                    bit += 1;
                    FluentValue::Bool(row[(bit - 1) / 64] >> ((bit - 1) % 64) & 1 == 1)
                }
                kind => {
                    word += 1;
                    match kind {
                        ValueType::Int => FluentValue::Int(row[word - 1].cast_signed()),
                        _ => FluentValue::Real(f64::from_bits(row[word - 1])),
                    }
                }
            };
            section.set(&mut values, fluent, value);
        }
        values
    }

    /// Returns the number of a state, which is added if it is new.
    fn number(&mut self, compiled: &CompiledInstance, state: &Values) -> u32 {
        let row = Self::row(compiled, state);
        if let Some(&number) = self.numbers.get(&row) {
            return number;
        }
        let number = self.len() as u32;
        self.words.extend_from_slice(&row);
        self.numbers.insert(row, number);
        number
    }
}
