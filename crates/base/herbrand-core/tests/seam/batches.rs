//! Batches of environments.

use herbrand_core::balloon::{Altimeter, BalloonProblems};
use herbrand_core::{Autoreset, Batch, BufferContents, Flags, VecEnv, VecError, VecOptions};
use herbrand_limits::Budget;
use proptest::prelude::*;

use crate::{Seen, env, walk};

/// The buffers of a batch.
struct Buffers {
    observations: Vec<f32>,
    masks: Vec<u8>,
    rewards: Vec<f64>,
    terminated: Vec<bool>,
    truncated: Vec<bool>,
    flags: Vec<Flags>,
    actions: Vec<f64>,
}

impl Buffers {
    fn new(rows: usize) -> Self {
        Self {
            observations: vec![9.0; 2 * rows],
            masks: vec![9; rows],
            rewards: vec![9.0; rows],
            terminated: vec![true; rows],
            truncated: vec![true; rows],
            flags: vec![Flags::default(); rows],
            actions: vec![9.0; 2 * rows],
        }
    }

    fn parts(&mut self) -> (Batch<'_, f32>, &mut [f64]) {
        let batch = Batch {
            observations: &mut self.observations,
            masks: &mut self.masks,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            flags: &mut self.flags,
            final_observations: &mut [],
            final_flags: &mut [],
            rows: BufferContents::Fresh,
        };
        (batch, &mut self.actions)
    }

    fn seen(&self, row: usize) -> ([f64; 2], [f32; 2], f64, bool, bool) {
        (
            [self.actions[2 * row], self.actions[2 * row + 1]],
            [self.observations[2 * row], self.observations[2 * row + 1]],
            self.rewards[row],
            self.terminated[row],
            self.truncated[row],
        )
    }
}

/// The batch row that corresponds to a step of a single environment.
fn row(seen: &Seen) -> ([f64; 2], [f32; 2], f64, bool, bool) {
    let mut action = [0.0; 2];
    let layout = herbrand_core::balloon::Balloon::new(0);
    herbrand_core::System::actions(&layout).write_row(&seen.joint, &mut action);
    (
        action,
        seen.observation,
        seen.reward,
        seen.terminated,
        seen.truncated,
    )
}

fn batch(count: usize, problems: usize, threads: usize) -> VecEnv<BalloonProblems, Altimeter> {
    let options = VecOptions {
        threads,
        autoreset: Autoreset::NextStep,
        ..VecOptions::default()
    };
    let envs = VecEnv::new(&BalloonProblems::new(problems), &Altimeter, count, options);
    envs.expect("there are flights")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Environment `i` of a batch equals a single environment with seed `seed + i`, whichever methods step it.
    #[test]
    fn a_batch_is_many_single_environments(
        seed in 0..1000_u64, count in 1..40_usize, problems in 1..4_usize, threads in 1..3_usize,
    ) {
        let steps = 50;
        let singles = (0..count).map(|index| {
            let mut env = env(problems);
            env.reset(Some(seed + index as u64)).expect("a reset");
            walk(&mut env, steps)
        });
        let singles: Vec<Vec<Seen>> = singles.collect();

        let mut envs = batch(count, problems, threads);
        let mut buffers = Buffers::new(count);
        envs.reset(Some(seed), &mut buffers.parts().0).expect("a reset");
        for step in 0..steps {
            let (mut batch, actions) = buffers.parts();
            match step % 2 {
                0 => envs.step_sampled(actions, &mut batch).expect("a step"),
                _ => {
                    envs.sample(&mut *actions).expect("a sample");
                    envs.step(&*actions, &mut batch).expect("a step");
                }
            }
            for (index, single) in singles.iter().enumerate() {
                prop_assert_eq!(buffers.seen(index), row(&single[step]), "environment {}, step {}", index, step);
            }
        }

        let mut envs = batch(count, problems, threads);
        envs.reset(Some(seed), &mut buffers.parts().0).expect("a reset");
        let mut all = Buffers::new(count * steps);
        let (mut rows, actions) = all.parts();
        envs.collect(steps, actions, &mut rows).expect("steps");
        for (index, single) in singles.iter().enumerate() {
            for (step, expected) in single.iter().enumerate() {
                prop_assert_eq!(all.seen(index * steps + step), row(expected));
            }
        }
    }
}

#[test]
fn faults_name_the_buffer_or_the_environment() {
    let mut envs = batch(3, 1, 1);
    assert_eq!(
        (
            envs.widths().observation,
            envs.widths().mask,
            envs.widths().action
        ),
        (2, 1, 2)
    );
    let mut buffers = Buffers::new(3);
    envs.reset(Some(0), &mut buffers.parts().0).expect("a reset");
    let (mut batch, actions) = buffers.parts();
    let short = envs.step(&actions[1..], &mut batch);
    assert!(matches!(short, Err(VecError::Buffer(error)) if error.buffer == "actions"));
    let one = envs
        .step(&actions[..1], &mut batch)
        .map_err(|error| error.to_string());
    assert_eq!(one.unwrap_err(), "`actions` has 1 element, not 6");
    actions.fill(0.0);
    actions[2] = 0.5;
    let refused = envs.step(&*actions, &mut batch);
    let text = refused.map_err(|error| error.to_string());
    assert_eq!(
        text.expect_err("half a burner"),
        "environment 1: `burn` takes an int from 0 to 3, not 0.5"
    );
    actions.fill(0.0);
    let none = envs.step(&*actions, &mut batch);
    none.expect("doing nothing is always possible");
}

#[test]
fn collecting_ends_with_the_budgets_that_enclose_it() {
    let (count, steps) = (5, 4);
    for threads in [1, 3] {
        let mut envs = batch(count, 1, threads);
        let mut buffers = Buffers::new(count);
        envs.reset(Some(1), &mut buffers.parts().0).expect("a reset");
        let (budget, mut all) = (Budget::unlimited(), Buffers::new(count * steps));
        let (mut rows, actions) = all.parts();
        budget.enclose(|| envs.collect(steps, &mut *actions, &mut rows).expect("steps"));
        budget.cancel();
        let ended = budget.enclose(|| envs.collect(steps, &mut *actions, &mut rows));
        let text = ended.map_err(|error| error.to_string()).expect_err("cancelled");
        assert!(text.contains("cancelled"), "{threads} threads: {text}");
        envs.collect(steps, actions, &mut rows)
            .expect("no budget encloses it");
    }
}
