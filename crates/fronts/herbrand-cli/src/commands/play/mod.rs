//! `herbrand play`: a person, or a script, as the agent.

mod game;
mod lines;
mod read;
mod why;

use std::io::{self, IsTerminal};

use clap::Args;
use herbrand::env::ActionMode;

use crate::failure::{Failure, refuse};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::Format;
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;
use crate::start::StartArgs;

use game::Game;
use lines::{Editor, Piped, PlayerInput};

/// Play a problem in the terminal
///
/// Shows the state (grids and towers are drawn), the progress towards the goal, and the valid actions. Take an action by its
/// number, by its name, or by any words that only it contains; other words list the actions that contain them. In RDDL, a
/// line names all actions of a step, or gives their numbers. The game also has the commands `undo`, `hint`, `goal`, `effects`,
/// `state`, `actions`, `legend`, `reset`, `help` and `quit`. `goal` shows the missing parts of the goal, `why` the reason
/// why an action is not valid or the objects that it lacks, and `effects` the effects of the last action and its changes. Random
/// outcomes in PDDL are reported after each action. A hint is the next step
/// of a plan: the plan stored with a bundled problem, or a plan that a search finds.
///
/// In a terminal, Tab completes actions. On a grid, the arrow keys take the action that leads in their direction; elsewhere
/// they recall earlier lines, as Ctrl-P does everywhere. Lines from a pipe are repeated in the output, which is then not
/// coloured.
///
/// In the game `pddlworld` the state is a domain: each action adds or removes a literal of an operator, until the domain
/// behaves like a hidden one. By default the hidden domain is a light switch; `pddlworld/blocks` uses a bundled domain, and
/// `pddlworld/FOLDER` or `pddlworld/FILE` your own. `rollout`, `show`, `record`, `replay` and `render` take these names too.
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

    #[command(flatten)]
    preconditions: PreconditionArgs,

    #[command(flatten)]
    start: StartArgs,

    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Use the operators as actions, even if the domain declares agent actions
    #[arg(long)]
    operators: bool,
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

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        if format == Format::Json {
            return refuse("play has no JSON output: use `herbrand show --format json` for a state as data");
        }
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let problems = self
            .start
            .apply(self.preconditions.apply(self.problem.find(mode)?)?)?;
        let game = Game::start(problems, self.seed)?;
        let lines = lines(game.has_grid()?)?;
        game.play(lines)?;
        Ok(CommandOutcome::Yes)
    }
}

/// Returns whether a person plays: both input and output are terminals.
fn is_terminal() -> bool {
    io::stdin().is_terminal() && io::stdout().is_terminal()
}

/// The player's lines. In a terminal, arrow keys are reported if `arrows`.
fn lines(arrows: bool) -> io::Result<Box<dyn PlayerInput>> {
    Ok(if is_terminal() {
        Box::new(Editor::new(arrows)?)
    } else {
        Box::new(Piped)
    })
}
