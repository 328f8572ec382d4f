//! A sitting over joint actions: any language whose states and actions have names.

use std::io::Write;

use herbrand::core::{
    Choice, Described, Domain, Env, EnvOptions, Fact, FactValue, Group, Horizon, ProblemChoice, Problems,
    Snapshot, Step, System,
};

use super::lines::{Line, Lines};
use crate::failure::Failure;
use crate::output::{self, counted};

const HELP: &str = "  names         take these actions together: `press___a press___b`, `force=2.5`
  nothing       take a step without an action
  sample        take an action at random
  undo          take the last step back
  state         the facts of the state
  actions       what can be done
  reset         begin again
  quit          leave";

/// How many actions are listed without being asked for.
const LISTED: usize = 20;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// An environment that is played, and how it came to be where it is.
pub struct Sitting<P: Problems<System: Described>> {
    env: Env<P>,
    seed: u64,
    past: Vec<(Saved<P>, f64)>,
    reward: f64,
}

type Saved<P> = Snapshot<<<P as Problems>::System as System>::State>;

impl<P> Sitting<P>
where
    P: Problems<System: Described>,
    Failure: From<P::Error>,
    P::Error: std::fmt::Display,
{
    /// The start of the first problem.
    ///
    /// # Errors
    /// When it is at fault.
    pub fn new(problems: P, seed: u64) -> Result<Self, Failure> {
        let options = EnvOptions {
            horizon: Horizon::Declared,
            ..EnvOptions::default()
        };
        let mut env = Env::new(problems, options)?;
        env.reset_to(Some(seed), ProblemChoice::Index(0))?;
        Ok(Self {
            env,
            seed,
            past: Vec::new(),
            reward: 0.0,
        })
    }

    /// Does what the lines say until they end.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn run(&mut self, mut lines: Box<dyn Lines>) -> Result<(), Failure> {
        say("`?` is help.")?;
        self.show()?;
        loop {
            let names = self.names()?;
            match lines.next(&names)? {
                None => return Ok(()),
                Some(Line::Text(line)) if matches!(line.as_str(), "quit" | "exit") => return Ok(()),
                Some(Line::Text(line)) => self.answer(&line)?,
                Some(Line::Arrow(_)) => {}
            }
        }
    }

    fn answer(&mut self, line: &str) -> Result<(), Failure> {
        match line {
            "" => Ok(()),
            "help" | "?" => say(HELP),
            "undo" => self.undo(),
            "state" => self.state(),
            "actions" => self.actions(usize::MAX),
            "reset" => {
                self.env.reset_to(Some(self.seed), ProblemChoice::Index(0))?;
                self.past.clear();
                self.reward = 0.0;
                self.show()
            }
            "nothing" => self.take(&[]),
            "sample" => match self.env.sample()? {
                Some(joint) => self.take(&joint),
                None => say("no action is valid"),
            },
            names => {
                let system = self.env.system()?;
                let words = names.split([' ', ',']).filter(|word| !word.is_empty());
                let parsed: Result<Vec<Choice>, String> =
                    words.map(|word| system.parse_choice(word)).collect();
                match parsed {
                    Ok(joint) => self.take(&joint),
                    Err(message) => say(&message),
                }
            }
        }
    }

    fn take(&mut self, joint: &[Choice]) -> Result<(), Failure> {
        if !self.env.episode()?.is_running() {
            return say("the episode is over: undo, reset or quit");
        }
        let saved = self.env.save()?;
        let step = match self.env.step(joint) {
            Ok(step) => step,
            // The state is what it was.
            Err(error) => return say(&error.to_string()),
        };
        let names = self.joint_text(joint)?;
        self.past.push((saved, self.reward));
        self.reward += step.reward;
        say(&format!("{names}: reward {}", step.reward))?;
        self.show()?;
        self.conclude(step)
    }

    fn conclude(&self, step: Step) -> Result<(), Failure> {
        if !step.ended() {
            return Ok(());
        }
        let why = match step {
            Step { goal: true, .. } => "the goal is reached",
            Step { dead_end: true, .. } => "a dead end",
            Step { terminated: true, .. } => "the end",
            _ => "the episode is cut off",
        };
        let steps = counted(u64::from(self.env.episode()?.elapsed()), "step");
        say(&format!("{why} after {steps}, return {}", self.reward))
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let Some((saved, reward)) = self.past.pop() else {
            return say("nothing to undo");
        };
        self.env.restore(&saved)?;
        self.reward = reward;
        self.show()
    }

    fn joint_text(&self, joint: &[Choice]) -> Result<String, Failure> {
        let system = self.env.system()?;
        let names: Vec<_> = joint.iter().map(|&choice| system.choice_text(choice)).collect();
        Ok(match names.as_slice() {
            [] => "nothing".to_owned(),
            names => names.join(" "),
        })
    }

    fn show(&self) -> Result<(), Failure> {
        let (problems, index) = (self.env.problems(), self.env.problem().unwrap_or_default());
        let name = problems.problem_name(index).unwrap_or_default();
        let step = self.env.episode()?.elapsed();
        let horizon = problems.horizon(index).map(|horizon| format!(" of {horizon}"));
        let horizon = horizon.unwrap_or_default();
        say(&format!(
            "\n{BOLD}{} {name}{BOLD:#}, step {step}{horizon}, return {}",
            problems.name(),
            self.reward
        ))?;
        self.state()?;
        self.actions(LISTED)
    }

    fn state(&self) -> Result<(), Failure> {
        let mut facts = Grouped::default();
        self.env.system()?.facts(&mut |fact| facts.add(&fact));
        facts.lines().iter().try_for_each(|line| say(line))
    }

    /// The alternatives that are valid by themselves, and what numbers can be set.
    fn names(&self) -> Result<Vec<String>, Failure> {
        let system = self.env.system()?;
        let fields = system.actions().fields();
        let choices = self.env.choices()?.into_iter();
        let does = choices.filter(|choice| fields[choice.field as usize].default != Some(choice.value));
        let mut names: Vec<_> = does.map(|choice| system.choice_text(choice)).collect();
        for field in fields {
            match field.domain {
                Domain::Discrete { .. } => {}
                Domain::Int { low, high } => {
                    names.push(format!("{}={}", field.name, bounds(low as f64, high as f64)))
                }
                Domain::Real { low, high } => names.push(format!("{}={}", field.name, bounds(low, high))),
            }
        }
        Ok(names)
    }

    fn actions(&self, most: usize) -> Result<(), Failure> {
        let names = self.names()?;
        let limit = self.env.system()?.actions().most();
        if limit < names.len() {
            say(&format!("actions, at most {limit} at once:"))?;
        } else {
            say("actions:")?;
        }
        names
            .iter()
            .take(most)
            .try_for_each(|name| say(&format!("  {name}")))?;
        match names.len().checked_sub(most) {
            None | Some(0) => Ok(()),
            Some(more) => say(&format!("  and {more} more: `actions` lists all")),
        }
    }
}

