//! `herbrand plan` with a probabilistic planner: a policy, its value, and a run of it.

use std::io::Write;
use std::num::NonZeroU32;
use std::time::{Duration, Instant};

use clap::Args;
use herbrand::Simulator;
use herbrand::core::{self, EpisodeEnd, EvaluateOptions, Evaluation};
use herbrand::env::Suite;
use herbrand::ground::ActionId;
use herbrand::limits::{Budget, Limits};
use herbrand::plan::{
    Determinization, Policy, PolicyKind, PolicyOptions, PolicyStatistics, PolicyValue, ProbabilisticTask,
    SearchOutcome, TaskError, UctLeaf, evaluate, policy_table,
};
use serde::Serialize;

use super::planners::AnyPlanner;
use super::report::Costs;
use super::state_table::{StateTable, TableData};
use super::table_file::TableFile;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};

/// The options for policies.
#[derive(Args)]
pub struct PolicyArgs {
    /// The number of runs of the policy
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..), help_heading = "Policies")]
    pub(super) runs: u32,

    /// Maximum number of steps per run [default: 1000]
    #[arg(long, value_name = "N", help_heading = "Policies")]
    horizon: Option<u32>,

    /// The number of walks that UCT samples before each action [default: 1000; for RDDL with --time, as many as fit into it]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Policies")]
    pub(super) iterations: Option<u32>,

    /// For uct, evaluate each new state by N random roll-outs up to the goal; from 64 on, they are made together [default: by
    /// the length of a relaxed plan]
    #[arg(long, value_name = "N", help_heading = "Policies")]
    pub(super) rollouts: Option<NonZeroU32>,

    /// Compute the exact value of the policy of uct or replan, over all states that it reaches
    #[arg(long, help_heading = "Policies")]
    pub(super) exact: bool,

    /// Print a table of the first N states [default: 100] with the policy's action, the probability of reaching the goal and the
    /// expected cost, instead of the steps of a run. The states are all that can be reached (value-iteration, the default
    /// planner with --table, and policy-iteration), or those that the policy reaches
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "100", value_parser = clap::value_parser!(u32).range(1..), help_heading = "Policies")]
    pub(super) table: Option<u32>,

    /// With --table, a row for each valid action of a state: the values if it is taken first and the policy followed then
    #[arg(long, requires = "table", help_heading = "Policies")]
    values: bool,
}

/// The policy to compute, and the limits of the computation.
pub struct Setting {
    pub kind: PolicyKind,
    pub seed: u64,
    pub determinization: Determinization,
    pub limits: Limits,
    /// The time that reading and grounding took.
    pub compiled: Duration,
}

/// A policy's value, its runs, and the time to compute it.
struct EvaluatedPolicy {
    /// The exact value, if it was computed.
    value: Option<PolicyValue>,
    runs: Evaluation,
    made: Duration,
    /// The time of the runs, in which uct and replan decide.
    ran: Duration,
    costs: Costs,
    statistics: Option<PolicyStatistics>,
    table: Option<StateTable>,
}

/// [`EvaluatedPolicy`] as data.
#[derive(Serialize)]
pub(super) struct Data {
    outcome: &'static str,
    planner: &'static str,
    /// The exact probability if `exact`, otherwise the share of runs that reached the goal.
    goal_probability: Option<f64>,
    /// The mean cost of the runs that reach the goal.
    expected_cost: Option<f64>,
    exact: bool,
    /// Whether no policy is better.
    optimal: bool,
    runs: Option<Runs>,
    /// The number of states that the planner enumerated.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<usize>,
    /// The number of sweeps of value iteration, or of the policies that the others evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    iterations: Option<u32>,
    /// The greatest change in the last sweep of value iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    residual: Option<f64>,
    /// The reason why numbers may be rounded, so that the policy is not proven optimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<TableData>,
    /// Seconds from the files to the ground task.
    compile_seconds: f64,
    /// Seconds from the ground task to the policy.
    policy_seconds: Option<f64>,
    /// Seconds of the runs, in which uct and replan decide.
    run_seconds: Option<f64>,
}

#[derive(Serialize)]
struct Runs {
    count: usize,
    reached: usize,
    goal_probability: f64,
    /// The ends of its confidence interval of 95 % (Wilson).
    interval: [f64; 2],
    /// The standard error for which the interval is as long.
    standard_error: f64,
    mean_cost: Option<f64>,
    mean_steps: Option<f64>,
    first: FirstPlan,
}

