//! `Suite`: a domain with its problems.

use std::path::PathBuf;

use herbrand_datalog::Limits;
use herbrand_env::{
    ActionMode, Argument, Definition, EnvError, GraphSizes, Ids, LiftedSuite, ProblemFile, Registry, Source,
    Split, SuiteFiles,
};
use herbrand_tasks::AnyProblems;
use herbrand_text::counted;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PySlice, PyTuple, PyType};

use crate::choice::one_of;
use crate::collections::Packages;
use crate::domain::{Domain, source};
use crate::errors::{self, IntoException, OrRaise, Reduced};
use crate::limits::{packed, unpacked};
use crate::observed::ObservedProblems;
use crate::picture::{StateDrawing, summary};
use crate::problem::Problem;
use crate::selection::{Selection, not_a_name};
use crate::task::{LiftedTask, PlanningTask, Task};

/// A domain with its environment settings and an ordered list of problems. Problems are compiled on first use.
///
/// `herbrand.suite` creates suites from names, paths, texts or objects.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct Suite {
    pub suite: herbrand_env::Suite,
    operators: bool,
    /// The suite that defines the numbers of actions and atoms; `None` if each problem has its own numbers.
    numbered: Option<herbrand_env::Suite>,
    domain: PyOnceLock<Py<Domain>>,
    /// The same problems for the lifted engine, with its cache of compiled problems.
    lifted: LiftedSuite,
}

/// A text in pickled form: its name and its content.
type Text = (String, String);

fn text(source: &Source) -> Text {
    (source.name().to_owned(), source.text().to_owned())
}

fn mode(operators: bool) -> ActionMode {
    if operators {
        ActionMode::Operators
    } else {
        ActionMode::Declared
    }
}

fn parse_split(split: &str) -> PyResult<Split> {
    one_of("split", split, &Split::ALL.map(|part| (part.name(), part)))
}

impl Suite {
    fn of(suite: herbrand_env::Suite, operators: bool) -> Self {
        Self {
            lifted: LiftedSuite::new(suite.clone()),
            suite,
            operators,
            numbered: None,
            domain: PyOnceLock::new(),
        }
    }

    fn part(&self, suite: herbrand_env::Suite) -> Self {
        Self {
            numbered: self.numbered.clone(),
            ..Self::of(suite, self.operators)
        }
    }

    /// Returns the same problems with numbers shared by all of them, or with separate numbers.
    fn numbered_over(&self, py: Python<'_>, ids: Ids) -> PyResult<Self> {
        let suite = errors::interruptible(py, || self.suite.with_ids(ids))?.or_raise(py)?;
        let numbered = (ids == Ids::Suite).then(|| suite.clone());
        Ok(Self {
            numbered,
            ..self.part(suite)
        })
    }

    /// Returns the indices of the problems in the suite that defines the numbers.
    fn chosen(&self) -> Result<Option<Vec<usize>>, EnvError> {
        let Some(numbered) = &self.numbered else {
            return Ok(None);
        };
        let names = (0..self.suite.len()).filter_map(|index| self.suite.full_problem_name(index));
        names
            .map(|name| numbered.index_of(&name))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    /// Returns the task of a problem. It shares the suite's compiled problem.
    pub fn task_of(&self, py: Python<'_>, index: usize) -> PyResult<Task> {
        let suite = &self.suite;
        let instance = errors::interruptible(py, || suite.instance(index).cloned())?.or_raise(py)?;
        let problem = self.parse_problem(py, index)?;
        let simulator = instance.simulator().clone();
        Ok(Task::with_simulator(
            self.domain(py)?,
            Py::new(py, problem)?,
            None,
            simulator,
            StateDrawing::of(suite, self.settings(), index),
        ))
    }
}

/// Returns the name of the domain or problem that a text defines, in lower case; None if it defines none. `kind` is "domain"
/// or "problem".
#[pyfunction]
pub fn defined_name(text: &Bound<'_, PyAny>, kind: &str) -> PyResult<Option<String>> {
    let kind = match kind {
        "domain" => Definition::Domain,
        _ => Definition::Problem,
    };
    Ok(kind.name_in(source(text, "")?.text()))
}

impl Suite {
    /// Returns the index of the problem with a name. Unlike the program, Python has integers for numbers.
    fn index_by_name(&self, py: Python<'_>, name: &str) -> PyResult<usize> {
        let suite = &self.suite;
        let index = suite.index_of(name).or_raise(py)?;
        let is_name = suite.problem_name(index) == Some(name)
            || suite.full_problem_name(index).as_deref() == Some(name);
        is_name
            .then_some(index)
            .ok_or_else(|| not_a_name(py, suite.name(), "problem", name))
    }

