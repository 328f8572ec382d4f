//! Analyses of a task without simulation: bounds, dependency networks and decision diagrams.

use std::sync::Arc;

use herbrand_limits::Budget;
use herbrand_rddl_plan::interval::{DrawCoverage, HorizonBounds, Interval, StartBounds};
use herbrand_rddl_plan::network::Network;
use herbrand_rddl_plan::xadd::{Output, Xadd};
use herbrand_rddl_sim::ground::{CompileError, StepGraph};
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
        let network = Network::ground(&step(task, py)?, &Budget::unlimited());
        network.map_err(CompileError::from).or_raise(py)?
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

#[pymethods]
impl RddlTask {
    /// Computes interval bounds of all fluents and of the return over `steps` steps (by default the horizon, or 100).
    ///
    /// They hold for all actions, unless `actions` bounds action fluents by name. `states` bounds state fluents before the
    /// first step. By default draws range over the supports of their distributions. With `between` they lie between two
    /// quantiles; with `mean` they are the means of their distributions.
    ///
    /// Returns a dict. ``"fluents"`` maps names to lists of pairs of lower and upper bound, one per step; names of state
    /// fluents after a step have a prime. ``"reward"`` is a list of such pairs. ``"total"`` is the pair for the discounted
    /// return. ``"steps"`` is the number of steps, which is lower than requested if every episode ends earlier.
    #[pyo3(signature = (steps = None, *, between = None, mean = false, actions = None, states = None))]
    fn bounds<'py>(
        &self,
        py: Python<'py>,
        steps: Option<u32>,
        between: Option<(f64, f64)>,
        mean: bool,
        actions: Option<&Bound<'py, PyAny>>,
        states: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let instance = Arc::clone(&self.compiled().instance);
        let steps = steps.unwrap_or_else(|| self.lookahead());
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
            narrowed(py, self, actions, true)?,
            narrowed(py, self, states, false)?,
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

    /// Returns the dynamic Bayes net of the domain's pvariables, or with `ground` of the instance's ground fluents. With
    /// `of` it is restricted to the ancestors of a fluent.
    ///
    /// It is a dict of ``"nodes"``, pairs of name and role, and ``"edges"``, pairs of the indices of a node and of a node
    /// that depends on it.
    #[pyo3(signature = (*, ground = false, of = None))]
    fn network<'py>(&self, py: Python<'py>, ground: bool, of: Option<&str>) -> PyResult<Bound<'py, PyDict>> {
        let network = found(self, py, ground, of)?;
        let dict = PyDict::new(py);
        let nodes = network
            .nodes
            .iter()
            .map(|node| (node.name.as_str(), node.role.as_str()));
        dict.set_item("nodes", nodes.collect::<Vec<_>>())?;
        dict.set_item("edges", network.edges)?;
        Ok(dict)
    }

    /// Draws the result of `network` as SVG.
    #[pyo3(signature = (*, ground = false, of = None))]
    fn draw_network(&self, py: Python<'_>, ground: bool, of: Option<&str>) -> PyResult<String> {
        let network = found(self, py, ground, of)?;
        let scene = network
            .scene()
            .map_err(|error| message(py, "HerbrandError", &error.to_string()))?;
        Ok(scene.to_svg(Theme::Auto))
    }

    /// Returns the CPF of a fluent (or ``"reward"``, ``"terminal"``, ``"precondition 1"``) as an extended algebraic decision
    /// diagram, as text or drawn as SVG.
    ///
    /// Raises
    /// ------
    /// HerbrandError
    ///     If it needs an array, or if an intermediate diagram has more than `limit` nodes.
    #[pyo3(signature = (of, *, limit = 20_000, draw = false))]
    fn diagram(&self, py: Python<'_>, of: &str, limit: usize, draw: bool) -> PyResult<String> {
        let compiled = self.compiled();
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
        let step = step(self, py)?;
        let unable =
            |error: herbrand_rddl_plan::xadd::XaddError| message(py, "HerbrandError", &error.to_string());
        let diagram = guarded(py, || Xadd::new(&step, output, limit))?.map_err(unable)?;
        if draw {
            return Ok(diagram.scene().map_err(unable)?.to_svg(Theme::Auto));
        }
        Ok(diagram.to_string())
    }
}
