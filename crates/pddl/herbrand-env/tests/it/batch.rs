//! Helpers that step batches over suites by sampled actions.

use herbrand_core::Observer;
use herbrand_env::{Batch, BufferContents, Suite, VecEnv, VecOptions};

/// The parameters of a walk: the number of environments, the number of steps, and the seed.
#[derive(Clone, Copy)]
pub struct Walk {
    pub count: usize,
    pub steps: usize,
    pub seed: u64,
    /// The values of [`Batch::rows`] before each call, used in turn.
    pub rows: &'static [BufferContents],
}

/// Sequences of row contents: unknown, kept, a mixture of both, and a mixture with zeroed rows.
pub const FRESH: &[BufferContents] = &[BufferContents::Fresh];
pub const KEPT: &[BufferContents] = &[BufferContents::Kept];
pub const NOW_AND_THEN: &[BufferContents] =
    &[BufferContents::Fresh, BufferContents::Kept, BufferContents::Kept];
pub const IN_TURN: &[BufferContents] = &[
    BufferContents::Kept,
    BufferContents::Fresh,
    BufferContents::Kept,
    BufferContents::Kept,
    BufferContents::Zeroed,
    BufferContents::Kept,
];

/// The contents of a batch's buffers after a call.
#[derive(Clone, PartialEq, Debug)]
pub struct Held<E> {
    pub observations: Vec<E>,
    pub masks: Vec<u8>,
    pub actions: Vec<u32>,
}

/// Resets a batch and steps it. Returns the buffer contents after each call, which `visit` sees as well.
pub fn walk<O: Observer<Suite>>(
    suite: &Suite,
    observer: &O,
    options: VecOptions,
    walk: Walk,
    mut visit: impl FnMut(&VecEnv<O>, &Held<O::Element>),
) -> Vec<Held<O::Element>> {
    let mut envs = VecEnv::new(suite, observer, walk.count, options).expect("environments");
    let widths = envs.widths();
    let mut held = Held {
        observations: vec![O::Element::default(); walk.count * widths.observation],
        masks: vec![0; walk.count * widths.mask],
        actions: vec![0; walk.count],
    };
    let mut rewards = vec![0.0; walk.count];
    let (mut terminated, mut truncated) = (vec![false; walk.count], vec![false; walk.count]);
    let mut seen = Vec::new();
    for step in 0..walk.steps {
        let rows = walk.rows[step % walk.rows.len()];
        if rows == BufferContents::Zeroed {
            held.observations.fill(O::Element::default());
            held.masks.fill(0);
        }
        let mut batch = Batch {
            observations: &mut held.observations,
            masks: &mut held.masks,
            rewards: &mut rewards,
            terminated: &mut terminated,
            truncated: &mut truncated,
            flags: &mut [],
            final_observations: &mut [],
            final_flags: &mut [],
            rows,
        };
        match step {
            0 => envs.reset(Some(walk.seed), &mut batch).expect("a reset"),
            _ => envs
                .step_sampled(&mut held.actions, &mut batch)
                .expect("valid actions"),
        }
        visit(&envs, &held);
        seen.push(held.clone());
    }
    seen
}

/// Like [`walk`], but each call takes several steps.
pub fn collect<O: Observer<Suite>>(
    suite: &Suite,
    observer: &O,
    options: VecOptions,
    walk: Walk,
    steps: usize,
) -> Vec<Held<O::Element>> {
    let mut envs = VecEnv::new(suite, observer, walk.count, options).expect("environments");
    let (widths, rows) = (envs.widths(), walk.count * steps);
    let mut held = Held {
        observations: vec![O::Element::default(); rows * widths.observation],
        masks: vec![0; rows * widths.mask],
        actions: vec![0; rows],
    };
    let mut rewards = vec![0.0; rows];
    let (mut terminated, mut truncated) = (vec![false; rows], vec![false; rows]);
    let mut seen = Vec::new();
    for call in 0..=walk.steps {
        // The reset writes one row per environment.
        let rows = if call == 0 { walk.count } else { rows };
        let mut batch = Batch {
            observations: &mut held.observations[..rows * widths.observation],
            masks: &mut held.masks[..rows * widths.mask],
            rewards: &mut rewards[..rows],
            terminated: &mut terminated[..rows],
            truncated: &mut truncated[..rows],
            flags: &mut [],
            final_observations: &mut [],
            final_flags: &mut [],
            // The reset used other rows.
            rows: if call < 2 {
                BufferContents::Fresh
            } else {
                walk.rows[call % walk.rows.len()]
            },
        };
        if call == 0 {
            envs.reset(Some(walk.seed), &mut batch).expect("a reset");
            continue;
        }
        envs.collect(steps, &mut held.actions, &mut batch)
            .expect("valid actions");
        seen.push(held.clone());
    }
    seen
}