#[derive(Serialize)]
struct FirstPlan {
    steps: Vec<String>,
    cost: f64,
    reached: bool,
}

impl PolicyArgs {
    /// Returns the number of walks before each action in PDDL.
    fn iterations(&self) -> u32 {
        self.iterations.unwrap_or(PolicyOptions::default().iterations)
    }

    /// Returns the maximum number of steps per run.
    pub(super) fn horizon(&self) -> u32 {
        self.horizon.unwrap_or(1000)
    }

    /// Returns the planner: with --table and none named, value iteration. `is_plan` is whether other options ask for a plan.
    pub(super) fn planner(
        &self,
        named: Option<AnyPlanner>,
        is_plan: bool,
    ) -> Result<Option<AnyPlanner>, Failure> {
        match named {
            _ if self.table.is_none() => Ok(named),
            Some(AnyPlanner::Policy(_)) => Ok(named),
            None if !is_plan => Ok(Some(AnyPlanner::Policy(PolicyKind::ValueIteration))),
            _ => {
                let names = PolicyKind::ALL.map(PolicyKind::as_str).join(", ");
                let message = format!("--table needs a planner that finds policies: {names}");
                Err(Failure::Request(message))
            }
        }
    }

    /// Returns whether --horizon is given.
    pub(super) const fn has_horizon(&self) -> bool {
        self.horizon.is_some()
    }

    /// Computes a policy for the only problem of a suite, and reports it. Writes its table to a file if there is one.
    pub fn run(
        &self,
        suite: &Suite,
        setting: &Setting,
        file: Option<&TableFile>,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        let compiled = suite.instance(0)?;
        let simulator = compiled.simulator();
        let found = self.search(simulator, setting, file.is_some())?;
        let table = found.as_ref().ok().and_then(|found| found.table.as_ref());
        if let (Some(file), Some(table)) = (file, table) {
            file.write(suite, setting.kind, &table.data(suite, None)?)?;
        }
        match (format, self.table.and(table)) {
            (Format::Json, table) => {
                let table = table.map(|table| table.data(suite, self.table)).transpose()?;
                output::json(&data(simulator, setting, &found, table))?;
            }
            (Format::Text, table) => {
                if let (Some(table), Some(shown)) = (table, self.table) {
                    table.print(suite, shown)?;
                }
                print(simulator, setting, self, &found)?;
            }
        }
        Ok(answer(&found))
    }

    /// Computes a policy for the only problem of a suite. Returns it as data, and the answer of the command.
    pub(super) fn solve(&self, suite: &Suite, setting: &Setting) -> Result<(Data, CommandOutcome), Failure> {
        let compiled = suite.instance(0)?;
        let found = self.search(compiled.simulator(), setting, false)?;
        Ok((data(compiled.simulator(), setting, &found, None), answer(&found)))
    }

    fn search(
        &self,
        simulator: &Simulator,
        setting: &Setting,
        is_written: bool,
    ) -> Result<Result<EvaluatedPolicy, SearchOutcome>, Failure> {
        let interrupt = Interrupt::watch_termination()?;
        let budget = Budget::new(setting.limits);
        match interrupt.cancelling(&budget, || self.find(simulator, setting, is_written, &budget)) {
            Ok(found) => Ok(Ok(found)),
            Err(TaskError::BudgetExhausted(exhausted)) => Ok(Err(SearchOutcome::from(exhausted))),
            Err(TaskError::Step(error)) => Err(super::search::failure(error)),
        }
    }

    fn find(
        &self,
        simulator: &Simulator,
        setting: &Setting,
        is_written: bool,
        budget: &Budget,
    ) -> Result<EvaluatedPolicy, TaskError> {
        let began = Instant::now();
        let task = ProbabilisticTask::from_initial(simulator, budget)?;
        let options = PolicyOptions {
            seed: setting.seed,
            iterations: self.iterations(),
            leaf: self.rollouts.map_or(UctLeaf::RelaxedPlan, UctLeaf::RandomWalks),
            determinization: setting.determinization,
            ..PolicyOptions::default()
        };
        let mut policy = setting.kind.policy(&task, &options, budget)?;
        let made = began.elapsed();
        let policy: &mut dyn Policy = policy.as_mut();
        let mut value = match policy.value() {
            None if self.exact && self.table.is_none() && !is_written => {
                Some(evaluate(&task, policy, budget)?)
            }
            value => value,
        };
        let table = if self.table.is_some() || is_written {
            let all = setting.kind.covers_all_states();
            let table = policy_table(&task, policy, all, budget)?;
            value = value.or(Some(table.value));
            Some(StateTable::new(table.states, all, self.values))
        } else {
            None
        };
        let options = EvaluateOptions {
            episodes: self.runs,
            steps: self.horizon(),
            seed: setting.seed,
        };
        let mut walker = task.walker()?;
        let began = Instant::now();
        let runs = budget.enclose(|| core::evaluate(&mut walker, policy, &options, 1.0, |_| true))?;
        let costs = Costs::of(task.costs(), simulator.task());
        Ok(EvaluatedPolicy {
            value,
            runs,
            made,
            ran: began.elapsed(),
            costs,
            statistics: policy.statistics(),
            table,
        })
    }
}

