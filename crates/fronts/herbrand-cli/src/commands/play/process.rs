//! Plays RDDL problems: each turn takes any number of actions together.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use herbrand::core::{Choice, Described, Env, EnvOptions, Horizon, JointAction, Problems as _, Step};
use herbrand::rddl::StatePicture;
use herbrand::rddl::plan::{PlanOptions, Planner};
use herbrand::rddl::simulate::Preconditions;
use herbrand::rddl::suite::{RddlError, RddlSuite};

use super::say;
use super::sitting::{Game, Request, Seat, Taken};
use crate::choices::ValidActions;
use crate::drawing;
use crate::failure::Failure;
use crate::output::{self, counted};
use crate::violations::Invariant;

/// The number of steps that a hint looks ahead.
const LOOKAHEAD: u32 = 10;

/// The time after which a hint draws no more plans.
const HINT_TIME: Duration = Duration::from_secs(5);

/// The number of actions that are listed by default.
const LISTED: usize = 20;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The kind of game for RDDL problems: each move is a joint action.
pub struct Process {
    picture: StatePicture,
}

impl Process {
    /// Starts a game on the first problem of `suite`. Returns the kind of game and its environment.
    ///
    /// # Errors
    /// Fails if the problem is invalid.
    pub fn start(suite: RddlSuite, seed: u64) -> Result<(Self, Seat<RddlSuite>), Failure> {
        let options = EnvOptions {
            horizon: Horizon::Declared,
            ..EnvOptions::default()
        };
        let seat = Seat::new(Env::new(suite, options)?, seed)?;
        let picture = StatePicture::of(seat.env.problems(), 0, seat.env.system()?)?;
        Ok((Self { picture }, seat))
    }

    fn actions(&self, seat: &Seat<RddlSuite>, most: usize) -> Result<(), Failure> {
        let valid = valid(seat)?;
        say(&format!("valid actions {}", valid.summary()))?;
        let names = valid.choices;
        names
            .iter()
            .take(most)
            .try_for_each(|name| say(&format!("  {name}")))?;
        match names.len().checked_sub(most) {
            None | Some(0) => Ok(()),
            Some(more) => say(&format!("  and {more} more: `actions` lists all")),
        }
    }

    /// Prints the first step of a plan for the next steps.
    fn hint(&self, seat: &Seat<RddlSuite>) -> Result<(), Failure> {
        let episode = seat.env.episode()?;
        if !episode.is_running() {
            return say(self.over(seat)?);
        }
        let index = seat.env.problem().unwrap_or_default();
        let horizon = seat.env.problems().horizon(index).unwrap_or(u32::MAX);
        let options = PlanOptions {
            lookahead: Some(horizon.saturating_sub(episode.elapsed()).clamp(1, LOOKAHEAD)),
            time: Some(HINT_TIME),
            enforced: true,
            ..PlanOptions::default()
        };
        let system = seat.env.system()?;
        let mut planner = Planner::new(Arc::clone(system.process()), options);
        let plan = planner.plan(system.values()).map_err(RddlError::from)?;
        let first = plan.steps.first().map_or(&[][..], Vec::as_slice);
        say(&format!(
            "a plan of {} starts with {}; its mean return is {:.4}",
            counted(plan.steps.len() as u64, "step"),
            joint_name(system, first),
            plan.mean
        ))
    }

    fn legend(&self, seat: &Seat<RddlSuite>) -> Result<bool, Failure> {
        let moment = self.picture.moment(seat.env.system()?);
        let mut out = output::out();
        let told = drawing::legend(&mut out, self.picture.picture(), &moment)?;
        out.flush()?;
        Ok(told)
    }
}

/// The actions that violate no precondition.
fn valid(seat: &Seat<RddlSuite>) -> Result<ValidActions, Failure> {
    let system = seat.env.system()?.clone();
    Ok(ValidActions::of(
        &system.with_preconditions(Preconditions::Enforced),
    ))
}

impl Game for Process {
    type Problems = RddlSuite;

    const HELP: &'static str =
        "  names         take these actions together: `press___a press___b`, `force=2.5`;
                `(press a)` is `press___a`, and `(order apple 5)` is `order___apple=5`
  nothing       take a step without an action
  sample        take a random action
  undo          undo the last step
  hint          show the first step of a plan found by roll-outs
  state         show the facts of the state
  actions       show all valid actions
  legend        explain the symbols of the drawing
  reset         start again
  quit          leave";

    fn welcome(&self, seat: &Seat<RddlSuite>, _: bool) -> Result<(), Failure> {
        say("Type `?` for help.")?;
        self.legend(seat).map(drop)
    }

    fn show(&self, seat: &Seat<RddlSuite>) -> Result<(), Failure> {
        let (problems, index) = (seat.env.problems(), seat.env.problem().unwrap_or_default());
        let name = problems.problem_name(index).unwrap_or_default();
        let step = seat.env.episode()?.elapsed();
        let horizon = problems.horizon(index).map(|horizon| format!(" of {horizon}"));
        let horizon = horizon.unwrap_or_default();
        say(&format!(
            "\n{BOLD}{} {name}{BOLD:#}, step {step}{horizon}, return {}",
            problems.name(),
            output::reward(seat.reward)
        ))?;
        let system = seat.env.system()?;
        let picture = self.picture.picture();
        let mut out = output::out();
        if drawing::drawn(&mut out, picture, &self.picture.moment(system))? {
            drawing::facts(&mut out, system, |fact| drawing::is_beside(fact, picture))?;
        } else {
            drawing::facts(&mut out, system, |_| true)?;
        }
        out.flush()?;
        drop(out);
        self.actions(seat, LISTED)
    }

    fn completions(&self, seat: &Seat<RddlSuite>) -> Result<Vec<String>, Failure> {
        Ok(valid(seat)?.choices)
    }

    fn read(&self, line: &str, seat: &mut Seat<RddlSuite>) -> Result<Request, Failure> {
        match line {
            "state" => {
                let mut out = output::out();
                drawing::facts(&mut out, seat.env.system()?, |_| true)?;
                out.flush()?;
            }
            "actions" => self.actions(seat, usize::MAX)?,
            "hint" => self.hint(seat)?,
            "legend" => {
                if !self.legend(seat)? {
                    say("this state has no drawing with symbols")?;
                }
            }
            "nothing" => return Ok(Request::Take(JointAction::new())),
            "sample" => match seat.env.sample()? {
                Some(joint) => return Ok(Request::Take(joint)),
                None => say("no action is valid")?,
            },
            names => {
                let system = seat.env.system()?;
                match system.parse_joint(names) {
                    Ok(joint) => return Ok(Request::Take(JointAction::from_vec(joint))),
                    Err(message) => say(&message)?,
                }
            }
        }
        Ok(Request::Answered)
    }

    fn tell(&self, taken: &Taken<RddlSuite>, step: Step, seat: &Seat<RddlSuite>) -> Result<(), Failure> {
        let system = seat.env.system()?;
        let name = joint_name(system, &taken.joint);
        say(&format!("{name}: reward {}", output::reward(step.reward)))
    }

    fn ending(&self, step: Step, seat: &Seat<RddlSuite>) -> Result<Option<String>, Failure> {
        if !step.ended() {
            return Ok(None);
        }
        let broken = Invariant::broken_in(seat.env.system()?).map_err(RddlError::from)?;
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
        let steps = counted(u64::from(seat.env.episode()?.elapsed()), "step");
        Ok(Some(format!(
            "{why} after {steps}, return {}",
            output::reward(seat.reward)
        )))
    }

    fn over(&self, _: &Seat<RddlSuite>) -> Result<&'static str, Failure> {
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
