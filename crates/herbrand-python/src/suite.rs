//! Suites: a domain with its problems.

use herbrand_datalog::Limits;
use herbrand_env::{
    ActionMode, Argument, Definition, EnvError, Ids, LiftedSuite, ProblemFile, Registry, Source, Split,
    SuiteFiles,
};
use herbrand_step::Maintenance;
use herbrand_text::counted;
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyIterator, PyTuple, PyType};

use crate::domain::{Domain, source};
use crate::errors::{self, IntoException, OrRaise, Reduced};
use crate::lifted_task::LiftedTask;
use crate::limits::{packed, unpacked};
use crate::observed::ObservedProblems;
use crate::picture::{Portrait, summary};
use crate::problem::Problem;
use crate::task::Task;

/// A domain with its environment settings and an ordered list of problems, compiled when they are first used.
///
/// `herbrand.suite` makes one from a name, paths, texts or objects.
#[pyclass(frozen, weakref, module = "herbrand")]
pub struct Suite {
    pub suite: herbrand_env::Suite,
    config: Option<Source>,
    operators: bool,
    limits: Limits,
    /// The suite that actions and atoms are numbered over; none where each problem has numbers of its own.
    numbered: Option<herbrand_env::Suite>,
    domain: PyOnceLock<Py<Domain>>,
    /// The same problems for the lifted engine, which shares what it has compiled.
    lifted: LiftedSuite,
}

/// A text as it is pickled: what it is called, and the text.
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
    split.parse().map_err(PyValueError::new_err)
}

impl Suite {
    fn from_files(
        py: Python<'_>,
        files: SuiteFiles,
        domain: Option<herbrand_pddl::Domain>,
        operators: bool,
    ) -> PyResult<Self> {
        let (config, mode) = (files.config.clone(), mode(operators));
        let suite = errors::guarded(py, || match domain {
            None => herbrand_env::Suite::new(files, mode),
            Some(domain) => herbrand_env::Suite::with_domain(domain, files, mode, Limits::default()),
        })?;
        let suite = suite.or_raise(py)?;
        Ok(Self {
            lifted: LiftedSuite::new(suite.clone(), Maintenance::Incremental),
            suite,
            config,
            operators,
            limits: Limits::default(),
            numbered: None,
            domain: PyOnceLock::new(),
        })
    }

    fn part(&self, suite: herbrand_env::Suite) -> Self {
        Self {
            lifted: LiftedSuite::new(suite.clone(), Maintenance::Incremental),
            suite,
            config: self.config.clone(),
            operators: self.operators,
            limits: self.limits,
            numbered: self.numbered.clone(),
            domain: PyOnceLock::new(),
        }
    }

    /// The same problems, numbered over themselves or each by itself.
    fn numbered_over(&self, py: Python<'_>, ids: Ids) -> PyResult<Self> {
        let suite = errors::guarded(py, || self.suite.with_ids(ids))?.or_raise(py)?;
        let numbered = (ids == Ids::Suite).then(|| suite.clone());
        Ok(Self {
            numbered,
            ..self.part(suite)
        })
    }

    /// The indices of the problems in the suite that numbers are over.
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

    /// The task of a problem, sharing what the suite has compiled.
    pub fn task_of(&self, py: Python<'_>, index: usize) -> PyResult<Task> {
        let suite = &self.suite;
        let instance = errors::guarded(py, || suite.instance(index).cloned())?.or_raise(py)?;
        let problem = self.parse_problem(py, index)?;
        let simulator = instance.simulator().clone();
        Ok(Task::with_simulator(
            self.domain(py)?,
            Py::new(py, problem)?,
            None,
            simulator,
            Portrait::of(suite, self.settings(), index),
        ))
    }
}

/// The name of the domain or problem that a text defines, in lower case; None if it defines none. `kind` is "domain" or "problem".
#[pyfunction]
pub fn defined_name(text: &Bound<'_, PyAny>, kind: &str) -> PyResult<Option<String>> {
    let kind = match kind {
        "domain" => Definition::Domain,
        _ => Definition::Problem,
    };
    Ok(kind.name_in(source(text, "")?.text()))
}

/// What names a problem of a suite.
#[derive(FromPyObject)]
enum Wanted {
    Index(i64),
    Name(String),
}

