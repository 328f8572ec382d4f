//! `herbrand space`: explores the state space of a problem.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::tasks::space::{SpaceAnswer, SpaceDistance, SpaceQuery, space};

use crate::failure::{Failure, refuse};
use crate::files;
use crate::options::QueryArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted, grouped, short};
use crate::problem::ProblemArgs;

/// Explore the state space: states, dead ends, distances, components
///
/// Finds all states that can be reached, breadth first, with the transitions between them, and counts goal states, dead
/// ends and strongly connected components. The table has a row for each distance. At a limit of states, time or memory, the
/// figures are those of the part that was explored. In RDDL, each step must have finitely many outcomes.
///
/// A number that no condition, effect or goal reads is left out if each action changes it by a constant amount, and, if the metric
/// reads it, no cost depends on a state: states that differ only in it are one state. The costs of steps still follow the metric.
///
/// --symmetry merges states that differ only by an exchange of interchangeable objects: the first one found is kept. Two objects
/// are interchangeable if exchanging them leaves all ground actions, their costs and rewards, and the goal as they are. Distances and dead ends stay the same,
/// but a step may lead to a state with other objects in the same roles.
///
/// --out writes the whole space: as arrays for NumPy, as JSON, as a graph for Graphviz, or as a picture. Distances count
/// every outcome of an action as a step that can be chosen.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand space blocks 01
  herbrand space domain.pddl p01.pddl --states 100000
  herbrand space exploding-blocks --out space.npz
  herbrand space gripper --states 30 --out space.svg
  herbrand space gripper --symmetry
  herbrand space rddl/navigation-mdp 1 --format json
  herbrand space domain.pddl p01.pddl --out space.dot --memory 2GiB --time 60")]
pub struct Space {
    #[command(flatten)]
    pub problem: ProblemArgs,

    #[command(flatten)]
    options: QueryArgs<SpaceQuery>,

    /// Write the space to a file: .npz or .json (all arrays), .dot (a graph), .svg (a picture of at most 200 states)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Space {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let form = self.out.as_deref().map(form).transpose()?;
        files::check_before(self.out.as_deref())?;
        let problems = self.problem.find(ActionMode::Operators)?;
        let answer = self
            .problem
            .run(|run| space(&problems, &self.options.query, run))?;
        if let Some((path, form)) = self.out.as_deref().zip(form) {
            let space = &answer.space;
            let bytes = match form.as_str() {
                "npz" => space.clone().npz()?,
                "json" => (serde_json::to_string(space).map_err(std::io::Error::from)? + "\n").into_bytes(),
                "dot" => space.dot().into_bytes(),
                _ => space.svg()?.into_bytes(),
            };
            files::write_file(path, &bytes)?;
            files::report_written(path, counted(answer.states as u64, "state"));
        }
        for (name, reason) in &answer.counters {
            anstream::eprintln!("note: states differ in {name}, which only the metric may read: {reason}");
        }
        match format {
            Format::Json => output::json(&answer)?,
            Format::Text => print(&answer)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

/// Returns the ending of a file's name, which is the form of the space in it.
fn form(path: &Path) -> Result<String, Failure> {
    let ending = path.extension().unwrap_or_default().to_ascii_lowercase();
    let ending = ending.to_string_lossy();
    if ["npz", "json", "dot", "svg"].contains(&&*ending) {
        return Ok(ending.into_owned());
    }
    refuse(format!(
        "{}: a state space is written to a name that ends in .npz, .json, .dot or .svg",
        path.display()
    ))
}

/// Prints the figures and a table of the distances.
fn print(answer: &SpaceAnswer) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{} ({})", answer.problem, answer.domain)?;
    if let Some(limit) = &answer.limit {
        writeln!(out, "  a part of the space: {limit}")?;
    }
    if !answer.left_out.is_empty() {
        let names = answer.left_out.join(", ");
        writeln!(
            out,
            "  left out of the states, as only the metric may read it: {names}"
        )?;
    }
    if let Some(groups) = &answer.interchangeable {
        let groups: Vec<_> = groups.iter().map(|group| group.join(" ")).collect();
        let names = if groups.is_empty() {
            "none".to_owned()
        } else {
            groups.join("; ")
        };
        writeln!(out, "  interchangeable objects: {names}")?;
    }
    if let Some(apart @ 1..) = answer.apart {
        writeln!(
            out,
            "  states with too many symmetries, which are kept apart: {}",
            grouped(apart)
        )?;
    }
    if let Some(rounding) = &answer.rounding {
        writeln!(
            out,
            "  numbers may be rounded, which may split, merge or lose states: {rounding}"
        )?;
    }
    let count = |count: usize| Some(grouped(count as u64));
    let rows = [
        ("states", count(answer.states)),
        (
            "expanded",
            (!answer.complete).then(|| grouped(answer.expanded as u64)),
        ),
        ("choices", count(answer.choices)),
        ("transitions", count(answer.transitions)),
        ("goal states", answer.goal_states.and_then(count)),
        ("dead ends", answer.dead_ends.and_then(count)),
        ("depth", answer.depth.map(|depth| grouped(depth.into()))),
        (
            "steps to goal",
            answer.goal_steps.map(|steps| grouped(steps.into())),
        ),
        ("cost to goal", answer.goal_cost.map(|cost| cost.to_string())),
        ("components", count(answer.components)),
        (
            "largest component",
            Some(grouped(answer.largest_component.into())),
        ),
        ("memory", Some(format!("{}B", short(answer.bytes as f64)))),
        ("seconds", Some(format!("{:.6}", answer.seconds))),
    ];
    for (label, value) in rows {
        if let Some(value) = value {
            writeln!(out, "  {label:<18}{value:>12}")?;
        }
    }
    writeln!(out)?;
    out.flush()?;
    drop(out);
    let columns = ["steps", "from start", "to goal", "nearer", "level", "farther"];
    let row = |row: &SpaceDistance| {
        let numbers = [
            row.steps,
            row.from_start,
            row.to_goal,
            row.nearer,
            row.level,
            row.farther,
        ];
        numbers.map(|number| grouped(number as u64)).to_vec()
    };
    // Without goals, only the distance from the start is known.
    let shown = if answer.goal_states.is_some() {
        columns.len()
    } else {
        2
    };
    let rows = answer
        .distances
        .iter()
        .map(|distance| row(distance)[..shown].to_vec());
    output::table(&columns.map(|title| (title, true))[..shown], rows)?;
    Ok(())
}
