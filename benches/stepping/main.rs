//! Benchmarks random walks of 100 steps in which all valid actions of every state are known.
//!
//! Walks run through the last training problem of some bundled domains. For sokoban and blocks, a hand-written simulator of
//! the puzzle takes the same walk, as a practical limit. Both draw the same random numbers; a check before the measurements
//! ensures that they have the same numbers of valid actions.
//!
//! `cargo bench -p herbrand --bench stepping -- …`
//!
//! - with the options of criterion: measures walks, searches, and random commands in the text worlds;
//! - `--curve FILE`: measures the time per step in problems of 10 to 10,000 objects, prints a table, and draws an SVG.
#![allow(missing_docs, reason = "criterion's macro makes a public function")]

mod blocks;
#[path = "../common/picture.rs"]
mod common;
mod scaling;
mod sokoban;

use std::path::Path;
use std::process::ExitCode;

use criterion::{Criterion, Throughput, criterion_group};
use herbrand::explore::{NativeWorld, Setting, TextWorld};
use herbrand::limits::Budget;
use herbrand::step::{Random, SpaceOptions, StateSpace, uniform_below};
use herbrand::{Domain, Problem, Simulator, compile};

/// The number of steps between restarts.
const STEPS: u32 = 100;

const DOMAINS: [&str; 12] = [
    "blocks",
    "blocks-derived",
    "doors",
    "elevator-adl",
    "gripper",
    "hanoi",
    "logistics",
    "philosophers",
    "schedule",
    "slide-tile",
    "sokoban",
    "tireworld",
];

/// A puzzle for random walks, on any simulator.
trait Walk {
    /// Returns to the initial state.
    fn restart(&mut self);

    /// Takes a random valid action and returns the number of valid actions; `None` in a dead end.
    fn step(&mut self, rng: &mut Random) -> Option<u32>;
}

/// The engine's walker with its initial state.
struct Engine(herbrand::Walker, herbrand::State);

impl Engine {
    fn new(simulator: &Simulator) -> Self {
        Self(simulator.walker(), simulator.initial_state())
    }
}

impl Walk for Engine {
    fn restart(&mut self) {
        self.0.set_state(&self.1).expect("a state of the same task");
    }

    #[inline]
    fn step(&mut self, rng: &mut Random) -> Option<u32> {
        let action = self.0.sample(rng)?;
        let choices = self.0.valid().len();
        self.0.apply(action, rng).expect("a sampled action is valid");
        Some(choices as u32)
    }
}

/// Returns the texts of a bundled domain and of its largest training problem.
fn texts(name: &str) -> (String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("domains").join(name);
    let read = |path: &Path| std::fs::read_to_string(path).expect("bundled files are there");
    let problems = std::fs::read_dir(folder.join("train")).expect("bundled domains have training problems");
    let largest = problems
        .flatten()
        .map(|entry| entry.path())
        .max()
        .expect("at least one");
    (read(&folder.join("domain.pddl")), read(&largest))
}

fn simulator((domain, problem): &(String, String)) -> Simulator {
    let domain = Domain::from_text(domain).expect("bundled domains are right");
    let problem = Problem::from_text(problem, &domain).expect("bundled problems are right");
    compile(&domain, &problem).expect("bundled problems are small")
}

/// Takes one walk from the start; returns the sum of the numbers of valid actions.
fn walk(walker: &mut impl Walk, rng: &mut Random) -> u32 {
    walker.restart();
    (0..STEPS).map_while(|_| walker.step(rng)).sum()
}

fn assert_same_walks(left: &mut impl Walk, right: &mut impl Walk) {
    let (mut left_rng, mut right_rng) = (Random::new(1), Random::new(1));
    for _ in 0..200 {
        assert_eq!(walk(left, &mut left_rng), walk(right, &mut right_rng));
    }
}

fn stepping(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("walk");
    group.throughput(Throughput::Elements(STEPS.into()));
    for name in DOMAINS {
        let mut engine = Engine::new(&simulator(&texts(name)));
        let mut rng = Random::new(0);
        group.bench_function(name, |bencher| bencher.iter(|| walk(&mut engine, &mut rng)));
    }
    let mut sokoban = sokoban::Sokoban::new(&texts("sokoban").1);
    assert_same_walks(&mut sokoban, &mut Engine::new(&simulator(&texts("sokoban"))));
    let mut blocks = blocks::Blocks::new(&texts("blocks").1);
    assert_same_walks(&mut blocks, &mut Engine::new(&simulator(&texts("blocks"))));
    let mut rng = Random::new(0);
    group.bench_function("sokoban by hand", |bencher| {
        bencher.iter(|| walk(&mut sokoban, &mut rng))
    });
    group.bench_function("blocks by hand", |bencher| {
        bencher.iter(|| walk(&mut blocks, &mut rng))
    });
    group.finish();
}

fn searching(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("search");
    group.sample_size(10);
    for name in ["blocks", "gripper", "philosophers", "schedule", "sokoban"] {
        let simulator = simulator(&texts(name));
        let options = SpaceOptions {
            states: 300_000,
            transitions: false,
            ..SpaceOptions::default()
        };
        let search = || {
            StateSpace::explore(&simulator, &options, &Budget::unlimited())
                .expect("bundled domains have few outcomes")
        };
        group.throughput(Throughput::Elements(search().generated));
        group.bench_function(name, |bencher| bencher.iter(search));
    }
    group.finish();
}

/// Random commands in the text worlds: lists all commands that have an effect, takes one of them, and observes the result.
fn exploring(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("text");
    group.throughput(Throughput::Elements(STEPS.into()));
    for setting in Setting::ALL {
        let mut world = NativeWorld::new(setting).expect("a bundled world");
        world.begin(3).expect("a bundled game");
        let mut rng = Random::new(0);
        let mut walk = || -> usize {
            let house = world.house_mut().expect("a game has begun");
            (0..STEPS)
                .map(|_| {
                    let commands: Vec<&str> = house.commands().collect();
                    let drawn = uniform_below(&mut rng, commands.len() as u32);
                    let command = commands[drawn as usize].to_owned();
                    house
                        .step(&command)
                        .expect("a command that does something")
                        .text
                        .len()
                })
                .sum()
        };
        group.bench_function(setting.name(), |bencher| bencher.iter(&mut walk));
    }
    group.finish();
}

criterion_group!(benches, stepping, searching, exploring);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [option, file, ..] = arguments.as_slice()
        && option == "--curve"
    {
        return match scaling::curves(Path::new(file)) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::FAILURE
            }
        };
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    ExitCode::SUCCESS
}
