//! The folder layout of suites.

use std::collections::BTreeMap;

use herbrand_core::EpisodeFault;
use herbrand_pddl::Source;
use herbrand_text::Natural;

use super::Definition;
use crate::error::EnvError;

/// The texts from which a suite is created, read from a folder by [`from_path`](Self::from_path) or composed by hand.
/// Pass it to [`Suite::new`](super::Suite::new), which parses the domain and the settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SuiteFiles {
    /// The name of the suite, which [`Suite::name`](super::Suite::name) returns.
    pub name: String,
    /// The text of the domain.
    pub domain: Source,
    /// The text of the environment settings (`env.toml`); `None` for the default settings.
    pub config: Option<Source>,
    /// The texts of the problems, in the order of the suite.
    pub problems: Vec<ProblemFile>,
}

/// The text of one problem, with its name and split in the suite: an element of [`SuiteFiles::problems`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProblemFile {
    /// The split that the problem belongs to; `None` if the suite has no splits.
    pub split: Option<Split>,
    /// The name of the problem within its split, such as `03`; for a file, its name without `.pddl`.
    /// [`Suite::problem`](super::Suite::problem) finds it by the name.
    pub name: String,
    /// The text of the problem.
    pub source: Source,
}

herbrand_text::named! {
    /// A split of a suite's problems. [`Suite::split`](super::Suite::split) selects the problems of one. `Display` and
    /// `FromStr` use the names `train` and `test`, in lower case only.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Split {
        /// Problems for training.
        Train = "train",
        /// Problems for evaluation.
        Test = "test",
    }
    /// Returns the name of the split.
    pub fn name; parses, or String: |name| format!("`{name}` is neither `train` nor `test`")
}

impl SuiteFiles {
    /// Creates the suites of a folder called `name` from the relative paths (with slashes) and texts of its files.
    ///
    /// A folder contains `domain.pddl`, optionally `env.toml`, and problems: in `train` and `test`, or else in `problems` or
    /// next to the domain. If no file is called `domain.pddl`, the only file that defines a domain is the domain. Problems
    /// are in natural order of their names, `p2` before `p10`. A folder with `levels/<n>/` yields a suite per level, called
    /// `<name>-<n>`. A level without its own domain or settings uses those of the folder.
    ///
    /// # Errors
    /// [`EnvError::NoDomain`] if there is no domain, [`EnvError::SeveralDomains`] if there are several,
    /// [`EpisodeFault::NoProblems`] if a suite has no problem.
    pub fn from_folder(
        name: &str,
        files: impl IntoIterator<Item = (String, Source)>,
    ) -> Result<Vec<Self>, EnvError> {
        let mut top = Folder::default();
        let mut levels = BTreeMap::<Natural, Folder>::new();
        for (path, source) in files {
            match path
                .strip_prefix("levels/")
                .and_then(|inner| inner.split_once('/'))
            {
                Some((level, rest)) => levels
                    .entry(Natural(level.to_owned()))
                    .or_default()
                    .insert(rest, source),
                None => top.insert(&path, source),
            }
        }
        if levels.is_empty() {
            return Ok(vec![top.into_suite(name.to_owned(), None)?]);
        }
        levels
            .into_iter()
            .map(|(level, folder)| folder.into_suite(format!("{name}-{}", level.0), Some(&top)))
            .collect()
    }
}

/// The files of a folder by role.
#[derive(Default)]
struct Folder {
    domain: Option<Source>,
    config: Option<Source>,
    /// The PDDL files that may be problems. Files outside of the subfolders for problems are ignored if there are such
    /// subfolders.
    problems: BTreeMap<(Option<Split>, Natural), Source>,
}

impl Folder {
    fn insert(&mut self, path: &str, source: Source) {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        match (folder, file) {
            ("", "domain.pddl") => self.domain = Some(source),
            ("", "env.toml") => self.config = Some(source),
            _ => {
                let Some(name) = file.strip_suffix(".pddl") else {
                    return;
                };
                let name = Natural(name.to_owned());
                let split = folder.parse().ok();
                if split.is_some() || folder.is_empty() || folder == "problems" {
                    self.problems.insert((split, name), source);
                }
            }
        }
    }

    fn into_suite(mut self, name: String, outer: Option<&Self>) -> Result<SuiteFiles, EnvError> {
        self.find_domain(&name)?;
        let domain = self
            .domain
            .or_else(|| outer?.domain.clone())
            .ok_or_else(|| EnvError::NoDomain { folder: name.clone() })?;
        let config = self.config.or_else(|| outer?.config.clone());
        let in_parts = self.problems.keys().any(|(split, _)| split.is_some());
        let problems = self.problems.into_iter();
        let problems = problems.filter(|((split, _), _)| split.is_some() == in_parts);
        let problems: Vec<_> = problems
            .map(|((split, name), source)| ProblemFile {
                split,
                name: name.0,
                source,
            })
            .collect();
        if problems.is_empty() {
            return Err(EnvError::from(EpisodeFault::NoProblems { problems: name }));
        }
        Ok(SuiteFiles {
            name,
            domain,
            config,
            problems,
        })
    }