    fn selection(&self, py: Python<'_>) -> Selection<'_, impl Fn(&str) -> PyResult<usize>> {
        Selection {
            suite: self.suite.name(),
            noun: "problem",
            count: self.suite.len(),
            by_name: move |name: &str| self.index_by_name(py, name),
        }
    }
}

#[pymethods]
impl Suite {
    /// Returns the names of all bundled domains in alphabetical order; a domain with levels has one name per level.
    #[staticmethod]
    fn bundled_names(py: Python<'_>) -> PyResult<Vec<String>> {
        Registry::names().or_raise(py)
    }

    /// Returns the horizon of the bundled domain `name`, or None. Reads only its settings.
    #[staticmethod]
    fn bundled_horizon(py: Python<'_>, name: &str) -> PyResult<Option<u32>> {
        let files = Registry::files(name).or_raise(py)?;
        let config = files.first().and_then(|files| files.config.as_ref());
        let config = config.map(herbrand_env::Config::parse).transpose();
        let config = config.map_err(herbrand_env::EnvError::from).or_raise(py)?;
        Ok(config.and_then(|config| config.horizon))
    }

    /// Returns the suites of a name: a bundled domain, with one suite per level, or problems of a collection, such as
    /// "pddlgym:sokoban". `folders` are the places of packages, and `python` is the interpreter that is asked for others.
    #[staticmethod]
    #[pyo3(signature = (name, folders = Vec::new(), python = None, operators = false))]
    fn named(
        py: Python<'_>,
        name: &str,
        folders: Vec<PathBuf>,
        python: Option<PathBuf>,
        operators: bool,
    ) -> PyResult<Vec<Self>> {
        let packages = Packages { folders, python };
        let found = packages.open(py, name, mode(operators), Limits::default())?;
        let suites = found.into_iter().map(|problems| match problems {
            AnyProblems::Pddl(suite) => Ok(Self::of(suite, operators)),
            other => Err(PyValueError::new_err(format!("{} is not in PDDL", other.name()))),
        });
        suites.collect()
    }

    /// Returns the suites of a folder: a single one, or one per level.
    #[staticmethod]
    #[pyo3(signature = (folder, operators = false))]
    fn from_folder(py: Python<'_>, folder: PathBuf, operators: bool) -> PyResult<Vec<Self>> {
        let suites = errors::guarded(py, || {
            let files = SuiteFiles::from_path(folder)?.into_iter();
            let suites = files.map(|files| herbrand_env::Suite::new(files, mode(operators)));
            suites.collect::<Result<Vec<_>, _>>()
        })?;
        let suites = suites.or_raise(py)?.into_iter();
        Ok(suites.map(|suite| Self::of(suite, operators)).collect())
    }

