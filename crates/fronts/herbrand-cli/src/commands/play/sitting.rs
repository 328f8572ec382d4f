//! A sitting: the player's lines in, states out. What is played is a [`Game`].

use std::fmt::Display;

use herbrand::core::{Choice, Env, JointAction, ProblemChoice, Problems, Snapshot, Step, System};
use herbrand::render::Direction;

use super::lines::{Line, Lines};
use super::say;
use crate::failure::Failure;

/// What is played: what the player sees, and what can be asked for besides what every sitting knows (`undo`, `reset`, `help`,
/// `quit`).
pub trait Game {
    /// The problems that are played.
    type Problems: Problems;

    /// The help text of the game's commands.
    const HELP: &'static str;

    /// Says what the player should know before the first move; `arrows` is whether arrow keys are told apart from lines.
    ///
    /// # Errors
    /// When it cannot be written.
    fn welcome(&self, seat: &Seat<Self::Problems>, arrows: bool) -> Result<(), Failure>;

    /// Shows the current state.
    ///
    /// # Errors
    /// When it cannot be written.
    fn show(&self, seat: &Seat<Self::Problems>) -> Result<(), Failure>;

    /// The completions of Tab.
    ///
    /// # Errors
    /// Before the first reset.
    fn completions(&self, seat: &Seat<Self::Problems>) -> Result<Vec<String>, Failure>;

    /// Parses a line into a request. Questions are answered immediately.
    ///
    /// # Errors
    /// When an answer cannot be written.
    fn read(&self, line: &str, seat: &mut Seat<Self::Problems>) -> Result<Request, Failure>;

    /// Turns an arrow key into a request.
    ///
    /// # Errors
    /// When an answer cannot be written.
    fn follow(&self, _: Direction, _: &Seat<Self::Problems>) -> Result<Request, Failure> {
        Ok(Request::Answered)
    }

    /// Says what was done, before the new state is shown.
    ///
    /// # Errors
    /// When it cannot be written.
    fn tell(
        &self,
        taken: &Taken<Self::Problems>,
        step: Step,
        seat: &Seat<Self::Problems>,
    ) -> Result<(), Failure>;

    /// How the episode ended, if it did, after the new state is shown.
    ///
    /// # Errors
    /// Before the first reset.
    fn ending(&self, step: Step, seat: &Seat<Self::Problems>) -> Result<Option<String>, Failure>;

    /// Why no action can be taken after the end of an episode.
    ///
    /// # Errors
    /// Before the first reset.
    fn over(&self, seat: &Seat<Self::Problems>) -> Result<&'static str, Failure>;
}

/// The request of a line or a key.
pub enum Request {
    /// Nothing more: it was answered.
    Answered,
    /// To take actions together.
    Take(JointAction),
}

/// The state of a system of these problems, with all that the future depends on.
type Saved<P> = Snapshot<<<P as Problems>::System as System>::State>;

/// The environment of a game, with the history of its steps.
pub struct Seat<P: Problems> {
    pub env: Env<P>,
    seed: u64,
    /// The steps that were taken and not undone.
    past: Vec<Taken<P>>,
    /// The rewards so far.
    pub reward: f64,
}

/// A joint action and the state before it.
pub struct Taken<P: Problems> {
    pub joint: JointAction,
    pub before: Saved<P>,
    /// The rewards until then.
    reward: f64,
}

impl<P> Seat<P>
where
    P: Problems,
    Failure: From<P::Error>,
{
    /// The start of the first problem.
    ///
    /// # Errors
    /// When it is at fault.
    pub fn new(env: Env<P>, seed: u64) -> Result<Self, Failure> {
        let mut seat = Self {
            env,
            seed,
            past: Vec::new(),
            reward: 0.0,
        };
        seat.reset()?;
        Ok(seat)
    }

    /// The last step.
    pub fn last(&self) -> Option<&Taken<P>> {
        self.past.last()
    }

    fn reset(&mut self) -> Result<(), Failure> {
        self.env.reset_to(Some(self.seed), ProblemChoice::Index(0))?;
        self.past.clear();
        self.reward = 0.0;
        Ok(())
    }

    /// Takes the last step back; whether there was one.
    fn undo(&mut self) -> Result<bool, Failure> {
        let Some(taken) = self.past.pop() else {
            return Ok(false);
        };
        self.env.restore(&taken.before)?;
        self.reward = taken.reward;
        Ok(true)
    }
}

/// A game at a seat.
pub struct Sitting<G: Game> {
    game: G,
    seat: Seat<G::Problems>,
}

impl<G> Sitting<G>
where
    G: Game,
    Failure: From<<G::Problems as Problems>::Error>,
    <G::Problems as Problems>::Error: Display,
{
    /// A game from its start.
    pub const fn new(game: G, seat: Seat<G::Problems>) -> Self {
        Self { game, seat }
    }

    /// Does what the lines say until they end.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn run(&mut self, mut lines: Box<dyn Lines>) -> Result<(), Failure> {
        self.game.welcome(&self.seat, lines.has_arrows())?;
        self.game.show(&self.seat)?;
        loop {
            let completions = self.game.completions(&self.seat)?;
            match lines.next(&completions)? {
                None => return Ok(()),
                Some(Line::Text(line)) if matches!(line.as_str(), "quit" | "exit") => return Ok(()),
                Some(Line::Text(line)) => self.answer(&line)?,
                Some(Line::Arrow(direction)) => {
                    let request = self.game.follow(direction, &self.seat)?;
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
                if self.seat.undo()? {
                    self.game.show(&self.seat)
                } else {
                    say("nothing to undo")
                }
            }
            "reset" => {
                self.seat.reset()?;
                self.game.show(&self.seat)
            }
            _ => {
                let request = self.game.read(line, &mut self.seat)?;
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
        let Self { game, seat } = self;
        if !seat.env.episode()?.is_running() {
            return say(&format!("{}: undo, reset or quit", game.over(seat)?));
        }
        let before = seat.env.save()?;
        let choices: &[Choice] = &joint;
        let step = match seat.env.step(choices) {
            Ok(step) => step,
            // The state did not change.
            Err(error) => return say(&error.to_string()),
        };
        let taken = Taken {
            joint,
            before,
            reward: seat.reward,
        };
        seat.reward += step.reward;
        game.tell(&taken, step, seat)?;
        seat.past.push(taken);
        game.show(seat)?;
        match game.ending(step, seat)? {
            Some(ending) => say(&ending),
            None => Ok(()),
        }
    }
}
