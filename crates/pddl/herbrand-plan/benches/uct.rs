//! Benchmarks the ways in which UCT evaluates a new state: by a relaxed plan, and by random roll-outs, one at a time or
//! many in a block.
//!
//! `cargo bench -p herbrand-plan --bench uct -- NAME …` lets UCT act in the problems `train/05` and `test/05` of each named
//! bundled domain, or of those listed here. All ways have about the same CPU time per decision: how many walks fit into it
//! is measured in the start state. An episode ends at the goal, in a dead end, or after 50 steps. Each has a seed of its own.
//!
//! A line has the number of roll-outs per new state, the walks per decision in each problem, the episodes that reached the
//! goal, the CPU time of all episodes, and how many reached the goal per CPU second.

use std::env;
use std::num::NonZeroU32;
use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand_core::EvaluateOptions;
use herbrand_limits::{Budget, Limits};
use herbrand_pddl::{Domain, Problem};
use herbrand_plan::{PolicyKind, PolicyOptions, ProbabilisticTask, UctLeaf};
use herbrand_step::compile;

const DOMAINS: [&str; 10] = [
    "casino",
    "exploding-blocks",
    "navigation",
    "river",
    "tireworld",
    "blocks",
    "ferry",
    "hanoi",
    "slide-tile",
    "sokoban",
];
const PROBLEMS: [&str; 2] = ["train/05", "test/05"];

/// The numbers of roll-outs per new state; 0 means a relaxed plan. With 63 they are made one at a time, and with
/// 64 or more in a block if the task allows it.
const ROLLOUTS: [u32; 5] = [0, 1, 63, 128, 512];

/// The CPU time of a decision, and the limits of an evaluation.
#[derive(Clone, Copy)]
struct Effort {
    decision: Duration,
    episodes: u32,
    steps: u32,
}

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    // `cargo test --benches` only checks that the program runs.
    let measured = arguments.iter().any(|argument| argument == "--bench");
    let named = arguments.iter().filter(|argument| !argument.starts_with("--"));
    let mut domains: Vec<&str> = named.map(String::as_str).collect();
    if domains.is_empty() {
        domains = DOMAINS.to_vec();
    }
    let effort = if measured {
        Effort {
            decision: Duration::from_millis(10),
            episodes: 6,
            steps: 50,
        }
    } else {
        domains.truncate(1);
        Effort {
            decision: Duration::from_micros(100),
            episodes: 1,
            steps: 2,
        }
    };
    for domain in domains {
        let tasks = PROBLEMS.map(|problem| task(domain, problem));
        for rollouts in ROLLOUTS {
            let results = tasks.iter().map(|task| run(task, rollouts, effort));
            let (mut walks, mut reached, mut seconds) = (Vec::new(), 0, 0.0);
            for result in results {
                walks.push(result.walks);
                reached += result.reached;
                seconds += result.seconds;
            }
            let episodes = effort.episodes as usize * tasks.len();
            println!(
                "{domain:16} rollouts {rollouts:3}: walks {walks:?}, reached {reached} of {episodes}, {seconds:.1} s, {:.3} per second",
                reached as f64 / seconds
            );
        }
    }
}

fn task(domain: &str, problem: &str) -> ProbabilisticTask {
    let text = |name: &str| herbrand_domains::file(&format!("{domain}/{name}.pddl")).expect("a bundled file");
    let domain = Domain::from_text(text("domain")).expect("a sound domain");
    let problem = Problem::from_text(text(problem), &domain).expect("a sound problem");
    let simulator = compile(&domain, &problem).expect("a small problem");
    ProbabilisticTask::from_initial(&simulator, &Budget::unlimited()).expect("few initial states")
}

struct Result {
    walks: u32,
    reached: usize,
    seconds: f64,
}

fn run(task: &ProbabilisticTask, rollouts: u32, effort: Effort) -> Result {
    let options = PolicyOptions {
        leaf: NonZeroU32::new(rollouts).map_or(UctLeaf::RelaxedPlan, UctLeaf::RandomWalks),
        decision: Limits::default(),
        iterations: 16,
        ..PolicyOptions::default()
    };
    let policy = |options: &PolicyOptions| {
        PolicyKind::Uct
            .policy(task, options, &Budget::unlimited())
            .expect("a policy")
    };
    let state = &task.starts()[0].1;
    let mut first = policy(&options);
    let begin = ProcessTime::now();
    first.act(state).expect("a state of the task");
    let per_walk = begin.elapsed().as_secs_f64() / f64::from(options.iterations);
    let walks = (effort.decision.as_secs_f64() / per_walk).ceil() as u32;
    let (mut reached, mut seconds) = (0, 0.0);
    let mut walker = task.walker().expect("a start state");
    for seed in 0..u64::from(effort.episodes) {
        let mut policy = policy(&PolicyOptions {
            iterations: walks,
            seed,
            ..options
        });
        let evaluation = EvaluateOptions {
            episodes: 1,
            steps: effort.steps,
            seed,
        };
        let begin = ProcessTime::now();
        let runs = herbrand_core::evaluate(&mut walker, policy.as_mut(), &evaluation, 1.0, |_| true);
        seconds += begin.elapsed().as_secs_f64();
        reached += runs.expect("a sound task").reached().count();
    }
    Result {
        walks,
        reached,
        seconds,
    }
}
