//! `herbrand explain`: explains the codes of diagnostics, and lists them.

use std::io::{self, Write};

use clap::Args;
use herbrand::render::RenderCode;
use herbrand::sas::SasCode;
use herbrand::text::{Code, did_you_mean, nearest};
use herbrand::verbalize::TextCode;
use herbrand::{pddl, rddl};
use serde::Serialize;

use crate::failure::{Failure, refuse};
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

#[derive(Serialize)]
struct Explanation {
    code: &'static str,
    severity: &'static str,
    summary: &'static str,
    explanation: &'static str,
    wrong: &'static str,
    right: &'static str,
    /// The code's name in Rust, split into lower-case words.
    #[serde(skip)]
    name: String,
}

impl Explain {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let mut all = Explanation::all();
        let codes = self.words.iter().flat_map(|word| word.split([' ', ',']));
        let codes: Vec<_> = codes.filter(|code| !code.is_empty()).collect();
        if !codes.is_empty() && codes.iter().all(|word| is_code(word)) {
            let found = codes.iter().map(|code| find(&all, code));
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
            return unknown.map_or(Ok(CommandOutcome::Yes), Err);
        }
        if !self.words.is_empty() {
            all = search(all, &self.words.join(" "))?;
        }
        match (format, all.as_slice()) {
            (Format::Json, all) => output::json(&all)?,
            (Format::Text, [only]) => print(&[only])?,
            (Format::Text, all) => list(all)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

/// Returns whether a word is written like a code: letters and digits.
fn is_code(word: &str) -> bool {
    word.chars().all(char::is_alphanumeric) && word.contains(|c: char| c.is_ascii_digit())
}

/// Returns the explanation of a code.
///
/// # Errors
/// Fails with a message if there is no such code.
fn find<'e>(all: &'e [Explanation], code: &str) -> Result<&'e Explanation, Failure> {
    all.iter()
        .find(|one| one.code.eq_ignore_ascii_case(code))
        .ok_or_else(|| {
            let near = did_you_mean(nearest(code, all.iter().map(|one| one.code)));
            Failure::Request(format!("there is no diagnostic with the code `{code}`{near}"))
        })
}

/// Returns the explanations that contain all of these words. Matches in the summary or the name come first.
///
/// # Errors
/// Fails with a message if no explanation matches.
fn search(all: Vec<Explanation>, words: &str) -> Result<Vec<Explanation>, Failure> {
    let contains = |text: &str| {
        let text = text.to_lowercase();
        words
            .split_whitespace()
            .all(|word| text.contains(&word.to_lowercase()))
    };
    let head = |one: &Explanation| format!("{} {}", one.name, one.summary);
    let (mut found, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| contains(&head(one)));
    let whole = |one: &Explanation| format!("{} {}", head(one), one.explanation);
    found.extend(others.into_iter().filter(|one| contains(&whole(one))));
    if found.is_empty() {
        return refuse(format!(
            "no explanation contains `{words}`: `herbrand explain` lists all codes"
        ));
    }
    Ok(found)
}

impl Explanation {
    /// Returns the explanations of the codes of PDDL, RDDL, pictures, finite-domain tasks and tables of sentences.
    fn all() -> Vec<Self> {
        let pddl = pddl::Code::ALL.iter().copied().map(Self::of);
        let rddl = rddl::Code::ALL.iter().copied().map(Self::of);
        let pictures = RenderCode::ALL.iter().copied().map(Self::of);
        let finite = SasCode::ALL.iter().copied().map(Self::of);
        let sentences = TextCode::ALL.iter().copied().map(Self::of);
        let codes = pddl.chain(rddl).chain(pictures).chain(finite);
        codes.chain(sentences).collect()
    }

    fn of(code: impl Code) -> Self {
        let explanation = code.explanation();
        Self {
            code: code.as_str(),
            severity: code.severity().as_str(),
            summary: code.summary(),
            explanation: explanation.text,
            wrong: explanation.wrong,
            right: explanation.right,
            name: words_of(&format!("{code:?}")),
        }
    }

    fn print(&self, out: &mut impl Write) -> io::Result<()> {
        let bold = anstyle::Style::new().bold();
        writeln!(
            out,
            "{bold}{}{bold:#} ({}): {}\n",
            self.code, self.severity, self.summary
        )?;
        writeln!(out, "{}", self.explanation)?;
        for (title, example) in [("Wrong", self.wrong), ("Right", self.right)] {
            if !example.is_empty() {
                writeln!(out, "\n{bold}{title}{bold:#}\n")?;
                example.lines().try_for_each(|line| writeln!(out, "    {line}"))?;
            }
        }
        Ok(())
    }
}

/// Prints explanations with a blank line between them.
fn print(explanations: &[&Explanation]) -> Result<(), Failure> {
    let mut out = output::out();
    for (index, explanation) in explanations.iter().enumerate() {
        if index > 0 {
            writeln!(out)?;
        }
        explanation.print(&mut out)?;
    }
    Ok(out.flush()?)
}

/// Splits a name in camel case: `ArityMismatch` becomes `arity mismatch`.
fn words_of(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

fn list(explanations: &[Explanation]) -> Result<(), Failure> {
    let rows = explanations
        .iter()
        .map(|explanation| vec![explanation.code.to_owned(), explanation.summary.to_owned()]);
    Ok(output::table(&[("code", false), ("what it says", false)], rows)?)
}
