//! A policy, rolled out and measured.

mod follow;
#[cfg(feature = "png")]
mod observed;
mod recorded;
mod stops;

pub use follow::{follow_plans, follow_policy};
#[cfg(feature = "png")]
pub use observed::rollout_observed;
pub use recorded::rollout_recorded;
pub use stops::stop_of_plan;

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use herbrand_core::{
    ActionCount, ActionField, Choice, Described as _, EndCounts, FieldDomain, Problems as _, Rollout,
    RolloutOptions, RolloutPolicy, roll_out, watch_roll_out,
};
use herbrand_env::{EngineKind, rollout_until};
use herbrand_rddl_sim::simulate::{Preconditions, StepError};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_text::Source;
use serde::{Deserialize, Deserializer, Serialize};

use crate::failure::TaskFailure;
use crate::numbers::{NonFiniteReturns, counted, non_finite_as_text};
use crate::options::{OptionSpec, OptionValues, any_text, at_least};
use crate::problems::AnyProblems;
use crate::run::Run;
use crate::task_query::TaskQuery;

/// The policy and the length of a rollout. The default is 100 episodes of random valid actions.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct RolloutQuery {
    /// The policy.
    #[serde(deserialize_with = "policy")]
    pub policy: RolloutPolicy,
    /// The text of a policy file, in place of a policy; empty for none. Only the task itself reads it: fronts call
    /// [`follow_policy`].
    pub policy_text: String,
    /// The engine; only problems in PDDL have several.
    #[serde(skip)]
    pub engine: EngineKind,
    /// The number of episodes, which go over the problems in turn; by default 100, or one for each problem with plans in PDDL.
    pub episodes: Option<u64>,
    /// The maximum number of steps of an episode; by default the horizon of the problems, or 100.
    pub steps: Option<u32>,
    /// The number of threads.
    pub threads: usize,
    /// How long to roll out, in place of a number of episodes.
    #[serde(skip)]
    pub duration: Option<Duration>,
    /// Whether episodes go on after the goal.
    pub through_goals: bool,
    /// Whether a return that is infinite or NaN is an error.
    #[serde(rename = "finite")]
    pub require_finite: bool,
    /// Whether the means cover episodes that a broken state invariant ended.
    pub count_broken: bool,
}

impl Default for RolloutQuery {
    fn default() -> Self {
        Self {
            policy: RolloutPolicy::Random,
            policy_text: String::new(),
            engine: EngineKind::Automatic,
            episodes: None,
            steps: None,
            threads: 1,
            duration: None,
            through_goals: false,
            require_finite: false,
            count_broken: false,
        }
    }
}

impl TaskQuery for RolloutQuery {
    const NAME: &'static str = "rollout";
    const ABOUT: &'static str = "Roll out a policy, and measure its returns and how its episodes end.";
    const OPTIONS: &'static [OptionSpec] = &[
        OptionSpec::new(
            "policy",
            OptionValues::Words(
                "POLICY",
                &[
                    ("random", "a uniformly random valid action"),
                    ("first", "the first valid action"),
                    ("nothing", "in RDDL, no action"),
                ],
            ),
            "The policy [default: random]",
        ),
        OptionSpec::new(
            "policy-text",
            OptionValues::Text("TEXT", any_text),
            "A policy that `plan` wrote to a file, in place of --policy; an episode ends where it has no valid action",
        ),
        OptionSpec::new(
            "episodes",
            at_least("N", 1),
            "The number of episodes [default: 100]",
        ),
        OptionSpec::new(
            "steps",
            at_least("N", 1),
            "Maximum number of steps per episode [default: the declared horizon, or 100]",
        ),
        OptionSpec::new("threads", at_least("N", 1), "The number of threads [default: 1]"),
        OptionSpec::new("through-goals", OptionValues::Flag, "Continue past goals"),
        OptionSpec::new(
            "finite",
            OptionValues::Flag,
            "Fail at the first episode whose return is infinite or NaN",
        ),
        OptionSpec::new(
            "count-broken",
            OptionValues::Flag,
            "Include episodes that a broken state invariant ended in the means of the returns",
        ),
    ];
    type Answer = RolloutReport;

    fn answer(&self, problems: &AnyProblems, run: &mut Run<'_>) -> Result<RolloutReport, TaskFailure> {
        if self.policy_text.is_empty() {
            return rollout(problems, self, run);
        }
        let text = Source::new("policy-text", &self.policy_text);
        let policy = follow_policy(problems, &text, self.engine)?;
        rollout(
            problems,
            &Self {
                policy,
                ..self.clone()
            },
            run,
        )
    }
}

