//! Finite-domain tasks (SAS+) as problems, and operators that a search may leave out.

use std::collections::BTreeMap;

use herbrand_env::Suite;
use herbrand_env::plan::ParsedPlan;
use herbrand_ground::{ActionId, GroundTask, NormalDomain};
use herbrand_limits::{Budget, BudgetExhausted, Limits};
use herbrand_pddl::{Domain, Problem};
use herbrand_plan::StepCosts;
use herbrand_sas::{
    FiniteDomainTask, Grounded, InvariantLimits, TranslateError, TranslateOptions, ground_task,
    lifted_groups, metric_refusal, refusal, translate,
};
use herbrand_text::Source;

use crate::failure::TaskFailure;

/// A finite-domain task in the format of Fast Downward's translator, and the ground task that is made of it.
#[derive(Clone, Debug)]
pub struct SasFile {
    /// The name of the task.
    pub name: String,
    /// The text.
    pub source: Source,
    /// The task.
    pub task: FiniteDomainTask,
    /// The ground task.
    pub grounded: Grounded,
}

impl SasFile {
    /// Reads a text in the format of Fast Downward's translator.
    ///
    /// # Errors
    /// Fails if the text is faulty, or a limit is reached.
    pub fn read(name: &str, source: Source, limits: Limits) -> Result<Self, TaskFailure> {
        let budget = Budget::new(limits);
        let task = FiniteDomainTask::from_sas(&source, &budget).map_err(TaskFailure::Sas)?;
        let grounded = ground_task(&task, name, &budget)?;
        Ok(Self {
            name: name.to_owned(),
            source,
            task,
            grounded,
        })
    }

    /// Returns the task of a suite; `None` if the suite is no finite-domain task.
    ///
    /// # Errors
    /// Fails if a limit is reached.
    pub fn of_suite(suite: &Suite, limits: Limits) -> Result<Option<Self>, TaskFailure> {
        let source = suite.domain_source().filter(|_| suite.is_ground());
        source
            .map(|source| Self::read(suite.name(), source.clone(), limits))
            .transpose()
    }

    /// Returns the suite with this task as its only problem.
    ///
    /// # Errors
    /// Fails if the task is faulty.
    pub fn suite(self, limits: Limits) -> Result<Suite, TaskFailure> {
        Ok(Suite::from_ground(&self.name, self.source, self.grounded.task)?.with_limits(limits))
    }

    /// Returns the name of a step by an operator, as the text has it.
    #[must_use]
    pub fn step_name(&self, operator: usize) -> String {
        format!("({})", self.task.operators[operator].name)
    }

    /// Replaces the names of operators in a plan by those of the ground actions, where these have other names. Of several
    /// operators with the name of a step, it takes the first that is applicable. Steps without an operator stay.
    pub fn rename(&self, plan: &mut ParsedPlan) {
        let ground = &self.grounded;
        let mut named: BTreeMap<String, Vec<(usize, ActionId)>> = BTreeMap::new();
        for (action, &operator) in ground.task.actions.ids().zip(&ground.operators) {
            let name = self.step_name(operator).to_ascii_lowercase();
            named.entry(name).or_default().push((operator, action));
        }
        let mut state = self.task.initial_state();
        for step in &mut plan.steps {
            let own = named.get(&step.action.to_ascii_lowercase());
            let own = own.map_or(&[][..], Vec::as_slice);
            let is_applicable =
                |&&(operator, _): &&(usize, _)| self.task.operators[operator].is_applicable(&state);
            if let Some(&(operator, action)) = own.iter().find(is_applicable).or(own.first()) {
                state = self.task.successor(&state, operator);
                step.action = ground.task.display_action(action).to_string();
            }
        }
    }

    /// Returns the names of the steps of a plan, as the text has them.
    pub(crate) fn step_names(&self, steps: &[ActionId]) -> Vec<String> {
        let operators = self.grounded.plan(steps).into_iter();
        operators.map(|operator| self.step_name(operator)).collect()
    }
}

/// Returns the costs of the actions in whole units, and the amount of the metric for a unit.
///
/// # Errors
/// Fails if the metric is not a sum of such costs.
pub fn whole_costs(
    task: &GroundTask,
    domain: &Domain,
    problem: &Problem,
) -> Result<(Vec<u64>, f64), TaskFailure> {
    /// The largest cost that planners read.
    const MOST: u64 = i32::MAX as u64;
    let refuse = |cause: &str| TaskFailure::Sas(metric_refusal(cause, domain, problem));
    if task.reward.is_some() {
        return Err(refuse("actions have rewards"));
    }
    let costs = StepCosts::of(task);
    if let Some(cause) = costs.metric_fault(task) {
        return Err(refuse(&cause));
    }
    let refused = |id| {
        let action = task.display_action(id);
        refuse(&match costs.fixed(id) {
            Some(cost) => format!("`{action}` costs {cost}, and the format ends at {MOST}"),
            None => format!("the cost of `{action}` depends on conditions"),
        })
    };
    Ok((costs.all_fixed(MOST).map_err(refused)?, costs.value(1)))
}

/// Returns a ground task without the actions that are in no plan from its initial state, as far as pairs of facts that
/// exclude each other (h²) tell.
///
/// # Errors
/// Fails if a finite-domain task cannot hold the problem, or a limit is reached.
pub fn pruned(
    task: &GroundTask,
    domain: &Domain,
    problem: &Problem,
    budget: &Budget,
) -> Result<GroundTask, TaskFailure> {
    let refuse = |error| refused(error, domain, problem);
    let spent = |error: BudgetExhausted| refuse(TranslateError::from(error));
    let normal = NormalDomain::within(domain, budget).map_err(spent)?;
    let (costs, _) = whole_costs(task, domain, problem)?;
    let groups = lifted_groups(&normal, task, &InvariantLimits::default(), budget).map_err(spent)?;
    let options = TranslateOptions {
        pairs: true,
        ..TranslateOptions::default()
    };
    let translation = translate(task, &costs, groups, &options, budget).map_err(refuse)?;
    Ok(translation.pruned(task))
}

/// Returns the failure with the places in the texts that are its reason, as far as there are any.
#[must_use]
pub fn refused(error: TranslateError, domain: &Domain, problem: &Problem) -> TaskFailure {
    match refusal(&error, domain, problem) {
        Some(faults) => TaskFailure::Sas(faults),
        None => TaskFailure::Translate(error),
    }
}
