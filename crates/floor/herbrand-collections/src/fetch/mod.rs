//! Problems fetched from the net into the cache folder, where `fetched:NAME` finds them.
//!
//! [`fetch`] takes URLs of files in PDDL or RDDL, the URL of an archive (`.tar` or `.tar.gz`), or identifiers of the interface
//! of planning.domains: `planning-domains:problem/5`, `planning-domains:domain/12` or `planning-domains:collection/3`.
//!
//! Nothing that a server sends is trusted. Sizes, times, files and redirects are limited; only HTTP and HTTPS are spoken, and
//! HTTPS is never left; a server elsewhere cannot point to this machine. Names become plain file names in the folder of the
//! fetch. Texts that are not UTF-8, or neither PDDL nor RDDL, are refused, or left out of an archive, whose links are not
//! followed. A fetch is kept as a whole or not at all.

mod archive;
mod client;
mod error;
mod names;
mod planning_domains;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use herbrand_env::Definition;

use crate::cache::{INDEX, Kept, kept, kept_folder, sha256};
use crate::folder;

use client::Client;
pub use error::FetchError;
use names::{plain, stem_of_url};

/// The folder to fetch into, and the limits of a fetch. [`fetch`] takes them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FetchOptions {
    /// The cache folder. [`cache_folder`](crate::cache_folder) returns the usual one.
    pub cache: PathBuf,
    /// The name under which the problems are kept; `None` for that of the domain, the collection or the archive.
    pub name: Option<String>,
    /// Whether files kept earlier under the same name may be replaced by others.
    pub replace: bool,
    /// The base URL of the interface of planning.domains.
    pub interface: String,
    /// The maximum number of bytes in all, both as sent and as unpacked.
    pub bytes: u64,
    /// The maximum number of files, and of entries of an archive.
    pub files: usize,
    /// The maximum time of the whole fetch.
    pub time: Duration,
}

impl FetchOptions {
    /// Returns the options for fetching into the folder `cache`, with the usual limits: 256 MiB, 20 000 files and ten
    /// minutes. The problems are kept under the name of the domain, the collection or the archive.
    #[must_use]
    pub fn new(cache: impl Into<PathBuf>) -> Self {
        Self {
            cache: cache.into(),
            name: None,
            replace: false,
            interface: "https://api.planning.domains/json/classical".to_owned(),
            bytes: 256 << 20,
            files: 20_000,
            time: Duration::from_secs(600),
        }
    }
}

/// The fetched problems. [`fetch`] returns them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fetched {
    /// The name under which the problems are kept.
    pub name: String,
    /// The names of the sets of problems: `fetched:NAME`, or one for each folder of a collection.
    pub names: Vec<String>,
    /// The folder with the files.
    pub folder: PathBuf,
    /// The files with their hashes.
    pub kept: Kept,
    /// The files of an archive that were left out, with the reason.
    pub left_out: Vec<(String, &'static str)>,
    /// Whether the name already had these very files.
    pub unchanged: bool,
}

