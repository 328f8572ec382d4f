//! The engine of vector environments. It writes to the caller's NumPy arrays in place, with the interpreter released.

mod arrays;
mod episodes;

use std::sync::Mutex;

use herbrand_core::{
    Actions, ActionsMut, Autoreset, BufferContents, EpisodeStart, Flags, MaskForm, ProblemChoice, VecOptions,
};
use herbrand_tasks::any::{AnyBatch, AnyBuffers, AnyError};
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::choice::one_of;
use crate::env::options;
use crate::errors::{self, OrRaise, guarded, interruptible, poisoned};
use crate::observed::ObservedProblems;
use crate::view;
use arrays::{Arrays, Slices};
use episodes::{EndedEpisodes, InStep, Lists, RunningEpisodes, in_order, in_step};

/// The engine of `herbrand.BaseVecEnv`.
#[pyclass(frozen, module = "herbrand._herbrand")]
pub struct VecCore {
    problems: Py<ObservedProblems>,
    count: usize,
    /// Whether autoreset is in the same step: the step that ends an episode also begins the next one.
    same_step: bool,
    inner: Mutex<Inner>,
    /// The contents of the arrays before a call: those of the last call if the arrays are private to the caller's object,
    /// else unknown.
    rows: BufferContents,
}

struct Inner {
    envs: Box<dyn AnyBatch>,
    /// The actions of a step in the engine's form, if they are numbers of alternatives.
    actions: Vec<u32>,
    flags: Vec<Flags>,
    /// Empty unless autoreset is in the same step.
    final_flags: Vec<Flags>,
    episodes: RunningEpisodes,
}

