//! The options of making questions.

use herbrand_env::{Config, EnvError, Suite};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_text::Source;

use crate::kind::Kind;
use crate::phrases::Style;

/// A domain of one's own, with problems to ask about. An option of [`ExamOptions`]. Texts in RDDL are recognised by their
/// first words. In PDDL, numbers that no condition reads are left out, such as costs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OwnDomain {
    /// The name by which questions call the domain.
    pub name: String,
    /// The domain, in PDDL or RDDL.
    pub domain: String,
    /// The problems, or the instances in RDDL. Questions about one problem have several start states.
    pub problems: Vec<String>,
    /// The table of sentences (`domain.text.toml`) in PDDL; without it, sentences come from names.
    pub sentences: Option<Source>,
    /// The settings (`env.toml`) in PDDL. Printed questions have the picture that they declare, and the table of sentences
    /// may name their actions. Questions are about operators and whole states.
    pub settings: Option<Source>,
}

impl OwnDomain {
    /// Returns the domain of a suite with its problems. `sentences` and `settings` are files beside the domain.
    ///
    /// # Errors
    /// Fails if a problem is faulty.
    pub fn of_suite(
        suite: &Suite,
        sentences: Option<Source>,
        settings: Option<Source>,
    ) -> Result<Self, EnvError> {
        let problems = (0..suite.len()).map(|index| suite.problem_text(index));
        Ok(Self {
            name: suite.title().to_owned(),
            domain: suite.domain_text(),
            problems: problems.collect::<Result<_, _>>()?,
            sentences,
            settings,
        })
    }

    /// Returns the domain of a suite in RDDL with its instances.
    ///
    /// # Errors
    /// Fails if an instance is faulty.
    pub fn of_rddl(suite: &RddlSuite) -> Result<Self, RddlError> {
        let instances = (0..suite.len()).map(|index| Ok(suite.instance(index)?.to_rddl()));
        Ok(Self {
            name: suite.name().to_owned(),
            domain: suite.domain().to_rddl(),
            problems: instances.collect::<Result<_, RddlError>>()?,
            sentences: None,
            settings: None,
        })
    }

    /// Returns the names of the settings that questions leave out.
    ///
    /// # Errors
    /// Fails if the settings are faulty.
    pub fn left_out(&self) -> Result<Vec<&'static str>, EnvError> {
        let Some(settings) = &self.settings else {
            return Ok(Vec::new());
        };
        let config = Config::parse(settings)?;
        let tables = [
            ("[actions]", !config.actions.is_empty()),
            ("[observe]", config.observe.is_some()),
            ("horizon", config.horizon.is_some()),
        ];
        let is_set = tables.into_iter().filter(|(_, is_set)| *is_set);
        Ok(is_set.map(|(name, _)| name).collect())
    }

    /// Returns whether the domain is in RDDL: a text in PDDL begins with a parenthesis, after its comments.
    pub(crate) fn is_rddl(&self) -> bool {
        let mut lines = self.domain.lines().map(str::trim_start);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with(';'));
        first.is_some_and(|line| !line.starts_with(['(', '\u{feff}']))
    }
}

/// What [`make`](crate::make) makes.
#[derive(Clone, PartialEq, Debug)]
pub struct ExamOptions {
    /// The number of questions.
    pub count: usize,
    /// The kinds of questions; each gets the same share. Empty for all kinds that the domains allow.
    pub kinds: Vec<Kind>,
    /// The names of bundled domains, with their levels, such as `blocks` or `rddl/traffic`; empty for all.
    pub domains: Vec<String>,
    /// A domain that is not bundled. Without `domains`, all questions are about it.
    pub own: Option<OwnDomain>,
    /// The seed. The same options and seed give the same questions, on any number of threads.
    pub seed: u64,
    /// The least and the greatest length of a shortest plan. Does not matter to problems in RDDL.
    pub lengths: (u32, u32),
    /// The least and the greatest number of states that A* with landmark cuts expands to find a plan; `None` if it does
    /// not matter. Problems with chance have no such number, and no questions then.
    pub effort: Option<(u64, u64)>,
    /// How problems in PDDL are written. Those in RDDL are written in RDDL.
    pub style: Style,
    /// Whether all names are replaced by invented ones.
    pub obfuscated: bool,
}

impl Default for ExamOptions {
    fn default() -> Self {
        Self {
            count: 100,
            kinds: Vec::new(),
            domains: Vec::new(),
            own: None,
            seed: 0,
            lengths: (1, 12),
            effort: None,
            style: Style::default(),
            obfuscated: false,
        }
    }
}
