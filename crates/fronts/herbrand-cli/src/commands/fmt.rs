//! `herbrand fmt`: formats PDDL and RDDL files.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::pddl::Source;
use herbrand::play::Language;
use herbrand::text::Style;
use herbrand::{pddl, rddl};
use serde::Serialize;

use crate::failure::{Failure, refuse};
use crate::files;
use crate::input;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};

/// Print PDDL or RDDL in canonical form
///
/// In PDDL, names become lower case, and each section and each part of an action starts a line. Other lists keep their line
/// breaks; lines longer than 100 columns are wrapped. In RDDL, lines are indented by their braces. Comments, groups of
/// lines, order and meaning do not change; several blank lines become one. If a file has faults, no file is changed.
/// All lines end like the first one, and files are written in UTF-8 without a byte order mark. --lenient adds missing
/// parentheses at the end of a PDDL file, and removes unmatched ones; other faults remain errors.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand fmt domain.pddl                     print to standard output
  herbrand fmt --check domain.pddl p*.pddl     exit with status 1 if a file is not canonical
  herbrand fmt --write domain.pddl p*.pddl     rewrite the files in place
  herbrand fmt - < domain.pddl                 read standard input")]
pub struct Fmt {
    /// PDDL or RDDL files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Only list the files that are not canonical; exit with status 1 if there are any
    #[arg(long)]
    check: bool,

    /// Rewrite the files that are not canonical
    #[arg(long, conflicts_with = "check")]
    write: bool,

    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Serialize)]
struct Formatted {
    file: PathBuf,
    canonical: bool,
    text: String,
}

impl Fmt {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let formatted = self.formatted()?;
        if format == Format::Json {
            output::json(&formatted)?;
        }
        if self.write {
            return write(&formatted, format);
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
        Ok(CommandOutcome::yes_if(canonical || !self.check))
    }

    /// Returns all files in canonical form. If files have syntax errors, the error lists those of all files.
    fn formatted(&self) -> Result<Vec<Formatted>, Failure> {
        let (mut formatted, mut faults) = (Vec::new(), Vec::new());
        for path in &self.files {
            let source = input::read_within(path, self.limits.limits())?;
            match Formatted::of(path, &source) {
                Ok(file) => formatted.push(file),
                Err(Failure::Faults(found)) => faults.extend(found),
                Err(other) => return Err(other),
            }
        }
        if faults.is_empty() {
            Ok(formatted)
        } else {
            Err(Failure::Faults(faults))
        }
    }
}

fn write(formatted: &[Formatted], format: Format) -> Result<CommandOutcome, Failure> {
    for file in formatted.iter().filter(|file| !file.canonical) {
        if file.file == Path::new("-") {
            return refuse("--write cannot change standard input: leave --write out");
        }
        files::rewrite_file(&file.file, &file.text)?;
        if format == Format::Text {
            writeln!(output::out(), "{}", file.file.display())?;
        }
    }
    Ok(CommandOutcome::Yes)
}

impl Formatted {
    fn of(path: &Path, source: &Source) -> Result<Self, Failure> {
        let text = match Language::of_source(source) {
            Language::Pddl if input::is_lenient() => {
                let (text, repairs) = pddl::format_lenient(source)?;
                for repair in repairs {
                    anstream::eprintln!("{}\n", repair.render(Style::Colored).trim_end());
                }
                text
            }
            Language::Pddl => pddl::format(source)?,
            Language::Rddl => rddl::format(source)?,
        };
        Ok(Self {
            file: path.to_owned(),
            canonical: text == source.text(),
            text,
        })
    }
}
