//! The time per step as a function of problem size.

use std::error::Error;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand::step::Random;
use herbrand::{Simulator, Walker};

use crate::common::{Axis, Drawn, draw};

/// A domain with problems of any number of objects.
struct Family {
    name: &'static str,
    domain: &'static str,
    problem: fn(usize) -> String,
}

/// One player in a wide hall, with at most four moves at any size.
const HALL: Family = Family {
    name: "hall, one player",
    domain: "(define (domain hall) (:predicates (next ?a ?b) (at ?a) (seen ?a))
        (:action go :parameters (?a ?b) :precondition (and (at ?a) (next ?a ?b))
            :effect (and (not (at ?a)) (at ?b) (seen ?b))))",
    problem: hall,
};

/// Tokens on a ring of cells. Half of all tokens can move, and a move affects three cells.
const RING: Family = Family {
    name: "ring of tokens",
    domain: "(define (domain ring) (:predicates (next ?a ?b) (full ?a) (free ?a))
        (:action move :parameters (?a ?b) :precondition (and (next ?a ?b) (full ?a) (free ?b))
            :effect (and (not (full ?a)) (free ?a) (full ?b) (not (free ?b)))))",
    problem: ring,
};

/// One van that serves eight places. Each drive makes the parcels of one place unreachable and those of another reachable.
const PARCELS: Family = Family {
    name: "parcels, one van",
    domain: "(define (domain parcels) (:types parcel place)
        (:predicates (van ?p - place) (lies ?x - parcel ?p - place) (loaded ?x - parcel))
        (:action drive :parameters (?p ?q - place) :precondition (van ?p) :effect (and (not (van ?p)) (van ?q)))
        (:action load :parameters (?x - parcel ?p - place) :precondition (and (van ?p) (lies ?x ?p))
            :effect (and (not (lies ?x ?p)) (loaded ?x)))
        (:action unload :parameters (?x - parcel ?p - place) :precondition (and (van ?p) (loaded ?x))
            :effect (and (not (loaded ?x)) (lies ?x ?p))))",
    problem: parcels,
};

const FAMILIES: [Family; 3] = [HALL, RING, PARCELS];
/// The sizes, two per decade.
const SIZES: [usize; 7] = [10, 32, 100, 316, 1_000, 3_162, 10_000];
/// The number of steps between checks of the clock.
const STEPS: usize = 20_000;
/// The minimum measuring time per size and the minimum number of runs; the fastest run counts.
const PATIENCE: Duration = Duration::from_millis(600);
const LEAST_RUNS: usize = 5;

fn problem(domain: &str, objects: &str, facts: &str) -> String {
    format!("(define (problem made) (:domain {domain}) (:objects {objects}) (:init {facts}))")
}

fn numbered(name: &str, count: usize) -> String {
    (0..count).map(|number| format!(" {name}{number}")).collect()
}

fn hall(cells: usize) -> String {
    let width = (cells as f64).sqrt().ceil() as usize;
    let mut facts = "(at c0)".to_owned();
    for cell in 0..cells {
        let below = Some(cell + width).filter(|&below| below < cells);
        let right = Some(cell + 1).filter(|right| right % width != 0 && *right < cells);
        for other in below.into_iter().chain(right) {
            _ = write!(facts, " (next c{cell} c{other}) (next c{other} c{cell})");
        }
    }
    problem("hall", &numbered("c", cells), &facts)
}

fn ring(cells: usize) -> String {
    let mut facts = String::new();
    for cell in 0..cells {
        let (next, kind) = ((cell + 1) % cells, if cell % 2 == 0 { "full" } else { "free" });
        _ = write!(
            facts,
            " (next c{cell} c{next}) (next c{next} c{cell}) ({kind} c{cell})"
        );
    }
    problem("ring", &numbered("c", cells), &facts)
}

fn parcels(objects: usize) -> String {
    let count = objects - 8;
    let lies = (0..count).map(|parcel| format!(" (lies x{parcel} p{})", parcel % 8));
    let facts = format!("(van p0){}", lies.collect::<String>());
    let objects = format!("{} - parcel {} - place", numbered("x", count), numbered("p", 8));
    problem("parcels", &objects, &facts)
}

/// The measurements of a problem of one size.
struct Point {
    objects: usize,
    actions: usize,
    valid: f64,
    nanoseconds: f64,
}

fn measure(family: &Family, objects: usize) -> Point {
    let simulator: Simulator = crate::simulator(&(family.domain.to_owned(), (family.problem)(objects)));
    let mut walker = simulator.walker();
    let mut random = Random::new(0);
    let mut valid = walk(&mut walker, &mut random);
    let (mut best, mut exhausted, mut runs) = (Duration::MAX, Duration::ZERO, 0);
    while runs < LEAST_RUNS || exhausted < PATIENCE {
        let start = ProcessTime::now();
        valid += walk(&mut walker, &mut random);
        let time = start.elapsed();
        best = best.min(time);
        exhausted += time;
        runs += 1;
    }
    Point {
        objects,
        actions: simulator.task().actions.len(),
        valid: valid as f64 / ((runs + 1) * STEPS) as f64,
        nanoseconds: best.as_secs_f64() * 1e9 / STEPS as f64,
    }
}

/// Takes random steps; returns the sum of the numbers of valid actions.
fn walk(walker: &mut Walker, random: &mut Random) -> usize {
    let mut valid = 0;
    for _ in 0..STEPS {
        let action = walker.sample(random).expect("none of the families has dead ends");
        valid += walker.valid().len();
        walker.apply(action, random).expect("a sampled action is valid");
    }
    valid
}

/// Measures all families at all sizes, prints a table and draws a picture.
pub fn curves(file: &Path) -> Result<(), Box<dyn Error>> {
    let mut drawn = Vec::new();
    for family in &FAMILIES {
        println!(
            "{}\n   objects    actions  valid a state    ns a step",
            family.name
        );
        let points: Vec<_> = SIZES.iter().map(|&size| measure(family, size)).collect();
        for point in &points {
            let Point {
                objects,
                actions,
                valid,
                nanoseconds,
            } = point;
            println!("{objects:>10} {actions:>10} {valid:>14.1} {nanoseconds:>12.1}");
        }
        let points: Vec<_> = points
            .iter()
            .map(|point| (point.objects as f64, point.nanoseconds))
            .collect();
        drawn.push(Drawn {
            legend: family.name.to_owned(),
            line: points.clone(),
            points,
        });
    }
    let x = Axis {
        label: "objects",
        range: 8.0..13_000.0,
    };
    let y = Axis {
        label: "CPU nanoseconds a step",
        range: 10.0..10_000.0,
    };
    draw(file, x, y, drawn)
}
