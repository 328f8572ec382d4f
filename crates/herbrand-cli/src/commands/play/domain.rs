//! A sitting over a domain under edit.

use std::io::Write;
use std::sync::Arc;

use herbrand::Problem;
use herbrand::core::{Choice, Env, EnvOptions, Horizon, ProblemChoice, Snapshot};
use herbrand::env::{ActionMode, Suite};
use herbrand::pddlworld::{Start, Target, Verdict, Walks, WorldAction, WorldOptions, WorldState, Worlds};

use super::lines::{Line, Lines};
use crate::failure::Failure;
use crate::output::{self, counted};
use crate::problem::ProblemArgs;

const HELP: &str = "  precondition turn-on (on) negative
                what the precondition of an action says of a literal: positive, absent, negative
  effect turn-on (lit) positive
                the same of its effect
  0 1 0 2       an edit as numbers: clause (0 precondition, 1 effect), action, literal, value (0 positive,
                1 absent, 2 negative)
  check         a state in which the model is wrong, if there is one
  plan          plans of the model for the problems, carried out in the target
  pddl          the model as PDDL
  target        the table of the target
  undo          take the last edit back
  reset         begin again
  quit          leave";

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// What a domain under edit is called.
const NAME: &str = "pddlworld";

/// Whether a name means a domain under edit: `pddlworld`, or `pddlworld/blocks`.
pub fn is_meant(problem: &ProblemArgs) -> bool {
    let name = problem.name.as_deref().unwrap_or_default();
    name.strip_prefix(NAME)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The sketch that a word of the command line means: `empty`, `random`, `target`, or how many signs of the target are wrong.
fn start(word: Option<&str>, target: &Target) -> Result<Start, Failure> {
    Ok(match word {
        None | Some("empty") => Start::Empty,
        Some("random") => Start::Random,
        Some("target") => Start::Given(target.sketch().clone()),
        Some(word) => match word.parse() {
            Ok(count) => Start::Corrupted(count),
            Err(_) => {
                let message = format!(
                    "--start is `empty`, `random`, `target`, or how many signs of the target are wrong, not `{word}`"
                );
                return Err(Failure::Request(message));
            }
        },
    })
}

/// The target that a name means: the light switch, or a domain with one of its problems.
fn target(problem: ProblemArgs) -> Result<Target, Failure> {
    let name = problem.name.clone().unwrap_or_default();
    let Some(of) = name.strip_prefix(NAME).and_then(|rest| rest.strip_prefix('/')) else {
        return Ok(Target::light_switch());
    };
    let problem = ProblemArgs {
        name: Some(of.to_owned()),
        ..problem
    };
    let suite: Suite = problem.suite(ActionMode::Operators, "a domain under edit")?;
    let Some(source) = suite.problem_source(0) else {
        return Err(Failure::Request(format!(
            "`{of}` has no problem to judge models on"
        )));
    };
    let problem = Problem::parse(source, suite.domain())?;
    Ok(Target::new(suite.domain(), &[problem], Walks::default())?)
}

/// A domain that is edited, and how it came to be what it is.
pub struct Editing {
    env: Env<Worlds>,
    seed: u64,
    past: Vec<(Snapshot<WorldState>, f64)>,
    reward: f64,
}

impl Editing {
    /// The start of an episode.
    ///
    /// # Errors
    /// When there is no such domain or problem, or it cannot be edited.
    pub fn new(problem: ProblemArgs, first: Option<&str>, seed: u64) -> Result<Self, Failure> {
        let target = target(problem)?;
        let options = WorldOptions {
            start: start(first, &target)?,
            ..WorldOptions::default()
        };
        let worlds = Worlds::new(vec![Arc::new(target)], options)?;
        let options = EnvOptions {
            horizon: Horizon::Never,
            ..EnvOptions::default()
        };
        let mut env = Env::new(worlds, options)?;
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

    fn target(&self) -> Result<&Target, Failure> {
        Ok(self.env.system()?.target())
    }

    /// What can be typed: the edits that change something.
    fn names(&self) -> Result<Vec<String>, Failure> {
        let (world, choices) = (self.env.system()?, self.env.choices()?.into_iter());
        let actions = choices
            .filter_map(Choice::alternative)
            .filter_map(|number| world.numbered(number));
        Ok(actions.map(|action| world.target().action_text(action)).collect())
    }

    fn answer(&mut self, line: &str) -> Result<(), Failure> {
        match line {
            "" => Ok(()),
            "help" | "?" => say(HELP),
            "undo" => self.undo(),
            "check" => self.check(),
            "plan" => self.plan(),
            "pddl" => {
                let model = self.target()?.model(self.env.system()?.sketch(), 0)?;
                say(model.domain_text().trim_end())
            }
            "target" => {
                let target = self.target()?;
                say(target.table(target.sketch()).trim_end())
            }
            "reset" => {
                self.env.reset_to(Some(self.seed), ProblemChoice::Index(0))?;
                self.past.clear();
                self.reward = 0.0;
                self.show()
            }
            edit => match self.target()?.parse_action(edit) {
                Ok(action) => self.take(action),
                Err(message) => say(&message),
            },
        }
    }

    fn take(&mut self, action: WorldAction) -> Result<(), Failure> {
        if !self.env.episode()?.is_running() {
            return say("the target is found: undo, reset or quit");
        }
        let world = self.env.system()?;
        let Some(joint) = world.joint(action) else {
            return say("`check` and `plan` answer questions here");
        };
        let text = world.target().action_text(action);
        let saved = self.env.save()?;
        let step = match self.env.step(&joint) {
            Ok(step) => step,
            // The sketch is what it was.
            Err(error) => return say(&error.to_string()),
        };
        self.past.push((saved, self.reward));
        self.reward += step.reward;
        say(&format!("{text}: reward {:.4}", step.reward))?;
        self.show()?;
        if step.goal {
            let edits = counted(u64::from(self.env.episode()?.elapsed()), "edit");
            say(&format!(
                "the model does what the target does in every state, after {edits}"
            ))?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Failure> {
        match self.target()?.witness(self.env.system()?.sketch()) {
            None => say("the model does what the target does in every state"),
            Some(witness) => say(&witness.to_string()),
        }
    }

    fn plan(&self) -> Result<(), Failure> {
        let (target, world) = (self.target()?, self.env.system()?);
        for (number, name) in target.problem_names().enumerate() {
            let verdict = match target.verdict(world.sketch(), number, world.options().most_states) {
                Verdict::Solved { steps } => {
                    format!("a plan of {} reaches the goal", counted(steps as u64, "step"))
                }
                Verdict::Inapplicable { step } => format!("step {} of the plan is not applicable", step + 1),
                Verdict::Missed => "the plan misses the goal".to_owned(),
                Verdict::NoPlan => "the model has no plan".to_owned(),
                Verdict::Exhausted => "the model has too many states to look for a plan".to_owned(),
                Verdict::NoGoal => "there is no goal".to_owned(),
            };
            say(&format!("{name}: {verdict}"))?;
        }
        Ok(())
    }

    fn undo(&mut self) -> Result<(), Failure> {
        let Some((saved, reward)) = self.past.pop() else {
            return say("nothing to undo");
        };
        self.env.restore(&saved)?;
        self.reward = reward;
        self.show()
    }

    fn show(&self) -> Result<(), Failure> {
        let world = self.env.system()?;
        let (target, step) = (world.target(), self.env.episode()?.elapsed());
        say(&format!(
            "\n{BOLD}{NAME}/{}{BOLD:#}, step {step}, return {:.4}",
            target.name(),
            self.reward
        ))?;
        say(target.table(world.sketch()).trim_end())?;
        say(&format!(
            "in {:.2}% of all states and actions the model does what the target does",
            100.0 * target.agreement(world.sketch())
        ))
    }
}

fn say(text: &str) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}
