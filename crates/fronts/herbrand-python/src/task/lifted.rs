//! `LiftedTask`: problems on the lifted engine, without grounding.

use std::sync::Arc;

use herbrand_core::{ActionValidity, Fact};
use herbrand_env::{ActionMode, Suite, show_lifted};
use herbrand_pddl::{AtomList, AtomRef, FunctionId, ObjectId, PredicateId, SchemaId};
use herbrand_render::{Scene, Theme};
use herbrand_step::{LiftedOutcome, LiftedSimulator, LiftedWalker, StepError};
use pyo3::basic::CompareOp;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::ids::{object_names, tuple_text};
use super::lifted_state::LiftedState;
use super::methods::task_methods;
use super::parts::{Distribution, PlanningTask, Successors, TaskParts, other_task};
use crate::domain::{Domain, equality};
use crate::errors::{self, IntoException, OrRaise, Reduced, poisoned};
use crate::explanation::{explanation, never_valid};
use crate::picture::StateDrawing;
use crate::problem::Problem;
use crate::random::Random;
use crate::term::{Action, Atom, Term};

/// A planning problem that the lifted engine steps without grounding it.
///
/// It gives the same answers as a `Task` and makes the same random draws. It computes valid actions from the operators and
/// the true atoms of one state at a time. It is ready at once and needs memory for the state only, whereas a `Task`
/// enumerates all atoms and actions first; in return each step takes longer. Atoms and actions have no numbers.
///
/// Parameters
/// ----------
/// domain : Domain
/// problem : Problem
/// limits : Limits or mapping, optional
///     Limits for compiling, and again for each step.
/// settings : str, optional
///     The text of an ``env.toml``. Its ``[render]`` section defines how states are drawn.
/// title : str, optional
///     The title of pictures; by default the names of domain and problem.
///
/// Raises
/// ------
/// GroundingError
///     If axioms are not stratified.
/// LimitError
///     If a limit is reached.
///
/// Examples
/// --------
/// >>> import herbrand
/// >>> task = herbrand.load("blocks", "test/01", engine="lifted")
/// >>> state = task.initial_state
/// >>> action = task.valid_actions(state)[0]
/// >>> successor = task.apply(state, action)
/// >>> task.is_valid(successor, action)
/// False
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct LiftedTask {
    parts: TaskParts<LiftedWalker>,
    simulator: LiftedSimulator,
}

/// A schema with its arguments.
type Ground = (SchemaId, Vec<ObjectId>);

impl LiftedTask {
    pub fn with_simulator(
        py: Python<'_>,
        domain: Py<Domain>,
        problem: Py<Problem>,
        simulator: LiftedSimulator,
        drawing: StateDrawing,
    ) -> PyResult<Self> {
        let walker = simulator.walker().or_raise(py)?;
        let parts = TaskParts::new(domain, problem, drawing, walker);
        Ok(Self { parts, simulator })
    }

    /// Reads the head and the arguments of an atom, a tuple of names, or a text.
    fn names(&self, given: &Bound<'_, PyAny>) -> PyResult<(String, Vec<ObjectId>)> {
        let py = given.py();
        let text = match (
            given.cast::<Atom>(),
            given.cast::<PyString>(),
            given.cast::<PyTuple>(),
        ) {
            (Ok(atom), _, _) => atom.get().0.text().to_owned(),
            (_, Ok(text), _) => text.to_str()?.to_owned(),
            (_, _, Ok(names)) => tuple_text(names)?,
            _ => {
                let text = format!("an atom of a lifted task is given by object, tuple or str, not {given}");
                return Err(PyTypeError::new_err(text));
            }
        };
        let (head, arguments) = Term::parse(py, &text)?.parts(py)?;
        let find = |name: &String| {
            let found = self.simulator.vocabulary().find_object(name);
            found.ok_or_else(|| {
                errors::message(py, "UnknownNameError", &format!("there is no object `{name}`"))
            })
        };
        Ok((head, arguments.iter().map(find).collect::<PyResult<_>>()?))
    }

