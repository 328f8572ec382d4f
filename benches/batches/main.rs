//! Benchmarks batches of environments: one batch on two threads against two processes of one thread each.
//!
//! `cargo bench -p herbrand --bench batches`. A run steps 1,024 sokoban environments by sampled actions, either in one batch on two
//! threads or in two simultaneous processes with half of the environments each. Both variants use the same calls and
//! alternate; the fastest round of each counts. Both must produce the same observations, masks, rewards and flags.
//!
//! Also measures, for some bundled domains, a batch over a whole suite against batches over its individual problems, and a
//! reset to a compiled problem. `cargo bench -p herbrand --bench batches -- --suites` measures whole suites only, and `-- --suites
//! sokoban bits` one suite with one observation.

mod run;
mod suites;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::time::Instant;
use std::{env, io};

use herbrand::env::{Env, EnvOptions, ProblemChoice, Registry, Suite};

use run::{Calls, Measured, Run};

const ENVIRONMENTS: usize = 1024;
const STEPS: usize = 100;
const ROUNDS: usize = 60;

/// The argument with which the program runs itself as a measured process.
const PROCESS: &str = "--process";

/// The argument for measuring whole suites only: the named ones, or all.
const SUITES: &str = "--suites";

fn main() {
    let arguments = env::args().collect::<Vec<_>>();
    if let Some(place) = arguments.iter().position(|argument| argument == PROCESS) {
        let numbers = arguments[place + 1..]
            .iter()
            .map(|text| text.parse().expect("a number"));
        let [first, count, threads] = numbers.collect::<Vec<_>>()[..] else {
            panic!("{PROCESS} takes three numbers");
        };
        return process(first, count, threads);
    }
    // `cargo test --benches` only checks that the program runs.
    let measured = arguments.iter().any(|argument| argument == "--bench");
    let suites_alone = arguments.iter().any(|argument| argument == SUITES);
    let only = if suites_alone { &arguments[..] } else { &[] };
    suites::compare(if measured { 7 } else { 1 }, only);
    if suites_alone {
        return;
    }
    batches(if measured { ROUNDS } else { 1 });
    resets(if measured { 200_000 } else { 100 });
}

/// Runs once per line on standard input, with the calls that the line names, and prints the result.
fn process(first: usize, count: usize, threads: usize) {
    let mut run = Run::new(first, count, threads);
    run.round(Calls::StepSampled, STEPS);
    println!("ready");
    for line in io::stdin().lock().lines() {
        let Ok(Ok(calls)) = line.map(|line| line.parse()) else {
            return;
        };
        println!("{}", run.round(calls, STEPS));
    }
}

/// A process that runs on command.
struct Process {
    child: Child,
    word: ChildStdin,
    lines: io::Lines<BufReader<std::process::ChildStdout>>,
}

impl Process {
    fn start(first: usize, count: usize, threads: usize) -> Self {
        let mut child = Command::new(env::current_exe().expect("the path of this program"))
            .args([
                PROCESS,
                &first.to_string(),
                &count.to_string(),
                &threads.to_string(),
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts again");
        let word = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        let mut process = Self {
            child,
            word,
            lines: BufReader::new(output).lines(),
        };
        assert_eq!(process.line(), "ready");
        process
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("a line").expect("text")
    }

    fn go(&mut self, calls: Calls) {
        writeln!(self.word, "{calls}").expect("the process listens");
    }

    fn measured(&mut self) -> Measured {
        self.line().parse().expect("a measurement")
    }

    fn end(mut self) {
        drop(self.word);
        self.child.wait().expect("the process ends");
    }
}

fn batches(rounds: usize) {
    let half = ENVIRONMENTS / 2;
    let mut together = Process::start(0, ENVIRONMENTS, 2);
    let mut apart = [Process::start(0, half, 1), Process::start(half, half, 1)];
    println!("{ENVIRONMENTS} environments of sokoban, million steps a second, fastest of {rounds} rounds");
    for calls in [Calls::SampleAndStep, Calls::StepSampled, Calls::Collect] {
        println!("  {calls}");
        compare(&mut together, &mut apart, calls, rounds);
    }
    together.end();
    apart.into_iter().for_each(Process::end);
}

fn compare(together: &mut Process, apart: &mut [Process; 2], calls: Calls, rounds: usize) {
    let mut fastest = [0.0_f64; 2];
    let mut ratios = Vec::new();
    for _ in 0..rounds {
        together.go(calls);
        let one = together.measured();
        apart.iter_mut().for_each(|process| process.go(calls));
        let [left, right] = apart.each_mut().map(Process::measured);
        assert_eq!(
            one.digest,
            left.digest.wrapping_add(right.digest),
            "the same results"
        );
        let rate = |measured: &Measured| measured.steps as f64 / measured.seconds;
        let rates = [rate(&one), rate(&left) + rate(&right)];
        ratios.push(rates[0] / rates[1]);
        for (fastest, rate) in fastest.iter_mut().zip(rates) {
            *fastest = fastest.max(rate);
        }
    }
    ratios.sort_by(f64::total_cmp);
    println!("    one batch on two threads     {:.2}", fastest[0] / 1e6);
    println!("    two processes of one thread  {:.2}", fastest[1] / 1e6);
    println!(
        "    ratio {:.3} (median of the rounds {:.3}), same results",
        fastest[0] / fastest[1],
        ratios[rounds / 2]
    );
}

fn resets(times: u32) {
    println!("\na reset of a compiled problem, microseconds");
    for name in [
        "sokoban",
        "blocks",
        "tireworld",
        "blocks-derived",
        "logistics",
        "supply",
    ] {
        let suite = Registry::get(name).expect("a bundled domain");
        let same = reset(&suite, times, |_| ProblemChoice::Index(0));
        let turns = reset(&suite, times, |turn| {
            ProblemChoice::Index(turn as usize % suite.len())
        });
        println!("  {name:<16} the same problem {same:>6.2}   all problems in turn {turns:>6.2}");
    }
}

fn reset(suite: &Suite, times: u32, choice: impl Fn(u32) -> ProblemChoice) -> f64 {
    let mut env = Env::new(suite.clone(), EnvOptions::default()).expect("problems");
    for turn in 0..suite.len() as u32 {
        env.reset_to(Some(0), choice(turn)).expect("a sound problem");
    }
    let start = Instant::now();
    for turn in 0..times {
        env.reset_to(None, choice(turn)).expect("a sound problem");
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(times)
}