    /// Selects the domain from the files next to the problems if there is no `domain.pddl`.
    fn find_domain(&mut self, folder: &str) -> Result<(), EnvError> {
        let in_parts = self.problems.keys().any(|(split, _)| split.is_some());
        if in_parts && self.domain.is_some() {
            return Ok(());
        }
        let domains = self.problems.extract_if(.., |(split, _), source| {
            split.is_none() && Definition::is_domain_alone(source.text())
        });
        let mut domains: Vec<_> = domains.collect();
        if self.domain.is_none() && domains.len() == 1 {
            self.domain = domains.pop().map(|(_, source)| source);
        }
        if domains.is_empty() {
            return Ok(());
        }
        let others = domains
            .into_iter()
            .map(|((_, name), _)| format!("{}.pddl", name.0));
        let named = self.domain.iter().map(|_| "domain.pddl".to_owned());
        Err(EnvError::SeveralDomains {
            folder: folder.to_owned(),
            domains: named.chain(others).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(paths: &[&str]) -> Result<Vec<SuiteFiles>, EnvError> {
        let files = paths
            .iter()
            .map(|path| ((*path).to_owned(), Source::new(path, path)));
        SuiteFiles::from_folder("maze", files)
    }

    fn names(suite: &SuiteFiles) -> Vec<String> {
        let full = |file: &ProblemFile| match file.split {
            Some(split) => format!("{split}/{}", file.name),
            None => file.name.clone(),
        };
        suite.problems.iter().map(full).collect()
    }

    #[test]
    fn problems_stand_in_train_and_test() -> Result<(), EnvError> {
        let paths = [
            "test/1.pddl",
            "domain.pddl",
            "train/10.pddl",
            "train/9.pddl",
            "notes.pddl",
        ];
        let suites = folder(&paths)?;
        assert_eq!(names(&suites[0]), ["train/9", "train/10", "test/1"]);
        Ok(())
    }

    #[test]
    fn problems_stand_beside_the_domain_in_natural_order() -> Result<(), EnvError> {
        let suites = folder(&["p10.pddl", "p2.pddl", "p02.pddl", "domain.pddl", "readme.md"])?;
        assert_eq!(names(&suites[0]), ["p02", "p2", "p10"]);
        Ok(())
    }

    #[test]
    fn levels_are_suites_and_share_the_domain() -> Result<(), EnvError> {
        let paths = [
            "levels/2/train/1.pddl",
            "domain.pddl",
            "levels/10/test/1.pddl",
            "env.toml",
        ];
        let suites = folder(&paths)?;
        assert_eq!(suites[0].name, "maze-2");
        assert_eq!(suites[1].name, "maze-10");
        assert_eq!(suites[1].domain.name(), "domain.pddl");
        assert_eq!(names(&suites[1]), ["test/1"]);
        Ok(())
    }

    fn definitions(files: &[(&str, &str)]) -> Result<Vec<SuiteFiles>, EnvError> {
        let files = files
            .iter()
            .map(|&(path, text)| (path.to_owned(), Source::new(path, text)));
        SuiteFiles::from_folder("maze", files)
    }

    const DOMAIN: &str = "(define (domain d))";
    const PROBLEM: &str = "(define (problem p) (:domain d))";

    #[test]
    fn the_only_file_that_defines_a_domain_is_the_domain() -> Result<(), EnvError> {
        let suites = definitions(&[("p1.pddl", PROBLEM), ("walls.pddl", DOMAIN), ("p2.pddl", PROBLEM)])?;
        assert_eq!(suites[0].domain.name(), "walls.pddl");
        assert_eq!(names(&suites[0]), ["p1", "p2"]);
        // If there are splits, another domain next to `domain.pddl` is ignored.
        let parts = [
            ("domain.pddl", DOMAIN),
            ("old.pddl", DOMAIN),
            ("train/1.pddl", PROBLEM),
        ];
        assert_eq!(definitions(&parts)?[0].domain.name(), "domain.pddl");
        // A file with both a domain and a problem is a problem.
        let both = [
            ("domain.pddl", DOMAIN.to_owned()),
            ("both.pddl", format!("{DOMAIN} {PROBLEM}")),
        ];
        let both = both.each_ref().map(|(path, text)| (*path, text.as_str()));
        assert_eq!(names(&definitions(&both)?[0]), ["both"]);
        Ok(())
    }

    #[test]
    fn several_domains_are_listed() {
        let listed = |files: &[(&str, &str)]| definitions(files).expect_err("several domains").to_string();
        let files = [("p.pddl", PROBLEM), ("b.pddl", DOMAIN), ("a.pddl", DOMAIN)];
        assert_eq!(
            listed(&files),
            "maze has 2 domains: name the file of one (a.pddl, b.pddl)"
        );
        let files = [("domain.pddl", DOMAIN), ("p.pddl", PROBLEM), ("b.pddl", DOMAIN)];
        assert_eq!(
            listed(&files),
            "maze has 2 domains: name the file of one (domain.pddl, b.pddl)"
        );
    }

    #[test]
    fn a_folder_without_a_domain_or_problems_says_so() {
        assert!(matches!(folder(&["p1.pddl"]), Err(EnvError::NoDomain { .. })));
        assert!(matches!(
            folder(&["domain.pddl"]),
            Err(EnvError::Episode(EpisodeFault::NoProblems { .. }))
        ));
    }
}
