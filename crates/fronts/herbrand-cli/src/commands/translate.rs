//! `herbrand translate`: writes a problem as a finite-domain task (SAS+).

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use herbrand::env::ActionMode;
use herbrand::sas::FiniteDomainTask;
use herbrand::tasks::translate::{TranslateAnswer, TranslateQuery, translate};
use serde::Serialize;

use crate::failure::{Failure, file_error};
use crate::files;
use crate::memory;
use crate::options::QueryArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, grouped};
use crate::problem::ProblemArgs;

/// Write a problem as a finite-domain task (SAS+), in the format of Fast Downward's translator
///
/// Atoms that exclude each other become the values of one variable. They follow from invariants of the schemas. Planners that read version 3 of the format read the output in place of that of their own translator.
///
/// The format has no random outcomes, no conditions on numbers, and no metric but the sum of the operators' costs. A problem
/// that needs them is refused, with the place.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand translate domain.pddl p01.pddl --out output.sas
  herbrand translate blocks test/05 > blocks.sas
  herbrand translate logistics --h2 --out logistics.sas
  herbrand translate depot test/01 --fam=8 --out depot.sas
  herbrand translate river --determinize all-outcomes --out river.sas
  herbrand translate hanoi --format json")]
pub struct Translate {
    #[command(flatten)]
    pub problem: ProblemArgs,

    /// The file to write; JSON if the name ends in `.json`, and otherwise the format of Fast Downward [default: the output]
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    options: QueryArgs<TranslateQuery>,
}

/// The size of a task with the task, which is not written to a file.
#[derive(Serialize)]
struct WithTask<'a> {
    #[serde(flatten)]
    answer: &'a TranslateAnswer,
    task: &'a FiniteDomainTask,
}

impl Translate {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let begin = Instant::now();
        let problems = self.problem.find(ActionMode::Operators)?;
        files::check_before(self.out.as_deref())?;
        let read = begin.elapsed().as_secs_f64();
        let out = self.out.as_deref();
        let query = TranslateQuery {
            without_names: !out.map_or(format == Format::Json, is_json),
            ..self.options.query
        };
        let mut answer = self.problem.run(|run| translate(&problems, &query, run))?;
        answer.seconds += read;
        if answer.unsolvable {
            anstream::eprintln!("note: the problem has no plan: a fact of its goal is never true");
        }
        if let Some(path) = out {
            write(&answer, path)?;
        }
        match (format, out) {
            (Format::Json, Some(_)) => output::json(&answer)?,
            (Format::Json, None) => output::json(&WithTask {
                answer: &answer,
                task: answer.task(),
            })?,
            (Format::Text, Some(_)) => print(&answer)?,
            (Format::Text, None) => {
                let mut out = output::out();
                answer.write_sas(&mut out)?;
                out.flush()?;
            }
        }
        memory::release(answer);
        Ok(CommandOutcome::Yes)
    }
}

/// Returns whether a file is written as JSON.
fn is_json(path: &Path) -> bool {
    let ending = path.extension();
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"))
}

fn write(answer: &TranslateAnswer, path: &Path) -> Result<(), Failure> {
    if is_json(path) {
        let text = serde_json::to_string(answer.task()).map_err(std::io::Error::from)?;
        files::write_file(path, text)?;
    } else {
        files::write_with(path, file_error, |out| answer.write_sas(out))?;
    }
    files::report_written(path, output::counted(answer.operators as u64, "operator"));
    Ok(())
}

fn print(answer: &TranslateAnswer) -> Result<(), Failure> {
    let mut out = output::out();
    writeln!(out, "{} ({})", answer.problem, answer.domain)?;
    let counts = [
        ("variables", answer.variables as u64),
        ("derived", answer.derived as u64),
        ("facts", answer.facts as u64),
        ("bits", answer.bits),
        ("operators", answer.operators as u64),
        ("axioms", answer.axioms as u64),
        ("mutex groups", answer.mutex_groups as u64),
    ];
    for (label, count) in counts {
        writeln!(out, "  {label:<13}{:>12}", grouped(count))?;
    }
    if let Some(removed) = answer.removed_actions {
        writeln!(out, "  {:<13}{:>12}", "removed by h²", grouped(removed as u64))?;
    }
    if answer.cost_unit != 1.0 {
        writeln!(out, "  {:<13}{:>12}", "cost unit", answer.cost_unit)?;
    }
    writeln!(out, "  {:<13}{:>12.6}", "seconds", answer.seconds)?;
    out.flush()?;
    Ok(())
}
