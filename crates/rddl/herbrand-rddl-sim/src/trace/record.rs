//! Recording of walks.

use std::collections::BTreeMap;
use std::io::Write;

use herbrand_core::trace::{Seeded, write_line};
use herbrand_core::{Choice, FieldValue, Status, Streams, System};
use herbrand_distributions::{DrawKey, Quantiles};

use super::{Cell, RddlHeader, TraceError, TraceLine};
use crate::simulate::{
    CompiledInstance, FluentValue, GroundFluents, Preconditions, RddlSimulator, StepError,
};

/// The source of the random draws in the walks of [`record()`], an option in [`RecordOptions::draws`]. The default is
/// [`Quantiles`](Self::Quantiles).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DrawRule {
    /// Every draw of a step is the `u`-quantile of its distribution, where `u` is the fractional part of `(step + 1) *
    /// 0.6180339887498949 + walk * 0.41421356237309515`. Any engine can reproduce such a trace.
    #[default]
    Quantiles,
    /// Every draw of a step comes from the generator, as in environments. Only this engine can reproduce such a trace.
    Generator,
}

impl DrawRule {
    /// The description of the quantiles in the header.
    pub(super) const IN_WORDS: &str = "u = x - floor(x), x = (step + 1) * 0.6180339887498949 + walk * 0.41421356237309515 in \
                            doubles; one u for all draws of a step";

    /// Returns the number `u` of a step.
    pub(super) fn quantile(walk: u64, step: u64) -> f64 {
        let x = (step + 1) as f64 * 0.618_033_988_749_894_9 + walk as f64 * 0.414_213_562_373_095_15;
        x - x.floor()
    }
}

/// The options of [`record()`]. By default, 2 walks of at most 25 steps with seed 0 and [`DrawRule::Quantiles`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordOptions {
    /// The number of walks. The actions of walk `i` use seed `seed + i`.
    pub walks: u64,
    /// The maximum number of steps per walk. A walk also ends with its episode.
    pub steps: u64,
    /// The seed of the first walk.
    pub seed: u64,
    /// The source of random draws.
    pub draws: DrawRule,
}

impl Default for RecordOptions {
    fn default() -> Self {
        Self {
            walks: 2,
            steps: 25,
            seed: 0,
            draws: DrawRule::default(),
        }
    }
}

/// The numbers of steps, of violating steps and of broken walks in a trace, returned by [`record()`] and [`RddlRecorder::recorded`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordedCounts {
    /// The number of steps, refused steps included.
    pub steps: u64,
    /// The number of steps whose joint action violated an action precondition and was carried out or replaced.
    pub violating_steps: u64,
    /// The number of walks that a broken state invariant ended.
    pub broken_walks: u64,
}

/// Records walks (episodes) with random joint actions ([`System::sample`]) as a trace, written to `out`. `names` are
/// the names of domain and instance, copied into the header. Returns the numbers of steps, of steps that violated a
/// precondition, and of walks that a broken invariant ended. Each walk begins in the initial state. It ends after the
/// steps of the options, at the horizon, by a termination condition, a broken invariant or a refused step, or where no
/// action is possible. Does not flush `out`. A [`Replayer`](super::Replayer) reads the trace.
///
/// # Errors
/// Fails if writing fails, and if an enclosing budget is exhausted. A step that is refused is recorded as such, and ends
/// its walk.
pub fn record(
    mut simulator: RddlSimulator,
    names: (&str, &str),
    options: &RecordOptions,
    out: &mut impl Write,
) -> Result<RecordedCounts, TraceError> {
    let mut header = RddlHeader::of(simulator.compiled(), names);
    header.seed = Some(options.seed);
    // A replay samples under preconditions that are reported.
    header.seeded = Some(match simulator.preconditions() {
        Preconditions::Reported | Preconditions::Replaced => Seeded::Walks,
        Preconditions::Refused | Preconditions::Ignored => Seeded::Outcomes,
    });
    if options.draws == DrawRule::Quantiles {
        header.u = Some(DrawRule::IN_WORDS.to_owned());
    }
    let mut recorder = RddlRecorder::new(header, out)?;
    for walk in 0..options.walks {
        record_walk(&mut simulator, walk, options, &mut recorder)?;
    }
    Ok(recorder.recorded())
}

