//! `herbrand ground`: grounds a problem and reports its size.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use herbrand::GroundTask;
use herbrand::env::ActionMode;
use herbrand::tasks::TaskFailure;
use herbrand::tasks::ground::{
    GroundAnswer, GroundList, GroundQuery, GroundReport, InstanceReport, SchemaGrounding, ground,
};
use herbrand::text::Style;

use crate::failure::{Failure, file_error, refuse};
use crate::files;
use crate::options::QueryArgs;
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
    pub problem: ProblemArgs,

    /// Write the ground task to a file, so that a program can start without grounding
    ///
    /// The format is JSON if the name ends in `.json`, and otherwise postcard, which is a fifth of the size. The library
    /// reads both as `herbrand::GroundTask`. `herbrand translate` writes SAS+.
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    options: QueryArgs<GroundQuery>,
}

impl Ground {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let begin = Instant::now();
        if let Some(path) = self.out.as_deref().filter(|path| has_ending(path, "sas")) {
            return refuse(format!(
                "{}: `herbrand translate` writes SAS+: a ground task is written as JSON to a name that ends in `.json`, and as \
                 postcard to any other name, such as {}",
                path.display(),
                path.with_extension("task").display()
            ));
        }
        files::check_before(self.out.as_deref())?;
        let problems = self.problem.find(ActionMode::Operators)?;
        let read = begin.elapsed().as_secs_f64();
        let mut answer = match self
            .problem
            .run(|run| ground(&problems, &self.options.query, run))
        {
            Err(TaskFailure::TooManyActions { error, bounds }) => {
                match format {
                    Format::Json => output::json(&serde_json::json!({ "schemas": bounds }))?,
                    Format::Text => print_schemas(&bounds)?,
                }
                return Err((*error).into());
            }
            answer => answer?,
        };
        match (&mut answer, &self.out) {
            (GroundAnswer::Task(report), out) => {
                for warning in &report.warnings {
                    anstream::eprintln!("{}\n", warning.render(Style::Colored).trim_end());
                }
                report.first_step_seconds = report.first_step_seconds.map(|seconds| read + seconds);
                let size = out.as_deref().map(|path| write(&report.task, path));
                report.file_bytes = size.transpose()?;
            }
            (GroundAnswer::Instance(_), Some(_)) => return refuse("--out is for PDDL only"),
            (GroundAnswer::Instance(report), None) => {
                report.first_step_seconds = report.first_step_seconds.map(|seconds| read + seconds);
            }
        }
        match (format, &answer) {
            (Format::Json, answer) => output::json(answer)?,
            (Format::Text, GroundAnswer::Task(report)) => print(report)?,
            (Format::Text, GroundAnswer::Instance(report)) => print_instance(report)?,
        }
        Ok(CommandOutcome::Yes)
    }
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

fn print(report: &GroundReport) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{} ({})", report.problem, report.domain)?;
    let counts = [
        ("atoms", Some(report.atoms)),
        ("left out", report.left_out),
        ("actions", Some(report.actions)),
        ("axioms", Some(report.axioms)),
        ("strata", Some(report.strata)),
        ("static atoms", Some(report.statics)),
        ("literals", Some(report.literals)),
        ("effects", Some(report.effects)),
    ];
    for (label, count) in counts
        .into_iter()
        .filter_map(|(label, count)| Some((label, count?)))
    {
        writeln!(out, "  {label:<13}{:>12}", grouped(count as u64))?;
    }
    writeln!(out, "  {:<13}{:>12.6}", "seconds", report.seconds)?;
    if let Some(seconds) = report.first_step_seconds {
        writeln!(out, "  {:<13}{:>12.6}", "to first step", seconds)?;
    }
    writeln!(out, "  {:<13}{:>11}B", "task memory", short(report.bytes as f64))?;
    if let Some(bytes) = report.peak_bytes {
        writeln!(out, "  {:<13}{:>11}B", "peak memory", short(bytes as f64))?;
    }
    if let Some(bytes) = report.file_bytes {
        writeln!(out, "  {:<13}{:>11}B", "file", short(bytes as f64))?;
    }
    if let Some(schemas) = &report.schemas {
        writeln!(out)?;
        out.flush()?;
        print_schemas(schemas)?;
    }
    if let Some(list) = &report.list {
        print_list(list, &mut out)?;
    }
    out.flush()?;
    Ok(())
}

