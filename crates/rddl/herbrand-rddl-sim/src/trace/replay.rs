//! Replay of traces, with a comparison of every step.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_core::trace::{FileError, TraceLines, read_header};
use herbrand_core::{ActionTextError, Choice, FieldValue, Transition};
use herbrand_distributions::Quantiles;
use herbrand_rddl::Range;

use super::header::differences;
use super::seed::SeedCheck;
use super::{Cell, Difference, RddlHeader, StepDifferences, TraceError, TraceLine};
use crate::simulate::{
    CompiledInstance, FluentValue, GroundFluents, Preconditions, RddlSimulator, StepError, Values,
};

/// The result of replaying a trace, returned by [`Replayer::replay`]. It counts the steps with different results, and the
/// walks with a different first state.
pub type Replay = herbrand_core::trace::Replay<StepDifferences>;

/// Follows a trace of one problem step by step and compares the results with this engine: call
/// [`read_header`](Self::read_header), [`new`](Self::new) and [`replay`](Self::replay), in this order.
///
/// Every step begins in the recorded state, so that rounding errors do not accumulate. Bools, ints and items must be
/// equal. Reals may differ by 1e-9, relative to the recorded number if its absolute value is above 1; NaN equals NaN.
#[derive(Debug)]
pub struct Replayer {
    simulator: RddlSimulator,
    header: RddlHeader,
    /// By position in the header: the index of the fluent.
    state: Vec<usize>,
    interm: Vec<usize>,
    observ: Vec<usize>,
    /// By name: the action field.
    fields: HashMap<String, u32, FxBuildHasher>,
    replay: Replay,
    seed: SeedCheck,
    line: usize,
    /// The previous line. The simulator is in its state unless its step was taken.
    last: Option<TraceLine>,
}

impl Replayer {
    /// Creates a replayer for a trace of `compiled` with the header that [`read_header`](Self::read_header) returned.
    /// Violated preconditions do not prevent steps. Then call [`replay`](Self::replay).
    ///
    /// # Errors
    /// Fails if the header names ground fluents that the problem does not have.
    pub fn new(compiled: &Arc<CompiledInstance>, header: RddlHeader) -> Result<Self, TraceError> {
        let fields = (0..).zip(compiled.actions().fields());
        Ok(Self {
            state: places(compiled, &compiled.state, &header.state_names)?,
            interm: places(compiled, &compiled.interm, &header.interm_names)?,
            observ: places(compiled, &compiled.observ, &header.observ_names)?,
            fields: fields.map(|(field, one)| (one.name.clone(), field)).collect(),
            simulator: RddlSimulator::new(Arc::clone(compiled), Preconditions::Reported),
            replay: Replay {
                warnings: differences(&header, compiled),
                ..Replay::default()
            },
            seed: SeedCheck::of(&header),
            header,
            line: 1,
            last: None,
        })
    }

    /// Reads the header of a trace and leaves `lines` at the first state.
    ///
    /// # Errors
    /// Fails if reading fails, there is no line, the line is no header, or it has another version of the format. A header
    /// without a version is accepted.
    pub fn read_header(lines: &mut impl BufRead) -> Result<RddlHeader, TraceError> {
        Ok(read_header(lines)?)
    }

    /// Replays all lines after the header, which `lines` must already have passed. Each step is computed from the
    /// recorded state and compared with the recorded results.
    ///
    /// # Errors
    /// Fails if reading fails, if a line is malformed or out of order, or if the file ends in the midst of a walk. Also if a
    /// state has another number of values than the header names, or a value outside its range. Also if a step has neither
    /// `u` nor `key`, or if an enclosing budget is exhausted. Differences are not errors; they are counted.
    pub fn replay(mut self, lines: impl BufRead) -> Result<Replay, TraceError> {
        let mut lines = TraceLines::after(&mut self.header, lines);
        while let Some(line) = lines.read()? {
            self.line = lines.number();
            self.follow(line)?;
        }
        if self.last.as_ref().is_some_and(|last| last.end.is_none()) {
            return Err(self.fault("the file ends in the midst of a walk".to_owned()));
        }
        let mut replay = self.replay;
        replay.warnings.append(&mut self.seed.warnings);
        replay.warnings.extend(lines.into_warnings());
        replay.warnings.sort_by_key(|warning| warning.line);
        Ok(replay)
    }

    /// Processes a line: compares the previous step with it, and moves to its state.
    fn follow(&mut self, line: TraceLine) -> Result<(), TraceError> {
        let recorded = self.values(&line)?;
        match self.last.take() {
            Some(last) if last.end.is_none() => {
                self.check_order(&last, &line)?;
                self.compare_step(&last, &line.state)?;
            }
            _ if line.step == 0 => {
                self.compare_start(&line);
                self.seed.begin_walk(line.walk);
            }
            _ => return Err(self.fault(format!("walk {} does not begin with step 0", line.walk))),
        }
        self.simulator.go_to(&recorded)?;
        self.seed.compare(&self.simulator, &line, self.line);
        self.last = Some(line);
        Ok(())
    }

