//! Reactive policies: small networks trained through relaxed steps.

use std::sync::Arc;

use herbrand_core::{Agent, Choice, EvaluateOptions, Evaluation, FieldDomain, FieldValue};
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};

use super::network::{Heads, NeuralNetwork};
use super::program::Relaxed;
use super::squash::{Squash, settle};
use super::training::{Training, batch};
use super::unroll::Unrolled;
use crate::plan::{PlanOptions, check_bytes, evaluate, steps, times};

/// The numbers held per weight of the network: copies of it, its gradient, its moving averages and its rate.
const PER_WEIGHT: usize = 12;

/// A deep reactive policy (Bueno and others, "Deep reactive policies for planning in stochastic nonlinear domains",
/// 2019): a neural network that maps state fluents to action fields. It is an [`Agent`], also by reference.
/// [`train`](Self::train) returns it.
#[derive(Clone, Debug)]
pub struct ReactivePolicy {
    compiled: Arc<CompiledInstance>,
    pub(super) network: NeuralNetwork,
    pub(super) heads: Heads,
}

impl ReactivePolicy {
    /// Trains a policy from the initial state by gradient ascent on the return over relaxed steps, and returns it with
    /// the weights that had the best returns over real steps, by the objective, among those with the fewest episodes that
    /// a broken state invariant ended. `hidden` is the number of units in each hidden layer of the network. Weights are tried
    /// in as many episodes as there are scenarios, at least 16, at
    /// the start, every 10 ascent steps, and at the end. `relaxed` is the
    /// differentiable step of the problem. 0 iterations count as 1, with no time no ascent step is taken, and hidden layers of 0 units are left out.
    ///
    /// # Errors
    /// Fails only with [`StepError::BudgetExhausted`], if an enclosing budget or [`PlanOptions::bytes`] is exhausted. A step that cannot be
    /// computed ends its roll-out and is not an error.
    pub fn train(relaxed: &Arc<Relaxed>, hidden: &[usize], options: &PlanOptions) -> Result<Self, StepError> {
        let compiled = Arc::clone(relaxed.compiled());
        let heads = Heads {
            squashes: Squash::all(compiled.actions()),
            most: compiled.actions().most(),
        };
        let mut sizes = vec![compiled.state.len()];
        sizes.extend(hidden.iter().filter(|&&size| size > 0));
        sizes.push(heads.squashes.len());
        let lanes = batch(options);
        let steps = steps(&compiled.instance, options.lookahead) as usize;
        let weights = sizes
            .windows(2)
            .map(|pair| times(&[pair[0].saturating_add(1), pair[1]]));
        let weights = weights.fold(0, u64::saturating_add);
        let units = sizes.iter().fold(0, |sum: usize, &size| sum.saturating_add(size));
        let needed = times(&[size_of::<f64>(), PER_WEIGHT])
            .saturating_mul(weights)
            .saturating_add(times(&[size_of::<f64>(), 2, units, lanes]))
            .saturating_add(Unrolled::bytes(relaxed, lanes, steps));
        check_bytes(options.bytes, needed)?;
        let policy = Self {
            network: NeuralNetwork::zero(sizes),
            compiled,
            heads,
        };
        Training::new(policy, options, steps as u32).run(relaxed)
    }

    /// Creates a policy from a network that was trained for the same problem, such as one that was saved. Returns `None` if
    /// its layers do not fit the state fluents and the action fluents.
    #[must_use]
    pub fn from_network(compiled: Arc<CompiledInstance>, network: NeuralNetwork) -> Option<Self> {
        let heads = Heads {
            squashes: Squash::all(compiled.actions()),
            most: compiled.actions().most(),
        };
        network
            .fits(compiled.state.len(), heads.squashes.len())
            .then_some(Self {
                compiled,
                network,
                heads,
            })
    }

    /// Returns the trained neural network.
    #[must_use]
    pub const fn network(&self) -> &NeuralNetwork {
        &self.network
    }

    /// Returns the compiled problem that the policy was trained for.
    #[must_use]
    pub const fn compiled(&self) -> &Arc<CompiledInstance> {
        &self.compiled
    }

    /// Returns the policy's joint action in a state, as the choices that differ from the defaults, ascending by field.
    /// It is within the bounds and sets no more fields than allowed, but preconditions are not checked; a [`Shield`](crate::plan::Shield) around
    /// the policy does. Pass it to a step of a simulator.
    ///
    /// # Errors
    /// [`StepError::ForeignState`] if the state belongs to another problem.
    pub fn act(&self, state: &Values) -> Result<Vec<Choice>, StepError> {
        let section = self.compiled.state.section();
        if !section.fits(state) {
            return Err(StepError::ForeignState);
        }
        let inputs: Vec<f64> = (0..section.len())
            .map(|at| section.get(state, at).number())
            .collect();
        let layers = self.network.forward(&inputs, 1);
        let outputs = &layers[layers.len() - 1];
        let mut values = self.heads.values(|field| outputs[field]);
        settle(&self.heads.squashes, self.heads.most, &mut values);
        let fields = self.compiled.actions().fields().iter().zip(0..).zip(values);
        let choices = fields.filter_map(|((field, index), number)| {
            let value = match field.domain {
                FieldDomain::Discrete { .. } => FieldValue::Discrete(number as u32),
                FieldDomain::Int { .. } => FieldValue::Int(number as i64),
                FieldDomain::Real { .. } => FieldValue::Real(number),
            };
            (field.default != Some(value)).then_some(Choice { field: index, value })
        });
        Ok(choices.collect())
    }

    /// Runs the policy on real steps in `episodes` episodes of at most `steps` steps each. Returns the mean of the
    /// discounted returns, and its standard error. A refused step ends its episode. `seed` determines the random
    /// numbers. 0 episodes count as 1. Preconditions are not enforced. [`evaluate`](fn@crate::plan::evaluate) tells
    /// more.
    ///
    /// # Errors
    /// Fails like [`act`](Self::act), and if an enclosing budget is exhausted.
    pub fn evaluate(&self, steps: u32, episodes: u32, seed: u64) -> Result<(f64, f64), StepError> {
        let options = EvaluateOptions {
            steps,
            episodes,
            seed,
        };
        Ok(self.tried(self, &options)?.mean_and_error())
    }

    pub(super) fn tried(
        &self,
        mut agent: impl Agent<RddlSimulator>,
        options: &EvaluateOptions,
    ) -> Result<Evaluation, StepError> {
        let mut simulator = RddlSimulator::new(Arc::clone(&self.compiled), Preconditions::Reported);
        evaluate(&mut simulator, &mut agent, options)
    }
}

impl Agent<RddlSimulator> for ReactivePolicy {
    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        Self::act(self, state).map(Some)
    }
}

impl Agent<RddlSimulator> for &ReactivePolicy {
    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        ReactivePolicy::act(self, state).map(Some)
    }
}
