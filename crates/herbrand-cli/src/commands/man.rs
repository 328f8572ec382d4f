//! `herbrand man`: manual pages.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use clap::{Args, Command};

use crate::Answer;
use crate::failure::Failure;
use crate::input::file_error;
use crate::output;

/// Print the manual page, or write one per command
///
/// Pages are in the format of `man`, made from the same texts as `--help`.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand man | man -l -
  herbrand man --out ~/.local/share/man/man1       then `man herbrand-rollout`")]
pub struct Man {
    /// Write a page for the program and one for each command into a folder
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

impl Man {
    /// Prints or writes the pages of the program whose command line this is.
    ///
    /// # Errors
    /// When the output cannot be written.
    pub fn run(self, program: Command) -> Result<Answer, Failure> {
        let mut out = output::out();
        if let Some(folder) = self.out {
            let fail = |error| file_error(&folder, error);
            fs::create_dir_all(&folder).map_err(fail)?;
            clap_mangen::generate_to(program, &folder).map_err(fail)?;
            writeln!(out, "the manual pages are in {}", folder.display())?;
        } else {
            let mut page = Vec::new();
            clap_mangen::Man::new(program).render(&mut page)?;
            out.write_all(&page)?;
        }
        out.flush()?;
        Ok(Answer::Yes)
    }
}
