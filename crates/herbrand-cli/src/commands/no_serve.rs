//! `herbrand serve`, in a program that serves nothing.

use std::ffi::OsString;

use clap::Args;

use crate::Answer;
use crate::failure::Failure;
use crate::output::Format;

/// Serve a page to play, edit and look inside problems in a browser
///
/// This program was built without the feature `serve`: build it with
/// `cargo build --release -p herbrand-cli --features serve`.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand serve")]
pub struct Serve {
    /// Whatever the command would take
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    arguments: Vec<OsString>,
}

impl Serve {
    pub fn run(self, _: Format) -> Result<Answer, Failure> {
        let message = "this program was built without the feature `serve`: build it with \
                       `cargo build --release -p herbrand-cli --features serve`";
        Err(Failure::Request(message.to_owned()))
    }
}
