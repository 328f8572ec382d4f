//! `State`: states of ground tasks.

use herbrand_env::{ObservedAtoms, ObservedId};
use herbrand_step::NameError;
use numpy::PyArray3;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{IntoPyDict as _, PyBytes, PyDict, PyFrozenSet, PyIterator, PyString, PyTuple};

use super::grounded::Task;
use super::ids::tuple_text;
use super::parts::PlanningTask;
use super::state_methods::state_methods;
use crate::domain::equality;
use crate::errors::{IntoException, Reduced};
use crate::picture;
use crate::term::Atom;

/// A state of a task: the set of true atoms in the order of their ids, and the values of numeric fluents.
///
/// A state is an immutable value: it can be hashed, compared and pickled. It is a set of `Atom`, including derived and
/// static atoms, with the operations of `collections.abc.Set`; operations that create a set return a frozenset. Atoms may be
/// given as PDDL or as tuples: ``"(on a b)" in state``, ``("on", "a", "b") in state``.
///
/// States come from a `Task`: `Task.initial_state`, `Task.apply`, `Task.state`.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct State {
    pub task: Py<Task>,
    pub state: herbrand_step::State,
}

impl State {
    fn ids(&self, part: ObservedAtoms) -> PyResult<Vec<u32>> {
        self.task.get().true_ids(&self.state, part)
    }

    fn objects(&self, py: Python<'_>) -> PyResult<Vec<Py<Atom>>> {
        self.task.get().atom_objects(py, self.ids(ObservedAtoms::All)?)
    }

    fn frozenset<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        PyFrozenSet::new(py, self.objects(py)?)
    }

    /// Computes `frozenset(self).<operator>(frozenset(other))`, where `other` is a set.
    fn combine<'py>(
        &self,
        py: Python<'py>,
        operator: &str,
        other: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let set = py.import("collections.abc")?.getattr("Set")?;
        if !other.is_instance(&set)? {
            return Ok(py.NotImplemented().into_bound(py));
        }
        let other = match other.cast::<Self>() {
            Ok(state) => state.get().frozenset(py)?.into_any(),
            Err(_) => other.clone(),
        };
        self.frozenset(py)?.call_method1(operator, (other,))
    }
}

/// Returns the elements that are only in the first of two ascending lists, and those only in the second.
fn differences(mine: impl Iterator<Item = u32>, others: impl Iterator<Item = u32>) -> (Vec<u32>, Vec<u32>) {
    let (mut added, mut removed) = (Vec::new(), Vec::new());
    let (mut mine, mut others) = (mine.peekable(), others.peekable());
    loop {
        match (mine.peek().copied(), others.peek().copied()) {
            (None, None) => return (added, removed),
            (Some(one), Some(other)) if one == other => {
                mine.next();
                others.next();
            }
            (Some(one), other) if other.is_none_or(|other| one < other) => {
                added.push(one);
                mine.next();
            }
            (_, Some(other)) => {
                removed.push(other);
                others.next();
            }
            (Some(_), None) => {}
        }
    }
}

state_methods!(State, Task);

#[pymethods]
impl State {
    /// Returns the atoms that became true and those that became false since another state of the same task, including
    /// derived ones: two ascending lists of ids.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the other state belongs to another task.
    fn changes(&self, previous: &Bound<'_, Self>) -> PyResult<(Vec<u32>, Vec<u32>)> {
        let previous = previous.get();
        let task = self.task.get();
        if !task.is_same(previous.task.get()) {
            return Err(PyValueError::new_err("the states belong to different tasks"));
        }
        let ground = task.simulator.task();
        if ground.atom_count() > ground.fluent_count() {
            return Ok(differences(
                self.ids(ObservedAtoms::Changing)?.into_iter(),
                previous.ids(ObservedAtoms::Changing)?.into_iter(),
            ));
        }
        let seen = |state: &herbrand_step::State| {
            let numbers = state.fluents().filter_map(|atom| task.atoms.number(atom));
            numbers.map(ObservedId::number).collect::<Vec<_>>()
        };
        Ok(differences(
            seen(&self.state).into_iter(),
            seen(&previous.state).into_iter(),
        ))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.ids(ObservedAtoms::All)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.objects(py)?)?.try_iter()
    }

    fn __contains__(&self, py: Python<'_>, atom: &Bound<'_, PyAny>) -> PyResult<bool> {
        let task = self.task.get();
        let holds = |id| task.at(&self.state, |walker| walker.holds(id));
        if let Ok(atom) = atom.cast::<Atom>() {
            let term = &atom.get().0;
            return match task.observed(term).or_else(|| task.atoms.parse(term.text())) {
                Some(id) => task.atoms.atom(id).map_or(Ok(true), holds),
                None => Ok(false),
            };
        }
        let text = match (atom.cast::<PyString>(), atom.cast::<PyTuple>()) {
            (Ok(text), _) => text.to_str()?.to_owned(),
            (_, Ok(names)) => tuple_text(names)?,
            _ => return Ok(false),
        };
        match task.simulator.parse_atom(&text) {
            Ok(id) => holds(id),
            Err(NameError::Unreachable { .. }) => Ok(task.atoms.parse(&text).is_some()),
            Err(error) => Err(error.exception(py)),
        }
    }

    fn isdisjoint<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        self.frozenset(py)?
            .call_method1("isdisjoint", (other,))?
            .extract()
    }

    fn __and__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__and__", other)
    }

    fn __rand__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__rand__", other)
    }

    fn __or__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__or__", other)
    }

    fn __ror__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__ror__", other)
    }

    fn __sub__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__sub__", other)
    }

    fn __rsub__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__rsub__", other)
    }

    fn __xor__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__xor__", other)
    }

    fn __rxor__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.combine(py, "__rxor__", other)
    }

    /// States are equal if their tasks are equal, and so are their atoms and numbers. A state never equals a plain set,
    /// which has no numbers. The other comparisons are those of sets.
    fn __richcmp__<'py>(
        &self,
        py: Python<'py>,
        other: &Bound<'py, PyAny>,
        operator: CompareOp,
    ) -> PyResult<Bound<'py, PyAny>> {
        let name = match operator {
            CompareOp::Eq | CompareOp::Ne => {
                let same = other.cast::<Self>().ok().map(|other| self.is_same(other.get()));
                return Ok(equality(py, same, operator).into_bound(py));
            }
            CompareOp::Lt => "__lt__",
            CompareOp::Le => "__le__",
            CompareOp::Gt => "__gt__",
            CompareOp::Ge => "__ge__",
        };
        self.combine(py, name, other)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let restore = py.import("herbrand._restore")?.getattr("state")?;
        let arguments = (self.task.clone_ref(py), PyBytes::new(py, &self.state.pack()));
        Ok((restore, arguments.into_pyobject(py)?))
    }
}
