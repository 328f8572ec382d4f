//! Comparing a learned model with the true one.

use herbrand_core::{Choice, Random, System};
use herbrand_env::{ActionMode, EnvError, Suite};
use herbrand_ground::ActionId;
use herbrand_limits::Budget;
use herbrand_pddl::{Fact, ObjectId, Problem, SchemaId};
use herbrand_step::{LiftedSimulator, LiftedState, LiftedWalker, Maintenance, Simulator};

use crate::experience::{Change, Experience, SceneId, Transition};
use crate::{LearnError, Learned};

/// Judges a learned model on the problems of a suite, whose domain is the true model.
#[derive(Clone, Debug)]
pub struct Judge<'j> {
    suite: &'j Suite,
    learned: &'j Learned,
}

/// How well a model predicts single steps.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Prediction {
    /// The number of transitions.
    pub transitions: usize,
    /// How many of them the model rules out: it gives another successor, or none with a probability above 0.
    pub wrong: usize,
    /// How many of them the model permits although the action was not applicable.
    pub unsound: usize,
    /// How many of them the model does not permit although the action was carried out.
    pub missed: usize,
    /// The sum over all transitions of the probability that the model gives to other successors.
    pub surprise: f64,
}

impl Prediction {
    /// The mean probability that the model gives to another successor than the one that was seen, from 0 to 1. Without
    /// chance it is the share of wrong predictions; with chance the true model's error is above 0 too.
    #[must_use]
    pub fn error(&self) -> f64 {
        if self.transitions == 0 {
            0.0
        } else {
            self.surprise / self.transitions as f64
        }
    }
}

/// What becomes of planning with a learned model in one problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The plan reaches the goal in the true model.
    Works,
    /// A step of the plan, counted from 1, is not applicable in the true model.
    Refused {
        /// The step.
        step: usize,
    },
    /// All steps are applicable, and the goal does not hold at the end.
    Misses,
    /// In the learned model there is no plan.
    Unsolvable,
    /// The planner gave up.
    GaveUp,
}

/// What a planner says of a problem.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// A plan.
    Plan(Vec<ActionId>),
    /// There is none.
    Unsolvable,
    /// A limit was reached first.
    GaveUp,
}

impl<'j> Judge<'j> {
    /// A judge of `learned`, which must be learned from a suite of the same domain.
    #[must_use]
    pub const fn new(suite: &'j Suite, learned: &'j Learned) -> Self {
        Self { suite, learned }
    }

    /// Predicts what was seen on problems of the suite. Where several schemas carry out one action in a state, the first
    /// one counts; where none does, the model predicts that nothing changes.
    ///
    /// # Errors
    /// When a problem does not fit the learned domain, a step fails, or the budget is spent.
    pub fn predict(&self, unseen: &Experience, budget: &Budget) -> Result<Prediction, LearnError> {
        let mut prediction = Prediction::default();
        for scene in (0..unseen.scenes.len()).map(SceneId::from_index) {
            let problem = self.problem(unseen.scenes[scene.index()].problem)?;
            let simulator = LiftedSimulator::compile(self.learned.domain(), &problem);
            let simulator = simulator.map_err(EnvError::from)?;
            let mut walker = simulator.walker(Maintenance::Incremental)?;
            let own = unseen
                .transitions
                .iter()
                .filter(|transition| unseen.state(transition.state).scene == scene);
            for transition in own {
                budget.check("predicting", 0)?;
                self.add(&mut prediction, &mut walker, unseen, transition)?;
            }
        }
        Ok(prediction)
    }

    /// Judges the prediction of one transition.
    fn add(
        &self,
        prediction: &mut Prediction,
        walker: &mut LiftedWalker,
        unseen: &Experience,
        transition: &Transition,
    ) -> Result<(), LearnError> {
        let nothing = Change::default();
        let change = transition.change();
        let state = lifted_state(walker.simulator(), unseen, transition, &nothing);
        let next = lifted_state(walker.simulator(), unseen, transition, change.unwrap_or(&nothing));
        walker.set_state(&state)?;
        let carrier = self.carrier(walker, transition);
        prediction.transitions += 1;
        prediction.unsound += usize::from(carrier.is_some() && change.is_none());
        prediction.missed += usize::from(carrier.is_none() && change.is_some());
        let probability = match carrier {
            None => f64::from(u8::from(state == next)),
            Some((schema, arguments)) => {
                let outcomes = walker.outcomes(schema, &arguments)?;
                let same = outcomes.iter().filter(|outcome| outcome.state == next);
                same.map(|outcome| outcome.probability).sum()
            }
        };
        prediction.wrong += usize::from(probability == 0.0);
        prediction.surprise += 1.0 - probability;
        Ok(())
    }

