//! State spaces of RDDL tasks.

use herbrand_limits::Budget;
use herbrand_rddl_plan::space::{RddlSpaceOptions, RddlStateSpace};
use herbrand_rddl_sim::simulate::FluentValue;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::RddlTask;
use crate::errors::{self, OrRaise, interruptible};
use crate::rddl::state::RddlState;

#[pymethods]
impl RddlTask {
    /// Explores the state space, breadth first: an explicit Markov decision process.
    ///
    /// Parameters
    /// ----------
    /// states : iterable of RddlState, optional
    ///     The states to begin with; by default the initial state.
    /// max_states : int, default 1000000
    ///     The number of states after which no further state is expanded.
    /// max_joint_actions, max_outcomes : int
    ///     The greatest number of joint actions, and of combinations of draws in a step.
    /// limits : Limits or mapping, optional
    ///     Limits for the exploration. If a limit is reached, no exception is raised: `StateSpace.limit` reports it.
    /// time, memory : float or str, optional
    ///     Override the fields of `limits`: ``time=10``, ``memory="2GiB"``.
    ///
    /// Returns
    /// -------
    /// herbrand.state_space.StateSpace
    ///     States and transitions as arrays. No state is a goal.
    ///
    /// Raises
    /// ------
    /// StepError
    ///     If a step has infinitely many outcomes or too many.
    /// HerbrandError
    ///     If the joint actions cannot be numbered.
    #[pyo3(signature = (states = None, *, max_states = 1_000_000, max_joint_actions = 65_536, max_outcomes = 65_536,
        limits = None, time = None, memory = None))]
    #[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn state_space<'py>(
        slf: &Bound<'py, Self>,
        states: Option<Vec<Bound<'py, RddlState>>>,
        max_states: usize,
        max_joint_actions: usize,
        max_outcomes: usize,
        limits: Option<&Bound<'py, PyAny>>,
        time: Option<&Bound<'py, PyAny>>,
        memory: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        let own = |state: &Bound<'py, RddlState>| Ok(this.own(state)?.clone());
        let starts = states.map(|states| states.iter().map(own).collect::<PyResult<Vec<_>>>());
        let options = RddlSpaceOptions {
            starts: starts.transpose()?,
            states: max_states,
            joint_actions: max_joint_actions,
            outcomes: max_outcomes,
            ..RddlSpaceOptions::default()
        };
        let budget = Budget::new(crate::limits::limits_with(limits, time, memory)?);
        let instance = &this.compiled.instance;
        let space =
            interruptible(py, || RddlStateSpace::explore(instance, &options, &budget))?.or_raise(py)?;
        let analysis = interruptible(py, || space.graph.analyse(&budget.without_limits()))?;
        let analysis = analysis.map_err(|error| errors::message(py, "LimitError", &error.to_string()))?;
        let joints = (0..space.joints.len()).map(|joint| this.action_dict(py, space.joints.joint(joint)));
        let joints = PyTuple::new(py, joints.collect::<PyResult<Vec<_>>>()?)?.into_any();
        let rows = space.rows();
        crate::space::as_object(slf.as_any(), space.graph, analysis, rows, None, joints)
    }

    /// Returns the state with these words of bools, and these other values.
    #[expect(clippy::needless_pass_by_value, reason = "converted from lists")]
    fn _state_of_row(slf: &Bound<'_, Self>, bits: Vec<u64>, numbers: Vec<f64>) -> PyResult<Py<RddlState>> {
        let section = slf.get().compiled.state.section();
        let (mut values, mut bools, mut others) = (section.values(), 0, numbers.into_iter());
        for fluent in 0..section.len() {
            let value = match section.get(&values, fluent) {
                FluentValue::Bool(_) => {
                    bools += 1;
                    let word = bits.get((bools - 1) / 64).copied().unwrap_or_default();
                    FluentValue::Bool(word >> ((bools - 1) % 64) & 1 == 1)
                }
                FluentValue::Int(_) => FluentValue::Int(others.next().unwrap_or_default() as i64),
                FluentValue::Real(_) => FluentValue::Real(others.next().unwrap_or_default()),
            };
            section.set(&mut values, fluent, value);
        }
        Self::wrap(slf, values)
    }
}
