//! `herbrand plan`: a plan for a problem.

mod compare;
mod planners;
mod policy;
mod policy_rows;
mod rddl;
mod report;
mod returns;
mod sas;
mod search;
mod search_progress;
mod state_table;
mod table_file;
mod undefined;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use cpu_time::ProcessTime;
use herbrand::GroundTask;
use herbrand::env::ActionMode;
use herbrand::limits::Limits;
use herbrand::plan::{Determinization, ExternalCommand, PolicyKind};

use crate::failure::Failure;
use crate::files;
use crate::input::{self, FileKind};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::policy::one_problem;
use crate::preconditions::PreconditionArgs;
use crate::problem::{CommandWords, ProblemArgs};
use herbrand::tasks::AnyProblems;

use planners::{AnyPlanner, all_planners};
use report::{PlanResult, Report, Unplanned};

pub use planners::planners;
use table_file::TableFile;

/// Find a plan for a problem
///
/// Prints the plan with one operator per line, in the format that `validate` and other planners' tools read. Lines that
/// begin with a semicolon report its cost and the search. Every plan is executed before it is printed. The cost is the
/// metric if the metric is a sum over the steps, and otherwise the number of steps.
///
/// In probabilistic domains, a plan assumes that the agent chooses the outcomes; the report includes the probability that it
/// reaches the goal. The planners value-iteration, policy-iteration, lao, uct and replan compute a policy instead, which selects
/// an action in every state. For a policy, the report is the probability and the expected cost of reaching the goal. With
/// --table, it has both for each state, beside the action.
///
/// For RDDL, a plan is a joint action for each of the next steps, found by roll-outs (cross-entropy, random-shooting), by
/// gradients, or by both in turns (auto). With uct and replan there is no plan: the planner looks ahead before each step, by
/// walks or by a new plan from roll-outs. The report is the mean return, and how much lower it is for doing nothing and for
/// random actions on the same random draws.
///
/// With --external, another program searches for the plan, in a temporary folder and within the same limits. Its plan is
/// executed like any other, and rejected if it does not reach the goal.
///
/// In place of a domain, a file in the format of Fast Downward's translator can be given (version 3, as `herbrand translate`
/// writes it). The steps of the plan then have the names of its operators.
///
/// For several problems, a table has a row for each: the outcome, the cost and the length of the plan, the states expanded, and
/// the seconds with those of grounding; for policies, the probability of reaching the goal instead of the length. --time then
/// applies to each problem. With --planner all, the table has a row for each planner, those for policies only under chance, and
/// the planners share --time. For several instances in RDDL, it has the mean returns.
///
/// The exit status is 1 if there is no plan, or the search finds none within the limits, and 2 if a limit ends the
/// grounding; for several problems, it is the highest.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand plan domain.pddl problem.pddl
  herbrand plan blocks test/03 --time 30 --memory 4GiB
  herbrand plan domain.pddl p*.pddl --time 10
  herbrand plan blocks --all --split test --time 10
  herbrand plan ferry --optimal
  herbrand plan ferry test/02 --planner all --time 30
  herbrand plan logistics --planner anytime --time 60 --out logistics.plan
  herbrand plan river --planner policy-iteration
  herbrand plan navigation --table
  herbrand plan navigation --table --values --out policy.csv
  herbrand plan exploding-blocks --planner replan --runs 200
  herbrand plan river --planner uct --rollouts 64
  herbrand plan blocks --external \"fast-downward.py --plan-file {plan} --alias lama-first {domain} {problem}\"
  herbrand plan rddl/cartpole-continuous --lookahead 30 --candidates 512
  herbrand plan rddl/elevators --planner uct --iterations 200 --runs 5
  herbrand plan rddl/supply-chain --planner gradient --replan --runs 3 --risk cvar:0.2 --scenarios 20
  herbrand plan rddl/racing-car --planner reactive --time 30
  herbrand plan depot test/05 --optimal --h2
  herbrand plan output.sas --optimal
  herbrand plan hanoi --format json")]
pub struct Plan {
    #[command(flatten)]
    problem: ProblemArgs,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    /// More problems, in a table of the results instead of the plans
    #[arg(value_name = "PROBLEMS")]
    more: Vec<String>,

    /// Plan for all problems of the domain, or of --split, in a table of the results instead of the plans
    #[arg(long)]
    all: bool,

    /// The planner [default: landmarks, or cross-entropy for RDDL]
    #[arg(long, value_name = "PLANNER", value_parser = all_planners(), conflicts_with = "optimal")]
    planner: Option<AnyPlanner>,

