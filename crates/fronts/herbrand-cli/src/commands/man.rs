//! `herbrand man`: manual pages.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use clap::{Args, Command};

use crate::failure::Failure;
use crate::files::write_files;
use crate::outcome::CommandOutcome;
use crate::output;

/// Print the manual page, or write one page per command
///
/// Pages are in the format of `man` and have the same text as `--help`.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand man | man -l -
  herbrand man --out ~/.local/share/man/man1       then `man herbrand-rollout`")]
pub struct Man {
    /// Write a page for the program and one per command to this folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Man {
    /// Prints or writes the manual pages of the command line `program`.
    ///
    /// # Errors
    /// Fails if the output cannot be written.
    pub fn run(self, program: Command) -> Result<CommandOutcome, Failure> {
        let mut out = output::out();
        if let Some(folder) = self.out {
            let mut program = program.disable_help_subcommand(true);
            program.build();
            let mut files = Vec::new();
            pages(program, &folder, &mut files)?;
            write_files(&files)?;
            writeln!(out, "wrote the manual pages to {}", folder.display())?;
        } else {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page)?;
            out.write_all(&page)?;
        }
        out.flush()?;
        Ok(CommandOutcome::Yes)
    }
}

/// Adds the page of a command and the pages of its subcommands to `files`.
fn pages(command: Command, folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) -> io::Result<()> {
    for one in command.get_subcommands().filter(|one| !one.is_hide_set()) {
        pages(one.clone(), folder, files)?;
    }
    let man = clap_mangen::Man::new(command);
    let mut page = Vec::new();
    man.render(&mut page)?;
    files.push((folder.join(man.get_filename()), page));
    Ok(())
}
