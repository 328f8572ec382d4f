//! A language server for PDDL, PPDDL and RDDL: the engine's knowledge of a text, in the editor where it is written.
//!
//! [`serve`] answers the messages of one editor in the Language Server Protocol. Open files are checked as they are typed;
//! names have declarations, uses and explanations; actions and problems show how large they become when they are grounded.
//!
//! ```text
//!  editor ──▶ server ──▶ Workspace: all files, each with its names and lines
//!                │            │
//!                │            ├──▶ herbrand-assist: hover, completion, rename, … answered at once
//!                │            ├──▶ checker: a thread that publishes the faults of the newest texts
//!                │            ├──▶ reach: a thread that grounds open problems after a pause, for warnings
//!                └────────────┴──▶ engine: a thread that grounds, plans and draws
//! ```
//!
//! # What it is not
//!
//! It has neither a parser nor the features of an editor: `herbrand-assist` answers what needs only the texts, here as in the page.
//! Problems are run by `herbrand-play`, whose requests are those of the page.
//!
//! # Threads and limits
//!
//! A text is immutable: an edit makes another one, and a [`Clone`] of the workspace is a snapshot for another thread. An edit
//! cancels the check that runs, and the newest text is checked. Each check and each request to the engine has the time and
//! memory of [`ServerLimits`]. Grounding for warnings begins after a pause, and the next edit cancels it. A request that takes
//! time can be cancelled by the editor.
//!
//! # Libraries
//!
//! `lsp-server` has the messages and the channels of a connection; it is synchronous and has no runtime. The types of the protocol are those of
//! `gen-lsp-types`, which is generated from the protocol's own description, as are its updates. `lsp-types` has had no release
//! since 2024, and lacks what version 3.18 of the protocol added.
//!
//! # Requests beyond the protocol
//!
//! `herbrand/ask` takes a `herbrand_play::Request` with `uri`, the file of a problem, in place of its problem, and answers with a
//! `herbrand_play::Reply`: `{"uri": …, "ask": "look", "walk": []}` returns the initial state with its picture. With `"of": "goal"`, the
//! problem begins with the atoms of its goal, in PDDL. The commands of
//! [`COMMANDS`] take the URI of a problem first. They answer with data, and show a message for people.

mod checker;
mod engine;
mod lens;
mod reach;
mod server;
mod settings;
mod texts;
mod wire;
mod worker;

pub use engine::COMMANDS;
pub use server::{ServeError, ServerLimits, serve};

/// Serves one editor over standard input and output, until it shuts the server down. Blocks meanwhile. A message that
/// cannot be read is answered with an error.
///
/// # Errors
/// Fails if the editor leaves without shutting the server down.
pub fn serve_stdio(limits: ServerLimits) -> Result<(), ServeError> {
    wire::serve_streams(
        std::io::BufReader::new(std::io::stdin()),
        std::io::stdout(),
        limits,
    )
}
