//! The roles of files, by their content.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use herbrand_assist::Language;
use herbrand_collections::Collection;
use herbrand_env::plan::ParsedPlan;
use herbrand_text::Source;

/// Returns what a name of a domain under edit says after `pddlworld/`: the hidden domain; empty for `pddlworld`, the light
/// switch. A start may follow, as in `blocks@3`. `None` for other words, and for a file or folder of this name.
#[must_use]
pub fn domain_under_edit(word: &str) -> Option<&str> {
    let rest = word.strip_prefix(EDITED)?;
    let rest = if rest.is_empty() || rest.starts_with('@') {
        rest
    } else {
        rest.strip_prefix('/')?
    };
    (!Path::new(word).exists()).then_some(rest)
}

/// The name, or its first part, of a domain under edit.
const EDITED: &str = "pddlworld";

/// The role of a file among the words that name a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileKind {
    /// It defines a domain, and perhaps problems too, or is a finite-domain task.
    Domain,
    /// It defines problems but no domain.
    Problem,
    /// Anything else: a plan, edits, a trace.
    Other,
}

impl FileKind {
    /// Returns the role of the file at `path`, by its content; `None` if `path` is a name rather than a file.
    ///
    /// A file that does not exist or whose content is unclear is judged by the ending of its name. Standard input (`-`)
    /// and pipes count as domains, since they can be read only once.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let is_name = |word| Collection::of(word).is_some() || domain_under_edit(word).is_some();
        if path.is_dir() || path.to_str().is_some_and(is_name) {
            return None;
        }
        if is_stream(path) {
            return Some(Self::Domain);
        }
        let ending = path
            .extension()
            .map(|ending| ending.to_string_lossy().to_ascii_lowercase());
        let is_language = matches!(ending.as_deref(), Some("pddl" | "ppddl" | "rddl"));
        let by_ending = if is_language { Self::Problem } else { Self::Other };
        if !path.is_file() {
            return ending
                .is_some_and(|ending| !ending.is_empty())
                .then_some(by_ending);
        }
        let by_content = prefix(path).ok().and_then(|source| Self::of_source(&source));
        Some(by_content.unwrap_or(by_ending))
    }

    /// Returns whether `word` names a file rather than a bundled domain, a folder or a problem.
    #[must_use]
    pub fn is_file(word: &str) -> bool {
        Self::of(Path::new(word)).is_some()
    }

    /// The role of a file from its beginning, `source`; `None` if it is none of PDDL, RDDL and SAS+.
    fn of_source(source: &Source) -> Option<Self> {
        let text = source.text();
        if is_task_text(text) {
            return Some(Self::Domain);
        }
        let language = Language::of_source(source);
        // PDDL has no comments `// …`, but users write them.
        let comments: &[&str] = match language {
            Language::Pddl => &[";", "//"],
            Language::Rddl => &["//"],
        };
        let code = |line: &str| {
            let ends = comments.iter().filter_map(|comment| line.find(comment));
            line[..ends.min().unwrap_or(line.len())].to_ascii_lowercase() + "\n"
        };
        let words = |line: String| {
            let words = line.split(|c: char| c.is_whitespace() || c == '(');
            let words = words.filter(|word| !word.is_empty()).map(str::to_owned);
            words.collect::<Vec<_>>()
        };
        // Files may begin with very many comments.
        let is_comment = |line: &str| {
            let line = line.trim_start();
            line.is_empty() || comments.iter().any(|comment| line.starts_with(comment))
        };
        // The role of a PDDL text follows from its first words.
        let lines = text.lines().filter(|line| !is_comment(line));
        let mut words = lines.map(code).flat_map(words);
        if language == Language::Pddl {
            return match (words.next()?.as_str(), words.next()?.as_str()) {
                ("define", "domain") => Some(Self::Domain),
                ("define", "problem") => Some(Self::Problem),
                _ => None,
            };
        }
        // An instance has `domain = name;`, a domain is a block. A file without any block is read as a domain, and the reader
        // of domains reports the missing parts.
        let words: Vec<_> = words.collect();
        let is_block = |pair: &[String]| pair[0] == "domain" && !pair[1].starts_with('=');
        let is_instance = words
            .iter()
            .any(|word| word == "instance" || word == "non-fluents");
        Some(if words.windows(2).any(is_block) || !is_instance {
            Self::Domain
        } else {
            Self::Problem
        })
    }
}

/// Returns whether `path` can be read only once: it is standard input (`-`) or a pipe.
#[must_use]
pub fn is_stream(path: &Path) -> bool {
    path == Path::new("-") || (path.exists() && !path.is_file() && !path.is_dir())
}

/// The beginning of a file, as far as its role needs it.
fn prefix(path: &Path) -> io::Result<Source> {
    const BYTES: u64 = 1 << 20;
    let mut bytes = Vec::new();
    File::open(path)?.take(BYTES).read_to_end(&mut bytes)?;
    Ok(Source::from_bytes(&path.to_string_lossy(), bytes))
}

/// Returns whether `path` is a file that defines problems but no domain, by its content.
#[must_use]
pub fn is_problem(path: &Path) -> bool {
    let by_content = || prefix(path).ok().and_then(|source| FileKind::of_source(&source));
    path.is_file() && by_content() == Some(FileKind::Problem)
}

/// Returns whether `path` is a file in the format of Fast Downward's translator.
#[must_use]
pub fn is_task(path: &Path) -> bool {
    path.is_file() && prefix(path).is_ok_and(|source| is_task_text(source.text()))
}

/// Returns whether a text is in the format of Fast Downward's translator.
#[must_use]
pub fn is_task_text(text: &str) -> bool {
    text.trim_start().starts_with("begin_version")
}

/// Returns whether `path` is a file that begins like a trace of any program, whatever its name.
#[must_use]
pub fn is_trace(path: &Path) -> bool {
    path.is_file() && prefix(path).is_ok_and(|source| source.text().starts_with("{\"oracle\":"))
}

/// Returns whether the file at `path` is a plan for a problem in PDDL.
#[must_use]
pub fn is_plan(path: &Path) -> bool {
    let plan = Source::from_file(path)
        .ok()
        .and_then(|source| ParsedPlan::parse(&source).ok());
    plan.is_some_and(|plan| !plan.steps.is_empty())
}
