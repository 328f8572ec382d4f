//! One set of problems, rolled out: by the engine of its language, recorded or observed if that is asked for.

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use herbrand::core::trace::{self, Seeded};
use herbrand::core::{
    Fingerprinted, Memory, Observer, Problems as _, Random, Rollout, RolloutOptions, RolloutPolicy,
    watch_roll_out,
};
use herbrand::env::{self, EngineKind, ObservationMode, ObservedAtoms, Suite};
use herbrand::pddlworld::{SketchBits, SketchIntegers, Worlds};
use herbrand::rddl::simulate::{FluentBits, FluentVector};
use herbrand::rddl::suite::RddlSuite;
use herbrand::rddl::trace::{RddlHeader, RddlRecorder};
use herbrand::tasks::rollout::RolloutReport;
use herbrand::tasks::{AnyProblems, TaskFailure};

use super::one_problem;
use super::pixels;
use super::table::Observed;
use crate::failure::{Failure, refuse};
use crate::files::write_with;
use crate::input::{trace_names, trace_names_of_rddl};

/// The name of RDDL's numeric observation.
const FLUENTS: &str = "fluents";
/// The name of the observation of a domain under edit as two integers.
const INTEGERS: &str = "integers";
/// The observation of any language that is a picture: `pixels`, or `pixels-64x64` with height and width.
const PIXELS: &str = "pixels";

/// The settings for measuring a policy on a set of problems, and the flag that stops it.
#[derive(Clone, Copy)]
pub(super) struct Measure<'a> {
    pub engine: EngineKind,
    pub options: &'a RolloutOptions,
    pub policy: &'a RolloutPolicy,
    pub stop: &'a AtomicBool,
}

impl Measure<'_> {
    /// Rolls out one problem and records all episodes.
    pub(super) fn recorded(self, problems: &AnyProblems, path: &Path) -> Result<Rollout, Failure> {
        if problems.len() != 1 {
            return Err(one_problem("--record"));
        }
        match problems {
            AnyProblems::Pddl(suite) => {
                let (domain, problem) = trace_names(suite, Some(path));
                write_with(path, Failure::trace, |out| {
                    let names = (domain.as_str(), problem.as_str());
                    env::rollout_recorded(self.policy, suite, self.engine, self.options, names, out)
                })
            }
            AnyProblems::Rddl(suite) => {
                only_engine(self.engine)?;
                self.recorded_rddl(suite, path)
            }
            AnyProblems::World(worlds) => {
                only_engine(self.engine)?;
                self.recorded_world(worlds, path)
            }
        }
    }

    fn recorded_rddl(self, suite: &RddlSuite, path: &Path) -> Result<Rollout, Failure> {
        let (domain, instance) = trace_names_of_rddl(suite, Some(path));
        let mut header = RddlHeader::of(suite.compiled(0)?, (&domain, &instance));
        header.seed = Some(self.options.seed);
        header.seeded = Some(Seeded::under(self.policy));
        write_with(path, Failure::rddl_trace, |out| {
            let mut recorder = RddlRecorder::new(header, out)?;
            let mut written = Ok(());
            let watch = |walk, system: &_, _: Option<f64>, joint: Option<&[_]>| {
                if written.is_ok() {
                    written = recorder.visit(walk, system, joint);
                }
            };
            let rollout = watch_roll_out(suite, self.policy, self.options, self.stop, watch)?;
            written?;
            recorder.finish()?;
            Ok(rollout)
        })
    }

    fn recorded_world(self, worlds: &Worlds, path: &Path) -> Result<Rollout, Failure> {
        let names = (worlds.name(), &*worlds.problem_name(0).unwrap_or_default());
        let mut header = trace::Header::of(&worlds.system(0)?, names, self.options.seed);
        header.seeded = Some(Seeded::under(self.policy));
        let failed = |_: &Path, failure| failure;
        write_with(path, failed, |out| {
            let mut recorder = trace::Recorder::new(&header, out)?;
            let (mut written, mut last) = (Ok(()), None);
            let watch = |walk, world: &_, _: Option<f64>, joint: Option<&[_]>| {
                let step = match last {
                    Some((same, step)) if same == walk => step + 1,
                    _ => 0,
                };
                last = Some((walk, step));
                if written.is_ok() {
                    written = recorder.visit(walk, step, world, joint);
                }
            };
            let rollout = watch_roll_out(worlds, self.policy, self.options, self.stop, watch)?;
            written?;
            recorder.finish()?;
            Ok::<_, Failure>(rollout)
        })
    }

    /// Rolls out a set of problems with an observation of every state, and returns the cost compared with `plain`.
    pub(super) fn observed(
        self,
        problems: &AnyProblems,
        mode: &str,
        plain: &RolloutReport,
    ) -> Result<Observed, Failure> {
        if let AnyProblems::Pddl(_) = problems
            && !matches!(self.engine, EngineKind::Automatic | EngineKind::Grounded)
        {
            return refuse("--observe works only with the grounded engine: leave --engine out");
        }
        let (elements, rollout) = match problems {
            _ if mode.starts_with(PIXELS) => pixels::observed(self, problems, &mode[PIXELS.len()..])?,
            AnyProblems::Pddl(suite) => self.observed_pddl(suite, mode)?,
            AnyProblems::World(worlds) if mode == ObservationMode::Bits.name() => {
                self.observe(worlds, &SketchBits)?
            }
            AnyProblems::World(worlds) if mode == INTEGERS => self.observe(worlds, &SketchIntegers)?,
            AnyProblems::World(worlds) => {
                return refuse(format!(
                    "{} is a domain under edit: --observe takes `{}`, `{INTEGERS}` or `{PIXELS}`",
                    worlds.name(),
                    ObservationMode::Bits.name(),
                ));
            }
            AnyProblems::Rddl(suite) if mode == FLUENTS => self.observe(suite, &FluentVector)?,
            AnyProblems::Rddl(suite) if mode == ObservationMode::Bits.name() => {
                match FluentBits::of(suite)? {
                    Some(bits) => self.observe(suite, &bits)?,
                    None => {
                        let name = suite.name();
                        return refuse(format!(
                            "{name} has fluents that are not Boolean: use --observe {FLUENTS}"
                        ));
                    }
                }
            }
            AnyProblems::Rddl(suite) => {
                return refuse(format!(
                    "{} is in RDDL: --observe takes `{FLUENTS}`, `{}` or `{PIXELS}`",
                    suite.name(),
                    ObservationMode::Bits.name(),
                ));
            }
        };
        Ok(Observed::new(mode, elements, plain, &rollout))
    }

    fn observed_pddl(self, suite: &Suite, mode: &str) -> Result<(usize, Rollout), Failure> {
        let or_pixels = |message| Failure::Request(format!("{message} or {PIXELS}"));
        let mode: ObservationMode = mode.parse().map_err(or_pixels)?;
        self.observe(suite, &mode.observer(suite, ObservedAtoms::All)?)
    }

    /// The length of an observation, and the rollout.
    pub(super) fn observe<P, O>(self, problems: &P, observer: &O) -> Result<(usize, Rollout), Failure>
    where
        P: herbrand::core::Problems<System: Fingerprinted>,
        O: Observer<P>,
        Failure: From<P::Error>,
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
        let rollout = watch_roll_out(problems, self.policy, self.options, self.stop, watch)?;
        Ok((row.len(), rollout))
    }
}

/// Rejects --engine for RDDL and for domains under edit, which have only one engine.
pub fn only_engine(engine: EngineKind) -> Result<(), Failure> {
    if engine == EngineKind::Automatic {
        return Ok(());
    }
    Err(TaskFailure::Engine.into())
}
