//! The file format shared by the traces of all languages: JSON Lines, with a header, then one line per visited state or
//! step.
//!
//! The version, the treatment of unknown keys, and the warnings of a replay are common to all languages. [`record`] and
//! [`replay`] are for any language that names its actions and facts: a line is a [`Visit`], a state with its valid actions.
//! PDDL uses these lines and compares more; RDDL has its own header and lines, with numbers.
//!
//! A file without a version is accepted as it is: other engines write such files, with keys of their own. In a file with a
//! version, an unknown key is a [`Warning`]. Any version other than [`VERSION`] is a [`FileError`], because its keys
//! may mean something else.

mod replayed;
mod visit;
mod walks;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, Write};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::rollout::RolloutPolicy;

pub use replayed::{Mismatch, Replay};
pub use visit::{Header, Recorder, Visit, true_facts};
pub use walks::{RandomWalks, VisitDifference, WalkError, record, replay, watch_replay};

/// The version of the format that this crate writes and reads. It reads only this version and files without one. The
/// number grows with every change that an older reader would misread. Adding a key that older readers may ignore does
/// not change it.
pub const VERSION: u32 = 1;

/// The name and version of this engine. The headers of the traces that it writes name their recorder by a text that begins
/// with this one.
pub const RECORDER: &str = concat!("herbrand ", env!("CARGO_PKG_VERSION"));

/// The first line of a trace, which names its problem and its version. Each language implements it for its own header type.
pub trait TraceHeader: Serialize + DeserializeOwned {
    /// The version of the format; `None` if the file has none.
    fn version(&self) -> Option<u32>;

    /// The keys of the header line that the format does not define, in the order of the file. [`read_header`] fills them.
    fn unknown(&mut self) -> &mut Vec<String>;
}

/// The part of a trace that the seed in its header determines, so that a replay can check it. A walk is one recorded
/// episode. [`Header::seeded`] has it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seeded {
    /// Only the outcomes: walk `i` draws them from the outcome stream of the seed plus `i`. The actions do not come from the
    /// seed.
    Outcomes,
    /// The outcomes, as above, and the actions: walk `i` samples them from the action stream of the seed plus `i`.
    Walks,
}

impl Seeded {
    /// Returns the part that the seed determines in a rollout with this policy: [`Walks`](Self::Walks) for a random
    /// one, [`Outcomes`](Self::Outcomes) for any other. Set [`Header::seeded`] to it.
    #[must_use]
    pub const fn under(policy: &RolloutPolicy) -> Self {
        match policy {
            RolloutPolicy::Random => Self::Walks,
            _ => Self::Outcomes,
        }
    }
}

/// A finding of a replay that does not make it fail, such as an unknown key or a different outcome. Show it to the
/// user; the replay is valid in spite of it. [`TraceLines::into_warnings`] and [`Replay::warnings`] list them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Warning {
    /// The line of the trace, from 1.
    pub line: usize,
    /// The key of that line which the warning is about.
    pub key: String,
    /// The message, without line and key.
    pub message: String,
}

impl Warning {
    /// Creates a warning about a key of the header, which is line 1. A replay adds it to its warnings.
    pub fn of_header(key: &str, message: impl Into<String>) -> Self {
        Self {
            line: 1,
            key: key.to_owned(),
            message: message.into(),
        }
    }

    /// Returns a warning if the value `recorded` for a key of the header differs from `here`, the value of the replayed
    /// problem; `None` if they are equal.
    pub fn unless_equal<T: PartialEq + fmt::Display>(key: &str, recorded: &T, here: &T) -> Option<Self> {
        (recorded != here)
            .then(|| Self::of_header(key, format!("{recorded} in the trace, {here} in the problem")))
    }

