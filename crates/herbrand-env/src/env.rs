//! The environment: episodes over a suite of problems.

use std::sync::Arc;

use herbrand_ground::ActionId;
use herbrand_step::{Fired, State, uniform_below};

use crate::info::Last;
use crate::pool::Pool;
use crate::{
    AgentActionId, DeadEnd, Engine, EnvError, Episode, GoalProgress, Instance, InvalidAction, Part, Planning,
    Rules, Step, Streams, Suite,
};

/// What can be set about an environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct EnvOptions {
    /// After how many steps an episode is cut off.
    pub horizon: Horizon,
    /// Whether episodes go on past the goal.
    pub through_goals: bool,
    /// What a dead end does: a state without a valid action.
    pub dead_end: DeadEnd,
    /// What an invalid action does.
    pub invalid: InvalidAction,
}

/// After how many steps an episode is cut off.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Horizon {
    /// As the suite's settings say; never if they say nothing.
    #[default]
    Suite,
    /// After so many steps; 0 is as good as 1.
    Steps(u32),
    /// Never.
    Never,
}

/// How a reset chooses its problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Choice {
    /// Uniformly among all problems of the suite.
    #[default]
    Uniform,
    /// The problem at this index.
    Index(usize),
}

/// What a reset reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reset {
    /// The index of the problem in the suite.
    pub problem: usize,
    /// Whether the goal holds from the start.
    pub goal: bool,
    /// Whether no action is valid from the start.
    pub dead_end: bool,
}

/// Episodes over the problems of a suite.
///
/// Until the first reset with a seed, the seed is 0: an environment without one is deterministic too. One seed
/// fixes everything that follows: the problems, the outcomes, and the actions that [`sample`](Self::sample) gives, each
/// from a stream of its own.
///
/// ```
/// use herbrand_env::{ActionMode, Domain, Env, EnvOptions, Problem, Suite};
///
/// let domain = Domain::from_text(
///     "(define (domain lamp) (:predicates (on))
///        (:action switch-on :precondition (not (on)) :effect (on)))",
/// )?;
/// let problem = Problem::from_text("(define (problem dark) (:domain lamp) (:init) (:goal (on)))", &domain)?;
/// let suite = Suite::from_problems(domain, [problem], ActionMode::Declared)?;
///
/// let mut env = Env::new(suite, EnvOptions::default())?;
/// env.reset(Some(7))?;
/// let action = env.sample()?.expect("the lamp is off");
/// assert_eq!(env.instance()?.space().display(action).to_string(), "(switch-on)");
/// let step = env.step(action)?;
/// assert!(step.terminated && step.reward == 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Env {
    suite: Suite,
    rules: Rules,
    streams: Streams,
    pool: Arc<Pool>,
    current: Option<Current>,
    sampled: Vec<AgentActionId>,
    last: Option<Last>,
}

/// The problem that is played, and its episode.
#[derive(Clone, Debug)]
struct Current {
    problem: usize,
    episode: Episode<Planning>,
}

/// Everything that an environment's future depends on but for its actions: problem, state, steps taken, streams.
#[derive(Clone, Debug)]
pub struct Snapshot {
    problem: usize,
    state: State,
    elapsed: u32,
    running: bool,
    streams: Streams,
}

impl Snapshot {
    /// The snapshot as bytes, from which [`Env::unpack`] makes it in an environment over the same suite, in another
    /// process too.
    #[must_use]
    pub fn pack(&self) -> Vec<u8> {
        let words = [
            self.problem as u64,
            u64::from(self.elapsed),
            u64::from(self.running),
        ];
        let mut bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.extend(self.streams.to_bytes());
        bytes.extend(self.state.pack());
        bytes
    }

    /// What [`pack`](Self::pack) wrote; `None` if `suite` has no such problem or state.
    fn unpack(suite: &Suite, bytes: &[u8]) -> Option<Self> {
        let (words, rest) = bytes.split_first_chunk::<24>()?;
        let (words, _) = words.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_le_bytes(*word));
        let problem = usize::try_from(words.next()?).ok()?;
        let elapsed = u32::try_from(words.next()?).ok()?;
        let running = words.next()? != 0;
        let (streams, rest) = Streams::from_bytes(rest)?;
        let instance = suite.instance(problem).ok()?;
        Some(Self {
            problem,
            state: instance.simulator().unpack(rest)?,
            elapsed,
            running,
            streams,
        })
    }
}

