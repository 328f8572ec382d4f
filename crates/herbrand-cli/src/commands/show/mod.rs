//! `herbrand show`: a state, its valid actions, and whether the goal holds.

mod goal;
mod view;

use std::io::Write;

use clap::Args;
use herbrand::core::Problems;
use herbrand::env::{ActionMode, AgentActionId, Engines, EnvError, Streams, Suite};
use serde::Serialize;

use crate::Answer;
use crate::engine::EngineName;
use crate::failure::Failure;
use crate::output::{self, Format};
use crate::problem::ProblemArgs;

use goal::Part;
use view::{View, unknown_action};

/// Show a state, its valid actions, and whether the goal holds
///
/// The state is the initial one, or the one after --actions. Of the goal, each conjunct is shown with whether it holds. Outcomes of chance are drawn by --seed. With --explain each
/// action says what it did: which effects happened, conditions and draws decided, and what changed. The exit status is 1
/// when an action is not valid.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand show sokoban --problem 01
  herbrand show --domain domain.pddl --problem p01.pddl
  herbrand show blocks --actions \"(pick-up a) (stack a b)\"
  herbrand show exploding-blocks --actions \"(pick-up a) (put-down a)\" --explain
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

    /// Say what each of the actions did
    #[arg(long, requires = "actions")]
    explain: bool,

    /// What steps the problem: valid actions and draws are the same
    #[arg(long, value_enum, default_value_t, value_name = "ENGINE")]
    engine: EngineName,
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
    /// The conjuncts of the goal.
    goal_parts: Vec<Part>,
    actions: Vec<String>,
    /// What each of the actions taken did.
    #[serde(skip_serializing_if = "Option::is_none")]
    explained: Option<Vec<String>>,
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
        let report = match suite.on(self.engine.into())? {
            Engines::Grounded(grounded) => self.report(&suite, grounded.engine(0)?)?,
            Engines::Lifted(lifted) => self.report(&suite, lifted.system(0)?)?,
        };
        let Some(report) = report else {
            return Ok(Answer::No);
        };
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(Answer::Yes)
    }

    /// Takes the actions; none, and a message, when one is not valid.
    fn report(&self, suite: &Suite, mut engine: impl View) -> Result<Option<Report>, Failure> {
        let actions = split_actions(&self.actions).map(|text| {
            let found = engine.find(text);
            found.ok_or_else(|| unknown_action(&engine, text))
        });
        let (actions, unknown): (Vec<_>, Vec<_>) = actions.partition(Result::is_ok);
        if !unknown.is_empty() {
            let unknown: Vec<_> = unknown.into_iter().filter_map(Result::err).collect();
            return Err(Failure::Request(unknown.join("\n")));
        }
        let actions: Vec<_> = actions.into_iter().flatten().collect();
        let mut streams = Streams::new(self.seed);
        engine.reset(&mut streams.outcomes).map_err(EnvError::from)?;
        let (mut reward, mut explained) = (0.0, Vec::new());
        for action in actions {
            let step = match self.explain {
                false => engine.step(&[action.into()], &mut streams.outcomes),
                true => {
                    let told = engine.explained(action, &mut streams.outcomes);
                    told.map(|(transition, fired)| {
                        explained.push(fired.to_string());
                        transition
                    })
                }
            };
            match step {
                Ok(transition) => reward += transition.reward,
                Err(error) => {
                    anstream::eprintln!("{}: {error}", engine.name(action));
                    return Ok(None);
                }
            }
        }
        let explained = self.explain.then_some(explained);
        let problem = suite.parse_problem(0)?;
        let parts = goal::parts(suite.domain(), &problem, &engine);
        Ok(Some(Report::of(&engine, reward, self.statics, parts, explained)))
    }
}

/// The actions of a text such as `(a b) (c d)`; one alone may stand without parentheses.
fn split_actions(text: &str) -> impl Iterator<Item = &str> {
    text.split(')')
        .map(|piece| piece.trim().trim_start_matches('(').trim())
        .filter(|piece| !piece.is_empty())
}

impl Report {
    fn of(
        engine: &impl View,
        reward: f64,
        with_statics: bool,
        goal_parts: Vec<Part>,
        explained: Option<Vec<String>>,
    ) -> Self {
        let (vocabulary, atoms) = (engine.vocabulary(), engine.atoms());
        let mut valid = Vec::new();
        engine.choices(&mut valid);
        let valid = valid.into_iter().filter_map(AgentActionId::of);
        let numbers = engine.numbers().into_iter();
        Self {
            domain: vocabulary.domain.to_string(),
            problem: vocabulary.problem.to_string(),
            reward,
            fluents: atoms.fluents,
            derived: atoms.derived,
            numbers: numbers.map(|(fluent, value)| Number { fluent, value }).collect(),
            statics: with_statics.then_some(atoms.statics),
            goal: engine.status().goal,
            goal_parts,
            actions: valid.map(|action| engine.name(action)).collect(),
            explained,
        }
    }

    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        let bold = anstyle::Style::new().bold();
        for step in self.explained.iter().flatten() {
            writeln!(out, "{step}\n")?;
        }
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
        let holding = self.goal_parts.iter().filter(|part| part.holds() == Some(true));
        let count = match self.goal_parts.len() {
            0 => "the problem states none".to_owned(),
            all => format!("{goal}: {} of {all}", holding.count()),
        };
        writeln!(out, "\n{bold}goal{bold:#} ({count})")?;
        for part in &self.goal_parts {
            writeln!(out, "  {}", part.line())?;
        }
        out.flush()?;
        Ok(())
    }
}