    fn check_order(&self, last: &TraceLine, line: &TraceLine) -> Result<(), TraceError> {
        // A refused step is followed by another attempt.
        let next = last.step + u64::from(last.error.is_none());
        if last.walk == line.walk && line.step == next {
            return Ok(());
        }
        let (step, walk) = (line.step, line.walk);
        Err(self.fault(format!(
            "step {step} of walk {walk} does not follow the line before"
        )))
    }

    fn fault(&self, message: String) -> TraceError {
        let line = self.line;
        FileError::Format { line, message }.into()
    }

    /// Returns the recorded state of a line.
    fn values(&self, line: &TraceLine) -> Result<Values, TraceError> {
        let compiled = self.simulator.compiled();
        if line.state.len() != self.state.len() {
            let (found, expected) = (line.state.len(), self.state.len());
            return Err(self.fault(format!("the state has {found} values, not {expected}")));
        }
        let mut values = compiled.initial().clone();
        for (&at, cell) in self.state.iter().zip(&line.state) {
            let value = cell.value(&compiled.instance, compiled.range(&compiled.state, at));
            let set = value.is_some_and(|value| compiled.state.section.set(&mut values, at, value));
            if !set {
                let name = compiled.name(&compiled.state, at);
                return Err(self.fault(format!("`{name}` cannot be {cell}")));
            }
        }
        Ok(values)
    }

    /// Compares the first state of a walk with the initial state.
    fn compare_start(&mut self, line: &TraceLine) {
        self.simulator.restart();
        let mut differences = Vec::new();
        self.compare(&line.state, ValueGroup::State, &mut |name, recorded, here| {
            differences.push(Difference::Start { name, recorded, here });
        });
        self.mismatch(self.line, line, differences);
    }

    /// Takes the recorded step of `line` and compares its results. `next` is the recorded next state.
    fn compare_step(&mut self, line: &TraceLine, next: &[Cell]) -> Result<(), TraceError> {
        self.replay.states += 1;
        let differences = match self.joint(line.action.as_ref()) {
            Err(error) => vec![Difference::Action(error.to_string())],
            Ok(joint) => match (self.take(line, &joint)?, &line.error) {
                (Ok(_), Some(recorded)) => vec![Difference::Accepted {
                    recorded: recorded.clone(),
                }],
                (Err(_), Some(_)) => Vec::new(),
                (Err(error), None) => vec![Difference::Refused(error.to_string())],
                (Ok(transition), None) => self.compare_outcome(line, next, transition),
            },
        };
        self.mismatch(self.line - 1, line, differences);
        Ok(())
    }

    /// Takes a step with the recorded random numbers.
    fn take(
        &mut self,
        line: &TraceLine,
        joint: &[Choice],
    ) -> Result<Result<Transition, StepError>, TraceError> {
        let word = line.key.as_deref().map(|digits| u64::from_str_radix(digits, 16));
        let taken = match (line.u, word) {
            (Some(u), _) => self.simulator.advance(joint, &Quantiles::at(u)),
            (None, Some(Ok(word))) => self.simulator.advance_by(joint, word),
            (None, Some(Err(_))) => {
                return Err(self.fault("`key` is not a hexadecimal number of 64 bits".to_owned()));
            }
            (None, None) => {
                return Err(self.fault("the step before has neither `u` nor `key`".to_owned()));
            }
        };
        // Of a step that ran out of its budget nothing can be said.
        match taken {
            Err(error @ StepError::BudgetExhausted(_)) => Err(error.into()),
            taken => Ok(taken),
        }
    }

    /// Parses the joint action of a line.
    fn joint(&self, action: Option<&BTreeMap<String, Cell>>) -> Result<Vec<Choice>, ActionTextError> {
        let compiled = self.simulator.compiled();
        let choice = |(name, cell): (&String, &Cell)| {
            let unknown = || ActionTextError::new(format!("there is no action fluent `{name}`"));
            let field = *self.fields.get(name).ok_or_else(unknown)?;
            let range = compiled.range(&compiled.action, field as usize);
            let value = cell.value(&compiled.instance, range);
            let unfit = || ActionTextError::new(format!("`{name}` cannot be {cell}"));
            let value = match (range, value.ok_or_else(unfit)?) {
                (_, FluentValue::Bool(value)) => FieldValue::Discrete(u32::from(value)),
                (Range::Item(_), FluentValue::Int(place)) => FieldValue::Discrete(place as u32),
                (_, FluentValue::Int(value)) => FieldValue::Int(value),
                (_, FluentValue::Real(value)) => FieldValue::Real(value),
            };
            Ok(Choice { field, value })
        };
        action.into_iter().flatten().map(choice).collect()
    }

