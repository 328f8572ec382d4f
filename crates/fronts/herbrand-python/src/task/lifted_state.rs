//! `LiftedState`: states of lifted tasks.

use numpy::PyArray3;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyDict, PyFrozenSet, PyIterator, PyTuple};

use super::lifted::LiftedTask;
use super::parts::PlanningTask;
use super::state_methods::state_methods;
use crate::domain::equality;
use crate::errors::Reduced;
use crate::picture;

/// A state of a `LiftedTask`: the changeable atoms that are true, including derived ones, and the values of numeric fluents.
///
/// A state is an immutable value: it can be hashed, compared and pickled. States come from a task:
/// `LiftedTask.initial_state`, `LiftedTask.apply`, `LiftedTask.state`.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct LiftedState {
    pub task: Py<LiftedTask>,
    pub state: herbrand_step::LiftedState,
}

state_methods!(LiftedState, LiftedTask);

#[pymethods]
impl LiftedState {
    /// The changeable atoms that are true: a frozenset of Atom.
    #[getter]
    fn atoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        PyFrozenSet::new(py, self.task.get().changing(py, &self.state)?)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.task.get().facts(&self.state)?.iter().count())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let atoms = self.task.get().changing(py, &self.state)?;
        atoms.into_pyobject(py)?.try_iter()
    }

    fn __contains__(&self, atom: &Bound<'_, PyAny>) -> PyResult<bool> {
        let task = self.task.get();
        let Some((predicate, arguments)) = task.atom_of(atom)? else {
            return Ok(false);
        };
        task.at(&self.state, |walker| walker.holds(predicate, &arguments))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, operator: CompareOp) -> Py<PyAny> {
        let same = other.cast::<Self>().ok().map(|other| self.is_same(other.get()));
        equality(py, same, operator)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let task = self.task.bind(py);
        let numbers = PyDict::new(py);
        // Numbers that are defined initially but not in this state become undefined.
        for (name, _) in task.get().numbers(&task.get().initial()) {
            numbers.set_item(name, py.None())?;
        }
        numbers.update(self.numbers(py)?.as_mapping())?;
        let arguments = (self.task.get().changing(py, &self.state)?, numbers);
        Ok((task.getattr("state")?, arguments.into_pyobject(py)?))
    }
}