/// The actions of a batch: numbers of alternatives, or one row of numbers or of exact cells per environment.
#[derive(FromPyObject)]
enum ActionsIn<'py> {
    Alternatives(PyReadonlyArray1<'py, i64>),
    Rows(PyReadonlyArray2<'py, f64>),
    Cells(PyReadonlyArray2<'py, i64>),
}

/// The destination of the actions of a batch.
#[derive(FromPyObject)]
enum ActionsOut<'py> {
    Alternatives(PyReadwriteArray1<'py, i64>),
    Rows(PyReadwriteArray2<'py, f64>),
    Cells(PyReadwriteArray2<'py, i64>),
}

/// The autoreset modes by name.
const MODES: &[(&str, Autoreset)] = &[
    ("NextStep", Autoreset::NextStep),
    ("SameStep", Autoreset::SameStep),
    ("Disabled", Autoreset::Disabled),
];

/// The actions of a batch as slices, which need no interpreter.
enum ActionsOutSlices<'a> {
    Alternatives(&'a mut [i64]),
    Rows(&'a mut [f64]),
    Cells(&'a mut [i64]),
}

impl ActionsOut<'_> {
    fn slices(&mut self) -> PyResult<ActionsOutSlices<'_>> {
        Ok(match self {
            Self::Alternatives(actions) => ActionsOutSlices::Alternatives(actions.as_slice_mut()?),
            Self::Rows(actions) => ActionsOutSlices::Rows(actions.as_slice_mut()?),
            Self::Cells(actions) => ActionsOutSlices::Cells(actions.as_slice_mut()?),
        })
    }
}

impl ActionsOutSlices<'_> {
    /// Lets `work` write the actions. Numbers of alternatives are written to `own` first, in the engine's form.
    fn fill<T>(self, own: &mut Vec<u32>, work: impl FnOnce(ActionsMut<'_>) -> T) -> T {
        match self {
            Self::Alternatives(into) => {
                own.clear();
                own.resize(into.len(), 0);
                let done = work(ActionsMut::Alternatives(own));
                into.iter_mut()
                    .zip(own)
                    .for_each(|(to, from)| *to = i64::from(*from));
                done
            }
            Self::Rows(into) => work(ActionsMut::Rows(into)),
            Self::Cells(into) => work(ActionsMut::Cells(into)),
        }
    }
}

#[pymethods]
impl VecCore {
    #[new]
    #[expect(
        clippy::too_many_arguments,
        reason = "they are the keyword arguments of VecEnv"
    )]
    fn new(
        py: Python<'_>,
        problems: Py<ObservedProblems>,
        count: usize,
        autoreset: &str,
        threads: usize,
        horizon: &Bound<'_, PyAny>,
        through_goals: bool,
        dead_end_terminates: bool,
        raise_error_on_invalid_action: bool,
        private: bool,
        packed_masks: bool,
        statistics: bool,
    ) -> PyResult<Self> {
        let options = VecOptions {
            env: options(
                horizon,
                through_goals,
                dead_end_terminates,
                raise_error_on_invalid_action,
            )?,
            autoreset: one_of("the autoreset mode", autoreset, MODES)?,
            threads,
            masks: if packed_masks {
                MaskForm::Packed
            } else {
                MaskForm::Bytes
            },
        };
        let of = problems.get();
        let envs = interruptible(py, || of.problems.batch(count, options))?.or_raise(py)?;
        let same_step = options.autoreset == Autoreset::SameStep;
        let next_step = options.autoreset == Autoreset::NextStep;
        Ok(Self {
            problems,
            count,
            same_step,
            rows: if private {
                BufferContents::Kept
            } else {
                BufferContents::Fresh
            },
            inner: Mutex::new(Inner {
                envs,
                actions: vec![0; count],
                flags: vec![Flags::default(); count],
                final_flags: vec![Flags::default(); if same_step { count } else { 0 }],
                episodes: RunningEpisodes::new(count, next_step, statistics),
            }),
        })
    }

    /// The widths of the observation, the mask as bytes and the action of one environment.
    #[getter]
    fn sizes(&self) -> (usize, usize, usize) {
        let widths = self.problems.get().description.widths;
        (widths.observation, widths.mask, widths.action)
    }

    /// Starts an episode in the environments that `which` marks. `starts` has the seed and the problem index of each
    /// environment; without a seed its random streams continue, and without an index the problem is drawn.
    fn reset(
        &self,
        py: Python<'_>,
        which: PyReadonlyArray1<'_, bool>,
        starts: Option<Vec<(Option<u64>, Option<usize>)>>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let which = which.as_slice()?;
        let start = |index: usize| {
            let (seed, problem) = starts.as_ref()?.get(index).copied()?;
            let problem = problem.map_or(ProblemChoice::Uniform, ProblemChoice::Index);
            Some(EpisodeStart { seed, problem })
        };
        let marked = which.iter().enumerate();
        let starts: Vec<_> = marked
            .map(|(index, which)| which.then(|| start(index).unwrap_or_default()))
            .collect();
        self.write(py, &arrays, Call::Begin(which), |envs, _, buffers| {
            envs.reset_each(&starts, buffers)
        })
        .map(drop)
    }

    /// Takes an action in every environment: numbers of alternatives, int64 of shape (environments,), or float64 of shape
    /// (environments, fields).
    ///
    /// Returns whether an episode ended, and the statistics of the ended episodes; None if no episode ended or statistics are off.
    /// They are a dict of arrays with one element per environment: "r" the sum of rewards, "l" the number of steps, "t" the
    /// seconds. Other environments have 0.
    fn step<'py>(
        &self,
        py: Python<'py>,
        actions: ActionsIn<'_>,
        arrays: Arrays<'_>,
    ) -> PyResult<InStep<'py>> {
        self.check_kind(matches!(actions, ActionsIn::Alternatives(_)))?;
        let ended = match &actions {
            ActionsIn::Alternatives(actions) => {
                let actions = actions.as_slice()?;
                self.check_alternatives(py, actions)?;
                self.write(py, &arrays, Call::Step(1), |envs, own, buffers| {
                    own.clear();
                    own.extend(actions.iter().map(|&action| action as u32));
                    envs.step(Actions::Alternatives(own), buffers)
                })
            }
            ActionsIn::Rows(rows) => {
                let rows = rows.as_slice()?;
                self.write(py, &arrays, Call::Step(1), |envs, _, buffers| {
                    envs.step(Actions::Rows(rows), buffers)
                })
            }
            ActionsIn::Cells(cells) => {
                let cells = cells.as_slice()?;
                self.write(py, &arrays, Call::Step(1), |envs, _, buffers| {
                    envs.step(Actions::Cells(cells), buffers)
                })
            }
        };
        in_step(py, self.count, &ended?)
    }

    /// Takes a random valid step in every environment, and writes the actions; returns the same as `step`.
    fn step_sampled<'py>(
        &self,
        py: Python<'py>,
        actions: ActionsOut<'_>,
        arrays: Arrays<'_>,
    ) -> PyResult<InStep<'py>> {
        in_step(py, self.count, &self.take_sampled(py, 1, actions, &arrays)?)
    }

    /// Takes `steps` random valid steps in every environment, and writes all of them and the actions. Arrays have `steps`
    /// rows per environment, grouped by environment. Returns the returns and lengths of the episodes that ended, empty if
    /// statistics are off.
    fn collect<'py>(
        &self,
        py: Python<'py>,
        steps: usize,
        actions: ActionsOut<'_>,
        arrays: Arrays<'_>,
    ) -> PyResult<Lists<'py>> {
        Ok(in_order(py, &self.take_sampled(py, steps, actions, &arrays)?))
    }

    /// Draws a valid action for every environment, and writes it to `actions`.
    fn sample(&self, py: Python<'_>, mut actions: ActionsOut<'_>) -> PyResult<()> {
        self.check_kind(matches!(actions, ActionsOut::Alternatives(_)))?;
        let into = actions.slices()?;
        self.released(py, |inner| {
            let Inner { envs, actions, .. } = inner;
            into.fill(actions, |into| envs.sample(into))
        })
    }

    /// Marks the rules that the last step of each environment violated: an array of bool, (environments, rules).
    fn violated(&self, mut into: PyReadwriteArray2<'_, bool>) -> PyResult<()> {
        let width = self.problems.get().description.rules.len();
        let inner = self.inner.lock().map_err(|_| poisoned())?;
        for (index, row) in into.as_slice_mut()?.chunks_mut(width.max(1)).enumerate() {
            row.fill(false);
            for &rule in inner.envs.violated(index) {
                row[rule as usize] = true;
            }
        }
        Ok(())
    }

    /// Returns the index of the invariant that the current state of an environment breaks; None if it breaks none.
    fn broken(&self, index: usize) -> PyResult<Option<usize>> {
        let inner = self.inner.lock().map_err(|_| poisoned())?;
        Ok(inner.envs.broken(index))
    }

    /// Returns the valid actions of all environments: a `herbrand.graphs.ActionArrays` with a row each.
    fn action_arrays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view::write_actions(py, self.released(py, |inner| inner.envs.action_arrays())?)
    }

    /// Returns the problem index of each environment; None before the first reset.
    fn problem_indexes(&self) -> PyResult<Vec<Option<usize>>> {
        let inner = self.inner.lock().map_err(|_| poisoned())?;
        Ok(inner.envs.problems())
    }
}

