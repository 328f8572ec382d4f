//! A driver for fuzzers of the front ends (feature `fuzz`): it feeds random texts to a parser until the time is up. Also
//! random layouts, for tests of formatters.

mod layout;
mod mutate;

use std::panic::{RefUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub use layout::{assert_lossless, assert_same_but_layout, scatter};
pub use mutate::{Xorshift, mutate, rearrange, rearrange_either, tokens};

/// The description of a language for the fuzzer: its sample files, and its vocabulary. [`run`] takes one. The
/// vocabulary must not be empty.
#[derive(Clone, Copy, Debug)]
pub struct FuzzLanguage<'l> {
    /// The folder of sample files, used unless the command line names folders.
    pub folder: &'l Path,
    /// The extension of sample files, without the dot.
    pub extension: &'l str,
    /// The text with which sequences of random words begin.
    pub start: &'l str,
    /// The vocabulary for random texts: words of the language, and some invalid ones.
    pub words: &'l [&'l str],
}

impl FuzzLanguage<'_> {
    /// Returns a random sequence of up to 199 of the [`words`](Self::words), after the text [`start`](Self::start). It
    /// panics if there are no words but one is drawn.
    #[must_use]
    pub fn tokens(&self, random: &mut Xorshift) -> String {
        tokens(self.start, self.words, random)
    }

    /// Returns `text` with a few random changes, such as insertions of words and of parts of `other`. Most results are
    /// faulty texts near valid ones. It panics if there are no words but one is drawn.
    #[must_use]
    pub fn mutate(&self, text: &str, other: &str, random: &mut Xorshift) -> String {
        mutate(text, other, self.words, random)
    }
}

struct Options {
    seconds: u64,
    seed: u64,
    folders: Vec<PathBuf>,
}

fn options(folder: &Path) -> Option<Options> {
    let mut options = Options {
        seconds: 10,
        seed: 0,
        folders: Vec::new(),
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--seconds" => options.seconds = arguments.next()?.parse().ok()?,
            "--seed" => options.seed = arguments.next()?.parse().ok()?,
            _ => options.folders.push(argument.into()),
        }
    }
    if options.folders.is_empty() {
        options.folders.push(folder.to_owned());
    }
    Some(options)
}

/// Returns the texts of the files with the extension `wanted` under `folders`, sorted by path. Skips files that are not
/// UTF-8 and those of 40,000 bytes or more.
fn texts(folders: &[PathBuf], wanted: &str) -> Vec<String> {
    let mut paths = Vec::new();
    let mut open = folders.to_vec();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == wanted) {
                paths.push(path);
            }
        }
    }
    paths.sort();
    let bytes = paths.iter().filter_map(|path| std::fs::read(path).ok());
    bytes
        .filter_map(|bytes| String::from_utf8(bytes).ok())
        .filter(|text| text.len() < 40_000)
        .collect()
}

/// Runs `exercise` on random texts for the time given on the command line of the program: `--seconds 60 [--seed N]
/// [FOLDER…]`. The texts are random words and mutations of the files under the folders that are UTF-8 and shorter than
/// 40,000 bytes; only random words if there are none. Call it from the `main` function of a fuzzer. Without
/// `--seconds` it runs for 10 seconds, and without folders on the sample files of the language.
///
/// Arguments that are not numbers where they should be give exit status 2.
///
/// If `exercise` panics, or takes longer than 200 milliseconds plus 100 microseconds per byte, prints the text and its
/// seed to standard error and returns a failure with exit status 1. Otherwise it prints the number of texts and
/// returns success when the time is up. Text number `i`, from 0, has the seed plus `i`; the default seed is 0.
pub fn run(language: &FuzzLanguage<'_>, exercise: impl Fn(&str) + RefUnwindSafe) -> ExitCode {
    let Some(options) = options(language.folder) else {
        eprintln!("usage: fuzz [--seconds N] [--seed N] [FOLDER…]");
        return ExitCode::from(2);
    };
    let texts = texts(&options.folders, language.extension);
    let start = Instant::now();
    let (mut count, mut bytes) = (0u64, 0usize);
    while start.elapsed() < Duration::from_secs(options.seconds) {
        let seed = options.seed.wrapping_add(count);
        let mut random = Xorshift::new(seed);
        let text = match texts.len() {
            0 => language.tokens(&mut random),
            _ if random.below(3) == 0 => language.tokens(&mut random),
            n => {
                let (text, other) = (&texts[random.below(n)], &texts[random.below(n)]);
                language.mutate(text, other, &mut random)
            }
        };
        let begin = Instant::now();
        if catch_unwind(|| exercise(&text)).is_err() {
            eprintln!("seed {seed} breaks it:\n{text}");
            return ExitCode::FAILURE;
        }
        // The limit is generous: a hundred microseconds per byte is a thousand times the usual speed of parsing.
        let allowed = Duration::from_millis(200) + Duration::from_micros(100) * text.len() as u32;
        if begin.elapsed() > allowed {
            eprintln!("seed {seed} takes {:?}:\n{text}", begin.elapsed());
            return ExitCode::FAILURE;
        }
        count += 1;
        bytes += text.len();
    }
    println!("{count} texts, {:.1} MB, no fault", bytes as f64 / 1e6);
    ExitCode::SUCCESS
}
