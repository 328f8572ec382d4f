//! The game `pddlworld`, in which the player edits a domain.

use herbrand::core::{Catalogue as _, Choice, Env, EnvOptions, EpisodeHorizon, JointAction, Step};
use herbrand::pddlworld::{Target, Verdict, Worlds};

use super::game::{Game, GameSession, PlayedStep, Request};
use super::say;
use crate::failure::Failure;
use crate::output::counted;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The game in which the player edits a domain until it behaves like a hidden one.
pub struct EditingGame;

impl EditingGame {
    /// Starts the game in the first of the worlds.
    ///
    /// # Errors
    /// Fails if there is no world.
    pub fn start(worlds: &Worlds, seed: u64) -> Result<(Self, GameSession<Worlds>), Failure> {
        let worlds = worlds.only(0)?;
        let options = EnvOptions {
            horizon: EpisodeHorizon::Never,
            ..EnvOptions::default()
        };
        let session = GameSession::new(Env::new(worlds, options)?, seed)?;
        Ok((Self, session))
    }
}

/// Returns the hidden domain, whose behaviour the player has to reproduce.
fn target_of(session: &GameSession<Worlds>) -> Result<&Target, Failure> {
    Ok(session.env.system()?.target())
}

/// Parses an edit. If it is not one, prints the reason.
fn edit(text: &str, session: &GameSession<Worlds>) -> Result<Request, Failure> {
    let world = session.env.system()?;
    let action = match world.target().parse_action(text) {
        Ok(action) => action,
        Err(error) => {
            say(&error.to_string())?;
            return Ok(Request::Answered);
        }
    };
    match world.joint(action) {
        Some(joint) => Ok(Request::Take(JointAction::from_slice(&joint))),
        None => {
            say("this is a query, not an edit: use `check` or `plan`")?;
            Ok(Request::Answered)
        }
    }
}

fn check(session: &GameSession<Worlds>) -> Result<(), Failure> {
    match target_of(session)?.witness(session.env.system()?.sketch()) {
        None => say("the model agrees with the target in every state"),
        Some(witness) => say(&witness.to_string()),
    }
}

fn plan(session: &GameSession<Worlds>) -> Result<(), Failure> {
    let (target, world) = (target_of(session)?, session.env.system()?);
    for (number, name) in target.problem_names().enumerate() {
        let verdict = match target.verdict(world.sketch(), number, world.options().most_states) {
            Verdict::Solved { steps } => {
                format!("a plan of {} reaches the goal", counted(steps as u64, "step"))
            }
            Verdict::Inapplicable { step } => format!("step {} of the plan is not applicable", step + 1),
            Verdict::Missed => "the plan does not reach the goal".to_owned(),
            Verdict::NoPlan => "the model has no plan".to_owned(),
            Verdict::Exhausted => "the model has too many states to search for a plan".to_owned(),
            Verdict::NoGoal => "the problem has no goal".to_owned(),
        };
        say(&format!("{name}: {verdict}"))?;
    }
    Ok(())
}

impl Game for EditingGame {
    type Problems = Worlds;

    const HELP: &'static str = "  precondition turn-on (on) negative
                set a literal of an action's precondition: positive, absent, negative
  effect turn-on (lit) positive
                set a literal of an action's effect
  0 1 0 2       an edit as numbers: clause (0 precondition, 1 effect), action, literal, value (0 positive,
                1 absent, 2 negative)
  check         show a state in which the model is wrong, if there is one
  plan          plan each problem with the model, and execute the plan in the target
  pddl          print the model as PDDL
  target        show the target's table
  undo          undo the last edit
  reset         start again
  quit          leave";

    fn welcome(&self, _: &GameSession<Worlds>, _: bool) -> Result<(), Failure> {
        say("Type `?` for help.")
    }

    fn show(&self, session: &GameSession<Worlds>) -> Result<(), Failure> {
        let world = session.env.system()?;
        let (target, step) = (world.target(), session.env.episode()?.elapsed());
        say(&format!(
            "\n{BOLD}pddlworld/{}{BOLD:#}, step {step}, return {:.4}",
            target.name(),
            session.reward
        ))?;
        say(target.table(world.sketch()).trim_end())?;
        say(&format!(
            "the model agrees with the target in {:.2}% of all states and actions",
            100.0 * target.agreement(world.sketch())
        ))
    }

    /// Returns the edits that change something.
    fn completions(&self, session: &GameSession<Worlds>) -> Result<Vec<String>, Failure> {
        let (world, choices) = (session.env.system()?, session.env.choices()?.into_iter());
        let actions = choices
            .filter_map(Choice::alternative)
            .filter_map(|number| world.numbered(number));
        Ok(actions.map(|action| world.target().action_text(action)).collect())
    }

    fn read(&self, line: &str, session: &mut GameSession<Worlds>) -> Result<Request, Failure> {
        match line {
            "check" => check(session)?,
            "plan" => plan(session)?,
            "pddl" => {
                let model = target_of(session)?.model(session.env.system()?.sketch(), 0)?;
                say(model.domain_text().trim_end())?;
            }
            "target" => {
                let target = target_of(session)?;
                say(target.table(target.sketch()).trim_end())?;
            }
            text => return edit(text, session),
        }
        Ok(Request::Answered)
    }

    fn tell(
        &self,
        taken: &PlayedStep<Worlds>,
        step: Step,
        session: &GameSession<Worlds>,
    ) -> Result<(), Failure> {
        let world = session.env.system()?;
        let numbers = taken.joint.iter().copied().filter_map(Choice::alternative);
        let actions = numbers.filter_map(|number| world.numbered(number));
        let text: Vec<_> = actions.map(|action| world.target().action_text(action)).collect();
        say(&format!("{}: reward {:.4}", text.join(" "), step.reward))
    }

    fn ending(&self, step: Step, session: &GameSession<Worlds>) -> Result<Option<String>, Failure> {
        let edits = counted(u64::from(session.env.episode()?.elapsed()), "edit");
        Ok(step
            .goal
            .then(|| format!("the model agrees with the target in every state, after {edits}")))
    }

    fn over(&self, _: &GameSession<Worlds>) -> Result<&'static str, Failure> {
        Ok("the model agrees with the target")
    }
}
