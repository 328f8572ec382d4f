//! `herbrand space`: explores the state space of a problem.

mod arrays;
mod drawn;
mod explored;

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use herbrand::core::{DistanceRow, SpaceAnalysis};
use herbrand::env::ActionMode;
use herbrand::limits::Budget;
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::limits::LimitArgs;
use crate::memory;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted, grouped, short};
use crate::problem::ProblemArgs;

use explored::{Counter, Explored};

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
    problem: ProblemArgs,

    /// The number of states after which no further state is expanded
    #[arg(long, default_value_t = 1_000_000, value_name = "N")]
    states: usize,

    /// Merge states that differ only by an exchange of objects with the same role
    #[arg(long)]
    symmetry: bool,

    /// Write the space to a file: .npz or .json (all arrays), .dot (a graph), .svg (a picture of at most 200 states)
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The form of the written space.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Npz,
    Json,
    Dot,
    Svg,
}

/// The figures of a state space.
#[derive(Serialize)]
struct Report {
    domain: String,
    problem: String,
    states: usize,
    expanded: usize,
    complete: bool,
    /// The reason why states are missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<String>,
    /// The numbers that keep their first value in all states, because nothing but the metric reads them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left_out: Vec<String>,
    /// The objects that play the same role, in groups: the space has one state of each orbit.
    #[serde(skip_serializing_if = "Option::is_none")]
    interchangeable: Option<Vec<Vec<String>>>,
    /// The number of states whose orbits are not one state, because they have too many symmetries.
    #[serde(skip_serializing_if = "Option::is_none")]
    apart: Option<u64>,
    /// The reason why numbers may be rounded, so that states may be missing, or be two instead of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    rounding: Option<String>,
    /// The number of pairs of a state and an action that is valid in it.
    choices: usize,
    /// The number of outcomes of all choices.
    transitions: usize,
    /// `null` in RDDL, which has no goals; so are the dead ends.
    goal_states: Option<usize>,
    dead_ends: Option<usize>,
    /// The largest number of steps from the start to a state.
    depth: Option<u32>,
    /// The least number of steps from the start to a goal state.
    goal_steps: Option<u32>,
    /// The least cost from the start to a goal state.
    #[serde(skip_serializing_if = "Option::is_none")]
    goal_cost: Option<f64>,
    components: usize,
    largest_component: u32,
    /// The memory of the states and transitions, in bytes.
    bytes: usize,
    peak_bytes: Option<u64>,
    /// Seconds of exploration and analysis, without grounding.
    seconds: f64,
    distances: Vec<Distance>,
}

#[derive(Serialize)]
struct Distance {
    steps: usize,
    from_start: usize,
    to_goal: usize,
    nearer: usize,
    level: usize,
    farther: usize,
}

impl Distance {
    fn of((steps, row): (usize, DistanceRow)) -> Self {
        Self {
            steps,
            from_start: row.from_start,
            to_goal: row.to_goal,
            nearer: row.nearer,
            level: row.level,
            farther: row.farther,
        }
    }
}

impl Space {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let form = self.out.as_deref().map(Form::of).transpose()?;
        files::check_before(self.out.as_deref())?;
        let problems = self.problem.find(ActionMode::Operators)?;
        let limits = self.problem.limits();
        let explored = Explored::of(&problems, self.states, self.symmetry, limits)?;
        // The figures of a part that took all of the time still need some.
        let start = Instant::now();
        let analysis = explored
            .graph
            .analyse(&Budget::unlimited())
            .map_err(Failure::of)?;
        let analysis_seconds = start.elapsed().as_secs_f64();
        if let Some((path, form)) = self.out.as_deref().zip(form) {
            let bytes = match form {
                Form::Npz => arrays::npz(&explored, &analysis)?,
                Form::Json => arrays::json(&explored, &analysis)?,
                Form::Dot => drawn::dot(&explored, &analysis).into_bytes(),
                Form::Svg => drawn::svg(&explored, &analysis)?.into_bytes(),
            };
            files::write_file(path, &bytes)?;
            files::report_written(path, counted(explored.graph.len() as u64, "state"));
        }
        if !explored.graph.is_complete() && !explored.counters.is_empty() {
            for Counter { name, reason } in &explored.counters {
                anstream::eprintln!(
                    "note: states differ in {name}, which only the metric may read: {reason}"
                );
            }
        }
        let report = Report::of(&explored, &analysis, analysis_seconds);
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(CommandOutcome::Yes)
    }
}