/// Returns the answer of the command.
fn answer(found: &Result<EvaluatedPolicy, SearchOutcome>) -> CommandOutcome {
    match found {
        Err(SearchOutcome::Cancelled) => CommandOutcome::Interrupted,
        Ok(found) if found.goal_probability() > 0.0 => CommandOutcome::Yes,
        Ok(_) | Err(_) => CommandOutcome::No,
    }
}

impl Data {
    /// Returns the cells of a table: the outcome, the probability of reaching the goal, the cost, the states that were
    /// enumerated, and the seconds.
    pub(super) fn cells(&self) -> [String; 5] {
        let none = || "–".to_owned();
        let sampled = self.runs.as_ref().filter(|_| !self.exact);
        let share = self.goal_probability.map(|share| match sampled {
            Some(runs) => format!("{share:.4} ({:.4}–{:.4})", runs.interval[0], runs.interval[1]),
            None => format!("{share:.4}"),
        });
        let seconds = [self.policy_seconds, self.run_seconds].map(|seconds| seconds.unwrap_or_default());
        [
            if self.optimal {
                "policy, optimal"
            } else {
                self.outcome
            }
            .to_owned(),
            share.unwrap_or_else(none),
            self.expected_cost.map_or_else(none, output::reward),
            self.states
                .map_or_else(none, |states| output::grouped(states as u64)),
            format!("{:.3}", self.compile_seconds + seconds[0] + seconds[1]),
        ]
    }
}

impl EvaluatedPolicy {
    fn goal_probability(&self) -> f64 {
        let exact = self.value.map(|value| value.goal_probability);
        exact.unwrap_or_else(|| self.runs.goal_probability().0)
    }

    /// Returns the mean cost of the runs that reach the goal.
    fn cost(&self) -> Option<f64> {
        self.runs.mean_of_reached(|total, _| 0.0 - total)
    }

    /// Returns whether the first run reached the goal.
    fn is_first_reached(&self) -> bool {
        self.runs.ends.first() == Some(&Some(EpisodeEnd::Goal))
    }

    /// Returns the actions of the first run.
    fn steps(&self, simulator: &Simulator) -> Vec<String> {
        let numbers = self
            .runs
            .first
            .iter()
            .flatten()
            .filter_map(|choice| choice.alternative());
        let text = |number| simulator.task().display_action(ActionId::new(number)).to_string();
        numbers.map(text).collect()
    }
}

fn data(
    simulator: &Simulator,
    setting: &Setting,
    found: &Result<EvaluatedPolicy, SearchOutcome>,
    table: Option<TableData>,
) -> Data {
    let (found, outcome) = match found {
        Ok(found) => (Some(found), "policy"),
        Err(outcome) => (None, outcome.name()),
    };
    let value = found.and_then(|found| found.value);
    let sampled = found.and_then(EvaluatedPolicy::cost);
    let statistics = found.and_then(|found| found.statistics);
    Data {
        outcome,
        planner: setting.kind.as_str(),
        goal_probability: found.map(EvaluatedPolicy::goal_probability),
        expected_cost: value.map_or(sampled, |value| value.cost),
        exact: value.is_some(),
        optimal: value.is_some_and(|value| value.optimal),
        runs: found.map(|found| {
            let (goal_probability, interval) = found.runs.goal_probability();
            Runs {
                count: found.runs.ends.len(),
                reached: found.runs.reached().count(),
                goal_probability,
                interval,
                standard_error: (interval[1] - interval[0]) / 3.92,
                mean_cost: found.cost(),
                mean_steps: found.runs.mean_of_reached(|_, steps| f64::from(steps)),
                first: FirstPlan {
                    steps: found.steps(simulator),
                    cost: 0.0 - found.runs.returns[0],
                    reached: found.is_first_reached(),
                },
            }
        }),
        states: statistics.map(|statistics| statistics.states),
        iterations: statistics.map(|statistics| statistics.iterations),
        residual: statistics.and_then(|statistics| statistics.residual),
        rounding: statistics.and_then(|one| Some(one.rounding?.to_string())),
        table,
        compile_seconds: setting.compiled.as_secs_f64(),
        policy_seconds: found.map(|found| found.made.as_secs_f64()),
        run_seconds: found.map(|found| found.ran.as_secs_f64()),
    }
}

