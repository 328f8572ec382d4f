//! Plans with times.
//!
//! Most problems need no two actions at once. So the actions are first planned as if they took no time, and then each starts
//! as early as those before allow. Where that gives no plan, states with a clock are searched, in which actions overlap.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use std::time::Instant;

use herbrand_core::{Choice, Random, System};
use herbrand_env::plan::ParsedPlan;
use herbrand_env::{ActionMode, Grounded, Planning, SteppingEngine as _, Suite, TimedPlan};
use herbrand_ground::ActionId;
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::Source;
use herbrand_plan::{
    Determinization, Estimator, HeuristicKind, Plan, PlannerKind, Report, SearchOutcome, SearchStatistics,
    SearchTask, TaskError,
};
use herbrand_step::State;

use super::query::PlanQuery;
use super::report::PlanReport;
use super::search::plan_by;
use crate::failure::TaskFailure;
use crate::found::Costs;
use crate::goal_report::GoalReport;
use crate::run::Run;
use crate::timed_plan::validate_timed_plan;

/// Searches for a plan with times.
///
/// # Errors
/// Fails if the problem is faulty or exceeds the limits, if effects have draws, or if the query asks for another planner.
pub(super) fn timed(suite: &Suite, query: &PlanQuery, run: &mut Run<'_>) -> Result<PlanReport, TaskFailure> {
    let others = [
        ("planner", query.planner.is_some()),
        ("optimal", query.optimal),
        ("external", query.external.is_some()),
        ("h2", query.h2),
    ];
    if let Some((option, _)) = others.into_iter().find(|(_, given)| *given) {
        return Err(TaskFailure::option(
            option,
            "does not go with actions that take time",
        ));
    }
    let (began, cpu, limits) = (Instant::now(), run.cpu(), run.limits);
    if suite.instance(0)?.simulator().task().effects.chances() > 0 {
        suite.check_timeless("a planner for chance")?;
    }
    let compiled = (began.elapsed(), run.cpu().saturating_sub(cpu));
    let mut statistics = SearchStatistics::default();
    let cpu = run.cpu();
    let found = match without_overlap(suite, query, limits, run, &mut statistics)? {
        Some(plan) => Ok(plan),
        None => {
            let rest = Limits {
                time: limits.time.map(|time| time.saturating_sub(began.elapsed())),
                ..limits
            };
            with_overlap(suite, rest, run, &mut statistics)?
        }
    };
    statistics.time = began.elapsed().saturating_sub(compiled.0);
    let outcome = match &found {
        Ok(found) if found.plan.steps.is_empty() => SearchOutcome::GoalAlreadyTrue,
        Ok(found) => SearchOutcome::Plan(Plan::new(found.operators.clone(), found.plan.makespan())),
        Err(outcome) => outcome.clone(),
    };
    let report = Report { outcome, statistics };
    let mut answer = PlanReport::new("timed", report, Costs::default());
    answer.problem = suite.full_problem_name(0).unwrap_or_default();
    answer.compile_seconds = compiled.0.as_secs_f64();
    answer.compile_cpu_seconds = compiled.1.as_secs_f64();
    answer.search_cpu_seconds = run.cpu().saturating_sub(cpu).as_secs_f64();
    if let Ok(found) = found {
        answer.set_timed_plan(&found.plan, found.operators, found.report.metric);
    }
    Ok(answer)
}

/// A plan that the twin has executed.
struct Found {
    plan: TimedPlan,
    /// The operators of the search, in the order of execution.
    operators: Vec<ActionId>,
    report: GoalReport,
}

/// Executes a plan by the definitions. `None` if it is not valid.
fn validated(suite: &Suite, plan: TimedPlan, operators: Vec<ActionId>) -> Result<Option<Found>, TaskFailure> {
    let problem = suite.parse_problem(0)?;
    let parsed = ParsedPlan::parse(&Source::new("plan", &plan.to_string()))?;
    let report = validate_timed_plan(suite.domain(), &problem, &parsed, herbrand_pddl::EPSILON)?;
    Ok(report.valid.then_some(Found {
        plan,
        operators,
        report,
    }))
}

/// Plans as if actions took no time.
fn without_overlap(
    suite: &Suite,
    query: &PlanQuery,
    limits: Limits,
    run: &mut Run<'_>,
    statistics: &mut SearchStatistics,
) -> Result<Option<Found>, TaskFailure> {
    let domain = suite.domain().compressed();
    let mut problem = suite.parse_problem(0)?;
    problem.domain_fingerprint = domain.fingerprint();
    problem.timed.clear();
    // The search prefers short plans. Their time is known only when their steps overlap.
    problem.metric = None;
    let half = Limits {
        time: limits.time.map(|time| time / 2),
        ..limits
    };
    let suite_without_time =
        Suite::from_problems(domain, [problem], ActionMode::Operators)?.with_limits(half);
    let Ok(instance) = suite_without_time.instance(0) else {
        return Ok(None);
    };
    let simulator = instance.simulator();
    let outer = std::mem::replace(&mut run.limits, half);
    let start = simulator.initial_state();
    let report = plan_by(&PlannerKind::default(), simulator, &start, query, run);
    run.limits = outer;
    let Ok(report) = report else { return Ok(None) };
    *statistics = report.statistics;
    let Some(steps) = report.outcome.plan() else {
        return Ok(None);
    };
    let texts: Vec<_> = steps
        .iter()
        .map(|&step| simulator.task().display_action(step).to_string())
        .collect();
    match suite.earliest(0, &texts)? {
        Some(plan) => validated(suite, plan, steps.to_vec()),
        None => Ok(None),
    }
}