impl Form {
    const ALL: [(&'static str, Self); 4] = [
        ("npz", Self::Npz),
        ("json", Self::Json),
        ("dot", Self::Dot),
        ("svg", Self::Svg),
    ];

    /// Returns the form that the ending of a file's name asks for.
    fn of(path: &Path) -> Result<Self, Failure> {
        let ending = path.extension().unwrap_or_default();
        let known = Self::ALL
            .into_iter()
            .find(|(own, _)| ending.eq_ignore_ascii_case(own));
        known.map(|(_, form)| form).ok_or_else(|| {
            let message = "a state space is written to a name that ends in .npz, .json, .dot or .svg";
            Failure::Request(format!("{}: {message}", path.display()))
        })
    }
}

impl Report {
    fn of(explored: &Explored, analysis: &SpaceAnalysis, analysis_seconds: f64) -> Self {
        let graph = &explored.graph;
        let count_if_goals = |list: &[bool]| {
            explored
                .has_goals
                .then(|| list.iter().filter(|&&is_so| is_so).count())
        };
        let starts = || graph.starts.iter().map(|&(_, state)| state as usize);
        let steps = starts().map(|state| analysis.goal_steps[state]).min();
        let costs = starts().filter_map(|state| analysis.goal_costs.get(state).copied());
        let cost = costs.fold(f64::INFINITY, f64::min);
        Self {
            domain: explored.domain.clone(),
            problem: explored.problem.clone(),
            states: graph.len(),
            expanded: graph.expanded as usize,
            complete: graph.is_complete(),
            limit: graph.limit.map(|limit| limit.to_string()),
            left_out: explored.left_out.clone(),
            interchangeable: explored.interchangeable.clone(),
            apart: explored.interchangeable.as_ref().map(|_| explored.apart),
            rounding: explored.rounding.clone(),
            choices: graph.actions.len(),
            transitions: graph.targets.len(),
            goal_states: count_if_goals(&graph.goals),
            dead_ends: count_if_goals(&analysis.dead_ends),
            depth: analysis.depth(),
            goal_steps: steps.filter(|&steps| steps != SpaceAnalysis::UNREACHED),
            goal_cost: Some(cost).filter(|cost| cost.is_finite() && !graph.costs.is_empty()),
            components: analysis.component_sizes.len(),
            largest_component: analysis.component_sizes.iter().copied().max().unwrap_or(0),
            bytes: explored.bytes,
            peak_bytes: memory::peak_bytes(),
            seconds: explored.seconds + analysis_seconds,
            distances: analysis
                .by_distance(graph)
                .into_iter()
                .enumerate()
                .map(Distance::of)
                .collect(),
        }
    }

    fn print(&self) -> Result<(), Failure> {
        use std::io::Write as _;
        let mut out = output::out();
        writeln!(out, "{} ({})", self.problem, self.domain)?;
        if let Some(limit) = &self.limit {
            writeln!(out, "  a part of the space: {limit}")?;
        }
        if !self.left_out.is_empty() {
            let names = self.left_out.join(", ");
            writeln!(
                out,
                "  left out of the states, as only the metric may read it: {names}"
            )?;
        }
        if let Some(groups) = &self.interchangeable {
            let groups: Vec<_> = groups.iter().map(|group| group.join(" ")).collect();
            let names = if groups.is_empty() {
                "none".to_owned()
            } else {
                groups.join("; ")
            };
            writeln!(out, "  interchangeable objects: {names}")?;
        }
        if let Some(apart @ 1..) = self.apart {
            writeln!(
                out,
                "  states with too many symmetries, which are kept apart: {}",
                grouped(apart)
            )?;
        }
        if let Some(rounding) = &self.rounding {
            writeln!(
                out,
                "  numbers may be rounded, which may split, merge or lose states: {rounding}"
            )?;
        }
        let count = |count: usize| Some(grouped(count as u64));
        let rows = [
            ("states", count(self.states)),
            (
                "expanded",
                (!self.complete).then(|| grouped(self.expanded as u64)),
            ),
            ("choices", count(self.choices)),
            ("transitions", count(self.transitions)),
            ("goal states", self.goal_states.and_then(count)),
            ("dead ends", self.dead_ends.and_then(count)),
            ("depth", self.depth.map(|depth| grouped(depth.into()))),
            (
                "steps to goal",
                self.goal_steps.map(|steps| grouped(steps.into())),
            ),
            ("cost to goal", self.goal_cost.map(|cost| cost.to_string())),
            ("components", count(self.components)),
            ("largest component", Some(grouped(self.largest_component.into()))),
            ("memory", Some(format!("{}B", short(self.bytes as f64)))),
            ("seconds", Some(format!("{:.6}", self.seconds))),
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
        let row = |row: &Distance| {
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
        let shown = if self.goal_states.is_some() {
            columns.len()
        } else {
            2
        };
        let rows = self
            .distances
            .iter()
            .map(|distance| row(distance)[..shown].to_vec());
        output::table(&columns.map(|title| (title, true))[..shown], rows)?;
        Ok(())
    }
}
