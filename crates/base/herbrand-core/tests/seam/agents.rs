//! Evaluations of agents, against rollouts of the same actions.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use herbrand_core::balloon::{Balloon, BalloonError, BalloonProblems, BalloonState};
use herbrand_core::{
    Agent, Choice, EpisodeEnd, EvaluateOptions, Evaluation, FieldValue, RolloutOptions, RolloutPolicy,
    System, evaluate, roll_out, share_interval,
};
use herbrand_limits::{Budget, BudgetExhausted, Limits};

/// Follows a plan, and gives up after its last step.
struct Pilot {
    plan: Vec<Vec<Choice>>,
    elapsed: usize,
    flights: u32,
}

impl Pilot {
    fn new(burners: &[i64]) -> Self {
        let burn = |&burners: &i64| {
            vec![Choice {
                field: 0,
                value: FieldValue::Int(burners),
            }]
        };
        Self {
            plan: burners.iter().map(burn).collect(),
            elapsed: 0,
            flights: 0,
        }
    }
}

impl Agent<Balloon> for Pilot {
    fn begin(&mut self) {
        self.elapsed = 0;
        self.flights += 1;
    }

    fn act(&mut self, _: &BalloonState) -> Result<Option<Vec<Choice>>, BalloonError> {
        self.elapsed += 1;
        Ok(self.plan.get(self.elapsed - 1).cloned())
    }
}

const OPTIONS: EvaluateOptions = EvaluateOptions {
    steps: 12,
    episodes: 20,
    seed: 3,
};

fn flown(gas: i64, pilot: &mut Pilot) -> Evaluation {
    evaluate(&mut Balloon::new(gas), pilot, &OPTIONS, 1.0, |_| false).expect("no error is fatal")
}

#[test]
fn an_evaluation_is_a_rollout_of_the_same_actions() {
    for plan in [vec![1; 12], vec![2, 0, 0, 1, 3], vec![0; 12], vec![1; 30]] {
        let mut pilot = Pilot::new(&plan);
        let flown = flown(10, &mut pilot);
        assert_eq!((pilot.flights, flown.returns.len()), (20, 20));
        let options = RolloutOptions {
            episodes: 20,
            steps: OPTIONS.steps,
            seed: OPTIONS.seed,
            ..RolloutOptions::default()
        };
        let policy = RolloutPolicy::Plans(vec![pilot.plan.clone()]);
        let stop = AtomicBool::new(false);
        let rolled =
            roll_out(&BalloonProblems::new(1), &policy, &options, &|_| (), &stop).expect("a rollout");
        let (mean, error) = flown.mean_and_error();
        assert!((mean - rolled.mean_return).abs() < 1e-9, "{mean} {rolled:?}");
        assert!((error * 20.0_f64.sqrt() - rolled.return_deviation).abs() < 1e-9);
        assert_eq!(
            flown.lengths.iter().map(|&one| u64::from(one)).sum::<u64>(),
            rolled.steps
        );
        let count = |end| flown.ends.iter().filter(|&&one| one == end).count() as u64;
        let ends = rolled.ends;
        assert_eq!(
            [None, Some(EpisodeEnd::Terminal), Some(EpisodeEnd::Horizon)].map(count),
            [ends.stopped, ends.terminal, ends.horizon]
        );
        assert_eq!(flown.first.len(), flown.lengths[0] as usize);
        assert_eq!(flown.first, pilot.plan[..flown.first.len()]);
        // A pilot who does the same has the same luck.
        assert_eq!(flown.difference(&flown), (0.0, 0.0));
    }
}

#[test]
fn a_discount_weighs_later_rewards_less() {
    let mut pilot = Pilot::new(&[1, 1, 1]);
    let whole = flown(10, &mut pilot);
    let paid = evaluate(&mut Balloon::new(10), &mut pilot, &OPTIONS, 0.5, |_| false).expect("a flight");
    for (number, (one, other)) in whole.returns.iter().zip(&paid.returns).enumerate() {
        let mut balloon = Balloon::new(10);
        OPTIONS
            .replay(&mut balloon, number as u64, &pilot.plan)
            .expect("the plan is valid");
        let last = -(balloon.state().height - 5.0).abs();
        OPTIONS
            .replay(&mut balloon, number as u64, &pilot.plan[..1])
            .expect("the plan is valid");
        let first = -(balloon.state().height - 5.0).abs();
        let second = one - first - last;
        assert!((other - (first + 0.5 * second + 0.25 * last)).abs() < 1e-9);
    }
}

#[test]
fn a_refused_step_ends_its_episode_and_can_be_repeated() {
    let mut pilot = Pilot::new(&[2, 1, 3]);
    let paid = flown(4, &mut pilot);
    assert!(paid.ends.iter().all(Option::is_none) && paid.lengths.iter().all(|&length| length == 2));
    let violations = paid.violations.expect("there is gas for four");
    assert_eq!(
        (
            violations.episodes,
            violations.steps,
            violations.episode,
            violations.joints.len()
        ),
        (20, 20, 0, 3)
    );
    let mut balloon = Balloon::new(4);
    let (_, before) = violations.joints.split_last().expect("three steps");
    OPTIONS.replay(&mut balloon, 0, before).expect("both were taken");
    assert_eq!(balloon.state().gas, 1);
    let refused = BalloonError::NotEnoughGas { burners: 3, gas: 1 };
    assert_eq!(
        OPTIONS.replay(&mut balloon, 0, &violations.joints),
        Err(refused.clone())
    );
    // A fatal error ends the evaluation.
    let fatal = evaluate(&mut Balloon::new(4), &mut pilot, &OPTIONS, 1.0, |_| true);
    assert_eq!(fatal, Err(refused));
}

