//! Planning problems to play with in the browser: a small server and its page.
//!
//! [`Server`] answers the requests of `herbrand-play` over HTTP and hands out the page that asks them ([`page`]). The same page
//! works without a server where the engine is compiled to WebAssembly ([`static_files`]).
//!
//! ```text
//!   GET /, /app.js, …   the page, embedded in the program: no file is read
//!   POST /api           a request of herbrand-play as JSON, the reply as JSON
//! ```
//!
//! The server trusts nobody: texts keep to the allowance of `herbrand-play`, and [`Bounds`] say how many may ask at once, how
//! slowly a request may come and how large it may be. Every request has a deadline, its work ends when its client is gone, and a
//! few long requests do not keep others waiting. Unless it is bound to another address it serves this machine alone, and then
//! only pages whose address says so: a page from elsewhere cannot have its visitors' browsers ask here.

mod api;
mod connection;
mod crew;
pub mod page;
mod server;
mod slim;

pub use page::{PageError, StaticFile, static_files};
pub use server::{Bounds, Server};
