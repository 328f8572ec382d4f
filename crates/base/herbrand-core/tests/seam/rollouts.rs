//! Rollouts over flights.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use herbrand_core::balloon::{Balloon, BalloonError, BalloonProblems, BalloonState};
use herbrand_core::{
    Env, EnvOptions, EpisodeFault, EpisodeHorizon, ProblemChoice, Problems, Rollout, RolloutOptions,
    RolloutPolicy, StateFunction, roll_out, watch_roll_out,
};
use herbrand_limits::{Budget, BudgetExhausted};

fn options(threads: usize) -> RolloutOptions {
    RolloutOptions {
        episodes: 60,
        steps: 25,
        seed: 9,
        threads,
        ..RolloutOptions::default()
    }
}

fn run(policy: &RolloutPolicy, options: &RolloutOptions) -> Rollout {
    let stop = AtomicBool::new(false);
    roll_out(&BalloonProblems::new(3), policy, options, &|_| (), &stop).expect("a rollout")
}

#[test]
fn threads_make_no_difference_and_progress_counts_episodes() {
    let one = run(&RolloutPolicy::Random, &options(1));
    let three = run(&RolloutPolicy::Random, &options(3));
    assert_eq!(
        Rollout {
            seconds: one.seconds,
            ..three
        },
        one
    );
    let done = AtomicU64::new(0);
    let count = |episodes| {
        done.fetch_add(episodes, Ordering::Relaxed);
    };
    let stop = AtomicBool::new(false);
    roll_out(
        &BalloonProblems::new(3),
        &RolloutPolicy::Random,
        &options(2),
        &count,
        &stop,
    )
    .expect("a rollout");
    assert_eq!(done.into_inner(), 60);
}

/// An endless rollout, whose budget is cancelled when the first episodes are done. If it went on, the stop flag would end it.
#[test]
fn rollouts_on_all_threads_end_with_the_budgets_that_enclose_them() {
    let cancelled = EpisodeFault::BudgetExhausted(BudgetExhausted::Cancelled { pass: "rolling out" });
    for threads in [1, 3] {
        let options = RolloutOptions {
            episodes: u64::MAX,
            ..options(threads)
        };
        let (budget, stop, calls) = (Budget::unlimited(), AtomicBool::new(false), AtomicU64::new(0));
        let progress = |_| {
            budget.cancel();
            stop.store(calls.fetch_add(1, Ordering::Relaxed) >= 100, Ordering::Relaxed);
        };
        let problems = BalloonProblems::new(3);
        let ended =
            budget.enclose(|| roll_out(&problems, &RolloutPolicy::Random, &options, &progress, &stop));
        assert_eq!(ended, Err(cancelled.clone().into()), "{threads} threads");
        let (budget, stop) = (Budget::unlimited(), AtomicBool::new(false));
        let watch = |episode, _: &_, _: Option<f64>, _: Option<&_>| {
            budget.cancel();
            stop.store(episode >= 100, Ordering::Relaxed);
        };
        let ended =
            budget.enclose(|| watch_roll_out(&problems, &RolloutPolicy::Random, &options, &stop, watch));
        assert_eq!(ended, Err(cancelled.clone().into()));
    }
}

#[test]
fn an_episode_of_a_rollout_is_that_of_an_environment() {
    let rollout = run(&RolloutPolicy::Random, &options(1));
    let env_options = EnvOptions {
        horizon: EpisodeHorizon::Steps(25),
        ..EnvOptions::default()
    };
    let mut env = Env::new(BalloonProblems::new(3), env_options).expect("there are flights");
    let (mut steps, mut returns) = (0, Vec::new());
    for episode in 0..60 {
        let problem = ProblemChoice::Index(episode % 3);
        env.reset_to(Some(9 + episode as u64), problem).expect("a reset");
        let mut sum = 0.0;
        loop {
            let joint = env.sample().expect("reset before").expect("an action");
            let step = env.step(&joint).expect("a valid action");
            steps += 1;
            sum += step.reward;
            if step.ended() {
                break;
            }
        }
        returns.push(sum);
    }
    let mean = returns.iter().sum::<f64>() / 60.0;
    let squares = returns.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    assert_eq!(rollout.steps, steps);
    let ends = rollout.ends;
    assert_eq!((ends.terminal + ends.horizon, rollout.counted), (60, 60));
    assert!((rollout.mean_return - mean).abs() < 1e-9);
    assert!((rollout.return_deviation - (squares / 59.0).sqrt()).abs() < 1e-6);
    assert_eq!(rollout.mean_discounted_return, rollout.mean_return);
}

#[test]
fn a_plan_that_was_watched_gives_the_same_digest() {
    let options = RolloutOptions {
        episodes: 3,
        ..options(1)
    };
    let (mut plans, mut total) = (vec![Vec::new(); 3], 0.0);
    let stop = AtomicBool::new(false);
    let watched = watch_roll_out(
        &BalloonProblems::new(3),
        &RolloutPolicy::Random,
        &options,
        &stop,
        |episode, _, reward, joint| {
            plans[episode as usize].extend(joint.map(<[_]>::to_vec));
            total += reward.unwrap_or(0.0);
        },
    );
    let watched = watched.expect("a rollout");
    assert!((total / 3.0 - watched.mean_return).abs() < 1e-9);
    let replayed = run(&RolloutPolicy::Plans(plans), &options);
    assert_eq!((replayed.digest, replayed.steps), (watched.digest, watched.steps));
    let other = run(&RolloutPolicy::Nothing, &options);
    assert_ne!(other.digest, watched.digest);
    assert!(other.steps < watched.steps, "a balloon that is not heated lands");
    let idle = StateFunction::new(|_, _: &BalloonState, _| Some(Vec::new()));
    assert_eq!(run(&RolloutPolicy::OfState(idle), &options).digest, other.digest);
    let foreign = StateFunction::new(|_, _: &String, _| Some(Vec::new()));
    let lost = run(&RolloutPolicy::OfState(foreign), &options);
    assert_eq!((lost.steps, lost.ends.stopped), (0, 3));
}

/// BalloonProblems with short horizons: two steps for the first, one more for each later one.
#[derive(Clone, Debug)]
struct Brief(BalloonProblems);

impl Problems for Brief {
    type System = Balloon;
    type Error = BalloonError;

    fn name(&self) -> &str {
        self.0.name()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        self.0.problem_name(index)
    }

    fn horizon(&self, index: usize) -> Option<u32> {
        Some(2 + index as u32)
    }

    fn system(&self, index: usize) -> Result<Balloon, BalloonError> {
        self.0.system(index)
    }
}

#[test]
fn rollouts_can_keep_to_the_horizons_of_their_problems() {
    let flights = Brief(BalloonProblems::new(3));
    let steps = |within_horizons, steps| {
        let options = RolloutOptions {
            episodes: 30,
            steps,
            within_horizons,
            ..options(2)
        };
        let stop = AtomicBool::new(false);
        roll_out(&flights, &RolloutPolicy::Random, &options, &|_| (), &stop)
            .expect("flights")
            .steps
    };
    assert_eq!(steps(true, 25), 10 * (2 + 3 + 4));
    assert_eq!(steps(true, 3), 10 * (2 + 3 + 3));
    assert!(steps(false, 25) > 10 * (2 + 3 + 4));
}