fn record_walk<W: Write>(
    simulator: &mut RddlSimulator,
    walk: u64,
    options: &RecordOptions,
    recorder: &mut RddlRecorder<W>,
) -> Result<(), TraceError> {
    let mut streams = Streams::new(options.seed.wrapping_add(walk));
    simulator.restart();
    let mut joint = Vec::new();
    for step in 0.. {
        let status = simulator.current_status();
        let over = step >= options.steps || recorder.reaches_horizon(step) || status.is_final();
        if over || !simulator.sample(&mut streams.actions, &mut joint) {
            return recorder.visit(walk, simulator, None);
        }
        recorder.visit(walk, simulator, Some(&joint))?;
        let taken = match options.draws {
            DrawRule::Quantiles => {
                let u = DrawRule::quantile(walk, step);
                simulator.advance(&joint, &Quantiles::at(u))
            }
            DrawRule::Generator => simulator.step(&joint, &mut streams.outcomes),
        };
        if let Err(error) = taken {
            return recorder.refuse(simulator, &error);
        }
    }
    Ok(())
}

/// The end of a walk that a broken state invariant cut off.
const BROKEN: &str = "state invariant";

/// A writer of traces, step by step, for walks that the caller steps.
///
/// A line contains the state before a step, the joint action that was carried out, and the results of the step. It is
/// written when the state after the step is [visited](Self::visit). Create it by [`new`](Self::new), call
/// [`visit`](Self::visit) in every state, and [`finish`](Self::finish) at the end.
#[derive(Debug)]
pub struct RddlRecorder<W> {
    out: W,
    horizon: Option<u64>,
    /// The line of the current step, whose results are not yet known.
    begun: Option<TraceLine>,
    /// The number of the next state in its walk.
    step: u64,
    recorded: RecordedCounts,
}

impl<W: Write> RddlRecorder<W> {
    /// Creates a recorder and writes the header, such as [`RddlHeader::of`] creates, to `out`. Call [`visit`](Self::visit)
    /// in every state next.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn new(header: RddlHeader, mut out: W) -> Result<Self, TraceError> {
        write_line(&mut out, &header)?;
        Ok(Self {
            out,
            horizon: header.horizon,
            begun: None,
            step: 0,
            recorded: RecordedCounts::default(),
        })
    }

    /// Writes the step that led to the current state of `simulator`, and begins the line of the next step. Call it in each
    /// state of a walk, before the step. `joint` is the joint action chosen in the state, or `None` at the end of the walk;
    /// `walk` is the number of the walk, from 0. After the end of a walk, the next state begins another one.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn visit(
        &mut self,
        walk: u64,
        simulator: &RddlSimulator,
        joint: Option<&[Choice]>,
    ) -> Result<(), TraceError> {
        if let Some(mut line) = self.begun.take() {
            if simulator.has_replaced() {
                line.action = Some(action(simulator.compiled(), &[]));
            }
            self.recorded.violating_steps += u64::from(simulator.has_violated());
            self.write(&outcome(line, simulator, self.horizon))?;
        }
        let compiled = simulator.compiled();
        let line = TraceLine {
            walk,
            step: self.step,
            state: cells(compiled, &compiled.state, |at| Some(simulator.fluent(at))),
            ..TraceLine::default()
        };
        let Some(joint) = joint else {
            let end = self.end(simulator.current_status());
            self.recorded.broken_walks += u64::from(end == BROKEN);
            return self.finish_walk(line, end);
        };
        self.step += 1;
        self.begun = Some(TraceLine {
            action: Some(action(compiled, joint)),
            ..line
        });
        Ok(())
    }

    /// Records that the step begun by the last [`visit`](Self::visit) was refused with `error`, and ends the walk. Does
    /// nothing if no step was begun.
    ///
    /// # Errors
    /// Fails if writing fails, or if `error` is an exhausted budget, which is returned.
    pub fn refuse(&mut self, simulator: &RddlSimulator, error: &StepError) -> Result<(), TraceError> {
        if let StepError::BudgetExhausted(_) = error {
            return Err(error.clone().into());
        }
        let Some(begun) = self.begun.take() else {
            return Ok(());
        };
        let mut line = begun.clone();
        (line.u, line.key) = key(simulator);
        // A trace does not depend on the places of files.
        line.error = Some(match error {
            StepError::Value { owner, error, .. } => format!("{owner}: {error}"),
            error => error.to_string(),
        });
        self.write(&line)?;
        let last = TraceLine {
            walk: begun.walk,
            step: begun.step,
            state: begun.state,
            ..TraceLine::default()
        };
        self.finish_walk(last, "error")
    }

    fn finish_walk(&mut self, line: TraceLine, end: &str) -> Result<(), TraceError> {
        self.step = 0;
        let line = TraceLine {
            end: Some(end.to_owned()),
            ..line
        };
        Ok(write_line(&mut self.out, &line)?)
    }

    /// Returns why a walk ends in a state.
    const fn end(&self, status: Status) -> &'static str {
        match status {
            Status { terminal: true, .. } => "termination",
            Status { broken: true, .. } => BROKEN,
            _ if self.reaches_horizon(self.step) => "horizon",
            _ => "recording stops",
        }
    }

    /// Returns whether an episode of this many steps has reached the horizon.
    const fn reaches_horizon(&self, steps: u64) -> bool {
        matches!(self.horizon, Some(horizon) if steps >= horizon)
    }

    fn write(&mut self, line: &TraceLine) -> Result<(), TraceError> {
        self.recorded.steps += 1;
        Ok(write_line(&mut self.out, line)?)
    }

    /// Returns the numbers of steps and walks written so far.
    #[must_use]
    pub const fn recorded(&self) -> RecordedCounts {
        self.recorded
    }

    /// Flushes the output and returns the writer given to [`new`](Self::new). A step that was begun without a later
    /// [`visit`](Self::visit) is not written.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn finish(mut self) -> Result<W, TraceError> {
        self.out.flush()?;
        Ok(self.out)
    }
}

