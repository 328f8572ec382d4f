//! Planning in the known problem.

use herbrand_edit::{Ground, PlanningModel};
use herbrand_ground::{GroundError, GroundOptions, NormalDomain};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::Domain;
use herbrand_plan::{Determinization, PlanRequest, Planner, PlannerKind, Report, SearchOutcome};
use herbrand_step::{CompileError, Random, Simulator, compile_within};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The required quality of a plan, set for each goal of a ladder. It is [`Rung::aim`](crate::Rung::aim), and
/// [`Solver::solve`] gets it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanQuality {
    /// A plan with the fewest steps.
    Nearest,
    /// Any plan, however long.
    Any,
}

/// The planner of an agent, for the known problem. [`PlannerSolver`] implements it.
pub trait Solver {
    /// Searches for a plan to the goal of `model`, the known problem, of the quality `aim`. Unknown facts are assumed
    /// to be false (closed world). A search without a plan is not an error: [`SolverOutcome`] tells why.
    fn solve(&mut self, model: &PlanningModel, aim: PlanQuality) -> SolverOutcome;
}

/// The outcome of a solver's search. Only `ProvenUnreachable` says that there is no plan for the known problem;
/// unknown facts may still make one possible. [`Solver::solve`] returns it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolverOutcome {
    /// A plan was found: its steps in order, at least one.
    Plan(Vec<PredictedStep>),
    /// The goal already holds in the initial state.
    GoalAlreadyTrue,
    /// The known problem provably has no plan.
    ProvenUnreachable,
    /// The solver stopped without a plan or a proof. Also if it cannot ground or solve this kind of problem.
    Exhausted,
    /// The time limit was reached.
    OutOfTime,
    /// The memory limit was reached.
    OutOfMemory,
    /// Another thread cancelled the search.
    Cancelled,
}

impl SolverOutcome {
    /// Returns the name of the outcome in reports, such as `proven-unreachable`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Plan(_) => "plan",
            Self::GoalAlreadyTrue => "goal-already-true",
            Self::ProvenUnreachable => "proven-unreachable",
            Self::Exhausted => "exhausted",
            Self::OutOfTime => "out-of-time",
            Self::OutOfMemory => "out-of-memory",
            Self::Cancelled => "cancelled",
        }
    }
}

/// A step of a plan, with its predicted effects for comparison with the next observation. [`SolverOutcome::Plan`] contains
/// them. [`command`](crate::command) turns the action into a text.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PredictedStep {
    /// The ground action: the name of the schema, then the objects.
    pub action: Ground,
    /// The facts that the step is predicted to make true.
    pub adds: Vec<Ground>,
    /// The facts that the step is predicted to make false.
    pub deletes: Vec<Ground>,
}

impl PredictedStep {
    /// Replaces an object by another in the action and the facts.
    pub(crate) fn rename(&mut self, object: &str, into: &str) {
        let facts = self.adds.iter_mut().chain(&mut self.deletes);
        for fact in std::iter::once(&mut self.action).chain(facts) {
            let named = fact.arguments.iter_mut().filter(|name| *name == object);
            named.for_each(|name| into.clone_into(name));
        }
    }
}

/// A solver that uses Herbrand's planners for deterministic tasks. It is the `solver` of an
/// [`Explorer`](crate::Explorer). The default has limits of 1 GiB and one minute per search.
#[derive(Debug)]
pub struct PlannerSolver {
    /// The planner for [`PlanQuality::Any`].
    pub any: PlannerKind,
    /// The planner for [`PlanQuality::Nearest`].
    pub nearest: PlannerKind,
    /// The limits of time and memory for one search.
    pub limits: Limits,
    normal: Option<(Arc<Domain>, NormalDomain)>,
}

impl Default for PlannerSolver {
    /// Landmark-guided greedy search for any plan, blind A* for the nearest, and limits of 1 GiB and one minute per
    /// search.
    fn default() -> Self {
        let limits = Limits {
            bytes: Some(1 << 30),
            time: Some(std::time::Duration::from_secs(60)),
        };
        Self::new(PlannerKind::default(), limits)
    }
}