fn print(
    simulator: &Simulator,
    setting: &Setting,
    asked: &PolicyArgs,
    found: &Result<EvaluatedPolicy, SearchOutcome>,
) -> std::io::Result<()> {
    let mut out = output::out();
    let compiled = setting.compiled.as_secs_f64();
    let found = match found {
        Ok(found) => found,
        Err(outcome) => {
            let why = match outcome {
                SearchOutcome::OutOfTime => "no policy was found within the time limit (--time)",
                SearchOutcome::OutOfMemory => "no policy was found within the memory limit (--memory)",
                _ => "stopped by a signal; no policy was found",
            };
            writeln!(out, "; {why}")?;
            writeln!(
                out,
                "; planner {}, after {compiled:.3} s of grounding",
                setting.kind
            )?;
            return out.flush();
        }
    };
    let runs = &found.runs;
    if asked.table.is_none() {
        for step in found.steps(simulator) {
            writeln!(out, "{step}")?;
        }
        let end = if found.is_first_reached() {
            "reaches the goal"
        } else {
            "does not reach the goal"
        };
        let length = counted(runs.first.len() as u64, "step");
        writeln!(out, "; a run of the policy, which {end} after {length}")?;
    }
    if let Some(value) = found.value {
        writeln!(
            out,
            "; the policy reaches the goal with probability {:.9}",
            value.goal_probability
        )?;
        if let Some(cost) = value.cost {
            writeln!(out, "; with a mean cost of {cost:.6} when it does")?;
        }
        if value.optimal {
            writeln!(
                out,
                "; no policy has a higher probability, or a lower cost at this probability"
            )?;
        }
    }
    let (share, [low, high]) = runs.goal_probability();
    writeln!(
        out,
        "; {} of {} reached the goal: {share:.4}, between {low:.4} and {high:.4} with a confidence of 95 %{}",
        runs.reached().count(),
        counted(runs.ends.len() as u64, "run"),
        found
            .cost()
            .map_or_else(String::new, |cost| format!(", at a mean cost of {cost:.4}")),
    )?;
    if let Some(rounding) = found.statistics.and_then(|statistics| statistics.rounding) {
        writeln!(out, "; numbers may be rounded, so nothing is proven: {rounding}")?;
    }
    if let Some(note) = found.costs.note("the policy") {
        writeln!(out, "; {note}")?;
    }
    let how = match setting.kind {
        PolicyKind::Uct | PolicyKind::Replan => {
            let steps = counted(runs.lengths.iter().map(|&steps| u64::from(steps)).sum(), "step");
            let walks = match setting.kind {
                PolicyKind::Uct => {
                    format!(
                        ", each decided by at most {}",
                        counted(asked.iterations().into(), "walk")
                    )
                }
                _ => String::new(),
            };
            format!(
                "{} of {steps} in {:.3} s{walks},",
                counted(runs.ends.len() as u64, "run"),
                found.ran.as_secs_f64(),
            )
        }
        _ => {
            let work = found
                .statistics
                .map_or_else(String::new, |statistics| work(setting.kind, statistics));
            format!("computed in {:.3} s{work}", found.made.as_secs_f64())
        }
    };
    writeln!(
        out,
        "; policy by {}: {how} after {compiled:.3} s of grounding",
        setting.kind
    )?;
    out.flush()
}

/// Returns what a planner did to compute its policy, for the end of a line.
fn work(kind: PolicyKind, statistics: PolicyStatistics) -> String {
    let states = counted(statistics.states as u64, "state");
    let iterations = u64::from(statistics.iterations);
    match (kind, statistics.residual) {
        (PolicyKind::ValueIteration, Some(residual)) => {
            let sweeps = counted(iterations, "sweep");
            let residual = if residual > 0.0 {
                format!("{residual:.1e}")
            } else {
                "0".to_owned()
            };
            format!(", in {sweeps} over {states} with a residual of {residual},")
        }
        _ if iterations == 1 => format!(", with 1 policy evaluated on {states},"),
        _ => format!(
            ", with {} policies evaluated on {states},",
            output::grouped(iterations)
        ),
    }
}