fn print_list(list: &GroundList, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\natoms")?;
    for atom in &list.atoms {
        writeln!(out, "  {atom}")?;
    }
    writeln!(out, "\nactions")?;
    for (action, definition) in list.actions.iter().zip(&list.definitions) {
        writeln!(out, "  {action}")?;
        for line in definition.lines() {
            writeln!(out, "  {line}")?;
        }
    }
    writeln!(out, "\naxioms")?;
    for axiom in &list.axioms {
        writeln!(out, "  {axiom}")?;
    }
    Ok(())
}

fn print_instance(report: &InstanceReport) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{} ({})", report.problem, report.domain)?;
    let counts = [
        ("state fluents", report.state_fluents),
        ("action fluents", report.action_fluents),
        ("intermediate fluents", report.interm_fluents),
        ("observed fluents", report.observed_fluents),
        ("preconditions", report.preconditions),
        ("instructions per step", report.instructions),
    ];
    for (name, count) in counts {
        writeln!(out, "{name:<22} {:>12}", grouped(count as u64))?;
    }
    writeln!(out, "{:<22} {:>12}", "seconds", format!("{:.3}", report.seconds))?;
    if let Some(seconds) = report.first_step_seconds {
        writeln!(out, "{:<22} {:>12}", "to first step", format!("{seconds:.3}"))?;
    }
    if let Some(bytes) = report.peak_bytes {
        writeln!(out, "{:<22} {:>12}", "peak memory", short(bytes as f64))?;
    }
    Ok(out.flush()?)
}

/// Prints a table of all schemas, then for each schema the predicates that bound its parameters, and its join plans. Without the
/// ground task, there are only bounds.
fn print_schemas(schemas: &[SchemaGrounding]) -> io::Result<()> {
    let is_ground = schemas.iter().any(|schema| schema.actions.is_some());
    let columns = [
        ("schema", false, true),
        ("actions", true, is_ground),
        ("bindings", true, is_ground),
        ("combinations", true, true),
        ("tried", true, is_ground),
    ];
    let shown = columns.iter().filter(|column| column.2);
    let shown: Vec<_> = shown.map(|&(title, is_number, _)| (title, is_number)).collect();
    let row = |schema: &SchemaGrounding| {
        let counts = [
            schema.actions.map(|actions| actions as u64),
            schema.bindings,
            // The cast saturates at `u64::MAX`, which is accurate enough for display.
            Some(schema.combinations as u64),
            schema.candidates,
        ];
        let counts = counts.into_iter().flatten().map(grouped);
        [schema.schema.clone()].into_iter().chain(counts).collect()
    };
    output::table(&shown, schemas.iter().map(row))?;
    let mut out = output::out();
    for schema in schemas {
        writeln!(out, "\n{}", schema.schema)?;
        for parameter in &schema.parameters {
            let taken = parameter
                .taken
                .map(|taken| format!("{} of ", grouped(taken as u64)));
            let (taken, objects) = (taken.unwrap_or_default(), grouped(parameter.objects as u64));
            let name = format!("?{}", parameter.name);
            let bound = match &parameter.predicates[..] {
                [] => "its type only".to_owned(),
                predicates => predicates.join(", "),
            };
            writeln!(out, "  {name:<16} {taken}{objects} objects, bounded by {bound}")?;
        }
        for line in schema.plans.iter().flatten().flat_map(|plan| plan.lines()) {
            writeln!(out, "  {line}")?;
        }
    }
    out.flush()
}