/// Reads a policy by its name.
fn policy<'de, D: Deserializer<'de>>(read: D) -> Result<RolloutPolicy, D::Error> {
    Ok(match String::deserialize(read)?.as_str() {
        "first" => RolloutPolicy::First,
        "nothing" => RolloutPolicy::Nothing,
        _ => RolloutPolicy::Random,
    })
}

impl RolloutQuery {
    /// Returns the options for a set of problems.
    #[must_use]
    pub fn options(&self, problems: &AnyProblems, seed: u64) -> RolloutOptions {
        let is_rddl = matches!(problems, AnyProblems::Rddl(_));
        let (episodes, steps) = match self.policy {
            RolloutPolicy::Plans(_) if is_rddl => (100, u32::MAX),
            RolloutPolicy::Plans(_) => (problems.len() as u64, u32::MAX),
            _ => (100, problems.longest()),
        };
        RolloutOptions {
            episodes: self.episodes.unwrap_or(episodes),
            steps: self.steps.unwrap_or(steps),
            within_horizons: self.steps.is_none() && is_rddl,
            seed,
            threads: self.threads.clamp(1, 1024),
            duration: self.duration,
            through_goals: self.through_goals,
            require_finite: self.require_finite,
            count_broken: self.count_broken,
        }
    }
}

/// The measurements of a rollout. Serialises as `herbrand rollout --format json` prints a row.
#[derive(Clone, Debug, Serialize)]
pub struct RolloutReport {
    /// The name of the set of problems.
    pub domain: String,
    /// The name of the problem if it is the only one.
    pub problem: Option<String>,
    /// The number of problems.
    pub problems: usize,
    /// The number of episodes.
    pub episodes: u64,
    /// The number of steps.
    pub steps: u64,
    /// The seconds, without those of compiling.
    pub seconds: f64,
    /// The steps per second.
    pub steps_per_s: f64,
    /// The mean number of valid joint actions; `None` if it is infinite or too large to count.
    pub mean_valid_actions: Option<f64>,
    /// The mean number of valid joint actions.
    #[serde(skip)]
    pub valid_actions: ActionCount,
    /// Whether an action takes a real number.
    #[serde(skip)]
    pub has_reals: bool,
    /// The steps that reached the goal; `None` if the problems have no goals.
    pub goals: Option<u64>,
    /// The episodes that ended in a state without a valid action.
    pub dead_ends: u64,
    /// The steps that violated an action precondition, in RDDL.
    pub violating_steps: Option<u64>,
    /// The steps among them that took no action instead; `None` if such steps are not replaced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replaced_steps: Option<u64>,
    /// The effect of a violated action precondition.
    #[serde(skip)]
    pub effect: Preconditions,
    /// The number of episodes by the reason of their end.
    #[serde(with = "Ends")]
    pub ends: EndCounts,
    /// The episodes that the means cover.
    pub counted: u64,
    /// Whether random actions are exactly uniform over the valid ones; `None` for another policy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform: Option<bool>,
    /// Whether the means cover episodes that a broken state invariant ended.
    #[serde(skip)]
    pub counts_broken: bool,
    /// The mean return.
    #[serde(serialize_with = "non_finite_as_text")]
    pub mean_return: f64,
    /// The standard deviation of the returns.
    #[serde(serialize_with = "non_finite_as_text")]
    pub return_deviation: f64,
    /// The mean discounted return.
    #[serde(serialize_with = "non_finite_as_text")]
    pub mean_discounted_return: f64,
    /// The episodes whose return is infinite or NaN; `None` if every return is finite.
    pub non_finite: Option<NonFiniteReturns>,
    /// Whether the domain declares rewards; if not, entering the goal pays 1.
    pub rewards: bool,
    /// A digest of all episodes.
    pub digest: String,
    /// A sentence about the first episode with a step that cannot be computed. The report covers the episodes before it.
    #[serde(skip)]
    pub failure: Option<String>,
}

