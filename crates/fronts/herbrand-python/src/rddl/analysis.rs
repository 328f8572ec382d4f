//! Analyses of a task without simulation: bounds, dependency networks and decision diagrams.

use std::sync::Arc;

use herbrand_limits::Budget;
use herbrand_rddl::Horizon;
use herbrand_rddl_plan::interval::{DrawCoverage, HorizonBounds, Interval, StartBounds};
use herbrand_rddl_plan::network::Network;
use herbrand_rddl_plan::xadd::{Output, Xadd};
use herbrand_rddl_sim::ground::StepGraph;
use herbrand_rddl_sim::simulate::GroundFluents;
use herbrand_render::Theme;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::task::RddlTask;
use super::values::{items, place};
use crate::errors::{OrRaise, guarded, message};

/// Bounds, each with the index of a fluent.
type Narrowed = Vec<(usize, Interval)>;

fn narrowed(
    py: Python<'_>,
    task: &RddlTask,
    given: Option<&Bound<'_, PyAny>>,
    of_actions: bool,
) -> PyResult<Narrowed> {
    let what = if of_actions {
        "action fluent"
    } else {
        "state fluent"
    };
    let one = |(name, ends): (String, Bound<'_, PyAny>)| {
        let at = place(py, task.places(of_actions), &name, what)?;
        let (low, high): (f64, f64) = ends.extract()?;
        if low <= high {
            Ok((at, Interval::new(low, high)))
        } else {
            Err(PyValueError::new_err(format!(
                "the bounds of `{name}` are out of order"
            )))
        }
    };
    items(given)?.into_iter().map(one).collect()
}

pub fn bounds<'py>(
    task: &RddlTask,
    py: Python<'py>,
    steps: Option<u32>,
    (between, mean): (Option<(f64, f64)>, bool),
    actions: Option<&Bound<'py, PyAny>>,
    states: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let instance = Arc::clone(&task.compiled().instance);
    let steps = steps.unwrap_or(match instance.horizon {
        Horizon::Steps(steps) => steps,
        Horizon::Infinite => 100,
    });
    let coverage = match (between, mean) {
        (None, false) => DrawCoverage::Support,
        (None, true) => DrawCoverage::Mean,
        (Some((low, high)), false) if 0.0 < low && low <= high && high < 1.0 => {
            DrawCoverage::Between(low, high)
        }
        _ => {
            let text =
                "between is two numbers between 0 and 1, the lower one first, and is not given with mean";
            return Err(PyValueError::new_err(text));
        }
    };
    let (actions, states) = (
        narrowed(py, task, actions, true)?,
        narrowed(py, task, states, false)?,
    );
    let narrow = move |start: &mut StartBounds| {
        actions
            .into_iter()
            .for_each(|(at, interval)| start.actions[at] = interval);
        states
            .into_iter()
            .for_each(|(at, interval)| start.state[at] = interval);
    };
    let found = guarded(py, || {
        HorizonBounds::from(&instance, steps, coverage, narrow, &Budget::unlimited())
    })?
    .or_raise(py)?;
    as_dict(py, &found)
}

const fn ends(interval: &Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

fn as_dict<'py>(py: Python<'py>, found: &HorizonBounds) -> PyResult<Bound<'py, PyDict>> {
    let (compiled, fluents) = (&found.compiled, PyDict::new(py));
    let set = |of: &GroundFluents, prime: &str, series: &dyn Fn(usize) -> Vec<(f64, f64)>| {
        (0..of.len())
            .try_for_each(|at| fluents.set_item(format!("{}{prime}", compiled.name(of, at)), series(at)))
    };
    let steps = &found.steps;
    set(&compiled.state, "", &|at| {
        steps.iter().map(|step| ends(&step.state[at])).collect()
    })?;
    set(&compiled.state, "'", &|at| {
        let later = steps.iter().skip(1).map(|step| ends(&step.state[at]));
        later.chain([ends(&found.last[at])]).take(steps.len()).collect()
    })?;
    set(&compiled.action, "", &|at| {
        vec![ends(&found.actions[at]); steps.len()]
    })?;
    set(&compiled.interm, "", &|at| {
        steps.iter().map(|step| ends(&step.interm[at])).collect()
    })?;
    set(&compiled.observ, "", &|at| {
        steps.iter().map(|step| ends(&step.observ[at])).collect()
    })?;
    let dict = PyDict::new(py);
    dict.set_item("fluents", fluents)?;
    let rewards: Vec<(f64, f64)> = steps.iter().map(|step| ends(&step.reward)).collect();
    dict.set_item("reward", rewards)?;
    dict.set_item("total", ends(&found.total))?;
    dict.set_item("steps", steps.len())?;
    Ok(dict)
}

fn step(task: &RddlTask, py: Python<'_>) -> PyResult<StepGraph> {
    let instance = Arc::clone(&task.compiled().instance);
    guarded(py, || StepGraph::new(&instance, &Budget::unlimited()))?.or_raise(py)
}

fn found(task: &RddlTask, py: Python<'_>, ground: bool, of: Option<&str>) -> PyResult<Network> {
    let network = if ground {
        Network::ground(&step(task, py)?)
    } else {
        Network::lifted(&task.compiled().instance.domain)
    };
    match of {
        None => Ok(network),
        Some(name) => network
            .behind(name)
            .map_err(|error| message(py, "UnknownNameError", &error.to_string())),
    }
}

pub fn network<'py>(
    task: &RddlTask,
    py: Python<'py>,
    ground: bool,
    of: Option<&str>,
) -> PyResult<Bound<'py, PyDict>> {
    let network = found(task, py, ground, of)?;
    let dict = PyDict::new(py);
    let nodes = network
        .nodes
        .iter()
        .map(|node| (node.name.as_str(), node.role.as_str()));
    dict.set_item("nodes", nodes.collect::<Vec<_>>())?;
    dict.set_item("edges", network.edges)?;
    Ok(dict)
}

pub fn draw_network(task: &RddlTask, py: Python<'_>, ground: bool, of: Option<&str>) -> PyResult<String> {
    let network = found(task, py, ground, of)?;
    let scene = network
        .scene()
        .map_err(|error| message(py, "HerbrandError", &error.to_string()))?;
    Ok(scene.to_svg(Theme::Auto))
}

pub fn diagram(task: &RddlTask, py: Python<'_>, of: &str, limit: usize, draw: bool) -> PyResult<String> {
    let compiled = task.compiled();
    let Some(output) = Output::find(compiled, of) else {
        let names: Vec<String> = Output::all(compiled)
            .iter()
            .map(|one| one.name(compiled))
            .collect();
        let near = herbrand_text::nearest(of, names.iter().map(String::as_str));
        let text = format!(
            "the task has no value `{of}`{}",
            herbrand_text::did_you_mean(near)
        );
        return Err(message(py, "UnknownNameError", &text));
    };
    let step = step(task, py)?;
    let unable =
        |error: herbrand_rddl_plan::xadd::XaddError| message(py, "HerbrandError", &error.to_string());
    let diagram = guarded(py, || Xadd::new(&step, output, limit))?.map_err(unable)?;
    if draw {
        return Ok(diagram.scene().map_err(unable)?.to_svg(Theme::Auto));
    }
    Ok(diagram.to_string())
}