    /// The first schema, with its arguments, that carries out the action of a transition in the walker's state.
    fn carrier(&self, walker: &LiftedWalker, transition: &Transition) -> Option<(SchemaId, Vec<ObjectId>)> {
        let fits = |schema: SchemaId, arguments: &[ObjectId]| {
            self.learned.action_of()[schema.index()] == transition.action
                && arguments.starts_with(&transition.arguments)
        };
        let mut valid = walker.valid().iter();
        let found = valid.find(|action| fits(action.schema, action.arguments))?;
        Some((found.schema, found.arguments.to_vec()))
    }

    /// Plans for a problem with the learned model, and carries the plan out in the true one.
    ///
    /// # Errors
    /// When the problem is at fault or does not fit the learned domain, or the planner fails.
    pub fn plan<E>(
        &self,
        problem: usize,
        planner: impl FnOnce(&Simulator) -> Result<Answer, E>,
    ) -> Result<Verdict, LearnError>
    where
        LearnError: From<E>,
    {
        let suite = Suite::from_problems(
            self.learned.domain().clone(),
            [self.problem(problem)?],
            ActionMode::Operators,
        )?;
        let simulator = suite.instance(0)?.simulator();
        let plan = match planner(simulator)? {
            Answer::Plan(plan) => plan,
            Answer::Unsolvable => return Ok(Verdict::Unsolvable),
            Answer::GaveUp => return Ok(Verdict::GaveUp),
        };
        let steps: Vec<_> = plan
            .iter()
            .map(|&action| self.agent_action(simulator, action))
            .collect();
        self.execute(problem, &steps)
    }

    /// The agent's action that a ground action of the learned model carries out.
    fn agent_action(&self, simulator: &Simulator, action: ActionId) -> (usize, Vec<ObjectId>) {
        let ground = simulator.task().actions.get(action);
        let agent = self.learned.action_of()[ground.schema.index()];
        let arity = self.learned.language().signatures()[agent].parameters.len();
        (agent, ground.arguments[..arity].to_vec())
    }

    /// Carries out actions of the agent in the true model.
    fn execute(&self, problem: usize, steps: &[(usize, Vec<ObjectId>)]) -> Result<Verdict, LearnError> {
        let mut system = self.suite.engine(problem)?;
        let mut chance = Random::new(0);
        system.reset(&mut chance).map_err(EnvError::from)?;
        for (number, (action, arguments)) in (1..).zip(steps) {
            let name = &self.learned.language().signatures()[*action].name;
            let id = system.space().find(name.as_str(), arguments);
            let Some(choice) = id.map(Choice::from).filter(|&choice| system.is_valid(&[choice])) else {
                return Ok(Verdict::Refused { step: number });
            };
            system.step(&[choice], &mut chance).map_err(EnvError::from)?;
        }
        Ok(if system.status().goal {
            Verdict::Works
        } else {
            Verdict::Misses
        })
    }

    /// A problem of the suite, as one of the learned domain.
    fn problem(&self, index: usize) -> Result<Problem, LearnError> {
        let text = self.suite.problem_text(index)?;
        let problem = Problem::from_text(&text, self.learned.domain());
        problem.map_err(LearnError::Model)
    }
}

/// The state of a transition with a change done to it.
fn lifted_state(
    simulator: &LiftedSimulator,
    experience: &Experience,
    transition: &Transition,
    change: &Change,
) -> LiftedState {
    let scene = experience.scene_of(transition.state);
    let before = experience.state(transition.state).atoms.iter().copied();
    let kept = before.filter(|atom| change.deleted.binary_search(atom).is_err());
    let after = kept.chain(change.added.iter().copied());
    let statics = scene.task.statics.iter();
    let facts: Vec<Fact<'_>> = after.map(|id| scene.atom(id)).chain(statics).collect();
    simulator.state_from_atoms(facts)
}
