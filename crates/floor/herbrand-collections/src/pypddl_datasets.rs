//! The folder into which the package pypddl-datasets downloads its data.

use std::env;
use std::path::{Path, PathBuf};

use herbrand_text::Source;

use crate::cache::user_cache;
use crate::error::CollectionError;

/// Returns the folder that `PYPDDL_DATASETS_DATA` names, which the package uses instead of a download.
pub fn named() -> Option<PathBuf> {
    set("PYPDDL_DATASETS_DATA")
}

/// Returns the folder with the data that the installed package has downloaded.
pub fn downloaded(package: &Path) -> Result<PathBuf, CollectionError> {
    let text = Source::from_file(package.join("fetching.py"))?;
    let version = text.text().lines().find_map(|line| {
        let value = line
            .strip_prefix("DATA_VERSION")?
            .trim_start()
            .strip_prefix('=')?;
        Some(value.trim().trim_matches(['"', '\'']).to_owned())
    });
    let own = || {
        let folder = user_cache()?.join("pypddl-datasets");
        Some(if cfg!(windows) {
            folder.join("Cache")
        } else {
            folder
        })
    };
    let cache = set("PYPDDL_DATASETS_CACHE").or_else(own).unwrap_or_default();
    let folder = cache.join(version.unwrap_or_default()).join("data");
    if folder.is_dir() {
        Ok(folder)
    } else {
        Err(CollectionError::NoData(folder))
    }
}

fn set(name: &str) -> Option<PathBuf> {
    env::var_os(name)
        .filter(|value| !value.is_empty())
        .map(PathBuf::from)
}
