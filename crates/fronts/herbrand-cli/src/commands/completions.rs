//! `herbrand completions`: completion scripts for shells.

use std::io::Write as _;

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::failure::Failure;
use crate::outcome::CommandOutcome;
use crate::output;

/// Print a completion script for a shell
///
/// The script completes commands, options and their values. The examples show the usual places for it.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand completions bash > ~/.local/share/bash-completion/completions/herbrand
  herbrand completions zsh  > ~/.zfunc/_herbrand       with `fpath+=~/.zfunc` before `compinit` in ~/.zshrc
  herbrand completions fish > ~/.config/fish/completions/herbrand.fish")]
pub struct Completions {
    /// The shell to write the script for
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    /// Prints a completion script for the command line `program`.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn run(self, mut program: Command) -> Result<CommandOutcome, Failure> {
        let mut script = Vec::new();
        generate(self.shell, &mut program, "herbrand", &mut script);
        let mut out = output::out();
        out.write_all(&script)?;
        out.flush()?;
        Ok(CommandOutcome::Yes)
    }
}
