//! Fetched problems on disk, with the hash of each file.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use herbrand_text::Unreadable;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::CollectionError;
use crate::folder;
use crate::set::ProblemSet;

/// The file that lists what was fetched.
pub const INDEX: &str = "fetched.json";

/// The content of the cache under a name of `fetched:`: its origin and its files. [`kept`] returns it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Kept {
    /// The URLs or identifiers that were fetched.
    pub sources: Vec<String>,
    /// The SHA-256 of each file in hexadecimal digits, by its path in the folder, with `/` between folders.
    pub files: BTreeMap<String, String>,
}

impl Kept {
    /// Returns one SHA-256 over the paths and hashes of all files, in hexadecimal digits. It is that of the output of
    /// `sha256sum` for the files in alphabetical order.
    #[must_use]
    pub fn hash(&self) -> String {
        let lines = self.files.iter().map(|(path, hash)| format!("{hash}  {path}\n"));
        sha256(lines.collect::<String>().as_bytes())
    }
}

/// Returns the SHA-256 of some bytes in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the folder in which fetched problems are kept: that of `HERBRAND_CACHE`, or else `herbrand` in the user's folder
/// for caches. `None` if there is no such folder.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    let named = env::var_os("HERBRAND_CACHE").filter(|value| !value.is_empty());
    named
        .map(PathBuf::from)
        .or_else(|| Some(user_cache()?.join("herbrand")))
}

/// Returns the user's folder for caches.
pub fn user_cache() -> Option<PathBuf> {
    let set = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    if cfg!(windows) {
        return set("LOCALAPPDATA");
    }
    let home = || set("HOME");
    if cfg!(target_os = "macos") {
        return Some(home()?.join("Library/Caches"));
    }
    set("XDG_CACHE_HOME").or_else(|| Some(home()?.join(".cache")))
}

/// Returns the folder of a kept name. The first part of a longer name is the name.
pub fn kept_folder(cache: &Path, name: &str) -> PathBuf {
    cache.join("fetched").join(name)
}

/// Returns the origin and the files of the problems kept under `name` in a cache folder, from its index. `None` if
/// there is no index under this name, if it cannot be read, or if `name` begins with a dot or has a slash: it is the
/// part of a name between `fetched:` and the first slash. The files are not checked;
/// [`Search::find`](crate::Search::find) checks them.
#[must_use]
pub fn kept(cache: &Path, name: &str) -> Option<Kept> {
    let is_plain = !name.is_empty() && !name.starts_with('.') && !name.contains(['/', '\\']);
    let text = fs::read(kept_folder(cache, name).join(INDEX))
        .ok()
        .filter(|_| is_plain)?;
    serde_json::from_slice(&text).ok()
}

/// Returns the names that are kept, one for each folder with problems.
pub fn kept_names(cache: &Path) -> Result<Vec<String>, CollectionError> {
    let root = cache.join("fetched");
    let mut names = Vec::new();
    if !root.is_dir() {
        return Ok(names);
    }
    for path in folder::entries(&root)? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if kept(cache, &name).is_some() {
            let inner = folder::names(&path)?.into_iter();
            names.extend(inner.map(|inner| format!("{name}/{inner}").trim_end_matches('/').to_owned()));
        }
    }
    Ok(names)
}

/// Reads the problems kept under a name, after checking the hash of every file of its folder.
pub fn kept_set(cache: &Path, whole: &str, name: &str) -> Result<Option<ProblemSet>, CollectionError> {
    let (top, inner) = name.split_once('/').unwrap_or((name, ""));
    let Some(index) = kept(cache, top) else {
        return Ok(None);
    };
    let folder = kept_folder(cache, top);
    // The domain of a problem's file is in the same folder.
    let is_file = folder.join(inner).is_file();
    let within = if is_file {
        inner.rsplit_once('/').map_or("", |(within, _)| within)
    } else {
        inner
    };
    let wanted = index.files.iter().filter(|(path, _)| path.starts_with(within));
    for (path, hash) in wanted {
        let path = folder.join(path);
        let bytes = fs::read(&path).map_err(|error| Unreadable {
            path: path.clone(),
            error,
        });
        if bytes.ok().is_none_or(|bytes| sha256(&bytes) != *hash) {
            return Err(CollectionError::Changed {
                path,
                name: top.to_owned(),
            });
        }
    }
    if inner.is_empty() {
        return folder::find(&cache.join("fetched"), whole, top);
    }
    folder::find(&folder, whole, inner)
}
