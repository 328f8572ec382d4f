//! Agents, which choose a joint action in each state, and their evaluation in episodes.

use herbrand_limits::{Budget, BudgetExhausted, Meter};

use crate::action::Choice;
use crate::batch_system::BatchSystem;
use crate::episode::EpisodeEnd;
use crate::non_finite::{NonFinite, NonFiniteValue};
use crate::random::Random;
use crate::streams::Streams;
use crate::system::{System, Transition};

/// An agent for the problem of a system: a policy, or a planner that plans in every state. [`evaluate()`] runs it.
pub trait Agent<S: System> {
    /// Forgets the states of the previous episode. Called before each episode. By default it does nothing.
    fn begin(&mut self) {}

    /// Returns the joint action to take in a state, or `None` if the agent gives up. [`evaluate()`] calls it once per
    /// step.
    ///
    /// # Errors
    /// Fails if the state belongs to another problem, or if a budget that encloses the call stops a planner.
    fn act(&mut self, state: &S::State) -> Result<Option<Vec<Choice>>, S::Error>;
}

/// The options of [`evaluate()`]. The default has 100 episodes of at most 100 steps and seed 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EvaluateOptions {
    /// The maximum number of steps per episode. With 0, no episode takes a step.
    pub steps: u32,
    /// The number of episodes, at least 1. 0 counts as 1.
    pub episodes: u32,
    /// The seed of all random numbers. Episode `i` has those of an environment with seed `seed + i`, as in a
    /// [rollout](crate::roll_out()), so agents that are evaluated with one seed meet the same luck.
    pub seed: u64,
}

impl Default for EvaluateOptions {
    fn default() -> Self {
        Self {
            steps: 100,
            episodes: 100,
            seed: 0,
        }
    }
}

impl EvaluateOptions {
    /// Repeats steps of an episode of an evaluation with these options: resets the system as episode `number`, and
    /// carries out `joints` with the random numbers of that episode.
    ///
    /// # Errors
    /// Fails if the system refuses a step, as it did in the evaluation.
    pub fn replay<S: System>(
        &self,
        system: &mut S,
        number: u64,
        joints: &[Vec<Choice>],
    ) -> Result<(), S::Error> {
        let mut chance = self.chance(number);
        system.reset(&mut chance)?;
        joints
            .iter()
            .try_for_each(|joint| system.step(joint, &mut chance).map(drop))
    }

    fn chance(&self, number: u64) -> Random {
        Streams::new(self.seed.wrapping_add(number)).outcomes
    }
}

/// The result of running an agent in episodes, returned by [`evaluate()`]. The lists are by episode, in order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Evaluation {
    /// The discounted returns. A refused step adds no reward; an episode with a [failure](Self::failures) has -∞.
    pub returns: Vec<f64>,
    /// The numbers of steps taken, without a refused one.
    pub lengths: Vec<u32>,
    /// Why the episodes ended; `None` if the agent gave up in a state with valid actions, or a step was refused.
    pub ends: Vec<Option<EpisodeEnd>>,
    /// The joint actions of the first episode, without a refused one.
    pub first: Vec<Vec<Choice>>,
    /// The episodes whose return is infinite or NaN; `None` if every return is finite.
    pub non_finite: Option<NonFinite>,
    /// The steps, taken or refused, whose joint action the system does not [offer](BatchSystem::offers), such as by a
    /// violated action precondition; `None` if there are none.
    pub violations: Option<FaultySteps>,
    /// The steps that the system refused although it offers their joint actions, such as those whose rewards cannot be
    /// computed; `None` if there are none. Each ends its episode.
    pub failures: Option<FaultySteps>,
    /// The steps that broke a state invariant, each the last of its episode; `None` if there are none.
    pub broken: Option<FaultySteps>,
}

/// The steps of an [`Evaluation`] with a fault of one kind: how many there are, and how to reach the first.
#[derive(Clone, PartialEq, Debug)]
pub struct FaultySteps {
    /// The number of episodes with such a step.
    pub episodes: u64,
    /// The number of such steps in all episodes.
    pub steps: u64,
    /// The number of the first of these episodes, counted from 0.
    pub episode: u64,
    /// The joint actions of that episode up to the first such step, which is the last of them; empty if the initial state
    /// breaks an invariant. Pass them to [`EvaluateOptions::replay`], perhaps without the last.
    pub joints: Vec<Vec<Choice>>,
}

impl FaultySteps {
    /// Counts a step, the last of `joints`.
    fn count(found: &mut Option<Self>, episode: u64, joints: &[Vec<Choice>], is_first_of_episode: bool) {
        let all = found.get_or_insert_with(|| Self {
            episodes: 0,
            steps: 0,
            episode,
            joints: joints.to_vec(),
        });
        all.episodes += u64::from(is_first_of_episode);
        all.steps += 1;
    }
}

