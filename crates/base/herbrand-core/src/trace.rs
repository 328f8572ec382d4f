//! The file format that traces of all languages share: JSON Lines, a header, then one line per visited state or step.
//!
//! Each language has its own header and its own lines. Their version, the keys that the format does not have, and the
//! warnings of a replay are the same for all of them and live here.
//!
//! A file without a version is read as it is: other engines write such files, with keys of their own. In a file with a
//! version, an unknown key is a [`Warning`]. A version above [`VERSION`] is a [`FileError`], because its keys may mean
//! something else.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::rollout::Policy;

/// The version of the format that this crate writes, and the newest that it reads. It grows with every change that an older
/// reader would misread; a new key that an older reader may ignore leaves it as it is.
pub const VERSION: u32 = 1;

/// The name that the headers of this engine's traces begin with.
pub const RECORDER: &str = concat!("herbrand ", env!("CARGO_PKG_VERSION"));

/// The first line of a trace.
pub trait Header: Serialize + DeserializeOwned {
    /// The version of the format; `None` if the file has none.
    fn version(&self) -> Option<u32>;

    /// The keys of the line that the format does not have, in the order of the file.
    fn unknown(&mut self) -> &mut Vec<String>;
}

/// The part of a trace that its seed determines.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seeded {
    /// The outcomes: those of walk `i` come from the stream of outcomes of the seed plus `i`. The actions do not come from
    /// the seed.
    Outcomes,
    /// The outcomes, as above, and the actions: those of walk `i` are samples from the stream of actions of the seed plus `i`.
    Walks,
}

impl Seeded {
    /// The part of the walks of a rollout with this policy.
    #[must_use]
    pub const fn under(policy: &Policy) -> Self {
        match policy {
            Policy::Random => Self::Walks,
            Policy::First | Policy::Nothing | Policy::Plans(_) => Self::Outcomes,
        }
    }
}

/// Something that a replay reports and that does not make it fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The line of the trace, from 1.
    pub line: usize,
    /// The key of that line.
    pub key: String,
    /// The message, without line and key.
    pub message: String,
}

impl Warning {
    /// A warning about a key of the header.
    pub fn of_header(key: &str, message: impl Into<String>) -> Self {
        Self {
            line: 1,
            key: key.to_owned(),
            message: message.into(),
        }
    }

    /// A warning if a key of the header differs from the problem that is replayed.
    pub fn unless_equal<T: PartialEq + fmt::Display>(key: &str, recorded: &T, here: &T) -> Option<Self> {
        (recorded != here)
            .then(|| Self::of_header(key, format!("{recorded} in the trace, {here} in the problem")))
    }

    /// A warning that the seed of a trace gives another action or another outcome than `line`.
    #[must_use]
    pub fn of_seed(seed: u64, part: &str, line: usize) -> Self {
        Self::of_header(
            "seed",
            format!("{seed} gives another {part} than line {line} has"),
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, key, message } = self;
        write!(f, "line {line}, `{key}`: {message}")
    }
}

/// Why the file of a trace cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line has the wrong form.
    #[error("line {line}: {message}")]
    Format {
        /// The line, from 1.
        line: usize,
        /// The error in the line.
        message: String,
    },
    /// The trace is empty.
    #[error("there is no header: the file is empty")]
    Empty,
    /// This program does not read this version of the format.
    #[error(
        "line 1, `version`: the trace has version {0} of the format, and this program reads version {VERSION}"
    )]
    Version(u32),
}

/// Refuses a version of the format that this crate does not read.
///
/// # Errors
/// [`FileError::Version`].
pub const fn check_version(version: Option<u32>) -> Result<(), FileError> {
    match version {
        None | Some(VERSION) => Ok(()),
        Some(other) => Err(FileError::Version(other)),
    }
}

/// Reads the header of a trace, and leaves `lines` at the second line.
///
/// # Errors
/// Fails if reading fails, if the line is not a header, or if this crate does not read its version.
pub fn read_header<H: Header>(lines: &mut impl BufRead) -> Result<H, FileError> {
    /// Only the version, because the other keys may have other types in another version.
    #[derive(Deserialize)]
    struct Versioned {
        #[serde(default)]
        version: Option<u32>,
    }
    let mut first = String::new();
    if lines.read_line(&mut first)? == 0 {
        return Err(FileError::Empty);
    }
    check_version(parse::<Versioned>(&first, 1, |_| ())?.version)?;
    let mut unknown = Vec::new();
    let mut header: H = parse(&first, 1, |key| unknown.push(key))?;
    if header.version().is_some() {
        *header.unknown() = unknown;
    }
    Ok(header)
}

/// Writes a header or a line.
///
/// # Errors
/// If writing fails.
pub fn write_line(out: &mut (impl Write + ?Sized), line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// The lines of a trace after its header. Empty lines are skipped.
#[derive(Debug)]
pub struct Lines<R> {
    lines: io::Lines<R>,
    number: usize,
    /// Whether unknown keys are reported.
    versioned: bool,
    /// For each unknown key: the first line that has it, and the number of lines that do.
    unknown: BTreeMap<String, (usize, u64)>,
    warnings: Vec<Warning>,
}

impl<R: BufRead> Lines<R> {
    /// The lines after `header`, where `lines` begins with the second line.
    pub fn after(header: &mut impl Header, lines: R) -> Self {
        let unknown = std::mem::take(header.unknown()).into_iter();
        Self {
            lines: lines.lines(),
            number: 1,
            versioned: header.version().is_some(),
            unknown: BTreeMap::new(),
            warnings: unknown.map(|key| Warning::of_header(&key, UNKNOWN)).collect(),
        }
    }

    /// Reads the next line; `None` at the end.
    ///
    /// # Errors
    /// If reading fails or the line has the wrong form.
    pub fn read<L: DeserializeOwned>(&mut self) -> Result<Option<L>, FileError> {
        for line in self.lines.by_ref() {
            self.number += 1;
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let (number, unknown) = (self.number, &mut self.unknown);
            let line = parse(&line, number, |key| {
                if self.versioned {
                    unknown.entry(key).or_insert((number, 0)).1 += 1;
                }
            })?;
            return Ok(Some(line));
        }
        Ok(None)
    }

    /// The number of the line that was read last, from 1.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// The keys that the format does not have, in the header and in the lines that were read, by line.
    #[must_use]
    pub fn into_warnings(self) -> Vec<Warning> {
        let mut warnings = self.warnings;
        warnings.extend(self.unknown.into_iter().map(|(key, (line, lines))| Warning {
            line,
            key,
            message: match lines {
                1 => UNKNOWN.to_owned(),
                _ => format!("{UNKNOWN} ({lines} lines have it)"),
            },
        }));
        warnings.sort_by_key(|warning| warning.line);
        warnings
    }
}

/// The message about a key that the format does not have.
const UNKNOWN: &str = "the format has no such key";

/// Parses a line, and passes the keys that its type does not have to `unknown`.
fn parse<T: DeserializeOwned>(
    text: &str,
    line: usize,
    mut unknown: impl FnMut(String),
) -> Result<T, FileError> {
    let fault = |error: serde_json::Error| FileError::Format {
        line,
        message: error.to_string(),
    };
    let mut json = serde_json::Deserializer::from_str(text);
    let parsed = serde_ignored::deserialize(&mut json, |path| unknown(path.to_string())).map_err(fault)?;
    json.end().map_err(fault)?;
    Ok(parsed)
}