    /// Creates the suite of a domain and problems. Texts have the names of their files; problems also have their split and
    /// their name. With `read`, the domain is not parsed again, and problems are read leniently if it was. With `chosen`, these problems define the numbers of actions
    /// and atoms, and the suite contains the problems at the given indices.
    #[staticmethod]
    #[pyo3(signature = (name, domain, config, problems, operators = false, limits = (None, None), chosen = None, read = None))]
    #[expect(clippy::too_many_arguments, reason = "what a pickled suite consists of")]
    fn from_texts(
        py: Python<'_>,
        name: String,
        domain: (String, Bound<'_, PyAny>),
        config: Option<(String, Bound<'_, PyAny>)>,
        problems: Vec<(Option<String>, String, String, Bound<'_, PyAny>)>,
        operators: bool,
        limits: (Option<f64>, Option<u64>),
        chosen: Option<Vec<usize>>,
        read: Option<&Bound<'_, Domain>>,
    ) -> PyResult<Self> {
        let domain_read = read.map(|domain| herbrand_pddl::Domain::clone(&domain.get().model));
        let is_lenient = read.is_some_and(|domain| domain.get().options().lenient);
        let read = |(name, text): &(String, Bound<'_, PyAny>)| source(text, name);
        let problems = problems.iter().map(|(split, name, file, text)| {
            Ok(ProblemFile {
                split: split.as_deref().map(parse_split).transpose()?,
                name: name.clone(),
                source: source(text, file)?,
            })
        });
        let files = SuiteFiles {
            name,
            domain: read(&domain)?,
            config: config.as_ref().map(read).transpose()?,
            problems: problems.collect::<PyResult<_>>()?,
        };
        let suite = errors::guarded(py, || match domain_read {
            None => herbrand_env::Suite::new(files, mode(operators)),
            Some(domain) => {
                herbrand_env::Suite::with_domain(domain, files, mode(operators), Limits::default())
            }
        })?;
        let suite = suite.or_raise(py)?.with_limits(unpacked(limits));
        let suite = Self::of(if is_lenient { suite.leniently() } else { suite }, operators);
        match chosen {
            None => Ok(suite),
            Some(chosen) => {
                let numbered = suite.numbered_over(py, Ids::Suite)?;
                Ok(numbered.part(numbered.suite.select(&chosen).or_raise(py)?))
            }
        }
    }

    /// The name of the suite.
    #[getter]
    fn name(&self) -> &str {
        self.suite.name()
    }

    /// A description of the domain in one sentence; may be empty.
    #[getter]
    fn description(&self) -> &str {
        &self.suite.config().description
    }

    /// The number of steps after which an episode is truncated; None for never.
    #[getter]
    fn horizon(&self) -> Option<u32> {
        self.suite.config().horizon
    }

    /// Whether the operators are the agent's actions, whatever the domain declares.
    #[getter]
    fn operators(&self) -> bool {
        self.operators
    }

    /// The agent's declared actions: a tuple of pairs (name, names of the parameters). None if the operators are the
    /// actions.
    #[getter]
    fn agent_actions<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(actions) = self.suite.agent_actions() else {
            return Ok(None);
        };
        let pairs = actions.actions().iter().map(|action| {
            let parameters = action.parameters.iter().map(|name| name.as_str());
            Ok((action.name.as_str(), PyTuple::new(py, parameters)?))
        });
        PyTuple::new(py, pairs.collect::<PyResult<Vec<_>>>()?).map(Some)
    }

    /// The text of the environment settings; None if there are none.
    #[getter]
    fn settings(&self) -> Option<&str> {
        self.suite.config_source().map(Source::text)
    }

    /// The assignment of operators to the agent's actions: a tuple of triples (operator, action, arguments) in the order of
    /// the actions. Each argument is the index of a parameter of the operator, or the name of a constant. None if the
    /// operators are the actions.
    #[getter]
    fn carriers<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let Some(actions) = self.suite.agent_actions() else {
            return Ok(None);
        };
        let domain = self.suite.domain();
        let argument = |argument: &Argument| match *argument {
            Argument::Parameter(index) => index.into_bound_py_any(py),
            Argument::Constant(id) => domain.constants[id.index()].name.as_str().into_bound_py_any(py),
        };
        let mut triples = Vec::new();
        for action in actions.actions() {
            for carrier in &action.carriers {
                let arguments: Vec<_> = carrier.arguments.iter().map(argument).collect::<PyResult<_>>()?;
                let operator = domain.schema(carrier.schema).name.as_str();
                triples.push((operator, action.name.as_str(), PyTuple::new(py, arguments)?));
            }
        }
        PyTuple::new(py, triples).map(Some)
    }

    /// The domain.
    #[getter]
    fn domain(&self, py: Python<'_>) -> PyResult<Py<Domain>> {
        let made = self
            .domain
            .get_or_try_init(py, || Py::new(py, Domain::new(self.suite.domain().clone())))?;
        Ok(made.clone_ref(py))
    }

    /// The names of the problems, prefixed with the split if there is one: ``"test/03"``.
    #[getter]
    fn problem_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names: Vec<_> = (0..self.suite.len())
            .filter_map(|i| self.suite.full_problem_name(i))
            .collect();
        PyTuple::new(py, names)
    }

    /// Returns the suite of one split: ``"train"`` or ``"test"``. It is empty if no problem is in the split.
    ///
    /// Raises
    /// ------
    /// ValueError
    ///     If `part` is neither.
    fn split(&self, part: &str) -> PyResult<Self> {
        Ok(self.part(self.suite.split(parse_split(part)?)))
    }

    /// Returns the suite of some problems, in this order.
    ///
    /// Parameters
    /// ----------
    /// problem : str, int, slice, or an iterable of str and int
    ///     Names (``"03"``, ``"test/03"``), or indices from 0. Negative indices count from the end.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If there is no such problem.
    fn select(&self, py: Python<'_>, problem: &Bound<'_, PyAny>) -> PyResult<Self> {
        let indices = self.selection(py).indices_of(problem)?;
        Ok(self.part(self.suite.select(&indices).or_raise(py)?))
    }

    /// Returns the index, from 0, of the problem with a name.
    ///
    /// Raises
    /// ------
    /// UnknownNameError
    ///     If there is no such problem.
    fn index(&self, py: Python<'_>, problem: &str) -> PyResult<usize> {
        self.index_by_name(py, problem)
    }

    /// Parses the problem at `index`, counted from 0. Each call returns a new object.
    ///
    /// Raises
    /// ------
    /// ParseError
    ///     If the text is invalid.
    /// UnknownNameError
    ///     If there is no such problem.
    fn parse_problem(&self, py: Python<'_>, index: usize) -> PyResult<Problem> {
        let suite = &self.suite;
        let model = errors::guarded(py, || suite.parse_problem(index))?.or_raise(py)?;
        Ok(Problem::new(model, self.domain(py)?))
    }

    /// Returns the task of the problem at `index`, counted from 0, compiled on first use.
    ///
    /// Raises
    /// ------
    /// ParseError
    ///     If the text of the problem is invalid.
    /// LimitError
    ///     If a limit is reached.
    /// UnknownNameError
    ///     If there is no such problem.
    fn task(&self, py: Python<'_>, index: usize) -> PyResult<Task> {
        self.task_of(py, index)
    }

    /// Returns the lifted task of the problem at `index`, compiled on first use.
    fn lifted_task(&self, py: Python<'_>, index: usize) -> PyResult<LiftedTask> {
        let lifted = &self.lifted;
        let simulator = errors::interruptible(py, || {
            let planning = lifted.planning(index, true)?;
            Ok::<_, EnvError>(planning.walker().simulator().clone())
        })?;
        let problem = Py::new(py, self.parse_problem(py, index)?)?;
        let portrait = StateDrawing::of(&self.suite, self.settings(), index);
        LiftedTask::with_simulator(py, self.domain(py)?, problem, simulator.or_raise(py)?, portrait)
    }

    /// Returns the same problems with limits for compiling each of them.
    ///
    /// Parameters
    /// ----------
    /// limits : Limits or mapping, optional
    ///     Limits for compiling a problem, and with the lifted engine for each step.
    #[pyo3(signature = (limits))]
    fn with_limits(&self, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let limits = crate::limits::limits(limits)?;
        Ok(self.part(self.suite.clone().with_limits(limits)))
    }

    /// Returns the same problems with another numbering of actions and atoms.
    ///
    /// Parameters
    /// ----------
    /// ids : {"problem", "suite"}
    ///     Whether each problem has its own numbers, or all problems share them.
    fn with_ids(&self, py: Python<'_>, ids: &str) -> PyResult<Self> {
        let scopes = [("problem", Ids::Problem), ("suite", Ids::Suite)];
        self.numbered_over(py, one_of("ids", ids, &scopes)?)
    }

    /// The numbering of actions and atoms: "problem" or "suite".
    #[getter]
    fn ids(&self) -> &'static str {
        match self.numbered {
            None => "problem",
            Some(_) => "suite",
        }
    }