impl PlannerSolver {
    /// Creates a solver with this planner for [`PlanQuality::Any`]. Blind A* is used for [`PlanQuality::Nearest`]. Each
    /// search starts with the full limits again.
    #[must_use]
    pub const fn new(any: PlannerKind, limits: Limits) -> Self {
        Self {
            any,
            nearest: PlannerKind::AStar(herbrand_plan::Admissible::Blind),
            limits,
            normal: None,
        }
    }

    fn simulator(&mut self, model: &PlanningModel, budget: &Budget) -> Result<Simulator, SolverOutcome> {
        let domain = model.domain();
        if self
            .normal
            .as_ref()
            .is_none_or(|(of, _)| !Arc::ptr_eq(of, domain) && of != domain)
        {
            let normal = NormalDomain::within(domain, budget).map_err(exhausted)?;
            self.normal = Some((Arc::clone(domain), normal));
        }
        let Some((_, normal)) = &self.normal else {
            return Err(SolverOutcome::Exhausted);
        };
        let compiled = compile_within(domain, normal, model.problem(), &GroundOptions::default(), budget);
        compiled.map_err(|error| match error {
            CompileError::Ground(GroundError::BudgetExhausted(limit)) => exhausted(limit),
            CompileError::Ground(GroundError::Limit(_)) => match budget.check("grounding", 0) {
                Err(limit) => exhausted(limit),
                Ok(()) => SolverOutcome::OutOfMemory,
            },
            _ => SolverOutcome::Exhausted,
        })
    }

    fn find(&mut self, model: &PlanningModel, aim: PlanQuality) -> Result<SolverOutcome, SolverOutcome> {
        let budget = Budget::new(self.limits);
        let simulator = self.simulator(model, &budget)?;
        let planner = match aim {
            PlanQuality::Nearest => self.nearest,
            PlanQuality::Any => self.any,
        };
        let start = simulator.initial_state();
        let mut request = PlanRequest {
            budget,
            seed: 0,
            progress: &mut |_| {},
        };
        let found = planner.solve(&simulator, &start, Determinization::AllOutcomes, &mut request);
        let Ok(Report { outcome, .. }) = found else {
            return Err(SolverOutcome::Exhausted);
        };
        Ok(match outcome {
            SearchOutcome::Plan(plan) => {
                SolverOutcome::Plan(predicted(&simulator, &plan.steps).ok_or(SolverOutcome::Exhausted)?)
            }
            SearchOutcome::GoalAlreadyTrue => SolverOutcome::GoalAlreadyTrue,
            SearchOutcome::ProvenUnsolvable => SolverOutcome::ProvenUnreachable,
            SearchOutcome::Exhausted | SearchOutcome::Failed(_) => SolverOutcome::Exhausted,
            SearchOutcome::OutOfTime => SolverOutcome::OutOfTime,
            SearchOutcome::OutOfMemory => SolverOutcome::OutOfMemory,
            SearchOutcome::Cancelled => SolverOutcome::Cancelled,
        })
    }
}

impl Solver for PlannerSolver {
    fn solve(&mut self, model: &PlanningModel, aim: PlanQuality) -> SolverOutcome {
        self.find(model, aim).unwrap_or_else(|failed| failed)
    }
}

fn exhausted(exhausted: herbrand_limits::BudgetExhausted) -> SolverOutcome {
    match SearchOutcome::from(exhausted) {
        SearchOutcome::OutOfTime => SolverOutcome::OutOfTime,
        SearchOutcome::Cancelled => SolverOutcome::Cancelled,
        _ => SolverOutcome::OutOfMemory,
    }
}

/// Simulates the steps to find the effects of each. Returns `None` if a step fails.
fn predicted(simulator: &Simulator, steps: &[herbrand_ground::ActionId]) -> Option<Vec<PredictedStep>> {
    let task = simulator.task();
    let mut walker = simulator.walker();
    let mut chance = Random::new(0);
    let mut plan = Vec::with_capacity(steps.len());
    for &step in steps {
        walker.apply(step, &mut chance).ok()?;
        let named = |atoms: Vec<herbrand_ground::AtomId>| -> Option<Vec<Ground>> {
            atoms
                .into_iter()
                .map(|atom| task.display_atom(atom).to_string().parse().ok())
                .collect()
        };
        let changes = walker.changes();
        plan.push(PredictedStep {
            action: task.display_action(step).to_string().parse().ok()?,
            adds: named(changes.added().collect())?,
            deletes: named(changes.deleted().collect())?,
        });
    }
    Some(plan)
}
