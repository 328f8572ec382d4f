//! Recording random walks without grounding their problem.

use std::io::Write;

use super::follow::Follower;
use super::follow_lifted::Lifted;
use super::record::{header, write_line};
use super::{RecordOptions, TraceError, Visit};
use crate::{AgentActionId, Engine, LiftedPlanning, Streams};

/// Writes the walks that [`record`](super::record) would write, by a lifted engine: the same bytes, and of
/// problems too large to be grounded too. Returns the number of states written.
///
/// # Errors
/// When writing fails, or a step is refused.
pub fn record_lifted(
    engine: LiftedPlanning,
    domain: &str,
    problem: &str,
    options: &RecordOptions,
    out: &mut impl Write,
) -> Result<u64, TraceError> {
    let mut lifted = Lifted::new(engine);
    let statics = lifted.statics();
    let statics = lifted.names(&statics);
    let header = header(
        domain,
        problem,
        options.seed,
        statics,
        lifted.engine.agent_actions(),
    );
    write_line(out, &header)?;
    let mut states = 0;
    for walk in 0..options.walks {
        let mut streams = Streams::new(options.seed.wrapping_add(walk));
        lifted.engine.reset(&mut streams.outcomes)?;
        let mut joint = Vec::new();
        for step in 0.. {
            let goes_on = step < options.steps && lifted.engine.sample(&mut streams.actions, &mut joint);
            let chosen = joint.first().copied().filter(|_| goes_on);
            write_line(out, &describe(&mut lifted, walk, step, chosen))?;
            states += 1;
            if chosen.is_none() {
                break;
            }
            lifted.engine.step(&joint, &mut streams.outcomes)?;
        }
    }
    Ok(states)
}

fn describe(lifted: &mut Lifted, walk: u64, step: u64, chosen: Option<AgentActionId>) -> Visit {
    let seen = lifted.observe(false);
    let (derived, fluents): (Vec<_>, Vec<_>) = seen.into_iter().partition(|&id| lifted.is_derived(id));
    Visit {
        walk,
        step,
        fluents: Some(lifted.names(&fluents)),
        derived: Some(lifted.names(&derived)),
        atoms: None,
        actions: lifted.valid_actions().into_iter().collect(),
        goal: lifted.is_goal(),
        chosen: chosen.and_then(|action| lifted.engine.action_text(action)),
    }
}