    /// The limits for compiling a problem: seconds and bytes, None for no limit.
    #[getter]
    fn limits(&self) -> (Option<f64>, Option<u64>) {
        packed(self.suite.limits())
    }

    /// Combines the problems with an observation mode, to create environments.
    ///
    /// Parameters
    /// ----------
    /// engine : {"grounded", "sliced", "lifted", "automatic"}
    /// observation : str
    /// part : {"all", "changing"}
    fn observed(
        slf: &Bound<'_, Self>,
        engine: &str,
        observation: &str,
        part: &str,
    ) -> PyResult<ObservedProblems> {
        let (suite, py) = (slf.get(), slf.py());
        let function = slf.getattr("observed")?.unbind();
        let arguments = (engine, observation, part).into_pyobject(py)?.unbind();
        ObservedProblems::of_suite(
            py,
            &suite.suite,
            &suite.lifted,
            (engine, observation, part),
            (function, arguments),
        )
    }

    /// Whether a table `[observe]` of `env.toml` hides atoms.
    #[getter]
    fn hides_atoms(&self) -> bool {
        self.suite.config().observe.is_some()
    }

    /// The names of the numeric functions that are part of the state: operators change them or the initial state draws them, and
    /// not only the metric reads them.
    #[getter]
    fn state_functions(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let functions = errors::guarded(py, || self.suite.state_functions())?.or_raise(py)?;
        let domain = self.suite.stepped_domain();
        let names = functions
            .iter()
            .map(|&id| domain.function(id).name.as_str().to_owned());
        Ok(names.collect())
    }

