//! Plays PDDL problems: each turn takes one action, chosen by name or number.

use std::io::Write;
use std::time::Duration;

use herbrand::core::{Choice, Described as _, EnvOptions, EpisodeHorizon, JointAction, Step};
use herbrand::env::plan::cost_after;
use herbrand::env::{AgentActionId, AgentActions, Env, Grounded, Planning, PlanningEnv, Suite, System};
use herbrand::limits::Limits;
use herbrand::render::Direction;
use herbrand::render::{Pictured as _, StateRenderer};
use herbrand::tasks::any::{Hints, Planned, planned};
use herbrand::text::{did_you_mean, nearest};

use super::game::{Game, GameSession, PlayedStep, Request};
use super::say;
use super::view::{self, Shown};
use super::why::why;
use crate::drawing;
use crate::failure::Failure;
use crate::output;

/// The limits of the planner for a hint.
const LIMITS: Limits = Limits {
    bytes: Some(1 << 30),
    time: Some(Duration::from_secs(10)),
};

/// The kind of game for PDDL problems: each move is an action.
pub struct PlanningGame {
    hints: Option<Hints>,
    picture: StateRenderer<Planning<Grounded>>,
}

/// The words for a direction in action names.
const fn words(direction: Direction) -> [&'static str; 2] {
    match direction {
        Direction::Up => ["up", "north"],
        Direction::Down => ["down", "south"],
        Direction::Left => ["left", "west"],
        Direction::Right => ["right", "east"],
    }
}

impl PlanningGame {
    /// Starts a game on the only problem of `suite`. Returns the kind of game and its environment.
    ///
    /// # Errors
    /// Fails if the problem is invalid.
    pub fn start(suite: Suite, seed: u64) -> Result<(Self, GameSession<Suite>), Failure> {
        let hints = Hints::of(&suite)?;
        let options = EnvOptions {
            horizon: EpisodeHorizon::Never,
            ..EnvOptions::default()
        };
        let session = GameSession::new(Env::new(suite, options)?, seed)?;
        let picture = session.env.problems().renderer(0, session.env.system()?)?;
        Ok((Self { hints, picture }, session))
    }

    /// Returns whether the state is drawn as a grid, so that arrow keys can mean directions.
    pub fn has_grid(&self) -> bool {
        self.picture.picture().has_text_grid()
    }

    /// Interprets words: an action's name, or text that exactly one valid action contains. Otherwise lists the valid actions
    /// that contain the words.
    fn named(&self, words: &str, session: &GameSession<Suite>) -> Result<Request, Failure> {
        let valid = view::valid(&session.env)?;
        if let Some(action) = session.env.instance()?.find_action(words) {
            if valid.iter().any(|&(other, _)| other == action) {
                return Ok(take(action));
            }
            let why = session.env.explain(action);
            say(&why.map_or_else(|error| error.to_string(), |why| why.to_string()))?;
            return Ok(Request::Answered);
        }
        let mut fitting = valid.iter().filter(|(_, name)| view::contains(name, words));
        // A text in parentheses is a whole action, or one that lacks objects.
        let is_whole = words.starts_with('(') && words.ends_with(')');
        let (first, second) = (fitting.next().filter(|_| !is_whole), fitting.next());
        if let (Some(&(action, _)), None) = (first, second) {
            return Ok(take(action));
        }
        if first.is_none()
            && let Some(reason) = self.refused(words, session)?
        {
            say(&reason)?;
            return Ok(Request::Answered);
        }
        show(|out| view::actions(out, &session.env, words))?;
        Ok(Request::Answered)
    }

    /// Returns why words that no valid action contains are not an action: the reason for an action in parentheses, or the
    /// name that a misspelt word may mean. `None` if neither is known.
    fn refused(&self, words: &str, session: &GameSession<Suite>) -> Result<Option<String>, Failure> {
        let (suite, index) = (session.env.problems(), session.env.problem().unwrap_or_default());
        if let Some(answer) = why(words, &session.env)? {
            return Ok(Some(answer));
        }
        if let Some(reason) = suite.why_never(index, words)? {
            return Ok(Some(reason));
        }
        if words.starts_with('(') {
            let found = session.env.system()?.parse_choice(words);
            return Ok(found.err().map(|error| error.to_string()));
        }
        let vocabulary = &session.env.instance()?.simulator().task().vocabulary;
        let agent = suite.agent_actions().map(AgentActions::actions);
        let agent = agent.into_iter().flatten().map(|action| action.name.as_str());
        let schemas = vocabulary.schemas.iter().map(|schema| schema.name.as_str());
        let objects = vocabulary.objects.iter().map(|object| object.name.as_str());
        let names: Vec<_> = agent.chain(schemas).chain(objects).collect();
        let unknown = words
            .split_whitespace()
            .find(|word| names.iter().all(|name| !name.contains(word)));
        let meant = unknown.and_then(|word| nearest(word, names.iter().copied()));
        Ok(meant.map(|meant| format!("no valid action contains `{words}`{}", did_you_mean(Some(meant)))))
    }

