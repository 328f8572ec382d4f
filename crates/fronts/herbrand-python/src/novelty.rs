//! `Novelty`: the novelty of states in batches.

use std::sync::Mutex;

use herbrand_limits::{Budget, Limits};
use herbrand_plan::NoveltyTable;
use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;

use crate::choice::value_error;
use crate::errors::{self, OrRaise, poisoned};
use crate::limits::limits_or;

/// The novelty of states among those before them: 1 if a state has a bit that no earlier one had, 2 if it only has a new pair of
/// bits, and 3 otherwise (Lipovetzky and Geffner 2012, "Width and serialization of classical planning problems").
///
/// Parameters
/// ----------
/// limits : Limits or mapping, optional
///     Limits of the memory for pairs, by default four gibibytes, and of the time of a call.
///
/// Examples
/// --------
/// >>> import herbrand
/// >>> space = herbrand.load("blocks", "train/01").state_space()
/// >>> novelty = herbrand.Novelty()
/// >>> novelty.measure(space.bits()).tolist()
/// [1, 1, 1, 1, 1]
/// >>> novelty.measure(space.bits()[:2]).tolist()
/// [3, 3]
#[pyclass(frozen, module = "herbrand")]
pub struct Novelty {
    table: Mutex<NoveltyTable>,
    limits: Limits,
}

#[pymethods]
impl Novelty {
    #[new]
    #[pyo3(signature = (*, limits = None))]
    fn new(limits: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let usual = Limits {
            bytes: Some(4 << 30),
            time: None,
        };
        Ok(Self {
            table: Mutex::default(),
            limits: limits_or(usual, limits, None, None)?,
        })
    }

    /// Measures states in order, and remembers them.
    ///
    /// Parameters
    /// ----------
    /// bits : array, states × bits
    ///     The states, such as observations ``"bits"`` or `StateSpace.bits`. A number that is not 0 counts as a bit.
    /// classes : array of int, optional
    ///     A class of each state, such as its number of open goals: only states of the same class are compared.
    ///
    /// Returns
    /// -------
    /// array of uint8
    ///     The novelty of each state.
    ///
    /// Raises
    /// ------
    /// LimitError
    ///     If a limit is reached.
    #[pyo3(signature = (bits, classes = None))]
    fn measure<'py>(
        &self,
        bits: &Bound<'py, PyAny>,
        classes: Option<Vec<u32>>,
    ) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let (py, budget) = (bits.py(), Budget::new(self.limits));
        let array = bits.call_method1("__ne__", (0,))?;
        let array = array.cast::<PyArray2<bool>>();
        let array = array
            .map_err(|_| value_error("bits are a matrix with a row for each state"))?
            .try_readonly()?;
        let rows = array.as_array();
        let count = rows.nrows();
        if classes.as_ref().is_some_and(|classes| classes.len() != count) {
            return Err(value_error("classes have a number for each state"));
        }
        let measured = errors::guarded(py, || {
            let mut table = self.table.lock().ok()?;
            let states = rows.outer_iter().enumerate().map(|(index, row)| {
                let features = (0..).zip(row).filter(|(_, bit)| **bit);
                let features: Vec<u32> = features.map(|(number, _)| number).collect();
                let class = classes.as_ref().map_or(0, |classes| classes[index]);
                budget.check("measuring novelty", table.bytes() as u64)?;
                Ok(table.measure(class, &features, &features))
            });
            Some(states.collect::<Result<Vec<u8>, herbrand_plan::TaskError>>())
        })?;
        Ok(measured.ok_or_else(poisoned)?.or_raise(py)?.to_pyarray(py))
    }
}
