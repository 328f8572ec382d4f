//! Benchmarks drawing of states.
//!
//! - `pixels`: 64 × 64 pixels per state of a random sokoban walk, one frame per step. `observe` updates a buffer with the
//!   last frame, `scratch` fills an empty buffer, `step and observe` includes the step, and `plainly` draws every cell.
//! - `svg`: the largest problem of some bundled domains, including the one whose picture has the most elements.
//!
//! `cargo bench -p herbrand --features png --bench pictures`
#![allow(missing_docs, reason = "criterion's macro makes a public function")]

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group};
use herbrand::core::{Memory, Observer, System, Written};
use herbrand::env::{Grounded, Planning, Registry, StatePicture, Suite};
use herbrand::render::{PixelSize, Pixels, Theme};
use herbrand::step::{Random, State};

/// The number of steps of a walk, each with a frame.
const STEPS: usize = 1000;

/// Returns the states of a random walk, which restarts at a goal or a dead end.
fn states(planning: &mut Planning<Grounded>) -> Vec<State> {
    let (mut actions, mut chance) = (Random::new(1), Random::new(2));
    let mut states = Vec::with_capacity(STEPS);
    let mut joint = Vec::new();
    for _ in 0..STEPS {
        if planning.sample(&mut actions, &mut joint) && !planning.status().goal {
            planning.step(&joint, &mut chance).expect("a valid action");
        } else {
            planning.reset(&mut chance).expect("an initial state");
        }
        states.push(planning.state().clone());
    }
    states
}

fn suite(name: &str) -> Suite {
    Registry::get(name).expect("a bundled domain")
}

fn pixels(criterion: &mut Criterion) {
    let suite = suite("sokoban");
    let suite = suite.only(suite.len() - 1).expect("a problem");
    let size = PixelSize::default();
    let pixels = Pixels::of(&suite, size).expect("a sound problem");
    let mut planning = suite.instance(0).expect("a problem").observed_engine();
    let states = states(&mut planning);
    let mut frame = vec![0; size.bytes()];
    let memory = Memory::default();
    let mut group = criterion.benchmark_group("pixels");
    group.throughput(Throughput::Elements(STEPS as u64));
    let walk = |planning: &mut Planning<Grounded>, draw: &mut dyn FnMut(&Planning<Grounded>)| {
        for state in &states {
            planning.set_state(state).expect("a state of the problem");
            draw(planning);
        }
    };
    group.bench_function("nothing, as the cost of coming to the states", |bencher| {
        bencher.iter(|| walk(&mut planning, &mut |_| ()));
    });
    group.bench_function("observe", |bencher| {
        let mut note = Written::default();
        bencher.iter(|| {
            walk(&mut planning, &mut |planning| {
                black_box(pixels.rewrite(planning, &memory, &mut note, &mut frame));
            });
        });
    });
    group.bench_function("scratch", |bencher| {
        bencher.iter(|| {
            walk(&mut planning, &mut |planning| {
                black_box(pixels.write(planning, &memory, &mut frame));
            });
        });
    });
    group.bench_function("step and observe", |bencher| {
        let (mut actions, mut chance) = (Random::new(1), Random::new(2));
        let (mut joint, mut note) = (Vec::new(), Written::default());
        bencher.iter(|| {
            planning.reset(&mut chance).expect("an initial state");
            for _ in 0..STEPS {
                if planning.sample(&mut actions, &mut joint) && !planning.status().goal {
                    planning.step(&joint, &mut chance).expect("a valid action");
                } else {
                    planning.reset(&mut chance).expect("an initial state");
                }
                black_box(pixels.rewrite(&planning, &memory, &mut note, &mut frame));
            }
        });
    });
    group.sample_size(10);
    group.bench_function("plainly", |bencher| {
        bencher.iter(|| {
            walk(&mut planning, &mut |planning| {
                black_box(pixels.draw(planning, &memory)).expect("a state of the problem");
            });
        });
    });
    group.finish();
}

/// Returns the last problem of a domain with its picture and the number of elements.
fn last(name: &str) -> (Planning<Grounded>, StatePicture, usize) {
    let suite = suite(name);
    let index = suite.len() - 1;
    let planning = suite.engine(index).expect("a problem");
    let picture = StatePicture::of(&suite, index, &planning).expect("a picture");
    let parts = picture.scene(&planning).elements.len();
    (planning, picture, parts)
}

fn svg(criterion: &mut Criterion) {
    let names = Registry::names().expect("bundled domains");
    let all = names.into_iter().map(|name| (last(&name).2, name));
    let largest = all.max().expect("a domain").1;
    let mut group = criterion.benchmark_group("svg");
    for name in ["sokoban", "blocks", "logistics", largest.as_str()] {
        let (planning, picture, parts) = last(name);
        group.bench_function(format!("{name}, {parts} parts"), |bencher| {
            bencher.iter_batched(
                || (),
                |()| black_box(picture.scene(&planning).to_svg(Theme::Auto)),
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

criterion_group!(all, pixels, svg);

fn main() {
    all();
    Criterion::default().configure_from_args().final_summary();
}
