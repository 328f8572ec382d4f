//! Plays RDDL problems: each turn takes any number of actions together.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use herbrand::core::{
    ActionTextError, Choice, Described, Env, EnvOptions, EpisodeHorizon, JointAction, Problems as _, Step,
};
use herbrand::rddl::plan::{PlanOptions, SamplingPlanner, UctPlanner};
use herbrand::rddl::simulate::Preconditions;
use herbrand::rddl::simulate::RddlSimulator;
use herbrand::rddl::suite::{RddlError, RddlSuite};
use herbrand::render::{Pictured as _, StateRenderer};
use herbrand::tasks::{BrokenInvariant, Violation};

use super::game::{Game, GameSession, PlayedStep, Request};
use super::say;
use super::view::contains;
use crate::choices::ValidActions;
use crate::drawing;
use crate::failure::Failure;
use crate::output::{self, counted};

/// The number of steps that a hint plans by roll-outs, and that it looks ahead without a plan.
const LOOKAHEAD: u32 = 10;
const FAR: u32 = 20;

/// The time after which a hint draws no more plans.
const HINT_TIME: Duration = Duration::from_secs(5);

/// The number of actions that are listed by default.
const LISTED: usize = 20;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The kind of game for RDDL problems: each move is a joint action.
pub struct RddlGame {
    picture: StateRenderer<RddlSimulator>,
}

impl RddlGame {
    /// Starts a game on the first problem of `suite`. Returns the kind of game and its environment.
    ///
    /// # Errors
    /// Fails if the problem is invalid.
    pub fn start(suite: RddlSuite, seed: u64) -> Result<(Self, GameSession<RddlSuite>), Failure> {
        let options = EnvOptions {
            horizon: EpisodeHorizon::Declared,
            ..EnvOptions::default()
        };
        let session = GameSession::new(Env::new(suite, options)?, seed)?;
        let picture = session.env.problems().renderer(0, session.env.system()?)?;
        Ok((Self { picture }, session))
    }

    fn actions(&self, session: &GameSession<RddlSuite>, most: usize) -> Result<(), Failure> {
        if session.env.episode()?.is_over() {
            return say("valid actions (0): the episode is over");
        }
        let valid = valid(session)?;
        say(&format!("valid actions {}", valid.summary()))?;
        let names = valid.choices;
        (1..)
            .zip(&names)
            .take(most)
            .try_for_each(|(number, name)| say(&format!("  {number:>3} {name}")))?;
        match names.len().checked_sub(most) {
            None | Some(0) => Ok(()),
            Some(more) => say(&format!("  and {more} more: `actions` lists all")),
        }
    }

    /// Interprets a line of actions: their names, their numbers among the valid actions, or words that only one valid action
    /// contains. Answers any other line.
    fn named(&self, line: &str, session: &GameSession<RddlSuite>) -> Result<Request, Failure> {
        // `4 = 1` is `4=1`.
        let line = line.split('=').map(str::trim).collect::<Vec<_>>().join("=");
        let line = line.as_str();
        let system = session.env.system()?;
        let valid = valid(session)?;
        let words: Vec<&str> = line.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        let numbers: Option<Vec<NumberedChoice<'_>>> =
            words.iter().map(|word| NumberedChoice::parse(word)).collect();
        let names = match numbers {
            Some(numbers) => {
                let names = numbers.iter().map(|number| number.name(&valid));
                match names.collect::<Result<Vec<_>, _>>() {
                    Ok(names) => names.join(" "),
                    Err(error) => {
                        say(&error.to_string())?;
                        return Ok(Request::Answered);
                    }
                }
            }
            None => line.to_owned(),
        };
        let choices = valid.choices;
        let message = match system.parse_joint(&names) {
            Ok(joint) => return self.allowed(joint, session),
            Err(error) => error.to_string(),
        };
        let fitting: Vec<&String> = choices.iter().filter(|name| contains(name, line)).collect();
        match fitting.as_slice() {
            [] => say(&message)?,
            [name] if names == line => match system.parse_joint(name) {
                Ok(joint) => {
                    if !names_parts(name, line) {
                        say(&format!(
                            "`{line}` is taken as {name}, the only valid action that contains it"
                        ))?;
                    }
                    return self.allowed(joint, session);
                }
                Err(_) => say(&format!("write a value: {name}"))?,
            },
            _ if names != line => say(&message)?,
            _ => (1..)
                .zip(&choices)
                .filter(|(_, name)| contains(name, line))
                .try_for_each(|(number, name)| say(&format!("  {number:>3} {name}")))?,
        }
        Ok(Request::Answered)
    }

    /// Prints the preconditions that a joint action violates, and takes it unless preconditions refuse it.
    fn allowed(&self, joint: Vec<Choice>, session: &GameSession<RddlSuite>) -> Result<Request, Failure> {
        let system = session.env.system()?;
        let violations = Violation::by(system, &joint).unwrap_or_default();
        violations
            .iter()
            .try_for_each(|violation| say(&violation.sentence()))?;
        if violations.is_empty() || system.preconditions() != Preconditions::Refused {
            return Ok(Request::Take(JointAction::from_vec(joint)));
        }
        Ok(Request::Answered)
    }

