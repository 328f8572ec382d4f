//! The environment: runs episodes over a set of problems.

use std::sync::Arc;

use crate::action::{Choice, Joint, JointAction};
use crate::batch_system::{BatchSystem, Job};
use crate::episode::{DeadEnd, Episode, EpisodeRules, InvalidAction, Step};
use crate::error::EpisodeFault;
use crate::idle::IdleSystems;
use crate::observe::{Memory, Observer, Unobserved, Written};
use crate::problems::Problems;
use crate::random::uniform_below;
use crate::snapshot::Snapshot;
use crate::streams::Streams;
use crate::system::{Status, System, Transition};

/// The options of an environment. The default takes the horizons of the problems, ends episodes at goals and dead
/// ends, and refuses invalid actions. Pass them to [`Env::new`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EnvOptions {
    /// The number of steps after which an episode is truncated.
    pub horizon: EpisodeHorizon,
    /// Whether an episode continues after reaching the goal. If `false`, the goal terminates it.
    pub through_goals: bool,
    /// Whether an episode ends in a state without a valid action. Such a state is reported either way.
    pub dead_end: DeadEnd,
    /// How to treat an invalid action.
    pub invalid: InvalidAction,
}

impl EnvOptions {
    /// Returns the rules of episodes of a problem that declares this horizon.
    pub(crate) const fn rules(&self, declared: Option<u32>) -> EpisodeRules {
        EpisodeRules {
            horizon: match self.horizon {
                EpisodeHorizon::Declared => declared,
                EpisodeHorizon::Steps(steps) => Some(steps),
                EpisodeHorizon::Never => None,
            },
            goal_ends: !self.through_goals,
            dead_end: self.dead_end,
            invalid: self.invalid,
        }
    }
}

/// The number of steps after which an episode is truncated. Later steps fail until the next reset. Steps whose action
/// was not carried out count too. The step that reaches it is [`truncated`](Step::truncated), unless the problem ends
/// the episode in the same step.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EpisodeHorizon {
    /// The default: the horizon of the problem ([`Problems::horizon`]), or never if it declares none. A declared 0 acts
    /// like 1.
    #[default]
    Declared,
    /// A fixed number of steps. 0 acts like 1: the first step is still taken.
    Steps(u32),
    /// Never.
    Never,
}

/// How a reset chooses the problem. [`Env::reset_to`] takes one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProblemChoice {
    /// The default: draws uniformly from all problems. Takes a draw even if there is only one problem. Of more than
    /// 2^32 - 1 problems, only the first 2^32 - 1 are drawn.
    #[default]
    Uniform,
    /// Takes the problem at this index, counted from 0, without a draw. The reset fails if there is none.
    Index(usize),
}

/// How an environment of a batch starts an episode: with its seed, if any, and the choice of its problem, as
/// [`Env::reset_to`] takes them. [`VecEnv::reset_each`](crate::VecEnv::reset_each) takes one per environment. The default
/// continues the random streams and draws the problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EpisodeStart {
    /// The seed from which the random streams start again; `None` if they continue.
    pub seed: Option<u64>,
    /// The choice of the problem.
    pub problem: ProblemChoice,
}

/// The result of a reset: the problem of the new episode, and the status of its initial state. [`Env::reset`] and
/// [`Env::reset_to`] return it. The episode is running even if the goal already holds, the state is terminal or breaks
/// an invariant, or is a dead end; its first step ends it then, changes nothing and has reward 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reset {
    /// The index of the problem in [`Env::problems`].
    pub problem: usize,
    /// The status of the initial state.
    pub status: Status,
}