    /// Reads an atom given as an object, a tuple of names, or a text; `None` if no predicate of the domain matches.
    pub fn atom_of(&self, given: &Bound<'_, PyAny>) -> PyResult<Option<(PredicateId, Vec<ObjectId>)>> {
        let (head, arguments) = self.names(given)?;
        let vocabulary = self.simulator.vocabulary();
        let fits = |id: &PredicateId| {
            let predicate = vocabulary.predicate(*id);
            !predicate.auxiliary && predicate.signature.parameters.len() == arguments.len()
        };
        let found = vocabulary.find_predicate(&head).filter(fits);
        Ok(found.map(|predicate| (predicate, arguments)))
    }

    fn function_of(&self, given: &Bound<'_, PyAny>) -> PyResult<(FunctionId, Vec<ObjectId>)> {
        let (head, arguments) = self.names(given)?;
        let mut functions = self.simulator.vocabulary().functions.iter();
        let fits = |one: &herbrand_ground::Signature| {
            one.name.as_str() == head && one.parameters.len() == arguments.len()
        };
        let index = functions.position(fits);
        let unknown = || {
            let text = format!("there is no number `{given}` in the states of this task");
            errors::message(given.py(), "UnknownNameError", &text)
        };
        Ok((index.map(FunctionId::from_index).ok_or_else(unknown)?, arguments))
    }

    /// Returns the true atoms: fluent ones, then derived ones, each in ascending order.
    pub fn facts(&self, state: &herbrand_step::LiftedState) -> PyResult<AtomList> {
        self.at(state, |walker| {
            let mut facts = AtomList::default();
            let mut derived: Vec<_> = walker.derived().collect();
            derived.sort_unstable();
            let all = state.atoms().chain(derived);
            all.for_each(|fact| facts.push(fact.predicate, fact.arguments));
            facts
        })
    }
}

task_methods!(LiftedTask, LiftedState);

impl PlanningTask for LiftedTask {
    type Walker = LiftedWalker;
    type State = herbrand_step::LiftedState;
    type Action = Ground;

    fn is_same(&self, other: &Self) -> bool {
        self.parts.is_same(&other.parts)
    }

    fn initial(&self) -> Self::State {
        self.simulator.initial_state().clone()
    }

    fn initial_outcomes(&self) -> PyResult<Result<Distribution<Self::State>, StepError>> {
        let outcomes = self.at(self.simulator.initial_state(), LiftedWalker::initial_outcomes)?;
        Ok(outcomes.map(|list| list.into_iter().map(|one| (one.probability, one.state)).collect()))
    }

    fn state_of(
        &self,
        atoms: &Bound<'_, PyAny>,
        numbers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self::State> {
        let py = atoms.py();
        let mut facts = AtomList::default();
        for atom in atoms.try_iter()? {
            let atom = atom?;
            let unknown = || {
                errors::message(
                    py,
                    "UnknownNameError",
                    &format!("`{atom}` is not an atom of this task"),
                )
            };
            let (predicate, arguments) = self.atom_of(&atom)?.ok_or_else(unknown)?;
            facts.push(predicate, &arguments);
        }
        let mut state = self.simulator.state_from_atoms(facts.iter());
        for (name, value) in numbers.into_iter().flatten() {
            let (function, arguments) = self.function_of(&name)?;
            if !self
                .simulator
                .set_numeric(&mut state, function, &arguments, value.extract()?)
            {
                let text = format!("`{name}` is not a number that can change");
                return Err(errors::message(py, "UnknownNameError", &text));
            }
        }
        Ok(state)
    }

    fn changing(&self, py: Python<'_>, state: &Self::State) -> PyResult<Vec<Py<Atom>>> {
        let vocabulary = self.simulator.vocabulary();
        let facts = self.facts(state)?;
        let object = |fact: AtomRef<'_>| {
            let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
            let names = object_names(vocabulary, fact.arguments);
            Py::new(py, Atom(Term::new(py, head, &names, None)?))
        };
        facts.iter().map(object).collect()
    }

    fn numbers(&self, state: &Self::State) -> Vec<(String, f64)> {
        let vocabulary = self.simulator.vocabulary();
        let numbers = state.numbers().iter().map(|number| {
            let name = &vocabulary.function(number.function).name;
            (
                vocabulary.term(name, &number.arguments).to_string(),
                number.value(),
            )
        });
        numbers.collect()
    }

