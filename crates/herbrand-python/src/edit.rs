//! Typed edits of problems, and what is known of a world seen in part. Edits and rules cross over as JSON.

use std::sync::{Arc, Mutex};

use herbrand_edit::lines::{LineEdits, Renaming, apply};
use herbrand_edit::{Belief, Edit, EditFaults, Ground, Model, Rules, Statement, Truth};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::domain::Domain;
use crate::errors::{self, poisoned};
use crate::problem::Problem;

fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn written(value: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(value).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The exception that stands for faults of edits.
fn refused(py: Python<'_>, faults: &EditFaults) -> PyErr {
    let faults = faults
        .0
        .iter()
        .map(|fault| (fault.edit, fault.code.name(), &fault.message));
    errors::exception(py, "EditError", (faults.collect::<Vec<_>>(),))
}

fn model_of(problem: &Problem) -> Model {
    let domain = Arc::clone(&problem.domain_ref().get().model);
    Model::new(domain, Arc::clone(&problem.model))
}

/// The problem of a model; its domain is that of `before` if no edit has changed it.
fn problem_of(py: Python<'_>, model: &Model, before: &Problem) -> PyResult<Problem> {
    let domain = before.domain_ref();
    let domain = if domain.get().model == *model.domain() {
        domain.clone_ref(py)
    } else {
        Py::new(py, Domain::new((**model.domain()).clone()))?
    };
    Ok(Problem::new((**model.problem()).clone(), domain))
}

/// The problem after a batch of edits, given as JSON, under rules, given as JSON.
#[pyfunction]
pub fn edit_problem(py: Python<'_>, problem: &Problem, edits: &str, rules: &str) -> PyResult<Problem> {
    let (edits, rules): (Vec<Edit>, Rules) = (read(edits)?, read(rules)?);
    let model = model_of(problem);
    let edited = errors::guarded(py, || model.apply(&edits, &rules))?;
    problem_of(py, &edited.map_err(|faults| refused(py, &faults))?, problem)
}

/// The edits that lead from one problem to another, as JSON; None where edits cannot say the difference.
#[pyfunction]
pub fn problem_difference(problem: &Problem, other: &Problem) -> PyResult<Option<String>> {
    let edits = herbrand_edit::difference(&model_of(problem), &model_of(other));
    edits.map(|edits| written(&edits)).transpose()
}

/// The JSON Schema of lists of edits of a domain's problems.
#[pyfunction]
pub fn edit_schema(domain: &Domain) -> String {
    herbrand_edit::schema(&domain.model).to_string()
}

/// The text of a problem after edits of its lines, given as JSON.
#[pyfunction]
pub fn edit_lines(text: &str, edits: &str, textual: bool) -> PyResult<String> {
    let edits: LineEdits = read(edits)?;
    let renaming = if textual {
        Renaming::Textual
    } else {
        Renaming::None
    };
    apply(text, &edits, renaming).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Edits of lines as typed edits, both as JSON.
#[pyfunction]
pub fn typed_lines(edits: &str) -> PyResult<String> {
    let edits: LineEdits = read(edits)?;
    let typed = edits.typed();
    written(&typed.map_err(|error| PyValueError::new_err(error.to_string()))?)
}

/// What is known of a problem that is seen in part.
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

fn fact(text: &str) -> PyResult<Ground> {
    let fact: Result<Ground, _> = text.parse();
    fact.map_err(|error| PyValueError::new_err(error.to_string()))
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

    /// Takes in an observation, given as JSON; the edits that it came to, as JSON.
    fn observe(&self, py: Python<'_>, name: &str, statements: &str) -> PyResult<String> {
        let statements: Vec<Statement> = read(statements)?;
        let edits = self.with(|belief| belief.observe(name, &statements))?;
        written(&edits.map_err(|faults| refused(py, &faults))?)
    }

    /// Whether a fact holds; None if that is not known.
    fn truth(&self, atom: &str) -> PyResult<Option<bool>> {
        let fact = fact(atom)?;
        self.with(|belief| match belief.truth(&fact) {
            Truth::True => Some(true),
            Truth::False => Some(false),
            Truth::Unknown => None,
        })
    }

    /// The name of the observation that said so.
    fn source(&self, atom: &str) -> PyResult<Option<String>> {
        let fact = fact(atom)?;
        self.with(|belief| belief.source(&fact).map(str::to_owned))
    }

    /// The names of the placeholders.
    #[getter]
    fn placeholders(&self) -> PyResult<Vec<String>> {
        self.with(|belief| belief.placeholders().map(str::to_owned).collect())
    }

    /// What is known, as a problem in which everything else is false.
    #[getter]
    fn problem(&self, py: Python<'_>) -> PyResult<Problem> {
        let model = self.with(|belief| belief.model().clone())?;
        problem_of(py, &model, self.start.get())
    }
}