impl Evaluation {
    /// Returns the mean of the returns and the standard error of the mean, which is 0 for a single episode. An infinite
    /// or NaN return makes both meaningless; [`non_finite`](Self::non_finite) tells. With a failure they are -∞ and 0.
    #[must_use]
    pub fn mean_and_error(&self) -> (f64, f64) {
        if self.failures.is_some() {
            return (f64::NEG_INFINITY, 0.0);
        }
        mean_and_error(self.returns.iter().copied())
    }

    /// Returns the mean of the returns of `self` minus those of `other`, and the standard error of this mean. Subtracts
    /// episode by episode, so both evaluations need the same options: then episodes of the same number have the same
    /// random numbers. Surplus episodes of the longer evaluation are left out.
    #[must_use]
    pub fn difference(&self, other: &Self) -> (f64, f64) {
        let pairs = self.returns.iter().zip(&other.returns);
        mean_and_error(pairs.map(|(one, other)| one - other))
    }

    /// Returns the episodes that reached the goal, each with its return and its number of steps.
    pub fn reached(&self) -> impl Iterator<Item = (f64, u32)> + '_ {
        let episodes = self.ends.iter().zip(&self.returns).zip(&self.lengths);
        let reached = episodes.filter(|((end, _), _)| **end == Some(EpisodeEnd::Goal));
        reached.map(|((_, &total), &length)| (total, length))
    }

    /// Returns the mean of a function of the return and the number of steps, over the episodes that reached the goal;
    /// `None` if none did.
    pub fn mean_of_reached(&self, value: impl Fn(f64, u32) -> f64) -> Option<f64> {
        let values: Vec<f64> = self.reached().map(|(total, steps)| value(total, steps)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Returns the share of episodes that reached the goal, and the [confidence interval](share_interval) of the
    /// agent's true probability.
    #[must_use]
    pub fn goal_probability(&self) -> (f64, [f64; 2]) {
        let (reached, count) = (self.reached().count(), self.ends.len());
        (
            reached as f64 / count.max(1) as f64,
            share_interval(reached, count),
        )
    }
}

/// Returns the ends of the confidence interval of 95 % of a probability, where `successes` of `trials` were
/// counted: the score interval (Wilson, "Probable inference, the law of succession, and statistical inference", 1927). It
/// also holds for few trials, and for shares of 0 and 1. Without trials, it is the whole interval from 0 to 1.
///
/// ```
/// use herbrand_core::share_interval;
///
/// let [low, high] = share_interval(0, 3);
/// assert!(low == 0.0 && (0.5614..0.5616).contains(&high));
/// ```
#[must_use]
pub fn share_interval(successes: usize, trials: usize) -> [f64; 2] {
    if trials == 0 {
        return [0.0, 1.0];
    }
    let (z, count) = (1.96_f64, trials as f64);
    let share = successes as f64 / count;
    let spread = (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt() * z;
    let (middle, whole) = (share + z * z / (2.0 * count), 1.0 + z * z / count);
    // At a share of 0 or 1, rounding may leave the end beyond it.
    let low = if successes == 0 {
        0.0
    } else {
        (middle - spread) / whole
    };
    let high = if successes == trials {
        1.0
    } else {
        (middle + spread) / whole
    };
    [low, high]
}

/// Returns the mean of returns and its standard error, which is 0 for a single return. Without returns, the mean is NaN.
pub fn mean_and_error(returns: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = returns.len() as f64;
    let mean = returns.clone().sum::<f64>() / count;
    let squares: f64 = returns.map(|one| (one - mean).powi(2)).sum();
    (mean, (squares / (count - 1.0).max(1.0) / count).sqrt())
}

/// Runs an agent in episodes from the initial state, and returns how they went. An episode ends at the goal, also
/// before a first step; after a step into a terminal state or one with a broken invariant; after the maximum number of
/// steps; when the agent gives up; and at a step that the system refuses. If the time of an
/// [enclosing](Budget::enclose) budget ends after the first episode, only complete episodes are returned. Rewards are
/// discounted by the factor `discount` per step. If `is_fatal` holds for the error of a refused step, the whole evaluation fails with it.
///
/// ```
/// use herbrand_core::balloon::{Balloon, BalloonError};
/// use herbrand_core::{Agent, Choice, EvaluateOptions, FieldValue, evaluate};
///
/// /// Burns the same amount of gas in every step.
/// struct Burning(i64);
///
/// impl Agent<Balloon> for Burning {
///     fn act(&mut self, _: &<Balloon as herbrand_core::System>::State) -> Result<Option<Vec<Choice>>, BalloonError> {
///         Ok(Some(vec![Choice { field: 0, value: FieldValue::Int(self.0) }]))
///     }
/// }
///
/// let options = EvaluateOptions { episodes: 3, ..EvaluateOptions::default() };
/// let idle = evaluate(&mut Balloon::new(0), &mut Burning(0), &options, 1.0, |_| true)?;
/// assert_eq!(idle.returns.len(), 3);
/// # Ok::<(), BalloonError>(())
/// ```
///
/// # Errors
/// Fails like [`Agent::act`] and [`System::reset`], with a fatal error of a step, and if an enclosing budget is spent
/// before the first episode is complete, or cancelled, or if the results exceed its memory limit.
pub fn evaluate<S>(
    system: &mut S,
    agent: &mut (impl Agent<S> + ?Sized),
    options: &EvaluateOptions,
    discount: f64,
    is_fatal: impl Fn(&S::Error) -> bool,
) -> Result<Evaluation, S::Error>
where
    S: BatchSystem<Error: From<BudgetExhausted>>,
{
    let mut evaluation = Evaluation::default();
    let mut meter = Budget::enclosing().meter("evaluating");
    for number in 0..u64::from(options.episodes.max(1)) {
        // If there is no room, the check tells.
        let _ = meter.reserve(&mut evaluation.returns, 1)
            && meter.reserve(&mut evaluation.lengths, 1)
            && meter.reserve(&mut evaluation.ends, 1);
        if is_late(&mut meter, number)? {
            return Ok(evaluation);
        }
        let held = meter.held();
        let mut chance = options.chance(number);
        system.reset(&mut chance)?;
        agent.begin();
        let (mut total, mut weight) = (0.0, 1.0);
        let (mut joints, mut is_violated, mut has_failed) = (Vec::new(), false, false);
        let end = loop {
            let status = system.status();
            if status.goal {
                break Some(EpisodeEnd::Goal);
            }
            if status.terminal {
                break Some(EpisodeEnd::Terminal);
            }
            if status.broken {
                FaultySteps::count(&mut evaluation.broken, number, &joints, true);
                break Some(EpisodeEnd::Invariant);
            }
            if joints.len() >= options.steps as usize {
                break Some(EpisodeEnd::Horizon);
            }
            let acted = agent.act(system.state());
            // Without time, planners do nothing.
            if is_late(&mut meter, number)? {
                return Ok(evaluation);
            }
            let Some(joint) = acted? else {
                break status.dead_end.then_some(EpisodeEnd::DeadEnd);
            };
            let result = system.step(&joint, &mut chance);
            let violates = match &result {
                Ok(_) => system.has_violated(),
                Err(error) if is_fatal(error) => false,
                Err(_) => !system.offers(&joint),
            };
            meter.charge(size_of::<Vec<Choice>>() as u64 + size_of_val(&*joint) as u64);
            joints.push(joint);
            if violates {
                FaultySteps::count(&mut evaluation.violations, number, &joints, !is_violated);
                is_violated = true;
            }
            match result {
                Ok(transition) => {
                    total += weight * transition.reward;
                    weight *= discount;
                }
                Err(error) if is_fatal(&error) => return Err(error),
                Err(_) => {
                    if !violates {
                        has_failed = true;
                        FaultySteps::count(&mut evaluation.failures, number, &joints, true);
                        total = f64::NEG_INFINITY;
                    }
                    joints.pop();
                    break None;
                }
            }
        };
        if !f64::is_finite(total) && !has_failed {
            match &mut evaluation.non_finite {
                Some(non_finite) => non_finite.episodes += 1,
                none => {
                    let first = first_non_finite(system, options, discount, (number, total), &joints);
                    *none = Some(NonFinite { episodes: 1, first });
                }
            }
        }
        evaluation.returns.push(total);
        evaluation.lengths.push(joints.len() as u32);
        evaluation.ends.push(end);
        if number == 0 {
            evaluation.first = joints;
        } else {
            meter.release(meter.held() - held);
        }
    }
    Ok(evaluation)
}

/// Returns whether an enclosing budget has no time left for episode `number`, which is then left out.
fn is_late(meter: &mut Meter, number: u64) -> Result<bool, BudgetExhausted> {
    match meter.check() {
        Err(BudgetExhausted::Time { .. }) if number > 0 => Ok(true),
        checked => checked.map(|()| false),
    }
}

/// Repeats an episode whose return, `total`, is not finite, and finds the first value that is not finite.
fn first_non_finite<S: System>(
    system: &mut S,
    options: &EvaluateOptions,
    discount: f64,
    (episode, total): (u64, f64),
    joints: &[Vec<Choice>],
) -> NonFiniteValue {
    let mut chance = options.chance(episode);
    let started = system.reset(&mut chance);
    let (mut step, mut found) = (0, started.ok().and_then(|()| system.non_finite()));
    let (mut sum, mut weight) = (0.0_f64, 1.0);
    while let (None, Some(joint)) = (&found, joints.get(step)) {
        let Ok(Transition { reward, .. }) = system.step(joint, &mut chance) else {
            break;
        };
        sum += weight * reward;
        weight *= discount;
        let mut sums = [("reward", reward), ("return", sum)].into_iter();
        let mut infinite = || sums.find(|(_, value)| !value.is_finite());
        let named = |(name, value): (&str, f64)| (name.to_owned(), value);
        (step, found) = (step + 1, system.non_finite().or_else(|| infinite().map(named)));
    }
    let (name, value) = found.unwrap_or_else(|| ("return".to_owned(), total));
    NonFiniteValue {
        episode,
        problem: 0,
        step: step as u32,
        name,
        value,
    }
}
