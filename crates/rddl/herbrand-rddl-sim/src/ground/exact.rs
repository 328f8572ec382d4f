//! Exact distributions of a step whose draws have finitely many outcomes.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_core::Choice;
use herbrand_dataflow::{NodeId, Registers, Tape, ValueType};
use herbrand_distributions::{Draws, Family, ParameterError, Site, WeightKind};
use herbrand_limits::{Budget, deep};
use herbrand_rddl::Instance;
use thiserror::Error;

use super::compile::{CompileError, Compiled, Readers, compile_graph};
use super::templates::Templates;
use crate::simulate::{CompiledInstance, FluentValue, StepError, Values};

/// A compiled instance that computes exact distributions of a step: of each state fluent, or of all outcomes together.
///
/// It tries every combination of outcomes of the draws that a fluent depends on, so the time grows with the product of
/// their numbers of outcomes. Draws that the fluent does not need in the given state are skipped. [`new`](Self::new)
/// compiles one; then call [`distribution`](Self::distribution) or [`outcomes`](Self::outcomes).
#[derive(Debug)]
pub struct ExactStep {
    compiled: Arc<CompiledInstance>,
    /// By state fluent: a tape that computes only this fluent.
    tapes: Vec<Tape>,
    /// A tape that computes the next state and the reward, without observations.
    next: Tape,
}

/// The reason why an exact distribution could not be computed, returned by the methods of [`ExactStep`].
#[derive(Clone, PartialEq, Debug, Error)]
pub enum ExactError {
    /// The fluent, or the step, depends on a draw that is not enumerated. Only draws of bools and of one of several
    /// alternatives are; all other distributions count as infinite, also `Binomial` and `Multinomial`. Contains the
    /// fluent's name, or `the step`.
    #[error("{0} depends on a draw with infinitely many results")]
    Infinite(String),
    /// The draws of the step have more combinations of outcomes than the limit, which it contains. Only
    /// [`ExactStep::outcomes`] has a limit.
    #[error("the draws of the step have more than {0} combinations of results")]
    TooMany(usize),
    /// The step failed, such as by a value that cannot be computed.
    #[error(transparent)]
    Step(#[from] StepError),
}

impl ExactStep {
    /// Compiles an instance for computing exact distributions of its steps, without limits on memory and time.
    ///
    /// # Errors
    /// Fails if the instance is too large, or if a budget that encloses the call is exhausted.
    pub fn new(instance: &Arc<Instance>) -> Result<Self, CompileError> {
        Self::within(instance, &Budget::unlimited())
    }

    /// Like [`new`](Self::new), within a budget of memory and time.
    ///
    /// # Errors
    /// Fails like [`new`](Self::new), or if `budget` is exhausted.
    pub fn within(instance: &Arc<Instance>, budget: &Budget) -> Result<Self, CompileError> {
        // No templates: a template computes all of its values together, with all of their draws.
        let Compiled {
            graph,
            compiled,
            next,
            outputs,
            lean,
        } = deep(|| compile_graph(instance, budget, Templates::Never, Readers::Others))?;
        let mut meter = budget.meter("compiling");
        let nodes = compiled
            .state
            .pvariables
            .iter()
            .flat_map(|(id, _)| next[id.index()].each());
        let tape = |(at, &node): (usize, &NodeId)| {
            let output = (node, compiled.next.register(at));
            Tape::compile(&graph, compiled.step.layout(), &[output], &mut meter)
        };
        let tapes: Result<Vec<Tape>, _> = nodes.enumerate().map(tape).collect();
        let lean = outputs.get(..lean).unwrap_or(&outputs);
        Ok(Self {
            tapes: tapes?,
            next: Tape::compile(&graph, compiled.step.layout(), lean, &mut meter)?,
            compiled: Arc::new(compiled),
        })
    }

