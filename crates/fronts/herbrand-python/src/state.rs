//! `State`: states of ground tasks.

use std::hash::{Hash, Hasher};

use herbrand_env::{ObservedAtoms, ObservedId};
use herbrand_ground::NumericId;
use herbrand_step::NameError;
use numpy::PyArray3;
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFrozenSet, PyIterator, PyString, PyTuple};

use crate::domain::equality;
use crate::errors::{IntoException, Reduced};
use crate::picture;
use crate::task::Task;
use crate::task::objects::tuple_text;
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
        let task = self.task.get();
        task.at(&self.state, |walker| {
            task.atoms.observe(walker, part).map(ObservedId::number).collect()
        })
    }

    fn tuple<'py>(&self, py: Python<'py>, ids: &[u32]) -> PyResult<Bound<'py, PyTuple>> {
        let task = self.task.get();
        let atoms: Vec<_> = ids
            .iter()
            .map(|&id| task.atom_object(py, id))
            .collect::<PyResult<_>>()?;
        PyTuple::new(py, atoms)
    }

    fn frozenset<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        PyFrozenSet::new(py, self.tuple(py, &self.ids(ObservedAtoms::All)?)?)
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

    fn is_same(&self, py: Python<'_>, other: &Self) -> bool {
        self.state == other.state && self.task.get().is_same(py, other.task.get())
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

#[pymethods]
impl State {
    /// The task of the state.
    #[getter]
    fn task(&self, py: Python<'_>) -> Py<Task> {
        self.task.clone_ref(py)
    }

    /// The changeable atoms that are true, including derived ones, in ascending order of their ids: a tuple of Atom.
    #[getter]
    fn changing<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        self.tuple(py, &self.ids(ObservedAtoms::Changing)?)
    }

    /// Returns the atoms that became true and those that became false since another state of the same task, including
    /// derived ones: two ascending lists of ids.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If the other state belongs to another task.
    fn changes(&self, py: Python<'_>, previous: &Bound<'_, Self>) -> PyResult<(Vec<u32>, Vec<u32>)> {
        let previous = previous.get();
        let task = self.task.get();
        if !task.is_same(py, previous.task.get()) {
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

    /// The values of the defined numeric fluents: a dict from PDDL, such as ``"(fuel truck)"``, to float.
    #[getter]
    fn numbers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let task = self.task.get().simulator.task();
        let numbers = PyDict::new(py);
        for id in (0..task.state_numerics).map(NumericId::new) {
            if let Some(value) = self.state.numeric(id) {
                numbers.set_item(task.display_numeric(id).to_string(), value)?;
            }
        }
        Ok(numbers)
    }

    /// Whether the goal is true.
    #[getter]
    fn is_goal(&self) -> PyResult<bool> {
        self.task.get().at(&self.state, |walker| walker.is_goal())
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(self.ids(ObservedAtoms::All)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.tuple(py, &self.ids(ObservedAtoms::All)?)?.try_iter()
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
                let same = other
                    .cast::<Self>()
                    .ok()
                    .map(|other| self.is_same(py, other.get()));
                return Ok(equality(py, same, operator).into_bound(py));
            }
            CompareOp::Lt => "__lt__",
            CompareOp::Le => "__le__",
            CompareOp::Gt => "__gt__",
            CompareOp::Ge => "__ge__",
        };
        self.combine(py, name, other)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = fxhash::FxHasher64::default();
        self.state.hash(&mut hasher);
        hasher.finish()
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
        let task = self.task.get();
        let ids = self.ids(ObservedAtoms::Changing)?;
        let atoms = ids
            .iter()
            .map(|&id| task.atoms.display(ObservedId::new(id)).to_string());
        let numbers = self.numbers(py)?;
        let numbers = numbers.iter().map(|(term, value)| format!("(= {term} {value})"));
        Ok(atoms.chain(numbers).collect::<Vec<_>>().join(" "))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<State {}>", self.__str__(py)?))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let restore = py.import("herbrand._restore")?.getattr("state")?;
        let arguments = (self.task.clone_ref(py), PyBytes::new(py, &self.state.pack()));
        Ok((restore, arguments.into_pyobject(py)?))
    }
}
