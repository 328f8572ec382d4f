//! A server in place of a language model, to try `herbrand explore` and its experiments without one. It has the interface of
//! OpenAI's chat completions on this machine, and answers by rules: it reads the text with [`RuleReader`], and as a player it
//! takes the way that it took least often. It is no language model, so its results say nothing about one.
//!
//! ```text
//! cargo run -p herbrand-explore --example scripted_server -- PORT [well|badly|slowly|never]
//! ```
//!
//! [`RuleReader`]: herbrand_explore::RuleReader

#[path = "answers.rs"]
mod scripted_answers;
mod server;

use std::net::TcpListener;

use server::{Manner, serve};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let port: u16 = arguments.next().ok_or("which port?")?.parse()?;
    let manner = match arguments.next().as_deref() {
        None | Some("well") => Manner::Well,
        Some("badly") => Manner::Badly,
        Some("slowly") => Manner::Slowly(std::time::Duration::from_secs(3)),
        Some("never") => Manner::Never,
        Some(other) => return Err(format!("`{other}` is none of well, badly, slowly, never").into()),
    };
    let listener = TcpListener::bind(("127.0.0.1", port))?;
    serve(&listener, manner);
    Ok(())
}
