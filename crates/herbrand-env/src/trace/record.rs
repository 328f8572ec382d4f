//! Recording random walks.

use std::io::Write;

use super::observer::Observer;
use super::{Header, TraceError, Visit};
use crate::{AgentActionId, Engine, Instance, Streams};

/// How many walks are recorded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOptions {
    /// The number of walks. Walk `i` is that of seed `seed + i`.
    pub walks: u64,
    /// The most steps of a walk; a dead end may end it earlier. Walks go on past goals.
    pub steps: u64,
    /// The seed of the first walk.
    pub seed: u64,
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self {
            walks: 2,
            steps: 25,
            seed: 0,
        }
    }
}

/// Writes walks of a random policy, uniform over the valid actions of `instance`. `domain` and `problem` go into the
/// header as they are. Returns the number of states written.
///
/// # Errors
/// When writing fails, or a step is refused.
pub fn record(
    instance: &Instance,
    domain: &str,
    problem: &str,
    options: &RecordOptions,
    out: &mut impl Write,
) -> Result<u64, TraceError> {
    let observer = Observer::new(instance.atoms());
    let agent = instance.space().agent_actions();
    let header = Header {
        oracle: concat!("herbrand ", env!("CARGO_PKG_VERSION")).to_owned(),
        domain: domain.to_owned(),
        problem: problem.to_owned(),
        seed: options.seed,
        statics: Some(observer.names(observer.statics())),
        agent_actions: agent.map(|agent| {
            let names = agent.actions().iter().map(|action| action.name.to_string());
            names.collect()
        }),
        repeated_objects_excluded: false,
    };
    write_line(out, &header)?;
    let mut states = 0;
    for walk in 0..options.walks {
        states += record_walk(instance, &observer, walk, options, out)?;
    }
    Ok(states)
}

fn record_walk(
    instance: &Instance,
    observer: &Observer<'_>,
    walk: u64,
    options: &RecordOptions,
    out: &mut impl Write,
) -> Result<u64, TraceError> {
    let mut engine = instance.engine();
    let mut streams = Streams::new(options.seed.wrapping_add(walk));
    engine.reset(&mut streams.outcomes)?;
    let (mut valid, mut joint) = (Vec::new(), Vec::new());
    let name = |action: AgentActionId| instance.space().display(action).to_string();
    for step in 0.. {
        engine.valid_actions(&mut valid);
        let mut actions = valid.iter().map(|&action| name(action)).collect::<Vec<_>>();
        actions.sort();
        let goes_on = step < options.steps && engine.sample(&mut streams.actions, &mut joint);
        let chosen = joint.first().copied().filter(|_| goes_on);
        let (derived, fluents) = observer
            .observe(engine.walker(), false)
            .into_iter()
            .partition::<Vec<_>, _>(|&id| observer.is_derived(id));
        write_line(
            out,
            &Visit {
                walk,
                step,
                fluents: Some(observer.names(&fluents)),
                derived: Some(observer.names(&derived)),
                atoms: None,
                actions,
                goal: engine.is_goal(),
                chosen: chosen.map(name),
            },
        )?;
        let Some(action) = chosen else {
            return Ok(step + 1);
        };
        engine.step(&[action], &mut streams.outcomes)?;
    }
    Ok(0)
}

fn write_line(out: &mut impl Write, line: &impl serde::Serialize) -> Result<(), TraceError> {
    serde_json::to_writer(&mut *out, line).map_err(std::io::Error::from)?;
    out.write_all(b"\n")?;
    Ok(())
}
