//! Records episodes to a trace.

use std::io::Write;

use herbrand_core::wrap::Environment;
use herbrand_core::{Choice, Joint, ProblemChoice, Problems, Reset, Step, System};

use crate::aliases::Env;
use crate::error::EnvError;
use crate::suite::Suite;
use crate::trace::{Recorder, Visit, header};

/// A wrapper that writes every episode of a problem as a walk of a trace, for `herbrand replay` and
/// [`Replayer`](crate::trace::Replayer). Steps with an invalid action, which the environment ignores, are omitted. Call
/// [`finish`](Self::finish) at the end; without it, the last state of the last episode is missing.
pub struct Recorded<W, O> {
    inner: W,
    recorder: Recorder<O>,
    walk: u64,
    step: u64,
    /// Whether the last state of the walk has not been written yet.
    open: bool,
}

impl<W: Environment<Problems = Suite>, O: Write> Recorded<W, O> {
    /// Wraps `inner`, whose suite must have exactly one problem, and records it to `out`. The trace's header, which is
    /// written at once, gets `seed` and the suite's names of domain and problem. It has no
    /// [`seeded`](crate::trace::Header::seeded), so a replay does not compare what the seed gives. Then call `reset_to`
    /// of [`Environment`], with the same seed.
    ///
    /// # Errors
    /// Fails if the suite does not have exactly one problem, the problem is faulty, or writing fails.
    pub fn new(inner: W, seed: u64, out: O) -> Result<Self, EnvError> {
        let suite = inner.env().problems();
        if suite.len() != 1 {
            return Err(EnvError::NotOneProblem {
                suite: suite.name().to_owned(),
                problems: suite.len(),
            });
        }
        let problem = suite.full_problem_name(0).unwrap_or_default();
        let (system, actions) = (suite.system(0)?, suite.agent_actions());
        let header = header(&system, actions, (suite.name(), &problem), seed);
        let recorder = Recorder::new(&header, out).map_err(EnvError::Recording)?;
        Ok(Self {
            inner,
            recorder,
            walk: 0,
            step: 0,
            open: false,
        })
    }

    /// Finishes the trace and returns the wrapped environment and the output. The last state of a running episode is
    /// written first.
    ///
    /// # Errors
    /// Fails if writing fails.
    pub fn finish(mut self) -> Result<(W, O), EnvError> {
        self.close()?;
        Ok((self.inner, self.recorder.finish().map_err(EnvError::Recording)?))
    }

    /// Writes the last state of the walk unless it has been written.
    fn close(&mut self) -> Result<(), EnvError> {
        if std::mem::replace(&mut self.open, false) {
            let last = self.here(None)?;
            self.recorder.write(&last).map_err(EnvError::Recording)?;
            self.walk += 1;
        }
        Ok(())
    }

    /// Returns the line of the current state.
    fn here(&self, chosen: Option<&[Choice]>) -> Result<Visit, EnvError> {
        let system = self.inner.env().system()?;
        Ok(Visit::of(self.walk, self.step, system, chosen))
    }
}

impl<W: Environment<Problems = Suite>, O: Write> Environment for Recorded<W, O> {
    type Problems = Suite;
    type Observer = W::Observer;

    fn reset_to(&mut self, seed: Option<u64>, choice: ProblemChoice) -> Result<Reset, EnvError> {
        self.close()?;
        let reset = self.inner.reset_to(seed, choice)?;
        self.step = 0;
        self.open = true;
        Ok(reset)
    }

    fn step<'a>(&mut self, joint: impl Into<Joint<'a>>) -> Result<Step, EnvError> {
        let joint = joint.into();
        let before = if self.inner.env().system()?.is_valid(joint.choices()) {
            Some(self.here(Some(joint.choices()))?)
        } else {
            None
        };
        let step = self.inner.step(joint)?;
        if let Some(before) = before.filter(|_| step.applied) {
            self.recorder.write(&before).map_err(EnvError::Recording)?;
            self.step += 1;
        }
        if step.ended() {
            self.close()?;
        }
        Ok(step)
    }

    fn env(&self) -> &Env<W::Observer> {
        self.inner.env()
    }

    fn env_mut(&mut self) -> &mut Env<W::Observer> {
        self.inner.env_mut()
    }
}
