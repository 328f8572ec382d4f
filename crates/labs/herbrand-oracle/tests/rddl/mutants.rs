//! Bundled RDDL problems with random changes. If a changed text is a valid problem, the engine must agree with the
//! brute-force interpreter, and stepping several environments together must agree with stepping them separately.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use herbrand_core::{BatchSystem, Fingerprinted, Job, Random, System};
use herbrand_limits::{Budget, Limits};
use herbrand_rddl::{Instance, PvariableId, Source};
use herbrand_rddl_sim::ground::{Templates, compile_within};
use herbrand_rddl_sim::simulate::{Preconditions, RddlSimulator};
use herbrand_text::fuzz;

use crate::engine::walk;

/// Numbers that take the place of others.
const NUMBERS: &[&str] = &[
    "0", "1", "-1", "2", "0.5", "0.25", "3.75", "1e9", "1e308", "1e-308",
];

/// The most mutants that a seed draws until one is a problem.
const TRIES: usize = 20;

/// The limits for reading and compiling. Mutants that exceed them are skipped.
const LIMITS: Limits = Limits {
    bytes: Some(64 << 20),
    time: Some(Duration::from_secs(5)),
};

/// The most ground fluents of a mutant that the interpreter, which looks at every tuple of objects, is asked for.
const MOST_GROUND: u64 = 60;

/// The number of environments that are stepped together.
const TOGETHER: usize = 9;

/// The texts of the first instance of each bundled environment.
fn bundled() -> Vec<(String, [String; 2])> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../domains/rddl");
    let mut texts = Vec::new();
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let instance = fs::read_to_string(folder.join("1.rddl"));
        if let (Ok(domain), Ok(instance)) = (fs::read_to_string(folder.join("domain.rddl")), instance) {
            texts.push((
                folder.file_name().unwrap().to_string_lossy().into_owned(),
                [domain, instance],
            ));
        }
    }
    texts.sort();
    texts
}

/// Steps environments together, and copies of them separately; fails at the first difference.
fn together(fresh: &RddlSimulator, seed: u64, steps: u32) -> Result<(), String> {
    let (mut group, mut alone) = (vec![fresh.clone(); TOGETHER], vec![fresh.clone(); TOGETHER]);
    let names = fresh.names();
    let root = Random::new(seed);
    let mut random = root.stream(0);
    let mut chances: Vec<Random> = (1..).map(|stream| root.stream(stream)).take(TOGETHER).collect();
    let mut their_chances = chances.clone();
    for step in 0..steps {
        let joints: Vec<_> = (0..TOGETHER)
            .map(|_| {
                let mut joint = Vec::new();
                fresh.sample(&mut random, &mut joint);
                joint
            })
            .collect();
        let jobs = group.iter_mut().zip(&joints).zip(&mut chances);
        let mut jobs: Vec<_> = jobs
            .map(|((system, joint), chance)| Job::new(system, joint, chance))
            .collect();
        BatchSystem::step_batch(&mut jobs);
        let results: Vec<_> = jobs.into_iter().map(|job| job.result).collect();
        for (number, result) in results.into_iter().enumerate() {
            let expected = Some(alone[number].step(&joints[number], &mut their_chances[number]));
            // As text, for a value may be NaN.
            let (found, expected) = (format!("{result:?}"), format!("{expected:?}"));
            let digests = [&group[number], &alone[number]].map(|system| system.state_hash(&names));
            if found != expected || digests[0] != digests[1] {
                return Err(format!(
                    "environment {number}, step {step}: {found}, not {expected}; {digests:?}"
                ));
            }
        }
    }
    Ok(())
}

/// The outcome of a mutant.
#[derive(PartialEq, Eq)]
enum Fate {
    /// The mutant is not a valid problem, or exceeds the limits.
    Refused,
    /// Stepping together and separately agree.
    Walked,
    /// The interpreter agrees too.
    Interpreted,
}

fn check(name: &str, texts: &[String; 2], seed: u64) -> Fate {
    let budget = Budget::new(LIMITS);
    let sources = [
        Source::new("domain.rddl", &texts[0]),
        Source::new("1.rddl", &texts[1]),
    ];
    let Ok(instance) = Instance::load_within(&sources, &budget) else {
        return Fate::Refused;
    };
    let instance = Arc::new(instance);
    let Ok(process) = compile_within(&instance, &budget) else {
        return Fate::Refused;
    };
    let told = |fault: String| -> () { panic!("{name}, seed {seed}: {fault}\n{}\n{}", texts[0], texts[1]) };
    let fresh = RddlSimulator::new(Arc::new(process), Preconditions::Reported);
    together(&fresh, seed, 6).unwrap_or_else(told);
    let all = (0..instance.domain.pvariables.len()).map(PvariableId::from_index);
    if all.map(|id| instance.count(id)).sum::<u64>() > MOST_GROUND {
        return Fate::Walked;
    }
    let templates = [Templates::default(), Templates::From(1)][(seed % 2) as usize];
    walk(instance, templates, seed, 4).unwrap_or_else(told);
    Fate::Interpreted
}

/// Checks a mutant of each seed. Half must be walked, and half of these interpreted.
fn mutants(seeds: std::ops::Range<u64>) {
    let texts = bundled();
    let (mut counts, number) = ([0; 3], seeds.end - seeds.start);
    println!("seeds {seeds:?}");
    for seed in seeds {
        let mut random = fuzz::Xorshift::new(seed);
        let (name, texts) = &texts[random.below(texts.len())];
        let mut fates =
            (0..TRIES).map(|_| check(name, &fuzz::rearrange_either(texts, NUMBERS, &mut random), seed));
        let fate = fates.find(|fate| *fate != Fate::Refused).unwrap_or(Fate::Refused);
        counts[fate as usize] += 1;
    }
    let [refused, walked, interpreted] = counts;
    println!("{refused} refused, {walked} walked, {interpreted} interpreted too");
    assert!(
        walked + interpreted >= number / 2 && interpreted >= number / 4,
        "{counts:?}"
    );
}

#[test]
fn mutated_problems_are_the_same_together_and_interpreted() {
    mutants(0..400);
}

/// The long form. `MUTANTS` is the first seed.
#[test]
#[ignore = "takes an hour; .ci/nightly runs it"]
fn many_mutated_problems_are_the_same_together_and_interpreted() {
    let first = std::env::var("MUTANTS").map_or(1_000, |first| first.parse().unwrap());
    mutants(first..first + 50_000);
}
