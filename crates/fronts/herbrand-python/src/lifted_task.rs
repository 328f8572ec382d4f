//! `LiftedTask`: problems as functions of states, without grounding.

use std::sync::{Arc, Mutex};

use herbrand_core::Fact;
use herbrand_env::{ActionMode, Suite, show_lifted};
use herbrand_pddl::{AtomList, FunctionId, ObjectId, PredicateId, SchemaId};
use herbrand_render::{Scene, Theme};
use herbrand_step::{LiftedOutcome, LiftedSimulator, LiftedWalker, Maintenance, StepError};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::domain::{Domain, equality};
use crate::errors::{self, IntoException, OrRaise, Reduced, poisoned};
use crate::lifted_state::LiftedState;
use crate::picture::StateDrawing;
use crate::problem::Problem;
use crate::random::Random;
use crate::task::objects::tuple_text;
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
    domain: Py<Domain>,
    problem: Py<Problem>,
    portrait: StateDrawing,
    pub simulator: LiftedSimulator,
    /// Positioned at the state of the last query.
    walker: Mutex<LiftedWalker>,
    random: Mutex<herbrand_step::Random>,
}

/// A schema with its arguments.
type Ground = (SchemaId, Vec<ObjectId>);

fn wrap(slf: &Bound<'_, LiftedTask>, state: herbrand_step::LiftedState) -> LiftedState {
    LiftedState {
        task: slf.clone().unbind(),
        state,
    }
}

impl LiftedTask {
    pub fn with_simulator(
        py: Python<'_>,
        domain: Py<Domain>,
        problem: Py<Problem>,
        simulator: LiftedSimulator,
        portrait: StateDrawing,
    ) -> PyResult<Self> {
        Ok(Self {
            walker: Mutex::new(simulator.walker(Maintenance::Incremental).or_raise(py)?),
            random: Mutex::new(herbrand_step::Random::new(0)),
            simulator,
            portrait,
            domain,
            problem,
        })
    }

