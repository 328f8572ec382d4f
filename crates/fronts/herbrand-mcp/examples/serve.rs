//! A server in a program of its own: `cargo run -p herbrand-mcp --example serve -- [--folder FOLDER] [--http]`.
//!
//! `herbrand mcp` does the same with more options.

use std::io::{self, Write};

use herbrand_mcp::{Folders, McpOptions, McpServer};

fn main() -> io::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let named = arguments.windows(2).filter(|pair| pair[0] == "--folder");
    let folders: Vec<_> = named.map(|pair| pair[1].clone()).collect();
    let server = McpServer::new(McpOptions {
        folders: Folders::new(folders)?,
        ..McpOptions::default()
    });
    if arguments.iter().any(|argument| argument == "--http") {
        let listener = McpServer::bind(([127, 0, 0, 1], 0).into())?;
        println!("listening on http://{}/mcp", listener.local_addr()?);
        io::stdout().flush()?;
        server.serve_http(listener)
    } else {
        server.serve_stdio()
    }
}
