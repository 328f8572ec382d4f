//! Archives of problems: tar, plain or compressed by gzip.

use std::io::{Cursor, Read};
use std::path::Component;

use flate2::read::MultiGzDecoder;
use tar::Archive;

use super::client::Client;
use super::error::FetchError;
use super::{Files, names};
use crate::folder::has_ending;

/// Returns whether the content begins like an archive, also one of a kind that is refused.
pub fn is_archive(bytes: &[u8]) -> bool {
    is_gzip(bytes) || is_other(bytes) || bytes.get(257..262) == Some(b"ustar")
}

fn is_gzip(bytes: &[u8]) -> bool {
    bytes.starts_with(&[0x1f, 0x8b])
}

/// Whether the content is an archive of zip, 7z, xz, bzip2 or zstd.
fn is_other(bytes: &[u8]) -> bool {
    let signs: [&[u8]; 5] = [
        b"PK\x03\x04",
        b"7z\xbc\xaf\x27\x1c",
        b"\xfd7zXZ\0",
        b"BZh",
        b"\x28\xb5\x2f\xfd",
    ];
    signs.iter().any(|sign| bytes.starts_with(sign))
}

/// Returns the files in PDDL and RDDL of an archive, without the folder that contains all of them.
pub fn files(url: &str, bytes: Vec<u8>, client: &mut Client) -> Result<Files, FetchError> {
    let refused = |reason| FetchError::Content {
        url: url.to_owned(),
        reason,
    };
    if is_other(&bytes) {
        return Err(refused("is an archive, but neither .tar nor .tar.gz"));
    }
    let bytes = if is_gzip(&bytes) {
        client.read(url, MultiGzDecoder::new(Cursor::new(bytes)))?
    } else {
        bytes
    };
    if bytes.get(257..262) != Some(b"ustar") {
        return Err(refused("is compressed, but no .tar archive"));
    }
    let broken = |_| refused("is a broken archive");
    let mut files = Files {
        name: names::stem_of_url(url),
        ..Files::default()
    };
    let mut archive = Archive::new(Cursor::new(&bytes));
    for entry in archive.entries().map_err(broken)? {
        client.take_file(url)?;
        let mut entry = entry.map_err(broken)?;
        let path = entry.path().map_err(broken)?.into_owned();
        let wanted = has_ending(&path, "pddl") || has_ending(&path, "rddl");
        if !wanted || entry.header().entry_type().is_dir() {
            continue;
        }
        let shown = path.to_string_lossy().into_owned();
        let mut leave_out = |reason| files.left_out.push((shown.clone(), reason));
        if !entry.header().entry_type().is_file() {
            leave_out("a link or a special file");
            continue;
        }
        let parts: Option<Vec<_>> = path
            .components()
            .filter(|part| *part != Component::CurDir)
            .map(|part| match part {
                Component::Normal(part) => part.to_str(),
                _ => None,
            })
            .collect();
        let is_plain = |part: &str| names::plain(part) == part;
        let Some(parts) = parts.filter(|parts| parts.iter().all(|part| is_plain(part))) else {
            leave_out("a path with unusual characters, or out of the archive");
            continue;
        };
        // The archive is in memory already, within the limit.
        let mut content = Vec::new();
        entry.read_to_end(&mut content).map_err(broken)?;
        match String::from_utf8(content) {
            Err(_) => leave_out("not UTF-8"),
            Ok(text) if names::ending_of(&text).is_none() => {
                leave_out("defines no domain, problem or instance");
            }
            Ok(text) => {
                files.contents.insert(parts.join("/"), text.into_bytes());
            }
        }
    }
    without_outer_folder(&mut files);
    if files.contents.is_empty() {
        return Err(refused("has no files in PDDL or RDDL"));
    }
    Ok(files)
}

/// Removes the folders that contain all files.
fn without_outer_folder(files: &mut Files) {
    loop {
        let mut tops = files
            .contents
            .keys()
            .map(|path| path.split_once('/').map(|(top, _)| top));
        let Some(Some(top)) = tops.next() else { return };
        if !tops.all(|other| other == Some(top)) {
            return;
        }
        let prefix = format!("{top}/");
        let contents = std::mem::take(&mut files.contents).into_iter();
        let inner =
            contents.map(|(path, bytes)| (path.strip_prefix(&prefix).unwrap_or(&path).to_owned(), bytes));
        files.contents = inner.collect();
    }
}
