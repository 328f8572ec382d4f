//! The environment: episodes over a set of problems.

use std::sync::Arc;

use crate::idle::IdleSystems;
use crate::{
    Choice, DeadEnd, Episode, EpisodeFault, InvalidAction, Job, Joint, JointAction, Memory, Observer,
    Problems, Rules, Snapshot, Status, Step, Streams, System, Transition, Unobserved, Written, uniform_below,
};

/// The options of an environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EnvOptions {
    /// After how many steps an episode is cut off.
    pub horizon: Horizon,
    /// Whether episodes continue past the goal.
    pub through_goals: bool,
    /// What a state without a valid action does; it is reported in any case.
    pub dead_end: DeadEnd,
    /// What an invalid action does.
    pub invalid: InvalidAction,
}

/// After how many steps an episode is cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Horizon {
    /// As the problems say ([`Problems::horizon`]); never if they say nothing.
    #[default]
    Declared,
    /// After this many steps.
    Steps(u32),
    /// Never.
    Never,
}

/// How a reset chooses its problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ProblemChoice {
    /// Uniformly among all problems.
    #[default]
    Uniform,
    /// The problem at this index.
    Index(usize),
}

/// What a reset reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reset {
    /// The index of the problem.
    pub problem: usize,
    /// What the initial state is.
    pub status: Status,
}

/// Episodes over a set of problems, with the observations of one observer.
///
/// One seed fixes everything that follows: the problems, the outcomes, the observations, and the actions that
/// [`sample`](Self::sample) gives, each from a stream of its own. Until the first reset with a seed, the seed is 0: an
/// environment without one is deterministic too.
///
/// ```
/// use herbrand_core::balloon::Flights;
/// use herbrand_core::{Env, EnvOptions, Horizon};
///
/// let options = EnvOptions { horizon: Horizon::Steps(5), ..EnvOptions::default() };
/// let mut env = Env::new(Flights { count: 2 }, options)?;
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
// What every step reads comes first.
#[repr(C)]
pub struct Env<P: Problems, O: Observer<P> = Unobserved> {
    observer: O,
    streams: Streams,
    current: Option<Current<P::System>>,
    memory: Memory,
    sampled: Vec<Choice>,
    last: Last,
    /// Whether `last` is the step that led to the current state.
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

/// The problem that is played, and its episode.
#[derive(Clone, Debug)]
#[repr(C)]
struct Current<S> {
    problem: usize,
    episode: Episode<S>,
}

/// The last step of an environment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Last {
    /// The joint action.
    pub joint: Vec<Choice>,
    /// What it did.
    pub step: Step,
    /// Whether the goal held before the step.
    pub goal_before: bool,
}

impl<P: Problems> Env<P> {
    /// An environment without observations; call [`reset`](Self::reset) before anything else.
    ///
    /// # Errors
    /// When there is no problem.
    pub fn new(problems: P, options: EnvOptions) -> Result<Self, P::Error> {
        Self::observed(problems, Unobserved, options)
    }
}

impl<P: Problems, O: Observer<P>> Env<P, O> {
    /// An environment with the observations of `observer`; call [`reset`](Self::reset) before anything else.
    ///
    /// # Errors
    /// When there is no problem.
    pub fn observed(problems: P, observer: O, options: EnvOptions) -> Result<Self, P::Error> {
        let idle = Arc::new(IdleSystems::new(problems.len()));
        Self::sharing(problems, observer, options, idle)
    }

    /// An environment that shares idle systems with others over the same problems.
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