/// Bounds as the player reads them.
fn bounds(low: f64, high: f64) -> String {
    match (low.is_finite() && low > -1e18, high.is_finite() && high < 1e18) {
        (true, true) => format!("{low}…{high}"),
        (true, false) => format!("{low} or more"),
        (false, true) => format!("{high} or less"),
        (false, false) => "a number".to_owned(),
    }
}

/// Facts, those of one name in one line.
#[derive(Default)]
struct Grouped {
    lines: Vec<(Group, String, Vec<String>)>,
}

impl Grouped {
    fn add(&mut self, fact: &Fact<'_>) {
        let arguments = fact.arguments.join(" ");
        let text = match (fact.value, arguments.as_str()) {
            (FactValue::Bool(true), _) => arguments,
            (value, "") => format!("= {value}"),
            (value, _) => format!("{arguments} = {value}"),
        };
        match self.lines.last_mut() {
            Some((group, name, list)) if *group == fact.group && name == fact.name => list.push(text),
            _ => self.lines.push((fact.group, fact.name.to_owned(), vec![text])),
        }
    }

    fn lines(&self) -> Vec<String> {
        let width = self.lines.iter().map(|(_, name, _)| name.chars().count()).max();
        let width = width.unwrap_or(0);
        let lines = self.lines.iter().map(|(group, name, list)| {
            let note = match group {
                Group::Observed => "  (observed)",
                _ => "",
            };
            let line = format!("  {name:width$}  {}", list.join(", "));
            format!("{}{note}", line.trim_end())
        });
        lines.collect()
    }
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
