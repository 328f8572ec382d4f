//! One set of problems, rolled out: by the engine of its language, recorded or observed if that is asked for.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use herbrand::core::trace::{self, Seeded};
use herbrand::core::{Problems as _, Rollout, RolloutOptions, RolloutPolicy, watch_roll_out};
use herbrand::env::{self, EngineKind};
use herbrand::pddlworld::Worlds;
use herbrand::rddl::suite::RddlSuite;
use herbrand::rddl::trace::{RddlHeader, RddlRecorder};
use herbrand::tasks::{AnyProblems, TaskFailure};

use super::one_problem;
use crate::failure::Failure;
use crate::files::write_with;
use crate::input::trace_names;

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
        let (domain, problem) = trace_names(problems, Some(path));
        let names = (domain.as_str(), problem.as_str());
        match problems {
            AnyProblems::Pddl(suite) => write_with(path, Failure::trace, |out| {
                env::rollout_recorded(self.policy, suite, self.engine, self.options, names, out)
            }),
            AnyProblems::Rddl(suite) => {
                only_engine(self.engine)?;
                self.recorded_rddl(suite, names, path)
            }
            AnyProblems::World(worlds) => {
                only_engine(self.engine)?;
                self.recorded_world(worlds, names, path)
            }
        }
    }

    fn recorded_rddl(self, suite: &RddlSuite, names: (&str, &str), path: &Path) -> Result<Rollout, Failure> {
        let mut header = RddlHeader::of(suite.compiled(0)?, names);
        header.seed = Some(self.options.seed);
        header.seeded = Some(Seeded::under(self.policy));
        write_with(path, Failure::trace::<TaskFailure>, |out| {
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

    fn recorded_world(self, worlds: &Worlds, names: (&str, &str), path: &Path) -> Result<Rollout, Failure> {
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
}

/// Rejects --engine for RDDL and for domains under edit, which have only one engine.
fn only_engine(engine: EngineKind) -> Result<(), Failure> {
    if engine == EngineKind::Automatic {
        return Ok(());
    }
    Err(TaskFailure::Engine.into())
}
