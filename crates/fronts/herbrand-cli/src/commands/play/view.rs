//! The text views of a PDDL state.

use std::io::{self, Write};

use herbrand::core::{Explained as _, FactValue, GoalConjunct, Group};
use herbrand::env::{AgentActionId, Env, EnvError, Grounded, Planning, PlanningEnv, System};
use herbrand::render::StateRenderer;

use crate::drawing;

/// The number of actions that are listed by default.
const LISTED: usize = 20;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// The number of missing goal literals that are listed by default.
const NAMED: usize = 3;

/// Prints the problem, its current state, the goal and the valid actions.
pub fn all(out: &mut dyn Write, env: &Env, picture: &StateRenderer<Planning<Grounded>>) -> Result<(), Shown> {
    let index = env.problem().unwrap_or_default();
    let suite = env.problems();
    let name = suite.full_problem_name(index).unwrap_or_default();
    let steps = env.episode()?.elapsed();
    writeln!(out, "\n{BOLD}{} {name}{BOLD:#}, step {steps}", suite.title())?;
    let planning = env.system()?;
    let is_atom = |value: FactValue<'_>| matches!(value, FactValue::Bool(_));
    if drawing::drawn(out, picture.picture(), &picture.moment(planning))? {
        drawing::facts(out, planning, |fact| {
            is_atom(fact.value) && drawing::is_beside(fact, picture.picture())
        })?;
    } else {
        drawing::facts(out, planning, |fact| {
            is_atom(fact.value) && fact.group != Group::Static
        })?;
    }
    numbers(out, env)?;
    let Wanted { all, missing } = wanted(env)?;
    write!(out, "goal: {} of {all}", all - missing.len())?;
    let named: Vec<_> = missing.iter().take(NAMED).map(String::as_str).collect();
    let more = if missing.len() > NAMED { " …" } else { "" };
    match named.as_slice() {
        [] => writeln!(out)?,
        named => writeln!(out, ", missing {}{more}", named.join(" "))?,
    }
    actions(out, env, "")
}

/// The parts of a goal.
struct Wanted {
    /// The number of parts.
    all: usize,
    /// The parts that do not hold, in PDDL syntax.
    missing: Vec<String>,
}

/// Returns the literals of the goal of the ground task. If no literal tells why the goal does not hold, returns the conjuncts
/// of the goal as the problem writes it: the ground task has no literals of a goal that never holds, and a numeric comparison
/// is no literal.
fn wanted(env: &Env) -> Result<Wanted, EnvError> {
    let planning = env.system()?;
    let progress = planning.goal_progress();
    if progress.missing.is_empty() && !planning.status().goal {
        let index = env.problem().unwrap_or_default();
        let conjuncts = env.problems().goal_conjuncts(index, planning)?;
        let missing = conjuncts.iter().filter(|conjunct| conjunct.holds != Some(true));
        return Ok(Wanted {
            all: conjuncts.len(),
            missing: missing.map(GoalConjunct::on_one_line).collect(),
        });
    }
    let task = env.instance()?.simulator().task();
    let missing = progress.missing.iter();
    Ok(Wanted {
        all: progress.literals,
        missing: missing
            .map(|&literal| task.display_literal(literal).to_string())
            .collect(),
    })
}

/// The reason why a view could not be printed.
pub enum Shown {
    Output(io::Error),
    Env(EnvError),
}

impl From<io::Error> for Shown {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

impl From<EnvError> for Shown {
    fn from(error: EnvError) -> Self {
        Self::Env(error)
    }
}

/// Prints the facts that are true in the current state, one line per predicate.
pub fn state(out: &mut dyn Write, env: &Env) -> Result<(), Shown> {
    Ok(drawing::facts(out, env.system()?, |_| true)?)
}

fn numbers(out: &mut dyn Write, env: &Env) -> Result<(), Shown> {
    let walker = env.system()?.walker();
    let task = walker.simulator().task();
    for id in (0..task.state_numerics).map(herbrand::ground::NumericId::new) {
        let name = task.display_numeric(id);
        match walker.numeric(id) {
            Some(value) => writeln!(out, "  {name} = {value}")?,
            None => writeln!(out, "  {name} is undefined")?,
        }
    }
    Ok(())
}

/// Prints the parts of the goal that the current state does not satisfy.
pub fn goal(out: &mut dyn Write, env: &Env) -> Result<(), Shown> {
    let Wanted { all, missing } = wanted(env)?;
    if env.system()?.status().goal {
        writeln!(out, "the goal holds")?;
    } else if all == 0 {
        writeln!(out, "the problem has no goal")?;
    }
    for part in missing {
        writeln!(out, "  missing: {part}")?;
    }
    Ok(())
}

/// Prints the valid actions whose names contain all words of `filter`, each with its number among all valid ones.
pub fn actions(out: &mut dyn Write, env: &Env, filter: &str) -> Result<(), Shown> {
    let all = valid(env)?;
    let fitting = all
        .iter()
        .enumerate()
        .filter(|(_, (_, name))| contains(name, filter));
    let fitting = fitting.collect::<Vec<_>>();
    if all.is_empty() {
        writeln!(out, "dead end: no action is valid")?;
    } else if fitting.is_empty() {
        writeln!(out, "no valid action contains `{filter}`")?;
    }
    let limit = if filter.is_empty() { LISTED } else { usize::MAX };
    for (number, (_, name)) in fitting.iter().take(limit) {
        writeln!(out, "  {:>3} {name}", number + 1)?;
    }
    if fitting.len() > limit {
        let more = fitting.len() - limit;
        writeln!(
            out,
            "  and {more} more: type part of a name, or `actions` for all"
        )?;
    }
    Ok(())
}

/// Returns whether an action's name contains all words of `filter`.
pub fn contains(name: &str, filter: &str) -> bool {
    filter.split_whitespace().all(|word| name.contains(word))
}

/// Returns the actions that are valid in the current state with their names, in ascending order.
pub fn valid(env: &Env) -> Result<Vec<(AgentActionId, String)>, EnvError> {
    let space = env.instance()?.space();
    let valid = env.valid_actions()?.into_iter();
    Ok(valid
        .map(|action| (action, space.display(action).to_string()))
        .collect())
}
