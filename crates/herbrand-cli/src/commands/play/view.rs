//! What the player sees of a state.

use std::io::{self, Write};

use herbrand::env::{AgentActionId, Env, EnvError, Grid, Part, PlanningEnv, System};
use herbrand::ground::Literal;

/// How many actions are listed without being asked for.
const LISTED: usize = 20;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// Shows the problem, its state, the goal and what can be done.
pub fn all(out: &mut dyn Write, env: &Env, grid: Option<&Grid>) -> Result<(), Shown> {
    let index = env.problem().unwrap_or_default();
    let suite = env.suite();
    let name = suite.full_problem_name(index).unwrap_or_default();
    let steps = env.episode()?.elapsed();
    writeln!(out, "\n{BOLD}{} {name}{BOLD:#}, step {steps}", suite.name())?;
    match grid {
        Some(grid) => drawn(out, env, grid)?,
        None => state(out, env, Part::Changing)?,
    }
    numbers(out, env)?;
    let progress = env.goal_progress()?;
    let reached = progress.literals - progress.missing.len();
    writeln!(out, "goal: {reached} of {}", progress.literals)?;
    actions(out, env, "")
}

/// Why nothing more is shown.
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

fn drawn(out: &mut dyn Write, env: &Env, grid: &Grid) -> Result<(), Shown> {
    let atoms = env.instance()?.atoms();
    for line in grid.draw(atoms, env.system()?.walker()) {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}

/// The atoms that hold, one line for each predicate.
pub fn state(out: &mut dyn Write, env: &Env, part: Part) -> Result<(), Shown> {
    let atoms = env.instance()?.atoms();
    let walker = env.system()?.walker();
    let vocabulary = &walker.simulator().task().vocabulary;
    let mut lines = Vec::<(String, Vec<String>)>::new();
    for fact in atoms.observe(walker, part).filter_map(|id| atoms.get(id)) {
        let name = vocabulary.predicate(fact.predicate).signature.name.to_string();
        let arguments = fact.arguments.iter();
        let arguments = arguments.map(|object| vocabulary.objects[object.index()].name.as_str());
        let arguments = arguments.collect::<Vec<_>>().join(" ");
        match lines.last_mut() {
            Some((last, list)) if *last == name => list.push(arguments),
            _ => lines.push((name, vec![arguments])),
        }
    }
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, list) in lines {
        writeln!(
            out,
            "  {}",
            format!("{name:width$}  {}", list.join(", ")).trim_end()
        )?;
    }
    Ok(())
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

/// What the goal lacks.
pub fn goal(out: &mut dyn Write, env: &Env) -> Result<(), Shown> {
    let task = env.instance()?.simulator().task();
    let missing = env.goal_progress()?.missing;
    if missing.is_empty() && !env.system()?.status().goal {
        writeln!(
            out,
            "no literal is missing, but the goal does not hold: it compares numbers"
        )?;
    } else if missing.is_empty() {
        writeln!(out, "the goal holds")?;
    }
    for literal in missing {
        writeln!(out, "  missing: {}", literal_text(task, literal))?;
    }
    Ok(())
}

fn literal_text(task: &herbrand::GroundTask, literal: Literal) -> String {
    let atom = task.display_atom(literal.atom());
    match literal.is_negative() {
        true => format!("(not {atom})"),
        false => atom.to_string(),
    }
}

/// The valid actions that contain all words of `filter`, each with its number among all valid ones.
pub fn actions(out: &mut dyn Write, env: &Env, filter: &str) -> Result<(), Shown> {
    let all = valid(env)?;
    let fitting = all
        .iter()
        .enumerate()
        .filter(|(_, (_, name))| contains(name, filter));
    let fitting = fitting.collect::<Vec<_>>();
    if all.is_empty() {
        writeln!(out, "no action is valid: a dead end")?;
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
            "  and {more} more: type a part of a name, or `actions` for all"
        )?;
    }
    Ok(())
}

/// Whether a name contains all words of `filter`.
pub fn contains(name: &str, filter: &str) -> bool {
    filter.split_whitespace().all(|word| name.contains(word))
}

/// The valid actions with their names, ascending.
pub fn valid(env: &Env) -> Result<Vec<(AgentActionId, String)>, EnvError> {
    let space = env.instance()?.space();
    let valid = env.valid_actions()?.into_iter();
    Ok(valid
        .map(|action| (action, space.display(action).to_string()))
        .collect())
}
