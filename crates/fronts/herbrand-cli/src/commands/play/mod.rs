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
/// Shows the state (grids and towers are drawn), the progress towards the goal, and the valid actions. Take an action by its
/// number, by its name, or by any words that only it contains; other words list the actions that contain them. In RDDL, a
/// line names all actions of a step, or gives their numbers. The game also has the commands `undo`, `hint`, `state`,
/// `actions`, `legend`, `reset`, `help` and `quit`. In PDDL, `goal` shows the missing parts of the goal, `effects` shows the
/// effects of the last action and its changes, and random outcomes are reported after each action. A hint is the next step
/// of the plan stored with a bundled problem, or one that is searched for.
///
/// In a terminal, Tab completes actions. On a grid, the arrow keys take the action that leads in their direction; elsewhere
/// they recall earlier lines, as Ctrl-P does everywhere. Lines from a pipe are repeated in the output, which is then not
/// coloured.
///
/// In the game `pddlworld` the state is a domain: each action adds or removes a literal of an operator, until the domain
/// behaves like a hidden one. By default the hidden domain is a light switch; `pddlworld/blocks` uses a bundled domain, and
/// `pddlworld/FOLDER` a folder.
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

    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Use the operators as actions, even if the domain declares agent actions
    #[arg(long)]
    operators: bool,

    /// The start of `pddlworld`: `empty`, `random`, `target`, or the number of wrong literals
    #[arg(long, value_name = "START")]
    start: Option<String>,
}

impl Play {
    /// Returns the limits of the whole game. A player in a terminal has no time limit.
    pub fn limits(&self) -> LimitArgs {
        if is_terminal() {
            self.problem.limits.of_parts()
        } else {
            self.problem.limits
        }
    }

    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        if format == Format::Json {
            let message = "play has no JSON output: use `herbrand show --format json` for a state as data";
            return Err(Failure::Request(message.to_owned()));
        }
        if domain::is_meant(&self.problem) {
            let (game, seat) = Editing::start(self.problem, self.start.as_deref(), self.seed)?;
            Sitting::new(game, seat).run(lines(false)?)?;
            return Ok(Answer::Yes);
        }
        if self.start.is_some() {
            let message = "--start needs `herbrand play pddlworld`";
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

/// Returns whether a person plays: both input and output are terminals.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The player's lines. In a terminal, arrow keys are reported if `arrows`.
fn lines(arrows: bool) -> io::Result<Box<dyn Lines>> {
    Ok(if is_terminal() {
        Box::new(Editor::new(arrows)?)
    } else {
        Box::new(Piped)
    })
}

/// Writes a line and flushes it.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
