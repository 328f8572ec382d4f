//! The words and options that name a problem, the same for every command that takes one.

use std::path::{Path, PathBuf};

use clap::Args;
use herbrand::env::{ActionMode, Registry, Split};
use herbrand::limits::Limits;
use herbrand::tasks::{AnyProblems, TaskFailure};

use crate::failure::{Failure, refuse};
use crate::input::{self, FileKind};
use crate::limits::LimitArgs;
use crate::output;
use crate::problems::{self, RDDL};

/// The options that name one problem, and the limits of the command.
#[derive(Args, Clone, Debug)]
pub struct ProblemArgs {
    /// A bundled domain, a folder, a domain file of PDDL or RDDL, or a name of a collection, such as pddlgym:sokoban;
    /// `env.toml` beside a domain file applies
    #[arg(value_name = "DOMAIN")]
    pub name: Option<String>,

    /// A problem: a name such as 03 or test/03, a position from 1, or a file [default: the first problem]
    ///
    /// A number is a name if some problem has that name, and else a position. If the problems are 01, 02, 03, …, then `3`
    /// and `03` are the same problem.
    #[arg(value_name = "PROBLEM")]
    pub word: Option<String>,

    /// The domain file or folder, in place of DOMAIN
    #[arg(long = "domain", value_name = "FILE|FOLDER")]
    pub domain_file: Option<PathBuf>,

    /// The problem, in place of PROBLEM
    #[arg(long, value_name = "NAME|PLACE|FILE")]
    pub problem: Option<String>,

    /// Choose only among the training or the test problems
    #[arg(long, value_name = "train|test")]
    pub split: Option<Split>,

    #[command(flatten)]
    pub limits: LimitArgs,
}

/// The words of a command line, sorted by their role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandWords {
    /// The word for the domain: a bundled domain, a folder or a file.
    pub domain: String,
    /// The words for problems: names, positions or files.
    pub problems: Vec<String>,
    /// The words for other files: a plan, edits, a trace.
    pub rest: Vec<String>,
}

impl CommandWords {
    /// Reads the sets of problems that the words name, with the actions that the domains declare.
    ///
    /// # Errors
    /// Fails if there is no such domain, a file cannot be read or is faulty, or there is a file of another kind.
    pub fn read(&self, limits: Limits) -> Result<Vec<AnyProblems>, Failure> {
        self.read_as(ActionMode::Declared, limits)
    }

    /// Like [`read`](Self::read), with the actions of `mode`.
    ///
    /// # Errors
    /// Fails like [`read`](Self::read).
    pub fn read_as(&self, mode: ActionMode, limits: Limits) -> Result<Vec<AnyProblems>, Failure> {
        if let [surplus, ..] = self.rest.as_slice() {
            return refuse(format!("`{surplus}` defines neither a domain nor a problem"));
        }
        problems::of_words(&self.domain, &self.problems, mode, limits)
    }

    /// The only problem, if there is one. `usage` names the words that the command takes.
    ///
    /// # Errors
    /// Fails if there are several problems, or other files.
    fn problem(&self, usage: &str) -> Result<Option<&str>, Failure> {
        match (self.problems.as_slice(), self.rest.as_slice()) {
            ([], []) => Ok(None),
            ([problem], []) => Ok(Some(problem)),
            ([_, surplus, ..], _) | (_, [surplus, ..]) => {
                let what = if Path::new(surplus).is_dir() {
                    ", which is a folder"
                } else {
                    ""
                };
                refuse(format!(
                    "unexpected argument `{surplus}`{what}: this command takes {usage}"
                ))
            }
        }
    }
}

/// Sorts words into a domain, problems, and other files: `--domain` is before the words, `--problem` after the domain.
///
/// Files are recognised by their content. A problem file may precede its domain file, or be given without one if there is a
/// `domain.pddl` or `domain.rddl` beside it.
///
/// # Errors
/// Fails if no domain is named.
pub fn sort_words(
    domain_file: Option<&Path>,
    problems: &[String],
    words: impl IntoIterator<Item = String>,
) -> Result<CommandWords, Failure> {
    let mut words: Vec<String> = words.into_iter().collect();
    let domain = match domain_file {
        Some(path) => path.to_string_lossy().into_owned(),
        None if words.is_empty() => return Err(no_domain()),
        None => words.remove(0),
    };
    let (mut rest, mut problems) = (Vec::new(), problems.to_vec());
    let given = !problems.is_empty();
    for word in words {
        let is_problem = match FileKind::of(Path::new(&word)) {
            Some(kind) => kind != FileKind::Other,
            None => !given,
        };
        if is_problem {
            problems.push(word);
        } else {
            rest.push(word);
        }
    }
    let path = Path::new(&domain);
    if FileKind::of(path) == Some(FileKind::Other) && input::is_plan(path) {
        return refuse(format!(
            "{domain} is a plan: name its domain and problem first, as in `DOMAIN PROBLEM {domain}`"
        ));
    }
    // A file that is empty or unclear is read as a domain, and the reader reports its faults.
    if !input::is_problem(path) {
        return Ok(CommandWords {
            domain,
            problems,
            rest,
        });
    }
    let is_domain = |word: &String| FileKind::of(Path::new(word)) == Some(FileKind::Domain);
    if let Some(swapped) = problems.iter().position(is_domain) {
        let file = std::mem::replace(&mut problems[swapped], domain);
        return Ok(CommandWords {
            domain: file,
            problems,
            rest,
        });
    }
    let Some(beside) = input::domain_beside(Path::new(&domain)) else {
        let is_rddl = Path::new(&domain)
            .extension()
            .is_some_and(|ending| ending == "rddl");
        let beside = if is_rddl { "domain.rddl" } else { "domain.pddl" };
        return refuse(format!(
            "{domain} defines a problem, and its folder has no {beside}: name the domain first, as in `DOMAIN {domain}`"
        ));
    };
    problems.insert(0, domain);
    Ok(CommandWords {
        domain: beside.to_string_lossy().into_owned(),
        problems,
        rest,
    })
}