/// The number of episodes by the reason of their end, as JSON shows it.
#[derive(Serialize)]
#[serde(remote = "EndCounts")]
struct Ends {
    goal: u64,
    terminal: u64,
    dead_end: u64,
    invariant: u64,
    horizon: u64,
    stopped: u64,
}

/// Rolls out a policy on a set of problems. The result depends on the seed, but not on the number of threads or the engine.
///
/// ```
/// use herbrand_env::Registry;
/// use herbrand_tasks::rollout::{RolloutQuery, rollout};
/// use herbrand_tasks::{AnyProblems, Run};
///
/// let problems = AnyProblems::Pddl(Registry::get("blocks")?);
/// let report = rollout(&problems, &RolloutQuery::default(), &Run::default())?;
/// assert_eq!(report.episodes, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Fails if a problem is faulty or too large, the engine does not go with the language, or the first episode has a step that
/// cannot be computed.
pub fn rollout(
    problems: &AnyProblems,
    query: &RolloutQuery,
    run: &Run<'_>,
) -> Result<RolloutReport, TaskFailure> {
    let (result, failure) = match (roll_out_any(problems, query, run), problems) {
        (Ok(result), _) => (result, None),
        (Err(TaskFailure::Any(error)), AnyProblems::Rddl(suite)) if error.is_undefined() => {
            before_fault(suite, &query.policy, &query.options(problems, run.seed))?
        }
        (Err(failure), _) => return Err(failure),
    };
    let report = RolloutReport::of(problems, query, &result)?;
    Ok(RolloutReport { failure, ..report })
}

/// Rolls out a policy like [`rollout`], and returns the bare measurements.
///
/// # Errors
/// Fails like [`rollout`], also at a step that cannot be computed in a later episode.
pub fn roll_out_any(
    problems: &AnyProblems,
    query: &RolloutQuery,
    run: &Run<'_>,
) -> Result<Rollout, TaskFailure> {
    let (policy, options) = (&query.policy, query.options(problems, run.seed));
    if *policy == RolloutPolicy::Nothing && !matches!(problems, AnyProblems::Rddl(_)) {
        return Err(TaskFailure::option(
            "policy nothing",
            "supports only RDDL: in PDDL, a step takes an action",
        ));
    }
    let never = AtomicBool::new(false);
    let (progress, stop) = (run.episodes.unwrap_or(&|_| ()), run.stop.unwrap_or(&never));
    problems.takes_engine(query.engine)?;
    Ok(match problems {
        AnyProblems::Pddl(suite) => rollout_until(policy, suite, query.engine, &options, progress, stop)?,
        AnyProblems::Rddl(suite) => roll_out(suite, policy, &options, progress, stop)?,
        AnyProblems::World(worlds) => roll_out(worlds, policy, &options, progress, stop)?,
    })
}