    /// The numbers of types and of predicates, the largest arity, and the number of functions, 0 if states have no numeric
    /// fluents. They determine the labels of graphs.
    #[getter]
    fn graph_sizes(&self, py: Python<'_>) -> PyResult<(usize, usize, usize, usize)> {
        let sizes = errors::guarded(py, || GraphSizes::of(&self.suite))?.or_raise(py)?;
        Ok((sizes.types, sizes.predicates, sizes.arity, sizes.functions))
    }

    /// Returns the stored plan of the problem at `index` of a bundled domain: PDDL actions, one per line. None if there is
    /// no stored plan.
    fn plan(&self, index: usize) -> Option<&'static str> {
        Registry::plan(self.suite.name(), &self.suite.full_problem_name(index)?)
    }

    fn __len__(&self) -> usize {
        self.suite.len()
    }

    /// Returns the problem with a name or an index, or the suite of a slice. Negative indices count from the end.
    fn __getitem__<'py>(&self, py: Python<'py>, problem: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        if problem.is_instance_of::<PySlice>() {
            return self.select(py, problem)?.into_bound_py_any(py);
        }
        let index = self.selection(py).index_of(problem)?;
        self.parse_problem(py, index)?.into_bound_py_any(py)
    }

    /// Iterates over the problems.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let problems = (0..self.suite.len()).map(|index| self.parse_problem(py, index));
        let problems: Vec<_> = problems.collect::<PyResult<_>>()?;
        PyTuple::new(py, problems)?.try_iter()
    }

    /// Returns the name, the number of problems, and a picture of the initial state of the first one, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let task = if self.suite.is_empty() {
            None
        } else {
            Some(self.task_of(py, 0)?)
        };
        let scene = task.map(|task| task.scene(&task.initial(), false));
        Ok(summary(
            self.suite.name(),
            self.suite.len(),
            scene.transpose()?.as_ref(),
        ))
    }

    fn __repr__(&self) -> String {
        format!(
            "<Suite {}: {}>",
            self.suite.name(),
            counted(self.suite.len(), "problem")
        )
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let suite = self.numbered.as_ref().unwrap_or(&self.suite);
        let class: Bound<'_, PyType> = py.get_type::<Self>();
        let domain = suite.domain_source().cloned();
        let domain = domain.unwrap_or_else(|| Source::new("domain", &suite.domain().to_pddl()));
        let problems = (0..suite.len()).map(|index| {
            let split = suite.problem_split(index).map(|split| split.to_string());
            let name = suite.problem_name(index).unwrap_or_default().to_owned();
            let (file, text) = match suite.problem_source(index) {
                Some(source) => text(source),
                None => (name.clone(), suite.parse_problem(index)?.to_pddl(suite.domain())),
            };
            Ok((split, name, file, text))
        });
        let problems = problems
            .collect::<Result<Vec<_>, EnvError>>()
            .map_err(|error| error.exception(py))?;
        let arguments = (
            suite.name(),
            text(&domain),
            suite.config_source().map(text),
            problems,
            self.operators,
            packed(self.suite.limits()),
            self.chosen().or_raise(py)?,
        );
        Ok((class.getattr("from_texts")?, arguments.into_pyobject(py)?))
    }
}
