//! The files of the page, which are embedded in the program, for the server and for static file servers. The latter
//! serve a variant of the page that contains the engine.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::slim::slim;

/// The engine that answers the requests of a page: the server, or WebAssembly inside the page. [`files`] takes it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Engine {
    /// The server that served the page answers its requests.
    Server,
    /// The WebAssembly engine inside the page answers its requests.
    Wasm,
}

/// A text file of the page, as the server serves it. [`files`] iterates over them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageFile {
    /// The path in the URL, such as `app.js`.
    pub path: &'static str,
    /// The content type for HTTP.
    pub kind: &'static str,
    /// The content of the file, as text.
    pub text: Cow<'static, str>,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: &[(&str, &str, &str)] = &[
    ("index.html", HTML, include_str!("../assets/index.html")),
    ("style.css", CSS, include_str!("../assets/style.css")),
    ("app.js", SCRIPT, include_str!("../assets/app.js")),
    ("codemirror.js", SCRIPT, include_str!("../assets/codemirror.js")),
    ("editor.js", SCRIPT, include_str!("../assets/editor.js")),
    ("engine.js", SCRIPT, include_str!("../assets/engine.js")),
    ("files.js", SCRIPT, include_str!("../assets/files.js")),
    ("languages.js", SCRIPT, include_str!("../assets/languages.js")),
    ("markdown.js", SCRIPT, include_str!("../assets/markdown.js")),
    ("picture.js", SCRIPT, include_str!("../assets/picture.js")),
    ("positions.js", SCRIPT, include_str!("../assets/positions.js")),
    ("share.js", SCRIPT, include_str!("../assets/share.js")),
    ("store.js", SCRIPT, include_str!("../assets/store.js")),
    ("wasm.js", SCRIPT, include_str!("../assets/wasm.js")),
    ("worker.js", SCRIPT, include_str!("../assets/worker.js")),
    ("workshop.js", SCRIPT, include_str!("../assets/workshop.js")),
];

/// Iterates over the files of the page, with the page set to use this engine. The WebAssembly engine itself is not
/// among them. To write a page with its engine to a folder, use [`static_files`]. `index.html` comes first.
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

/// The reason why a page with its own engine could not be created. [`static_files`] returns it.
#[derive(Debug)]
pub enum PageError {
    /// The file of the engine could not be read.
    File {
        /// The path of the file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// The file of the engine is not WebAssembly.
    NotWasm {
        /// The path of the file.
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

/// A file of a page that contains its own engine, for any static file server. Returned by [`static_files`], the engine
/// as `herbrand.wasm`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StaticFile {
    /// The name of the file within the folder of the page.
    pub name: &'static str,
    /// The content of the file.
    pub content: Vec<u8>,
}

/// Returns the files of the page together with the engine from the file `wasm`, for any static file server. The names
/// of functions are removed from the engine, because browsers do not need them. Nothing is written: write each
/// [`StaticFile`] into one folder.
///
/// # Errors
/// Fails if `wasm` cannot be read or is not WebAssembly.
pub fn static_files(wasm: &Path) -> Result<Vec<StaticFile>, PageError> {
    let engine = fs::read(wasm).map_err(|error| PageError::File {
        path: wasm.to_owned(),
        error,
    })?;
    let engine = slim(&engine).ok_or_else(|| PageError::NotWasm {
        path: wasm.to_owned(),
    })?;
    let page = files(Engine::Wasm).map(|file| StaticFile {
        name: file.path,
        content: file.text.into_owned().into_bytes(),
    });
    let engine = StaticFile {
        name: "herbrand.wasm",
        content: engine,
    };
    Ok(page.chain([engine]).collect())
}