    /// Says why an action is not valid, or which objects are missing.
    fn why(&self, words: &str, session: &GameSession<Suite>) -> Result<(), Failure> {
        if let Ok(number) = words.parse::<usize>() {
            let valid = view::valid(&session.env)?;
            let name = number.checked_sub(1).and_then(|index| valid.get(index));
            return say(&match name {
                Some((_, name)) => format!("{number}, {name}, is valid: all its conditions hold"),
                None => format!(
                    "there is no action {number}: the list has the valid actions only; name another one, such as \
                     `why (name a b)`"
                ),
            });
        }
        let answer = match why(words, &session.env)? {
            Some(answer) => Some(answer),
            None => self.refused(words, session)?,
        };
        say(&answer.unwrap_or_else(|| format!("`{words}` is not the beginning of an action")))
    }

    fn effects(&self, session: &GameSession<Suite>) -> Result<(), Failure> {
        let taken = session.last().map(|taken| (taken, action_of(taken)));
        let Some((taken, Some(action))) = taken else {
            return say("no action has been taken yet");
        };
        say(&session.env.explain_step(&taken.before, action)?.to_string())
    }

    fn hint(&self, session: &GameSession<Suite>) -> Result<(), Failure> {
        if session.env.episode()?.is_over() {
            return say(self.over(session)?);
        }
        let instance = session.env.instance()?;
        let state = session.env.state()?;
        let stored = self.hints.as_ref().and_then(|hints| hints.here(state));
        if let Some(action) = stored {
            let name = instance.space().display(action).to_string();
            return say(&format!("the stored plan continues with {name}"));
        }
        match planned(instance, state, LIMITS)? {
            Planned::Steps(plan) => {
                let steps = output::counted(plan.len() as u64, "step");
                let first = plan
                    .first()
                    .map(|&action| instance.space().display(action).to_string());
                let name = first.unwrap_or_default();
                say(&format!("a plan of {steps} starts with {name}"))
            }
            Planned::None(reason) => say(reason),
        }
    }

    fn legend(&self, session: &GameSession<Suite>) -> Result<bool, Failure> {
        let moment = self.picture.moment(session.env.system()?);
        let mut out = output::out();
        let told = drawing::legend(&mut out, self.picture.picture(), &moment)?;
        out.flush()?;
        Ok(told)
    }
}

impl Game for PlanningGame {
    type Problems = Suite;

    const HELP: &'static str = "  a number      take the action with this number
  an arrow key  on a grid in a terminal: take the action that leads in this direction
  words         take the only action that contains them, or list all actions that do
  (name a b)    take this action
  undo          undo the last action
  why (name a)  tell why an action is not valid, or which objects are missing
  effects       show the effects of the last action
  hint          show the next step of the stored plan, or of a new plan
  goal          show the missing literals of the goal
  state         show all true atoms
  actions       show all valid actions
  legend        explain the symbols of the drawing
  reset         start again
  quit          leave";

    fn welcome(&self, session: &GameSession<Suite>, arrows: bool) -> Result<(), Failure> {
        let description = &session.env.problems().config().description;
        if !description.is_empty() {
            say(description)?;
        }
        let arrows = if arrows { "; the arrow keys move" } else { "" };
        say(&format!("Type `?` for help{arrows}."))?;
        self.legend(session).map(drop)
    }

    fn show(&self, session: &GameSession<Suite>) -> Result<(), Failure> {
        show(|out| view::all(out, &session.env, &self.picture))
    }

    fn completions(&self, session: &GameSession<Suite>) -> Result<Vec<String>, Failure> {
        let valid = view::valid(&session.env)?;
        Ok(valid.into_iter().map(|(_, name)| name).collect())
    }

