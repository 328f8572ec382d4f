//! The lines of a trace file.

use std::collections::BTreeMap;
use std::io;

use herbrand_core::trace::{self, FileError, RECORDER, Seeded, VERSION};
use herbrand_rddl::{Horizon, Limit};
use serde::{Deserialize, Serialize};

use super::cell::{Cell, range_name};
use crate::simulate::{CompiledInstance, GroundFluents, StepError};

/// The first line of a trace: the engine, the problem, and the fluents that the values of the lines belong to.
/// [`RddlHeader::of`] creates it for [`RddlRecorder::new`](super::RddlRecorder::new), and
/// [`Replayer::read_header`](super::Replayer::read_header) reads it.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RddlHeader {
    /// The engine that recorded the trace.
    #[serde(default)]
    pub oracle: String,
    /// The version of the format; `None` in files of other engines and of earlier versions of this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<u32>,
    /// The domain's file, relative to the trace, or the name of a bundled environment.
    pub domain: String,
    /// The instance's file, relative to the trace, or the name of a problem of the bundled environment, such as `1`.
    pub instance: String,
    /// A description of how the numbers `u` of the steps were chosen; `None` if the steps have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u: Option<String>,
    /// The seed of the walks; `None` if it is unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// The part of the trace that the seed determines: the outcomes, or also the actions. `None` if neither, or unknown.
    /// Outcomes at quantiles need no seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seeded: Option<Seeded>,
    /// The maximum number of action fluents per step that differ from their defaults. Without a limit, the number of all
    /// ground action fluents.
    pub max_nondef_actions: u64,
    /// The number of steps after which an episode is truncated; `None` for no limit.
    #[serde(default)]
    pub horizon: Option<u64>,
    /// The discount factor per step.
    pub discount: f64,
    /// The number of conditions whose violations are compared: the first of the action preconditions and the state-action
    /// constraints, in this order. This engine records all of them.
    pub preconditions: usize,
    /// The range of each state fluent: `bool`, `int`, `real` or a type.
    #[serde(default)]
    pub state_ranges: BTreeMap<String, String>,
    /// The ground state fluents, in the order of the values of a state.
    pub state_names: Vec<String>,
    /// The range of each intermediate and derived fluent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub interm_ranges: BTreeMap<String, String>,
    /// The ground intermediate and derived fluents, in the order of their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interm_names: Vec<String>,
    /// The range of each observ fluent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub observ_ranges: BTreeMap<String, String>,
    /// The ground observ fluents, in the order of their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observ_names: Vec<String>,
    /// The texts of domain, instance and settings; `None` if the trace does not contain them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub texts: Option<serde_json::Value>,
    /// The keys of the line that the format does not define, reported as warnings. They are not written.
    #[serde(skip)]
    pub unknown: Vec<String>,
}

impl trace::TraceHeader for RddlHeader {
    fn version(&self) -> Option<u32> {
        self.version
    }

    fn unknown(&mut self) -> &mut Vec<String> {
        &mut self.unknown
    }
}

impl RddlHeader {
    /// Creates the header of a trace that this engine records of `compiled`, with the given names of domain and instance.
    /// `u`, `seed`, `seeded` and `texts` are `None`. Pass it to [`RddlRecorder::new`](super::RddlRecorder::new).
    #[must_use]
    pub fn of(compiled: &CompiledInstance, (domain, instance): (&str, &str)) -> Self {
        let model = &compiled.instance;
        let names =
            |fluents: &GroundFluents| (0..fluents.len()).map(|at| compiled.name(fluents, at)).collect();
        let ranges = |fluents: &GroundFluents| {
            let each = fluents.pvariables.iter().map(|&(id, _)| {
                let pvariable = model.domain.pvariable(id);
                (pvariable.name.to_string(), range_name(compiled, pvariable.range))
            });
            each.collect()
        };
        Self {
            oracle: RECORDER.to_owned(),
            version: Some(VERSION),
            domain: domain.to_owned(),
            instance: instance.to_owned(),
            max_nondef_actions: match model.max_nondef_actions {
                Limit::AtMost(most) => u64::from(most),
                Limit::Unlimited => compiled.action.len() as u64,
            },
            horizon: match model.horizon {
                Horizon::Steps(steps) => Some(u64::from(steps)),
                Horizon::Infinite => None,
            },
            discount: model.discount,
            preconditions: compiled.precondition_count(),
            state_ranges: ranges(&compiled.state),
            state_names: names(&compiled.state),
            interm_ranges: ranges(&compiled.interm),
            interm_names: names(&compiled.interm),
            observ_ranges: ranges(&compiled.observ),
            observ_names: names(&compiled.observ),
            ..Self::default()
        }
    }
}

/// A line of a trace: a state of a walk, with the step taken there. If [`end`](Self::end) is set, it is the last state of
/// the walk. [`RddlRecorder::visit`](super::RddlRecorder::visit) writes lines, and [`Replayer::replay`](super::Replayer::replay)
/// reads them.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct TraceLine {
    /// The number of the walk (the recorded episode) in the trace, counted from 0.
    pub walk: u64,
    /// The number of the state in the walk, from 0. The last line after a refused step repeats the number of that step.
    pub step: u64,
    /// The number in (0, 1) whose quantile each draw of the step is; `None` for other sources of draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub u: Option<f64>,
    /// The key of this engine's generator for the draws of the step, in hexadecimal digits; `None` for other sources of
    /// draws.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The values of the state fluents before the step, in the order of [`RddlHeader::state_names`].
    pub state: Vec<Cell>,
    /// The names and values of the action fluents that differ from their defaults; `None` at the end of a walk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<BTreeMap<String, Cell>>,
    /// The indices, from 0, of the action preconditions that the step violated; state-action constraints follow them.
    /// `None` like all results if the step was refused, or at the end of a walk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precondition_violated: Option<Vec<usize>>,
    /// The reward of the step; `None` like all results if the step was refused, or at the end of a walk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reward: Option<Cell>,
    /// The values of the intermediate and derived fluents in the step, in the order of [`RddlHeader::interm_names`]; `None`
    /// also if there are no such fluents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interm: Option<Vec<Cell>>,
    /// The values of the observ fluents after the step, in the order of [`RddlHeader::observ_names`]; `None` also if there
    /// are no such fluents.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub observ: Option<Vec<Cell>>,
    /// Whether a termination condition holds in the next state; `None` like all results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub terminated: Option<bool>,
    /// Whether the episode is cut off: an invariant is violated in the next state, or the horizon is reached; `None`
    /// like all results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truncated: Option<bool>,
    /// The reason why the step was refused; `None` if it was taken. With a reason, the line has no results.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The reason why the walk ends here: `termination`, `state invariant`, `horizon`, `recording stops` or `error`.
    /// `None` in all other lines of the walk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<String>,
}

/// The reason why a trace could not be written or replayed. [`record()`](super::record()),
/// [`RddlRecorder`](super::RddlRecorder) and [`Replayer`](super::Replayer) return it.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The file cannot be read or written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The header names a ground fluent that the problem does not have.
    #[error("the trace has a ground fluent `{0}`, but the problem does not")]
    UnknownFluent(String),
    /// The simulator could not enter a recorded state.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The recorded environment could not be created or stepped.
    #[error(transparent)]
    Env(#[from] crate::suite::RddlError),
}

impl From<io::Error> for TraceError {
    fn from(error: io::Error) -> Self {
        Self::File(error.into())
    }
}
