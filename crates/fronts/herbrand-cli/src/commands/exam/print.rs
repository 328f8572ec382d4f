//! `herbrand exam print`: writes questions and answers on sheets of paper.

use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::exam::{self, Question, SheetFormat};

use super::grade;
use crate::failure::{Failure, refuse};
use crate::files;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;

/// Print questions as a sheet, and their answers as another
///
/// The ending of each file chooses the format: .html or .md. Questions have the same numbers on both sheets. The answers come
/// with reasons where a sentence can give them.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand exam print exam.jsonl --out questions.html
  herbrand exam print exam.jsonl --out questions.md --answers answers.md")]
pub struct Print {
    /// The questions, as `herbrand exam make` writes them
    #[arg(value_name = "QUESTIONS")]
    questions: PathBuf,

    /// Write the questions to this file
    #[arg(long, short, value_name = "FILE")]
    out: PathBuf,

    /// Write the right answers to this file
    #[arg(long, value_name = "FILE")]
    answers: Option<PathBuf>,

    #[command(flatten)]
    pub(super) limits: LimitArgs,
}

impl Print {
    pub(super) fn run(self) -> Result<CommandOutcome, Failure> {
        let questions_format = format_of(&self.out)?;
        let answers = self.answers.as_deref();
        let answers = answers
            .map(|path| Ok::<_, Failure>((path, format_of(path)?)))
            .transpose()?;
        files::check_before(Some(&self.out))?;
        files::check_before(answers.map(|(path, _)| path))?;
        let questions: Vec<Question> = grade::read(&self.questions)?;
        files::write_file(&self.out, exam::question_sheet(&questions, questions_format))?;
        files::report_written(&self.out, herbrand::text::counted(questions.len(), "question"));
        if let Some((path, format)) = answers {
            files::write_file(path, exam::answer_sheet(&questions, format))?;
            files::report_written(path, "the answers");
        }
        Ok(CommandOutcome::Yes)
    }
}

fn format_of(path: &Path) -> Result<SheetFormat, Failure> {
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("html" | "htm") => Ok(SheetFormat::Html),
        Some("md") => Ok(SheetFormat::Markdown),
        _ => refuse(format!(
            "`{}` does not say which format it has: end it in .html or .md",
            path.display()
        )),
    }
}