    /// The command of an external planner, with {domain} and {problem} for its input files and {plan} for its output
    /// file; without {plan}, the plan is read from its output
    #[arg(long, value_name = "COMMAND", conflicts_with_all = ["planner", "optimal"])]
    external: Option<ExternalCommand>,

    /// Find a plan of least cost by astar-lmcut; unlike --planner astar-lmcut, refuse a metric by which no optimum can be
    /// proven
    #[arg(long)]
    optimal: bool,

    /// Search without the operators that pairs of facts which exclude each other (h²) show to be in no plan: slower to
    /// prepare, and faster to search where there are many
    #[arg(long, conflicts_with = "external")]
    h2: bool,

    /// The random seed for ties and random outcomes; 0 breaks ties in the order of the text
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// How plans treat random outcomes
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    determinize: Determinize,

    /// Also write the plan to a file, by anytime each plan as it is found; of a policy, the table of all its states, as .csv
    /// or .json
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    policy: policy::PolicyArgs,

    #[command(flatten)]
    rddl: rddl::RddlArgs,
}

/// How plans treat random outcomes.
#[derive(Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
enum Determinize {
    /// The agent chooses among all outcomes
    #[default]
    AllOutcomes,
    /// Every action has its most likely outcome
    MostLikely,
}

impl From<Determinize> for Determinization {
    fn from(determinize: Determinize) -> Self {
        match determinize {
            Determinize::AllOutcomes => Self::AllOutcomes,
            Determinize::MostLikely => Self::MostLikely,
        }
    }
}

impl Plan {
    /// Returns the limits of time and memory for the whole command. Each of several problems has its own time.
    pub fn limits(&self) -> LimitArgs {
        let words = self.problem.words(&self.more);
        if self.all || words.is_ok_and(|words| words.problems.len() > 1) {
            return self.problem.limits.of_parts();
        }
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let (began, cpu) = (Instant::now(), ProcessTime::now());
        let limits = self.problem.limits();
        let words = self.problem.words(&self.more)?;
        let is_uct = matches!(self.planner, Some(AnyPlanner::Policy(PolicyKind::Uct)));
        if self.policy.rollouts.is_some() && !is_uct {
            return Err(Failure::Request("--rollouts needs --planner uct".to_owned()));
        }
        let planner = self
            .policy
            .planner(self.planner, self.optimal || self.external.is_some())?;
        if input::is_task(Path::new(&words.domain)) {
            return self.task_file(&words, began, cpu, format);
        }
        if self.all || words.problems.len() > 1 {
            return self.run_all(&words, format);
        }
        let problems = self.problem.find_among(&words, ActionMode::Operators)?;
        let problems = self.preconditions.apply(problems)?;
        let table_file = match (planner, &self.out) {
            (Some(AnyPlanner::Policy(_)), Some(path)) if !matches!(problems, AnyProblems::Rddl(_)) => {
                Some(TableFile::new(path)?)
            }
            (_, out) => {
                files::check_before(out.as_deref())?;
                None
            }
        };
        if let AnyProblems::Rddl(suite) = &problems {
            if self.policy.table.is_some() {
                return Err(Failure::Request("--table supports only PDDL".to_owned()));
            }
            if self.h2 {
                return Err(Failure::Request("--h2 supports only PDDL".to_owned()));
            }
            return self.rddl(suite, limits, format);
        }
        let suite = problems.pddl("plan")?;
        if let Some(AnyPlanner::Rddl(how)) = self.planner {
            return Err(Failure::Request(format!("--planner {how} supports only RDDL")));
        }
        if let Some(option) = self.rddl.given() {
            return Err(Failure::Request(format!("{option} supports only RDDL")));
        }
        if let Some(AnyPlanner::All) = self.planner {
            if self.out.is_some() {
                return Err(Failure::Request("--out needs one planner".to_owned()));
            }
            return self.compare(&suite, began, cpu, format);
        }
        if let Some(AnyPlanner::Policy(kind)) = planner {
            self.policy_only()?;
            suite.instance(0)?;
            let setting = self.policy_setting(kind, began);
            return self.policy.run(&suite, &setting, table_file.as_ref(), format);
        }
        let report = self.solve(&suite, began, cpu)?;
        let is_first = words.problems.is_empty() && !FileKind::is_file(&words.domain);
        self.finish(&report, is_first, format)
    }

    /// Refuses the options that no planner for policies has.
    fn policy_only(&self) -> Result<(), Failure> {
        if self.h2 {
            let message = "--h2 needs a planner that finds plans";
            return Err(Failure::Request(message.to_owned()));
        }
        Ok(())
    }