#[test]
fn no_episodes_are_one_and_no_steps_are_none() {
    let options = EvaluateOptions {
        steps: 0,
        episodes: 0,
        ..OPTIONS
    };
    let paid = evaluate(&mut Balloon::new(4), &mut Pilot::new(&[1]), &options, 1.0, |_| {
        true
    });
    let paid = paid.expect("nothing is done");
    assert_eq!((&*paid.returns, &*paid.lengths), (&[0.0][..], &[0][..]));
    assert_eq!(
        (&*paid.ends, paid.mean_and_error()),
        (&[Some(EpisodeEnd::Horizon)][..], (0.0, 0.0))
    );
    assert_eq!(
        (paid.goal_probability(), paid.reached().count()),
        ((0.0, share_interval(0, paid.ends.len())), 0)
    );
}

#[test]
fn a_spent_budget_ends_an_evaluation() {
    let budget = Budget::unlimited();
    budget.cancel();
    let run = || {
        evaluate(&mut Balloon::new(4), &mut Pilot::new(&[1]), &OPTIONS, 1.0, |_| {
            false
        })
    };
    let cancelled = BudgetExhausted::Cancelled { pass: "evaluating" };
    assert_eq!(budget.enclose(run), Err(BalloonError::Episode(cancelled.into())));
}

#[test]
fn a_budget_also_ends_episodes_without_a_step() {
    let run = |episodes: u32| {
        let options = EvaluateOptions {
            steps: 0,
            episodes,
            ..OPTIONS
        };
        evaluate(&mut Balloon::new(4), &mut Pilot::new(&[]), &options, 1.0, |_| {
            false
        })
    };
    let budget = Budget::unlimited();
    budget.cancel();
    let cancelled = BudgetExhausted::Cancelled { pass: "evaluating" };
    assert_eq!(
        budget.enclose(|| run(1)),
        Err(BalloonError::Episode(cancelled.into()))
    );
    // Each look at this clock takes a second.
    static NOW: AtomicU64 = AtomicU64::new(0);
    let limits = Limits {
        bytes: None,
        time: Some(Duration::from_secs(50)),
    };
    let budget = Budget::by_clock(limits, "time", || {
        Duration::from_secs(NOW.fetch_add(1, Ordering::Relaxed))
    });
    let complete = budget.enclose(|| run(10_000)).expect("the first is complete");
    let counts = [
        complete.returns.len(),
        complete.lengths.len(),
        complete.ends.len(),
    ];
    assert!(
        (1..60).contains(&counts[0]) && counts == [counts[0]; 3],
        "{counts:?}"
    );
    // The results of all episodes are held.
    let limits = Limits {
        bytes: Some(1 << 16),
        time: None,
    };
    let full = Budget::new(limits).enclose(|| run(100_000).map(|all| all.returns.len()));
    let (limit, pass) = (1 << 16, "evaluating");
    let exhausted = BudgetExhausted::Memory { limit, pass };
    assert_eq!(full, Err(BalloonError::Episode(exhausted.into())));
}

#[test]
fn shares_have_intervals_that_hold_for_few_trials() {
    // Published values, to four digits (Newcombe 1998, table I, method 3), and the ends.
    for (successes, trials, expected) in [
        (81, 263, [0.2553, 0.3662]),
        (15, 148, [0.0624, 0.1605]),
        (0, 20, [0.0000, 0.1611]),
        (1, 29, [0.0061, 0.1718]),
        (29, 29, [0.8830, 1.0000]),
        (0, 3, [0.0000, 0.5615]),
        (3, 3, [0.4385, 1.0000]),
        (0, 0, [0.0, 1.0]),
    ] {
        let found = share_interval(successes, trials);
        let near = |(one, other): (&f64, &f64)| (one - other).abs() < 6e-5;
        assert!(
            found.iter().zip(&expected).all(near),
            "{successes}/{trials}: {found:?}"
        );
    }
    for trials in 1..60 {
        for successes in 0..=trials {
            let share = successes as f64 / trials as f64;
            let [low, high] = share_interval(successes, trials);
            assert!(0.0 <= low && low <= share && share <= high && high <= 1.0);
            // The ends are the probabilities from which the share is 1.96 standard deviations away.
            for end in [low, high].into_iter().filter(|end| *end > 0.0 && *end < 1.0) {
                let distance = (share - end).abs() / (end * (1.0 - end) / trials as f64).sqrt();
                assert!((distance - 1.96).abs() < 1e-9, "{successes}/{trials}: {distance}");
            }
        }
    }
}
