//! Predicting single steps with a learned model.

use herbrand_env::{EnvError, Suite};
use herbrand_limits::Budget;
use herbrand_pddl::{AtomRef, Domain, ObjectId, SchemaId};
use herbrand_step::{LiftedSimulator, LiftedState, LiftedWalker};

use crate::error::LearnError;
use crate::experience::{Experience, ObservedProblem, ObservedTransition, SceneId, StateChange};
use crate::model::{Learned, problem_of};

/// The accuracy of a model on single steps, returned by [`Learned::predict`].
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Prediction {
    /// The number of transitions that were predicted.
    pub transitions: usize,
    /// The number of transitions whose observed successor has probability 0 in the model. A refused action has the same
    /// state as its successor.
    pub wrong: usize,
    /// The number of transitions in which the action was inapplicable but the model permits it.
    pub unsound: usize,
    /// The number of transitions in which the action was applied but the model does not permit it.
    pub missed: usize,
    /// The sum, over all transitions, of the probability that the model gives to successors that were not observed.
    /// [`error`](Self::error) is their mean.
    pub surprise: f64,
}

impl Prediction {
    /// Returns the mean probability, from 0 to 1, that the model gives to successors that were not observed. In a
    /// deterministic domain this is the share of wrong predictions. In a probabilistic domain it is above 0 even for
    /// the true model. It is 0 if there were no transitions.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.transitions == 0 {
            0.0
        } else {
            self.surprise / self.transitions as f64
        }
    }
}

impl Learned {
    /// Predicts the transitions of `unseen`, which the learner should not have seen, and compares the predictions with the
    /// observations. If several schemas carry out an action in a state, only the first one counts. If none does, the model
    /// predicts that nothing changes. `unseen` must have the predicates and actions of the model's domain, which is not
    /// checked: with others, the figures are meaningless, or this panics.
    ///
    /// # Errors
    /// Fails if a problem cannot be compiled with the learned model, a step of the learned model fails, or the budget is
    /// exhausted. The memory limit of the budget is not checked.
    pub fn predict(&self, unseen: &Experience, budget: &Budget) -> Result<Prediction, LearnError> {
        let mut prediction = Prediction::default();
        for scene in (0..unseen.scenes.len()).map(SceneId::from_index) {
            let mut predictor = Predictor::of_learned(self, &unseen.scenes[scene.index()])?;
            for transition in unseen.of_scene(scene) {
                budget.check("predicting", 0)?;
                predictor.add(&mut prediction, unseen, transition)?;
            }
        }
        Ok(prediction)
    }
}

/// Predicts the steps of one problem.
pub(crate) struct Predictor<'p> {
    model: Model<'p>,
    scene: &'p ObservedProblem,
    walker: LiftedWalker,
}

/// A model and its mapping from schemas to agent actions.
#[derive(Clone, Copy)]
enum Model<'p> {
    Learned(&'p Learned),
    True(&'p Suite),
}

impl Model<'_> {
    /// Returns whether a schema with these arguments carries out the action of a transition.
    fn carries_out(self, schema: SchemaId, arguments: &[ObjectId], transition: &ObservedTransition) -> bool {
        match self {
            Self::Learned(learned) => {
                learned.action_of()[schema.index()] == transition.action
                    && arguments.starts_with(&transition.arguments)
            }
            Self::True(suite) => match suite.agent_actions() {
                None => schema.index() == transition.action && *arguments == transition.arguments,
                Some(agent) => {
                    let (action, chosen) = agent.carried_out(schema, arguments);
                    action == transition.action && *chosen == *transition.arguments
                }
            },
        }
    }
}

/// The possible successors with their probabilities, which sum to 1.
pub(crate) type Distribution = Vec<(LiftedState, f64)>;

impl<'p> Predictor<'p> {
    pub fn of_learned(learned: &'p Learned, scene: &'p ObservedProblem) -> Result<Self, LearnError> {
        Self::new(Model::Learned(learned), learned.domain(), scene)
    }

    /// Creates a predictor that uses the true model.
    pub fn of_true(suite: &'p Suite, scene: &'p ObservedProblem) -> Result<Self, LearnError> {
        Self::new(Model::True(suite), suite.domain(), scene)
    }

    fn new(model: Model<'p>, domain: &Domain, scene: &'p ObservedProblem) -> Result<Self, LearnError> {
        let problem = problem_of(domain, scene.problem());
        let simulator = LiftedSimulator::compile(domain, &problem).map_err(EnvError::from)?;
        Ok(Self {
            model,
            scene,
            walker: simulator.walker()?,
        })
    }

    /// Adds one transition to the statistics.
    fn add(
        &mut self,
        prediction: &mut Prediction,
        unseen: &Experience,
        transition: &ObservedTransition,
    ) -> Result<(), LearnError> {
        let change = transition.change();
        let (permitted, successors) = self.successors(unseen, transition)?;
        let next = self.state(unseen, transition, change.unwrap_or(&StateChange::default()));
        let probability = probability(&successors, &next);
        prediction.transitions += 1;
        prediction.unsound += usize::from(permitted && change.is_none());
        prediction.missed += usize::from(!permitted && change.is_some());
        prediction.wrong += usize::from(probability == 0.0);
        prediction.surprise += 1.0 - probability;
        Ok(())
    }

    /// Returns whether the model permits the action of a transition, and the predicted successors with their
    /// probabilities. If the action is not permitted, the only successor is the unchanged state.
    pub fn successors(
        &mut self,
        unseen: &Experience,
        transition: &ObservedTransition,
    ) -> Result<(bool, Distribution), LearnError> {
        let state = self.state(unseen, transition, &StateChange::default());
        self.walker.set_state(&state)?;
        let Some((schema, arguments)) = self.carrier(transition) else {
            return Ok((false, vec![(state, 1.0)]));
        };
        let outcomes = self.walker.outcomes(schema, &arguments)?.into_iter();
        let successors = outcomes.map(|outcome| (outcome.state, outcome.probability));
        Ok((true, successors.collect()))
    }

    /// Returns the first valid schema that carries out the action of a transition in the walker's state, with its arguments.
    fn carrier(&self, transition: &ObservedTransition) -> Option<(SchemaId, Vec<ObjectId>)> {
        let mut valid = self.walker.valid().iter();
        let found = valid.find(|action| {
            self.model
                .carries_out(action.schema, action.arguments, transition)
        })?;
        Some((found.schema, found.arguments.to_vec()))
    }

    /// Returns the state of a transition after a change.
    fn state(
        &self,
        unseen: &Experience,
        transition: &ObservedTransition,
        change: &StateChange,
    ) -> LiftedState {
        let before = unseen.state(transition.state).atoms.iter().copied();
        let kept = before.filter(|atom| change.deleted.binary_search(atom).is_err());
        let after = kept.chain(change.added.iter().copied());
        self.state_of(after.map(|id| self.scene.atom(id)))
    }

    /// Returns the state with these atoms and the static ones.
    pub fn state_of<'f>(&self, atoms: impl Iterator<Item = AtomRef<'f>>) -> LiftedState
    where
        'p: 'f,
    {
        let facts: Vec<AtomRef<'f>> = atoms.chain(self.scene.statics()).collect();
        self.walker.simulator().state_from_atoms(facts)
    }
}

/// Returns the probability of a state in a distribution.
pub(crate) fn probability(distribution: &Distribution, state: &LiftedState) -> f64 {
    let same = distribution.iter().filter(|(one, _)| one == state);
    same.map(|(_, probability)| probability).sum()
}
