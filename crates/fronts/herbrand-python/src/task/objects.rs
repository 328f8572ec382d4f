//! Conversion between ids and Python objects of atoms and actions.

use herbrand_env::{ObservedId, why_never};
use herbrand_ground::ActionId;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyString, PyTuple};

use super::Task;
use crate::errors::{self, OrRaise};
use crate::term::{Action, Atom, Term};

impl Task {
    /// Returns the object of an atom. Each call returns the same object.
    pub fn atom_object(&self, py: Python<'_>, id: u32) -> PyResult<Py<Atom>> {
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
            let names: Vec<_> = arguments
                .iter()
                .map(|&id| vocabulary.object(id).to_owned())
                .collect();
            Py::new(py, Atom(Term::new(py, head, &names, Some((self.serial, id)))?))
        })?;
        Ok(object.clone_ref(py))
    }

    /// Returns the object of an action. Each call returns the same object.
    pub fn action_object(&self, py: Python<'_>, id: ActionId) -> PyResult<Py<Action>> {
        let slot = &self.action_objects[id.index()];
        if let Some(object) = slot.get(py) {
            return Ok(object.clone_ref(py));
        }
        let object = slot.get_or_try_init(py, || {
            let task = self.simulator.task();
            let (vocabulary, action) = (&task.vocabulary, task.actions.get(id));
            let name = vocabulary.schema(action.schema).name.as_str();
            let names: Vec<_> = action
                .arguments
                .iter()
                .map(|&id| vocabulary.object(id).to_owned())
                .collect();
            let home = Some((self.serial, id.number()));
            Py::new(py, Action(Term::new(py, name, &names, home)?))
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

    fn parse_action(&self, py: Python<'_>, text: &str) -> PyResult<ActionId> {
        self.simulator.parse_action(text).map_err(|error| {
            let text = self.why_never(text).unwrap_or_else(|| error.to_string());
            errors::message(py, "UnknownNameError", &text)
        })
    }

    /// Explains why no reachable state allows an action; `None` if a state may allow it.
    pub fn why_never(&self, text: &str) -> Option<String> {
        let models = (&self.domain.get().model, &self.problem.get().model);
        why_never(models.0, models.1, self.simulator.task(), text)
    }

    /// Returns the id of an action given as an object, a number, or a text.
    pub fn action_id(&self, action: &Bound<'_, PyAny>) -> PyResult<ActionId> {
        let py = action.py();
        if let Ok(object) = action.cast::<Action>() {
            let term = &object.get().0;
            return match term.home {
                Some((serial, id)) if serial == self.serial => Ok(ActionId::new(id)),
                _ => self.parse_action(py, term.text()),
            };
        }
        if let Ok(text) = action.cast::<PyString>() {
            return self.parse_action(py, text.to_str()?);
        }
        number(action, "action", self.simulator.task().actions.len()).map(ActionId::new)
    }
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
fn number(value: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<u32> {
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