    /// Prints the first step of a plan for the next steps: by looking ahead if joint actions can be numbered, or else by
    /// roll-outs.
    fn hint(&self, session: &GameSession<RddlSuite>) -> Result<(), Failure> {
        let episode = session.env.episode()?;
        if episode.is_over() {
            return say(self.over(session)?);
        }
        let index = session.env.problem().unwrap_or_default();
        let horizon = session.env.problems().horizon(index).unwrap_or(u32::MAX);
        let left = horizon.saturating_sub(episode.elapsed()).max(1);
        let system = session.env.system()?;
        let compiled = system.compiled();
        let mut options = PlanOptions {
            lookahead: Some(left.min(FAR)),
            time: Some(HINT_TIME),
            enforced: true,
            ..PlanOptions::default()
        };
        if let Ok(mut planner) = UctPlanner::new(Arc::clone(compiled), options) {
            let steps = left.min(FAR);
            let decision = planner.decide(system.values(), steps).map_err(RddlError::from)?;
            let mut tried = decision.tried.iter();
            let Some(&(_, walks, mean)) = tried.find(|(joint, ..)| *joint == decision.joint) else {
                return say("no action is valid");
            };
            return say(&format!(
                "looking {} ahead, {} is best: its mean return in {} is {}",
                counted(steps.into(), "step"),
                joint_name(system, &decision.joint),
                counted(walks.into(), "walk"),
                output::fixed(mean, 4),
            ));
        }
        options.lookahead = Some(left.min(LOOKAHEAD));
        let mut planner = SamplingPlanner::new(Arc::clone(compiled), options);
        let plan = planner.plan(system.values()).map_err(RddlError::from)?;
        let first = plan.steps.first().map_or(&[][..], Vec::as_slice);
        say(&format!(
            "a plan of {} by roll-outs starts with {}; its mean return is {}",
            counted(plan.steps.len() as u64, "step"),
            joint_name(system, first),
            output::fixed(plan.mean, 4),
        ))?;
        if plan.steps.iter().all(Vec::is_empty) {
            say("roll-outs found nothing better than doing nothing")?;
        }
        Ok(())
    }

    fn legend(&self, session: &GameSession<RddlSuite>) -> Result<bool, Failure> {
        let moment = self.picture.moment(session.env.system()?);
        let mut out = output::out();
        let told = drawing::legend(&mut out, self.picture.picture(), &moment)?;
        out.flush()?;
        Ok(told)
    }
}

/// Returns whether all words of a line are parts of an action's name, such as `press` and `hall` of `press___hall`, and none is
/// a piece of a part.
fn names_parts(action: &str, line: &str) -> bool {
    let parts: Vec<&str> = action
        .split("__")
        .map(|part| part.trim_start_matches('_'))
        .collect();
    line.split_whitespace()
        .all(|word| parts.contains(&word) || word == action)
}

/// The number of a valid action, perhaps with a value: `5` or `5=2.5`.
struct NumberedChoice<'l> {
    number: usize,
    value: Option<&'l str>,
}

impl<'l> NumberedChoice<'l> {
    /// Parses a word; `None` if it does not begin with a number.
    fn parse(word: &'l str) -> Option<Self> {
        let (number, value) = match word.split_once('=') {
            Some((number, value)) => (number, Some(value)),
            None => (word, None),
        };
        let number = number.parse().ok()?;
        Some(Self { number, value })
    }

    /// Returns the action with its value, such as `order___apple=5`.
    ///
    /// # Errors
    /// Fails if there is no such number, or a value is missing or superfluous.
    fn name(&self, valid: &ValidActions) -> Result<String, ActionTextError> {
        let Self { number, value } = *self;
        let place = number.checked_sub(1).filter(|&at| at < valid.choices.len());
        let Some(place) = place else {
            return Err(ActionTextError::new(format!(
                "there is no action {number}: the valid actions have numbers up to {}",
                valid.choices.len()
            )));
        };
        let choice = &valid.choices[place];
        let numeric = place.checked_sub(valid.choices.len() - valid.numeric.len());
        let reason = match (numeric.map(|at| &valid.numeric[at]), value) {
            (Some(fluent), Some(value)) => return Ok(format!("{fluent}={value}")),
            (Some(_), None) => format!("write a value, as in `{number}=1`: {choice}"),
            (None, None) => return Ok(choice.clone()),
            (None, Some(_)) => format!("{choice} takes no value: write `{number}`"),
        };
        Err(ActionTextError::new(reason))
    }
}

/// The valid actions.
fn valid(session: &GameSession<RddlSuite>) -> Result<ValidActions, Failure> {
    Ok(ValidActions::of_rddl(session.env.system()?.clone()))
}