    /// Writes the plan to the file of `--out`, and prints the report.
    fn finish(&self, report: &Report, is_first: bool, format: Format) -> Result<CommandOutcome, Failure> {
        if let (Some(found), Some(path)) = (&report.found, &self.out) {
            files::write_newer_file(path, found.text())?;
            files::report_written(path, output::counted(found.len() as u64, "step"));
        }
        match format {
            Format::Json => output::json(&report.data())?,
            Format::Text => report.print(is_first)?,
        }
        Ok(report.answer())
    }

    /// Plans for several problems, one after the other, and reports them in a table.
    fn run_all(&self, words: &CommandWords, format: Format) -> Result<CommandOutcome, Failure> {
        if self.out.is_some() {
            return Err(one_problem("--out"));
        }
        if self.policy.table.is_some() {
            return Err(one_problem("--table"));
        }
        let sets = self.problem.sets(words, ActionMode::Operators)?;
        if sets.iter().any(|set| matches!(set, AnyProblems::Rddl(_))) {
            return self.rddl_table(sets, format);
        }
        let planner = self.planner.map(|planner| match planner {
            AnyPlanner::Plan(_) => Ok(None),
            AnyPlanner::Policy(kind) => Ok(Some(kind)),
            AnyPlanner::Rddl(how) => Err(one_problem(&format!("--planner {how}"))),
            AnyPlanner::All => Err(one_problem("--planner all")),
        });
        let policy = planner.transpose()?.flatten();
        let suites = sets.into_iter().map(|set| set.pddl("plan for several problems"));
        let suites = suites.collect::<Result<Vec<_>, _>>()?;
        if let Some(kind) = policy {
            self.policy_only()?;
            return self.policies(&suites, kind, format);
        }
        let (mut results, mut answer) = (Vec::new(), CommandOutcome::Yes);
        'all: for suite in suites {
            for index in 0..suite.len() {
                let (began, cpu) = (Instant::now(), ProcessTime::now());
                let solved = suite
                    .only(index)
                    .map_err(Failure::from)
                    .and_then(|suite| self.solve(&suite, began, cpu));
                let solved = solved.map_err(|failure| {
                    let problem = suite.full_problem_name(index).unwrap_or_default();
                    anstream::eprintln!("{problem} was not planned for:");
                    failure.print();
                    let error = failure.to_string();
                    Unplanned { problem, error }
                });
                answer = worse(
                    answer,
                    solved.as_ref().map_or(CommandOutcome::Faulty, Report::answer),
                );
                results.push(PlanResult {
                    domain: suite.name().to_owned(),
                    solved,
                });
                if answer == CommandOutcome::Interrupted {
                    break 'all;
                }
            }
        }
        match format {
            Format::Json => output::json(&results.iter().map(PlanResult::data).collect::<Vec<_>>())?,
            Format::Text => output::table(
                &[
                    ("problem", false),
                    ("outcome", false),
                    ("cost", true),
                    ("steps", true),
                    ("expanded", true),
                    ("seconds", true),
                ],
                results.iter().map(PlanResult::row),
            )?,
        }
        Ok(answer)
    }
}

/// Returns the limits that are left after some time.
fn rest(limits: Limits, elapsed: Duration) -> Limits {
    Limits {
        time: limits.time.map(|time| time.saturating_sub(elapsed)),
        ..limits
    }
}

/// Returns the worse of two answers.
const fn worse(one: CommandOutcome, other: CommandOutcome) -> CommandOutcome {
    match (one, other) {
        (CommandOutcome::Interrupted, _) | (_, CommandOutcome::Interrupted) => CommandOutcome::Interrupted,
        (CommandOutcome::Faulty, _) | (_, CommandOutcome::Faulty) => CommandOutcome::Faulty,
        (CommandOutcome::No, _) | (_, CommandOutcome::No) => CommandOutcome::No,
        (CommandOutcome::Yes, CommandOutcome::Yes) => CommandOutcome::Yes,
    }
}

/// Returns a remark to print behind the value of the metric: the terms that the value does not include. Empty if it includes all.
pub fn beside_metric(task: &GroundTask) -> String {
    let metric = task
        .metric
        .map(|(_, root)| task.display_expression(root).to_string())
        .unwrap_or_default();
    match task.goal_reward {
        Some(reward) if reward != 0.0 && metric.contains("(reward)") => {
            format!(", without the goal reward of {reward}")
        }
        _ => String::new(),
    }
}
