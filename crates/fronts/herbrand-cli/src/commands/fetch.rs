//! `herbrand fetch`: public problems, kept in a cache folder.

use std::io::Write;

use bytesize::ByteSize;
use clap::Args;
use herbrand::collections::cache_folder;
use herbrand::collections::fetch::{FetchError, FetchOptions, Fetched, fetch};
use serde::Serialize;

use crate::failure::Failure;
use crate::files;
use crate::limits::LimitArgs;
use crate::outcome::CommandOutcome;
use crate::output::{self, Format, counted};

/// Fetch public problems and keep them under a name
///
/// Takes the URLs of a domain and its problems in PDDL or RDDL, the URL of an archive (.tar or .tar.gz) of a repository, or a
/// problem, domain or collection of planning.domains by its number. Every command then takes `fetched:NAME`, or
/// `fetched:NAME/FOLDER` for a collection; `herbrand domains fetched:` lists these names.
///
/// The files are kept in the folder that HERBRAND_CACHE names, or else in the user's folder for caches, with the SHA-256 of
/// each, which is checked when they are read. Texts that are not UTF-8, or neither PDDL nor RDDL, are refused, or left out of
/// an archive.
#[derive(Args)]
#[command(after_help = "Examples:
  herbrand fetch https://example.org/ferry/domain.pddl https://example.org/ferry/p01.pddl
  herbrand fetch https://github.com/AI-Planning/classical-domains/archive/refs/heads/main.tar.gz --name classical
  herbrand fetch planning-domains:domain/12
  herbrand rollout fetched:classical/classical/gripper")]
pub struct Fetch {
    /// URLs, or planning-domains:problem/ID, planning-domains:domain/ID or planning-domains:collection/ID
    #[arg(value_name = "URL|ID", required = true)]
    sources: Vec<String>,

    /// The name to keep the problems under [default: that of the domain, collection or archive]
    #[arg(long)]
    name: Option<String>,

    /// The interface of planning.domains
    #[arg(
        long,
        value_name = "URL",
        default_value = "https://api.planning.domains/json/classical"
    )]
    interface: String,

    /// The maximum size of all files together, as sent and as unpacked
    #[arg(long, value_name = "SIZE", default_value = "256MiB", help_heading = "Limits")]
    size: ByteSize,

    /// The maximum number of files
    #[arg(long, value_name = "N", default_value_t = 20_000, help_heading = "Limits")]
    files: usize,

    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Serialize)]
struct Report<'f> {
    names: &'f [String],
    folder: String,
    files: usize,
    /// The SHA-256 over the hashes of all files.
    sha256: String,
    unchanged: bool,
    left_out: Vec<LeftOut<'f>>,
}

#[derive(Serialize)]
struct LeftOut<'f> {
    file: &'f str,
    reason: &'static str,
}

impl Fetch {
    pub fn run(self, format: Format) -> Result<CommandOutcome, Failure> {
        let cache = cache_folder().ok_or_else(|| {
            Failure::Request("there is no folder for caches: name one in HERBRAND_CACHE".to_owned())
        })?;
        let usual = FetchOptions::new(cache);
        let options = FetchOptions {
            name: self.name,
            replace: files::is_forced(),
            interface: self.interface,
            bytes: self.size.as_u64(),
            files: self.files,
            time: self.limits.limits().time.unwrap_or(usual.time),
            ..usual
        };
        let fetched = fetch(&self.sources, &options).map_err(|error| {
            Failure::Request(match error {
                FetchError::Kept { .. } => {
                    format!("{error}: choose another --name, or add --force to overwrite them")
                }
                error => error.to_string(),
            })
        })?;
        match format {
            Format::Json => output::json(&report(&fetched))?,
            Format::Text => print(&fetched)?,
        }
        Ok(CommandOutcome::Yes)
    }
}

fn report(fetched: &Fetched) -> Report<'_> {
    let left_out = fetched.left_out.iter();
    Report {
        names: &fetched.names,
        folder: fetched.folder.display().to_string(),
        files: fetched.kept.files.len(),
        sha256: fetched.kept.hash(),
        unchanged: fetched.unchanged,
        left_out: left_out.map(|(file, reason)| LeftOut { file, reason }).collect(),
    }
}

/// The maximum number of names and files that are printed one by one.
const LISTED: usize = 10;

fn print(fetched: &Fetched) -> Result<(), Failure> {
    let mut out = output::out();
    let files = counted(fetched.kept.files.len() as u64, "file");
    let unchanged = if fetched.unchanged { ", unchanged" } else { "" };
    writeln!(out, "wrote {}, {files}{unchanged}", fetched.folder.display())?;
    writeln!(out, "sha256 {}", fetched.kept.hash())?;
    for (file, reason) in fetched.left_out.iter().take(LISTED) {
        writeln!(out, "left out {file}: {reason}")?;
    }
    if let Some(more) = fetched
        .left_out
        .len()
        .checked_sub(LISTED)
        .filter(|&more| more > 0)
    {
        writeln!(out, "left out {}", counted(more as u64, "more file"))?;
    }
    let names = &fetched.names;
    for name in names.iter().take(LISTED) {
        writeln!(out, "{name}")?;
    }
    if names.len() > LISTED {
        writeln!(
            out,
            "{} names in all: `herbrand domains fetched:` lists them",
            names.len()
        )?;
    }
    Ok(out.flush()?)
}