impl Game for RddlGame {
    type Problems = RddlSuite;

    const HELP: &'static str =
        "  names         take these actions together: `press___a press___b`, `force=2.5`;
                `(press a)` is `press___a`, and `(order apple 5)` is `order___apple=5`;
                a line is one step, so it has at most one pair of parentheses
  numbers       take the valid actions with these numbers together, a number with its value: `1 3=2.5`;
                a line has numbers or names, not both
  words         take the only valid action that contains them, or list all that do
  nothing       take a step without an action
  sample        take a random action
  undo          undo the last step
  hint          show the best next step, found by looking ahead or by roll-outs
  state         show the facts of the state
  actions       show all valid actions
  legend        explain the symbols of the drawing
  reset         start again
  quit          leave";

    fn welcome(&self, session: &GameSession<RddlSuite>, _: bool) -> Result<(), Failure> {
        say("Type `?` for help.")?;
        self.legend(session).map(drop)
    }

    fn show(&self, session: &GameSession<RddlSuite>) -> Result<(), Failure> {
        let (problems, index) = (session.env.problems(), session.env.problem().unwrap_or_default());
        let name = problems.problem_name(index).unwrap_or_default();
        let step = session.env.episode()?.elapsed();
        let horizon = problems.horizon(index).map(|horizon| format!(" of {horizon}"));
        let horizon = horizon.unwrap_or_default();
        say(&format!(
            "\n{BOLD}{} {name}{BOLD:#}, step {step}{horizon}, return {}",
            problems.name(),
            output::reward(session.reward)
        ))?;
        let system = session.env.system()?;
        let picture = self.picture.picture();
        let mut out = output::out();
        if drawing::drawn(&mut out, picture, &self.picture.moment(system))? {
            drawing::facts(&mut out, system, |fact| drawing::is_beside(fact, picture))?;
        } else {
            drawing::facts(&mut out, system, |_| true)?;
        }
        out.flush()?;
        drop(out);
        if step == 0 {
            for invariant in BrokenInvariant::broken_in(system) {
                say(&format!("in the initial state, {}", invariant.sentence()))?;
            }
        }
        self.actions(session, LISTED)
    }

    fn completions(&self, session: &GameSession<RddlSuite>) -> Result<Vec<String>, Failure> {
        Ok(valid(session)?.choices)
    }

    fn read(&self, line: &str, session: &mut GameSession<RddlSuite>) -> Result<Request, Failure> {
        match line {
            "state" => {
                let mut out = output::out();
                drawing::facts(&mut out, session.env.system()?, |_| true)?;
                out.flush()?;
            }
            "actions" => self.actions(session, usize::MAX)?,
            "hint" => self.hint(session)?,
            "legend" => {
                if !self.legend(session)? {
                    say("this state has no drawing with symbols")?;
                }
            }
            "nothing" => return Ok(Request::Take(JointAction::new())),
            "sample" => match session.env.sample()? {
                Some(joint) => return Ok(Request::Take(joint)),
                None => say("no action is valid")?,
            },
            "goal" | "effects" => say(&format!(
                "`{line}` is for PDDL; in RDDL, each step reports its reward, and `state` shows the values"
            ))?,
            names => return self.named(names, session),
        }
        Ok(Request::Answered)
    }

    fn tell(
        &self,
        taken: &PlayedStep<RddlSuite>,
        step: Step,
        session: &GameSession<RddlSuite>,
    ) -> Result<(), Failure> {
        let system = session.env.system()?;
        let mut name = joint_name(system, &taken.joint);
        if system.has_replaced() {
            name = format!("nothing, in place of {name}");
        }
        say(&format!("{name}: reward {}", output::reward(step.reward)))
    }

    fn ending(&self, step: Step, session: &GameSession<RddlSuite>) -> Result<Option<String>, Failure> {
        if !step.ended() {
            return Ok(None);
        }
        let broken = BrokenInvariant::broken_in(session.env.system()?);
        for invariant in &broken {
            say(&invariant.sentence())?;
        }
        let why = match step {
            Step { goal: true, .. } => "the goal is reached",
            Step { dead_end: true, .. } => "dead end",
            Step { terminated: true, .. } => "the episode ends",
            _ if !broken.is_empty() => "a broken state invariant ends the episode",
            _ => "the horizon is reached",
        };
        let steps = counted(u64::from(session.env.episode()?.elapsed()), "step");
        Ok(Some(format!(
            "{why} after {steps}, return {}",
            output::reward(session.reward)
        )))
    }

    fn over(&self, _: &GameSession<RddlSuite>) -> Result<&'static str, Failure> {
        Ok("the episode is over")
    }
}

/// Formats a joint action in the syntax that the player types.
fn joint_name(system: &impl Described, joint: &[Choice]) -> String {
    let names: Vec<_> = joint.iter().map(|&choice| system.choice_text(choice)).collect();
    match names.as_slice() {
        [] => "nothing".to_owned(),
        names => names.join(" "),
    }
}
