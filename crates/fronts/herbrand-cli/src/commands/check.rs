//! `herbrand check`: reports all errors and warnings in PDDL and RDDL files.

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::pddl::Source;
use herbrand::play::Language;
use herbrand::tasks::check::{CheckAnswer, CheckNote, CheckQuery, CheckText, UncheckedText, check};
use herbrand::tasks::{FailureKind, Run};

use crate::failure::{Failure, refuse};
use crate::input::{self, CommandFiles, FileKind};
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format};
use herbrand::tasks::open::{is_domain, of_collection};

/// Parse and check PDDL or RDDL files, and finite-domain tasks (SAS+)
///
/// Prints every error and warning with its place, and a note for each name that nothing reads. The language, and whether a file is a domain or a problem, is detected
/// from its content. A problem or RDDL instance is checked against the domain that it names, or against the only domain
/// given; among several domains of that name, against the one in its folder; without a domain, against `domain.pddl` or `domain.rddl` in its folder or the one above. The exit status is 2 if there are errors, and 3 if a limit is the only one; warnings do not change it.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand check domain.pddl p01.pddl p02.pddl
  herbrand check p01.pddl                       check a problem and the domain.pddl beside it
  herbrand check domains/blocks                 check all files of a folder, with its settings
  herbrand check domain.rddl instance1.rddl
  herbrand check --strict domain.pddl           treat warnings as errors
  herbrand check --ground domain.pddl p01.pddl  also warn of goals and actions that the problem rules out
  herbrand check --format json domain.pddl
  generate-problem | herbrand check domain.pddl -

Run `herbrand explain CODE` for details of a diagnostic.")]
pub struct Check {
    /// PDDL, RDDL or SAS+ files, or folders of such files, settings (`env.toml`) and tables of sentences (`domain.text.toml`);
    /// `-` is standard input
    #[arg(required = true, value_name = "FILE|FOLDER")]
    paths: Vec<PathBuf>,

    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,

    /// Also ground each problem in PDDL, and warn with the reason of goals that cannot hold, of actions that can never be applied,
    /// and of predicates that are never true; the latter two if they are so in all problems given
    #[arg(long)]
    ground: bool,

    #[command(flatten)]
    limits: LimitArgs,
}