/// An environment: runs episodes over a set of problems and writes observations by an observer.
///
/// A seed determines everything: the problems, the outcomes, the observations and the actions that [`sample`](Self::sample)
/// draws, each from its own random stream. The seed is 0 until a reset sets another one, so an environment without a seed is
/// deterministic as well.
///
/// ```
/// use herbrand_core::balloon::BalloonProblems;
/// use herbrand_core::{Env, EnvOptions, EpisodeHorizon};
///
/// let options = EnvOptions { horizon: EpisodeHorizon::Steps(5), ..EnvOptions::default() };
/// let mut env = Env::new(BalloonProblems::new(2), options)?;
/// let mut heights = Vec::new();
/// for _ in 0..2 {
///     env.reset(Some(3))?;
///     while let Some(joint) = env.sample()? {
///         if env.step(&*joint)?.ended() {
///             break;
///         }
///     }
///     heights.push(env.state()?.height);
/// }
/// assert_eq!(heights[0], heights[1]);
/// # Ok::<(), herbrand_core::balloon::BalloonError>(())
/// ```
#[derive(Debug)]
// The fields that every step reads come first, to share cache lines.
#[repr(C)]
pub struct Env<P: Problems, O: Observer<P> = Unobserved> {
    observer: O,
    streams: Streams,
    current: Option<Current<P::System>>,
    memory: Memory,
    sampled: Vec<Choice>,
    last: Last,
    /// Whether `last` led to the current state.
    stepped: bool,
    options: EnvOptions,
    problems: P,
    idle: Arc<IdleSystems<P>>,
}

impl<P, O> Clone for Env<P, O>
where
    P: Problems<System: Clone>,
    O: Observer<P>,
{
    fn clone(&self) -> Self {
        Self {
            problems: self.problems.clone(),
            observer: self.observer.clone(),
            options: self.options,
            streams: self.streams.clone(),
            memory: self.memory.clone(),
            idle: Arc::clone(&self.idle),
            current: self.current.clone(),
            sampled: self.sampled.clone(),
            last: self.last.clone(),
            stepped: self.stepped,
        }
    }
}

/// The current problem and its episode.
#[derive(Clone, Debug)]
#[repr(C)]
struct Current<S> {
    problem: usize,
    episode: Episode<S>,
}

/// The last step of an environment, with its action ([`Env::last`]). It is kept until the next step that does not
/// fail, or until a reset, [`Env::set_state`] or [`Env::restore`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Last {
    /// The joint action of the step, as passed by the caller.
    pub joint: Vec<Choice>,
    /// The result of the step.
    pub step: Step,
    /// Whether the goal held in the state before the step.
    pub goal_before: bool,
}

impl<P: Problems> Env<P> {
    /// Creates an environment without observations. Call [`reset`](Self::reset) before any other method. Until then,
    /// methods that need a current problem fail. No problem is compiled yet.
    ///
    /// # Errors
    /// Fails if `problems` is empty.
    pub fn new(problems: P, options: EnvOptions) -> Result<Self, P::Error> {
        Self::observed(problems, Unobserved, options)
    }
}

impl<P: Problems, O: Observer<P>> Env<P, O> {
    /// Creates an environment with the observations of `observer`. Call [`reset`](Self::reset) before any other
    /// method. Until then, methods that need a current problem fail. No problem is compiled yet.
    ///
    /// # Errors
    /// Fails if `problems` is empty.
    pub fn observed(problems: P, observer: O, options: EnvOptions) -> Result<Self, P::Error> {
        let idle = Arc::new(IdleSystems::new(problems.len()));
        Self::sharing(problems, observer, options, idle)
    }

    /// Creates an environment that shares its pool of idle systems with other environments over the same problems.
    pub(crate) fn sharing(
        problems: P,
        observer: O,
        options: EnvOptions,
        idle: Arc<IdleSystems<P>>,
    ) -> Result<Self, P::Error> {
        if problems.is_empty() {
            return Err(P::Error::from(EpisodeFault::NoProblems {
                problems: problems.name().to_owned(),
            }));
        }
        Ok(Self {
            problems,
            observer,
            options,
            streams: Streams::new(0),
            memory: Memory::default(),
            idle,
            current: None,
            sampled: Vec::new(),
            last: Last::default(),
            stepped: false,
        })
    }

