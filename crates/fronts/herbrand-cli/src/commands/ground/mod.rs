//! `herbrand ground`: grounds a problem and reports its size.

mod groundings;
mod rddl;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::{Args, ValueEnum};
use herbrand::env::{ActionMode, EnvError};
use herbrand::ground::{AtomId, GroundError, GroundOptions, explain, explain_bounds, ground};
use herbrand::pddl::undefined_values;
use herbrand::step::{Random, StepError};
use herbrand::tasks::AnyProblems;
use herbrand::text::Style;
use herbrand::{GroundTask, Simulator};
use serde::Serialize;

use crate::failure::{Failure, file_error, refuse};
use crate::files;
use crate::limits::LimitArgs;
use crate::memory;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, grouped, short};
use crate::problem::ProblemArgs;

/// Ground a problem: atoms, actions, axioms, time, memory
///
/// Counts the atoms that can change, the actions that may be applicable in a reachable state (ignoring deletes), and the
/// ground axioms with their strata. The time is for grounding, without parsing. In RDDL, counts the ground fluents and the
/// instructions of a step.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand ground domain.pddl p01.pddl
  herbrand ground blocks test/05 --format json
  herbrand ground hanoi --list
  herbrand ground logistics --explain
  herbrand ground logistics --atoms relevant
  herbrand ground logistics --first-step
  herbrand ground rddl/traffic 5
  herbrand ground logistics test/05 --out logistics.task
  herbrand ground domain.pddl p01.pddl --memory 2GiB --time 60")]
pub struct Ground {
    #[command(flatten)]
    problem: ProblemArgs,

    /// The atoms to keep
    #[arg(long, value_enum, default_value_t)]
    atoms: Atoms,

    /// Write the ground task to a file, so that a program can start without grounding
    ///
    /// The format is JSON if the name ends in `.json`, and otherwise postcard, which is a fifth of the size. The library
    /// reads both as `herbrand::GroundTask`. `herbrand translate` writes SAS+.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    /// Also print all atoms, actions with their preconditions and effects, and axioms
    #[arg(long)]
    list: bool,

    /// Explain each schema: its number of actions, the predicates that bound its parameters, and the join order
    ///
    /// A join plan begins with the atom that triggers it. `walk` visits the facts that match an atom, through an index
    /// over the columns after `by`; `check` looks up a single fact. The number is the expected number of matches.
    #[arg(long)]
    explain: bool,

    /// Also take one random step, and print the time from the files to that step
    #[arg(long)]
    first_step: bool,
}

/// Which atoms a ground task keeps.
#[derive(Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Atoms {
    /// All atoms that some state could make true
    #[default]
    All,
    /// Atoms that preconditions, effects or the goal depend on; actions, random draws, goals and rewards stay the same
    Relevant,
}

#[derive(Serialize)]
struct Report {
    domain: String,
    problem: String,
    atoms: usize,
    /// The number of irrelevant atoms that were removed, if they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_out: Option<usize>,
    actions: usize,
    axioms: usize,
    strata: usize,
    /// The number of atoms that never change.
    statics: usize,
    /// The number of literals and comparisons in the goal, and in all preconditions, axioms and effect conditions.
    literals: usize,
    /// The number of effects of all actions: adds, deletes, numeric effects and so on.
    effects: usize,
    seconds: f64,
    /// Seconds from the files to the first step.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_step_seconds: Option<f64>,
    /// The memory of the ground task, in bytes.
    bytes: usize,
    peak_bytes: Option<u64>,
    /// The size of the file that the task was written to.
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schemas: Option<Vec<groundings::Schema>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    list: Option<List>,
}

/// All ground atoms, actions and axioms.
#[derive(Serialize)]
struct List {
    atoms: Vec<String>,
    actions: Vec<String>,
    /// For each action, its precondition and its effects, one per line.
    definitions: Vec<String>,
    axioms: Vec<String>,
}

impl Ground {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.problem.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let begin = Instant::now();
        let options = GroundOptions {
            limits: self.problem.limits(),
            ..GroundOptions::default()
        };
        let suite = match self.problem.find(ActionMode::Operators)? {
            AnyProblems::Pddl(suite) if !suite.is_ground() => suite,
            AnyProblems::Rddl(suite) => {
                self.rddl(&suite, begin, format)?;
                return Ok(CommandOutcome::Yes);
            }
            other => return Err(other.unsupported("ground", "PDDL and RDDL").into()),
        };
        if let Some(path) = self.out.as_deref().filter(|path| has_ending(path, "sas")) {
            return refuse(format!(
                "{}: `herbrand translate` writes SAS+: a ground task is written as JSON to a name that ends in `.json`, and as \
                 postcard to any other name, such as {}",
                path.display(),
                path.with_extension("task").display()
            ));
        }
        files::check_before(self.out.as_deref())?;
        let problem = suite.parse_problem(0)?;
        let domain = suite.domain();
        for warning in undefined_values(domain, &problem, false) {
            anstream::eprintln!("{}\n", warning.render(Style::Colored).trim_end());
        }
        let start = Instant::now();
        let bounds = self.explain.then(|| explain_bounds(domain, &problem, &options));
        let mut task = match ground(domain, &problem, &options) {
            Ok(task) => task,
            Err(error) => {
                // The bounds of the parameters say why a task is too large.
                if let (GroundError::Limit(_) | GroundError::BudgetExhausted(_), Some(Ok(bounds))) =
                    (&error, bounds)
                {
                    groundings::report_bounds(domain, &bounds, format)?;
                }
                return Err(herbrand::CompileError::from(error).into());
            }
        };
        let mut left_out = None;
        if self.atoms == Atoms::Relevant {
            let all = task.atom_count();
            task = task.only_relevant();
            left_out = Some(all - task.atom_count());
        }
        let seconds = start.elapsed().as_secs_f64();
        let explained = self
            .explain
            .then(|| explain(domain, &problem, &options))
            .transpose();
        let explained = explained.map_err(herbrand::CompileError::from)?;
        let file_bytes = self.out.map(|path| write(&task, &path)).transpose()?;
        let task = Arc::new(task);
        let mut report = Report {
            domain: suite.name().to_owned(),
            problem: suite.full_problem_name(0).unwrap_or_default(),
            atoms: task.atom_count(),
            left_out,
            actions: task.actions.len(),
            axioms: task.axioms.len(),
            strata: task.strata.len(),
            statics: task.statics.len(),
            literals: task.conditions.size(),
            effects: task.effects.size(),
            bytes: task.bytes(),
            seconds,
            first_step_seconds: None,
            peak_bytes: memory::peak_bytes(),
            file_bytes,
            schemas: explained.map(|explained| groundings::schemas(domain, &task, explained)),
            list: self.list.then(|| List::of(&task)),
        };
        if self.first_step {
            let until_ground = (start - begin).as_secs_f64() + seconds;
            report.first_step_seconds = Some(until_ground + first_step(task)?);
        }
        match format {
            Format::Json => output::json(&report)?,
            Format::Text => report.print()?,
        }
        Ok(CommandOutcome::Yes)
    }
}

