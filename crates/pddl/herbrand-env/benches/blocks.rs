//! Benchmarks random rollouts in blocks of 512 copies of a problem against rollouts one environment at a time.
//!
//! `cargo bench -p herbrand-env --bench blocks`. Every bundled problem is rolled out by both engines in turn, on one thread. The
//! CPU time of the fastest round of each counts. Both must give the same digest. Prints the ratio of each domain's largest
//! problem and the geometric mean and the least of all problems: over those of at most 4,000 operators with
//! `EngineKind::Sliced`, and over all with `EngineKind::Automatic`. `-- NAME …` measures the named domains only, and `--
//! --every N` every N-th problem.

use std::env;
use std::sync::atomic::AtomicBool;

use cpu_time::ProcessTime;
use herbrand_env::{EngineKind, Registry, RolloutOptions, RolloutPolicy, Suite, rollout_until};

const STEPS: u32 = 100;
const EPISODES: u64 = 16_384;
const ROUNDS: usize = 3;
const MOST_OPERATORS: usize = 4000;

/// The figures of one problem, in nanoseconds of CPU time per step.
struct Measured {
    name: String,
    operators: usize,
    single: f64,
    sliced: f64,
    automatic: f64,
}

fn main() {
    let arguments: Vec<String> = env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    // `cargo test --benches` only checks that the program runs.
    let measured = env::args().any(|argument| argument == "--bench");
    let every = arguments.iter().position(|argument| argument == "--every");
    let stride = every
        .and_then(|place| arguments.get(place + 1)?.parse().ok())
        .unwrap_or(1);
    let named: Vec<&String> = arguments[..every.unwrap_or(arguments.len())].iter().collect();
    let mut all = Vec::new();
    for name in Registry::names().expect("the bundled domains") {
        if !(named.is_empty() || named.contains(&&name)) {
            continue;
        }
        let suite = Registry::get(&name).expect("a bundled domain");
        let problems = (0..suite.len()).rev().step_by(stride);
        let mut of_domain: Vec<Measured> = problems
            .take(if measured { usize::MAX } else { 1 })
            .map(|index| measure(&suite.only(index).expect("a problem"), measured))
            .collect();
        of_domain.sort_by_key(|problem| problem.operators);
        if let Some(largest) = of_domain.last() {
            println!(
                "{:<32} {:>6} operators   one at a time {:>6.1} ns   blocks {:>6.1} ns   ratio {:>5.2}   automatic {:>5.2}",
                largest.name,
                largest.operators,
                largest.single,
                largest.sliced,
                largest.single / largest.sliced,
                largest.single / largest.automatic,
            );
        }
        all.extend(of_domain);
    }
    let small = all.iter().filter(|problem| problem.operators <= MOST_OPERATORS);
    summarise(
        "blocks, at most 4,000 operators",
        small.map(|problem| (problem.single / problem.sliced, problem)),
    );
    summarise(
        "automatic",
        all.iter()
            .map(|problem| (problem.single / problem.automatic, problem)),
    );
}

/// Prints the geometric mean of ratios, and the least.
fn summarise<'a>(title: &str, ratios: impl Iterator<Item = (f64, &'a Measured)>) {
    let ratios: Vec<_> = ratios.collect();
    let logarithms: f64 = ratios.iter().map(|(ratio, _)| ratio.ln()).sum();
    let mean = (logarithms / ratios.len() as f64).exp();
    if let Some((least, problem)) = ratios.iter().min_by(|one, other| one.0.total_cmp(&other.0)) {
        println!(
            "{title}: mean {mean:.2}, least {least:.2} ({}), {} problems",
            problem.name,
            ratios.len()
        );
    }
}

fn measure(suite: &Suite, measured: bool) -> Measured {
    let kinds = [EngineKind::Grounded, EngineKind::Sliced, EngineKind::Automatic];
    let mut fastest = [f64::INFINITY; 3];
    let options = RolloutOptions {
        episodes: if measured { EPISODES } else { 64 },
        steps: STEPS,
        ..RolloutOptions::default()
    };
    for _ in 0..if measured { ROUNDS } else { 1 } {
        let mut digest = None;
        for (engine, fastest) in kinds.into_iter().zip(&mut fastest) {
            let start = ProcessTime::now();
            let stop = AtomicBool::new(false);
            let report = rollout_until(&RolloutPolicy::Random, suite, engine, &options, &|_| (), &stop);
            let report = report.expect("a rollout");
            *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e9 / report.steps.max(1) as f64);
            assert_eq!(*digest.get_or_insert(report.digest), report.digest, "{engine:?}");
        }
    }
    let [single, sliced, automatic] = fastest;
    let problem = suite.problem_name(0).unwrap_or_default();
    Measured {
        name: format!("{} {problem}", suite.name()),
        operators: suite
            .instance(0)
            .expect("a problem")
            .simulator()
            .task()
            .actions
            .len(),
        single,
        sliced,
        automatic,
    }
}
