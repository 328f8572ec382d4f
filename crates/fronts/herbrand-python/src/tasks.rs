//! The tasks of the floor, for `herbrand.tasks`. Options and answers are JSON.

use std::time::Duration;

use cpu_time::ProcessTime;
use herbrand_limits::{Budget, Limits};
use herbrand_tasks::{AnyProblems, Run, TASKS, TaskSpec};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

use crate::choice::value_error;
use crate::errors::{OrRaise, interruptible};
use crate::limits::limits;
use crate::pddlworld::Target;
use crate::rddl::RddlSuite;
use crate::suite::Suite;

/// Returns the problems of a `Suite` or `RddlSuite`, or the world of a `Target`, whose episodes begin with the model that `start`
/// names.
pub fn problems_of(given: &Bound<'_, PyAny>, start: Option<&str>) -> PyResult<AnyProblems> {
    if let Ok(suite) = given.cast::<Suite>() {
        Ok(AnyProblems::Pddl(suite.get().suite.clone()))
    } else if let Ok(suite) = given.cast::<RddlSuite>() {
        Ok(AnyProblems::Rddl(suite.get().suite.clone()))
    } else if let Ok(target) = given.cast::<Target>() {
        let worlds = target.get().worlds(start).or_raise(given.py())?;
        Ok(AnyProblems::World(worlds))
    } else {
        Err(PyTypeError::new_err("problems are a suite or a target"))
    }
}

/// Returns the tasks as a list: for each its name, its description, and the JSON schemas of its options by their names.
#[pyfunction]
pub fn task_list() -> String {
    let task = |task: &TaskSpec| {
        let options = task.options.iter();
        let options: Map<_, _> = options
            .map(|option| (option.keyword(), option.schema()))
            .collect();
        json!({"name": task.name, "about": task.about, "options": options})
    };
    TASKS.iter().map(task).collect::<Value>().to_string()
}

/// Answers the task of this name for problems, as `problems_of` reads them.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the package names each argument")]
pub fn answer_task(
    py: Python<'_>,
    name: &str,
    problems: &Bound<'_, PyAny>,
    start: Option<&str>,
    options: &str,
    seed: u64,
    limits_of_call: Option<&Bound<'_, PyAny>>,
    cpu_time: Option<f64>,
) -> PyResult<String> {
    let task = TASKS.iter().find(|task| task.name == name);
    let task = task.ok_or_else(|| value_error(format!("there is no task {name}")))?;
    let (problems, limits) = (problems_of(problems, start)?, limits(limits_of_call)?);
    let options = serde_json::from_str(options).map_err(value_error)?;
    let time = cpu_time.map(Duration::try_from_secs_f64).transpose();
    let cpu_time = time.map_err(value_error)?;
    let clock = || ProcessTime::now().as_duration();
    let answer = interruptible(py, || {
        let mut run = Run {
            limits,
            fills_time: limits.time.is_some(),
            seed,
            cpu: Some(clock),
            cpu_time,
            ..Run::default()
        };
        let within = Limits {
            bytes: None,
            time: cpu_time,
        };
        let budget = Budget::by_clock(within, "CPU time", clock);
        budget.enclose(|| task.answer(options, &problems, &mut run))
    })?;
    Ok(answer.or_raise(py)?.to_string())
}