/// Completes a line with the results of the step that led to the current state.
fn outcome(line: TraceLine, simulator: &RddlSimulator, horizon: Option<u64>) -> TraceLine {
    let compiled = simulator.compiled();
    let status = simulator.current_status();
    let (u, key) = key(simulator);
    let values = |fluents: &GroundFluents, value: &dyn Fn(usize) -> Option<FluentValue>| {
        (!fluents.is_empty()).then(|| cells(compiled, fluents, value))
    };
    TraceLine {
        u,
        key,
        precondition_violated: Some(simulator.violated_by_step().collect()),
        reward: simulator.last_reward().map(Cell::real),
        interm: values(&compiled.interm, &|at| simulator.interm(at)),
        observ: values(&compiled.observ, &|at| simulator.observed(at)),
        terminated: Some(status.terminal),
        truncated: Some(status.broken || horizon == Some(line.step + 1)),
        ..line
    }
}

/// Returns the source of the random numbers of the last step.
fn key(simulator: &RddlSimulator) -> (Option<f64>, Option<String>) {
    match simulator.last_key() {
        Some(DrawKey::Quantile(u)) => (Some(u), None),
        Some(DrawKey::Word(word)) => (None, Some(format!("{word:016x}"))),
        None => (None, None),
    }
}

fn cells(
    compiled: &CompiledInstance,
    fluents: &GroundFluents,
    value: impl Fn(usize) -> Option<FluentValue>,
) -> Vec<Cell> {
    let values = (0..fluents.len()).filter_map(|at| Some((at, value(at)?)));
    values
        .map(|(at, value)| Cell::of(&compiled.instance, compiled.range(fluents, at), value))
        .collect()
}

/// Returns the action fluents of a joint action that differ from their defaults.
pub(super) fn action(compiled: &CompiledInstance, joint: &[Choice]) -> BTreeMap<String, Cell> {
    let fields = compiled.actions().fields();
    let set = joint.iter().filter_map(|choice| {
        let field = fields.get(choice.field as usize)?;
        let range = compiled.range(&compiled.action, choice.field as usize);
        let value = match choice.value {
            FieldValue::Discrete(place) if range == herbrand_rddl::Range::Bool => {
                FluentValue::Bool(place != 0)
            }
            FieldValue::Discrete(place) => FluentValue::Int(i64::from(place)),
            FieldValue::Int(value) => FluentValue::Int(value),
            FieldValue::Real(value) => FluentValue::Real(value),
        };
        let differs = field.default != Some(choice.value);
        differs.then(|| (field.name.clone(), Cell::of(&compiled.instance, range, value)))
    });
    set.collect()
}