impl Suite {
    fn index_of(&self, py: Python<'_>, problem: Wanted) -> PyResult<usize> {
        let count = self.suite.len();
        match problem {
            Wanted::Name(name) => self.suite.index_of(&name).or_raise(py),
            Wanted::Index(index) => {
                let from_start = if index < 0 { index + count as i64 } else { index };
                let found = usize::try_from(from_start).ok().filter(|&index| index < count);
                found.ok_or_else(|| {
                    let text = format!("{} has no problem `{index}` among its {count}", self.suite.name());
                    errors::message(py, "UnknownNameError", &text)
                })
            }
        }
    }
}

#[pymethods]
impl Suite {
    /// The names of all bundled domains, in alphabetical order; one for each level of a domain with levels.
    #[staticmethod]
    fn bundled_names(py: Python<'_>) -> PyResult<Vec<String>> {
        Registry::names().or_raise(py)
    }

    /// The bundled domain called `name`; for one with levels, all of them or the one that is named.
    #[staticmethod]
    #[pyo3(signature = (name, operators = false))]
    fn bundled(py: Python<'_>, name: &str, operators: bool) -> PyResult<Vec<Self>> {
        let files = Registry::files(name).or_raise(py)?;
        files
            .into_iter()
            .map(|files| Self::from_files(py, files, None, operators))
            .collect()
    }

    /// The suites of a folder's files: triples of path from the folder, name in messages, and text.
    #[staticmethod]
    #[pyo3(signature = (name, files, operators = false))]
    fn from_folder(
        py: Python<'_>,
        name: &str,
        files: Vec<(String, String, Bound<'_, PyAny>)>,
        operators: bool,
    ) -> PyResult<Vec<Self>> {
        let files = files
            .iter()
            .map(|(path, name, text)| Ok((path.clone(), source(text, name)?)));
        let files: Vec<_> = files.collect::<PyResult<_>>()?;
        let suites = SuiteFiles::from_folder(name, files).or_raise(py)?;
        suites
            .into_iter()
            .map(|files| Self::from_files(py, files, None, operators))
            .collect()
    }

    /// The suite of a domain and problems: their texts with the names of the files, problems with their part and name too. With `read`, the
    /// domain is not read again.
    /// With `chosen`, actions and atoms are numbered over these problems, and the suite has those at the given indices.
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
        let suite = Self::from_files(py, files, domain_read, operators)?;
        let limits = unpacked(limits);
        let limited = suite.part(suite.suite.clone().with_limits(limits));
        let suite = Self { limits, ..limited };
        match chosen {
            None => Ok(suite),
            Some(chosen) => {
                let numbered = suite.numbered_over(py, Ids::Suite)?;
                Ok(numbered.part(numbered.suite.select(&chosen).or_raise(py)?))
            }
        }
    }

    /// What the suite is called.
    #[getter]
    fn name(&self) -> &str {
        self.suite.name()
    }

    /// What the domain is about, in one sentence; empty if nothing is said.
    #[getter]
    fn description(&self) -> &str {
        &self.suite.config().description
    }

    /// After how many steps an episode is cut off; None for never.
    #[getter]
    fn horizon(&self) -> Option<u32> {
        self.suite.config().horizon
    }

    /// Whether the operators are the agent's actions, whatever is declared.
    #[getter]
    fn operators(&self) -> bool {
        self.operators
    }