/// The files of a fetch before they are kept: their content by path, with `/` between folders.
#[derive(Default)]
struct Files {
    contents: BTreeMap<String, Vec<u8>>,
    left_out: Vec<(String, &'static str)>,
    /// The name that the source gives itself.
    name: String,
}

/// Fetches problems and keeps them in the cache folder. Files kept earlier under the same name are replaced only by the
/// same files and more, or with [`FetchOptions::replace`]. Pass
/// one of the [`names`](Fetched::names) to [`Search::find`](crate::Search::find) to read the problems.
///
/// `sources` are either URLs of files, which together are one domain with its problems, or one URL of an archive, or one
/// identifier of planning.domains, such as `planning-domains:domain/12`.
///
/// # Errors
/// Fails if there is no source or one is malformed, if the name in the options cannot be that of a folder, if other files have it, if a server
/// does not answer as expected, a limit is reached, the content is neither PDDL nor RDDL, several files are domains, or
/// the cache folder cannot be written. Then nothing is kept.
pub fn fetch(sources: &[String], options: &FetchOptions) -> Result<Fetched, FetchError> {
    let mut client = Client::new(options.bytes, options.files, options.time);
    let files = match sources {
        [] => return Err(FetchError::NoSource),
        [source] if source.starts_with(planning_domains::PREFIX) => {
            planning_domains::files(source, &options.interface, &mut client)?
        }
        urls => files_of_urls(urls, &mut client)?,
    };
    let name = match &options.name {
        Some(name) if plain(name) == *name => name.clone(),
        Some(name) => return Err(FetchError::Name(name.clone())),
        None => plain(&files.name),
    };
    keep(sources, files, name, options)
}

fn files_of_urls(urls: &[String], client: &mut Client) -> Result<Files, FetchError> {
    let mut files = Files::default();
    for url in urls {
        let bytes = client.get(url)?;
        if archive::is_archive(&bytes) {
            if urls.len() > 1 {
                return Err(FetchError::ArchiveAmongFiles(url.clone()));
            }
            return archive::files(url, bytes, client);
        }
        let text = checked_text(url, bytes)?;
        let mut name = names::of_url(url, &text);
        // The domain's file is found by its name if there are several of its kind.
        if Definition::Domain.name_in(&text).is_some() && Definition::Problem.name_in(&text).is_none() {
            "domain.pddl".clone_into(&mut name);
            if files.contents.contains_key(&name) {
                return Err(FetchError::SeveralDomains(url.clone()));
            }
        }
        let declared = Definition::Domain.name_in(&text);
        if let Some(domain) = declared.or_else(|| files.name.is_empty().then(|| stem_of_url(url))) {
            files.name = domain;
        }
        let name = names::unused(&files.contents, &name);
        files.contents.insert(name, text.into_bytes());
    }
    Ok(files)
}

/// Returns the bytes as a text in PDDL or RDDL.
fn checked_text(url: &str, bytes: Vec<u8>) -> Result<String, FetchError> {
    let refused = |reason| FetchError::Content {
        url: url.to_owned(),
        reason,
    };
    let text = String::from_utf8(bytes).map_err(|_| refused("is not UTF-8"))?;
    match names::ending_of(&text) {
        Some(_) => Ok(text),
        None if text.trim_start().starts_with('<') => Err(refused(
            "is a web page, not PDDL or RDDL: give the address of the file itself",
        )),
        None => Err(refused("defines no domain, problem or instance")),
    }
}

/// Writes the files beside their place, and then moves them there together.
fn keep(
    sources: &[String],
    files: Files,
    name: String,
    options: &FetchOptions,
) -> Result<Fetched, FetchError> {
    let cache = &options.cache;
    let hashes = files.contents.iter();
    let index = Kept {
        sources: sources.to_vec(),
        files: hashes
            .map(|(path, bytes)| (path.clone(), sha256(bytes)))
            .collect(),
    };
    let place = kept_folder(cache, &name);
    let unwritten = |error: std::io::Error| FetchError::Cache {
        path: place.clone(),
        error,
    };
    let known = kept(cache, &name);
    if place.exists() && known.is_none() {
        let error = std::io::Error::other("it is there already, and was not fetched");
        return Err(unwritten(error));
    }
    let stays = |(path, hash): (&String, &String)| index.files.get(path) == Some(hash);
    if !options.replace && known.as_ref().is_some_and(|known| !known.files.iter().all(stays)) {
        return Err(FetchError::Kept { name, path: place });
    }
    let draft = kept_folder(cache, &format!(".{name}-{}", std::process::id()));
    let written = write(&draft, &files.contents, &index).and_then(|()| {
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        fs::rename(&draft, &place)
    });
    if written.is_err() {
        // The error of writing is the one to report.
        let _ = fs::remove_dir_all(&draft);
    }
    written.map_err(unwritten)?;
    let inner = folder::names(&place).map_err(|error| unwritten(std::io::Error::other(error.to_string())))?;
    let names = inner
        .iter()
        .map(|inner| format!("fetched:{name}/{inner}").trim_end_matches('/').to_owned());
    Ok(Fetched {
        names: names.collect(),
        folder: place,
        unchanged: known.is_some_and(|known| known.files == index.files),
        kept: index,
        left_out: files.left_out,
        name,
    })
}

fn write(folder: &Path, contents: &BTreeMap<String, Vec<u8>>, index: &Kept) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for (path, bytes) in contents {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, bytes)?;
    }
    let text = serde_json::to_string_pretty(index)?;
    fs::write(folder.join(INDEX), text + "\n")
}
