//! `herbrand lsp`: a language server for editors.

use std::io::IsTerminal as _;
use std::time::Duration;

use bytesize::ByteSize;
use clap::Args;
use herbrand::limits::Limits;
use herbrand_lsp::{ServerLimits, serve_stdio};

use crate::failure::{Failure, refuse};
use crate::limits::duration;
use crate::outcome::CommandOutcome;

/// Serve an editor with faults, names, completion and counts of PDDL and RDDL files
///
/// An editor starts this command and talks to it over standard input and output, in the Language Server Protocol.
/// docs/how-to/editor.md has the settings for VS Code, Neovim, Helix, Zed and Emacs. The server checks each text as it is
/// typed, finds the domain of a problem in its folder or the one above, or in the folders open in the editor, and writes no
/// files.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand lsp                               the command for the settings of an editor
  herbrand lsp --time 2s --memory 256MiB     smaller limits, for a small machine")]
pub struct Lsp {
    /// Memory limit per check of a file, and per request that grounds a problem or plans
    #[arg(long, default_value = "512MiB", value_name = "SIZE")]
    memory: ByteSize,

    /// Time limit per check of a file, and per request that grounds a problem or plans
    #[arg(long, default_value = "10s", value_name = "SECONDS", value_parser = duration)]
    time: Duration,

    /// Ignored: editors give it to name the way of talking
    #[arg(long, hide = true)]
    stdio: bool,
}

impl Lsp {
    pub fn run(self) -> Result<CommandOutcome, Failure> {
        if std::io::stdin().is_terminal() {
            return refuse(
                "an editor starts this command: docs/how-to/editor.md has the settings for several",
            );
        }
        let limits = Limits {
            bytes: Some(self.memory.as_u64()),
            time: Some(self.time),
        };
        let limits = ServerLimits {
            check: limits,
            engine: limits,
            ..ServerLimits::default()
        };
        match serve_stdio(limits) {
            Ok(()) => Ok(CommandOutcome::Yes),
            // The protocol asks for the status 1.
            Err(error) => {
                anstream::eprintln!("error: {error}");
                Ok(CommandOutcome::No)
            }
        }
    }
}
