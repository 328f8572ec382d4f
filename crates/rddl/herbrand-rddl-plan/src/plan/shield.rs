//! A shield: corrects the joint actions of an agent that violate preconditions.

use std::sync::Arc;

use herbrand_core::{Agent, Choice, FieldValue, Random, System as _, uniform_below};
use herbrand_rddl_sim::simulate::{CompiledInstance, Preconditions, RddlSimulator, StepError, Values};

/// An agent that corrects the joint actions of another agent if they violate action preconditions (a shield: Alshiekh and
/// others, "Safe reinforcement learning via shielding", 2018).
///
/// As long as a joint action violates a precondition, a random choice of it moves towards its default: a number half of the
/// way, any other value to the default. If the empty joint action is not valid either, a valid one is sampled. Invariants
/// of the next state are not checked.
#[derive(Clone, Debug)]
pub struct Shield<A> {
    agent: A,
    simulator: RddlSimulator,
    seed: u64,
    random: Random,
}

impl<A> Shield<A> {
    /// Creates a shield for an agent of this problem. `seed` determines the corrections.
    #[must_use]
    pub fn new(agent: A, compiled: Arc<CompiledInstance>, seed: u64) -> Self {
        Self {
            agent,
            simulator: RddlSimulator::new(compiled, Preconditions::Refused),
            seed,
            random: Random::new(seed),
        }
    }

    /// Returns the corrected joint action in a state like [`Agent::act`], but with random numbers of the caller.
    ///
    /// # Errors
    /// Fails like [`Agent::act`].
    pub fn act_by(&mut self, state: &Values, random: &mut Random) -> Result<Option<Vec<Choice>>, StepError>
    where
        A: Agent<RddlSimulator>,
    {
        std::mem::swap(&mut self.random, random);
        let joint = self.act(state);
        std::mem::swap(&mut self.random, random);
        joint
    }

    /// Corrects a joint action in the state of the simulator.
    fn correct(&mut self, joint: &mut Vec<Choice>) {
        let fields = self.simulator.actions().fields();
        // Numbers that stay invalid near their defaults take their defaults in the end.
        let mut halvings = 2 * fields.len();
        while !joint.is_empty() && !self.simulator.is_valid(joint) {
            let at = uniform_below(&mut self.random, joint.len() as u32) as usize;
            let default = fields[joint[at].field as usize].default;
            let nearer = match (joint[at].value, default) {
                (FieldValue::Int(value), Some(FieldValue::Int(default))) => {
                    FieldValue::Int(default + value.saturating_sub(default) / 2)
                }
                (FieldValue::Real(value), Some(FieldValue::Real(default))) => {
                    FieldValue::Real(default + (value - default) / 2.0)
                }
                (value, default) => default.unwrap_or(value),
            };
            if halvings == 0 || default.is_none_or(|default| nearer == default) {
                joint.remove(at);
            } else {
                joint[at].value = nearer;
                halvings -= 1;
            }
        }
        if !self.simulator.is_valid(joint) {
            self.simulator.sample(&mut self.random, joint);
        }
    }
}

impl<A: Agent<RddlSimulator>> Agent<RddlSimulator> for Shield<A> {
    fn begin(&mut self) {
        self.agent.begin();
        self.random = Random::new(self.seed);
    }

    fn act(&mut self, state: &Values) -> Result<Option<Vec<Choice>>, StepError> {
        let Some(mut joint) = self.agent.act(state)? else {
            return Ok(None);
        };
        self.simulator.go_to(state)?;
        self.correct(&mut joint);
        Ok(Some(joint))
    }
}
