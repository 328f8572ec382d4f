//! Text worlds, and agents that explore them. Readings, events and games are passed as JSON.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use herbrand_explore::{
    Execution, ExploreOptions, Explorer, GameError, GameStatus, HttpEndpoint, HttpOptions, LanguageModel,
    ModelOptions, NativeWorld, Observation, PlannerSolver, ReadError, ReadRequest, Reader, ReaderAnswer,
    RuleReader, Setting, Task, TextWorld,
};
use herbrand_plan::PlannerKind;
use pyo3::exceptions::PyRuntimeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use serde_json::json;

use crate::choice::{one_of, parsed, value_error};
use crate::errors::{Raised, guarded, poisoned};

/// A factory of `herbrand.explore.Observation`, the named tuple of a world's answer.
struct ObservationFactory {
    /// `tuple.__new__`, which is faster than the class's own constructor in Python.
    make: Py<PyAny>,
    class: Py<PyAny>,
}

impl ObservationFactory {
    fn new(py: Python<'_>) -> PyResult<Self> {
        Ok(Self {
            make: py.get_type::<PyTuple>().getattr("__new__")?.unbind(),
            class: py.import("herbrand.explore")?.getattr("Observation")?.unbind(),
        })
    }

    fn of(&self, py: Python<'_>, seen: &Observation) -> PyResult<Py<PyAny>> {
        let status = match seen.status {
            GameStatus::Running => intern!(py, "running"),
            GameStatus::Won => intern!(py, "won"),
            GameStatus::Lost => intern!(py, "lost"),
        };
        let parts = (&seen.text, seen.score, status, seen.done);
        self.make.call1(py, (&self.class, parts))
    }
}

fn broken(error: &GameError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// The games of a setting: generated problems of ``coin-collector`` or ``cooking-world``, presented as text.
///
/// Parameters
/// ----------
/// setting : {"coin", "cooking-easy", "cooking-hard"}
///
/// Raises
/// ------
/// ValueError
///     If the setting is unknown.
#[pyclass(frozen, subclass, name = "NativeWorld", module = "herbrand.explore")]
pub struct PyNativeWorld {
    world: Mutex<Playing>,
    /// The Python strings of the commands of a game, with the number of that game.
    texts: Mutex<(u64, Vec<Py<PyString>>)>,
    setting: Setting,
    answers: ObservationFactory,
}

/// A world, with the number of games begun in it.
struct Playing {
    world: NativeWorld,
    begun: u64,
}

#[pymethods]
impl PyNativeWorld {
    #[new]
    fn new(py: Python<'_>, setting: &str) -> PyResult<Self> {
        let setting: Setting = parsed(setting)?;
        let world = NativeWorld::new(setting).map_err(|error| broken(&error))?;
        let playing = Playing { world, begun: 0 };
        Ok(Self {
            world: Mutex::new(playing),
            texts: Mutex::default(),
            setting,
            answers: ObservationFactory::new(py)?,
        })
    }

    /// The description of the player's task.
    #[getter]
    fn task(&self) -> &'static str {
        self.setting.task()
    }

    /// The maximal number of commands in a game.
    #[getter]
    fn limit(&self) -> usize {
        self.setting.steps()
    }

    /// Starts a game; equal numbers give equal games.
    fn begin(&self, py: Python<'_>, game: u64) -> PyResult<Py<PyAny>> {
        let begun = guarded(py, || {
            let mut playing = self.world.lock().unwrap_or_else(PoisonError::into_inner);
            let seen = playing.world.begin(game)?;
            playing.begun += 1;
            let house = playing.world.house().into_iter();
            let texts: Vec<String> = house
                .flat_map(|house| house.all_commands().map(str::to_owned))
                .collect();
            Ok((playing.begun, texts, seen))
        })?;
        let (number, texts, seen) = begun.map_err(|error: GameError| broken(&error))?;
        let texts = texts
            .iter()
            .map(|text| PyString::new(py, text).unbind())
            .collect();
        let before = std::mem::replace(&mut *self.texts.lock().map_err(|_| poisoned())?, (number, texts));
        drop(before);
        self.answers.of(py, &seen)
    }

    /// Carries out a command.
    fn step(&self, py: Python<'_>, command: &str) -> PyResult<Py<PyAny>> {
        let seen = {
            let mut playing = self.world.lock().map_err(|_| poisoned())?;
            playing.world.step(command)
        };
        self.answers.of(py, &seen.map_err(|error| broken(&error))?)
    }

    /// Returns the commands that are valid now.
    fn commands(&self, py: Python<'_>) -> PyResult<Vec<Py<PyString>>> {
        let (begun, numbers) = {
            let playing = self.world.lock().map_err(|_| poisoned())?;
            let house = playing
                .world
                .house()
                .ok_or_else(|| PyRuntimeError::new_err("no game has begun"))?;
            (playing.begun, house.command_numbers().collect::<Vec<_>>())
        };
        let texts = self.texts.lock().map_err(|_| poisoned())?;
        if texts.0 != begun {
            return Err(PyRuntimeError::new_err(
                "another thread has begun a game meanwhile",
            ));
        }
        Ok(numbers
            .into_iter()
            .map(|number| texts.1[number as usize].clone_ref(py))
            .collect())
    }
}

