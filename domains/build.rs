//! Lists the files next to this script in order of their paths, for embedding in the library.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The extensions of the embedded files.
const KINDS: [&str; 4] = ["pddl", "plan", "rddl", "toml"];

fn main() -> io::Result<()> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or(io::ErrorKind::NotFound)?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    println!("cargo::rerun-if-changed={}", root.display());

    let mut files = Vec::new();
    for folder in fs::read_dir(&root)? {
        let folder = folder?.path();
        let name = folder.file_name().and_then(|name| name.to_str());
        if let Some(name) = name.filter(|_| folder.is_dir()) {
            collect(&folder, &format!("{name}/"), &mut files)?;
        }
    }
    files.sort();
    let mut table = String::from("&[\n");
    for (name, path) in files {
        writeln!(table, "    ({name:?}, include_str!({path:?})),").map_err(io::Error::other)?;
    }
    table.push(']');
    fs::write(out.join("files.rs"), table)
}

/// Collects the files below `folder` with their relative paths (with slashes).
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let name = format!("{prefix}{name}");
        let wanted = |kind: &std::ffi::OsStr| KINDS.iter().any(|&known| kind == known);
        if path.is_dir() {
            collect(&path, &format!("{name}/"), files)?;
        } else if path.extension().is_some_and(wanted) {
            files.push((name, path));
        }
    }
    Ok(())
}
