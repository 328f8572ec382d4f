//! One sitting: lines in, states out.

use std::io::Write;
use std::time::Duration;

use herbrand::env::{
    AgentActionId, Direction, Drawing, Env, EnvError, Part, PlanningEnv, ProblemChoice, Snapshot, Step,
    System,
};
use herbrand::limits::{Budget, Limits};
use herbrand::play::{Hints, Planned, planned};

use super::lines::{Line, Lines};
use super::view::{self, Shown};
use crate::failure::Failure;
use crate::output;

const HELP: &str = "  a number      take that action
  an arrow key  on a grid, in a terminal: the action that leads there
  words         take the only action that contains them, or list those that do
  (name a b)    take this action
  undo          take the last action back
  effects       what the last action did
  hint          the next step of the stored plan, or of one from here
  goal          what the goal lacks
  state         all atoms that hold
  actions       all valid actions
  legend        what the symbols of a grid mean
  reset         begin again
  quit          leave";

/// What a planner may use for a hint.
const LIMITS: Limits = Limits {
    bytes: Some(1 << 30),
    time: Some(Duration::from_secs(10)),
};

/// An environment that is played, and how it came to be where it is.
pub struct Session {
    env: Env,
    hints: Option<Hints>,
    drawing: Option<Drawing>,
    seed: u64,
    past: Vec<Taken>,
    reward: f64,
}

/// An action that was taken.
struct Taken {
    action: AgentActionId,
    before: Snapshot,
    /// The reward until then.
    reward: f64,
}

/// What a line asks for.
enum Request {
    Nothing,
    Quit,
    Help,
    Undo,
    Effects,
    Hint,
    Goal,
    State,
    Actions,
    Legend,
    Reset,
    Take(AgentActionId),
    List(String),
    NoNumber(usize),
    NotValid(AgentActionId),
    /// No valid action leads in a direction.
    Nowhere(Direction),
    /// Several valid actions lead in a direction.
    Choose(Vec<(AgentActionId, String)>),
}

/// What directions are called.
const fn words(direction: Direction) -> [&'static str; 2] {
    match direction {
        Direction::Up => ["up", "north"],
        Direction::Down => ["down", "south"],
        Direction::Left => ["left", "west"],
        Direction::Right => ["right", "east"],
    }
}

impl Session {
    /// The start of the one problem of `env`.
    ///
    /// # Errors
    /// When the problem is at fault.
    pub fn new(mut env: Env, hints: Option<Hints>, seed: u64) -> Result<Self, Failure> {
        env.reset_to(Some(seed), ProblemChoice::Index(0))?;
        Ok(Self {
            drawing: Drawing::of(env.suite(), 0),
            env,
            hints,
            seed,
            past: Vec::new(),
            reward: 0.0,
        })
    }

    /// Whether the state is drawn as a grid.
    pub fn has_grid(&self) -> bool {
        self.drawing.as_ref().is_some_and(Drawing::is_grid)
    }

