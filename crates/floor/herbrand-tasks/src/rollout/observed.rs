//! A rollout that observes every state.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use herbrand_core::{
    Fingerprinted, Memory, Observer, Problems, Random, Rollout, RolloutOptions, watch_roll_out,
};
use herbrand_env::{EngineKind, ObservationMode, ObservedAtoms};
use herbrand_pddlworld::{SketchBits, SketchIntegers};
use herbrand_rddl_sim::simulate::{FluentBits, FluentVector};
use herbrand_render::{PixelSize, Pixels};

use super::RolloutQuery;
use crate::failure::TaskFailure;
use crate::problems::AnyProblems;
use crate::run::Run;

/// The name of RDDL's numeric observation.
const FLUENTS: &str = "fluents";
/// The name of the observation of a domain under edit as two integers.
const INTEGERS: &str = "integers";
/// The observation of any language that is a picture: `pixels`, or `pixels-64x64` with height and width.
const PIXELS: &str = "pixels";

/// Rolls out a policy like [`rollout`](super::rollout), on one thread, and observes every state in the way that `mode` names.
/// Returns the length of an observation, and the bare measurements.
///
/// # Errors
/// Fails like [`rollout`](super::rollout), and if the problems have no such observation.
pub fn rollout_observed(
    problems: &AnyProblems,
    query: &RolloutQuery,
    mode: &str,
    run: &Run<'_>,
) -> Result<(usize, Rollout), TaskFailure> {
    let never = AtomicBool::new(false);
    let watched = Observed {
        query,
        options: query.options(problems, run.seed),
        stop: run.stop.unwrap_or(&never),
    };
    let refused = |modes: &str| {
        Err(TaskFailure::Observation {
            problems: problems.name().to_owned(),
            is: problems.is(),
            modes: format!("{modes}`{}` or `{PIXELS}`", ObservationMode::Bits.name()),
        })
    };
    let size = mode.strip_prefix(PIXELS).map(pixels).transpose()?;
    match problems {
        AnyProblems::Pddl(_) if !matches!(query.engine, EngineKind::Automatic | EngineKind::Grounded) => {
            Err(TaskFailure::option(
                "observe",
                "works only with the grounded engine: leave --engine out",
            ))
        }
        AnyProblems::Pddl(suite) => match size {
            Some(size) => watched.by(suite, &Pixels::of(suite, size)?),
            None => {
                let mode = mode.parse::<ObservationMode>();
                let mode =
                    mode.map_err(|error| TaskFailure::ObservationName(format!("{error} or {PIXELS}")))?;
                watched.by(suite, &mode.observer(suite, ObservedAtoms::All)?)
            }
        },
        AnyProblems::World(worlds) => match size {
            Some(size) => watched.by(worlds, &Pixels::of(worlds, size)?),
            None if mode == ObservationMode::Bits.name() => watched.by(worlds, &SketchBits),
            None if mode == INTEGERS => watched.by(worlds, &SketchIntegers),
            None => refused(&format!("`{INTEGERS}`, ")),
        },
        AnyProblems::Rddl(suite) => match size {
            Some(size) => watched.by(suite, &Pixels::of(suite, size)?),
            None if mode == FLUENTS => watched.by(suite, &FluentVector),
            None if mode == ObservationMode::Bits.name() => match FluentBits::of(suite)? {
                Some(bits) => watched.by(suite, &bits),
                None => Err(TaskFailure::NoBits(suite.name().to_owned())),
            },
            None => refused(&format!("`{FLUENTS}`, ")),
        },
    }
}

/// Reads the size of pictures: nothing, or `-` with a height and a width.
fn pixels(size: &str) -> Result<PixelSize, TaskFailure> {
    match size.strip_prefix('-') {
        Some(size) => size
            .parse()
            .map_err(|error| TaskFailure::ObservationName(format!("{error}"))),
        None if size.is_empty() => Ok(PixelSize::default()),
        None => Err(TaskFailure::ObservationName(format!(
            "unknown observation `{PIXELS}{size}`: write `{PIXELS}`, or a size such as `{PIXELS}-64x64`"
        ))),
    }
}

/// A rollout that is observed.
struct Observed<'a> {
    query: &'a RolloutQuery,
    options: RolloutOptions,
    stop: &'a AtomicBool,
}

impl Observed<'_> {
    fn by<P, O>(&self, problems: &P, observer: &O) -> Result<(usize, Rollout), TaskFailure>
    where
        P: Problems<System: Fingerprinted>,
        O: Observer<P>,
        TaskFailure: From<P::Error>,
    {
        let mut row = vec![O::Element::default(); observer.layout(problems)?.len()];
        let mut random = Random::new(self.options.seed);
        let (mut memory, mut episode) = (Memory::default(), None);
        let watch = |index, system: &P::System, _: Option<f64>, _: Option<&[_]>| {
            if episode.replace(index) != Some(index) {
                memory = Memory::default();
            }
            observer.attend(system, &mut memory, &mut random);
            observer.write(system, &memory, &mut row);
            black_box(&mut row);
        };
        let rollout = watch_roll_out(problems, &self.query.policy, &self.options, self.stop, watch)?;
        Ok((row.len(), rollout))
    }
}