    fn compare_outcome(&self, line: &TraceLine, next: &[Cell], transition: Transition) -> Vec<Difference> {
        let mut differences = Vec::new();
        let mut differ = |name: String, recorded: String, here: String| {
            differences.push(Difference::Value { name, recorded, here });
        };
        let reward = line.reward.as_ref();
        if !reward
            .and_then(Cell::as_real)
            .is_some_and(|recorded| close(transition.reward, recorded))
        {
            let recorded = reward.map_or_else(|| "missing".to_owned(), Cell::to_string);
            differ(
                "reward".to_owned(),
                recorded,
                Cell::real(transition.reward).to_string(),
            );
        }
        let preconditions = self.header.preconditions;
        let violated = self.simulator.violated().filter(|&number| number < preconditions);
        let violated: Vec<usize> = violated.collect();
        let recorded = line.precondition_violated.as_deref().unwrap_or_default();
        if violated != recorded {
            differ(
                "precondition_violated".to_owned(),
                format!("{recorded:?}"),
                format!("{violated:?}"),
            );
        }
        let (status, after) = (transition.status, line.step + 1);
        let cut = status.broken || self.header.horizon.is_some_and(|horizon| after >= horizon);
        for (name, here, recorded) in [
            ("terminated", status.terminal, line.terminated),
            ("truncated", cut, line.truncated),
        ] {
            if recorded != Some(here) {
                let recorded = recorded.map_or_else(|| "missing".to_owned(), |flag| flag.to_string());
                differ(name.to_owned(), recorded, here.to_string());
            }
        }
        let parts = [
            (ValueGroup::Interm, line.interm.as_deref().unwrap_or_default()),
            (ValueGroup::Observ, line.observ.as_deref().unwrap_or_default()),
            (ValueGroup::State, next),
        ];
        for (part, recorded) in parts {
            self.compare(recorded, part, &mut differ);
        }
        differences
    }

    /// Compares recorded values with the simulator's values. Calls `differ` with the name and both values of each
    /// difference.
    fn compare(&self, recorded: &[Cell], part: ValueGroup, differ: &mut dyn FnMut(String, String, String)) {
        let simulator = &self.simulator;
        let compiled = simulator.compiled();
        let (fluents, places) = match part {
            ValueGroup::State => (&compiled.state, &self.state),
            ValueGroup::Interm => (&compiled.interm, &self.interm),
            ValueGroup::Observ => (&compiled.observ, &self.observ),
        };
        if recorded.len() != places.len() {
            let (here, recorded) = (places.len(), recorded.len());
            let values = |count: usize| format!("{count} values");
            return differ(part.key().to_owned(), values(recorded), values(here));
        }
        for (&at, cell) in places.iter().zip(recorded) {
            let here = match part {
                ValueGroup::State => Some(simulator.fluent(at)),
                ValueGroup::Interm => simulator.interm(at),
                ValueGroup::Observ => simulator.observed(at),
            };
            let range = compiled.range(fluents, at);
            if !agree(here, cell.value(&compiled.instance, range)) {
                let here = here.map_or_else(
                    || "nothing".to_owned(),
                    |value| Cell::of(&compiled.instance, range, value).to_string(),
                );
                differ(compiled.name(fluents, at), cell.to_string(), here);
            }
        }
    }

    fn mismatch(&mut self, line: usize, of: &TraceLine, differences: Vec<Difference>) {
        if differences.is_empty() {
            return;
        }
        self.replay
            .add(line, (of.walk, of.step), StepDifferences(differences));
    }
}

/// A group of values in a line.
#[derive(Clone, Copy)]
enum ValueGroup {
    State,
    Interm,
    Observ,
}

impl ValueGroup {
    /// Returns its key in a line.
    const fn key(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Interm => "interm",
            Self::Observ => "observ",
        }
    }
}

/// Returns the indices of named fluents.
fn places(
    compiled: &CompiledInstance,
    fluents: &GroundFluents,
    names: &[String],
) -> Result<Vec<usize>, TraceError> {
    let known = (0..fluents.len()).map(|at| (compiled.name(fluents, at), at));
    let known: HashMap<String, usize, FxBuildHasher> = known.collect();
    let place = |name: &String| {
        let place = known.get(name).copied();
        place.ok_or_else(|| TraceError::UnknownFluent(name.clone()))
    };
    names.iter().map(place).collect()
}

fn agree(here: Option<FluentValue>, recorded: Option<FluentValue>) -> bool {
    match (here, recorded) {
        (Some(FluentValue::Real(here)), Some(FluentValue::Real(recorded))) => close(here, recorded),
        (here, recorded) => here == recorded,
    }
}

/// Returns whether two reals agree, with a relative tolerance above 1 and an absolute tolerance below.
fn close(here: f64, recorded: f64) -> bool {
    const TOLERANCE: f64 = 1e-9;
    here == recorded
        || (here.is_nan() && recorded.is_nan())
        || (recorded.is_finite() && (here - recorded).abs() <= TOLERANCE * recorded.abs().max(1.0))
}
