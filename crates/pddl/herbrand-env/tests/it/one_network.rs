//! A single policy learns to solve the problems of a suite, because ids mean the same in all of them.

use herbrand_core::Choice;
use herbrand_env::{AgentActionId, Bits, Env, ObservedAtoms, PlanningEnv, ProblemChoice, Registry, Split};

use crate::ids::{bundled, by_suite, observed, ones};

/// A linear policy over state, goal and mask with the ids of the suite: one row of weights per action.
struct Linear {
    weights: Vec<Vec<f64>>,
}

impl Linear {
    fn scores(&self, features: &[usize], valid: &[usize]) -> Vec<f64> {
        let score = |&action: &usize| {
            features
                .iter()
                .map(|&feature| self.weights[action][feature])
                .sum()
        };
        valid.iter().map(score).collect()
    }

    /// Takes a step of gradient ascent on the log-probability of the expert's action.
    fn learn(&mut self, features: &[usize], valid: &[usize], expert: usize) {
        let scores = self.scores(features, valid);
        let most = scores.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<_> = scores.iter().map(|score| (score - most).exp()).collect();
        let sum: f64 = weights.iter().sum();
        for (&action, weight) in valid.iter().zip(weights) {
            let step = 0.5 * (f64::from(u8::from(action == expert)) - weight / sum);
            features
                .iter()
                .for_each(|&feature| self.weights[action][feature] += step);
        }
    }

    fn best(&self, features: &[usize], valid: &[usize]) -> usize {
        let scores = self.scores(features, valid);
        let best = (0..valid.len()).max_by(|&one, &other| scores[one].total_cmp(&scores[other]));
        valid[best.expect("something to do")]
    }
}

/// Returns the set bits of the observation and of the mask.
fn features(env: &Env<Bits>) -> [Vec<usize>; 2] {
    let sizes = env.problems().sizes(ObservedAtoms::All).expect("sound problems");
    let (mut row, mut mask) = (vec![0; 2 * sizes.atoms], vec![0; sizes.actions]);
    env.write_observation(&mut row).expect("reset before");
    env.write_mask(&mut mask).expect("reset before");
    [row, mask].map(|bits| ones(&bits, |number| number as usize))
}

#[test]
fn one_network_learns_to_solve_all_problems_of_a_suite() {
    let suite = by_suite(&bundled("blocks")).split(Split::Train);
    let mut env = observed(&suite);
    let plans: Vec<Vec<String>> = (0..suite.len())
        .map(|index| {
            let plan = Registry::plan("blocks", &suite.full_problem_name(index).expect("a problem"))
                .expect("a stored plan");
            plan.lines()
                .map(str::trim)
                .filter(|line| line.starts_with('('))
                .map(str::to_owned)
                .collect()
        })
        .collect();
    let sizes = suite.sizes(ObservedAtoms::All).expect("sound problems");
    let mut policy = Linear {
        weights: vec![vec![0.0; 2 * sizes.atoms]; sizes.actions],
    };
    for _ in 0..30 {
        for (index, plan) in plans.iter().enumerate() {
            env.reset_to(Some(0), ProblemChoice::Index(index))
                .expect("a sound problem");
            for step in plan.iter().take(12) {
                let expert = env
                    .instance()
                    .expect("reset before")
                    .find_action(step)
                    .expect("an action");
                let [features, valid] = features(&env);
                policy.learn(&features, &valid, expert.index());
                if env.step(expert).expect("valid").ended() {
                    break;
                }
            }
        }
    }
    let solved = (0..suite.len()).filter(|&index| {
        env.reset_to(Some(0), ProblemChoice::Index(index))
            .expect("a sound problem");
        loop {
            let [features, valid] = features(&env);
            let action = AgentActionId::new(policy.best(&features, &valid) as u32);
            let step = env.step(Choice::from(action)).expect("valid");
            if step.ended() {
                return step.goal;
            }
        }
    });
    let short = plans.iter().filter(|plan| plan.len() <= 12).count();
    assert!(short > 1);
    assert_eq!(solved.count(), short, "all problems whose plans fit the horizon");
}
