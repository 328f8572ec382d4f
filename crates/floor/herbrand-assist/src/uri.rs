//! The names of files: paths as URIs and back.

use std::path::{Path, PathBuf};

const SCHEME: &str = "file://";

/// Returns the path that a URI of a file names; `None` for other URIs, such as those of unsaved texts.
pub fn path(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix(SCHEME)?;
    // The name of a host, which only shares of a network have.
    let rest = &rest[rest.find('/')?..];
    let text = String::from_utf8(decoded(rest)).ok()?;
    let is_drive = |bytes: &[u8]| matches!(bytes, [b'/', letter, b':', ..] if letter.is_ascii_alphabetic());
    Some(PathBuf::from(if is_drive(text.as_bytes()) {
        &text[1..]
    } else {
        &text
    }))
}

/// Returns the URI of an absolute path, as [`path`] reads it. Characters other than ASCII letters, digits and `/-._~:`
/// are escaped. A relative path gives the URI of a path at the root.
pub fn of(path: &Path) -> String {
    let text = path.to_string_lossy().replace('\\', "/");
    let mut uri = SCHEME.to_owned();
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-._~:".contains(&byte) {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

/// Returns one spelling for the URIs of one file, since editors escape different characters. A URI that names no file
/// is returned as it is. [`Workspace::file`](crate::Workspace::file) takes this form.
pub fn normal(uri: &str) -> String {
    path(uri).map_or_else(|| uri.to_owned(), |path| of(&path))
}

fn decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let escaped = tail.get(..2).filter(|_| *first == b'%');
        let escaped =
            escaped.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(escaped.unwrap_or(*first));
        rest = if escaped.is_some() { &tail[2..] } else { tail };
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_become_uris_and_back() {
        for (name, uri) in [
            ("/tmp/a b/d\u{e9}.pddl", "file:///tmp/a%20b/d%C3%A9.pddl"),
            ("/c%d", "file:///c%25d"),
            ("c:/x.pddl", "file:///c:/x.pddl"),
        ] {
            assert_eq!(of(Path::new(name)), uri);
            assert_eq!(path(uri), Some(PathBuf::from(name)));
        }
        assert_eq!(path("file:///c%3A/x"), Some(PathBuf::from("c:/x")));
        assert_eq!(path("untitled:Untitled-1"), None);
        assert_eq!(path("file:///%zz%"), Some(PathBuf::from("/%zz%")));
        assert_eq!(normal("file:///a+b"), "file:///a%2Bb");
    }
}
