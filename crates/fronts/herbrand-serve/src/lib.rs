//! A small web server with a page for playing planning problems.
//!
//! [`PlayServer`] answers the requests of `herbrand-play` over HTTP and serves the [`page`] that sends them. The page also
//! works without a server, with the engine compiled to WebAssembly ([`static_files`]).
//!
//! ```text
//!   GET /, /app.js, …   the page, embedded in the program: no file is read
//!   POST /api           a request of herbrand-play as JSON, the reply as JSON
//! ```
//!
//! The server accepts untrusted clients. Texts are subject to the allowance of `herbrand-play`. [`Bounds`] limits the number
//! of simultaneous requests and the duration and size of each. Every request has a deadline, its computation stops when its
//! client leaves, and a few long requests do not block the others. By default the server is bound to the local address and
//! only accepts requests whose `Host` header is local, so that pages from other sites cannot use visitors' browsers to send
//! requests.

mod api;
mod bounds;
mod connection;
pub mod page;
mod server;
mod slim;
mod workers;

pub use bounds::Bounds;
pub use page::{PageError, StaticFile, static_files};
pub use server::PlayServer;
