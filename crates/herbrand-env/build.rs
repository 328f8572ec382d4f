//! Lists the files of the bundled domains, in order of their paths, so that the library can embed them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    if env::var_os("CARGO_FEATURE_DOMAINS").is_none() {
        return Ok(());
    }
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let root = manifest.join("../../domains").canonicalize().map_err(|error| {
        io::Error::new(
            error.kind(),
            "the feature `domains` embeds the folder `domains`, which is not there",
        )
    })?;
    println!("cargo::rerun-if-changed={}", root.display());

    let mut files = Vec::new();
    collect(&root, "", &mut files)?;
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        writeln!(table, "    ({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    table.push(']');
    fs::write(out.join("domains.rs"), table)
}

/// Adds the `.pddl`, `.toml` and `.plan` files below `folder`, each with its path from the root, with slashes.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let name = format!("{prefix}{name}");
        let wanted = |kind: &std::ffi::OsStr| ["pddl", "toml", "plan"].iter().any(|&k| kind == k);
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else if path.extension().is_some_and(wanted) {
            files.push((name, path));
        }
    }
    Ok(())
}
