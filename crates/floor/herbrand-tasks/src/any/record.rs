//! Walks that are written as traces.

use std::fmt::Display;

use herbrand_core::trace::{Header, Recorder, Seeded};
use herbrand_core::{ActionTextError, Choice, Described, Streams, System};
use herbrand_limits::Budget;

use crate::any_error::{AnyError, ErrorKind};

/// A walk from the initial state of a problem, to be written as a trace.
#[derive(Clone, Debug)]
pub struct WalkRecord<'a> {
    /// The names of the domain and of the problem; `None` if the trace contains their texts.
    pub names: Option<(&'a str, &'a str)>,
    /// The texts of a problem without a name, so that one file says everything.
    pub texts: Option<serde_json::Value>,
    /// The seed of random draws.
    pub seed: u64,
    /// The steps, each the texts of the actions that are taken together.
    pub steps: &'a [Vec<String>],
}

/// Takes the steps of a walk from the initial state, and calls `visit` before each with its choices, and at the end.
pub(super) fn follow<S: Described, E: Display>(
    system: &mut S,
    walk: &WalkRecord<'_>,
    budget: &Budget,
    mut visit: impl FnMut(&S, Option<&[Choice]>) -> Result<(), E>,
) -> Result<(), AnyError> {
    let failed = |error: &dyn Display| AnyError::new(ErrorKind::Action, error);
    let mut streams = Streams::new(walk.seed);
    system
        .reset(&mut streams.outcomes)
        .map_err(|error| failed(&error))?;
    for joint in walk.steps {
        let parsed = joint.iter().map(|text| system.parse_joint(text));
        let choices: Result<Vec<_>, ActionTextError> = parsed.collect();
        let choices = choices.map_err(|error| failed(&error))?.concat();
        visit(system, Some(&choices)).map_err(|error| failed(&error))?;
        System::step(system, &choices, &mut streams.outcomes).map_err(|error| failed(&error))?;
        let in_time = budget.check("recording", 0);
        in_time.map_err(|error| AnyError::new(ErrorKind::Limit, error))?;
    }
    visit(system, None).map_err(|error| failed(&error))
}

/// Writes a walk of a system as a trace whose lines are [`Visit`](herbrand_core::trace::Visit)s. `header` makes its header from
/// the names of the domain and the problem.
pub(super) fn visits<S: Described>(
    mut system: S,
    walk: &WalkRecord<'_>,
    budget: &Budget,
    header: impl FnOnce(&S, (&str, &str)) -> Header,
) -> Result<Vec<u8>, AnyError> {
    let failed = |error: std::io::Error| AnyError::new(ErrorKind::Action, error);
    let header = Header {
        seeded: Some(Seeded::Outcomes),
        texts: walk.texts.clone(),
        ..header(&system, walk.names.unwrap_or(("domain.pddl", "problem.pddl")))
    };
    let mut recorder = Recorder::new(&header, Vec::new()).map_err(failed)?;
    let mut steps = 0..;
    follow(&mut system, walk, budget, |system, joint| {
        recorder.visit(0, steps.next().unwrap_or_default(), system, joint)
    })?;
    recorder.finish().map_err(failed)
}
