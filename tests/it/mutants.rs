//! Bundled problems with random changes: if a changed text is a problem at all, all engines walk through it alike, and the
//! brute-force interpreter agrees.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use herbrand::env::{
    ActionMode, EngineKind, EnvError, ProblemFile, RolloutOptions, RolloutPolicy, Suite, SuiteFiles,
    rollout_until,
};
use herbrand::limits::{Budget, Limits};
use herbrand::pddl::Source;
use herbrand::text::fuzz::{Xorshift, rearrange_either};
use herbrand::{Domain, Problem};

use crate::agreement;
use crate::random::Printed;

/// The numbers that a mutation can put in the place of a number.
const NUMBERS: &[&str] = &[
    "0", "1", "-1", "2", "0.5", "1/3", "3.25", "1e15", "1e308", "1e-308",
];

/// The maximum number of mutants per seed, which are drawn until one is a valid problem.
const TRIES: usize = 20;

/// The limits for reading, compiling and walking. Mutants that exceed them are skipped.
const LIMITS: Limits = Limits {
    bytes: Some(64 << 20),
    time: Some(Duration::from_secs(5)),
};

/// The maximum number of bindings of parameters and quantified variables in a problem for the interpreter, which tries
/// all of them in each state.
const MOST_BINDINGS: u64 = 3_000;

/// The texts of the smallest problem of each bundled domain.
fn bundled() -> Vec<(String, [String; 2])> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("domains");
    let mut texts = Vec::new();
    for folder in fs::read_dir(root).unwrap().map(|entry| entry.unwrap().path()) {
        let problem = fs::read_to_string(folder.join("train/01.pddl"));
        if let (Ok(domain), Ok(problem)) = (fs::read_to_string(folder.join("domain.pddl")), problem) {
            texts.push((
                folder.file_name().unwrap().to_string_lossy().into_owned(),
                [domain, problem],
            ));
        }
    }
    texts.sort();
    texts
}

/// Returns an upper bound on the number of bindings in the actions and formulas of a problem.
fn bindings(domain: &str, problem: &Problem) -> u64 {
    let objects = problem.objects.len() as u64;
    let actions = domain.split("(:").map(|section| {
        let mut variables: Vec<&str> = section
            .split(['(', ')', ' ', '\n'])
            .filter(|word| word.starts_with('?'))
            .collect();
        variables.sort_unstable();
        variables.dedup();
        objects.saturating_pow(variables.len() as u32)
    });
    actions.fold(0, u64::saturating_add)
}

/// The result of checking a mutant.
#[derive(PartialEq, Eq, Debug)]
enum Fate {
    /// The mutant is not a valid problem.
    Refused,
    /// Reading, compiling or walking exceeds the limits.
    Limited,
    /// The engines agree; the problem is too large for the interpreter.
    Walked,
    /// The engines and the interpreter agree.
    Interpreted,
}

/// Returns the digest of walks on an engine; `None` if the engine reports a fault, `Err` if a limit is exceeded.
fn digest(files: &SuiteFiles, engine: EngineKind, seed: u64) -> Result<Option<u64>, EnvError> {
    let budget = Budget::new(LIMITS);
    let options = RolloutOptions {
        episodes: 3,
        steps: 12,
        seed,
        through_goals: true,
        ..RolloutOptions::default()
    };
    let walked = budget.enclose(|| {
        let suite = Suite::within(files.clone(), ActionMode::Operators, LIMITS)?;
        rollout_until(
            &RolloutPolicy::Random,
            &suite,
            engine,
            &options,
            &|_| (),
            &AtomicBool::new(false),
        )
    });
    match walked {
        Ok(walked) => Ok(Some(walked.digest)),
        Err(error) if error.to_string().contains("limit") => Err(error),
        Err(_) => Ok(None),
    }
}

/// Checks a mutant: walks through it on all engines and compares them, and compares the interpreter if it is small enough.
fn check(name: &str, [domain, problem]: &[String; 2], seed: u64) -> Fate {
    let budget = Budget::new(LIMITS);
    let sources = [
        Source::new("domain.pddl", domain),
        Source::new("problem.pddl", problem),
    ];
    let Ok(checked) = Domain::parse_within(&sources[0], &budget) else {
        return Fate::Refused;
    };
    let Ok(task) = Problem::parse_within(&sources[1], &checked, &budget) else {
        return Fate::Refused;
    };
    let files = SuiteFiles {
        name: name.to_owned(),
        domain: sources[0].clone(),
        config: None,
        problems: vec![ProblemFile {
            split: None,
            name: "p".to_owned(),
            source: sources[1].clone(),
        }],
    };
    let engines = [EngineKind::Grounded, EngineKind::Lifted];
    let digests: Result<Vec<_>, _> = engines
        .map(|engine| digest(&files, engine, seed))
        .into_iter()
        .collect();
    let Ok(digests) = digests else {
        return Fate::Limited;
    };
    let told = || format!("{name}, seed {seed}: {digests:?}\n{domain}\n{problem}");
    assert!(digests.iter().all(|digest| *digest == digests[0]), "{}", told());
    if bindings(domain, &task) > MOST_BINDINGS {
        return Fate::Walked;
    }
    let walk: Vec<[u8; 2]> = (0..6_u64)
        .map(|step| [(seed * 7 + step) as u8, (seed + step * 5) as u8])
        .collect();
    let agreed = agreement::check(&Printed(checked, task), &walk);
    agreed.unwrap_or_else(|fault| panic!("{}\n{fault}", told()));
    Fate::Interpreted
}

/// Checks a mutant per seed. At least half of the seeds must be walked, and at least a quarter interpreted too.
fn mutants(seeds: std::ops::Range<u64>) {
    let texts = bundled();
    let (mut counts, number) = ([0; 4], seeds.end - seeds.start);
    println!("seeds {seeds:?}");
    for seed in seeds {
        let mut random = Xorshift::new(seed);
        let (name, texts) = &texts[random.below(texts.len())];
        let mut fates = (0..TRIES).map(|_| check(name, &rearrange_either(texts, NUMBERS, &mut random), seed));
        let fate = fates.find(|fate| *fate != Fate::Refused).unwrap_or(Fate::Refused);
        counts[fate as usize] += 1;
    }
    let [refused, limited, walked, interpreted] = counts;
    println!("{refused} refused, {limited} limited, {walked} walked, {interpreted} interpreted too");
    assert!(
        walked + interpreted >= number / 2 && interpreted >= number / 4,
        "{counts:?}"
    );
}

#[test]
fn mutated_problems_are_the_same_on_all_engines() {
    mutants(0..400);
}

/// The same test with many seeds. The environment variable `MUTANTS` is the first one.
#[test]
#[ignore = "takes an hour; .ci/nightly runs it"]
fn many_mutated_problems_are_the_same_on_all_engines() {
    let first = std::env::var("MUTANTS").map_or(1_000, |first| first.parse().unwrap());
    mutants(first..first + 50_000);
}
