//! `herbrand fmt`: PDDL in canonical form.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::pddl::{Document, ReadOptions, Reading, Source, read};
use serde::Serialize;

use crate::Answer;
use crate::failure::Failure;
use crate::input::{self, file_error};
use crate::output::{self, Format};
use crate::pairing::Domains;

/// Print PDDL in canonical form
///
/// Names are in lower case, sections in the usual order, one declaration a line. Reading the result gives an equal
/// model. The comment at the head of a file is kept; comments further down are not part of the model and are lost, so
/// --write leaves files with such comments alone unless --drop-comments is given. A problem is read with its domain:
/// give that too, or name it by --domain.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand fmt domain.pddl                     to standard output
  herbrand fmt --check domain.pddl p*.pddl     exit status 1 when a file is not canonical
  herbrand fmt --write p01.pddl --domain domain.pddl")]
pub struct Fmt {
    /// PDDL files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The domain of the problems, itself not printed
    #[arg(long, value_name = "FILE")]
    domain: Option<PathBuf>,

    /// Only say which files are not canonical; the exit status is 1 when there are some
    #[arg(long)]
    check: bool,

    /// Write the files anew where they are not canonical
    #[arg(long, conflicts_with = "check")]
    write: bool,

    /// Write files anew even if comments are lost
    #[arg(long, requires = "write")]
    drop_comments: bool,
}

#[derive(Serialize)]
struct Formatted {
    file: PathBuf,
    canonical: bool,
    /// Whether comments would be lost.
    comments: bool,
    text: String,
}

impl Fmt {
    pub fn run(self, format: Format) -> Result<Answer, Failure> {
        let formatted = self.formatted()?;
        if format == Format::Json {
            output::json(&formatted)?;
        }
        if self.write {
            return self.write(&formatted, format);
        }
        let canonical = formatted.iter().all(|file| file.canonical);
        if format == Format::Text {
            let mut out = output::out();
            for file in &formatted {
                match self.check {
                    true if !file.canonical => writeln!(out, "{}", file.file.display())?,
                    true => {}
                    false => write!(out, "{}", file.text)?,
                }
            }
            out.flush()?;
        }
        Ok(if self.check && !canonical {
            Answer::No
        } else {
            Answer::Yes
        })
    }

    /// All files in canonical form.
    fn formatted(&self) -> Result<Vec<Formatted>, Failure> {
        let read_all = |paths: &[PathBuf]| {
            let sources = paths.iter().map(|path| input::read(path));
            sources.collect::<Result<Vec<_>, _>>()
        };
        let sources = read_all(&self.files)?;
        let beside = read_all(self.domain.as_slice())?;
        let mut domains = Domains::default();
        for source in sources.iter().chain(&beside) {
            domains.add(source, &read(source, &ReadOptions::default()));
        }
        let files = self.files.iter().zip(&sources);
        files
            .map(|(path, source)| Formatted::of(path, source, &domains))
            .collect()
    }

    fn write(&self, formatted: &[Formatted], format: Format) -> Result<Answer, Failure> {
        let mut answer = Answer::Yes;
        for file in formatted.iter().filter(|file| !file.canonical) {
            let path = file.file.display();
            if file.comments && !self.drop_comments {
                anstream::eprintln!("{path}: left alone: its comments would be lost (--drop-comments)");
                answer = Answer::No;
                continue;
            }
            fs::write(&file.file, &file.text).map_err(|error| file_error(&file.file, error))?;
            if format == Format::Text {
                writeln!(output::out(), "{path}")?;
            }
        }
        Ok(answer)
    }
}

impl Formatted {
    fn of(path: &Path, source: &Source, domains: &Domains) -> Result<Self, Failure> {
        let document = read(source, &ReadOptions::default());
        let (head, body) = split_head(source.text());
        let text = format!("{head}{}", canonical(source, &document, domains)?);
        Ok(Self {
            file: path.to_owned(),
            canonical: text == source.text(),
            comments: has_comment(body),
            text,
        })
    }
}

/// The definitions of a text in canonical form: domains, then problems.
fn canonical(source: &Source, document: &Document<'_>, domains: &Domains) -> Result<String, Failure> {
    let mut texts = Vec::new();
    for domain in document.domains() {
        texts.push(sound(document, domain.check())?.to_pddl());
    }
    for problem in document.problems() {
        let domain = domains.of(source, problem).map_err(|reason| {
            Failure::Request(format!(
                "{}: problem `{}` cannot be read: {reason}",
                source.name(),
                problem.name()
            ))
        })?;
        texts.push(sound(document, problem.check(domain))?.to_pddl(domain));
    }
    if texts.is_empty() {
        return Err(Failure::Faults(document.diagnostics().to_vec()));
    }
    Ok(texts
        .iter()
        .map(|text| format!("{}\n", text.trim_end()))
        .collect::<Vec<_>>()
        .join("\n"))
}

/// The model of a definition without faults.
fn sound<T>(document: &Document<'_>, reading: Reading<T>) -> Result<T, Failure> {
    reading.value.ok_or_else(|| {
        let mut diagnostics = document.diagnostics().to_vec();
        diagnostics.extend(reading.diagnostics);
        Failure::Faults(diagnostics)
    })
}

/// The comment lines that a text begins with, each with its newline, and the rest.
fn split_head(text: &str) -> (String, &str) {
    let is_head = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with(';');
    let length = text.split_inclusive('\n').take_while(is_head).map(str::len).sum();
    let (head, body) = text.split_at(length);
    let lines = head.trim().lines().map(|line| format!("{}\n", line.trim_end()));
    (lines.collect(), body)
}

/// Whether there is a comment other than PDDLGym's list of the agent's actions, which is part of the model.
fn has_comment(text: &str) -> bool {
    text.lines()
        .filter_map(|line| line.split_once(';'))
        .any(|(_, comment)| {
            !comment
                .trim_start_matches(';')
                .trim_start()
                .starts_with("(:actions")
        })
}
