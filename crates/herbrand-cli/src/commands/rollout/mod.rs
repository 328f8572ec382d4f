//! `herbrand rollout`: a policy, measured.

mod measure;
#[cfg_attr(not(feature = "png"), path = "no_pixels.rs")]
mod pixels;
mod table;

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use clap::Args;
use herbrand::core::Policy;
use herbrand::env::plan::Plan;
use herbrand::env::{self, ActionMode, Registry, RolloutOptions, Split, Suite};
use serde::Serialize;

use crate::Answer;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::input;
use crate::interrupt::Interrupt;
use crate::limits;
use crate::output::{self, Format};
use crate::problems::Problems;
use crate::progress::Progress;

use measure::longest;
pub use measure::{Measure, only_engine};
use table::Row;

/// Roll out a policy and measure it
///
/// The random policy is uniform over the valid actions; in RDDL it draws how many action fluents are set, which, and to what.
/// Episodes go over a domain's problems in turn and end at the goal, in a dead end or terminal state, or after --steps
/// steps. Of problems in RDDL the return is reported: its mean, its spread, and the mean of discounted returns. Parsing, grounding and compiling are not in the time. One seed gives one
/// result, on any number of threads and by any engine. Ctrl-C ends a rollout early: what was measured until then is
/// printed, and the exit status is 130.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand rollout                                  every bundled domain
  herbrand rollout sokoban hanoi --split test       the test problems of two domains
  herbrand rollout ./my-domain --seconds 2          a folder, for two seconds
  herbrand rollout sokoban --problem 03 --steps 1000 --through-goals
  herbrand rollout --domain domain.pddl --problem p01.pddl p02.pddl
  herbrand rollout blocks --policy plan             the plans that come with a bundled domain
  herbrand rollout blocks --problem 01 --plan my.plan --record walk.jsonl
  herbrand rollout rddl/sysadmin-mdp --episodes 1000   an environment in RDDL; `rddl` means all of them
  herbrand rollout --domain domain.rddl --problem instance1.rddl --seconds 2
  herbrand rollout blocks --observe bits-and-goal   what observations cost
  herbrand rollout --format json --seed 7 --threads 2")]
pub struct Rollout {
    /// Bundled domains or folders (all bundled domains in PDDL when left out); with --domain more problem files
    #[arg(value_name = "DOMAIN")]
    domains: Vec<String>,

    /// All bundled domains in PDDL
    #[arg(long, conflicts_with_all = ["domains", "domain_file"])]
    all: bool,

    /// A domain file, with --problem for its problem files
    #[arg(long = "domain", value_name = "FILE", requires = "problems")]
    domain_file: Option<PathBuf>,

    /// One problem, by name (03, test/03) or by its place from 1; with --domain a problem file, any number of times
    #[arg(long = "problem", value_name = "NAME|PLACE|FILE")]
    problems: Vec<String>,

    /// Only this part of the problems
    #[arg(long, value_name = "train|test", conflicts_with = "domain_file")]
    split: Option<Split>,

    /// How actions are chosen (by the plan if --plan names one)
    #[arg(long, value_name = "POLICY", value_enum)]
    policy: Option<PolicyName>,

    /// A plan to follow, to its end or to the first step that is not valid; operators or agent actions, one a line
    #[arg(long, value_name = "FILE")]
    plan: Option<PathBuf>,

    /// Record all episodes of one problem as a trace, for `herbrand replay`
    #[arg(long, value_name = "FILE", conflicts_with = "threads")]
    record: Option<PathBuf>,

    /// Episodes for each domain [default: 100, or one for each plan]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    episodes: Option<u64>,

    /// Seconds for each domain, instead of a number of episodes
    #[arg(long, value_name = "S", conflicts_with = "episodes", value_parser = seconds)]
    seconds: Option<Duration>,

    /// The longest an episode may be [default: 10, or the length of the plan; in RDDL the horizon of each instance]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    steps: Option<u32>,

    /// The seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// How many threads share the episodes
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = threads)]
    threads: usize,

    /// Walk on past goals
    #[arg(long)]
    through_goals: bool,

    /// What steps the problems: the valid actions and draws are the same
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,

    /// Take the operators as the actions, whatever the domain declares
    #[arg(long)]
    operators: bool,

    /// Observe every state, and say what that costs: bits, bits-and-goal, atoms-one-hot-by-object and so on, fluents or bits in RDDL, pixels in both
    ///
    /// The rollout is done twice, without and with observations, on one thread.
    #[arg(long, value_name = "MODE", conflicts_with_all = ["threads", "record", "digests"])]
    observe: Option<String>,

    /// Print nothing but a digest of all episodes for each domain
    #[arg(long, conflicts_with = "seconds")]
    digests: bool,
}

/// How actions are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum PolicyName {
    /// Uniformly among the valid actions.
    Random,
    /// The first valid action, in order of declaration, then of objects.
    First,
    /// A plan: that of --plan, or the one that comes with each problem of a bundled domain.
    Plan,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().map_err(|error| error.to_string())?;
    Duration::try_from_secs_f64(seconds)
        .ok()
        .filter(|duration| !duration.is_zero())
        .ok_or_else(|| "not a positive number of seconds".to_owned())
}

fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=1024) => Ok(threads),
        Ok(_) => Err("not a number from 1 to 1024".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The report, as JSON shows it.
#[derive(Serialize)]
struct Report {
    seed: u64,
    policy: PolicyName,
    threads: usize,
    /// Whether Ctrl-C ended the rollout before its time.
    interrupted: bool,
    rows: Vec<Row>,
}

impl Rollout {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let suites = self.suites()?;
        let policies = suites.iter().map(|suite| self.policy(suite, suites.len()));
        let policies = policies.collect::<Result<Vec<_>, _>>()?;
        let options = suites.iter().map(|suite| self.options(suite)).collect::<Vec<_>>();
        let interrupt = self.record.is_none().then(Interrupt::watch).transpose()?;
        let pressed = || interrupt.is_some_and(Interrupt::is_pressed);
        let stop = interrupt.map_or(&NEVER, Interrupt::flag);
        let mut progress = self.progress(&options);
        let mut rows = Vec::with_capacity(suites.len());
        for (index, ((suite, policy), options)) in suites.iter().zip(&policies).zip(&options).enumerate() {
            if pressed() {
                break;
            }
            progress.begin(suite.name(), index, suites.len());
            let measure = Measure {
                engine: self.engine.into(),
                options,
                policy,
                stop,
            };
            let result = match &self.record {
                Some(path) if suites.len() == 1 => measure.recorded(suite, path)?,
                Some(_) => return Err(one_problem("--record")),
                None => measure.plain(suite, &|episodes| progress.advance(episodes))?,
            };
            let observe = self.observe.as_ref();
            let observed = observe.map(|mode| measure.observed(suite, mode, &result));
            if result.episodes > 0 {
                rows.push(Row::of(suite, &result, observed.transpose()?));
            }
        }
        progress.finish();
        match format {
            _ if self.digests => table::print_digests(&rows)?,
            Format::Json => output::json(&Report {
                seed: self.seed,
                policy: self.policy_name(),
                threads: self.threads,
                interrupted: pressed(),
                rows,
            })?,
            Format::Text => table::print(&rows)?,
        }
        Ok(interrupt.map_or(Answer::Yes, Interrupt::answer))
    }

    fn policy_name(&self) -> PolicyName {
        match self.plan {
            Some(_) => PolicyName::Plan,
            None => self.policy.unwrap_or(PolicyName::Random),
        }
    }

    /// The policy for one of `count` sets of problems.
    fn policy(&self, problems: &Problems, count: usize) -> Result<Policy, Failure> {
        if self.plan.is_some() && self.policy.is_some_and(|policy| policy != PolicyName::Plan) {
            let message = "--plan goes with --policy plan, or with no --policy";
            return Err(Failure::Request(message.to_owned()));
        }
        match self.policy_name() {
            PolicyName::Random => Ok(Policy::Random),
            PolicyName::First => Ok(Policy::First),
            PolicyName::Plan => self.plans(&problems.clone().pddl("--policy plan")?, count),
        }
    }

    /// The policy that follows plans.
    fn plans(&self, suite: &Suite, count: usize) -> Result<Policy, Failure> {
        let plans = match &self.plan {
            Some(path) if (count, suite.len()) == (1, 1) => vec![input::read_plan(path)?],
            Some(_) => return Err(one_problem("--plan")),
            None => stored_plans(suite)?,
        };
        Ok(env::plan_policy(suite, self.engine.into(), &plans)?)
    }

    fn options(&self, problems: &Problems) -> RolloutOptions {
        let (episodes, steps) = match self.policy_name() {
            PolicyName::Plan => (problems.len() as u64, u32::MAX),
            PolicyName::Random | PolicyName::First => (100, longest(problems)),
        };
        RolloutOptions {
            episodes: self.episodes.unwrap_or(episodes),
            steps: self.steps.unwrap_or(steps),
            within_horizons: self.steps.is_none() && matches!(problems, Problems::Rddl(_)),
            seed: self.seed,
            threads: self.threads,
            duration: self.seconds,
            through_goals: self.through_goals,
        }
    }

    fn problem_files(&self) -> Vec<PathBuf> {
        let problems = self.problems.iter().chain(&self.domains).map(PathBuf::from);
        problems.collect()
    }

    fn suites(&self) -> Result<Vec<Problems>, Failure> {
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        if let Some(domain) = &self.domain_file {
            return Ok(vec![Problems::of_files(
                domain,
                &self.problem_files(),
                mode,
                limits::defaults(),
            )?]);
        }
        let names = if self.domains.is_empty() {
            Registry::names()?
        } else {
            self.domains.clone()
        };
        let mut suites = Vec::new();
        for name in &names {
            for problems in Problems::named(name, mode, limits::defaults())? {
                suites.push(self.chosen(problems)?);
            }
        }
        Ok(suites)
    }

    /// The problems of a set that were asked for.
    fn chosen(&self, problems: Problems) -> Result<Problems, Failure> {
        let problems = match self.split {
            Some(split) => problems.split(split)?,
            None => problems,
        };
        match self.problems.as_slice() {
            [] => Ok(problems),
            [problem] => problems.problem(problem),
            _ => {
                let message = "--problem names one problem; several go with --domain FILE";
                Err(Failure::Request(message.to_owned()))
            }
        }
    }

    fn progress(&self, options: &[RolloutOptions]) -> Progress {
        match self.seconds {
            Some(seconds) => Progress::of_time(seconds, options.len()),
            None => Progress::of_episodes(options.iter().map(|options| options.episodes).sum()),
        }
    }
}

/// What stops a rollout that is not to be stopped.
static NEVER: AtomicBool = AtomicBool::new(false);

fn one_problem(flag: &str) -> Failure {
    Failure::Request(format!("{flag} goes with one problem: name it by --problem"))
}

/// The plans that come with the problems of `suite`, if it is bundled.
fn stored_plans(suite: &Suite) -> Result<Vec<Plan>, Failure> {
    let stored = (0..suite.len()).map(|index| {
        let problem = suite.full_problem_name(index).unwrap_or_default();
        input::stored_plan(suite.name(), &problem)
    });
    stored.collect()
}
