//! The page: its files, embedded in the program.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::slim::slim;

/// Who answers the requests of a page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// The server that the page is from.
    Server,
    /// The engine in the page itself.
    Wasm,
}

/// A file of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageFile {
    /// Its path, such as `app.js`.
    pub path: &'static str,
    /// What kind of file it is.
    pub kind: &'static str,
    /// Its text.
    pub text: Cow<'static, str>,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: &[(&str, &str, &str)] = &[
    ("index.html", HTML, include_str!("../assets/index.html")),
    ("style.css", CSS, include_str!("../assets/style.css")),
    ("app.js", SCRIPT, include_str!("../assets/app.js")),
    ("editor.js", SCRIPT, include_str!("../assets/editor.js")),
    ("engine.js", SCRIPT, include_str!("../assets/engine.js")),
    ("files.js", SCRIPT, include_str!("../assets/files.js")),
    ("picture.js", SCRIPT, include_str!("../assets/picture.js")),
    ("share.js", SCRIPT, include_str!("../assets/share.js")),
    ("store.js", SCRIPT, include_str!("../assets/store.js")),
    ("wasm.js", SCRIPT, include_str!("../assets/wasm.js")),
    ("worker.js", SCRIPT, include_str!("../assets/worker.js")),
    ("workshop.js", SCRIPT, include_str!("../assets/workshop.js")),
];

/// The files of a page whose requests are answered so.
pub fn files(engine: Engine) -> impl Iterator<Item = PageFile> {
    FILES.iter().map(move |&(path, kind, text)| PageFile {
        path,
        kind,
        text: match (engine, path) {
            (Engine::Wasm, "index.html") => {
                Cow::Owned(text.replace("data-engine=\"server\"", "data-engine=\"wasm\""))
            }
            _ => Cow::Borrowed(text),
        },
    })
}

/// Why a page could not be written.
#[derive(Debug)]
pub enum PageError {
    /// A file or folder cannot be read or written.
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// What is given as the engine is not WebAssembly.
    NotWasm {
        /// The file.
        path: PathBuf,
    },
}

impl std::fmt::Display for PageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::File { path, error } => write!(f, "{}: {error}", path.display()),
            Self::NotWasm { path } => write!(f, "{}: this is no WebAssembly", path.display()),
        }
    }
}

impl std::error::Error for PageError {}

/// Writes the page into a folder, together with the engine, which is read from `wasm`: any server of files can serve it. The folder
/// is made if it is not there; files of the same names are replaced. The engine is written without the names of its functions, which no
/// browser needs. Returns how many bytes the page has.
///
/// # Errors
/// When a file cannot be read or written, or `wasm` is no WebAssembly: then nothing is written.
pub fn write_static(folder: &Path, wasm: &Path) -> Result<u64, PageError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| PageError::File { path, error }
    };
    let engine = fs::read(wasm).map_err(failed(wasm))?;
    let engine = slim(&engine).ok_or_else(|| PageError::NotWasm {
        path: wasm.to_owned(),
    })?;
    fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut bytes = 0;
    let mut write = |name: &str, content: &[u8]| {
        bytes += content.len() as u64;
        let path = folder.join(name);
        fs::write(&path, content).map_err(failed(&path))
    };
    for file in files(Engine::Wasm) {
        write(file.path, file.text.as_bytes())?;
    }
    write("herbrand.wasm", &engine)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_says_who_answers_it() {
        let index = |engine| files(engine).next().expect("the page has files").text;
        assert!(index(Engine::Server).contains("data-engine=\"server\""));
        assert!(index(Engine::Wasm).contains("data-engine=\"wasm\""));
        assert!(!index(Engine::Wasm).contains("data-engine=\"server\""));
    }

    #[test]
    fn the_page_names_only_files_that_it_has() {
        let names: Vec<_> = files(Engine::Server).map(|file| file.path).collect();
        for file in files(Engine::Server) {
            for (start, _) in file.text.match_indices("from \"./") {
                let rest = &file.text[start + "from \"./".len()..];
                let name = rest.split('"').next().unwrap_or_default();
                assert!(names.contains(&name), "{} imports {name}", file.path);
            }
        }
    }
}
