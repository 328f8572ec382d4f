//! `herbrand show`: a state, its valid actions, and whether the goal holds.

mod board;
mod facts;

use std::io::Write;

use clap::Args;
use herbrand::core::{Choice, Described, Problems as _, Random, Status, Streams, System as _, Transition};
use herbrand::env::{
    ActionMode, AgentActionId, Engines, Planning, PlanningError, StatePicture, SteppingEngine, Suite,
};
use herbrand::play::{GoalConjunct, goal_parts};
use herbrand::rddl;
use herbrand::rddl::simulate::{Preconditions, RddlSimulator, StepError};
use herbrand::rddl::suite::{RddlError, RddlSuite};
use serde::Serialize;

use super::rollout::only_engine;
use crate::CommandOutcome;
use crate::choices::ValidActions;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::limits::LimitArgs;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;
use crate::problems::Problems;
use crate::violations::{Invariant, Violation};

use board::Board;
use facts::Facts;

/// Show a state, its valid actions, and whether the goal holds
///
/// Shows the initial state, or the state after --actions, and for each conjunct of the goal whether it holds. --seed
/// determines random outcomes. In PDDL, --explain reports for each action the effects that happened, the conditions and
/// draws that decided, and the changes. The exit status is 1 if an action is not valid.
///
/// In RDDL each step is a joint action in parentheses, or `()` for no action. Write an action as `order___apple=5`, `(order
/// apple 5)`, `(order apple)=5` or `order(apple)=5`. Steps that violate action preconditions are taken, and the output names
/// the preconditions, numbered from 1, and their objects. The output also lists observations.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand show sokoban 01
  herbrand show domain.pddl p01.pddl
  herbrand show blocks --actions \"(pick-up a) (stack a b)\"
  herbrand show exploding-blocks --actions \"(pick-up a) (put-down a)\" --explain
  herbrand show tireworld --actions \"(move-car l-1-2)\" --seed 3 --format json
  herbrand show rddl/sysadmin-mdp 1 --actions \"(reboot___c1) ()\"
  herbrand show rddl/mountain-car --actions \"(action=1.0) (action=-0.5)\"")]
pub struct Show {
    #[command(flatten)]
    problem: ProblemArgs,

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

    /// The engine; it does not change the result
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,
}

#[derive(Serialize)]
struct Report {
    domain: String,
    problem: String,
    /// The rewards of the actions taken, added up.
    reward: f64,
    /// The reward of the last action, in RDDL.
    #[serde(skip_serializing_if = "Option::is_none")]
    last_reward: Option<f64>,
    #[serde(flatten)]
    facts: Facts,
    /// `None` in RDDL, which has no goals.
    goal: Option<bool>,
    /// The conjuncts of the goal.
    goal_parts: Vec<GoalConjunct>,
    /// Whether the system ends here by its own rules.
    terminal: bool,
    /// How many joint actions are valid; `None` if there are infinitely many or too many to count.
    valid_actions: Option<f64>,
    /// The valid choices; in RDDL a joint action combines them, and numeric action fluents are listed with their bounds.
    actions: Vec<String>,
    #[serde(skip)]
    summary: String,
    /// The drawing of the state, for text.
    #[serde(skip)]
    board: Option<Board>,
    /// The explanation of each action taken.
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<Vec<String>>,
    /// The action preconditions that steps violated, in RDDL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    violated: Vec<Violated>,
    /// The state invariants that do not hold in the state, in RDDL.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken: Vec<Invariant>,
}

