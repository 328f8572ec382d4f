//! The texts of a domain with its problems.

use herbrand_env::SuiteFiles;
use herbrand_text::Source;

/// A domain with its problems, as texts. [`Search::find`](crate::Search::find) returns one.
#[derive(Clone, Debug)]
pub enum ProblemSet {
    /// A domain in PDDL. `Suite::new` makes a suite of it.
    Pddl(SuiteFiles),
    /// A domain in RDDL. `RddlSuite::from_named_files` makes a suite of it.
    Rddl {
        /// The whole name, such as `rddlrepository:Elevators_MDP_ippc2011`.
        name: String,
        /// The texts of the domain and its instances.
        sources: Vec<Source>,
    },
}

impl ProblemSet {
    /// Returns the whole name, with its collection.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Pddl(files) => &files.name,
            Self::Rddl { name, .. } => name,
        }
    }

    /// Returns the texts: in PDDL the domain, the settings if there are any, and the problems; in RDDL the domain and the
    /// instances, in the order of [`Rddl::sources`](Self::Rddl). The name of each text is the path of its file. To make a
    /// suite, use the fields of the variant.
    pub fn sources(&self) -> impl Iterator<Item = &Source> {
        let (files, sources) = match self {
            Self::Pddl(files) => (Some(files), &[][..]),
            Self::Rddl { sources, .. } => (None, sources.as_slice()),
        };
        let of_files = files.into_iter().flat_map(|files| {
            let first = std::iter::once(&files.domain).chain(&files.config);
            first.chain(files.problems.iter().map(|problem| &problem.source))
        });
        of_files.chain(sources)
    }
}
