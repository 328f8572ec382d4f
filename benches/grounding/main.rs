//! Benchmarks grounding of generated problems of all sizes, from text to ground task.
//!
//! `cargo bench -p herbrand --bench grounding -- …`
//!
//! - with the options of criterion: measures each family at 10,000 atoms and actions, up to the ground task and up to the
//!   first step. Also measures the training problems of some bundled domains with the domain's normal form computed per
//!   problem or shared.
//! - `--curve FILE`: measures times for sizes from a thousand to a million, prints a table, and draws an SVG with the fitted
//!   exponents.
//! - `--write FOLDER [SIZE …]`: writes the problems for other programs to `FOLDER/<family>/domain.pddl` and
//!   `FOLDER/<family>/<size>.pddl`.
#![allow(missing_docs, reason = "criterion's macro makes a public function")]

#[path = "../common/picture.rs"]
mod common;
mod curve;
mod family;
mod logistics;
mod network;
mod picture;
mod rovers;
mod satellite;
mod text;
mod tiles;
mod visitall;

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;
use std::{fs, io};

use criterion::{Criterion, Throughput, criterion_group};
use herbrand::env::{Registry, Split};
use herbrand::ground::{GroundOptions, NormalDomain, ground_normal};
use herbrand::pddl::Problem;
use herbrand::step::Random;
use herbrand::{Domain, compile};

use family::{FAMILIES, ground_text, size};

/// The size that criterion measures.
const USUAL: usize = 10_000;
/// The sizes that are written by default.
const WRITTEN: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

fn grounding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("grounding");
    for family in &FAMILIES {
        let problem = family.problem(USUAL);
        group.throughput(Throughput::Elements(
            size(&ground_text(family.domain, &problem)) as u64
        ));
        group.bench_function(family.name, |bencher| {
            bencher.iter(|| ground_text(family.domain, &problem));
        });
    }
    group.finish();
}

/// From text to the first step: parsing, grounding, creating a walker, taking a random action.
fn first_step(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("first step");
    for family in &FAMILIES {
        let text = family.problem(USUAL);
        group.bench_function(family.name, |bencher| {
            bencher.iter(|| {
                let domain = Domain::from_text(family.domain).expect("a family's domain");
                let problem = Problem::from_text(&text, &domain).expect("a family's problem");
                let mut walker = compile(&domain, &problem).expect("a task").walker();
                let mut random = Random::new(0);
                let action = walker.sample(&mut random).expect("an action is valid at first");
                walker
                    .apply(action, &mut random)
                    .expect("a sampled action is valid");
                walker
            });
        });
    }
    group.finish();
}

/// Compares problems that share their domain's normal form with problems that recompute it.
fn sharing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("normal form");
    for name in ["blocks", "elevator-adl", "supply"] {
        let suite = Registry::get(name).expect("a bundled domain").split(Split::Train);
        let domain = suite.domain();
        let problems: Vec<Problem> = (0..suite.len())
            .map(|index| suite.parse_problem(index).expect("a bundled problem"))
            .collect();
        let ground = |normal: &NormalDomain, problem: &Problem| {
            let task = ground_normal(domain, normal, problem, &GroundOptions::unlimited());
            black_box(task.expect("a task"));
        };
        group.bench_function(format!("{name}, once a problem"), |bencher| {
            bencher.iter(|| {
                problems
                    .iter()
                    .for_each(|problem| ground(&NormalDomain::of(domain), problem));
            });
        });
        group.bench_function(format!("{name}, once a suite"), |bencher| {
            bencher.iter(|| {
                let normal = NormalDomain::of(domain);
                problems.iter().for_each(|problem| ground(&normal, problem));
            });
        });
    }
    group.finish();
}

/// Writes every family at these sizes.
fn write(folder: &Path, sizes: &[usize]) -> io::Result<()> {
    for family in &FAMILIES {
        let folder = folder.join(family.name);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("domain.pddl"), family.domain)?;
        for &size in sizes {
            fs::write(folder.join(format!("{size}.pddl")), family.problem(size))?;
        }
    }
    Ok(())
}

/// Executes the arguments; returns `false` if they are for criterion.
fn run(arguments: &[String]) -> Result<bool, Box<dyn std::error::Error>> {
    match arguments {
        [option, folder, sizes @ ..] if option == "--write" => {
            let sizes: Vec<usize> = sizes.iter().map(|size| size.parse()).collect::<Result<_, _>>()?;
            write(
                Path::new(folder),
                if sizes.is_empty() { &WRITTEN } else { &sizes },
            )?;
        }
        [option, file] if option == "--curve" => {
            let curves = curve::measure();
            curve::print(&curves);
            picture::draw(Path::new(file), &curves)?;
        }
        _ => return Ok(false),
    }
    Ok(true)
}

criterion_group!(benches, grounding, first_step, sharing);

fn main() -> ExitCode {
    // Cargo adds `--bench` to the arguments of every bench.
    let arguments: Vec<_> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    match run(&arguments) {
        Ok(true) => {}
        Ok(false) => {
            benches();
            Criterion::default().configure_from_args().final_summary();
        }
        Err(error) => {
            eprintln!("grounding: {error}");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