    /// The agent's declared actions: a tuple of pairs (name, names of the parameters). None when the operators are
    /// the actions.
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
        self.config.as_ref().map(Source::text)
    }

    /// How the operators carry out the agent's actions: a tuple of triples (operator, action, what each parameter of
    /// the action is to the operator: the index of its parameter, or the name of a constant), in order of the actions.
    /// None when the operators are the actions.
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

    /// The names of the problems, with the part of the suite before it where there are parts: ``"test/03"``.
    #[getter]
    fn problem_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let names: Vec<_> = (0..self.suite.len())
            .filter_map(|i| self.suite.full_problem_name(i))
            .collect();
        PyTuple::new(py, names)
    }

    /// The problems of one part: ``"train"`` or ``"test"``.
    fn split(&self, part: &str) -> PyResult<Self> {
        Ok(self.part(self.suite.split(parse_split(part)?)))
    }

    /// The suite of the one problem that a name (``"03"``, ``"test/03"``) or an index from 0 means.
    fn select(&self, py: Python<'_>, problem: Wanted) -> PyResult<Self> {
        let index = self.index_of(py, problem)?;
        Ok(self.part(self.suite.only(index).or_raise(py)?))
    }

    /// The index of the problem that a name means.
    fn index(&self, py: Python<'_>, problem: &str) -> PyResult<usize> {
        self.suite.index_of(problem).or_raise(py)
    }

    /// The problem at `index`, parsed anew.
    fn parse_problem(&self, py: Python<'_>, index: usize) -> PyResult<Problem> {
        let suite = &self.suite;
        let model = errors::guarded(py, || suite.parse_problem(index))?.or_raise(py)?;
        Ok(Problem::new(model, self.domain(py)?))
    }

    /// The task of the problem at `index`, compiled if nobody has yet.
    fn task(&self, py: Python<'_>, index: usize) -> PyResult<Task> {
        self.task_of(py, index)
    }

    /// The lifted task of the problem at `index`, compiled if nobody has yet.
    fn lifted_task(&self, py: Python<'_>, index: usize) -> PyResult<LiftedTask> {
        let lifted = &self.lifted;
        let simulator = errors::guarded(py, || {
            let planning = lifted.planning(index, true)?;
            Ok::<_, EnvError>(planning.walker().simulator().clone())
        })?;
        let problem = Py::new(py, self.parse_problem(py, index)?)?;
        let portrait = Portrait::of(&self.suite, self.settings(), index);
        LiftedTask::with_simulator(py, self.domain(py)?, problem, simulator.or_raise(py)?, portrait)
    }

    /// The same problems, each to be compiled within limits.
    ///
    /// Parameters
    /// ----------
    /// limits : Limits or mapping, optional
    ///     What compiling a problem may take, and with the lifted engine each step by itself.
    #[pyo3(signature = (limits))]
    fn with_limits(&self, limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let limits = crate::limits::limits(limits)?;
        let limited = self.part(self.suite.clone().with_limits(limits));
        Ok(Self { limits, ..limited })
    }

    /// The same problems, with numbers of actions and atoms that mean the same in all of them, or of each problem's own.
    ///
    /// Parameters
    /// ----------
    /// ids : {"problem", "suite"}
    fn with_ids(&self, py: Python<'_>, ids: &str) -> PyResult<Self> {
        let ids = match ids {
            "problem" => Ids::Problem,
            "suite" => Ids::Suite,
            _ => {
                let text = format!("`ids` is \"problem\" or \"suite\", not \"{ids}\"");
                return Err(PyValueError::new_err(text));
            }
        };
        self.numbered_over(py, ids)
    }

    /// What numbers of actions and atoms mean: "problem" or "suite".
    #[getter]
    fn ids(&self) -> &'static str {
        match self.numbered {
            None => "problem",
            Some(_) => "suite",
        }
    }

    /// What compiling a problem may take: seconds and bytes, None where there is no limit.
    #[getter]
    fn limits(&self) -> (Option<f64>, Option<u64>) {
        packed(self.limits)
    }

    /// The problems with a way of observing them, to make environments of.
    ///
    /// Parameters
    /// ----------
    /// engine : {"grounded", "lifted", "automatic"}
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

    /// The number of types and predicates, and the largest arity: what the labels of graphs range over.
    #[getter]
    fn graph_sizes(&self) -> (usize, usize, usize) {
        let domain = self.suite.domain();
        let arity = domain.predicates.iter().map(|one| one.parameters.len()).max();
        (domain.types.len(), domain.predicates.len(), arity.unwrap_or(0))
    }

    /// The stored plan of the problem at `index` of a bundled domain: PDDL actions, one a line. None if there is none.
    fn plan(&self, index: usize) -> Option<&'static str> {
        Registry::plan(self.suite.name(), &self.suite.full_problem_name(index)?)
    }

    fn __len__(&self) -> usize {
        self.suite.len()
    }

    /// The problem that a name or an index means; one below 0 counts from the end.
    fn __getitem__(&self, py: Python<'_>, problem: Wanted) -> PyResult<Problem> {
        let index = self.index_of(py, problem)?;
        self.parse_problem(py, index)
    }

    /// The problems, one after the other.
    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let problems = (0..self.suite.len()).map(|index| self.parse_problem(py, index));
        let problems: Vec<_> = problems.collect::<PyResult<_>>()?;
        PyTuple::new(py, problems)?.try_iter()
    }

    /// The name, the number of problems, and the initial state of the first one, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let task = if self.suite.is_empty() {
            None
        } else {
            Some(self.task_of(py, 0)?)
        };
        let scene = task.map(|task| task.scene(&task.simulator.initial_state(), false));
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
            self.config.as_ref().map(text),
            problems,
            self.operators,
            packed(self.limits),
            self.chosen().or_raise(py)?,
        );
        Ok((class.getattr("from_texts")?, arguments.into_pyobject(py)?))
    }
}
