//! The contents of an RDDL task: its model, values and bounds.

use herbrand_limits::Budget;
use herbrand_rddl::Range;
use herbrand_rddl_sim::ground;
use pyo3::prelude::*;

use super::RddlTask;
use crate::errors::{OrRaise, guarded};
use crate::rddl::model;

#[pymethods]
impl RddlTask {
    /// The contents of the task as Python data: a `herbrand.rddl.model.RddlModel`.
    #[getter]
    fn model<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let plain = model::model(slf.py(), &slf.get().compiled.instance)?;
        let class = slf.py().import("herbrand.rddl.model")?.getattr("RddlModel")?;
        class.call_method1("_of", (plain, slf))
    }

    /// Returns the values of all ground variables of a pvariable in row-major order: the values of a non-fluent, the initial
    /// values of a state fluent, or the defaults of an action fluent. None for other kinds.
    fn values<'py>(&self, py: Python<'py>, pvariable: &str) -> PyResult<Option<Vec<Bound<'py, PyAny>>>> {
        model::values(py, &self.compiled.instance, pvariable)
    }

    /// Returns the name, the lowest and the highest value of each ground action fluent; infinite if unbounded.
    fn action_bounds(&self) -> Vec<(String, f64, f64)> {
        let fields = self.compiled.actions().fields().iter();
        let bounds = fields.map(|field| {
            (
                field.name.clone(),
                herbrand_tasks::any::field_bounds(field.domain),
            )
        });
        bounds.map(|(name, (low, high))| (name, low, high)).collect()
    }

    /// Returns the name, the lowest and the highest value of each numeric ground state fluent, as restricted by state
    /// invariants; infinite if unbounded.
    fn state_bounds(&self, py: Python<'_>) -> PyResult<Vec<(String, f64, f64)>> {
        let compiled = self.compiled();
        let bounds = guarded(py, || ground::state_bounds(compiled, &Budget::unlimited()))?.or_raise(py)?;
        let numeric = |at: &usize| {
            let range = compiled.range(&compiled.state, *at);
            matches!(range, Range::Int | Range::Real)
        };
        let one = |at: usize| {
            let (low, high) = bounds[at];
            (compiled.name(&compiled.state, at), low, high)
        };
        Ok((0..compiled.state.len()).filter(numeric).map(one).collect())
    }
}
