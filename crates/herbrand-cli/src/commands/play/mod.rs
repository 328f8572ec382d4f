//! `herbrand play`: a person, or a script, as the agent.

mod hints;
mod lines;
mod session;
mod view;

use std::io::{self, IsTerminal};

use clap::Args;
use herbrand::env::{ActionMode, Env, EnvOptions, Horizon};

use crate::Answer;
use crate::failure::Failure;
use crate::output::Format;
use crate::problem::ProblemArgs;

use hints::Hints;
use lines::{Editor, Lines, Piped};
use session::Session;

/// Play a problem in the terminal
///
/// Shows the state (domains on a grid are drawn), how much of the goal is reached, and the valid actions. An action is
/// taken by its number, by its name, or by any words that only it contains; other words list the actions that contain
/// them. `undo`, `hint`, `goal`, `state`, `actions`, `reset`, `help` and `quit` do what they say; `effects` tells which
/// effects of the last action happened and what they changed; a hint is the next step of the plan that comes with a
/// bundled problem. In a terminal, Tab completes actions and the arrow keys bring back
/// earlier lines. Lines from a pipe are repeated in the output, which has no colours then.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand play sokoban
  herbrand play slide-tile --problem test/03
  herbrand play --domain domain.pddl --problem p01.pddl
  printf '1\\nundo\\nhint\\n' | herbrand play blocks")]
pub struct Play {
    #[command(flatten)]
    problem: ProblemArgs,

    /// The seed that outcomes are drawn by
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Take the operators as the actions, whatever the domain declares
    #[arg(long)]
    operators: bool,
}

impl Play {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        if format == Format::Json {
            let message = "play is for people: `herbrand show --format json` shows a state as data";
            return Err(Failure::Request(message.to_owned()));
        }
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let suite = self.problem.suite(mode)?;
        let hints = Hints::of(&suite)?;
        let options = EnvOptions {
            horizon: Horizon::Never,
            ..EnvOptions::default()
        };
        let env = Env::new(suite, options)?;
        let mut session = Session::new(env, hints, self.seed)?;
        let lines: Box<dyn Lines> = if io::stdin().is_terminal() && io::stdout().is_terminal() {
            Box::new(Editor::new()?)
        } else {
            Box::new(Piped)
        };
        session.run(lines)?;
        Ok(Answer::Yes)
    }
}
