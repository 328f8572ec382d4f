//! A rollout that is recorded as a trace.

use std::io::Write;
use std::sync::atomic::AtomicBool;

use herbrand_core::trace::{Header, Recorder, Seeded};
use herbrand_core::{Problems as _, Rollout, RolloutOptions, watch_roll_out};
use herbrand_env::rollout_recorded as rollout_recorded_pddl;
use herbrand_pddlworld::Worlds;
use herbrand_rddl_sim::suite::RddlSuite;
use herbrand_rddl_sim::trace::{RddlHeader, RddlRecorder};

use super::RolloutQuery;
use crate::failure::TaskFailure;
use crate::problems::AnyProblems;
use crate::run::Run;

/// Rolls out a policy like [`rollout`](super::rollout) on the only problem, on one thread, and writes all episodes as a trace whose
/// header has the `names` of domain and problem. Returns the bare measurements.
///
/// # Errors
/// Fails like [`rollout`](super::rollout), if there are several problems, or if writing fails.
pub fn rollout_recorded(
    problems: &AnyProblems,
    query: &RolloutQuery,
    names: (&str, &str),
    run: &Run<'_>,
    out: &mut dyn Write,
) -> Result<Rollout, TaskFailure> {
    problems.takes_engine(query.engine)?;
    if problems.len() != 1 {
        return Err(TaskFailure::option(
            "record",
            "needs a single problem: name one after the domain",
        ));
    }
    let never = AtomicBool::new(false);
    let recorded = Recorded {
        query,
        options: query.options(problems, run.seed),
        stop: run.stop.unwrap_or(&never),
    };
    match problems {
        AnyProblems::Pddl(suite) => {
            let (policy, options) = (&query.policy, &recorded.options);
            Ok(rollout_recorded_pddl(
                policy,
                suite,
                query.engine,
                options,
                names,
                out,
            )?)
        }
        AnyProblems::Rddl(suite) => recorded.rddl(suite, names, out),
        AnyProblems::World(worlds) => recorded.world(worlds, names, out),
    }
}

/// A rollout that is recorded.
struct Recorded<'a> {
    query: &'a RolloutQuery,
    options: RolloutOptions,
    stop: &'a AtomicBool,
}

impl Recorded<'_> {
    fn rddl(
        &self,
        suite: &RddlSuite,
        names: (&str, &str),
        out: &mut dyn Write,
    ) -> Result<Rollout, TaskFailure> {
        let policy = &self.query.policy;
        let mut header = RddlHeader::of(suite.compiled(0)?, names);
        header.seed = Some(self.options.seed);
        header.seeded = Some(Seeded::under(policy));
        let mut recorder = RddlRecorder::new(header, out)?;
        let mut written = Ok(());
        let watch = |walk, system: &_, _: Option<f64>, joint: Option<&[_]>| {
            if written.is_ok() {
                written = recorder.visit(walk, system, joint);
            }
        };
        let rollout = watch_roll_out(suite, policy, &self.options, self.stop, watch)?;
        written?;
        recorder.finish()?;
        Ok(rollout)
    }

    fn world(
        &self,
        worlds: &Worlds,
        names: (&str, &str),
        out: &mut dyn Write,
    ) -> Result<Rollout, TaskFailure> {
        let policy = &self.query.policy;
        let mut header = Header::of(&worlds.system(0)?, names, self.options.seed);
        header.seeded = Some(Seeded::under(policy));
        let mut recorder = Recorder::new(&header, out)?;
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
        let rollout = watch_roll_out(worlds, policy, &self.options, self.stop, watch)?;
        written?;
        recorder.finish()?;
        Ok(rollout)
    }
}
