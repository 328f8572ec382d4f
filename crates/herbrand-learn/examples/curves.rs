//! Learning curves of bundled domains as CSV:
//! `cargo run --release -p herbrand-learn --example curves -- foldt 3 10,30,100 blocks ferry`.

use std::error::Error;
use std::time::{Duration, Instant};

use herbrand_env::{ActionMode, Registry, Split, Suite};
use herbrand_learn::{
    Answer, Exploration, FoldtOptions, Judge, LearnError, Learned, Verdict, explore, learn_foldt, learn_safe,
};
use herbrand_limits::{Budget, Limits};
use herbrand_plan::{Determinization, Outcome, Planner, PlannerKind, Request, SearchTask};
use herbrand_step::Simulator;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [learner, seeds, points, domains @ ..] = arguments.as_slice() else {
        return Err("usage: curves foldt|safe SEEDS EPISODES,… DOMAIN…".into());
    };
    println!("domain,learner,seed,episodes,transitions,seconds,schemas,error,problems,solved,gave_up");
    for domain in domains {
        let mode = if learner == "safe" {
            ActionMode::Operators
        } else {
            ActionMode::Declared
        };
        let suite = Suite::new(Registry::files(domain)?.remove(0), mode)?;
        for episodes in points.split(',') {
            for seed in 0..seeds.parse()? {
                point(&suite, learner, episodes.parse()?, seed)?;
            }
        }
    }
    Ok(())
}

/// Learns once, judges, and prints a line.
fn point(suite: &Suite, learner: &str, episodes: u32, seed: u64) -> Result<(), LearnError> {
    let (train, test) = (suite.split(Split::Train), suite.split(Split::Test));
    let budget = Budget::unlimited();
    let options = Exploration {
        episodes,
        seed,
        ..Exploration::default()
    };
    let seen = explore(&train, &options, &budget)?;
    let began = Instant::now();
    let learned: Learned = match learner {
        "safe" => learn_safe(&seen, &budget)?,
        _ => learn_foldt(&seen, &FoldtOptions::default(), &budget)?,
    };
    let seconds = began.elapsed().as_secs_f64();
    let judge = Judge::new(&test, &learned);
    let options = Exploration {
        episodes: 20,
        seed: !seed,
        ..Exploration::default()
    };
    let error = judge
        .predict(&explore(&test, &options, &budget)?, &budget)?
        .error();
    let (mut solved, mut gave_up) = (0, 0);
    for problem in 0..test.len() {
        match judge.plan(problem, plan)? {
            Verdict::Works => solved += 1,
            Verdict::GaveUp => gave_up += 1,
            Verdict::Refused { .. } | Verdict::Misses | Verdict::Unsolvable => {}
        }
    }
    println!(
        "{},{learner},{seed},{episodes},{},{seconds:.3},{},{error:.4},{},{solved},{gave_up}",
        suite.name(),
        seen.transitions.len(),
        learned.domain().schemas.len(),
        test.len()
    );
    Ok(())
}

/// A plan by the default planner, within ten seconds.
fn plan(simulator: &Simulator) -> Result<Answer, LearnError> {
    let task = SearchTask::new(simulator, &simulator.initial_state(), Determinization::MostLikely)?;
    let mut request = Request {
        budget: Budget::new(Limits {
            bytes: Some(4 << 30),
            time: Some(Duration::from_secs(10)),
        }),
        seed: 0,
        progress: &mut |_| {},
    };
    Ok(match PlannerKind::default().plan(&task, &mut request).outcome {
        Outcome::Plan(plan) => Answer::Plan(plan.steps),
        Outcome::GoalAlreadyTrue => Answer::Plan(Vec::new()),
        Outcome::ProvenUnsolvable => Answer::Unsolvable,
        _ => Answer::GaveUp,
    })
}