impl Check {
    /// Returns the limits of time and memory for the whole command.
    pub const fn limits(&self) -> LimitArgs {
        self.limits
    }

    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let limits = self.limits.limits();
        let files = self.files()?;
        let sources = files
            .iter()
            .map(|path| input::read_within(path, limits))
            .collect::<Result<Vec<_>, _>>()?;
        let (tasks, sources): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .partition(|source| input::is_task_text(source.text()));
        let (settings, sources): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .partition(|source| is_settings(Path::new(source.name())));
        let among = |file: Option<PathBuf>| {
            let file = file?;
            settings.iter().find(|one| Path::new(one.name()) == file).cloned()
        };
        let text = |source: Source| {
            let path = Path::new(source.name());
            let (settings, sentences) = (input::settings_file(path), input::sentences_file(path));
            CheckText {
                settings: among(settings),
                sentences: among(sentences),
                source,
            }
        };
        let (rddl, pddl): (Vec<_>, Vec<_>) = sources
            .into_iter()
            .map(text)
            .partition(|text| Language::of_source(&text.source) == Language::Rddl);
        let used = |one: &Source| {
            let mut texts = pddl.iter().chain(&rddl);
            texts.any(|text| text.settings.as_ref() == Some(one) || text.sentences.as_ref() == Some(one))
        };
        let unused = settings.iter().filter(|one| !used(one)).map(|one| UncheckedText {
            file: one.name().to_owned(),
            problem: String::new(),
            reason: "there is no domain beside it".to_owned(),
        });
        let unused: Vec<_> = unused.collect();
        let query = CheckQuery {
            pddl,
            rddl,
            tasks,
            strict: self.strict,
            lenient: input::read_options(limits).lenient,
            ground: self.ground,
        };
        let run = Run {
            limits,
            ..Run::default()
        };
        let mut answer = check(&query, &run)?;
        answer.files = files.len();
        answer.unchecked.splice(0..0, unused);
        let unchecked = answer.unchecked.iter().map(|_| FailureKind::Input);
        // A fault beside a limit is an answer.
        let outcome = answer
            .errors()
            .map(|one| one.kind)
            .chain(unchecked)
            .map(CommandOutcome::from)
            .min();
        match format {
            Format::Json => output::json(&answer)?,
            Format::Text => print(&answer)?,
        }
        Ok(outcome.unwrap_or(CommandOutcome::Yes))
    }

    /// Returns the named files, and the files in the named folders. If none of them is a domain, adds the domains beside the
    /// problems and settings.
    fn files(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut files = Vec::new();
        for path in &self.paths {
            if !path.is_dir() {
                let name = path.to_string_lossy();
                if let Some(set) = of_collection(&name, &CommandFiles)? {
                    files.extend(set.sources().map(|source| PathBuf::from(source.name())));
                    continue;
                }
                if !path.exists() && is_domain(&name) && !FileKind::is_file(&name) {
                    return refuse(format!(
                        "`{name}` is a bundled domain, which has no faults: `check` takes files and folders, and \
                         `herbrand show {name}` describes the domain"
                    ));
                }
                files.push(path.clone());
                continue;
            }
            let before = files.len();
            input::files_below(path, &mut files, &|path| {
                let ending = path.extension().and_then(|ending| ending.to_str());
                is_settings(path) || matches!(ending, Some("pddl" | "ppddl" | "rddl"))
            })?;
            if files.len() == before {
                return refuse(format!(
                    "{}: this folder has no PDDL or RDDL file",
                    path.display()
                ));
            }
            files[before..].sort();
        }
        let kinds: Vec<_> = files.iter().map(|path| FileKind::of(path)).collect();
        if !kinds.contains(&Some(FileKind::Domain)) {
            let problems = files.iter().zip(&kinds);
            let problems =
                problems.filter(|(path, kind)| **kind == Some(FileKind::Problem) || is_settings(path));
            let mut beside: Vec<_> = problems
                .filter_map(|(path, _)| input::domain_beside(path))
                .collect();
            beside.sort();
            beside.dedup();
            files.splice(0..0, beside);
        }
        // Paths in the current folder are shown without `./`.
        let plain = |path: PathBuf| path.strip_prefix(".").map(Path::to_owned).unwrap_or(path);
        Ok(files.into_iter().map(plain).collect())
    }
}

/// Returns whether a file contains the settings of a domain or its table of sentences.
fn is_settings(path: &Path) -> bool {
    path.file_name()
        .is_some_and(|name| name == "env.toml" || name == "domain.text.toml")
}

/// Prints the diagnostics to standard error and their counts to standard output.
fn print(answer: &CheckAnswer) -> Result<(), Failure> {
    for one in &answer.diagnostics {
        anstream::eprintln!("{}\n", one.rendered.trim_end());
    }
    for CheckNote {
        file,
        line,
        column,
        message,
    } in &answer.notes
    {
        anstream::eprintln!("note: {file}:{line}:{column}: {message}");
    }
    if !answer.notes.is_empty() {
        anstream::eprintln!();
    }
    for UncheckedText {
        file,
        problem,
        reason,
    } in &answer.unchecked
    {
        let problem = match problem.as_str() {
            "" => String::new(),
            name => format!(": problem `{name}`"),
        };
        anstream::eprintln!("{file}{problem} was not checked: {reason}\n");
    }
    let mut out = output::out();
    let unchecked = match answer.unchecked.len() {
        0 => String::new(),
        count => format!(", {count} not checked"),
    };
    writeln!(
        out,
        "{}: {}, {}; {}, {}{unchecked}",
        counted(answer.files, "file"),
        counted(answer.domains, "domain"),
        counted(answer.problems, "problem"),
        counted(answer.errors, "error"),
        counted(answer.warnings, "warning"),
    )?;
    out.flush()?;
    Ok(())
}

fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}
