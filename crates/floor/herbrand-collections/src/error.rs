//! Why a name names no problems.

use std::path::PathBuf;

use herbrand_text::{Unreadable, did_you_mean};

use crate::collection::Collection;

/// The reason why the problems of a name could not be read. [`Search::find`](crate::Search::find) and
/// [`Search::names`](crate::Search::names) return it.
#[derive(Debug, thiserror::Error)]
pub enum CollectionError {
    /// The name begins with no collection.
    #[error(
        "`{0}` is no name of a collection's problems: such names begin with pddlgym:, rddlrepository:, pypddl-datasets: or fetched:"
    )]
    NoCollection(String),
    /// The Python package of a collection was not found.
    #[error(
        "the Python package {} is not installed{}: run `pip install {0}`, or name the folder in which it lies in HERBRAND_PACKAGES",
        .collection.prefix(), .searched
    )]
    NotInstalled {
        /// The collection.
        collection: Collection,
        /// Where it was searched, as part of the sentence; may be empty.
        searched: String,
    },
    /// The package pypddl-datasets is installed, but its data were not downloaded.
    #[error(
        "the data of pypddl-datasets are not in {}: run `python3 -c 'import pypddl_datasets; pypddl_datasets.data_root()'` to \
         download them, or name the folder with the data in PYPDDL_DATASETS_DATA", .0.display()
    )]
    NoData(PathBuf),
    /// The collection has no problems of this name.
    #[error("{} has no `{name}`{}{}", .collection.prefix(), .hint, did_you_mean(.suggestion.as_deref()))]
    Unknown {
        /// The collection.
        collection: Collection,
        /// The name after the colon.
        name: String,
        /// How to find the names, as the end of the sentence.
        hint: String,
        /// The most similar name, with its collection; `None` if none is similar.
        suggestion: Option<String>,
    },
    /// The folder has a domain for each problem, so the name of one problem is needed.
    #[error("`{name}` has several domains: name one of its problems, such as `{example}`")]
    SeveralDomains {
        /// The name of the folder.
        name: String,
        /// The name of a problem.
        example: String,
    },
    /// The folder has no domain, or none that belongs to the problem.
    #[error("`{name}` has no domain for {problem}")]
    NoDomain {
        /// The name of the folder.
        name: String,
        /// The file of a problem.
        problem: String,
    },
    /// The folder has a domain, but no problems.
    #[error("`{0}` has no problems")]
    NoProblems(String),
    /// A kept file does not have the content that was fetched, or is gone.
    #[error("{} is not as it was fetched: fetch `{name}` again", .path.display())]
    Changed {
        /// The path of the file.
        path: PathBuf,
        /// The name after `fetched:`.
        name: String,
    },
    /// A file or folder could not be read.
    #[error(transparent)]
    File(#[from] Unreadable),
}