/// Finds the first episode with a step that cannot be computed, by rolling out again on one thread. Returns the episodes before
/// it, and a sentence about the episode, its step, its joint action and the reason.
fn before_fault(
    suite: &RddlSuite,
    policy: &RolloutPolicy,
    options: &RolloutOptions,
) -> Result<(Rollout, Option<String>), TaskFailure> {
    let options = RolloutOptions {
        episodes: u64::MAX,
        duration: None,
        require_finite: false,
        ..*options
    };
    let never = AtomicBool::new(false);
    let (mut last, mut taken) = (None, Vec::new());
    let watch = |episode: u64, _: &_, _: Option<f64>, joint: Option<&[Choice]>| {
        last = match last {
            Some((same, step)) if same == episode => Some((episode, step + 1)),
            _ => Some((episode, 1_u32)),
        };
        joint.unwrap_or_default().clone_into(&mut taken);
    };
    let failed = watch_roll_out(suite, policy, &options, &never, watch);
    let (error, episode, step) = match (failed, last) {
        (Err(error @ RddlError::Step(StepError::Value { .. })), Some((episode, step))) => {
            (error, episode, step)
        }
        (failed, _) => return Ok((failed?, None)),
    };
    let problem = (episode % suite.len() as u64) as usize;
    let system = suite.system(problem)?;
    let words: Vec<_> = taken.iter().map(|&choice| system.choice_text(choice)).collect();
    let before = if episode == 0 {
        String::new()
    } else {
        format!("; the table shows the {} before it", counted(episode, "episode"))
    };
    let message = format!(
        "episode {} (problem {}) fails at step {step}, joint action ({}): {error}{before}",
        episode + 1,
        suite.problem_name(problem).unwrap_or_default(),
        words.join(", "),
    );
    if episode == 0 {
        return Err(TaskFailure::Episode(message));
    }
    let finished = RolloutOptions {
        episodes: episode,
        ..options
    };
    let finished = watch_roll_out(suite, policy, &finished, &never, |_, _, _, _| {})?;
    Ok((finished, Some(message)))
}

/// Whether a domain declares rewards.
fn declares_rewards(problems: &AnyProblems) -> bool {
    match problems {
        AnyProblems::Pddl(suite) => {
            let mut flags = suite.domain().requirements.iter();
            flags.any(|flag| matches!(flag.keyword(), ":rewards" | ":mdp"))
        }
        AnyProblems::Rddl(_) | AnyProblems::World(_) => true,
    }
}

/// Whether an action of the first problem takes a real number.
fn has_reals(problems: &AnyProblems) -> bool {
    let AnyProblems::Rddl(suite) = problems else {
        return false;
    };
    let is_real = |field: &ActionField| matches!(field.domain, FieldDomain::Real { .. });
    suite
        .compiled(0)
        .is_ok_and(|compiled| compiled.actions().fields().iter().any(is_real))
}

impl RolloutReport {
    /// Describes the measurements of a rollout of problems.
    ///
    /// # Errors
    /// Fails if a problem cannot be compiled.
    pub fn of(problems: &AnyProblems, query: &RolloutQuery, result: &Rollout) -> Result<Self, TaskFailure> {
        let is_random = query.policy == RolloutPolicy::Random;
        let uniform = is_random.then(|| problems.samples_exactly());
        let is_rddl = matches!(problems, AnyProblems::Rddl(_));
        let effect = match problems {
            AnyProblems::Rddl(suite) => suite.preconditions(),
            AnyProblems::Pddl(_) | AnyProblems::World(_) => Preconditions::default(),
        };
        Ok(Self {
            domain: problems.name().to_owned(),
            problem: (result.problems == 1).then(|| problems.problem_name(0)),
            problems: result.problems,
            episodes: result.episodes,
            steps: result.steps,
            seconds: result.seconds,
            steps_per_s: result.steps_per_second(),
            mean_valid_actions: result.mean_valid_actions.finite(),
            valid_actions: result.mean_valid_actions,
            has_reals: has_reals(problems),
            goals: (!is_rddl).then_some(result.goals),
            dead_ends: result.dead_ends,
            violating_steps: is_rddl.then_some(result.violating_steps),
            replaced_steps: (effect == Preconditions::Replaced).then_some(result.violating_steps),
            effect,
            ends: result.ends,
            counted: result.counted,
            uniform: uniform.transpose()?,
            counts_broken: query.count_broken,
            mean_return: result.mean_return,
            return_deviation: result.return_deviation,
            mean_discounted_return: result.mean_discounted_return,
            non_finite: (result.non_finite.as_ref())
                .map(|some| NonFiniteReturns::of(problems.problem_name(some.first.problem), some)),
            rewards: declares_rewards(problems),
            digest: format!("{:016x}", result.digest),
            failure: None,
        })
    }
}
