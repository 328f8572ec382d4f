//! Opens problems by words.

use std::path::{Path, PathBuf};

use herbrand_assist::Language;
use herbrand_env::{ActionMode, EnvError, EpisodeFault, ProblemFile, Registry, Split, Suite, SuiteFiles};
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Diagnostic, Domain, Problem, ReadOptions, Severity, Source, read as read_text};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_text::Unreadable;

use super::file_kind::{FileKind, domain_under_edit, is_task_text};
use super::files::{Files, SystemFiles};
use super::folder::{is_bundled, settings_file, stem};
use super::named::{NamedProblems, RDDL};
use super::words::ProblemWords;
use crate::failure::TaskFailure;
use crate::finite_domain::SasFile;
use crate::problems::AnyProblems;
use crate::word_error::WordError;

/// The way in which problems are opened.
#[derive(Clone, Copy)]
pub struct Opener<'a> {
    /// How files are read.
    pub files: &'a dyn Files,
    /// The actions of a domain.
    pub mode: ActionMode,
    /// The limits of reading and compiling.
    pub limits: Limits,
    /// Whether faults of PDDL that other systems accept are repaired.
    pub lenient: bool,
}

impl Default for Opener<'_> {
    /// Reads the files of the system without limits and repairs, with the actions that domains declare.
    fn default() -> Self {
        Self {
            files: &SystemFiles,
            mode: ActionMode::Declared,
            limits: Limits::default(),
            lenient: false,
        }
    }
}