    fn read(&self, line: &str, session: &mut GameSession<Suite>) -> Result<Request, Failure> {
        let line = line.to_lowercase();
        if let Ok(number) = line.parse::<usize>() {
            let valid = view::valid(&session.env)?;
            let chosen = number.checked_sub(1).and_then(|index| valid.get(index));
            if let Some(&(action, _)) = chosen {
                return Ok(take(action));
            }
            say(&format!("there is no action {number}"))?;
            return Ok(Request::Answered);
        }
        match line.as_str() {
            "effects" => self.effects(session)?,
            "hint" => self.hint(session)?,
            "goal" => show(|out| view::goal(out, &session.env))?,
            "state" | "facts" => show(|out| view::state(out, &session.env))?,
            "actions" => show(|out| view::actions(out, &session.env, "("))?,
            "legend" => {
                if !self.legend(session)? {
                    say("this state has no drawing with symbols")?;
                }
            }
            "why" => say(
                "name an action, such as `why (name a b)`: the reason why it is not valid, or the objects it lacks",
            )?,
            words => match words.strip_prefix("why ") {
                Some(words) => self.why(words.trim(), session)?,
                None => return self.named(words, session),
            },
        }
        Ok(Request::Answered)
    }

    /// Finds the action of an arrow key: the only valid action that names the direction, or the cell in that direction.
    fn follow(&self, direction: Direction, session: &GameSession<Suite>) -> Result<Request, Failure> {
        let moment = self.picture.moment(session.env.system()?);
        let cell = self.picture.picture().beside(&moment, direction);
        let leads = |name: &str| {
            let mut words_of = name.split(|c: char| c.is_whitespace() || "()".contains(c));
            let is_cell = |word: &str| matches!(cell, Some([name]) if name == word);
            words_of.any(|word| words(direction).contains(&word) || is_cell(word))
        };
        let mut fitting = view::valid(&session.env)?;
        fitting.retain(|(_, name)| leads(name));
        match fitting.as_slice() {
            &[(action, _)] => return Ok(take(action)),
            [] => say(&format!("no valid action leads {}", words(direction)[0]))?,
            several => {
                let names: Vec<_> = several.iter().map(|(_, name)| name.as_str()).collect();
                say(&format!("several actions lead there: {}", names.join(" ")))?;
            }
        }
        Ok(Request::Answered)
    }

    fn tell(&self, taken: &PlayedStep<Suite>, _: Step, session: &GameSession<Suite>) -> Result<(), Failure> {
        let Some(action) = action_of(taken) else {
            return Ok(());
        };
        say(&session.env.instance()?.space().display(action).to_string())?;
        let fired = session.env.explain_step(&taken.before, action)?;
        fired.draws().iter().try_for_each(|draw| say(draw))
    }

    fn ending(&self, step: Step, session: &GameSession<Suite>) -> Result<Option<String>, Failure> {
        if !step.terminated {
            return Ok(None);
        }
        let steps = output::counted(u64::from(session.env.episode()?.elapsed()), "step");
        let instance = session.env.instance()?;
        let operators = session.past().iter().filter_map(action_of);
        let operators: Vec<_> = operators
            .map(|action| instance.space().display(action).to_string())
            .collect();
        let cost = cost_after(instance.simulator(), operators.iter().map(String::as_str));
        let cost = cost.map_or_else(String::new, |cost| format!(", cost {}", output::reward(cost)));
        let reward = session.reward;
        Ok(Some(if step.goal {
            format!("goal reached in {steps}{cost}, reward {reward}")
        } else {
            format!("a dead end after {steps}{cost}, reward {reward}: undo, reset or quit")
        }))
    }

    fn over(&self, session: &GameSession<Suite>) -> Result<&'static str, Failure> {
        let reached = session.env.system()?.status().goal;
        Ok(if reached {
            "the goal is reached"
        } else {
            "this is a dead end"
        })
    }
}

fn take(action: AgentActionId) -> Request {
    Request::Take(JointAction::from_slice(&[Choice::from(action)]))
}

fn action_of(taken: &PlayedStep<Suite>) -> Option<AgentActionId> {
    AgentActionId::of(*taken.joint.first()?)
}

/// Writes a view to standard output.
fn show(view: impl FnOnce(&mut dyn Write) -> Result<(), Shown>) -> Result<(), Failure> {
    let mut out = output::out();
    view(&mut out).map_err(|shown| match shown {
        Shown::Output(error) => Failure::Output(error),
        Shown::Env(error) => error.into(),
    })?;
    Ok(out.flush()?)
}
