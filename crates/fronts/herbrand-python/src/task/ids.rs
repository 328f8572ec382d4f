//! The ids of ground atoms and actions, and their conversion to Python objects.

use herbrand_env::{ObservedAtoms, ObservedId};
use herbrand_ground::{ActionId, Vocabulary};
use herbrand_pddl::ObjectId;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use super::grounded::Task;
use super::parts::PlanningTask;
use super::state::State;
use crate::errors::{self, OrRaise};
use crate::term::{Action, Atom, Term};

#[pymethods]
impl Task {
    /// The ground atoms by id: a tuple of Atom. Fluent atoms come first, then derived ones, then those that are always true.
    /// Unreachable atoms are left out. Observations of mode ``bits`` have the same order.
    #[getter]
    fn ground_atoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let ids = 0..u32::try_from(self.atom_objects.len()).unwrap_or(u32::MAX);
        PyTuple::new(py, self.atom_objects(py, ids)?)
    }

    /// The atoms that are true in every state: a tuple of Atom.
    #[getter]
    fn static_atoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(
            py,
            self.atom_objects(py, self.atoms.fixed().map(ObservedId::number))?,
        )
    }

    /// The ground actions by id: a tuple of Action, ordered by the declarations of operators, then of objects. Unreachable
    /// actions, which are never valid, are left out.
    #[getter]
    pub fn ground_actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let ids = self.simulator.task().actions.ids();
        let actions = ids.map(|id| self.action_object(py, &id));
        PyTuple::new(py, actions.collect::<PyResult<Vec<_>>>()?)
    }

    /// Returns the atom given by an id, a text such as ``"(on a b)"``, a tuple such as ``("on", "a", "b")``, or an Atom.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the task has no such atom, or no state can have it.
    fn atom(&self, py: Python<'_>, atom: &Bound<'_, PyAny>) -> PyResult<Py<Atom>> {
        self.atom_object(py, self.observed_id(atom)?.number())
    }

    /// Returns the action given by an id, a text such as ``"(stack a b)"``, or an Action.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the task has no such action, or no reachable state allows it; the message says why.
    fn action(&self, py: Python<'_>, action: &Bound<'_, PyAny>) -> PyResult<Py<Action>> {
        self.action_object(py, &self.read_action(action)?)
    }

    /// Returns the ids of the valid actions of a state: an ascending list of int.
    fn valid_action_ids(&self, state: &Bound<'_, State>) -> PyResult<Vec<u32>> {
        self.at(self.own(state)?, |walker| {
            walker.valid().iter().map(ActionId::number).collect()
        })
    }
}

impl Task {
    /// Returns the atoms of a part that are true in a state, in ascending order of their ids.
    pub fn true_ids(&self, state: &herbrand_step::State, part: ObservedAtoms) -> PyResult<Vec<u32>> {
        self.at(state, |walker| {
            self.atoms.observe(walker, part).map(ObservedId::number).collect()
        })
    }

    /// Returns the objects of atoms.
    pub fn atom_objects(
        &self,
        py: Python<'_>,
        ids: impl IntoIterator<Item = u32>,
    ) -> PyResult<Vec<Py<Atom>>> {
        ids.into_iter().map(|id| self.atom_object(py, id)).collect()
    }

    /// Returns the object of an atom. Each call returns the same object.
    fn atom_object(&self, py: Python<'_>, id: u32) -> PyResult<Py<Atom>> {
        let slot = &self.atom_objects[id as usize];
        let object = slot.get_or_try_init(py, || {
            let vocabulary = &self.simulator.task().vocabulary;
            let fact = self.atoms.get(ObservedId::new(id));
            let (head, arguments) = match &fact {
                Some(fact) => (
                    vocabulary.predicate(fact.predicate).signature.name.as_str(),
                    fact.arguments,
                ),
                None => ("", &[][..]),
            };
            let names = object_names(vocabulary, arguments);
            Py::new(py, Atom(Term::new(py, head, &names, Some((self.serial, id)))?))
        })?;
        Ok(object.clone_ref(py))
    }

    /// Returns the id in an atom, if the atom belongs to this task.
    pub fn observed(&self, atom: &Term) -> Option<ObservedId> {
        let home = atom.home.filter(|&(serial, _)| serial == self.serial);
        home.map(|(_, id)| ObservedId::new(id))
    }

    /// Returns the id of an atom given as an object, a tuple of names, a number, or a text.
    pub fn observed_id(&self, atom: &Bound<'_, PyAny>) -> PyResult<ObservedId> {
        let py = atom.py();
        if let Ok(object) = atom.cast::<Atom>() {
            let term = &object.get().0;
            return match self.observed(term) {
                Some(id) => Ok(id),
                None => self.parse_observed(py, term.text()),
            };
        }
        if let Ok(text) = atom.cast::<PyString>() {
            return self.parse_observed(py, text.to_str()?);
        }
        if let Ok(names) = atom.cast::<PyTuple>() {
            return self.parse_observed(py, &tuple_text(names)?);
        }
        number(atom, "atom", self.atom_objects.len()).map(ObservedId::new)
    }

    fn parse_observed(&self, py: Python<'_>, text: &str) -> PyResult<ObservedId> {
        if let Some(id) = self.atoms.parse(text) {
            return Ok(id);
        }
        let id = self.simulator.parse_atom(text).or_raise(py)?;
        let hidden = || errors::message(py, "UnknownNameError", &format!("{text} is not part of states"));
        self.atoms.number(id).ok_or_else(hidden)
    }

    pub(super) fn parse_action(&self, py: Python<'_>, text: &str) -> PyResult<ActionId> {
        self.simulator.parse_action(text).map_err(|error| {
            let text = self.why_never(text).unwrap_or_else(|| error.to_string());
            errors::message(py, "UnknownNameError", &text)
        })
    }
}

/// Returns the names of objects.
pub fn object_names(vocabulary: &Vocabulary, objects: &[ObjectId]) -> Vec<String> {
    objects
        .iter()
        .map(|&id| vocabulary.object(id).to_owned())
        .collect()
}

/// Returns the PDDL of a tuple of a predicate and objects, the form of atoms in observations of mode `atoms`.
pub fn tuple_text(names: &Bound<'_, PyTuple>) -> PyResult<String> {
    let names: Vec<String> = names.extract().map_err(|_| {
        PyTypeError::new_err(format!(
            "an atom given as a tuple has the names of a predicate and of objects, not {names}"
        ))
    })?;
    Ok(format!("({})", names.join(" ")))
}

/// Reads an id given as a number.
pub fn number(value: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<u32> {
    let py = value.py();
    let integer = match value.cast::<PyInt>() {
        Ok(integer) => integer.clone().into_any(),
        Err(_) => value.call_method0("__index__").map_err(|_| {
            PyTypeError::new_err(format!("an {what} is given by object, str or int, not {value}"))
        })?,
    };
    let found: Option<u32> = integer.extract().ok().filter(|&id| (id as usize) < count);
    found.ok_or_else(|| {
        let text = format!("there is no {what} number {value}: there are {count}");
        errors::message(py, "UnknownNameError", &text)
    })
}