/// A language model as the reader of `play`. It is asked over HTTP, with the key in the environment variable ``OPENAI_API_KEY``.
///
/// Parameters
/// ----------
/// model : str
///     The name of the model on its server.
/// url : str
///     The base URL of the server, such as ``"http://127.0.0.1:8080/v1"``.
/// temperature : float, default 1.0
///     The sampling temperature.
/// patience : float, default 120
///     The maximal time of an answer in seconds.
#[pyclass(frozen, name = "LanguageModel", module = "herbrand.explore")]
pub struct PyLanguageModel {
    options: ModelOptions,
    url: String,
    patience: Duration,
}

#[pymethods]
impl PyLanguageModel {
    #[new]
    #[pyo3(signature = (model, url, *, temperature = 1.0, patience = 120.0))]
    fn new(model: String, url: String, temperature: f64, patience: f64) -> PyResult<Self> {
        let made = Self {
            options: ModelOptions {
                model,
                temperature,
                ..ModelOptions::default()
            },
            url,
            patience: Duration::try_from_secs_f64(patience).map_err(value_error)?,
        };
        made.reader().map_err(value_error)?;
        Ok(made)
    }

    fn __repr__(&self) -> String {
        format!("<LanguageModel {} at {}>", self.options.model, self.url)
    }
}

impl PyLanguageModel {
    fn reader(&self) -> Result<LanguageModel<HttpEndpoint>, ReadError> {
        let endpoint = HttpEndpoint::new(HttpOptions {
            url: self.url.clone(),
            key: std::env::var("OPENAI_API_KEY").ok(),
            time: self.patience,
            ..HttpOptions::default()
        })?;
        Ok(LanguageModel::new(endpoint, self.options.clone()))
    }
}

/// A world implemented in Python: an object that answers in tuples.
struct PythonWorld<'r> {
    object: Py<PyAny>,
    raised: &'r Raised,
}

impl PythonWorld<'_> {
    fn call<T>(&self, work: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, GameError> {
        let done = Python::attach(|py| work(self.object.bind(py)));
        done.map_err(|error| GameError(self.raised.note(error)))
    }
}

fn seen(answer: &Bound<'_, PyAny>) -> PyResult<Observation> {
    let (text, score, status, done): (String, f64, String, bool) = answer.extract()?;
    let statuses = [
        ("running", GameStatus::Running),
        ("won", GameStatus::Won),
        ("lost", GameStatus::Lost),
    ];
    let status = one_of("the status of a world", &status, &statuses)?;
    Ok(Observation {
        text,
        score,
        status,
        done,
    })
}

impl TextWorld for PythonWorld<'_> {
    fn task(&self) -> String {
        self.call(|world| world.getattr("task")?.extract())
            .unwrap_or_default()
    }

    fn begin(&mut self, game: u64) -> Result<Observation, GameError> {
        self.call(|world| seen(&world.call_method1("begin", (game,))?))
    }

    fn step(&mut self, command: &str) -> Result<Observation, GameError> {
        self.call(|world| seen(&world.call_method1("step", (command,))?))
    }

    fn commands(&mut self) -> Result<Vec<String>, GameError> {
        self.call(|world| world.call_method0("commands")?.extract())
    }
}