/// An action precondition that a step violated.
#[derive(Serialize)]
struct Violated {
    /// The step, from 1.
    step: usize,
    #[serde(flatten)]
    violation: Violation,
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
        let report = match self.problem.find(mode)? {
            Problems::Pddl(suite) => match suite.on(self.engine.into())? {
                Engines::Grounded(grounded) => self.planning(&suite, grounded.engine(0)?, format)?,
                Engines::Lifted(lifted) => self.planning(&suite, lifted.system(0)?, format)?,
            },
            Problems::Rddl(suite) => self.of_rddl(&suite, format)?,
        };
        let Some(report) = report else {
            return Ok(CommandOutcome::No);
        };
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print(self.all)?,
        }
        Ok(CommandOutcome::Yes)
    }

    /// Takes the actions; none, and a message, when one is not valid.
    fn planning<W: SteppingEngine>(
        &self,
        suite: &Suite,
        mut planning: Planning<W>,
        format: Format,
    ) -> Result<Option<Report>, Failure>
    where
        Planning<W>: Described<Error = PlanningError>,
    {
        let texts = groups(&self.actions).into_iter().filter(|text| !text.is_empty());
        let never = |text: &str, message| {
            let never = suite.why_never(0, text).ok().flatten();
            never.unwrap_or(message)
        };
        let joints = parsed(texts, |text| {
            let choice = planning.parse_choice(text);
            Ok(vec![choice.map_err(|message| never(text, message))?])
        })?;
        let mut explained = Vec::new();
        let taken = take(&mut planning, &joints, self.seed, |planning, joint, chance| {
            let action = joint.first().and_then(|&choice| AgentActionId::of(choice));
            match action.filter(|_| self.explain) {
                None => herbrand::core::System::step(planning, joint, chance),
                Some(action) => {
                    let (transition, fired) = planning.step_explained(action, chance)?;
                    explained.push(fired.to_string());
                    Ok(transition)
                }
            }
        })?;
        let reward = match taken {
            Ok(reward) => reward,
            Err(refusal) => {
                anstream::eprintln!("{refusal}");
                return Ok(None);
            }
        };
        let facts = Facts::of(&planning, self.statics);
        let problem = suite.parse_problem(0)?;
        let mut report = Report {
            domain: suite.name().to_owned(),
            problem: suite.full_problem_name(0).unwrap_or_default(),
            goal_parts: goal_parts(suite.domain(), &problem, &facts.true_atoms()),
            explained: self.explain.then_some(explained),
            ..Report::of(&planning, reward, facts)
        };
        report.goal = Some(planning.status().goal);
        if format == Format::Text {
            let picture = StatePicture::of(suite, 0, &planning)?;
            report.board = Board::of(picture.picture(), &picture.moment(&planning))?;
        }
        Ok(Some(report))
    }

    /// The same of a problem in RDDL.
    fn of_rddl(&self, suite: &RddlSuite, format: Format) -> Result<Option<Report>, Failure> {
        only_engine(self.engine.into())?;
        if self.explain {
            let message = "--explain supports only PDDL";
            return Err(Failure::Request(message.to_owned()));
        }
        let mut simulator = suite.simulator(0)?;
        let joints = parsed(steps(&self.actions).into_iter(), |text| {
            simulator.parse_joint(text)
        })?;
        let (mut violated, mut count, mut failed) = (Vec::new(), 0, None);
        let step = |simulator: &mut RddlSimulator, joint: &[Choice], chance: &mut Random| {
            count += 1;
            let violations = Violation::by(simulator, joint);
            let taken = violations.and_then(|violations| {
                let violations = violations.into_iter();
                violated.extend(violations.map(|violation| Violated {
                    step: count,
                    violation,
                }));
                herbrand::core::System::step(simulator, joint, chance)
            });
            if let Err(error @ StepError::Value { .. }) = &taken {
                failed = Some(format!("step {count}: {error}"));
            }
            taken
        };
        let taken = take(&mut simulator, &joints, self.seed, step);
        if let Some(message) = failed {
            return Err(Failure::Request(message));
        }
        let reward = match taken? {
            Ok(reward) => reward,
            Err(refusal) => {
                anstream::eprintln!("{refusal}");
                return Ok(None);
            }
        };
        let facts = Facts::of_rddl(&simulator, self.statics);
        let board = match format {
            Format::Json => None,
            Format::Text => {
                let picture = rddl::StatePicture::of(suite, 0, &simulator)?;
                Board::of(picture.picture(), &picture.moment(&simulator))?
            }
        };
        let last_reward = simulator.last_reward();
        let broken = Invariant::broken_in(&simulator).map_err(RddlError::from)?;
        // `--actions` may violate preconditions, but such actions are not valid.
        let simulator = simulator.with_preconditions(Preconditions::Enforced);
        Ok(Some(Report {
            domain: suite.name().to_owned(),
            problem: suite.problem_name(0).unwrap_or_default().to_owned(),
            last_reward,
            violated,
            broken,
            board,
            ..Report::of(&simulator, reward, facts)
        }))
    }
}

/// Splits a text into its parenthesised groups: `a b` and `c` in `(a b) (c)`. A text without parentheses is one group.
fn groups(text: &str) -> Vec<&str> {
    let text = text.trim();
    if !text.contains('(') {
        return Some(text).filter(|text| !text.is_empty()).into_iter().collect();
    }
    let pieces = text.split(')').map(str::trim).filter(|piece| !piece.is_empty());
    pieces.map(|piece| piece.trim_start_matches('(').trim()).collect()
}