impl Opener<'_> {
    /// Opens the only problem that words name, or the first of several. `usage` names the words that are expected, for errors.
    ///
    /// ```
    /// use herbrand_tasks::open::{ProblemWords, Opener};
    ///
    /// let words = ProblemWords::sorted(None, &[], ["blocks", "test/01"].map(str::to_owned))?;
    /// let problem = Opener::default().problem(&words, None, "DOMAIN [PROBLEM]")?;
    /// assert_eq!(problem.full_problem_name(0), "test/01");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails if there is no such problem, a file is faulty, or a limit is reached.
    pub fn problem(
        &self,
        words: &ProblemWords,
        split: Option<Split>,
        usage: &str,
    ) -> Result<AnyProblems, TaskFailure> {
        words.at_most_one(usage)?;
        let sets = self.of_words(&words.domain, &words.problems)?;
        chosen(only_set(&words.domain, sets)?, split, &words.problems)?.first()
    }

    /// Opens the sets of all problems that words name, without the problems of another part than `split`.
    ///
    /// # Errors
    /// Fails like [`problem`](Self::problem), and if no problem is left.
    pub fn sets(&self, words: &ProblemWords, split: Option<Split>) -> Result<Vec<AnyProblems>, TaskFailure> {
        if let [surplus, ..] = words.rest.as_slice() {
            return Err(WordError::OtherFile(surplus.clone()).into());
        }
        let sets = self.of_words(&words.domain, &words.problems)?;
        let sets = sets
            .into_iter()
            .map(|set| chosen(set, split, &words.problems))
            .collect::<Result<Vec<_>, _>>()?;
        if sets.iter().all(AnyProblems::is_empty) {
            sets.first().map(AnyProblems::first).transpose()?;
        }
        Ok(sets)
    }

    /// Opens the sets of problems of a domain: a name or a file. Problem files replace the problems that belong to the domain;
    /// the caller selects names and positions among `problems`.
    ///
    /// # Errors
    /// Fails if there is no such domain, a file cannot be read or is faulty, or a limit is reached.
    pub fn of_words(&self, domain: &str, problems: &[String]) -> Result<Vec<AnyProblems>, TaskFailure> {
        if let Some(of) = domain_under_edit(domain) {
            return Ok(vec![AnyProblems::World(self.worlds(domain, of, problems)?)]);
        }
        let files = problems.iter().filter(|word| FileKind::is_file(word));
        let files: Vec<_> = files.map(PathBuf::from).collect();
        if FileKind::is_file(domain) {
            let word = problems.first().map(String::as_str);
            return Ok(vec![self.of_files(Path::new(domain), &files, word)?]);
        }
        if files.is_empty() {
            return self.named(domain);
        }
        match NamedProblems::named(domain, self.files)? {
            NamedProblems::Pddl(sets) => sets
                .into_iter()
                .map(|set| {
                    let problems = self.problem_files(&files)?;
                    self.pddl(SuiteFiles { problems, ..set })
                })
                .collect(),
            NamedProblems::Bundled(_) | NamedProblems::Folder(_) | NamedProblems::Rddl { .. } => {
                Err(WordError::Instance(domain.to_owned()).into())
            }
            NamedProblems::All => Err(WordError::Several {
                name: domain.to_owned(),
                what: "names several environments",
                advice: format!(", such as `{domain}/NAME`"),
            }
            .into()),
        }
    }

    /// Opens the sets of problems of a name: a bundled domain, all levels of one, `rddl` for all bundled environments in RDDL, a
    /// folder, or problems of a collection, such as `pddlgym:sokoban`.
    ///
    /// # Errors
    /// Fails if there is no such domain, or a text is faulty or exceeds the limits.
    pub fn named(&self, name: &str) -> Result<Vec<AnyProblems>, TaskFailure> {
        if let Some(of) = domain_under_edit(name) {
            return Ok(vec![AnyProblems::World(self.worlds(name, of, &[])?)]);
        }
        match NamedProblems::named(name, self.files)? {
            NamedProblems::All => {
                let all = RddlSuite::bundled_names();
                all.iter().map(|name| self.bundled_rddl(name)).collect()
            }
            NamedProblems::Bundled(name) => Ok(vec![self.bundled_rddl(&name)?]),
            NamedProblems::Folder(path) => {
                let suite = RddlSuite::from_path_within(path, self.limits)?;
                Ok(vec![AnyProblems::Rddl(suite)])
            }
            NamedProblems::Rddl { name, sources } => {
                let suite = RddlSuite::from_named_files(Some(&name), &sources, self.limits)?;
                Ok(vec![AnyProblems::Rddl(suite.with_limits(self.limits))])
            }
            NamedProblems::Pddl(sets) => sets.into_iter().map(|files| self.pddl(files)).collect(),
        }
    }

    /// Reads a file that is not too large for the memory limit.
    ///
    /// # Errors
    /// Fails if the file cannot be read, or is too large.
    pub fn read(&self, path: &Path) -> Result<Source, TaskFailure> {
        let length = std::fs::metadata(path).map_or(0, |about| about.len());
        // The bytes and the decoded text are in memory at the same time.
        let held = Budget::new(self.limits).check("reading", 2 * length);
        held.map_err(|exhausted| TaskFailure::Reading {
            path: path.to_owned(),
            exhausted,
        })?;
        Ok(self.files.read(path)?)
    }

    /// Returns the text of the plan that is stored for the problem at `index` of a suite: that of a bundled domain, or the plan in
    /// the folder `plans` of the folder `domain`. `place` completes the advice to give a plan file.
    ///
    /// # Errors
    /// Fails if the problem has no stored plan, or if the plan cannot be read.
    pub fn stored_plan(
        &self,
        domain: &str,
        problems: &AnyProblems,
        index: usize,
        place: &'static str,
    ) -> Result<Source, TaskFailure> {
        let suite = match problems {
            AnyProblems::Pddl(suite) => suite,
            AnyProblems::Rddl(_) => return Err(WordError::NoPlansOfRddl(place).into()),
            AnyProblems::World(_) => return Err(problems.unsupported("following a plan", "PDDL and RDDL")),
        };
        let problem = suite.full_problem_name(index).unwrap_or_default();
        let file = format!("{problem}.plan");
        let beside = Path::new(domain).join("plans").join(&file);
        if beside.is_file() {
            return Ok(self.files.read(&beside)?);
        }
        match Registry::plan(suite.name(), &problem) {
            Some(text) if is_bundled(suite) => Ok(Source::new(&format!("{domain}/plans/{file}"), text)),
            _ => Err(WordError::NoStoredPlan {
                problem,
                domain: domain.to_owned(),
                place,
            }
            .into()),
        }
    }

    /// Reads the settings beside a domain file: `env.toml` in its folder, or in the folder that the domain is a level of.
    /// `None` if there is no such file.
    ///
    /// # Errors
    /// Fails if the settings exist but cannot be read.
    pub fn settings(&self, domain: &Path) -> Result<Option<Source>, Unreadable> {
        settings_file(domain)
            .map(|path| self.files.read(&path))
            .transpose()
    }

    /// Returns the options for reading PDDL.
    #[must_use]
    pub fn read_options(&self) -> ReadOptions {
        ReadOptions {
            lenient: self.lenient,
            ..ReadOptions::within(&Budget::new(self.limits))
        }
    }

    /// Reads a domain file with problem files, and the settings beside it; without problem files, the problems that the domain
    /// file itself defines. The language is detected from the domain's content. `word` is the first word for a problem.
    fn of_files(
        &self,
        domain: &Path,
        problems: &[PathBuf],
        word: Option<&str>,
    ) -> Result<AnyProblems, TaskFailure> {
        let source = self.read(domain)?;
        if is_task_text(source.text()) {
            return match problems.first() {
                Some(surplus) => Err(WordError::whole_task(domain, &surplus.to_string_lossy()).into()),
                None => {
                    let file = SasFile::read(&stem(domain), source, self.limits)?;
                    Ok(AnyProblems::Pddl(file.suite(self.limits)?))
                }
            };
        }
        match Language::of_source(&source) {
            Language::Pddl => self.pddl(self.pair(domain, source, problems, word)?),
            Language::Rddl => {
                let mut sources = vec![source];
                for path in problems {
                    sources.push(self.read(path)?);
                }
                match RddlSuite::from_sources_within(&sources, self.limits) {
                    Err(RddlError::Episode(EpisodeFault::NoProblems { .. })) if problems.is_empty() => {
                        Err(WordError::no_problem(domain, "instance", word).into())
                    }
                    suite => Ok(AnyProblems::Rddl(match self.settings(domain)? {
                        Some(settings) => suite?.with_settings(&settings)?,
                        None => suite?,
                    })),
                }
            }
        }
    }

    /// Reads a suite from a domain file and problem files. The suite has the name of the domain's file, or of its folder if the
    /// file is called `domain`.
    fn pair(
        &self,
        domain: &Path,
        source: Source,
        problems: &[PathBuf],
        word: Option<&str>,
    ) -> Result<SuiteFiles, TaskFailure> {
        // `domain.pddl` without a folder is in the current folder.
        let absolute = std::path::absolute(domain).unwrap_or_else(|_| domain.to_owned());
        let parent = absolute.parent().and_then(Path::file_name);
        let name = match (stem(domain), parent) {
            (name, Some(folder)) if name == "domain" => folder.to_string_lossy().into_owned(),
            (name, _) => name,
        };
        let problems = match problems {
            [] => vec![own_problem(domain, &source, word)?],
            files => self.problem_files(files)?,
        };
        Ok(SuiteFiles {
            name,
            domain: source,
            config: self.settings(domain)?,
            problems,
        })
    }

    /// Reads problem files. Each problem has the name of its file.
    fn problem_files(&self, files: &[PathBuf]) -> Result<Vec<ProblemFile>, TaskFailure> {
        let problem = |path: &PathBuf| {
            Ok(ProblemFile {
                split: None,
                name: stem(path),
                source: self.read(path)?,
            })
        };
        files.iter().map(problem).collect()
    }

    fn pddl(&self, files: SuiteFiles) -> Result<AnyProblems, TaskFailure> {
        if !self.lenient {
            return Ok(AnyProblems::Pddl(Suite::within(files, self.mode, self.limits)?));
        }
        let (domain, warnings) =
            Domain::parse_with(&files.domain, &self.read_options()).map_err(EnvError::from)?;
        self.tell_repairs(&warnings);
        for file in &files.problems {
            // A fault without a repair is reported when the problem is used.
            if let Ok((_, warnings)) = Problem::parse_with(&file.source, &domain, &self.read_options()) {
                self.tell_repairs(&warnings);
            }
        }
        let suite = Suite::with_domain(domain, files, self.mode, self.limits)?;
        Ok(AnyProblems::Pddl(suite.leniently()))
    }

    /// Passes on the warnings of a text that was read leniently which are about repairs: those with codes of errors.
    fn tell_repairs(&self, warnings: &[Diagnostic]) {
        let repairs = warnings
            .iter()
            .filter(|one| one.code().severity() == Severity::Error);
        repairs.for_each(|warning| self.files.repaired(warning));
    }

    /// The bundled environment of this name.
    fn bundled_rddl(&self, name: &str) -> Result<AnyProblems, TaskFailure> {
        let suite = RddlSuite::bundled(name)?;
        Ok(AnyProblems::Rddl(suite.with_limits(self.limits)))
    }
}

