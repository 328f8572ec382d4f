//! Seeded randomness as a Python object.

use std::sync::Mutex;

use pyo3::prelude::*;

use crate::errors::poisoned;

/// A seeded random generator: the same draws for one seed on every platform.
///
/// Parameters
/// ----------
/// seed : int, default 0
///     From 0 to 2**64 - 1.
#[pyclass(frozen, module = "herbrand")]
pub struct Random(Mutex<herbrand_step::Random>);

#[pymethods]
impl Random {
    #[new]
    #[pyo3(signature = (seed = 0))]
    fn new(seed: u64) -> Self {
        Self(Mutex::new(herbrand_step::Random::new(seed)))
    }

    /// The independent generator number `number` of this one, a function of its state and the number.
    fn stream(&self, number: u64) -> PyResult<Self> {
        let stream = self.with(|random| random.stream(number))?;
        Ok(Self(Mutex::new(stream)))
    }

    /// A number below `bound`, each with the same probability; 0 when `bound` is.
    fn below(&self, bound: u32) -> PyResult<u32> {
        self.with(|random| herbrand_step::uniform_below(random, bound))
    }
}

impl Random {
    /// Does `work` with the generator; no Python code may run in it.
    pub fn with<T>(&self, work: impl FnOnce(&mut herbrand_step::Random) -> T) -> PyResult<T> {
        let mut random = self.0.lock().map_err(|_| poisoned())?;
        Ok(work(&mut random))
    }
}
