//! `LiftedState`: states of lifted tasks.

use std::hash::{Hash, Hasher};

use herbrand_pddl::{AtomList, AtomRef};
use numpy::PyArray3;
use pyo3::basic::CompareOp;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyIterator, PyTuple};

use crate::domain::equality;
use crate::errors::Reduced;
use crate::lifted_task::LiftedTask;
use crate::picture;
use crate::term::{Atom, Term};

/// A state of a `LiftedTask`: the changeable atoms that are true, including derived ones, and the values of numeric fluents.
///
/// A state is an immutable value: it can be hashed, compared and pickled. States come from a task:
/// `LiftedTask.initial_state`, `LiftedTask.apply`, `LiftedTask.state`.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct LiftedState {
    pub task: Py<LiftedTask>,
    pub state: herbrand_step::LiftedState,
}

impl LiftedState {
    /// Returns the true atoms: fluent ones, then derived ones, each in ascending order.
    fn facts(&self) -> PyResult<AtomList> {
        self.task.get().at(&self.state, |walker| {
            let mut facts = AtomList::default();
            let mut derived: Vec<_> = walker.derived().collect();
            derived.sort_unstable();
            let all = self.state.atoms().chain(derived);
            all.for_each(|fact| facts.push(fact.predicate, fact.arguments));
            facts
        })
    }

    fn object(&self, py: Python<'_>, fact: AtomRef<'_>) -> PyResult<Atom> {
        let vocabulary = self.task.get().simulator.vocabulary();
        let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
        let names: Vec<_> = fact
            .arguments
            .iter()
            .map(|&id| vocabulary.object(id).to_owned())
            .collect();
        Ok(Atom(Term::new(py, head, &names, None)?))
    }

    fn objects(&self, py: Python<'_>) -> PyResult<Vec<Py<Atom>>> {
        let facts = self.facts()?;
        facts
            .iter()
            .map(|fact| Py::new(py, self.object(py, fact)?))
            .collect()
    }

    fn is_same(&self, other: &Self) -> bool {
        self.state == other.state && self.task.get().is_same(other.task.get())
    }
}

#[pymethods]
impl LiftedState {
    /// The task of the state.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<LiftedTask> {
        self.task.clone_ref(py)
    }

    /// The changeable atoms that are true: a frozenset of Atom.
    #[getter]
    fn atoms<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        PyFrozenSet::new(py, self.objects(py)?)
    }

    /// The changeable atoms that are true: a tuple of Atom. Fluent atoms come before derived ones; both are ordered by
    /// predicate and objects.
    #[getter]
    fn changing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.objects(py)?)
    }

    /// The values of the defined numeric fluents: a dict from PDDL, such as ``"(fuel truck)"``, to float.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let vocabulary = self.task.get().simulator.vocabulary();
        let numbers = PyDict::new(py);
        for number in self.state.numbers() {
            let name = &vocabulary.function(number.function).name;
            numbers.set_item(
                vocabulary.term(name, &number.arguments).to_string(),
                number.value(),
            )?;
        }
        Ok(numbers)
    }

    /// Whether the goal is true.
    #[getter]
    fn is_goal(&self) -> PyResult<bool> {
        self.task.get().at(&self.state, |walker| walker.is_goal())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.facts()?.iter().count())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.objects(py)?.into_pyobject(py)?.try_iter()
    }

    fn __contains__(&self, atom: &Bound<'_, PyAny>) -> PyResult<bool> {
        let task = self.task.get();
        let Some((predicate, arguments)) = task.atom_of(atom)? else {
            return Ok(false);
        };
        task.at(&self.state, |walker| walker.holds(predicate, &arguments))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = fxhash::FxHasher64::default();
        self.state.hash(&mut hasher);
        hasher.finish()
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, operator: CompareOp) -> Py<PyAny> {
        let same = other.cast::<Self>().ok().map(|other| self.is_same(other.get()));
        equality(py, same, operator)
    }

    /// Returns the picture of the state as SVG, drawn by ``[render]`` in the domain's ``env.toml`` or by a generic layout.
    ///
    /// Parameters
    /// ----------
    /// theme : {"auto", "light", "dark"}
    ///     ``"auto"`` follows the preference of the reader's browser.
    /// egocentric : bool
    ///     Whether to draw only the surroundings of the agent, as defined by ``eye`` in ``[render]``.
    #[pyo3(signature = (theme = "auto", *, egocentric = false))]
    fn svg(&self, theme: &str, egocentric: bool) -> PyResult<String> {
        let theme = picture::theme(theme)?;
        Ok(self.task.get().scene(&self.state, egocentric)?.to_svg(theme))
    }

    /// Returns the picture of the state as pixels: an array of uint8, (height, width, 3).
    ///
    /// Parameters
    /// ----------
    /// size : (int, int), optional
    ///     Height and width; by default the picture's own size.
    /// theme : {"light", "dark"}
    /// egocentric : bool
    ///     As for `svg`.
    #[pyo3(signature = (size = None, *, theme = "light", egocentric = false))]
    fn image<'py>(
        &self,
        py: Python<'py>,
        size: Option<(u32, u32)>,
        theme: &str,
        egocentric: bool,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let theme = picture::theme(theme)?;
        picture::pixels(py, &self.task.get().scene(&self.state, egocentric)?, theme, size)
    }

    /// Returns the picture for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg("auto", false)
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        let vocabulary = self.task.get().simulator.vocabulary();
        let facts = self.facts()?;
        let atoms = facts.iter().map(|fact| {
            let name = &vocabulary.predicate(fact.predicate).signature.name;
            vocabulary.term(name, fact.arguments).to_string()
        });
        let numbers = self.numbers(py)?;
        let numbers = numbers.iter().map(|(term, value)| format!("(= {term} {value})"));
        Ok(atoms.chain(numbers).collect::<Vec<_>>().join(" "))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<LiftedState {}>", self.__str__(py)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let task = self.task.bind(py);
        let numbers = PyDict::new(py);
        // Numbers that are defined initially but not in this state become undefined.
        let start = LiftedTask::initial_state(task).numbers(py)?;
        for name in start.keys() {
            numbers.set_item(name, py.None())?;
        }
        numbers.update(self.numbers(py)?.as_mapping())?;
        let arguments = (self.objects(py)?, numbers);
        Ok((task.getattr("state")?, arguments.into_pyobject(py)?))
    }
}