/// Returns the only set of problems of a name.
///
/// # Errors
/// Fails if there are several sets, such as levels.
pub fn only_set(name: &str, sets: Vec<AnyProblems>) -> Result<AnyProblems, WordError> {
    let only = <[_; 1]>::try_from(sets).map_err(|several| {
        let names: Vec<_> = several.iter().map(AnyProblems::name).collect();
        WordError::Several {
            name: name.to_owned(),
            what: if name == RDDL {
                "names several environments"
            } else {
                "has levels"
            },
            advice: format!(" of {}", names.join(", ")),
        }
    });
    only.map(|[problems]| problems)
}

/// Returns the problems of a set that a part and words for problems choose.
///
/// # Errors
/// Fails if the set has no parts, or no problem of a name.
pub fn chosen(
    problems: AnyProblems,
    split: Option<Split>,
    words: &[String],
) -> Result<AnyProblems, TaskFailure> {
    let problems = match split {
        Some(split) => problems.split(split)?,
        None => problems,
    };
    let names: Vec<_> = words.iter().filter(|word| !FileKind::is_file(word)).collect();
    if names.is_empty() {
        return Ok(problems);
    }
    problems.select(&names)
}

/// Returns the problem that a domain file itself defines.
fn own_problem(path: &Path, source: &Source, word: Option<&str>) -> Result<ProblemFile, WordError> {
    let document = read_text(source, &ReadOptions::default());
    // A faulty domain is reported rather than the missing problem.
    if document.diagnostics().is_empty() && document.problems().len() == 0 {
        return Err(WordError::no_problem(path, "problem", word));
    }
    Ok(ProblemFile {
        split: None,
        name: stem(path),
        source: source.clone(),
    })
}
