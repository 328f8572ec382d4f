//! `herbrand exam grade`: grades answers.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::exam::{self, Answer, Question};
use serde::de::DeserializeOwned;

use crate::failure::{Failure, file_error};
use crate::files::{self, Mark};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Grade answers to questions
///
/// Prints the share of right answers with its confidence interval for each kind of question and each domain, next to
/// the share that guesses have. The answer begins after the last `Answer:`, or else is the whole text; case, articles
/// and punctuation do not matter. Plans are carried out: any plan that reaches the goal is right. The page of --out and the
/// JSON say why an answer is wrong, such as the step of a plan that cannot be carried out.
///
/// Each line of the file of answers is a JSON object with `id` and `answer`. A question without an answer is wrong.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand exam grade exam.jsonl answers.jsonl
  herbrand exam grade exam.jsonl answers.jsonl --out report.html
  herbrand exam grade exam.jsonl answers.jsonl --format json")]
pub struct Grade {
    /// The questions, as `herbrand exam make` writes them
    #[arg(value_name = "QUESTIONS")]
    questions: PathBuf,

    /// The answers
    #[arg(value_name = "ANSWERS")]
    answers: PathBuf,

    /// Write a page with the tables and the wrong answers to this file
    #[arg(long, short, value_name = "FILE")]
    out: Option<PathBuf>,

    #[command(flatten)]
    limits: LimitArgs,
}

impl Grade {
    pub(super) const fn limits(&self) -> LimitArgs {
        self.limits
    }

    pub(super) fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        files::check_before(self.out.as_deref(), Mark::Markup)?;
        let questions: Vec<Question> = read(&self.questions)?;
        let answers: Vec<Answer> = read(&self.answers)?;
        let grades =
            exam::grade(&questions, &answers).map_err(|faults| Failure::Request(faults.join("\n")))?;
        if format == Format::Json {
            output::json(&grades)?;
        } else {
            let mut out = output::out();
            write!(out, "{}", grades.table())?;
            if grades.blank > 0 {
                let questions = herbrand::text::counted(questions.len(), "question");
                writeln!(out, "{} of {questions} left blank, and so wrong", grades.blank)?;
            }
            out.flush()?;
        }
        if let Some(path) = &self.out {
            files::write_file(path, grades.html(), Mark::Markup)?;
            files::report_written(path, "the report");
        }
        Ok(CommandOutcome::Yes)
    }
}

pub(super) fn read<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, Failure> {
    files::note_input(path);
    let text = std::fs::read_to_string(path).map_err(|error| file_error(path, error))?;
    exam::read_lines(&path.display().to_string(), &text).map_err(|faults| Failure::Request(faults.join("\n")))
}