impl Env {
    /// An environment over `suite`; call [`reset`](Self::reset) before anything else.
    ///
    /// # Errors
    /// When the suite has no problem.
    pub fn new(suite: Suite, options: EnvOptions) -> Result<Self, EnvError> {
        let pool = Arc::new(Pool::new(suite.len()));
        Self::with_pool(suite, options, pool)
    }

    /// An environment that shares engines with others over the same suite.
    pub(crate) fn with_pool(suite: Suite, options: EnvOptions, pool: Arc<Pool>) -> Result<Self, EnvError> {
        if suite.is_empty() {
            return Err(EnvError::NoProblems {
                suite: suite.name().to_owned(),
            });
        }
        let rules = Rules {
            horizon: match options.horizon {
                Horizon::Suite => suite.config().horizon,
                Horizon::Steps(steps) => Some(steps),
                Horizon::Never => None,
            },
            goal_ends: !options.through_goals,
            dead_end: options.dead_end,
            invalid: options.invalid,
        };
        Ok(Self {
            suite,
            rules,
            streams: Streams::new(0),
            pool,
            current: None,
            sampled: Vec::new(),
            last: None,
        })
    }

    /// Begins an episode of a problem drawn from the suite. A seed starts all streams anew.
    ///
    /// The first episode of a problem compiles it if nobody has yet; after that a reset neither parses nor grounds.
    ///
    /// # Errors
    /// When the problem is at fault.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<Reset, EnvError> {
        self.reset_to(seed, Choice::Uniform)
    }

    /// Begins an episode as [`reset`](Self::reset) does, of the problem that `choice` says.
    ///
    /// # Errors
    /// When there is no such problem, or it is at fault.
    pub fn reset_to(&mut self, seed: Option<u64>, choice: Choice) -> Result<Reset, EnvError> {
        if let Some(seed) = seed {
            self.streams = Streams::new(seed);
        }
        let problem = match choice {
            Choice::Uniform => {
                let count = u32::try_from(self.suite.len()).unwrap_or(u32::MAX);
                uniform_below(&mut self.streams.problems, count) as usize
            }
            Choice::Index(index) => index,
        };
        self.switch_to(problem)?;
        self.last = None;
        let (episode, streams) = self.running()?;
        episode.start(&mut streams.outcomes)?;
        Ok(Reset {
            problem,
            goal: episode.engine().is_goal(),
            dead_end: episode.is_dead_end(),
        })
    }

    /// Makes `problem` the current one.
    fn switch_to(&mut self, problem: usize) -> Result<(), EnvError> {
        if self.problem() == Some(problem) {
            return Ok(());
        }
        let engine = self.pool.take(&self.suite, problem)?;
        let episode = Episode::new(engine, self.rules);
        if let Some(last) = self.current.replace(Current { problem, episode }) {
            self.pool.give_back(last.problem, last.episode.into_engine());
        }
        Ok(())
    }

    /// Takes an action of the agent. In a dead end nothing happens, whatever the action ([`DeadEnd`]).
    ///
    /// # Errors
    /// After the end of the episode, and when the action is not valid (unless [`InvalidAction::Ignore`] is set).
    /// Nothing changes then.
    #[inline]
    pub fn step(&mut self, action: AgentActionId) -> Result<Step, EnvError> {
        let (episode, streams) = self.running()?;
        let from_goal = episode.engine().is_goal();
        let step = episode.step(&[action], &mut streams.outcomes)?;
        self.last = Some(Last {
            action,
            applied: step.applied,
            entered_goal: step.goal && !from_goal,
            reward: step.reward,
        });
        Ok(step)
    }

    /// The agent's actions that are valid now, ascending.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn valid_actions(&self) -> Result<Vec<AgentActionId>, EnvError> {
        let mut valid = Vec::new();
        self.episode()?.engine().valid_actions(&mut valid);
        Ok(valid)
    }

    /// A valid action, drawn uniformly; `None` in a dead end, where a step does nothing, whatever its action.
    ///
    /// # Errors
    /// Before the first reset.
    #[inline]
    pub fn sample(&mut self) -> Result<Option<AgentActionId>, EnvError> {
        let mut sampled = std::mem::take(&mut self.sampled);
        let (episode, streams) = self.running()?;
        episode.engine().sample(&mut streams.actions, &mut sampled);
        let action = sampled.first().copied();
        self.sampled = sampled;
        Ok(action)
    }

    /// The current state.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn state(&self) -> Result<&State, EnvError> {
        Ok(self.episode()?.engine().state())
    }

    /// Goes to a state of the current problem. The steps taken so far still count, and an episode that was over
    /// goes on.
    ///
    /// # Errors
    /// Before the first reset, and when the state is another problem's.
    pub fn set_state(&mut self, state: &State) -> Result<(), EnvError> {
        let (episode, _) = self.running()?;
        episode.set_state(state)?;
        self.last = None;
        Ok(())
    }

    /// What the future depends on, to come back to by [`restore`](Self::restore).
    ///
    /// # Errors
    /// Before the first reset.
    pub fn save(&self) -> Result<Snapshot, EnvError> {
        let current = self.current.as_ref().ok_or(EnvError::NotReset)?;
        Ok(Snapshot {
            problem: current.problem,
            state: current.episode.engine().state().clone(),
            elapsed: current.episode.elapsed(),
            running: current.episode.is_running(),
            streams: self.streams.clone(),
        })
    }

    /// Comes back to what an environment over the same suite has saved: what follows is what would have followed
    /// there.
    ///
    /// # Errors
    /// When the suite has no such problem or state.
    pub fn restore(&mut self, saved: &Snapshot) -> Result<(), EnvError> {
        self.switch_to(saved.problem)?;
        self.streams = saved.streams.clone();
        self.last = None;
        let (episode, _) = self.running()?;
        Ok(episode.resume(&saved.state, saved.elapsed, saved.running)?)
    }

    /// The snapshot that [`Snapshot::pack`] wrote.
    ///
    /// # Errors
    /// [`EnvError::NotASnapshot`] when an environment over another suite wrote it, as far as can be told.
    pub fn unpack(&self, bytes: &[u8]) -> Result<Snapshot, EnvError> {
        Snapshot::unpack(&self.suite, bytes).ok_or(EnvError::NotASnapshot)
    }

    /// What a step by `action` does from where the environment was saved: which effects happen, conditions and draws
    /// decided, and what changes. The step that followed did the same. Where the environment is stays as it is.
    ///
    /// # Errors
    /// When the suite has no such problem or state, or the action is not valid there.
    pub fn explain_step(&self, saved: &Snapshot, action: AgentActionId) -> Result<Fired, EnvError> {
        let mut engine = self.suite.engine(saved.problem)?;
        engine.set_state(&saved.state)?;
        let mut streams = saved.streams.clone();
        let (_, fired) = engine.step_explained(action, &mut streams.outcomes)?;
        Ok(fired)
    }

    /// Writes which of the agent's actions are valid as one byte an action, 1 for valid; what `into` is longer is
    /// set to 0, what it is shorter is left out.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn write_mask(&self, into: &mut [u8]) -> Result<(), EnvError> {
        self.episode()?.engine().write_mask(into);
        Ok(())
    }

    /// Writes the observable atoms of the current state as one byte an atom, 1 for true
    /// ([`AtomSpace::write_bits`](crate::AtomSpace::write_bits)).
    ///
    /// # Errors
    /// Before the first reset.
    pub fn write_bits(&self, part: Part, into: &mut [u8]) -> Result<(), EnvError> {
        let walker = self.episode()?.engine().walker();
        self.instance()?.atoms().write_bits(walker, part, into);
        Ok(())
    }

    /// What the goal of the current problem still lacks.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn goal_progress(&self) -> Result<GoalProgress, EnvError> {
        Ok(GoalProgress::of(self.episode()?.engine().walker()))
    }

    /// The operator that carried out the last step.
    #[must_use]
    pub fn last_operator(&self) -> Option<ActionId> {
        self.episode().ok()?.engine().last_operator()
    }

    /// The last step, unless the state was set since.
    pub(crate) fn last(&self) -> Option<&Last> {
        self.last.as_ref()
    }

    /// The current problem, compiled.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn instance(&self) -> Result<&Arc<Instance>, EnvError> {
        self.suite.instance(self.problem().ok_or(EnvError::NotReset)?)
    }

    /// The current episode.
    ///
    /// # Errors
    /// Before the first reset.
    pub fn episode(&self) -> Result<&Episode<Planning>, EnvError> {
        Ok(&self.current.as_ref().ok_or(EnvError::NotReset)?.episode)
    }

    /// The index of the current problem; `None` before the first reset.
    #[must_use]
    pub fn problem(&self) -> Option<usize> {
        self.current.as_ref().map(|current| current.problem)
    }

    /// The suite.
    #[must_use]
    pub const fn suite(&self) -> &Suite {
        &self.suite
    }

    #[inline]
    fn running(&mut self) -> Result<(&mut Episode<Planning>, &mut Streams), EnvError> {
        let current = self.current.as_mut().ok_or(EnvError::NotReset)?;
        Ok((&mut current.episode, &mut self.streams))
    }
}
