//! `herbrand explain`: explains the codes of diagnostics, and lists them.

use std::io::{self, Write};

use clap::Args;
use herbrand::tasks::explain::{CodeExplanation, UnknownExplanation, about, explain, explanations};

use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Explain the codes of diagnostics, each with a wrong and a right example
///
/// Without a code, all codes are listed. Words list the codes whose explanations contain all of them.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand explain E0102                       a code of PDDL
  herbrand explain E1304 W0602                 several codes
  herbrand explain                             all codes
  herbrand explain arity                       the codes about a subject")]
pub struct Explain {
    /// Codes, or words to search for
    #[arg(value_name = "CODES or WORDS")]
    words: Vec<String>,

    /// List all codes, each with a few words
    #[arg(long, conflicts_with = "words")]
    all: bool,
}

impl Explain {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let codes = self.words.iter().flat_map(|word| word.split([' ', ',']));
        let codes: Vec<_> = codes.filter(|code| !code.is_empty()).collect();
        if !codes.is_empty() && codes.iter().all(|word| is_code(word)) {
            let found = codes.iter().map(|code| explain(code));
            // The codes that exist are explained before the failure for one that does not.
            let (found, unknown): (Vec<_>, Vec<_>) = found.partition(Result::is_ok);
            let found: Vec<_> = found.into_iter().flatten().collect();
            let unknown = unknown.into_iter().find_map(Result::err);
            match (format, found.as_slice()) {
                (_, []) => {}
                (Format::Json, [only]) => output::json(only)?,
                (Format::Json, several) => output::json(&several)?,
                (Format::Text, several) => print(several)?,
            }
            return unknown.map_or(Ok(CommandOutcome::Yes), |error| Err(error.into()));
        }
        let all = if self.words.is_empty() {
            explanations()
        } else {
            about(&self.words.join(" "))?
        };
        match (format, all.as_slice()) {
            (Format::Json, all) => output::json(&all)?,
            (Format::Text, [only]) => print(std::slice::from_ref(only))?,
            (Format::Text, all) => list(all)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

impl From<UnknownExplanation> for Failure {
    fn from(error: UnknownExplanation) -> Self {
        Self::Request(error.to_string())
    }
}

/// Returns whether a word is written like a code: letters and digits.
fn is_code(word: &str) -> bool {
    word.chars().all(char::is_alphanumeric) && word.contains(|c: char| c.is_ascii_digit())
}

/// Prints explanations with a blank line between them.
fn print(explanations: &[CodeExplanation]) -> Result<(), Failure> {
    let mut out = output::out();
    for (index, explanation) in explanations.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        print_one(explanation, &mut out)?;
    }
    Ok(out.flush()?)
}

fn print_one(one: &CodeExplanation, out: &mut impl Write) -> io::Result<()> {
    let bold = anstyle::Style::new().bold();
    writeln!(
        out,
        "{bold}{}{bold:#} ({}): {}\n",
        one.code, one.severity, one.summary
    )?;
    writeln!(out, "{}", one.explanation)?;
    for (title, example) in [("Wrong", one.wrong), ("Right", one.right)] {
        if !example.is_empty() {
            writeln!(out, "\n{bold}{title}{bold:#}\n")?;
            example.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
        }
    }
    Ok(())
}

fn list(explanations: &[CodeExplanation]) -> Result<(), Failure> {
    let rows = explanations
        .iter()
        .map(|explanation| vec![explanation.code.to_owned(), explanation.summary.to_owned()]);
    Ok(output::table(&[("code", false), ("what it says", false)], rows)?)
}
