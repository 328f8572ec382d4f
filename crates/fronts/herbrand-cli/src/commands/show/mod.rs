//! `herbrand show`: a state, its valid actions, and whether the goal holds.

mod board;
mod print;

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::tasks::Run;
use herbrand::tasks::show::{ShowAnswer, ShowQuery, show};

use crate::engine::EngineName;
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::options::QueryArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;
use crate::start::StartArgs;

use print::print;

/// Show a state, its valid actions, and whether the goal holds
///
/// Shows the initial state, or the state after --actions, and for each conjunct of the goal whether it holds. --seed
/// determines random outcomes. In PDDL, --explain reports for each action the effects that happened, the conditions and
/// draws that decided, and the changes. The exit status is 1 if an action is not valid.
///
/// In RDDL each step is a joint action in one pair of parentheses: `(a b)` takes two actions together, `(a) (b)` takes two
/// steps, and `()` takes no action. Write an action as `order___apple=5`, `(order
/// apple 5)`, `(order apple)=5` or `order(apple)=5`. Steps that violate action preconditions are taken unless
/// --preconditions says otherwise, and the output names the preconditions, numbered from 1, and their objects. The
/// output also lists observations.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand show sokoban 01
  herbrand show domain.pddl p01.pddl
  herbrand show blocks --actions \"(pick-up a) (stack a b)\"
  herbrand show blocks test/01 --estimates
  herbrand show exploding-blocks --actions \"(pick-up a) (put-down a)\" --explain
  herbrand show tireworld --actions \"(move-car l-1-2)\" --seed 3 --format json
  herbrand show pddlworld/blocks --actions \"(effect pick-up (holding ?x) positive)\"
  herbrand show rddl/sysadmin-mdp 1 --actions \"(reboot___c1) ()\"
  herbrand show rddl/mountain-car --actions \"(action=1.0) (action=-0.5)\"")]
pub struct Show {
    #[command(flatten)]
    problem: ProblemArgs,

    #[command(flatten)]
    preconditions: PreconditionArgs,

    #[command(flatten)]
    start: StartArgs,

    #[command(flatten)]
    options: QueryArgs<ShowQuery>,

    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// List all atoms, even if the drawing shows them
    #[arg(long)]
    all: bool,

    /// Use the operators as actions, even if the domain declares agent actions
    #[arg(long)]
    operators: bool,

    /// The engine; it does not change the result
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,
}

impl Show {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let problems = self.preconditions.apply(self.problem.find(mode)?)?;
        let problems = self.start.apply(problems)?;
        let query = ShowQuery {
            engine: self.engine.into(),
            drawn: format == Format::Text,
            ..self.options.query
        };
        let mut run = Run {
            limits: self.problem.limits(),
            seed: self.seed,
            ..Run::default()
        };
        let answer = show(&problems, &query, &mut run)?;
        match (format, &answer) {
            (Format::Json, answer) => output::json(answer)?,
            (Format::Text, ShowAnswer::State(report)) => print(report, &mut output::out(), self.all)?,
            (Format::Text, ShowAnswer::Refused { invalid }) => anstream::eprintln!("{}", invalid.reason),
        }
        Ok(CommandOutcome::yes_if(matches!(answer, ShowAnswer::State(_))))
    }
}