/// A node of the search through states with a clock.
struct Node {
    state: State,
    parent: usize,
    choice: Option<Choice>,
}

/// Searches the states with a clock, in which actions overlap: greedily, by the length of relaxed plans over starts and ends.
fn with_overlap(
    suite: &Suite,
    limits: Limits,
    run: &mut Run<'_>,
    statistics: &mut SearchStatistics,
) -> Result<Result<Found, SearchOutcome>, TaskFailure> {
    let budget = Budget::new(limits);
    let mut system = suite.instance(0)?.engine();
    system
        .reset(&mut Random::new(run.seed))
        .map_err(herbrand_env::EnvError::from)?;
    let start = system.state().clone();
    let simulator = system.walker().simulator().clone();
    let task = SearchTask::new(&simulator, &start, Determinization::AllOutcomes, &budget);
    let task = match task {
        Ok(task) => task.by_length(),
        Err(TaskError::BudgetExhausted(spent)) => return Ok(Err(spent.into())),
        Err(TaskError::Step(error)) => return Err(error.into()),
    };
    let mut estimator = match Estimator::new(&task, HeuristicKind::Ff, &budget) {
        Ok(estimator) => estimator,
        Err(spent) => return Ok(Err(spent.into())),
    };
    let mut nodes = vec![Node {
        state: start,
        parent: 0,
        choice: None,
    }];
    if system.status().goal {
        return finished(suite, &nodes, 0, &mut system);
    }
    let mut seen = HashSet::new();
    seen.insert(system.walk().timeless_words());
    let mut open = BinaryHeap::new();
    let first = estimator.estimate(&nodes[0].state)?;
    if let Some(value) = first {
        open.push((Reverse((value as u64, 0)), 0));
    }
    let (mut choices, mut held) = (Vec::new(), 0_u64);
    while let Some((_, index)) = open.pop() {
        if let Err(spent) = budget.check("the search through states with a clock", held) {
            return Ok(Err(spent.into()));
        }
        statistics.expanded += 1;
        let state = nodes[index].state.clone();
        system.set_state(&state).map_err(herbrand_env::EnvError::from)?;
        system.choices(&mut choices);
        for (number, &choice) in choices.iter().enumerate() {
            if number > 0 {
                system.set_state(&state).map_err(herbrand_env::EnvError::from)?;
            }
            if system.step(&[choice], &mut Random::new(0)).is_err() {
                continue;
            }
            statistics.generated += 1;
            let is_goal = system.status().goal;
            if !is_goal && (system.choice_count() == 0 || !seen.insert(system.walk().timeless_words())) {
                continue;
            }
            let next = system.state().clone();
            statistics.evaluated += 1;
            let value = estimator.estimate(&next)?;
            held += 2 * (size_of::<Node>() + 8 * next.words().len()) as u64 + 64;
            nodes.push(Node {
                state: next,
                parent: index,
                choice: Some(choice),
            });
            if is_goal {
                statistics.states = nodes.len() as u64;
                return finished(suite, &nodes, nodes.len() - 1, &mut system);
            }
            if let Some(value) = value {
                let late = system.walk().agenda().map_or(0.0, |agenda| agenda.clock);
                open.push((Reverse((value as u64, (late * 1000.0) as u64)), nodes.len() - 1));
            }
        }
    }
    statistics.states = nodes.len() as u64;
    Ok(Err(SearchOutcome::Exhausted))
}

/// Replays the choices that lead to a node, and executes the plan that they are.
fn finished(
    suite: &Suite,
    nodes: &[Node],
    goal: usize,
    system: &mut Planning<Grounded>,
) -> Result<Result<Found, SearchOutcome>, TaskFailure> {
    let mut path = Vec::new();
    let mut index = goal;
    while index != 0 {
        path.extend(nodes[index].choice);
        index = nodes[index].parent;
    }
    system
        .set_state(&nodes[0].state)
        .map_err(herbrand_env::EnvError::from)?;
    let mut plan = TimedPlan::default();
    let mut operators = Vec::new();
    for choice in path.into_iter().rev() {
        system
            .step(&[choice], &mut Random::new(0))
            .map_err(herbrand_env::EnvError::from)?;
        let steps = plan.steps.len();
        system.add_to(&mut plan, suite.domain());
        if plan.steps.len() > steps {
            operators.extend(system.last_operator().copied());
        }
    }
    match validated(suite, plan, operators)? {
        Some(found) => Ok(Ok(found)),
        None => Err(TaskFailure::WrongPlan),
    }
}
