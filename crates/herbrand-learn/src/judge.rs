//! Comparing a learned model with the true one: by plans, and by the distributions of successors.

use herbrand_core::{Choice, Random, System};
use herbrand_env::{ActionMode, EnvError, Suite};
use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::ObjectId;
use herbrand_plan::{Determinization, Outcome, Planner, PlannerKind, Request};
use herbrand_step::Simulator;

use crate::experience::{Experience, SceneId};
use crate::model::problem_of;
use crate::predict::{Predictor, probability};
use crate::{LearnError, Learned};

/// Judges a learned model on the problems of a suite, whose domain is the true model.
#[derive(Clone, Debug)]
pub struct Judge<'j> {
    suite: &'j Suite,
    learned: &'j Learned,
}

/// What a plan by the learned model is worth in one problem.
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
    /// A judge of `learned`, which must be learned from problems of the same domain.
    #[must_use]
    pub const fn new(suite: &'j Suite, learned: &'j Learned) -> Self {
        Self { suite, learned }
    }

    /// How far the model's probabilities are from the true ones: the mean total variation distance between the two
    /// distributions of successors, over the steps of `unseen`. It is 0 if they are the same, and 1 if no successor is
    /// possible in both. Pasula, Zettlemoyer and Kaelbling (2007) measure twice that.
    ///
    /// Where several operators may carry out an action of the agent, the first one counts.
    ///
    /// # Errors
    /// When a problem does not fit one of the domains, a step fails, or the budget is spent.
    pub fn distance(&self, unseen: &Experience, budget: &Budget) -> Result<f64, LearnError> {
        let mut sum = 0.0;
        for id in (0..unseen.scenes.len()).map(SceneId::from_index) {
            let scene = &unseen.scenes[id.index()];
            let mut learned = Predictor::of_learned(self.learned, scene)?;
            let mut truth = Predictor::of_true(self.suite, scene)?;
            for transition in unseen.of_scene(id) {
                budget.check("comparing distributions", 0)?;
                let (_, predicted) = learned.successors(unseen, transition)?;
                let (_, expected) = truth.successors(unseen, transition)?;
                let same = expected.iter().map(|(state, chance)| {
                    let state = learned.state_of(state.atoms());
                    chance.min(probability(&predicted, &state))
                });
                sum += 1.0 - same.sum::<f64>();
            }
        }
        Ok(if unseen.transitions.is_empty() {
            0.0
        } else {
            sum / unseen.transitions.len() as f64
        })
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
        self.plan_within(problem, Limits::default(), planner)
    }

    /// As [`plan`](Self::plan); a learned model that is too large to be grounded within the limits is given up.
    fn plan_within<E>(
        &self,
        problem: usize,
        limits: Limits,
        planner: impl FnOnce(&Simulator) -> Result<Answer, E>,
    ) -> Result<Verdict, LearnError>
    where
        LearnError: From<E>,
    {
        let suite = Suite::from_problems(
            self.learned.domain().clone(),
            [problem_of(
                self.learned.domain(),
                &self.suite.parse_problem(problem)?,
            )],
            ActionMode::Operators,
        )?
        .with_limits(limits);
        let simulator = match suite.instance(0) {
            Ok(instance) => instance.simulator(),
            Err(error) if error.is_grounding_limit() => return Ok(Verdict::GaveUp),
            Err(error) => return Err(error.into()),
        };
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

    /// Plans with one of Herbrand's planners, as [`plan`](Self::plan) does. Every probabilistic choice of the learned model
    /// takes its most likely alternative. Grounding keeps to the limits of the request too.
    ///
    /// # Errors
    /// As [`plan`](Self::plan).
    pub fn solve(
        &self,
        problem: usize,
        planner: PlannerKind,
        request: &mut Request<'_>,
    ) -> Result<Verdict, LearnError> {
        let limits = request.budget.rest(0);
        self.plan_within(problem, limits, |simulator| {
            let start = simulator.initial_state();
            let report = planner.solve(simulator, &start, Determinization::MostLikely, request)?;
            Ok::<_, LearnError>(match report.outcome {
                Outcome::Plan(plan) => Answer::Plan(plan.steps),
                Outcome::GoalAlreadyTrue => Answer::Plan(Vec::new()),
                Outcome::ProvenUnsolvable => Answer::Unsolvable,
                Outcome::Exhausted
                | Outcome::OutOfTime
                | Outcome::OutOfMemory
                | Outcome::Cancelled
                | Outcome::Failed(_) => Answer::GaveUp,
            })
        })
    }
}