    /// Begins an episode of a problem drawn from the set. A seed restarts all streams.
    ///
    /// The first episode of a problem compiles it if nobody has yet; after that a reset neither parses nor grounds.
    ///
    /// # Errors
    /// When the problem is at fault.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<Reset, P::Error> {
        self.reset_to(seed, ProblemChoice::Uniform)
    }

    /// Begins an episode as [`reset`](Self::reset) does, of the problem that `choice` names.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
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

    /// Makes `problem` the current one.
    fn switch_to(&mut self, problem: usize) -> Result<(), P::Error> {
        if self.problem() == Some(problem) {
            return Ok(());
        }
        let system = self.idle.take(&self.problems, problem)?;
        let episode = Episode::new(system, self.rules(problem));
        if let Some(last) = self.current.replace(Current { problem, episode }) {
            self.idle.give_back(last.problem, last.episode.into_system());
        }
        Ok(())
    }

    /// Reads what the next step reads ([`System::touch`]).
    #[inline]
    pub(crate) fn touch(&self) -> u64 {
        let system = self.current.as_ref().map(|current| current.episode.system());
        system.map_or(0, System::touch) ^ self.streams.actions.touch()
    }

    fn rules(&self, problem: usize) -> Rules {
        Rules {
            horizon: match self.options.horizon {
                Horizon::Declared => self.problems.horizon(problem),
                Horizon::Steps(steps) => Some(steps),
                Horizon::Never => None,
            },
            goal_ends: !self.options.through_goals,
            dead_end: self.options.dead_end,
            invalid: self.options.invalid,
        }
    }

    /// Carries out a joint action.
    ///
    /// # Errors
    /// After the end of the episode, and when the action is not valid (unless [`InvalidAction::Ignore`] is set).
    /// Nothing changes then.
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

    /// As [`step`](Self::step), but the step is not kept for [`last`](Self::last).
    #[inline(always)]
    pub(crate) fn advance(&mut self, joint: &[Choice]) -> Result<Step, P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        let step = current
            .episode
            .step::<P::Error>(joint, &mut self.streams.outcomes)?;
        self.attend(step);
        Ok(step)
    }

    /// Whether an [`advance`](Self::advance) by this joint action reaches the system, which is then to take the step
    /// ([`job`](Self::job)). Either way [`conclude`](Self::conclude) is to follow.
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    #[inline]
    pub(crate) fn admits(&self, joint: &[Choice]) -> Result<bool, P::Error> {
        Ok(self.episode()?.admits(joint)?)
    }

    /// Whether the system has taken in a row as its next joint action ([`System::take_row`]).
    ///
    /// # Errors
    /// As for [`step`](Self::step).
    #[inline]
    pub(crate) fn takes_row(&mut self, row: &[f64]) -> Result<bool, P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        Ok(current.episode.takes_row(row)?)
    }

    /// The step that the system is to take, by choices or by the row that it took; `None` before the first reset.
    #[inline]
    pub(crate) fn job<'e>(&'e mut self, joint: &'e [Choice], by_row: bool) -> Option<Job<'e, P::System>> {
        let system = self.current.as_mut()?.episode.system_mut();
        let job = Job::new(system, joint, &mut self.streams.outcomes);
        Some(Job { by_row, ..job })
    }

    /// Takes in what the step led to; `None` if it did not reach the system.
    ///
    /// # Errors
    /// Before the first reset.
    #[inline]
    pub(crate) fn conclude(&mut self, outcome: Option<Transition>) -> Result<Step, P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        let step = current.episode.conclude(outcome);
        self.attend(step);
        Ok(step)
    }

    /// Lets the observer attend to where a step led.
    #[inline(always)]
    fn attend(&mut self, step: Step) {
        if let Some(current) = self.current.as_ref().filter(|_| step.applied) {
            let system = current.episode.system();
            self.observer
                .attend(system, &mut self.memory, &mut self.streams.observations);
        }
    }

    /// The choices that are valid now, each by itself ([`System::choices`]).
    ///
    /// # Errors
    /// Before the first reset.
    pub fn choices(&self) -> Result<Vec<Choice>, P::Error> {
        let mut valid = Vec::new();
        self.system()?.choices(&mut valid);
        Ok(valid)
    }

    /// A valid joint action ([`System::sample`]); `None` in a dead end.
    ///
    /// # Errors
    /// Before the first reset.
    #[inline]
    pub fn sample(&mut self) -> Result<Option<JointAction>, P::Error> {
        let mut sampled = std::mem::take(&mut self.sampled);
        let found = self.sample_into(&mut sampled);
        let joint = JointAction::from_slice(&sampled);
        self.sampled = sampled;
        Ok(found?.then_some(joint))
    }

    /// As [`sample`](Self::sample), into a buffer of the caller; false in a dead end.
    ///
    /// # Errors
    /// Before the first reset.
    #[inline(always)]
    pub fn sample_into(&mut self, into: &mut Vec<Choice>) -> Result<bool, P::Error> {
        let current = self.current.as_ref().ok_or(EpisodeFault::NotReset)?;
        let system = current.episode.system();
        Ok(system.sample(&mut self.streams.actions, into))
    }

    /// The current state.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn state(&self) -> Result<&<P::System as System>::State, P::Error> {
        Ok(self.system()?.state())
    }

    /// Goes to a state of the current problem. The steps taken so far still count, and an episode that was over
    /// continues. What the agent remembers stays, and it attends to the new state.
    ///
    /// # Errors
    /// Before the first reset, and when the state belongs to another problem.
    pub fn set_state(&mut self, state: &<P::System as System>::State) -> Result<(), P::Error> {
        let current = self.current.as_mut().ok_or(EpisodeFault::NotReset)?;
        current.episode.set_state(state)?;
        let system = current.episode.system();
        self.observer
            .attend(system, &mut self.memory, &mut self.streams.observations);
        self.stepped = false;
        Ok(())
    }

    /// Returns to what an environment over the same problems has saved: what follows is what would have followed there.
    ///
    /// # Errors
    /// When there is no such problem or state.
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

    /// Writes the action mask ([`System::write_mask`]). Extra bytes in `into` are zeroed; if it is too short, the mask is
    /// truncated.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn write_mask(&self, into: &mut [u8]) -> Result<(), P::Error> {
        self.system()?.write_mask(into);
        Ok(())
    }

    /// Writes the observation. Extra elements in `into` are zeroed; if it is too short, the observation is truncated.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn write_observation(&self, into: &mut [O::Element]) -> Result<(), P::Error> {
        let used = self.write_used(into)?;
        into[used..].fill(O::Element::default());
        Ok(())
    }

    /// Writes the observation to the front of `into`; returns how many elements it has.
    #[inline(always)]
    pub(crate) fn write_used(&self, into: &mut [O::Element]) -> Result<usize, P::Error> {
        Ok(self.observer.write(self.system()?, &self.memory, into))
    }

    /// Brings a row that holds what this environment wrote into it last up to date ([`Observer::rewrite`]); returns how many
    /// elements it has.
    #[inline(always)]
    pub(crate) fn rewrite(&self, written: &mut Written, into: &mut [O::Element]) -> Result<usize, P::Error> {
        let system = self.system()?;
        Ok(self.observer.rewrite(system, &self.memory, written, into))
    }

    /// The last step; `None` after a reset and after going to a state in another way.
    #[must_use]
    pub fn last(&self) -> Option<&Last> {
        self.stepped.then_some(&self.last)
    }

    /// The system of the current problem, at its current state.
    ///
    /// # Errors
    /// Before the first reset.
    #[inline]
    pub fn system(&self) -> Result<&P::System, P::Error> {
        Ok(self.episode()?.system())
    }

    /// The current episode.
    ///
    /// # Errors
    /// Before the first reset.
    #[inline]
    pub fn episode(&self) -> Result<&Episode<P::System>, P::Error> {
        Ok(&self.current.as_ref().ok_or(EpisodeFault::NotReset)?.episode)
    }

    /// The index of the current problem; `None` before the first reset.
    #[must_use]
    pub fn problem(&self) -> Option<usize> {
        self.current.as_ref().map(|current| current.problem)
    }

    /// The problems.
    #[must_use]
    pub const fn problems(&self) -> &P {
        &self.problems
    }

    /// The observer.
    #[must_use]
    pub const fn observer(&self) -> &O {
        &self.observer
    }

    /// What the agent remembers of the current episode.
    #[must_use]
    pub const fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The random streams.
    #[must_use]
    pub const fn streams(&self) -> &Streams {
        &self.streams
    }
}
