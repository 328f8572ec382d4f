//! Typed edits of problems, and beliefs about partially observed worlds. Edits and rules are passed as JSON.

use std::sync::{Arc, Mutex};

use herbrand_edit::lines::{LineEdits, Renaming, apply};
use herbrand_edit::{Belief, Edit, EditFaults, EditRules, Ground, PlanningModel, Statement, Truth};
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::choice::{parsed, value_error};
use crate::domain::Domain;
use crate::errors::{self, poisoned};
use crate::problem::Problem;

fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(value_error)
}

fn written(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(value_error)
}

/// Returns the exception for faults of edits.
fn refused(py: Python<'_>, faults: &EditFaults) -> PyErr {
    let faults = faults
        .0
        .iter()
        .map(|fault| (fault.edit, fault.code.name(), &fault.message));
    errors::exception(py, "EditError", (faults.collect::<Vec<_>>(),))
}

fn model_of(problem: &Problem) -> PlanningModel {
    let domain = Arc::clone(&problem.domain_ref().get().model);
    PlanningModel::new(domain, Arc::clone(&problem.model))
}

/// Returns the problem of a model. It shares the domain of `before` unless an edit has changed the domain.
fn problem_of(py: Python<'_>, model: &PlanningModel, before: &Problem) -> PyResult<Problem> {
    let domain = before.domain_ref();
    let domain = if domain.get().model == *model.domain() {
        domain.clone_ref(py)
    } else {
        Py::new(py, Domain::new((**model.domain()).clone()))?
    };
    Ok(Problem::new((**model.problem()).clone(), domain))
}

/// Applies a batch of edits under rules, both given as JSON, to a problem.
#[pyfunction]
pub fn edit_problem(py: Python<'_>, problem: &Problem, edits: &str, rules: &str) -> PyResult<Problem> {
    let (edits, rules): (Vec<Edit>, EditRules) = (read(edits)?, read(rules)?);
    let model = model_of(problem);
    let edited = errors::guarded(py, || model.apply(&edits, &rules))?;
    problem_of(py, &edited.map_err(|faults| refused(py, &faults))?, problem)
}

/// Returns the edits that lead from one problem to another, as JSON; None if edits cannot express the difference.
#[pyfunction]
pub fn problem_difference(problem: &Problem, other: &Problem) -> PyResult<Option<String>> {
    let edits = herbrand_edit::difference(&model_of(problem), &model_of(other));
    edits.map(|edits| written(&edits)).transpose()
}

/// Returns the JSON Schema of lists of edits of a domain's problems.
#[pyfunction]
pub fn edit_schema(domain: &Domain) -> String {
    herbrand_edit::schema(&domain.model).to_string()
}

/// Returns the text of a problem after line edits, given as JSON.
#[pyfunction]
pub fn edit_lines(text: &str, edits: &str, textual: bool) -> PyResult<String> {
    let edits: LineEdits = read(edits)?;
    let renaming = if textual {
        Renaming::Textual
    } else {
        Renaming::None
    };
    apply(text, &edits, renaming).map_err(value_error)
}

/// Converts line edits to typed edits, both as JSON.
#[pyfunction]
pub fn typed_lines(edits: &str) -> PyResult<String> {
    let edits: LineEdits = read(edits)?;
    let typed = edits.typed();
    written(&typed.map_err(value_error)?)
}

/// A belief about a partially observed problem.
#[pyclass(frozen, module = "herbrand")]
pub struct BeliefCore {
    belief: Mutex<Belief>,
    start: Py<Problem>,
}

impl BeliefCore {
    fn with<T>(&self, work: impl FnOnce(&mut Belief) -> T) -> PyResult<T> {
        let mut belief = self.belief.lock().map_err(|_| poisoned())?;
        Ok(work(&mut belief))
    }
}

#[pymethods]
impl BeliefCore {
    #[new]
    fn new(problem: Py<Problem>, rules: &str) -> PyResult<Self> {
        Ok(Self {
            belief: Mutex::new(Belief::new(model_of(problem.get()), read(rules)?)),
            start: problem,
        })
    }

    /// Adds an observation, given as JSON; returns the edits of the known problem that it caused, as JSON.
    fn observe(&self, py: Python<'_>, name: &str, statements: &str) -> PyResult<String> {
        let statements: Vec<Statement> = read(statements)?;
        let edits = self.with(|belief| belief.observe(name, &statements))?;
        written(&edits.map_err(|faults| refused(py, &faults))?)
    }

    /// Returns whether a fact is true; None if unknown.
    fn truth(&self, atom: &str) -> PyResult<Option<bool>> {
        let fact: Ground = parsed(atom)?;
        self.with(|belief| match belief.truth(&fact) {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown => None,
        })
    }

    /// Returns the name of the observation that showed a fact to be true or false; None if no observation did.
    fn source(&self, atom: &str) -> PyResult<Option<String>> {
        let fact: Ground = parsed(atom)?;
        self.with(|belief| belief.source(&fact).map(str::to_owned))
    }

    /// The names of the placeholders.
    #[getter]
    fn placeholders(&self) -> PyResult<Vec<String>> {
        self.with(|belief| belief.placeholders().map(str::to_owned).collect())
    }

    /// The known facts as a problem. Unknown facts are false in it.
    #[getter]
    fn problem(&self, py: Python<'_>) -> PyResult<Problem> {
        let model = self.with(|belief| belief.model().clone())?;
        problem_of(py, &model, self.start.get())
    }
}
