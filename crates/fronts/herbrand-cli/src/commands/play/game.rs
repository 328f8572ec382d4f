//! The loop of a game: reads the player's lines, and shows states. Each kind of game implements [`Game`].

use std::fmt::Display;

use herbrand::core::{Choice, Env, JointAction, ProblemChoice, Problems, Snapshot, Step, System};
use herbrand::render::Direction;

use super::lines::{Line, PlayerInput};
use super::say;
use crate::failure::Failure;

/// A kind of game: it shows states and turns the player's inputs into actions. The commands `undo`, `reset`, `help` and
/// `quit` are common to all games and not part of this trait.
pub trait Game {
    /// The set of problems of the game's environment.
    type Problems: Problems;

    /// The help text for the game's own commands.
    const HELP: &'static str;

    /// Prints the introduction before the first move; `arrows` is whether arrow keys are reported.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn welcome(&self, session: &GameSession<Self::Problems>, arrows: bool) -> Result<(), Failure>;

    /// Shows the current state.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn show(&self, session: &GameSession<Self::Problems>) -> Result<(), Failure>;

    /// Returns the texts that Tab completes in the current state.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn completions(&self, session: &GameSession<Self::Problems>) -> Result<Vec<String>, Failure>;

    /// Turns a line into a request to the game loop. A line that asks for information is answered here.
    ///
    /// # Errors
    /// Fails if an answer cannot be written.
    fn read(&self, line: &str, session: &mut GameSession<Self::Problems>) -> Result<Request, Failure>;

    /// Turns an arrow key into a request to the game loop. By default, arrow keys do nothing.
    ///
    /// # Errors
    /// Fails if an answer cannot be written.
    fn follow(&self, _: Direction, _: &GameSession<Self::Problems>) -> Result<Request, Failure> {
        Ok(Request::Answered)
    }

    /// Describes the step that was taken, before the new state is shown.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    fn tell(
        &self,
        taken: &PlayedStep<Self::Problems>,
        step: Step,
        session: &GameSession<Self::Problems>,
    ) -> Result<(), Failure>;

    /// Returns the text that describes how the step ended the episode; `None` if it did not.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn ending(&self, step: Step, session: &GameSession<Self::Problems>) -> Result<Option<String>, Failure>;

    /// Returns the reason why no action can be taken after the end of an episode.
    ///
    /// # Errors
    /// Fails before the first reset.
    fn over(&self, session: &GameSession<Self::Problems>) -> Result<&'static str, Failure>;
}

/// The request to the game loop that a line or a key makes.
pub enum Request {
    /// Nothing: the line was answered already.
    Answered,
    /// Take a step with this joint action.
    Take(JointAction),
}

/// A complete snapshot of the system's state.
type Saved<P> = Snapshot<<<P as Problems>::System as System>::State>;

/// The environment of a game, with the steps taken so far, which can be undone.
pub struct GameSession<P: Problems> {
    pub env: Env<P>,
    seed: u64,
    /// The steps taken and not undone.
    past: Vec<PlayedStep<P>>,
    /// The sum of the rewards of the steps so far.
    pub reward: f64,
}

/// A step of the player: a joint action and the state before it.
pub struct PlayedStep<P: Problems> {
    pub joint: JointAction,
    pub before: Saved<P>,
    /// The sum of the rewards before the step.
    reward: f64,
}

impl<P> GameSession<P>
where
    P: Problems,
    Failure: From<P::Error>,
{
    /// Creates the environment state of a game from `env`, reset to its first problem with `seed`.
    ///
    /// # Errors
    /// Fails if the problem is invalid.
    pub fn new(env: Env<P>, seed: u64) -> Result<Self, Failure> {
        let mut session = Self {
            env,
            seed,
            past: Vec::new(),
            reward: 0.0,
        };
        session.reset()?;
        Ok(session)
    }

    /// Returns the last step that was taken and not undone; `None` before the first.
    pub fn last(&self) -> Option<&PlayedStep<P>> {
        self.past.last()
    }

    /// Returns the steps that were taken and not undone.
    pub fn past(&self) -> &[PlayedStep<P>] {
        &self.past
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.env.reset_to(Some(self.seed), ProblemChoice::Index(0))?;
        self.past.clear();
        self.reward = 0.0;
        Ok(())
    }

    /// Undoes the last step; `false` if there is no step.
    fn undo(&mut self) -> Result<bool, Failure> {
        let Some(taken) = self.past.pop() else {
            return Ok(false);
        };
        self.env.restore(&taken.before)?;
        self.reward = taken.reward;
        Ok(true)
    }
}

/// A game in progress, played by a person or a script at the command line: a kind of game and its environment.
pub struct GameLoop<G: Game> {
    game: G,
    session: GameSession<G::Problems>,
}

impl<G> GameLoop<G>
where
    G: Game,
    Failure: From<<G::Problems as Problems>::Error>,
    <G::Problems as Problems>::Error: Display,
{
    /// Creates a game in progress. `session` is the game's environment, in its initial state. [`run`](Self::run) plays it.
    pub const fn new(game: G, session: GameSession<G::Problems>) -> Self {
        Self { game, session }
    }

    /// Plays the game: reads inputs from `lines` and shows the states, until the lines end or the player quits.
    ///
    /// # Errors
    /// Fails if the input cannot be read or the output cannot be written.
    pub fn run(&mut self, mut lines: Box<dyn PlayerInput>) -> Result<(), Failure> {
        self.game.welcome(&self.session, lines.has_arrows())?;
        self.game.show(&self.session)?;
        loop {
            let completions = self.game.completions(&self.session)?;
            match lines.next(&completions)? {
                None => return Ok(()),
                Some(Line::Text(line)) if matches!(line.as_str(), "quit" | "exit" | "q") => return Ok(()),
                Some(Line::Text(line)) => self.answer(&line)?,
                Some(Line::Arrow(direction)) => {
                    let request = self.game.follow(direction, &self.session)?;
                    self.carry_out(request)?;
                }
            }
        }
    }

    fn answer(&mut self, line: &str) -> Result<(), Failure> {
        match line.to_lowercase().as_str() {
            "" => Ok(()),
            "help" | "?" => say(G::HELP),
            "undo" => {
                if self.session.undo()? {
                    self.game.show(&self.session)
                } else {
                    say("nothing to undo")
                }
            }
            "reset" => {
                self.session.reset()?;
                self.game.show(&self.session)
            }
            _ => {
                let request = self.game.read(line, &mut self.session)?;
                self.carry_out(request)
            }
        }
    }

    fn carry_out(&mut self, request: Request) -> Result<(), Failure> {
        match request {
            Request::Answered => Ok(()),
            Request::Take(joint) => self.take(joint),
        }
    }

    fn take(&mut self, joint: JointAction) -> Result<(), Failure> {
        let Self { game, session } = self;
        if session.env.episode()?.is_over() {
            return say(&format!("{}: undo, reset or quit", game.over(session)?));
        }
        let before = session.env.save()?;
        let choices: &[Choice] = &joint;
        let step = match session.env.step(choices) {
            Ok(step) => step,
            // The state did not change.
            Err(error) => return say(&error.to_string()),
        };
        let taken = PlayedStep {
            joint,
            before,
            reward: session.reward,
        };
        session.reward += step.reward;
        game.tell(&taken, step, session)?;
        session.past.push(taken);
        game.show(session)?;
        match game.ending(step, session)? {
            Some(ending) => say(&ending),
            None => Ok(()),
        }
    }
}