/// A reader implemented in Python: a function from a request to a reading, both as JSON.
struct PythonReader<'r> {
    function: Py<PyAny>,
    raised: &'r Raised,
}

impl Reader for PythonReader<'_> {
    fn read(&mut self, request: &ReadRequest<'_>) -> Result<ReaderAnswer, ReadError> {
        let facts: Vec<_> = request
            .belief
            .model()
            .facts()
            .iter()
            .map(ToString::to_string)
            .collect();
        let asked = json!({
            "task": request.task,
            "command": request.command,
            "text": request.text,
            "problem": request.belief.model().problem_text(),
            "facts": facts,
            "placeholders": request.belief.placeholders().collect::<Vec<_>>(),
            "commands": request.commands,
            "feedback": request.feedback,
            "mode": request.mode.name(),
        });
        let answer = Python::attach(|py| -> PyResult<String> {
            self.function.bind(py).call1((asked.to_string(),))?.extract()
        });
        let answer = answer.map_err(|error| ReadError::last(self.raised.note(error)))?;
        serde_json::from_str(&answer).map_err(|error| ReadError::passing(error.to_string()))
    }
}

/// The times at which the agent plans, by name.
const EXECUTIONS: &[(&str, Execution)] = &[
    ("whole-plan", Execution::WholePlan),
    ("until-surprise", Execution::UntilSurprise),
    ("every-step", Execution::EveryStep),
];

/// Plays a game and returns its record as JSON. `world` is an object that answers in tuples, or None for the bundled world.
/// `reader` is a function from JSON to JSON, a `LanguageModel`, or None for the rules. `watch` is called with each event as JSON; the game
/// stops if it returns False.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    reason = "the package has the defaults, and names each argument"
)]
pub fn explore_game(
    py: Python<'_>,
    setting: &str,
    game: u64,
    world: Option<Py<PyAny>>,
    reader: Option<Py<PyAny>>,
    execution: &str,
    mode: &str,
    retries: usize,
    counts_invalid: bool,
    planner: &str,
    watch: Option<Py<PyAny>>,
) -> PyResult<String> {
    let setting: Setting = parsed(setting)?;
    let planner: PlannerKind = parsed(planner)?;
    let options = ExploreOptions {
        execution: one_of("execution", execution, EXECUTIONS)?,
        mode: parsed(mode)?,
        retries,
        counts_invalid,
    };
    let task = Task::of(setting).map_err(|error| broken(&error))?;
    let raised = Raised::none();
    let model = reader
        .as_ref()
        .and_then(|reader| reader.bind(py).cast::<PyLanguageModel>().ok());
    let model: Option<Py<PyLanguageModel>> = model.map(|model| model.clone().unbind());
    let played = guarded(py, || {
        let mut solver = PlannerSolver::default();
        solver.any = planner;
        let mut world: Box<dyn TextWorld> = match world {
            Some(object) => Box::new(PythonWorld {
                object,
                raised: &raised,
            }),
            None => Box::new(NativeWorld::new(setting)?),
        };
        let mut reader: Box<dyn Reader> = match (model, reader) {
            (Some(model), _) => Box::new(model.get().reader().map_err(GameError::from_error)?),
            (None, Some(function)) => Box::new(PythonReader {
                function,
                raised: &raised,
            }),
            (None, None) => Box::new(RuleReader::new()),
        };
        let mut explorer = Explorer {
            task: &task,
            reader: reader.as_mut(),
            solver: &mut solver,
            options,
        };
        let mut hear = |event: &herbrand_explore::Event| {
            let Some(watch) = &watch else { return true };
            let event = serde_json::to_string(event).unwrap_or_default();
            let heard = Python::attach(|py| -> PyResult<bool> {
                let answer = watch.bind(py).call1((event,))?;
                Ok(answer.is_none() || answer.is_truthy()?)
            });
            heard.unwrap_or_else(|error| {
                raised.note(error);
                false
            })
        };
        explorer.play(world.as_mut(), game, &mut hear)
    })?;
    raised.check(py)?;
    let game = played.map_err(|error| broken(&error))?;
    serde_json::to_string(&game).map_err(value_error)
}
