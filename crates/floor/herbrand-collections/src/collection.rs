//! The collections, and the first part of a name.

herbrand_text::named! {
    /// A collection of problems. Its prefix and a colon begin the names of its problems. [`of`](Self::of) finds the
    /// collection of a name, and [`Search::names`](crate::Search::names) lists the names in a collection.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Collection {
        /// The problems of the Python package PDDLGym: `pddlgym:sokoban`.
        PddlGym = "pddlgym",
        /// The problems of the Python package rddlrepository: `rddlrepository:Elevators_MDP_ippc2011`.
        RddlRepository = "rddlrepository",
        /// The data of the Python package pypddl-datasets: `pypddl-datasets:classical/tests/gripper`.
        PypddlDatasets = "pypddl-datasets",
        /// The problems kept in the cache folder: `fetched:ferry`.
        Fetched = "fetched",
    }
    /// Returns the part of a name before the colon.
    pub fn prefix
}

impl Collection {
    /// Returns the collection that a name begins with, and the rest of the name after the colon. `None` for any other name,
    /// such as that of a bundled domain or a path. Nothing is read.
    ///
    /// ```
    /// use herbrand_collections::Collection;
    ///
    /// assert_eq!(Collection::of("pddlgym:sokoban"), Some((Collection::PddlGym, "sokoban")));
    /// assert_eq!(Collection::of("sokoban"), None);
    /// ```
    #[must_use]
    pub fn of(name: &str) -> Option<(Self, &str)> {
        let (prefix, rest) = name.split_once(':')?;
        let collection = Self::ALL.into_iter().find(|one| one.prefix() == prefix)?;
        Some((collection, rest))
    }

    /// Returns the name of the Python module with the problems; `None` for the cache folder.
    pub(crate) const fn module(self) -> Option<&'static str> {
        match self {
            Self::PddlGym => Some("pddlgym"),
            Self::RddlRepository => Some("rddlrepository"),
            Self::PypddlDatasets => Some("pypddl_datasets"),
            Self::Fetched => None,
        }
    }
}