    /// Creates a warning about the key `seed` of the header: this seed yields another `part`, such as `action`, than the
    /// given line of the trace records.
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

/// The reason why a trace file cannot be read or written. [`read_header`] and [`TraceLines::read`] return it;
/// [`WalkError::File`] contains it.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A line is not JSON, or does not have the form that its language requires.
    #[error("line {line}: {message}")]
    Format {
        /// The line, from 1.
        line: usize,
        /// The error in the line, or the reason why a recorded action cannot be taken.
        message: String,
    },
    /// The trace is empty.
    #[error("there is no header: the file is empty")]
    Empty,
    /// The first line is not a JSON object, so the file is no trace.
    #[error("the file is not a trace: line 1 of a trace is a JSON object, as `record` writes it")]
    NoTrace,
    /// This program does not read this version of the format.
    #[error(
        "line 1, `version`: the trace has version {0} of the format, and this program reads version {VERSION}"
    )]
    Version(u32),
}

/// Checks that this crate reads a version of the format. Files without a version pass. [`read_header`] calls it.
///
/// # Errors
/// [`FileError::Version`] for every version other than [`VERSION`].
pub const fn check_version(version: Option<u32>) -> Result<(), FileError> {
    match version {
        None | Some(VERSION) => Ok(()),
        Some(other) => Err(FileError::Version(other)),
    }
}

/// Reads and checks the header of a trace, and leaves `lines` at the second line. In a file with a version, unknown
/// keys are stored in [`TraceHeader::unknown`]. Pass the rest of `lines` to [`TraceLines::after`]. In a file without a
/// version, unknown keys are ignored.
///
/// # Errors
/// [`FileError::Io`] if reading fails, [`Empty`](FileError::Empty) without a line, [`NoTrace`](FileError::NoTrace) if
/// the line does not begin with `{`, [`Version`](FileError::Version) for a version that this crate does not read, and
/// [`Format`](FileError::Format) for any other line that is no header.
pub fn read_header<H: TraceHeader>(lines: &mut impl BufRead) -> Result<H, FileError> {
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
    if !first.trim_start().starts_with('{') {
        return Err(FileError::NoTrace);
    }
    check_version(parse::<Versioned>(&first, 1, |_| ())?.version)?;
    let mut unknown = Vec::new();
    let mut header: H = parse(&first, 1, |key| unknown.push(key))?;
    if header.version().is_some() {
        *header.unknown() = unknown;
    }
    Ok(header)
}

/// Writes a header or a line of a trace as one line of JSON. Does not flush `out`.
///
/// # Errors
/// Fails if writing fails or `line` cannot be serialised.
pub fn write_line(out: &mut (impl Write + ?Sized), line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, line)?;
    out.write_all(b"\n")
}

/// A reader of the lines of a trace after its header. Empty lines are skipped. [`after`](Self::after) makes one.
#[derive(Debug)]
pub struct TraceLines<R> {
    lines: io::Lines<R>,
    number: usize,
    /// Whether unknown keys are reported.
    versioned: bool,
    /// For each unknown key: the first line that has it, and the number of lines that do.
    unknown: BTreeMap<String, (usize, u64)>,
    warnings: Vec<Warning>,
}

impl<R: BufRead> TraceLines<R> {
    /// Creates a reader of the lines after `header`, where `lines` begins with the second line. It moves the unknown keys
    /// out of the header, to report them in [`into_warnings`](Self::into_warnings).
    pub fn after(header: &mut impl TraceHeader, lines: R) -> Self {
        let unknown = std::mem::take(header.unknown()).into_iter();
        Self {
            lines: lines.lines(),
            number: 1,
            versioned: header.version().is_some(),
            unknown: BTreeMap::new(),
            warnings: unknown.map(|key| Warning::of_header(&key, UNKNOWN)).collect(),
        }
    }

    /// Parses the next line as an `L`; returns `None` at the end. Empty lines are skipped. After an error, the
    /// following lines can still be read.
    ///
    /// # Errors
    /// [`FileError::Io`] if reading fails, [`FileError::Format`] if the line is no JSON or has another form than `L`.
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

    /// Returns the number of the last line read, counted from 1 with the empty ones. Before the first call of
    /// [`read`](Self::read) it is 1, the line of the header.
    pub const fn number(&self) -> usize {
        self.number
    }

    /// Returns a warning for each unknown key of the header and of the lines read, sorted by line. A key that occurs on
    /// several lines is reported once, with their number. Files without a version yield none.
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