/// The number of steps of all environments from which a call with several steps may be interrupted.
const LONG: usize = 1024;

/// Retains only the last flags of each environment.
fn keep_last(flags: &mut Vec<Flags>, steps: usize) {
    if steps == 1 {
        return;
    }
    let mut place = 0;
    flags.retain(|_| {
        place += 1;
        place % steps == 0
    });
}

/// The kind of a call.
#[derive(Clone, Copy)]
enum Call<'a> {
    /// Starts an episode in the marked environments.
    Begin(&'a [bool]),
    /// Takes this number of steps in every environment.
    Step(usize),
}

impl VecCore {
    /// Returns an error unless the actions have the form that the problems expect.
    fn check_kind(&self, alternatives: bool) -> PyResult<()> {
        match (alternatives, self.problems.get().description.single) {
            (true, false) => Err(PyTypeError::new_err(
                "actions are float64 with one row per environment and one number per field",
            )),
            (false, true) => Err(PyTypeError::new_err("actions are int64, one per environment")),
            _ => Ok(()),
        }
    }

    /// Returns an error unless every action is below the largest number of alternatives of any problem.
    fn check_alternatives(&self, py: Python<'_>, actions: &[i64]) -> PyResult<()> {
        let count = self.problems.get().description.widths.mask as i64;
        match actions.iter().find(|&&action| !(0..count).contains(&action)) {
            None => Ok(()),
            Some(unknown) => {
                let text = format!("there is no action number {unknown}: there are {count}");
                Err(errors::message(py, "UnknownNameError", &text))
            }
        }
    }