/// The failure of a command line without a domain.
fn no_domain() -> Failure {
    let names = Registry::names().unwrap_or_default();
    let names = output::filled(names.iter().map(String::as_str), ", ");
    Failure::Request(format!(
        "name a domain: a file, a folder, `{RDDL}/NAME`, or one of the bundled domains\n{}\nRun `herbrand domains` for a description of each",
        names.join("\n")
    ))
}

impl ProblemArgs {
    /// Returns the words of the command line, sorted by their role. `after` are the words behind the problem.
    ///
    /// # Errors
    /// Fails if no domain is named.
    pub fn words(&self, after: &[String]) -> Result<CommandWords, Failure> {
        let words = [&self.name, &self.word].into_iter().flatten().chain(after);
        sort_words(
            self.domain_file.as_deref(),
            self.problem.as_slice(),
            words.cloned(),
        )
    }

    /// Returns the limits of the command.
    pub fn limits(&self) -> Limits {
        self.limits.limits()
    }

    /// Reads and compiles the problem that the words name, within the limits of the command.
    ///
    /// # Errors
    /// Fails if there is no such domain or problem, a file is faulty, or a limit is reached.
    pub fn find(&self, mode: ActionMode) -> Result<AnyProblems, Failure> {
        self.find_among(&self.words(&[])?, mode)
    }

    /// Like [`find`](Self::find), for words that were sorted before.
    ///
    /// # Errors
    /// Fails like [`find`](Self::find).
    pub fn find_among(&self, words: &CommandWords, mode: ActionMode) -> Result<AnyProblems, Failure> {
        self.find_as(words, mode, "DOMAIN [PROBLEM]")
    }

    /// Like [`find_among`](Self::find_among), for a command that takes the words of `usage`.
    ///
    /// # Errors
    /// Fails like [`find`](Self::find).
    pub fn find_as(
        &self,
        words: &CommandWords,
        mode: ActionMode,
        usage: &str,
    ) -> Result<AnyProblems, Failure> {
        let problem = words.problem(usage)?;
        let sets = problems::of_words(&words.domain, &words.problems, mode, self.limits())?;
        let problems = match <[_; 1]>::try_from(sets) {
            Ok([problems]) => problems,
            Err(several) => {
                let names: Vec<_> = several.iter().map(AnyProblems::name).collect();
                let name = &words.domain;
                let what = if name == RDDL {
                    "names several environments"
                } else {
                    "has levels"
                };
                return refuse(format!("`{name}` {what}: choose one of {}", names.join(", ")));
            }
        };
        let problems = match self.split {
            Some(split) => problems.split(split)?,
            None => problems,
        };
        Ok(match problem {
            Some(name) if !FileKind::is_file(name) => problems.select(&[name]),
            _ => problems.first(),
        }?)
    }

    /// Reads the sets of all problems that the words and --split select.
    ///
    /// # Errors
    /// Fails if there is no such domain or problem, no problem is selected, a file is faulty, or a limit is reached.
    pub fn sets(&self, words: &CommandWords, mode: ActionMode) -> Result<Vec<AnyProblems>, Failure> {
        let names: Vec<_> = words
            .problems
            .iter()
            .filter(|word| !FileKind::is_file(word))
            .collect();
        let selected = |set: AnyProblems| -> Result<AnyProblems, TaskFailure> {
            let set = match self.split {
                Some(split) => set.split(split)?,
                None => set,
            };
            if names.is_empty() {
                Ok(set)
            } else {
                set.select(&names)
            }
        };
        let sets = words.read_as(mode, self.limits())?;
        let sets = sets.into_iter().map(selected).collect::<Result<Vec<_>, _>>()?;
        if sets.iter().all(|set| set.is_empty()) {
            sets.first().map(AnyProblems::first).transpose()?;
        }
        Ok(sets)
    }
}
