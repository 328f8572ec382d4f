//! `herbrand plan`: a plan for a problem.

mod options;
mod print;
mod rows;
mod search_progress;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use cpu_time::ProcessTime;
use herbrand::env::ActionMode;
use herbrand::limits::{Budget, Limits};
use herbrand::tasks::open::{ProblemWords, WordError};
use herbrand::tasks::plan::{self, PlanAnswer, PlanQuery, Shown};
use herbrand::tasks::{AnyProblems, Run, TaskFailure, TaskProgress};

use crate::failure::Failure;
use crate::files;
use crate::input::{self, FileKind};
use crate::interrupt::Interrupt;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::policy::one_problem;
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;

use options::PlanOptions;
use rows::PlanRow;
use search_progress::SearchProgress;

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
/// The exit status is 1 if it is proven that there is no plan, and 3 if none is found: a limit ends the command, or this
/// planner does not find one; for several problems, it is the highest.
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
  herbrand plan navigation --table --values --format json
  herbrand plan navigation --planner lao --out best.policy
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

    #[command(flatten)]
    options: PlanOptions,

    /// The random seed for ties and random outcomes; 0 breaks ties in the order of the text
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Also write the plan to a file, by anytime each plan as it is found; or the policy, for `validate` and `rollout --policy`
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Plan {
    /// Returns the limits of time and memory for the whole command. Each of several problems has its own time.
    pub fn limits(&self) -> LimitArgs {
        let words = self.problem.words(&self.more);
        if self.all || words.is_ok_and(|words| words.problems.len() > 1) {
            return self.problem.limits.memory.into();
        }
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let began = Instant::now();
        let words = self.problem.words(&self.more)?;
        if self.all || words.problems.len() > 1 {
            return self.run_all(&words, format);
        }
        if let (true, Some(surplus)) = (
            input::is_task(Path::new(&words.domain)),
            words.problems.first().or(words.rest.first()),
        ) {
            return Err(WordError::whole_task(Path::new(&words.domain), surplus).into());
        }
        let problems = self.problem.find_among(&words, ActionMode::Operators)?;
        let problems = self.preconditions.apply(problems)?;
        let mut request = self.options.query.clone();
        if self.options.all {
            return self.compare(&problems, &request, began, format);
        }
        files::check_before(self.out.as_deref())?;
        request.keeps_policy = self.out.is_some();
        let Some(answer) = self.answer(&problems, &request, began)? else {
            return Ok(CommandOutcome::Interrupted);
        };
        self.save(&answer)?;
        print::warn(&answer);
        match format {
            Format::Json => output::json(&answer)?,
            Format::Text => {
                let is_first = words.problems.is_empty() && !FileKind::is_file(&words.domain);
                print::print(&answer, is_first, self.options.query.table.is_some())?;
            }
        }
        Ok(outcome(answer.shown()))
    }

    /// Plans for the only problem of a set whose reading began at `began`; `None` after Ctrl-C.
    fn answer(
        &self,
        problems: &AnyProblems,
        request: &PlanQuery,
        began: Instant,
    ) -> Result<Option<PlanAnswer>, Failure> {
        let read = began.elapsed().as_secs_f64();
        let answer = self.within(began, |run| plan::plan(problems, request, run))?;
        Ok(answer.map(|mut answer| {
            if let PlanAnswer::Plan(report) = &mut answer {
                report.compile_seconds += read;
            }
            answer
        }))
    }

    /// Calls a task with the limits that are left since `began`, and shows its progress; `None` after Ctrl-C without a result.
    fn within<T>(
        &self,
        began: Instant,
        task: impl FnOnce(&mut Run<'_>) -> Result<T, TaskFailure>,
    ) -> Result<Option<T>, Failure> {
        let limits = self.problem.limits();
        let interrupt = Interrupt::watch_termination()?;
        let mut progress = SearchProgress::begin(self.out.as_deref());
        let mut show = |one: TaskProgress<'_>| progress.show(one);
        let mut run = Run {
            limits: Limits {
                time: limits.time.map(|time| time.saturating_sub(began.elapsed())),
                ..limits
            },
            fills_time: self.problem.limits.time().is_some(),
            seed: self.seed,
            cpu: Some(|| ProcessTime::now().as_duration()),
            cpu_time: self.problem.limits.cpu_time(),
            progress: Some(&mut show),
            ..Run::default()
        };
        let budget = Budget::unlimited();
        let done = interrupt.cancelling(&budget, || budget.enclose(|| task(&mut run)));
        progress.end()?;
        match done {
            Err(_) if interrupt.is_pressed() => Ok(None),
            done => Ok(Some(done?)),
        }
    }

    /// Writes the plan, or the policy, to the file of `--out`.
    fn save(&self, answer: &PlanAnswer) -> Result<(), Failure> {
        let Some(path) = &self.out else { return Ok(()) };
        let policy = match answer {
            PlanAnswer::Policy(report) => report.file.as_ref(),
            PlanAnswer::Acting(report) => report.file.as_ref(),
            _ => None,
        };
        if let Some(text) = policy {
            files::write_file(path, text.clone())?;
            files::report_written(path, "a policy".to_owned());
        }
        match answer {
            PlanAnswer::Plan(report) => {
                if let Some(found) = &report.found {
                    files::write_newer_file(path, found.text())?;
                    files::report_written(path, output::counted(found.steps.len() as u64, "step"));
                }
            }
            PlanAnswer::Straight(report) => {
                files::write_file(path, print::plan_text(report))?;
                files::report_written(path, output::counted(report.plan.len() as u64, "step"));
            }
            PlanAnswer::Policy(_) | PlanAnswer::Acting(_) => {}
        }
        Ok(())
    }

    /// Refuses the options that are for one problem.
    fn refuse_for_several(&self) -> Result<(), Failure> {
        let options = [
            ("--out", self.out.is_some()),
            ("--table", self.options.query.table.is_some()),
            ("--planner all", self.options.all),
        ];
        let given = options.iter().find(|(_, given)| *given);
        given.map_or(Ok(()), |(option, _)| Err(one_problem(option)))
    }

    /// Plans for several problems, one after the other, and reports them in a table.
    fn run_all(&self, words: &ProblemWords, format: Format) -> Result<CommandOutcome, Failure> {
        self.refuse_for_several()?;
        let (mut rows, mut worst) = (Vec::new(), CommandOutcome::Yes);
        'all: for set in self.problem.sets(words, ActionMode::Operators)? {
            for index in 0..set.len() {
                let began = Instant::now();
                let one = set.only(index).map_err(Failure::from);
                let one = one.and_then(|one| self.preconditions.apply(one));
                let problem = set.full_problem_name(index);
                let answer = one.and_then(|one| {
                    let plan = || self.answer(&one, &self.options.query, began);
                    self.problem.limits.within_cpu_time(plan)
                });
                let row = match answer {
                    Ok(None) => {
                        worst = CommandOutcome::Interrupted;
                        break 'all;
                    }
                    Ok(Some(answer)) => {
                        worst = worst.max(outcome(answer.shown()));
                        PlanRow::new(set.name(), None, Ok(answer))
                    }
                    Err(failure) => {
                        if format == Format::Text {
                            anstream::eprintln!("{problem} was not planned for:");
                            failure.print();
                        }
                        worst = worst.max(failure.outcome());
                        PlanRow::new(set.name(), None, Err((problem, failure.to_string())))
                    }
                };
                rows.push(row);
                if worst == CommandOutcome::Interrupted {
                    break 'all;
                }
            }
        }
        rows::print(&rows, format)?;
        Ok(worst)
    }

    /// Lets every planner plan, and reports them in a table.
    fn compare(
        &self,
        problems: &AnyProblems,
        request: &PlanQuery,
        began: Instant,
        format: Format,
    ) -> Result<CommandOutcome, Failure> {
        if self.out.is_some() {
            return Err(Failure::Request("--out needs one planner".to_owned()));
        }
        let results = self.within(began, |run| plan::compare(problems, request, run))?;
        let (mut rows, mut best) = (Vec::new(), CommandOutcome::Unanswered);
        for result in results.unwrap_or_default() {
            let planner = result.planner.name();
            rows.push(match result.answer {
                Ok(answer) => {
                    best = better(best, outcome(answer.shown()));
                    PlanRow::new(problems.name(), Some(planner), Ok(answer))
                }
                Err(failure) => {
                    let error = failure.to_string();
                    if format == Format::Text {
                        anstream::eprintln!("{planner}: {error}");
                    }
                    PlanRow::new(
                        problems.name(),
                        Some(planner),
                        Err((problems.full_problem_name(0), error)),
                    )
                }
            });
        }
        rows::print(&rows, format)?;
        Ok(best)
    }
}

/// Returns the outcome of the command.
const fn outcome(shown: Shown) -> CommandOutcome {
    match shown {
        Shown::Found => CommandOutcome::Yes,
        Shown::None | Shown::Failed => CommandOutcome::No,
        Shown::Neither => CommandOutcome::Unanswered,
        Shown::Cancelled => CommandOutcome::Interrupted,
    }
}

/// Returns the better of two outcomes of planners; an interruption takes precedence.
fn better(one: CommandOutcome, other: CommandOutcome) -> CommandOutcome {
    match other {
        CommandOutcome::Interrupted => other,
        _ => one.min(other),
    }
}
