//! Domains under edit by their names.

use std::path::Path;
use std::sync::Arc;

use herbrand_env::{ActionMode, EnvError};
use herbrand_pddl::Domain;
use herbrand_pddlworld::{Start, Target, Walks, WorldOptions, Worlds};

use super::file_kind::FileKind;
use super::opener::Opener;
use crate::failure::TaskFailure;
use crate::problems::AnyProblems;
use crate::word_error::WordError;

/// The hidden domain of `pddlworld`.
const LIGHT_SWITCH: &str = "light-switch";

impl Opener<'_> {
    /// Returns the worlds of the domain `of` under edit, the light switch if it is empty. `words` name problems on which models are
    /// judged: a world each, or only the first problem's without words. A problem of a domain file has the name of its file. A
    /// start may follow the domain, as in `blocks@3`.
    ///
    /// # Errors
    /// Fails if there is no such domain or problem, a file is faulty, or the domain cannot be edited.
    pub(super) fn worlds(&self, name: &str, of: &str, words: &[String]) -> Result<Worlds, TaskFailure> {
        // A folder of the user may have the sign in its name.
        if let Some((domain, start)) = of.rsplit_once('@').filter(|_| !Path::new(of).exists()) {
            let name = &name[..name.len() - start.len() - 1];
            return self.begun(&self.worlds(name, domain, words)?, start);
        }
        if of.is_empty() || of == LIGHT_SWITCH {
            return match words
                .iter()
                .find(|word| ![LIGHT_SWITCH, "1"].contains(&word.as_str()))
            {
                None => Ok(Worlds::light_switch(WorldOptions::default())?),
                Some(word) => Err(WordError::LightSwitch {
                    name: name.to_owned(),
                    word: word.clone(),
                }
                .into()),
            };
        }
        let operators = Self {
            mode: ActionMode::Operators,
            ..*self
        };
        let mut sets = operators.of_words(of, words)?;
        let set = sets.pop().filter(|_| sets.is_empty());
        let set = set.ok_or_else(|| WordError::Several {
            name: of.to_owned(),
            what: "names several sets of problems",
            advice: String::new(),
        })?;
        let suite = set.pddl("an environment of edits")?;
        let names: Vec<&String> = words.iter().filter(|word| !FileKind::is_file(word)).collect();
        let suite = match (words, names.as_slice()) {
            ([], _) => suite.only(0)?,
            (_, []) => suite,
            (_, names) => {
                let indices: Result<Vec<_>, _> = names.iter().map(|name| suite.index_of(name)).collect();
                suite.select(&indices?)?
            }
        };
        let target = |index| {
            let problem = suite.parse_problem(index)?;
            let file = suite.problem_source(index).filter(|_| FileKind::is_file(of));
            let own = file.map(|source| source.name().to_owned());
            let target = Target::new(suite.domain(), &[problem], Walks::default())?;
            let own = own.or_else(|| suite.full_problem_name(index)).unwrap_or_default();
            Ok((own, Arc::new(target)))
        };
        let targets: Result<Vec<_>, TaskFailure> = (0..suite.len()).map(target).collect();
        Ok(Worlds::named(name, targets?, WorldOptions::default())?)
    }

    /// Returns domains under edit that begin as a word says, which becomes the end of their name.
    ///
    /// # Errors
    /// Fails if the problems are no domains under edit, if the word names no start, or if its file is faulty or no model of the domain.
    pub fn started(&self, problems: &AnyProblems, word: &str) -> Result<AnyProblems, TaskFailure> {
        match problems {
            AnyProblems::World(worlds) => Ok(AnyProblems::World(self.begun(worlds, word)?)),
            other => Err(other.unsupported("--start", "domains under edit, such as `pddlworld`")),
        }
    }

    fn begun(&self, worlds: &Worlds, word: &str) -> Result<Worlds, TaskFailure> {
        if !FileKind::is_file(word) {
            let started = worlds.starting(word);
            return Ok(started.map_err(|error| WordError::Start(error.to_string()))?);
        }
        let domain = Domain::parse(&self.files.read(Path::new(word))?).map_err(EnvError::from)?;
        let sketch = worlds.targets()[0].sketch_of(&domain)?;
        Ok(worlds.starting_at(Start::Given(sketch), word)?)
    }
}
