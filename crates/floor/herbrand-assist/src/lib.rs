//! Features of editors for PDDL, PPDDL and RDDL: faults with the edits that mend them, hover, completion, formatting, and the places
//! of names.
//!
//! A [`Workspace`] has the files, each a [`TextFile`]. [`check`] returns the faults and warnings of one of them, and the modules of
//! [`feature`] answer the other questions of an editor. Answers have the types of the Language Server Protocol. Start with the
//! feature you need: each is one function of a workspace, a file and a place in it.
//!
//! # What it is not
//!
//! It is neither a server nor a thread: `herbrand-lsp` answers editors with it, and `herbrand-play` the page in a browser, where it
//! runs as WebAssembly. It has no parser of its own. `herbrand-pddl` and `herbrand-rddl` list the names of a text with their places,
//! also of a faulty text; completion and signature help use only its tokens, so they work in the middle of a word. It grounds
//! nothing, but [`shown`] turns the diagnostics of a search that grounds into findings.

mod brackets;
mod check;
mod documents;
mod explain;
pub mod feature;
mod fixes;
mod language;
mod lookup;
mod positions;
pub mod uri;
mod words;
mod workspace;

pub use check::{Finding, NAME, check, shown};
pub use documents::TextFile;
pub use explain::{SCHEME, explanation};
pub use language::Language;
pub use workspace::Workspace;