    /// Returns the picture of a state.
    pub fn scene(&self, state: &herbrand_step::LiftedState, egocentric: bool) -> PyResult<Scene> {
        let models = (&self.domain.get().model, &self.problem.get().model);
        self.at(state, |walker| {
            let show = |visit: &mut dyn FnMut(Fact<'_>)| show_lifted(walker, visit);
            let reached = walker.is_goal();
            self.portrait
                .scene(egocentric, models.0, models.1, reached, &show)
        })?
    }

    /// Calls `work` with the locked walker at `state`. `work` must not run Python code.
    pub fn at<T>(
        &self,
        state: &herbrand_step::LiftedState,
        work: impl FnOnce(&mut LiftedWalker) -> T,
    ) -> PyResult<T> {
        let mut walker = self.walker.lock().map_err(|_| poisoned())?;
        if walker.state() != state
            && let Err(error) = walker.set_state(state)
        {
            drop(walker);
            return Err(Python::attach(|py| error.exception(py)));
        }
        Ok(work(&mut walker))
    }

    /// Returns whether the tasks are equal: whether they have the same domain and problem.
    pub fn is_same(&self, other: &Self) -> bool {
        let (mine, others) = (&self.problem.get().model, &other.problem.get().model);
        let same_domain = || self.domain.get().model == other.domain.get().model;
        Arc::ptr_eq(mine, others) || (mine == others && same_domain())
    }

    /// Returns the inner state of an argument, or an error if it belongs to another task.
    fn own<'s>(&self, state: &'s Bound<'_, LiftedState>) -> PyResult<&'s herbrand_step::LiftedState> {
        let state = state.get();
        if self.is_same(state.task.get()) {
            Ok(&state.state)
        } else {
            Err(PyValueError::new_err("the state belongs to another task"))
        }
    }

    fn with_random<T>(
        &self,
        rng: Option<&Bound<'_, Random>>,
        work: impl FnOnce(&mut herbrand_step::Random) -> T,
    ) -> PyResult<T> {
        match rng {
            Some(random) => random.get().with(work),
            None => {
                let mut random = self.random.lock().map_err(|_| poisoned())?;
                Ok(work(&mut random))
            }
        }
    }

    /// Reads an action given as an object or a text.
    fn action_of(&self, action: &Bound<'_, PyAny>) -> PyResult<Ground> {
        let py = action.py();
        if let Ok(object) = action.cast::<Action>() {
            return self.simulator.parse_action(object.get().0.text()).or_raise(py);
        }
        let Ok(text) = action.cast::<PyString>() else {
            let text = format!("an action of a lifted task is given by object or str, not {action}");
            return Err(PyTypeError::new_err(text));
        };
        self.simulator.parse_action(text.to_str()?).or_raise(py)
    }

    fn action_object(&self, py: Python<'_>, schema: SchemaId, arguments: &[ObjectId]) -> PyResult<Action> {
        let vocabulary = self.simulator.vocabulary();
        let names: Vec<_> = arguments
            .iter()
            .map(|&id| vocabulary.object(id).to_owned())
            .collect();
        Ok(Action(Term::new(
            py,
            vocabulary.schema(schema).name.as_str(),
            &names,
            None,
        )?))
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

    fn distribution(
        slf: &Bound<'_, Self>,
        state: &Bound<'_, LiftedState>,
        action: &Bound<'_, PyAny>,
    ) -> PyResult<(Vec<LiftedOutcome>, String)> {
        let (task, py) = (slf.get(), slf.py());
        let (state, (schema, arguments)) = (task.own(state)?, task.action_of(action)?);
        let outcomes = task.at(state, |walker| walker.outcomes(schema, &arguments))?;
        let vocabulary = task.simulator.vocabulary();
        let name = vocabulary
            .term(&vocabulary.schema(schema).name, &arguments)
            .to_string();
        Ok((outcomes.or_raise(py)?, name))
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
        let portrait = StateDrawing::of_problem(py, domain.get(), problem.get(), settings, title)?;
        Self::with_simulator(py, domain, problem, simulator.or_raise(py)?, portrait)
    }

    /// The domain.
    #[getter]
    fn domain(&self, py: Python<'_>) -> Py<Domain> {
        self.domain.clone_ref(py)
    }

    /// The problem.
    #[getter]
    fn problem(&self, py: Python<'_>) -> Py<Problem> {
        self.problem.clone_ref(py)
    }

    /// The initial state without its probabilistic part.
    #[getter]
    pub fn initial_state(slf: &Bound<'_, Self>) -> LiftedState {
        wrap(slf, slf.get().simulator.initial_state().clone())
    }

    /// Returns the picture of the initial state for notebooks.
    fn _repr_svg_(&self) -> PyResult<String> {
        let scene = self.scene(self.simulator.initial_state(), false)?;
        Ok(scene.to_svg(Theme::Auto))
    }

    /// Returns the distribution of initial states: a list of pairs (probability, LiftedState).
    fn initial_states(slf: &Bound<'_, Self>) -> PyResult<Vec<(f64, LiftedState)>> {
        let start = slf.get().simulator.initial_state();
        let outcomes = slf
            .get()
            .at(start, LiftedWalker::initial_outcomes)?
            .or_raise(slf.py())?;
        let pairs = outcomes.into_iter();
        Ok(pairs.map(|one| (one.probability, wrap(slf, one.state))).collect())
    }

    /// Draws an initial state.
    ///
    /// Parameters
    /// ----------
    /// rng : Random, optional
    ///     The random generator; by default that of the task.
    #[pyo3(signature = (rng = None))]
    fn sample_initial(slf: &Bound<'_, Self>, rng: Option<&Bound<'_, Random>>) -> PyResult<LiftedState> {
        let task = slf.get();
        let start = task.simulator.initial_state();
        let drawn = task.with_random(rng, |random| {
            task.at(start, |walker| -> Result<_, StepError> {
                walker.reset(random)?;
                Ok(walker.state().clone())
            })
        })??;
        Ok(wrap(slf, drawn.or_raise(slf.py())?))
    }

    /// Returns the state in which exactly these atoms are true.
    ///
    /// Parameters
    /// ----------
    /// atoms : iterable of Atom, tuple of str, or str
    ///     The atoms. Derived and static atoms are ignored, since the other atoms determine them.
    /// numbers : mapping from str to float or None, optional
    ///     Values of numeric fluents by their PDDL; None makes a fluent undefined. Missing fluents have their initial
    ///     values.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If the problem has no such atom or numeric fluent.
    #[pyo3(signature = (atoms, numbers = None))]
    fn state(
        slf: &Bound<'_, Self>,
        atoms: &Bound<'_, PyAny>,
        numbers: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<LiftedState> {
        let (task, py) = (slf.get(), slf.py());
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
            let (predicate, arguments) = task.atom_of(&atom)?.ok_or_else(unknown)?;
            facts.push(predicate, &arguments);
        }
        let mut state = task.simulator.state_from_atoms(facts.iter());
        for (name, value) in numbers.into_iter().flatten() {
            let (function, arguments) = task.function_of(&name)?;
            if !task
                .simulator
                .set_numeric(&mut state, function, &arguments, value.extract()?)
            {
                let text = format!("`{name}` is not a number that can change");
                return Err(errors::message(py, "UnknownNameError", &text));
            }
        }
        Ok(wrap(slf, state))
    }

    /// Returns the valid actions of a state: a list of Action, ordered by the declarations of operators, then
    /// of objects; empty in a dead end.
    fn valid_actions(&self, py: Python<'_>, state: &Bound<'_, LiftedState>) -> PyResult<Vec<Action>> {
        let found: Vec<Ground> = self.at(self.own(state)?, |walker| {
            let valid = walker.valid().iter();
            valid.map(|one| (one.schema, one.arguments.to_vec())).collect()
        })?;
        let actions = found.iter();
        actions
            .map(|(schema, arguments)| self.action_object(py, *schema, arguments))
            .collect()
    }

    /// Returns whether an action is valid in a state.
    fn is_valid(&self, state: &Bound<'_, LiftedState>, action: &Bound<'_, PyAny>) -> PyResult<bool> {
        let (schema, arguments) = self.action_of(action)?;
        self.at(self.own(state)?, |walker| {
            walker.valid().contains(schema, &arguments)
        })
    }

    /// Draws a valid action uniformly, with the random generator `rng`, by default that of the task. Returns
    /// None in a dead end.
    #[pyo3(signature = (state, rng = None))]
    fn sample_action(
        &self,
        py: Python<'_>,
        state: &Bound<'_, LiftedState>,
        rng: Option<&Bound<'_, Random>>,
    ) -> PyResult<Option<Action>> {
        let state = self.own(state)?;
        let drawn = self.with_random(rng, |random| {
            self.at(state, |walker| {
                let action = walker.sample(random)?;
                Some((action.schema, action.arguments.to_vec()))
            })
        })??;
        drawn
            .map(|(schema, arguments)| self.action_object(py, schema, &arguments))
            .transpose()
    }

    /// Returns the successor by a deterministic action.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action is not valid; the message contains the first unmet condition.
    /// StepError
    ///     If the action has several outcomes (see `outcomes` and `sample`), or a numeric effect is undefined.
    fn apply(
        slf: &Bound<'_, Self>,
        state: &Bound<'_, LiftedState>,
        action: &Bound<'_, PyAny>,
    ) -> PyResult<LiftedState> {
        let (outcomes, name) = Self::distribution(slf, state, action)?;
        match <[_; 1]>::try_from(outcomes) {
            Ok([only]) => Ok(wrap(slf, only.state)),
            Err(several) => {
                let count = several.len();
                let text = format!("{name} has {count} outcomes here: use `outcomes` or `sample`");
                Err(errors::message(slf.py(), "StepError", &text))
            }
        }
    }

    /// Returns the distribution of successors.
    ///
    /// Returns
    /// -------
    /// list of tuples (probability, state, reward)
    ///     Probabilities are positive and sum to 1; equal successors are merged.
    ///
    /// Raises
    /// ------
    /// InvalidActionError
    ///     If the action is not valid.
    /// StepError
    ///     If there are too many outcomes, or a numeric effect is undefined.
    fn outcomes(
        slf: &Bound<'_, Self>,
        state: &Bound<'_, LiftedState>,
        action: &Bound<'_, PyAny>,
    ) -> PyResult<Vec<(f64, LiftedState, f64)>> {
        let outcomes = Self::distribution(slf, state, action)?.0.into_iter();
        Ok(outcomes
            .map(|one| (one.probability, wrap(slf, one.state), one.reward))
            .collect())
    }

    /// Draws a successor; returns a pair (state, reward).
    ///
    /// Parameters
    /// ----------
    /// state : LiftedState
    /// action : Action or str
    /// rng : Random, optional
    ///     The random generator; by default that of the task.
    #[pyo3(signature = (state, action, rng = None))]
    fn sample(
        slf: &Bound<'_, Self>,
        state: &Bound<'_, LiftedState>,
        action: &Bound<'_, PyAny>,
        rng: Option<&Bound<'_, Random>>,
    ) -> PyResult<(LiftedState, f64)> {
        let task = slf.get();
        let (state, (schema, arguments)) = (task.own(state)?, task.action_of(action)?);
        let drawn = task.with_random(rng, |random| {
            task.at(state, |walker| -> Result<_, StepError> {
                let transition = walker.apply(schema, &arguments, random)?;
                Ok((walker.state().clone(), transition.reward))
            })
        })??;
        let (successor, reward) = drawn.or_raise(slf.py())?;
        Ok((wrap(slf, successor), reward))
    }

    /// Reseeds the task's own random generator.
    fn seed(&self, seed: u64) -> PyResult<()> {
        self.with_random(None, |random| *random = herbrand_step::Random::new(seed))
    }

    /// Returns whether the goal is true in a state.
    fn is_goal(&self, state: &Bound<'_, LiftedState>) -> PyResult<bool> {
        self.at(self.own(state)?, |walker| walker.is_goal())
    }

    /// Explains why an action is or is not valid in a state; returns an `Explanation`.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        state: &Bound<'py, LiftedState>,
        action: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (schema, arguments) = self.action_of(action)?;
        let found = self.at(self.own(state)?, |walker| walker.explain(schema, &arguments))?;
        let found = found.or_raise(py)?;
        let class = py.import("herbrand.errors")?.getattr("Explanation")?;
        let action = self.action_object(py, schema, &arguments)?;
        class.call1((
            action,
            found.valid,
            PyTuple::new(py, &found.failures)?,
            found.to_string(),
        ))
    }

    fn __repr__(&self) -> String {
        format!("<LiftedTask {}>", self.portrait.title())
    }

    fn __hash__(&self) -> u64 {
        fxhash::hash64(&(self.domain.get().model.fingerprint(), &*self.problem.get().model))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, operator: CompareOp) -> Py<PyAny> {
        let same = other.cast::<Self>().ok().map(|other| self.is_same(other.get()));
        equality(py, same, operator)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let arguments = (
            self.domain.clone_ref(py),
            self.problem.clone_ref(py),
            self.portrait.settings(),
            self.portrait.title(),
        );
        let restore = py.import("herbrand._restore")?;
        Ok((restore.getattr("lifted_task")?, arguments.into_pyobject(py)?))
    }

    /// The text of the settings that define how states are drawn; None if there are none.
    #[getter]
    fn settings(&self) -> Option<&str> {
        self.portrait.settings()
    }

    /// The title of pictures of the states.
    #[getter]
    fn title(&self) -> &str {
        self.portrait.title()
    }
}
