//! What the player sees of a state.

use std::io::{self, Write};

use herbrand::env::{AgentActionId, Drawing, Env, EnvError, Part, PlanningEnv, System};

/// How many actions are listed without being asked for.
const LISTED: usize = 20;

const BOLD: anstyle::Style = anstyle::Style::new().bold();

/// How many of the goal's missing literals are named without being asked for.
const NAMED: usize = 3;

/// How wide lines of the legend are.
const WIDTH: usize = 90;

/// Says what the player should know before the first move.
pub fn welcome(out: &mut dyn Write, env: &Env, drawing: Option<&Drawing>, arrows: bool) -> io::Result<()> {
    let description = &env.suite().config().description;
    if !description.is_empty() {
        writeln!(out, "{description}")?;
    }
    let arrows = if arrows { ", the arrow keys move" } else { "" };
    writeln!(out, "`?` is help{arrows}.")?;
    drawing.map_or(Ok(()), |drawing| legend(out, drawing))
}

/// What the symbols of a drawing mean.
pub fn legend(out: &mut dyn Write, drawing: &Drawing) -> io::Result<()> {
    let mut line = String::new();
    for (symbol, meaning) in drawing.legend() {
        let entry = format!("{symbol} {meaning}");
        if !line.is_empty() && line.chars().count() + entry.chars().count() > WIDTH {
            writeln!(out, "  {line}")?;
            line.clear();
        }
        if !line.is_empty() {
            line += "   ";
        }
        line += &entry;
    }
    if line.is_empty() {
        Ok(())
    } else {
        writeln!(out, "  {line}")
    }
}

/// Shows the problem, its state, the goal and what can be done.
pub fn all(out: &mut dyn Write, env: &Env, drawing: Option<&Drawing>) -> Result<(), Shown> {
    let index = env.problem().unwrap_or_default();
    let suite = env.suite();
    let name = suite.full_problem_name(index).unwrap_or_default();
    let steps = env.episode()?.elapsed();
    writeln!(out, "\n{BOLD}{} {name}{BOLD:#}, step {steps}", suite.name())?;
    match drawing {
        Some(drawing) => drawn(out, env, drawing)?,
        None => state(out, env, Part::Changing)?,
    }
    numbers(out, env)?;
    let progress = env.goal_progress()?;
    let reached = progress.literals - progress.missing.len();
    write!(out, "goal: {reached} of {}", progress.literals)?;
    let task = env.instance()?.simulator().task();
    let named = progress.missing.iter().take(NAMED);
    let named: Vec<_> = named
        .map(|&literal| task.display_literal(literal).to_string())
        .collect();
    let more = if progress.missing.len() > NAMED {
        " …"
    } else {
        ""
    };
    match named.as_slice() {
        [] => writeln!(out)?,
        named => writeln!(out, ", missing {}{more}", named.join(" "))?,
    }
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

/// Draws the state, and the goal beside it unless the drawing of the state shows it.
fn drawn(out: &mut dyn Write, env: &Env, drawing: &Drawing) -> Result<(), Shown> {
    let planning = env.system()?;
    let state = drawing.state(planning);
    let Some(goal) = drawing.goal(planning) else {
        state.iter().try_for_each(|line| writeln!(out, "  {line}"))?;
        return Ok(());
    };
    let width = state.iter().map(|line| line.chars().count()).max().unwrap_or(0);
    // Both stand on the same ground, so that short towers are not in the air.
    let height = state.len().max(goal.len());
    let lines = |lines: Vec<String>| {
        let above = vec![String::new(); height - lines.len()];
        above.into_iter().chain(lines)
    };
    writeln!(out, "  {:width$}     {BOLD}goal{BOLD:#}", "")?;
    for (state, goal) in lines(state).zip(lines(goal)) {
        let line = format!("  {state:width$}     {goal}");
        writeln!(out, "{}", line.trim_end())?;
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
        writeln!(out, "  missing: {}", task.display_literal(literal))?;
    }
    Ok(())
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
