//! Following a trace and comparing every step.

use std::collections::{BTreeMap, HashMap};
use std::io::BufRead;
use std::sync::Arc;

use fxhash::FxBuildHasher;
use herbrand_core::{Choice, Transition, Value};

use super::{Cell, Difference, Header, Line, Mismatch, TraceError};
use crate::Range;
use crate::draw::Quantiles;
use crate::simulate::{FluentValue, Fluents, Preconditions, Process, RddlSimulator, StepError, Values};

/// What replaying a trace found.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Replay {
    /// The number of steps that were compared.
    pub steps: u64,
    /// How many of them, and of the first states of walks, differ.
    pub mismatches: u64,
    /// The first that differs.
    pub first: Option<Mismatch>,
}

/// Follows a trace of one problem.
///
/// Every step begins in the recorded state, so that rounding does not grow. Bools, ints and items must be the same;
/// reals may differ by 1e-9, relative to those above 1.
#[derive(Debug)]
pub struct Replayer {
    simulator: RddlSimulator,
    header: Header,
    /// By name of the header: the place of the fluent.
    state: Vec<usize>,
    interm: Vec<usize>,
    observ: Vec<usize>,
    /// By name: the field of a joint action.
    fields: HashMap<String, u32, FxBuildHasher>,
    replay: Replay,
    line: usize,
    /// The line before: its state is that of the simulator unless its step was taken.
    last: Option<Line>,
}

impl Replayer {
    /// Follows a trace with this header, whatever preconditions say.
    ///
    /// # Errors
    /// When the header names ground fluents that the problem does not have.
    pub fn new(process: &Arc<Process>, header: Header) -> Result<Self, TraceError> {
        let fields = (0..).zip(process.actions().fields());
        Ok(Self {
            state: places(process, &process.state, &header.state_names)?,
            interm: places(process, &process.interm, &header.interm_names)?,
            observ: places(process, &process.observ, &header.observ_names)?,
            fields: fields.map(|(field, one)| (one.name.clone(), field)).collect(),
            simulator: RddlSimulator::new(Arc::clone(process), Preconditions::Reported),
            header,
            replay: Replay::default(),
            line: 1,
            last: None,
        })
    }

    /// Reads the header of a trace, and leaves `lines` at the first state.
    ///
    /// # Errors
    /// When reading fails or the line is no header.
    pub fn read_header(lines: &mut impl BufRead) -> Result<Header, TraceError> {
        let mut first = String::new();
        if lines.read_line(&mut first)? == 0 {
            return Err(TraceError::Empty);
        }
        parse(&first, 1)
    }

    /// Follows the lines after the header to the end.
    ///
    /// # Errors
    /// When reading fails or a line is not a step of a walk. Differences are no errors: they are counted.
    pub fn replay(mut self, lines: impl BufRead) -> Result<Replay, TraceError> {
        for line in lines.lines() {
            self.line += 1;
            let line = line?;
            if line.trim().is_empty() {
                continue;
            }
            let line: Line = parse(&line, self.line)?;
            self.follow(line)?;
        }
        match &self.last {
            Some(last) if last.end.is_none() => Err(TraceError::Format {
                line: self.line,
                message: "the file ends in the midst of a walk".to_owned(),
            }),
            _ => Ok(self.replay),
        }
    }

    /// Takes in a line: completes the comparison of the step before it, and takes its own step.
    fn follow(&mut self, line: Line) -> Result<(), TraceError> {
        let recorded = self.values(&line)?;
        match self.last.take() {
            Some(last) if last.end.is_none() => {
                self.check_order(&last, &line)?;
                self.compare_step(&last, &line.state)?;
            }
            _ if line.step == 0 => self.compare_start(&line),
            _ => return Err(self.fault(format!("walk {} does not begin with step 0", line.walk))),
        }
        self.simulator.go_to(&recorded)?;
        self.last = Some(line);
        Ok(())
    }

    fn check_order(&self, last: &Line, line: &Line) -> Result<(), TraceError> {
        // A step that was refused is followed by another try.
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
        TraceError::Format {
            line: self.line,
            message,
        }
    }

    /// The recorded state of a line.
    fn values(&self, line: &Line) -> Result<Values, TraceError> {
        let process = self.simulator.process();
        if line.state.len() != self.state.len() {
            let (found, expected) = (line.state.len(), self.state.len());
            return Err(self.fault(format!("the state has {found} values, not {expected}")));
        }
        let mut values = process.initial().clone();
        for (&at, cell) in self.state.iter().zip(&line.state) {
            let value = cell.value(&process.instance, process.range(&process.state, at));
            let set = value.is_some_and(|value| process.state.section.set(&mut values, at, value));
            if !set {
                let name = process.name(&process.state, at);
                return Err(self.fault(format!("`{name}` cannot be {cell}")));
            }
        }
        Ok(values)
    }

