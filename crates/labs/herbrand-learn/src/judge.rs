//! Comparing a learned model with the true model by plans and by successor distributions.

use herbrand_core::{Choice, Random, System};
use herbrand_env::{ActionMode, EnvError, Suite};
use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::ObjectId;
use herbrand_plan::{Determinization, PlanRequest, Planner, PlannerKind, SearchOutcome};
use herbrand_step::Simulator;

use crate::error::LearnError;
use crate::experience::{Experience, SceneId};
use crate::model::{Learned, problem_of};
use crate::predict::{Predictor, probability};

/// Compares a learned model with the true model, which is the domain of a suite, by [`distance`](Self::distance),
/// [`plan`](Self::plan) and [`solve`](Self::solve).
#[derive(Clone, Debug)]
pub struct Judge<'j> {
    suite: &'j Suite,
    learned: &'j Learned,
}

/// The value of a learned model's plan for one problem: whether it works in the true model. The plan is executed once, with
/// the random seed 0. [`Judge::plan`] and [`Judge::solve`] return it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Judgement {
    /// The goal holds in the true model after the last step of the plan.
    Works,
    /// A step of the plan is not applicable in the true model: the learned model is wrong about its precondition or about
    /// an earlier effect. In a probabilistic domain, another outcome of an earlier step can be the reason too.
    Refused {
        /// The number of the step, counted from 1.
        step: usize,
    },
    /// All steps are applicable in the true model, but the goal does not hold at the end.
    Misses,
    /// The learned model provably has no plan for the problem.
    Unsolvable,
    /// The planner or the grounder reached a limit or was cancelled, or the planner ended without a plan or a proof.
    GaveUp,
}

/// The answer of a planner for the learned model, for [`Judge::plan`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PlannerAnswer {
    /// A plan, as ground actions of the simulator that the planner got, in order. May be empty.
    Plan(Vec<ActionId>),
    /// There is provably no plan.
    Unsolvable,
    /// The planner reached a limit, or gave up for another reason.
    GaveUp,
}

impl<'j> Judge<'j> {
    /// Creates a judge of `learned`, which must be learned from problems of the domain of `suite`, or made by
    /// [`Learned::from_domain`] with the language of `suite` ([`DomainSignature::of`](crate::DomainSignature::of)).
    #[must_use]
    pub const fn new(suite: &'j Suite, learned: &'j Learned) -> Self {
        Self { suite, learned }
    }

    /// Returns the mean total variation distance between the learned and the true distribution of successors, over the
    /// transitions of `unseen`, which the learner should not have seen. It is 0 if the distributions are equal, and 1 if
    /// they share no successor. Pasula, Zettlemoyer and Kaelbling (2007) report twice this value.
    ///
    /// If several operators can carry out an agent action, only the first one counts. Without transitions it is 0. A
    /// refused action counts as an action without effects.
    ///
    /// # Errors
    /// Fails if a problem does not fit one of the domains, a step fails or has too many outcomes, or the budget is
    /// exhausted. The memory limit of the budget is not checked.
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

    /// Plans for the problem of the suite with index `problem`, counted from 0, and executes the plan in the true
    /// model. `planner` gets the simulator of the learned model for this problem, and returns its answer. Grounding the
    /// learned model has no limits here; [`solve`](Self::solve) sets some.
    ///
    /// # Errors
    /// Fails if there is no such problem, if it is invalid or does not fit the learned domain, if a step of the true
    /// model fails, or if the planner fails.
    ///
    /// # Panics
    /// Panics if the plan has an action that the simulator's task does not have.
    pub fn plan<E>(
        &self,
        problem: usize,
        planner: impl FnOnce(&Simulator) -> Result<PlannerAnswer, E>,
    ) -> Result<Judgement, LearnError>
    where
        LearnError: From<E>,
    {
        self.plan_within(problem, Limits::default(), planner)
    }

    /// Like [`plan`](Self::plan), but gives up if grounding the learned model exceeds the limits.
    fn plan_within<E>(
        &self,
        problem: usize,
        limits: Limits,
        planner: impl FnOnce(&Simulator) -> Result<PlannerAnswer, E>,
    ) -> Result<Judgement, LearnError>
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
            Err(error) if error.is_grounding_limit() => return Ok(Judgement::GaveUp),
            Err(error) => return Err(error.into()),
        };
        let plan = match planner(simulator)? {
            PlannerAnswer::Plan(plan) => plan,
            PlannerAnswer::Unsolvable => return Ok(Judgement::Unsolvable),
            PlannerAnswer::GaveUp => return Ok(Judgement::GaveUp),
        };
        let steps: Vec<_> = plan
            .iter()
            .map(|&action| self.agent_action(simulator, action))
            .collect();
        self.execute(problem, &steps)
    }

    /// Returns the agent action that a ground action of the learned model carries out.
    fn agent_action(&self, simulator: &Simulator, action: ActionId) -> (usize, Vec<ObjectId>) {
        let ground = simulator.task().actions.get(action);
        let agent = self.learned.action_of()[ground.schema.index()];
        let arity = self.learned.language().signatures()[agent].parameters.len();
        (agent, ground.arguments[..arity].to_vec())
    }

    /// Executes agent actions in the true model.
    fn execute(&self, problem: usize, steps: &[(usize, Vec<ObjectId>)]) -> Result<Judgement, LearnError> {
        let mut system = self.suite.engine(problem)?;
        let mut chance = Random::new(0);
        system.reset(&mut chance).map_err(EnvError::from)?;
        for (number, (action, arguments)) in (1..).zip(steps) {
            let name = &self.learned.language().signatures()[*action].name;
            let id = system.space().find(name.as_str(), arguments);
            let Some(choice) = id.map(Choice::from).filter(|&choice| system.is_valid(&[choice])) else {
                return Ok(Judgement::Refused { step: number });
            };
            system.step(&[choice], &mut chance).map_err(EnvError::from)?;
        }
        Ok(if system.status().goal {
            Judgement::Works
        } else {
            Judgement::Misses
        })
    }

    /// Like [`plan`](Self::plan), with one of Herbrand's planners. Each probabilistic effect of the learned model is
    /// replaced by its most likely outcome. The request's limits of time and memory also apply to grounding. At a
    /// limit, and if the most likely outcomes alone never lead to the goal, the answer is [`Judgement::GaveUp`].
    ///
    /// # Errors
    /// Fails like [`plan`](Self::plan).
    pub fn solve(
        &self,
        problem: usize,
        planner: PlannerKind,
        request: &mut PlanRequest<'_>,
    ) -> Result<Judgement, LearnError> {
        let limits = request.budget.rest(0);
        self.plan_within(problem, limits, |simulator| {
            let start = simulator.initial_state();
            let report = planner.solve(simulator, &start, Determinization::MostLikely, request)?;
            Ok::<_, LearnError>(match report.outcome {
                SearchOutcome::Plan(plan) => PlannerAnswer::Plan(plan.steps),
                SearchOutcome::GoalAlreadyTrue => PlannerAnswer::Plan(Vec::new()),
                SearchOutcome::ProvenUnsolvable => PlannerAnswer::Unsolvable,
                SearchOutcome::Exhausted
                | SearchOutcome::OutOfTime
                | SearchOutcome::OutOfMemory
                | SearchOutcome::Cancelled
                | SearchOutcome::Failed(_) => PlannerAnswer::GaveUp,
            })
        })
    }
}
