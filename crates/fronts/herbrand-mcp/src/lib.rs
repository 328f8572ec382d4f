//! Planning problems for language models: a server of the Model Context Protocol.
//!
//! [`Tools`] answers the calls of tools: it opens problems as sessions of `herbrand-play`, shows their states as sentences,
//! takes steps that are written as text, explains, plans, checks, edits and draws. It knows nothing of the protocol.
//! [`McpServer`] serves it with the crate `rmcp`, over standard input and output or as streamable HTTP.
//!
//! ```text
//!   client ──JSON-RPC──▶ McpServer ──name, arguments──▶ Tools ──▶ Sessions ──▶ Session
//! ```
//!
//! Over one connection, calls of the same session are carried out in the order in which they are read; other calls go on
//! at the same time.
//!
//! Clients are not trusted. Sessions have random names, so a client that does not know the name of a session cannot use it.
//! Their number, memory and time are limited, and so is every call. Files are read and written only inside the folders that
//! [`McpOptions`] names. Over HTTP the server is bound to a local address and accepts local `Host` headers only.

mod arguments;
mod folders;
mod http;
mod lines;
mod listing;
mod server;
mod tools;
mod turns;

pub use folders::Folders;
pub use server::{McpOptions, McpServer};
pub use tools::{ToolAnswer, Tools};