    /// A walk begins in the initial state.
    fn compare_start(&mut self, line: &Line) {
        self.simulator.restart();
        let mut differences = Vec::new();
        self.compare(&line.state, Part::State, &mut |name, recorded, here| {
            differences.push(Difference::Start { name, recorded, here });
        });
        self.mismatch(self.line, line, differences);
    }

    /// Takes the recorded step of `line` in its state, and compares what it gives; `next` is the recorded state after it.
    fn compare_step(&mut self, line: &Line, next: &[Cell]) -> Result<(), TraceError> {
        self.replay.steps += 1;
        let differences = match self.joint(line.action.as_ref()) {
            Err(fault) => vec![Difference::Action(fault)],
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

    /// Takes a step with the recorded draws.
    fn take(&mut self, line: &Line, joint: &[Choice]) -> Result<Result<Transition, StepError>, TraceError> {
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
            Err(error @ StepError::Spent(_)) => Err(error.into()),
            taken => Ok(taken),
        }
    }

    /// The joint action that a line writes.
    fn joint(&self, action: Option<&BTreeMap<String, Cell>>) -> Result<Vec<Choice>, String> {
        let process = self.simulator.process();
        let choice = |(name, cell): (&String, &Cell)| {
            let field = self.fields.get(name);
            let field = *field.ok_or_else(|| format!("there is no action fluent `{name}`"))?;
            let range = process.range(&process.action, field as usize);
            let value = cell.value(&process.instance, range);
            let value = match (range, value.ok_or_else(|| format!("`{name}` cannot be {cell}"))?) {
                (_, FluentValue::Bool(value)) => Value::Discrete(u32::from(value)),
                (Range::Item(_), FluentValue::Int(place)) => Value::Discrete(place as u32),
                (_, FluentValue::Int(value)) => Value::Int(value),
                (_, FluentValue::Real(value)) => Value::Real(value),
            };
            Ok(Choice { field, value })
        };
        action.into_iter().flatten().map(choice).collect()
    }

    fn compare_outcome(&self, line: &Line, next: &[Cell], transition: Transition) -> Vec<Difference> {
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
            (Part::Interm, line.interm.as_deref().unwrap_or_default()),
            (Part::Observ, line.observ.as_deref().unwrap_or_default()),
            (Part::State, next),
        ];
        for (part, recorded) in parts {
            self.compare(recorded, part, &mut differ);
        }
        differences
    }

    /// Compares recorded values with those of the simulator, and shows the name and both values of each that differs.
    fn compare(&self, recorded: &[Cell], part: Part, differ: &mut dyn FnMut(String, String, String)) {
        let simulator = &self.simulator;
        let process = simulator.process();
        let (fluents, places) = match part {
            Part::State => (&process.state, &self.state),
            Part::Interm => (&process.interm, &self.interm),
            Part::Observ => (&process.observ, &self.observ),
        };
        if recorded.len() != places.len() {
            let (here, recorded) = (places.len(), recorded.len());
            let values = |count: usize| format!("{count} values");
            return differ(part.key().to_owned(), values(recorded), values(here));
        }
        for (&at, cell) in places.iter().zip(recorded) {
            let here = match part {
                Part::State => Some(simulator.fluent(at)),
                Part::Interm => simulator.interm(at),
                Part::Observ => simulator.observed(at),
            };
            let range = process.range(fluents, at);
            if !agree(here, cell.value(&process.instance, range)) {
                let here = here.map_or_else(
                    || "nothing".to_owned(),
                    |value| Cell::of(&process.instance, range, value).to_string(),
                );
                differ(process.name(fluents, at), cell.to_string(), here);
            }
        }
    }

    fn mismatch(&mut self, line: usize, of: &Line, differences: Vec<Difference>) {
        if differences.is_empty() {
            return;
        }
        self.replay.mismatches += 1;
        self.replay.first.get_or_insert(Mismatch {
            line,
            walk: of.walk,
            step: of.step,
            differences,
        });
    }
}

/// A part of what a line tells.
#[derive(Clone, Copy)]
enum Part {
    State,
    Interm,
    Observ,
}

impl Part {
    /// What a line calls it.
    const fn key(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Interm => "interm",
            Self::Observ => "observ",
        }
    }
}

/// The places of named fluents.
fn places(process: &Process, fluents: &Fluents, names: &[String]) -> Result<Vec<usize>, TraceError> {
    let known = (0..fluents.len()).map(|at| (process.name(fluents, at), at));
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

/// Whether two reals agree: relatively, and absolutely below 1.
fn close(here: f64, recorded: f64) -> bool {
    const TOLERANCE: f64 = 1e-9;
    here == recorded
        || (here.is_nan() && recorded.is_nan())
        || (recorded.is_finite() && (here - recorded).abs() <= TOLERANCE * recorded.abs().max(1.0))
}

fn parse<T: serde::de::DeserializeOwned>(text: &str, line: usize) -> Result<T, TraceError> {
    serde_json::from_str(text).map_err(|error| TraceError::Format {
        line,
        message: error.to_string(),
    })
}