/// Measures the seconds from a ground task to the first random step.
fn first_step(task: Arc<GroundTask>) -> Result<f64, Failure> {
    let start = Instant::now();
    let mut random = Random::new(0);
    let mut walker = Simulator::new(task).walker();
    let refused = |error: StepError| EnvError::Planning(error.into());
    walker.reset(&mut random).map_err(refused)?;
    if let Some(action) = walker.sample(&mut random) {
        walker.apply(action, &mut random).map_err(refused)?;
    }
    Ok(start.elapsed().as_secs_f64())
}

/// Writes a task to a file and returns the size of the file in bytes.
fn write(task: &GroundTask, path: &Path) -> Result<usize, Failure> {
    let (bytes, format) = if has_ending(path, "json") {
        (serde_json::to_vec(task).map_err(io::Error::from), "JSON")
    } else {
        (postcard::to_stdvec(task).map_err(io::Error::other), "postcard")
    };
    let bytes = bytes.map_err(|error| file_error(path, error))?;
    files::write_file(path, &bytes)?;
    files::report_written(path, format!("{}B of {format}", short(bytes.len() as f64)));
    Ok(bytes.len())
}

/// Returns whether the name of a file ends in a dot and `ending`, in upper or lower case.
fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

impl List {
    fn of(task: &GroundTask) -> Self {
        let atoms = (0..task.atom_count()).map(AtomId::from_index);
        Self {
            atoms: atoms.map(|id| task.display_atom(id).to_string()).collect(),
            actions: task
                .actions
                .ids()
                .map(|id| task.display_action(id).to_string())
                .collect(),
            definitions: task
                .actions
                .ids()
                .map(|id| task.display_definition(id).to_string())
                .collect(),
            axioms: task
                .axioms
                .iter()
                .map(|&axiom| task.display_axiom(axiom).to_string())
                .collect(),
        }
    }
}

impl List {
    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "\natoms")?;
        for atom in &self.atoms {
            writeln!(out, "  {atom}")?;
        }
        writeln!(out, "\nactions")?;
        for (action, definition) in self.actions.iter().zip(&self.definitions) {
            writeln!(out, "  {action}")?;
            for line in definition.lines() {
                writeln!(out, "  {line}")?;
            }
        }
        writeln!(out, "\naxioms")?;
        for axiom in &self.axioms {
            writeln!(out, "  {axiom}")?;
        }
        Ok(())
    }
}

impl Report {
    fn print(&self) -> Result<(), Failure> {
        let mut out = output::out();
        writeln!(out, "{} ({})", self.problem, self.domain)?;
        let counts = [
            ("atoms", Some(self.atoms)),
            ("left out", self.left_out),
            ("actions", Some(self.actions)),
            ("axioms", Some(self.axioms)),
            ("strata", Some(self.strata)),
            ("static atoms", Some(self.statics)),
            ("literals", Some(self.literals)),
            ("effects", Some(self.effects)),
        ];
        for (label, count) in counts
            .into_iter()
            .filter_map(|(label, count)| Some((label, count?)))
        {
            writeln!(out, "  {label:<13}{:>12}", grouped(count as u64))?;
        }
        writeln!(out, "  {:<13}{:>12.6}", "seconds", self.seconds)?;
        if let Some(seconds) = self.first_step_seconds {
            writeln!(out, "  {:<13}{:>12.6}", "to first step", seconds)?;
        }
        writeln!(out, "  {:<13}{:>11}B", "task memory", short(self.bytes as f64))?;
        if let Some(bytes) = self.peak_bytes {
            writeln!(out, "  {:<13}{:>11}B", "peak memory", short(bytes as f64))?;
        }
        if let Some(bytes) = self.file_bytes {
            writeln!(out, "  {:<13}{:>11}B", "file", short(bytes as f64))?;
        }
        if let Some(schemas) = &self.schemas {
            writeln!(out)?;
            out.flush()?;
            groundings::print(schemas)?;
        }
        if let Some(list) = &self.list {
            list.print(&mut out)?;
        }
        out.flush()?;
        Ok(())
    }
}
