//! Reads random texts for a while: `cargo run --release -p herbrand-pddl --example fuzz -- --seconds 60 [--seed N]
//! [FOLDER…]`. The files under the folders, by default the bundled domains, are what is mutated.
//!
//! Prints a text that breaks something, with its seed, and ends with status 1.

mod mutate;
mod read;

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mutate::Random;

struct Options {
    seconds: u64,
    seed: u64,
    folders: Vec<PathBuf>,
}

fn options() -> Option<Options> {
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
        options
            .folders
            .push(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../domains"));
    }
    Some(options)
}

/// The texts of the PDDL files under some folders, in order.
fn texts(folders: &[PathBuf]) -> Vec<String> {
    let mut paths = Vec::new();
    let mut open = folders.to_vec();
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "pddl") {
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

fn main() -> ExitCode {
    let Some(options) = options() else {
        eprintln!("usage: fuzz [--seconds N] [--seed N] [FOLDER…]");
        return ExitCode::from(2);
    };
    let texts = texts(&options.folders);
    let start = Instant::now();
    let (mut count, mut bytes) = (0u64, 0usize);
    while start.elapsed() < Duration::from_secs(options.seconds) {
        let seed = options.seed.wrapping_add(count);
        let mut random = Random::new(seed);
        let text = match texts.len() {
            0 => mutate::tokens(&mut random),
            _ if random.below(3) == 0 => mutate::tokens(&mut random),
            n => {
                let (text, other) = (&texts[random.below(n)], &texts[random.below(n)]);
                mutate::mutate(text, other, &mut random)
            }
        };
        let begin = Instant::now();
        if catch_unwind(|| read::exercise(&text)).is_err() {
            eprintln!("seed {seed} breaks it:\n{text}");
            return ExitCode::FAILURE;
        }
        // A hundred microseconds a byte is a thousand times what reading takes.
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