    fn read_action(&self, given: &Bound<'_, PyAny>) -> PyResult<Ground> {
        let py = given.py();
        if let Ok(object) = given.cast::<Action>() {
            return self.simulator.parse_action(object.get().0.text()).or_raise(py);
        }
        let Ok(text) = given.cast::<PyString>() else {
            let text = format!("an action of a lifted task is given by object or str, not {given}");
            return Err(PyTypeError::new_err(text));
        };
        self.simulator.parse_action(text.to_str()?).or_raise(py)
    }

    fn action_object(&self, py: Python<'_>, (schema, arguments): &Ground) -> PyResult<Py<Action>> {
        let vocabulary = self.simulator.vocabulary();
        let (name, names) = (
            vocabulary.schema(*schema).name.as_str(),
            object_names(vocabulary, arguments),
        );
        Py::new(py, Action(Term::new(py, name, &names, None)?))
    }

    fn successors(
        &self,
        state: &Self::State,
        (schema, arguments): &Ground,
    ) -> PyResult<Result<Successors<Self::State>, StepError>> {
        let outcomes = self.at(state, |walker| walker.outcomes(*schema, arguments))?;
        let triple = |one: LiftedOutcome| (one.probability, one.state, one.reward);
        Ok(outcomes.map(|list| Successors::of(list.into_iter().map(triple).collect())))
    }

    fn valid(walker: &LiftedWalker) -> Vec<Ground> {
        let valid = walker.valid().iter();
        valid.map(|one| (one.schema, one.arguments.to_vec())).collect()
    }

    fn allows(walker: &LiftedWalker, (schema, arguments): &Ground) -> bool {
        walker.valid().contains(*schema, arguments)
    }

    fn draw_action(walker: &LiftedWalker, random: &mut herbrand_step::Random) -> Option<Ground> {
        let action = walker.sample(random)?;
        Some((action.schema, action.arguments.to_vec()))
    }

    fn step(
        walker: &mut LiftedWalker,
        (schema, arguments): &Ground,
        random: &mut herbrand_step::Random,
    ) -> Result<(Self::State, f64), StepError> {
        let transition = walker.apply(*schema, arguments, random)?;
        Ok((walker.state().clone(), transition.reward))
    }

    fn validity(walker: &LiftedWalker, (schema, arguments): &Ground) -> Result<ActionValidity, StepError> {
        let why = walker.explain(*schema, arguments)?;
        Ok(ActionValidity {
            valid: why.valid,
            text: why.to_string(),
            failures: why.failures,
            action: why.name,
        })
    }

    fn show(&self, walker: &LiftedWalker, visit: &mut dyn FnMut(Fact<'_>)) {
        show_lifted(walker, visit);
    }
}

#[pymethods]
impl LiftedTask {
    #[new]
    #[pyo3(signature = (domain, problem, *, limits = None, settings = None, title = None))]
    fn new(
        py: Python<'_>,
        domain: Py<Domain>,
        problem: Py<Problem>,
        limits: Option<&Bound<'_, PyAny>>,
        settings: Option<&str>,
        title: Option<String>,
    ) -> PyResult<Self> {
        let limits = crate::limits::limits(limits)?;
        let models = (Arc::clone(&domain.get().model), Arc::clone(&problem.get().model));
        let simulator = errors::interruptible(py, move || {
            let (domain, problem) = ((*models.0).clone(), (*models.1).clone());
            let suite = Suite::from_problems(domain, [problem], ActionMode::Operators)?;
            suite.with_limits(limits).lifted_simulator(0)
        })?;
        let drawing = StateDrawing::of_problem(py, domain.get(), problem.get(), settings, title)?;
        Self::with_simulator(py, domain, problem, simulator.or_raise(py)?, drawing)
    }

    fn __repr__(&self) -> String {
        format!("<LiftedTask {}>", self.parts.drawing.title())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let arguments = (
            self.parts.domain.clone_ref(py),
            self.parts.problem.clone_ref(py),
            self.parts.drawing.settings(),
            self.parts.drawing.title(),
        );
        let restore = py.import("herbrand._restore")?;
        Ok((restore.getattr("lifted_task")?, arguments.into_pyobject(py)?))
    }
}