    /// Returns the compiled instance, whose states and joint actions the distributions are about.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Returns the distribution of the next value of the state fluent with index `fluent`, after the joint action
    /// `joint` in `state`: pairs of a value and its probability. Each value occurs once, in the order in which it is
    /// found. The probabilities sum to 1. `fluent` is an index into [`CompiledInstance::state`]. Preconditions are not
    /// checked. Panics if there is no such fluent.
    ///
    /// # Errors
    /// Fails if a draw on which the fluent depends is not enumerated ([`ExactError::Infinite`]), or if its value cannot
    /// be computed for some outcomes, or if the state or the joint action does not fit the problem. There is no limit
    /// on the combinations.
    pub fn distribution(
        &self,
        state: &Values,
        joint: &[Choice],
        fluent: usize,
    ) -> Result<Vec<(FluentValue, f64)>, ExactError> {
        let (compiled, tape) = (&self.compiled, &self.tapes[fluent]);
        let mut registers = tape.registers();
        let mut results: Vec<(FluentValue, f64)> = Vec::new();
        let mut script = Script::default();
        loop {
            compiled.load(state, joint, &mut registers)?;
            let run = tape.run(&mut registers, &script);
            if script.infinite.get() {
                return Err(ExactError::Infinite(format!(
                    "`{}`",
                    compiled.name(&compiled.state, fluent)
                )));
            }
            run.map_err(|fault| compiled.value_error(fault))?;
            let value = read(
                &registers,
                compiled.next.kind(fluent),
                compiled.next.register(fluent),
            );
            let probability = script.probability();
            // All NaN values are grouped together, although they do not compare equal.
            let nan = value.number().is_nan();
            let same = |known: FluentValue| known == value || (nan && known.number().is_nan());
            match results.iter_mut().find(|(known, _)| same(*known)) {
                Some((_, sum)) => *sum += probability,
                None => results.push((value, probability)),
            }
            if !script.advance() {
                return Ok(results);
            }
        }
    }
}

/// A possible outcome of a step with its probability, returned by [`ExactStep::outcomes`]. Whether the episode ends in it
/// is not included: [`RddlSimulator::go_to`](crate::simulate::RddlSimulator::go_to) the state to find out.
#[derive(Clone, PartialEq, Debug)]
pub struct StepOutcome {
    /// The probability of the outcome, above 0 and at most 1.
    pub probability: f64,
    /// The state after the step.
    pub state: Values,
    /// The reward of the step.
    pub reward: f64,
    /// The values of the ground observ fluents, in the order of [`CompiledInstance::observ`].
    pub observed: Vec<FluentValue>,
}

impl ExactStep {
    /// Returns the joint distribution of next state, reward and observation after the joint action `joint` in `state`.
    /// Each combination occurs once, in the order in which it is found; reals are compared bit for bit, so that 0 and
    /// −0 differ. The probabilities sum to 1.
    ///
    /// The draws of all fluents are combined. At most `limit` combinations of their outcomes are tried. A `limit` of 0
    /// always fails. Preconditions are not checked.
    ///
    /// # Errors
    /// Fails if a draw is not enumerated ([`ExactError::Infinite`]), if there are more than `limit` combinations, if
    /// the step fails, or if the state or the joint action does not fit the problem.
    pub fn outcomes(
        &self,
        state: &Values,
        joint: &[Choice],
        limit: usize,
    ) -> Result<Vec<StepOutcome>, ExactError> {
        self.combined(
            &self.compiled.step,
            self.compiled.observ.len(),
            state,
            joint,
            limit,
        )
    }

    /// Like [`outcomes`](Self::outcomes), but without observations: draws that only they need are not made,
    /// and [`StepOutcome::observed`] is empty.
    ///
    /// # Errors
    /// Fails like [`outcomes`](Self::outcomes), but not by values that only observations need.
    pub fn successors(
        &self,
        state: &Values,
        joint: &[Choice],
        limit: usize,
    ) -> Result<Vec<StepOutcome>, ExactError> {
        self.combined(&self.next, 0, state, joint, limit)
    }

