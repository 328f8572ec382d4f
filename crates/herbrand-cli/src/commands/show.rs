//! `herbrand show`: a state, its valid actions, and whether the goal holds.

use std::io::Write;

use clap::Args;
use herbrand::env::{ActionMode, AgentActionId, Engine, Instance, Planning, Streams};
use herbrand::ground::NumericId;
use herbrand::pddl::PredicateKind;
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

/// Show a state, its valid actions, and whether the goal holds
///
/// The state is the initial one, or the one after --actions. Outcomes of chance are drawn by --seed. The exit status
/// is 1 when an action is not valid.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand show sokoban --problem 01
  herbrand show --domain domain.pddl --problem p01.pddl
  herbrand show blocks --actions \"(pick-up a) (stack a b)\"
  herbrand show tireworld --actions \"(move-car l-1-2)\" --seed 3 --format json")]
pub struct Show {
    #[command(flatten)]
    problem: ProblemArgs,

    /// Actions to take first, such as "(a b) (c d)"
    #[arg(long, value_name = "ACTIONS", default_value = "")]
    actions: String,

    /// The seed that outcomes are drawn by
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,

    /// Show the atoms that never change too
    #[arg(long = "static")]
    statics: bool,

    /// Take the operators as the actions, whatever the domain declares
    #[arg(long)]
    operators: bool,
}

#[derive(Serialize)]
struct Report {
    domain: String,
    problem: String,
    /// The rewards of the actions taken, added up.
    reward: f64,
    fluents: Vec<String>,
    derived: Vec<String>,
    numbers: Vec<Number>,
    #[serde(rename = "static", skip_serializing_if = "Option::is_none")]
    statics: Option<Vec<String>>,
    goal: bool,
    actions: Vec<String>,
}

#[derive(Serialize)]
struct Number {
    fluent: String,
    value: Option<f64>,
}

impl Show {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let mode = if self.operators {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let suite = self.problem.suite(mode)?;
        let instance = suite.instance(0)?;
        let actions = split_actions(&self.actions)
            .map(|text| find_action(instance, text))
            .collect::<Result<Vec<_>, _>>()?;

        let mut engine = instance.engine();
        let mut streams = Streams::new(self.seed);
        engine
            .reset(&mut streams.outcomes)
            .map_err(herbrand::env::EnvError::from)?;
        let mut reward = 0.0;
        for action in actions {
            match engine.step(&[action], &mut streams.outcomes) {
                Ok(transition) => reward += transition.reward,
                Err(error) => {
                    anstream::eprintln!("{}: {error}", instance.space().display(action));
                    return Ok(Answer::No);
                }
            }
        }
        let report = Report::of(instance, &engine, reward, self.statics);
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(Answer::Yes)
    }
}

/// The actions of a text such as `(a b) (c d)`; one alone may stand without parentheses.
fn split_actions(text: &str) -> impl Iterator<Item = &str> {
    text.split(')')
        .map(|piece| piece.trim().trim_start_matches('(').trim())
        .filter(|piece| !piece.is_empty())
}

fn find_action(instance: &Instance, text: &str) -> Result<AgentActionId, Failure> {
    let space = instance.space();
    space.parse(text).ok_or_else(|| {
        Failure::Request(format!(
            "({text}) is no action of {}, or one that no reachable state allows",
            instance.name()
        ))
    })
}

impl Report {
    fn of(instance: &Instance, engine: &Planning, reward: f64, with_statics: bool) -> Self {
        let walker = engine.walker();
        let task = instance.simulator().task();
        let seen = |atom: &herbrand::AtomId| {
            let predicate = task
                .atoms
                .get(atom.index())
                .map(|atom| task.vocabulary.predicate(atom.predicate));
            predicate.is_some_and(|predicate| !predicate.auxiliary)
        };
        let (derived, fluents): (Vec<_>, Vec<_>) = walker
            .atoms()
            .filter(seen)
            .partition(|&atom| task.is_derived(atom));
        let names = |atoms: Vec<herbrand::AtomId>| {
            atoms
                .into_iter()
                .map(|atom| task.display_atom(atom).to_string())
                .collect()
        };
        let mut valid = Vec::new();
        engine.valid_actions(&mut valid);
        let numbers = (0..task.state_numerics).map(NumericId::new).map(|id| Number {
            fluent: task.display_numeric(id).to_string(),
            value: walker.numeric(id),
        });
        Self {
            domain: task.vocabulary.domain.to_string(),
            problem: task.vocabulary.problem.to_string(),
            reward,
            fluents: names(fluents),
            derived: names(derived),
            numbers: numbers.collect(),
            statics: with_statics.then(|| statics(instance)),
            goal: engine.is_goal(),
            actions: valid
                .into_iter()
                .map(|action| instance.space().display(action).to_string())
                .collect(),
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        let bold = anstyle::Style::new().bold();
        writeln!(out, "{bold}{}{bold:#} ({})", self.problem, self.domain)?;
        let numbers = self.numbers.iter().map(|number| match number.value {
            Some(value) => format!("(= {} {value})", number.fluent),
            None => format!("{} is undefined", number.fluent),
        });
        let sections = [
            ("static", self.statics.clone().unwrap_or_default()),
            ("state", self.fluents.clone()),
            ("derived", self.derived.clone()),
            ("numbers", numbers.collect()),
        ];
        for (label, lines) in sections {
            if !lines.is_empty() {
                writeln!(out, "\n{bold}{label}{bold:#}")?;
                lines.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
            }
        }
        writeln!(out, "\n{bold}valid actions{bold:#} ({})", self.actions.len())?;
        self.actions
            .iter()
            .try_for_each(|action| writeln!(out, "  {action}"))?;
        let goal = if self.goal { "holds" } else { "does not hold" };
        writeln!(out, "\n{bold}goal{bold:#}\n  {goal}")?;
        out.flush()?;
        Ok(())
    }
}

/// The atoms that hold in every state.
fn statics(instance: &Instance) -> Vec<String> {
    let task = instance.simulator().task();
    let shown = task.statics.iter().filter_map(|atom| {
        let predicate = task.vocabulary.predicate(atom.predicate);
        let hidden = predicate.auxiliary || predicate.kind == PredicateKind::Action;
        (!hidden).then(|| {
            task.vocabulary
                .term(&predicate.signature.name, atom.arguments)
                .to_string()
        })
    });
    shown.collect()
}
