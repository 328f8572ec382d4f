//! The options of making questions.

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