    /// Takes random valid steps in every environment, and writes the actions. Returns the episodes that ended.
    fn take_sampled(
        &self,
        py: Python<'_>,
        steps: usize,
        mut actions: ActionsOut<'_>,
        arrays: &Arrays<'_>,
    ) -> PyResult<EndedEpisodes> {
        self.check_kind(matches!(actions, ActionsOut::Alternatives(_)))?;
        let into = actions.slices()?;
        self.write(py, arrays, Call::Step(steps), |envs, own, buffers| {
            into.fill(own, |into| envs.collect(steps, into, buffers))
        })
    }

    /// Calls `work`, which writes to the arrays, with the interpreter released. Returns the episodes that ended.
    fn write(
        &self,
        py: Python<'_>,
        arrays: &Arrays<'_>,
        call: Call<'_>,
        work: impl FnOnce(&mut dyn AnyBatch, &mut Vec<u32>, AnyBuffers<'_>) -> Result<(), AnyError> + Send,
    ) -> PyResult<EndedEpisodes> {
        let steps = match call {
            Call::Begin(_) => 1,
            Call::Step(steps) => steps,
        };
        let count = self.count * steps;
        // Arrays for several steps are always freshly allocated.
        let rows = if steps == 1 {
            self.rows
        } else {
            BufferContents::Zeroed
        };
        let mut borrowed = arrays.borrow()?;
        let Slices {
            observations,
            masks,
            rewards,
            terminated,
            truncated,
            final_observations,
            mut info,
        } = borrowed.slices()?;
        self.run(py, steps > 1 && count >= LONG, |inner| {
            inner.flags.resize(count, Flags::default());
            let finals = if self.same_step { count } else { 0 };
            inner.final_flags.resize(finals, Flags::default());
            let buffers = AnyBuffers {
                observations,
                masks,
                rewards: &mut *rewards,
                terminated: &mut *terminated,
                truncated: &mut *truncated,
                flags: &mut inner.flags,
                final_observations,
                final_flags: &mut inner.final_flags,
                rows,
            };
            let done = work(&mut *inner.envs, &mut inner.actions, buffers);
            let ends = std::iter::zip(&*terminated, &*truncated).map(|(&ended, &cut)| ended | cut);
            info.write(&inner.flags, &inner.final_flags, ends);
            keep_last(&mut inner.flags, steps);
            keep_last(&mut inner.final_flags, steps);
            done?;
            Ok(match call {
                Call::Begin(which) => {
                    inner.episodes.begin(which);
                    EndedEpisodes::default()
                }
                Call::Step(steps) => inner
                    .episodes
                    .step(steps, rewards, terminated, truncated, info.stepped),
            })
        })
    }

    /// Calls `work` with the interpreter released.
    fn released<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Inner) -> Result<T, AnyError> + Send,
    ) -> PyResult<T> {
        self.run(py, false, work)
    }

    /// Calls `work` with the interpreter released; Ctrl-C may interrupt it if it takes `long`.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        long: bool,
        work: impl FnOnce(&mut Inner) -> Result<T, AnyError> + Send,
    ) -> PyResult<T> {
        let work = || self.inner.lock().ok().map(|mut inner| work(&mut inner));
        let done = if long {
            interruptible(py, work)?
        } else {
            guarded(py, work)?
        };
        done.ok_or_else(poisoned)?.or_raise(py)
    }
}