    /// Starts an episode of a problem drawn uniformly from the set. With a seed, all random streams start again from
    /// it; without one, they continue.
    ///
    /// The first episode of a problem compiles it, unless a clone of the problem set already has. Later resets neither parse
    /// nor ground.
    ///
    /// # Errors
    /// Fails if the drawn problem is faulty or too large to compile, if the observer was not made for it, or if its
    /// initial state cannot be drawn. Reset again before the next step then; a given seed has taken effect.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<Reset, P::Error> {
        self.reset_to(seed, ProblemChoice::Uniform)
    }

    /// Like [`reset`](Self::reset), with the problem that `choice` selects. `seed` restarts the random streams, as in
    /// `reset`. With [`ProblemChoice::Index`], no problem is drawn, so that stream does not advance.
    ///
    /// # Errors
    /// Fails like [`reset`](Self::reset), and if there is no problem at the chosen index.
    pub fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, P::Error> {
        if let Some(seed) = seed {
            self.streams = Streams::new(seed);
        }
        let problem = match choice {
            ProblemChoice::Uniform => {
                let count = u32::try_from(self.problems.len()).unwrap_or(u32::MAX);
                uniform_below(&mut self.streams.problems, count) as usize
            }
            ProblemChoice::Index(index) => index,
        };
        self.switch_to(problem)?;
        self.stepped = false;
        self.memory.words.clear();
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        current.episode.start(&mut self.streams.outcomes)?;
        let system = current.episode.system();
        self.observer
            .attend(system, &mut self.memory, &mut self.streams.observations);
        Ok(Reset {
            problem,
            status: system.status(),
        })
    }

    /// Makes `problem` the current problem, with a system from the pool, and returns the previous system to the pool.
    fn switch_to(&mut self, problem: usize) -> Result<(), P::Error> {
        if self.problem() == Some(problem) {
            return Ok(());
        }
        let system = self.idle.take(&self.problems, problem)?;
        self.observer.check(&system)?;
        let rules = self.options.rules(self.problems.horizon(problem));
        let episode = Episode::new(system, rules);
        if let Some(last) = self.current.replace(Current { problem, episode }) {
            self.idle.give_back(last.problem, last.episode.into_system());
        }
        Ok(())
    }

    /// Loads the memory that the next step reads ([`BatchSystem::prefetch`]).
    #[inline]
    pub(crate) fn prefetch(&self) -> u64 {
        let system = self.current.as_ref().map(|current| current.episode.system());
        system.map_or(0, BatchSystem::prefetch) ^ self.streams.actions.prefetch()
    }

    /// Carries out a joint action in the current state, and returns its reward and whether the episode ended. In a dead
    /// end that the system reports ([`Status::dead_end`]), and in a state that ends the episode before its first step
    /// ([`Reset`]), a step changes nothing, has reward 0 and does not fail, whatever its action ([`DeadEnd`]).
    ///
    /// # Errors
    /// Fails if there is no running episode (before the first reset or after the end), if the action is invalid and
    /// [`InvalidAction::Ignore`] is not set, or if its effect is undefined. Nothing changes then.
    #[inline]
    pub fn step<'a>(&mut self, joint: impl Into<Joint<'a>>) -> Result<Step, P::Error> {
        let joint = joint.into();
        let goal_before = self.episode()?.status().goal;
        let step = self.advance(joint.choices())?;
        self.last.joint.clear();
        self.last.joint.extend_from_slice(joint.choices());
        self.last.step = step;
        self.last.goal_before = goal_before;
        self.stepped = true;
        Ok(step)
    }

    /// Like [`step`](Self::step), but does not record the step for [`last`](Self::last).
    #[inline(always)]
    pub(crate) fn advance(&mut self, joint: &[Choice]) -> Result<Step, P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        let step = current
            .episode
            .step::<P::Error>(joint, &mut self.streams.outcomes)?;
        self.attend(step);
        Ok(step)
    }

    /// Returns whether a step by this joint action reaches the system. If so, the caller executes the [`job`](Self::job). In
    /// both cases it calls [`conclude`](Self::conclude) afterwards.
    ///
    /// # Errors
    /// Like [`step`](Self::step).
    #[inline]
    pub(crate) fn admits(&self, joint: &[Choice]) -> Result<bool, P::Error> {
        Ok(self.episode()?.admits(joint)?)
    }

    /// Offers a row as the next joint action; returns whether the system accepted it ([`BatchSystem::accept_row`]).
    ///
    /// # Errors
    /// Like [`step`](Self::step).
    #[inline]
    pub(crate) fn accept_row(&mut self, row: &[f64]) -> Result<bool, P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        Ok(current.episode.accept_row(row)?)
    }

    /// Returns the next step as a job for the system, by the choices in `joint` or, if `by_row`, by the row that the system
    /// accepted. `None` before the first reset.
    #[inline]
    pub(crate) fn job<'e>(&'e mut self, joint: &'e [Choice], by_row: bool) -> Option<Job<'e, P::System>> {
        let system = self.current.as_mut()?.episode.system_mut();
        let job = Job::new(system, joint, &mut self.streams.outcomes);
        Some(Job { by_row, ..job })
    }

    /// Completes a step with the transition of the system, or `None` if the step did not reach it.
    ///
    /// # Errors
    /// Fails before the first reset.
    #[inline]
    pub(crate) fn conclude(&mut self, outcome: Option<Transition>) -> Result<Step, P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        let step = current.episode.conclude(outcome);
        self.attend(step);
        Ok(step)
    }

    /// Updates the observer's memory if the step was applied.
    #[inline(always)]
    fn attend(&mut self, step: Step) {
        if let Some(current) = self.current.as_ref().filter(|_| step.applied) {
            let system = current.episode.system();
            self.observer
                .attend(system, &mut self.memory, &mut self.streams.observations);
        }
    }

    /// Returns the choices that are valid in the current state, each tested without the others ([`System::choices`]).
    /// Choices of integer and real fields are not listed. Empty in a dead end, if no field is discrete, and where only
    /// several choices together are valid. They are in ascending order of field and alternative, defaults included if
    /// setting nothing is valid. The end of the episode does not matter.
    ///
    /// # Errors
    /// Fails before the first reset.
    pub fn choices(&self) -> Result<Vec<Choice>, P::Error> {
        let mut valid = Vec::new();
        self.system()?.choices(&mut valid);
        Ok(valid)
    }

    /// Draws a valid joint action for the current state ([`System::sample`]); `None` if the system finds none, as in a
    /// dead end; a system that does not report dead ends, such as RDDL, may return `None` as well. Every call draws
    /// again, and the state does not change. The end of the episode does not matter. Pass the result to
    /// [`step`](Self::step).
    ///
    /// # Errors
    /// Fails before the first reset.
    #[inline]
    pub fn sample(&mut self) -> Result<Option<JointAction>, P::Error> {
        let mut sampled = std::mem::take(&mut self.sampled);
        let found = self.sample_into(&mut sampled);
        let joint = JointAction::from_slice(&sampled);
        self.sampled = sampled;
        Ok(found?.then_some(joint))
    }

    /// Like [`sample`](Self::sample), but replaces the content of `into` by the joint action. Returns `false` where
    /// `sample` returns `None`; do not use what `into` contains then.
    ///
    /// # Errors
    /// Fails before the first reset.
    #[inline(always)]
    pub fn sample_into(&mut self, into: &mut Vec<Choice>) -> Result<bool, P::Error> {
        let current = self.current.as_ref().ok_or(EpisodeFault::NotReset)?;
        let system = current.episode.system();
        Ok(system.sample(&mut self.streams.actions, into))
    }

    /// Returns the current state. After the end of an episode, it is the last state.
    ///
    /// # Errors
    /// Fails before the first reset.
    pub fn state(&self) -> Result<&<P::System as System>::State, P::Error> {
        Ok(self.system()?.state())
    }

    /// Sets the current state. The number of steps taken is kept, and an episode that was over continues. The observer
    /// keeps its memory and updates it for the new state, which may draw from the observation stream.
    ///
    /// # Errors
    /// Fails before the first reset, or if the system refuses the state ([`System::set_state`]), as that of another
    /// problem. Nothing changes then.
    pub fn set_state(&mut self, state: &<P::System as System>::State) -> Result<(), P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        current.episode.set_state(state)?;
        let system = current.episode.system();
        self.observer
            .attend(system, &mut self.memory, &mut self.streams.observations);
        self.stepped = false;
        Ok(())
    }

    /// Returns a snapshot of the environment, to which [`restore`](Self::restore) returns. It does not contain the
    /// problems, so keep them or make them again. Serialise it with [`Snapshot::pack`]. The record of the last step
    /// and the options are not part of it either.
    ///
    /// # Errors
    /// Fails before the first reset.
    pub fn save(&self) -> Result<Snapshot<<P::System as System>::State>, P::Error> {
        let episode = self.episode()?;
        Ok(Snapshot {
            problem: self.problem().unwrap_or_default(),
            state: episode.system().state().clone(),
            elapsed: episode.elapsed(),
            running: episode.is_running(),
            streams: self.streams().clone(),
            memory: self.memory().clone(),
        })
    }

    /// Restores a snapshot of an environment over the same problems. With the same options and actions, all later
    /// results equal those of the saved environment. No reset is needed before. [`last`](Self::last) is `None`
    /// afterwards.
    ///
    /// # Errors
    /// Fails if there is no such problem, if it cannot be compiled, if the observer was not made for it, or if it has
    /// no such state. Reset or restore again before the next step then.
    pub fn restore(&mut self, saved: &Snapshot<<P::System as System>::State>) -> Result<(), P::Error> {
        self.switch_to(saved.problem)?;
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        current
            .episode
            .resume(&saved.state, saved.elapsed, saved.running)?;
        self.streams = saved.streams.clone();
        self.memory.clone_from(&saved.memory);
        self.stepped = false;
        Ok(())
    }

    /// Writes the action mask of the current state: one byte per alternative of each discrete field, 1 if it is in some
    /// valid joint action ([`System::write_mask`]). Extra bytes in `into` are zeroed; if it is too short, the mask is
    /// truncated. A system without discrete fields has an empty mask.
    ///
    /// # Errors
    /// Fails before the first reset.
    pub fn write_mask(&self, into: &mut [u8]) -> Result<(), P::Error> {
        self.system()?.write_mask(into);
        Ok(())
    }

    /// Writes the observation of the current state, in the layout of the observer ([`Observer::layout`]). Extra elements in
    /// `into` are zeroed; if it is too short, the observation is truncated.
    ///
    /// # Errors
    /// Fails before the first reset.
    pub fn write_observation(&self, into: &mut [O::Element]) -> Result<(), P::Error> {
        let used = self.write_used(into)?;
        into[used..].fill(O::Element::default());
        Ok(())
    }

    /// Writes the observation to the front of `into` and returns its length in elements.
    #[inline(always)]
    pub(crate) fn write_used(&self, into: &mut [O::Element]) -> Result<usize, P::Error> {
        Ok(self.observer.write(self.system()?, &self.memory, into))
    }

    /// Updates a row whose content is the last observation of this environment ([`Observer::rewrite`]). Returns the length
    /// of the observation in elements.
    #[inline(always)]
    pub(crate) fn rewrite(&self, written: &mut Written, into: &mut [O::Element]) -> Result<usize, P::Error> {
        let system = self.system()?;
        Ok(self.observer.rewrite(system, &self.memory, written, into))
    }

    /// Returns the last step; `None` if the current state is the result of a reset, [`set_state`](Self::set_state) or
    /// [`restore`](Self::restore). Also `None` before the first reset. Environments of a [`VecEnv`](crate::VecEnv)
    /// record no step.
    #[must_use]
    pub fn last(&self) -> Option<&Last> {
        self.stepped.then_some(&self.last)
    }

    /// Returns the system of the current problem, at its current state, for queries that the environment does not offer.
    ///
    /// # Errors
    /// Fails before the first reset.
    #[inline]
    pub fn system(&self) -> Result<&P::System, P::Error> {
        Ok(self.episode()?.system())
    }

    /// Returns the current episode, with its status and the number of steps taken. After the end of an episode it is
    /// still available, but [`is_running`](Episode::is_running) is false.
    ///
    /// # Errors
    /// Fails before the first reset.
    #[inline]
    pub fn episode(&self) -> Result<&Episode<P::System>, P::Error> {
        Ok(&self.current.as_ref().ok_or(EpisodeFault::NotReset)?.episode)
    }

    /// Returns the index of the current problem; `None` before the first reset. It is counted from 0. After the end of
    /// an episode, it is the problem of that episode.
    #[must_use]
    pub fn problem(&self) -> Option<usize> {
        self.current.as_ref().map(|current| current.problem)
    }

    /// Returns the problem set of the environment.
    #[must_use]
    pub const fn problems(&self) -> &P {
        &self.problems
    }

    /// Returns the observer, which turns states into the rows of [`write_observation`](Self::write_observation).
    #[must_use]
    pub const fn observer(&self) -> &O {
        &self.observer
    }

    /// Returns the observer's memory of the current episode, in the format of the observer. Empty before the first
    /// reset, and for observers that remember nothing.
    #[must_use]
    pub const fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns the random streams in their current state. Before the first reset with a seed, they are the streams of
    /// seed 0.
    #[must_use]
    pub const fn streams(&self) -> &Streams {
        &self.streams
    }
}
