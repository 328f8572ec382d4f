//! The words by which people name a problem.

use std::path::Path;

use super::file_kind::{FileKind, is_plan, is_problem};
use super::folder::domain_beside;
use crate::word_error::WordError;

/// The words of a command line, sorted by their role.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemWords {
    /// The word for the domain: a bundled domain, a folder or a file.
    pub domain: String,
    /// The words for problems: names, positions or files.
    pub problems: Vec<String>,
    /// The words for other files: a plan, edits, a trace.
    pub rest: Vec<String>,
}

impl ProblemWords {
    /// Checks that there is at most one problem, and no other file. `usage` names the words that the command takes.
    ///
    /// # Errors
    /// Fails if there are several problems, or other files.
    pub(super) fn at_most_one(&self, usage: &str) -> Result<(), WordError> {
        match (self.problems.as_slice(), self.rest.as_slice()) {
            ([] | [_], []) => Ok(()),
            ([_, surplus, ..], _) | (_, [surplus, ..]) => Err(WordError::Surplus {
                word: surplus.clone(),
                what: if Path::new(surplus).is_dir() {
                    ", which is a folder"
                } else {
                    ""
                },
                usage: usage.to_owned(),
            }),
        }
    }

    /// Sorts words into a domain, problems, and other files: `--domain` is before the words, `--problem` after the domain.
    ///
    /// Files are recognised by their content. A problem file may precede its domain file, or be given without one if there is a
    /// `domain.pddl` or `domain.rddl` beside it.
    ///
    /// # Errors
    /// Fails if no domain is named.
    pub fn sorted(
        domain_file: Option<&Path>,
        problems: &[String],
        words: impl IntoIterator<Item = String>,
    ) -> Result<Self, WordError> {
        let mut words: Vec<String> = words.into_iter().collect();
        let domain = match domain_file {
            Some(path) => path.to_string_lossy().into_owned(),
            None if words.is_empty() => return Err(WordError::NoDomain),
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
        if FileKind::of(path) == Some(FileKind::Other) && is_plan(path) {
            return Err(WordError::Plan(domain));
        }
        // A file that is empty or unclear is read as a domain, and the reader reports its faults.
        if !is_problem(path) {
            return Ok(Self {
                domain,
                problems,
                rest,
            });
        }
        let is_domain = |word: &String| FileKind::of(Path::new(word)) == Some(FileKind::Domain);
        if let Some(swapped) = problems.iter().position(is_domain) {
            let file = std::mem::replace(&mut problems[swapped], domain);
            return Ok(Self {
                domain: file,
                problems,
                rest,
            });
        }
        let Some(beside) = domain_beside(Path::new(&domain)) else {
            let is_rddl = Path::new(&domain)
                .extension()
                .is_some_and(|ending| ending == "rddl");
            return Err(WordError::NoDomainBeside {
                problem: domain,
                wanted: if is_rddl { "domain.rddl" } else { "domain.pddl" },
            });
        };
        problems.insert(0, domain);
        Ok(Self {
            domain: beside.to_string_lossy().into_owned(),
            problems,
            rest,
        })
    }
}