    /// The outcomes that a tape computes, with the values of the first `observed` ground observ fluents.
    fn combined(
        &self,
        tape: &Tape,
        observed: usize,
        state: &Values,
        joint: &[Choice],
        limit: usize,
    ) -> Result<Vec<StepOutcome>, ExactError> {
        let compiled = &self.compiled;
        let mut registers = tape.registers();
        let mut outcomes: Vec<StepOutcome> = Vec::new();
        let mut known: HashMap<Vec<u64>, usize, FxBuildHasher> = HashMap::default();
        let mut script = Script::default();
        for _ in 0..limit {
            compiled.load(state, joint, &mut registers)?;
            let run = tape.run(&mut registers, &script);
            if script.infinite.get() {
                return Err(ExactError::Infinite("the step".to_owned()));
            }
            run.map_err(|fault| compiled.value_error(fault))?;
            let (state, reward) = compiled.outcome(&registers);
            let observed = (0..observed).map(|at| compiled.observ.section.read(&registers, at));
            let observed: Vec<FluentValue> = observed.collect();
            let probability = script.probability();
            match known.entry(words(compiled, &state, reward, &observed)) {
                Entry::Occupied(place) => outcomes[*place.get()].probability += probability,
                Entry::Vacant(place) => {
                    place.insert(outcomes.len());
                    outcomes.push(StepOutcome {
                        probability,
                        state,
                        reward,
                        observed,
                    });
                }
            }
            if !script.advance() {
                return Ok(outcomes);
            }
        }
        Err(ExactError::TooMany(limit))
    }
}

/// Returns a key that distinguishes outcomes bit for bit.
fn words(compiled: &CompiledInstance, state: &Values, reward: f64, observed: &[FluentValue]) -> Vec<u64> {
    let word = |value| match value {
        FluentValue::Bool(value) => u64::from(value),
        FluentValue::Int(value) => value as u64,
        FluentValue::Real(value) => value.to_bits(),
    };
    let section = compiled.state.section();
    let state = (0..section.len()).map(|at| word(section.get(state, at)));
    let observed = observed.iter().map(|&value| word(value));
    state.chain(observed).chain([reward.to_bits()]).collect()
}

fn read(registers: &Registers, kind: ValueType, register: u32) -> FluentValue {
    let register = register as usize;
    match kind {
        ValueType::Bool => FluentValue::Bool(registers.bools[register]),
        ValueType::Int => FluentValue::Int(registers.ints[register]),
        ValueType::Real => FluentValue::Real(registers.reals[register]),
    }
}

/// A combination of outcomes: the result of each draw of a run, in the order of the draws.
#[derive(Default)]
struct Script {
    draws: RefCell<Vec<Scripted>>,
    /// The number of draws made so far in this run.
    made: Cell<usize>,
    infinite: Cell<bool>,
}

/// A draw and its result.
struct Scripted {
    site: Site,
    /// The probabilities of its outcomes.
    probabilities: Vec<f64>,
    /// The index of the current outcome.
    result: usize,
}

impl Script {
    /// Returns the outcome of the draw at a site. A site drawn in several branches is a single draw.
    fn result(&self, site: Site, probabilities: impl FnOnce() -> Vec<f64>) -> usize {
        let mut draws = self.draws.borrow_mut();
        let made = self.made.get();
        if let Some(known) = draws[..made].iter().find(|draw| draw.site == site) {
            return known.result;
        }
        self.made.set(made + 1);
        if made == draws.len() {
            let probabilities = probabilities();
            let result = probabilities.iter().position(|&p| p > 0.0).unwrap_or(0);
            draws.push(Scripted {
                site,
                probabilities,
                result,
            });
        }
        draws[made].result
    }

    fn probability(&self) -> f64 {
        self.draws
            .borrow()
            .iter()
            .map(|draw| draw.probabilities[draw.result])
            .product()
    }

    /// Advances to the next combination. Returns `false` after the last one.
    fn advance(&mut self) -> bool {
        self.made.set(0);
        let draws = self.draws.get_mut();
        while let Some(draw) = draws.last_mut() {
            let later =
                (draw.result + 1..draw.probabilities.len()).find(|&next| draw.probabilities[next] > 0.0);
            if let Some(next) = later {
                draw.result = next;
                return true;
            }
            draws.pop();
        }
        false
    }
}

impl Draws for Script {
    fn uniform(&self, _site: Site) -> f64 {
        self.infinite.set(true);
        0.5
    }

    fn bernoulli(&self, site: Site, p: f64) -> Result<bool, ParameterError> {
        herbrand_distributions::bernoulli(0.5, p)?;
        Ok(self.result(site, || vec![p, 1.0 - p]) == 0)
    }

    fn choose(&self, site: Site, choice: WeightKind, weights: &[f64]) -> Result<usize, ParameterError> {
        choice.total(weights)?;
        let sum: f64 = weights.iter().sum();
        Ok(self.result(site, || weights.iter().map(|weight| weight / sum).collect()))
    }

    fn draw(&self, _site: Site, family: Family, first: f64, second: f64) -> Result<f64, ParameterError> {
        self.infinite.set(true);
        family.quantile(0.5, first, second)
    }
}
