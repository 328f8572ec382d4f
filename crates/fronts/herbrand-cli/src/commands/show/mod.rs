//! `herbrand show`: a state, its valid actions, and whether the goal holds.

mod board;
mod estimates;
mod facts;
mod report;

use clap::Args;
use herbrand::core::Choice;
use herbrand::env::{ActionMode, Engines, LiftedSuite, Suite};
use herbrand::pddlworld::Worlds;
use herbrand::rddl::simulate::{RddlSimulator, StepError};
use herbrand::rddl::suite::RddlSuite;
use herbrand::tasks::AnyProblems;
use herbrand::tasks::{BrokenInvariant, Violation};

use super::rollout::only_engine;
use crate::choices::ValidActions;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use crate::preconditions::PreconditionArgs;
use crate::problem::ProblemArgs;
use crate::start::StartArgs;
use crate::task_file;

use estimates::Estimates;
use facts::Facts;
use report::steps;
pub use report::{Report, Shown, WalkTo};

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

    /// Actions to take first, such as "(a b) (c d)"; in RDDL such as "(order___apple=5 open) ()"
    ///
    /// In RDDL, `(order apple 5)`, `(order apple)=5` and `order(apple)=5` mean `order___apple=5`.
    #[arg(long, value_name = "ACTIONS", default_value = "")]
    actions: String,

    /// The random seed
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Also show the atoms that never change
    #[arg(long = "static")]
    statics: bool,

    /// List all atoms, even if the drawing shows them
    #[arg(long)]
    all: bool,

    /// Use the operators as actions, even if the domain declares agent actions
    #[arg(long)]
    operators: bool,

    /// Explain the effects of each action (PDDL)
    #[arg(long, requires = "actions")]
    explain: bool,

    /// Also compute the heuristics of the planners in the initial state (PDDL)
    #[arg(long, conflicts_with_all = ["actions", "engine"])]
    estimates: bool,

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
        let estimates = match &problems {
            AnyProblems::Pddl(suite) if self.estimates => Some(Estimates::of(suite, self.problem.limits())?),
            _ if self.estimates => return Err(problems.unsupported("show --estimates", "PDDL").into()),
            _ => None,
        };
        let actions = match &problems {
            AnyProblems::Pddl(suite) if suite.is_ground() => {
                task_file::named_actions(suite, &steps(&self.actions))?
            }
            _ => self.actions,
        };
        let walk = WalkTo {
            actions,
            seed: self.seed,
            explain: self.explain,
            statics: self.statics,
            drawn: format == Format::Text,
        };
        let report = match problems {
            AnyProblems::Pddl(suite) => match suite.on(self.engine.into())? {
                Engines::Grounded(suite) => walk.report(&suite)?,
                Engines::Lifted(suite) => walk.report(&suite)?,
            },
            AnyProblems::Rddl(suite) => {
                only_engine(self.engine.into())?;
                if self.explain {
                    return Err(Failure::OnlyFor("--explain".to_owned(), "PDDL"));
                }
                walk.report(&suite)?
            }
            AnyProblems::World(worlds) => {
                only_engine(self.engine.into())?;
                walk.report(&worlds)?
            }
        };
        let Some(mut report) = report else {
            return Ok(CommandOutcome::No);
        };
        report.estimates = estimates;
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print(&mut output::out(), self.all)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

impl Shown for Suite {}

impl Shown for LiftedSuite {}

impl Shown for Worlds {}

impl Shown for RddlSuite {
    const HAS_GOALS: bool = false;

    fn facts(simulator: &RddlSimulator, with_statics: bool) -> Facts {
        Facts::of_rddl(simulator, with_statics)
    }

    fn violations(simulator: &RddlSimulator, joint: &[Choice]) -> Result<Vec<Violation>, StepError> {
        Violation::by(simulator, joint)
    }

    fn is_undefined(error: &StepError) -> bool {
        matches!(error, StepError::Value { .. })
    }

    fn complete(simulator: RddlSimulator, report: &mut Report) -> Result<(), Failure> {
        report.last_reward = simulator.last_reward();
        report.broken = BrokenInvariant::broken_in(&simulator);
        if report.is_terminal() || !report.broken.is_empty() {
            report.set_over();
        } else {
            report.set_valid(ValidActions::of_rddl(simulator));
        }
        Ok(())
    }
}