    /// Does what the lines say until they end.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn run(&mut self, mut lines: Box<dyn Lines>) -> Result<(), Failure> {
        let arrows = lines.has_arrows();
        self.show(|out, env, drawing| Ok(view::welcome(out, env, drawing, arrows)?))?;
        self.show(view::all)?;
        loop {
            let valid = view::valid(&self.env)?;
            let names = valid.iter().map(|(_, name)| name.clone()).collect::<Vec<_>>();
            let Some(line) = lines.next(&names)? else {
                return Ok(());
            };
            let request = match line {
                Line::Text(line) => self.read(&line, &valid)?,
                Line::Arrow(direction) => self.follow(direction, valid)?,
            };
            if matches!(request, Request::Quit) {
                return Ok(());
            }
            self.answer(request)?;
        }
    }

    fn read(&self, line: &str, valid: &[(AgentActionId, String)]) -> Result<Request, EnvError> {
        let line = line.to_lowercase();
        if let Ok(number) = line.parse::<usize>() {
            let chosen = number.checked_sub(1).and_then(|index| valid.get(index));
            return Ok(chosen.map_or(Request::NoNumber(number), |&(action, _)| Request::Take(action)));
        }
        Ok(match line.as_str() {
            "" => Request::Nothing,
            "quit" | "exit" => Request::Quit,
            "help" | "?" => Request::Help,
            "undo" => Request::Undo,
            "effects" => Request::Effects,
            "hint" => Request::Hint,
            "goal" => Request::Goal,
            "state" => Request::State,
            "actions" => Request::Actions,
            "legend" => Request::Legend,
            "reset" => Request::Reset,
            words => {
                if let Some(action) = self.env.instance()?.find_action(words) {
                    let is_valid = valid.iter().any(|&(other, _)| other == action);
                    return Ok(if is_valid {
                        Request::Take(action)
                    } else {
                        Request::NotValid(action)
                    });
                }
                let mut fitting = valid.iter().filter(|(_, name)| view::contains(name, words));
                match (fitting.next(), fitting.next()) {
                    (Some(&(action, _)), None) => Request::Take(action),
                    _ => Request::List(words.to_owned()),
                }
            }
        })
    }

    /// The action that an arrow key means: the only valid one that names the direction, or the cell that lies there.
    fn follow(&self, direction: Direction, valid: Vec<(AgentActionId, String)>) -> Result<Request, EnvError> {
        let planning = self.env.system()?;
        let cell = self
            .drawing
            .as_ref()
            .and_then(|drawing| drawing.beside(planning, direction));
        let leads = |name: &str| {
            let mut words_of = name.split(|c: char| c.is_whitespace() || "()".contains(c));
            words_of.any(|word| words(direction).contains(&word) || cell.as_deref() == Some(word))
        };
        let mut fitting = valid;
        fitting.retain(|(_, name)| leads(name));
        Ok(match fitting.as_slice() {
            [] => Request::Nowhere(direction),
            &[(action, _)] => Request::Take(action),
            _ => Request::Choose(fitting),
        })
    }

    fn answer(&mut self, request: Request) -> Result<(), Failure> {
        match request {
            Request::Nothing | Request::Quit => Ok(()),
            Request::Help => self.say(HELP),
            Request::Undo => self.undo(),
            Request::Effects => self.effects(),
            Request::Hint => self.hint(),
            Request::Goal => self.show(|out, env, _| view::goal(out, env)),
            Request::State => self.show(|out, env, _| view::state(out, env, Part::All)),
            Request::Actions => self.show(|out, env, _| view::actions(out, env, "(")),
            Request::List(words) => self.show(|out, env, _| view::actions(out, env, &words)),
            Request::NoNumber(number) => self.say(&format!("there is no action {number}")),
            Request::NotValid(action) => {
                let why = self
                    .env
                    .explain(action)
                    .map_or_else(|error| error.to_string(), |why| why.to_string());
                self.say(&why)
            }
            Request::Legend => self.legend(),
            Request::Nowhere(direction) => {
                self.say(&format!("no valid action leads {}", words(direction)[0]))
            }
            Request::Choose(actions) => {
                let names = actions.iter().map(|(_, name)| name.as_str());
                self.say(&format!(
                    "several actions lead there: {}",
                    names.collect::<Vec<_>>().join(" ")
                ))
            }
            Request::Reset => {
                self.env.reset_to(Some(self.seed), ProblemChoice::Index(0))?;
                self.past.clear();
                self.reward = 0.0;
                self.show(view::all)
            }
            Request::Take(action) => self.take(action),
        }
    }

    fn take(&mut self, action: AgentActionId) -> Result<(), Failure> {
        if !self.env.episode()?.is_running() {
            return self.say(&format!("{}: undo, reset or quit", self.ending()?));
        }
        let taken = Taken {
            action,
            before: self.env.save()?,
            reward: self.reward,
        };
        let step = match self.env.step(action) {
            Ok(step) => step,
            // An ambiguous action, or an effect without a value: the state is what it was.
            Err(EnvError::Planning(error)) => return self.say(&error.to_string()),
            Err(error) => return Err(error.into()),
        };
        let fired = self.env.explain_step(&taken.before, action)?;
        self.past.push(taken);
        self.reward += step.reward;
        let name = self.env.instance()?.space().display(action).to_string();
        self.say(&name)?;
        fired.draws().iter().try_for_each(|draw| self.say(draw))?;
        self.show(view::all)?;
        self.conclude(step)
    }

    /// Says how the episode ended, if it did.
    fn conclude(&self, step: Step) -> Result<(), Failure> {
        if !step.terminated {
            return Ok(());
        }
        let steps = output::counted(u64::from(self.env.episode()?.elapsed()), "step");
        let reward = self.reward;
        self.say(&if step.goal {
            format!("goal reached in {steps}, reward {reward}")
        } else {
            format!("a dead end after {steps}, reward {reward}: undo, reset or quit")
        })
    }

    /// Why no further action can be taken.
    fn ending(&self) -> Result<&'static str, EnvError> {
        let reached = self.env.system()?.status().goal;
        Ok(if reached {
            "the goal is reached"
        } else {
            "this is a dead end"
        })
    }

    fn legend(&self) -> Result<(), Failure> {
        match &self.drawing {
            Some(drawing) if drawing.legend().next().is_some() => {
                self.show(|out, _, _| Ok(view::legend(out, drawing)?))
            }
            _ => self.say("no symbols are drawn here"),
        }
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let Some(taken) = self.past.pop() else {
            return self.say("nothing to undo");
        };
        self.env.restore(&taken.before)?;
        self.reward = taken.reward;
        self.show(view::all)
    }

    fn effects(&self) -> Result<(), Failure> {
        match self.past.last() {
            None => self.say("no action was taken yet"),
            Some(taken) => {
                let fired = self.env.explain_step(&taken.before, taken.action)?;
                self.say(&fired.to_string())
            }
        }
    }

    fn hint(&self) -> Result<(), Failure> {
        if !self.env.episode()?.is_running() {
            return self.say(self.ending()?);
        }
        let instance = self.env.instance()?;
        let state = self.env.state()?;
        let stored = self.hints.as_ref().and_then(|hints| hints.here(state));
        if let Some(action) = stored {
            let name = instance.space().display(action).to_string();
            return self.say(&format!("the plan goes on with {name}"));
        }
        match planned(instance, state, Budget::new(LIMITS))? {
            Planned::Steps(plan) => {
                let steps = output::counted(plan.len() as u64, "step");
                let first = plan
                    .first()
                    .map(|&action| instance.space().display(action).to_string());
                let name = first.unwrap_or_default();
                self.say(&format!("a plan of {steps} begins with {name}"))
            }
            Planned::None(reason) => self.say(reason),
        }
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        let mut out = output::out();
        writeln!(out, "{text}")?;
        Ok(out.flush()?)
    }

    fn show(
        &self,
        view: impl FnOnce(&mut dyn Write, &Env, Option<&Drawing>) -> Result<(), Shown>,
    ) -> Result<(), Failure> {
        let mut out = output::out();
        view(&mut out, &self.env, self.drawing.as_ref()).map_err(|shown| match shown {
            Shown::Output(error) => Failure::Output(error),
            Shown::Env(error) => error.into(),
        })?;
        Ok(out.flush()?)
    }
}
