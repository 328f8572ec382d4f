//! Why a fetch failed.

use std::io;
use std::path::PathBuf;

/// The reason why problems could not be fetched. [`fetch`](super::fetch) returns it.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// No source was given.
    #[error("nothing to fetch: give URLs, or planning-domains:KIND/ID")]
    NoSource,
    /// A source is no URL that can be fetched.
    #[error("`{source_text}` is no address to fetch: {reason}")]
    Url {
        /// The source.
        source_text: String,
        /// The fault.
        reason: &'static str,
    },
    /// An identifier of planning.domains is malformed.
    #[error(
        "`{0}` is no identifier of planning.domains: write planning-domains:problem/5, planning-domains:domain/12 or \
         planning-domains:collection/3"
    )]
    Identifier(String),
    /// The name to keep the problems under cannot be the name of a folder.
    #[error(
        "`{0}` cannot be a name: use letters, digits, `-`, `_` and `.`, and begin with a letter or digit"
    )]
    Name(String),
    /// A server did not answer, or with an error.
    #[error("{url}: {message}")]
    Server {
        /// The URL.
        url: String,
        /// The reason.
        message: String,
    },
    /// A limit was reached.
    #[error("{url}: the limit of {limit} is reached")]
    Limit {
        /// The URL.
        url: String,
        /// The limit, such as `256 files`.
        limit: String,
    },
    /// The content is not what was expected.
    #[error("{url}: the content {reason}")]
    Content {
        /// The URL.
        url: String,
        /// The fault.
        reason: &'static str,
    },
    /// The answer of the interface of planning.domains does not have the expected form.
    #[error("{url}: the answer {reason}")]
    Answer {
        /// The URL.
        url: String,
        /// The fault.
        reason: String,
    },
    /// An archive was given together with other sources.
    #[error("{0} is an archive: fetch it alone")]
    ArchiveAmongFiles(String),
    /// Several of the given files are domains.
    #[error("{0} is a second domain: fetch each domain alone, with its problems")]
    SeveralDomains(String),
    /// Other files are kept under the name, and [`FetchOptions::replace`](super::FetchOptions::replace) is not set.
    #[error("{} has other files under the name `{name}`", .path.display())]
    Kept {
        /// The name.
        name: String,
        /// The folder.
        path: PathBuf,
    },
    /// The cache folder cannot be written.
    #[error("{}: {error}", .path.display())]
    Cache {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}
