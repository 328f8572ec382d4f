//! Problems of any language by the words that name them: a file, a folder, a bundled domain, or a name of a collection.

mod file_kind;
mod files;
mod folder;
mod named;
mod opener;
mod words;
mod worlds;

pub use crate::word_error::WordError;
pub use file_kind::{
    FileKind, domain_under_edit, is_plan, is_problem, is_stream, is_task, is_task_text, is_trace,
};
pub use files::{Files, SystemFiles};
pub use folder::{domain_beside, files_below, is_bundled, sentences_file, settings_file, stem, trace_names};
pub use named::{RDDL, is_domain, of_collection};
pub use opener::{Opener, chosen, only_set};
pub use words::ProblemWords;