/// The steps of a text in RDDL: joint actions in parentheses, each perhaps with `=` and a value behind it, such as `(a
/// b)` and `(c)=1` in `(a b) (c)=1`. A text that begins otherwise is one step.
fn steps(text: &str) -> Vec<&str> {
    let mut rest = text.trim();
    let mut steps = Vec::new();
    while rest.starts_with('(') {
        let mut depth = 0_usize;
        let close = rest.char_indices().find(|&(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let mut end = close.map_or(rest.len(), |(at, _)| at + 1);
        let after = &rest[end..];
        if let Some(value) = after.trim_start().strip_prefix('=') {
            let value = value.trim_start();
            let length = value.find([' ', ',', '(']).unwrap_or(value.len());
            end = rest.len() - (value.len() - length);
        }
        steps.push(&rest[..end]);
        rest = rest[end..].trim_start_matches([' ', ',']);
    }
    if !rest.is_empty() {
        steps.push(rest);
    }
    steps
}

/// Parses texts as joint actions.
///
/// # Errors
/// Fails if any text is not an action; the error lists all of them.
fn parsed<'t>(
    texts: impl Iterator<Item = &'t str>,
    parse: impl Fn(&str) -> Result<Vec<Choice>, String>,
) -> Result<Vec<Vec<Choice>>, Failure> {
    let (joints, unknown): (Vec<_>, Vec<_>) = texts.map(parse).partition(Result::is_ok);
    if unknown.is_empty() {
        return Ok(joints.into_iter().flatten().collect());
    }
    let unknown: Vec<_> = unknown.into_iter().filter_map(Result::err).collect();
    Err(Failure::Request(unknown.join("\n")))
}

/// Takes joint actions from an initial state, and adds up their rewards; returns a message instead if one is refused.
fn take<S: Described>(
    system: &mut S,
    joints: &[Vec<Choice>],
    seed: u64,
    mut step: impl FnMut(&mut S, &[Choice], &mut Random) -> Result<Transition, S::Error>,
) -> Result<Result<f64, String>, Failure> {
    let mut streams = Streams::new(seed);
    let failed = |error: S::Error| Failure::Request(error.to_string());
    system.reset(&mut streams.outcomes).map_err(failed)?;
    let mut reward = 0.0;
    for joint in joints {
        match step(system, joint, &mut streams.outcomes) {
            Ok(transition) => reward += transition.reward,
            Err(error) => {
                let names: Vec<_> = joint.iter().map(|&choice| system.choice_text(choice)).collect();
                let (names, error) = (names.join(" "), error.to_string());
                // Errors of PDDL begin with the action.
                return Ok(Err(if error.starts_with(&names) {
                    error
                } else {
                    format!("{names}: {error}")
                }));
            }
        }
    }
    Ok(Ok(reward))
}

impl Report {
    /// The parts of a report that all languages share; the caller fills in the names.
    fn of(system: &impl Described, reward: f64, facts: Facts) -> Self {
        let valid = ValidActions::of(system);
        let Status { terminal, .. } = system.status();
        Self {
            domain: String::new(),
            problem: String::new(),
            reward,
            last_reward: None,
            facts,
            goal: None,
            goal_parts: Vec::new(),
            terminal,
            valid_actions: valid.count.finite(),
            summary: valid.summary(),
            board: None,
            actions: valid.choices,
            explained: None,
            violated: Vec::new(),
            broken: Vec::new(),
        }
    }

    /// Prints the report. Unless `all`, long lists of atoms that the drawing shows are folded.
    fn print(&self, all: bool) -> Result<(), Failure> {
        let mut out = output::out();
        let bold = anstyle::Style::new().bold();
        for step in self.explained.iter().flatten() {
            writeln!(out, "{step}\n")?;
        }
        writeln!(out, "{bold}{}{bold:#} ({})", self.problem, self.domain)?;
        if let Some(board) = &self.board {
            writeln!(out, "\n{board}")?;
        }
        for (label, lines) in self.facts.sections() {
            if !lines.is_empty() {
                writeln!(out, "\n{bold}{label}{bold:#}")?;
                let folded = self
                    .board
                    .as_ref()
                    .filter(|_| !all)
                    .map(|board| board.fold(&lines));
                let lines = folded.as_ref().unwrap_or(&lines);
                lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            }
        }
        if let Some(last) = self.last_reward {
            let (last, total) = (output::reward(last), output::reward(self.reward));
            writeln!(out, "\nreward of the last step {last}, return {total}")?;
        }
        if !self.violated.is_empty() {
            writeln!(out, "\n{bold}violated preconditions{bold:#}")?;
        }
        for one in &self.violated {
            writeln!(out, "  step {}: {}", one.step, one.violation.sentence())?;
        }
        if !self.broken.is_empty() {
            writeln!(out)?;
        }
        for invariant in &self.broken {
            writeln!(out, "{}", invariant.sentence())?;
        }
        writeln!(out, "\n{bold}valid actions{bold:#} {}", self.summary)?;
        self.actions
            .iter()
            .try_for_each(|action| writeln!(out, "  {action}"))?;
        if self.terminal {
            writeln!(out, "\nthis is a terminal state")?;
        }
        if let Some(goal) = self.goal {
            self.print_goal(goal, &mut out)?;
        }
        out.flush()?;
        Ok(())
    }

    fn print_goal(&self, goal: bool, out: &mut impl Write) -> Result<(), Failure> {
        let bold = anstyle::Style::new().bold();
        let word = if goal { "holds" } else { "does not hold" };
        let holding = self.goal_parts.iter().filter(|part| part.holds() == Some(true));
        let count = match self.goal_parts.len() {
            0 => "the problem has no goal".to_owned(),
            all => format!("{word}: {} of {all}", holding.count()),
        };
        writeln!(out, "\n{bold}goal{bold:#} ({count})")?;
        for part in &self.goal_parts {
            writeln!(out, "  {}", part.line())?;
        }
        Ok(())
    }
}
