//! `herbrand play`: a person, or a script, as the agent.

mod domain;
mod lines;
mod planning;
mod process;
mod sitting;
mod view;

use std::io::{self, IsTerminal, Write as _};

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::rddl::simulate::Preconditions;

use crate::Answer;
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;
use crate::problems::Problems;

use domain::Editing;
use lines::{Editor, Lines, Piped};
use planning::Planning;
use process::Process;
use sitting::Sitting;

/// Play a problem in the terminal
///
/// Shows the state (grids and towers are drawn), how much of the goal is reached, and the valid actions. Take an action by its
/// number, by its name, or by any words that only this action contains; other words list the actions that contain them. In RDDL, a
/// line names all actions that are taken together. The outcomes of chance are printed after each action.
///
/// `undo`, `hint`, `goal`, `state`, `actions`, `legend`, `effects`, `reset`, `help` and `quit` are commands. A hint is the next step
/// of the plan that comes with a bundled problem, or of a plan that is found on the spot. `effects` prints the effects of the last
/// action and what they changed.
///
/// In a terminal, Tab completes actions. On a grid, an arrow key takes the action that leads in its direction; elsewhere the arrow
/// keys bring back earlier lines, as Ctrl-P does everywhere. Lines from a pipe are repeated in the output, without colours.
///
/// `pddlworld` is a game whose state is a domain: each action adds or removes a literal of an operator, until the domain behaves
/// like a hidden one. `pddlworld` alone is about a light switch; `pddlworld/blocks` is about a bundled domain, and
/// `pddlworld/FOLDER` about your own.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand play sokoban
  herbrand play slide-tile test/03
  herbrand play domain.pddl p01.pddl
  herbrand play rddl/elevators
  herbrand play pddlworld
  herbrand play pddlworld/blocks --start 2
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

    /// What a domain under edit begins with: `empty`, `random`, `target`, or how many signs of the target are wrong
    #[arg(long, value_name = "START")]
    start: Option<String>,
}

impl Play {
    /// The limits of the whole game; a person in a terminal may take any time.
    pub fn limits(&self) -> LimitArgs {
        if is_terminal() {
            self.problem.limits.of_parts()
        } else {
            self.problem.limits
        }
    }

    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        if format == Format::Json {
            let message = "play is for people: `herbrand show --format json` shows a state as data";
            return Err(Failure::Request(message.to_owned()));
        }
        if domain::is_meant(&self.problem) {
            let (game, seat) = Editing::start(self.problem, self.start.as_deref(), self.seed)?;
            Sitting::new(game, seat).run(lines(false)?)?;
            return Ok(Answer::Yes);
        }
        if self.start.is_some() {
            let message = "--start is for domains under edit: `herbrand play pddlworld`";
            return Err(Failure::Request(message.to_owned()));
        }
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        match self.problem.find(mode)? {
            Problems::Pddl(suite) => {
                let (game, seat) = Planning::start(suite, self.seed)?;
                let arrows = game.has_grid();
                Sitting::new(game, seat).run(lines(arrows)?)?;
            }
            Problems::Rddl(suite) => {
                let suite = suite.with_preconditions(Preconditions::Enforced);
                let (game, seat) = Process::start(suite, self.seed)?;
                Sitting::new(game, seat).run(lines(false)?)?;
            }
        }
        Ok(Answer::Yes)
    }
}

/// Whether a person plays.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The player's lines; in a terminal, arrow keys are told apart if `arrows`.
fn lines(arrows: bool) -> io::Result<Box<dyn Lines>> {
    Ok(if is_terminal() {
        Box::new(Editor::new(arrows)?)
    } else {
        Box::new(Piped)
    })
}

/// Writes a line, which is seen at once.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
