//! `Random`: a seeded random generator.

use std::sync::Mutex;

use pyo3::prelude::*;

use crate::errors::poisoned;

/// A seeded random generator. Equal seeds give equal draws on every platform.
///
/// Parameters
/// ----------
/// seed : int, default 0
///     The seed, from 0 to 2**64 - 1.
#[pyclass(frozen, module = "herbrand")]
pub struct Random(Mutex<herbrand_step::Random>);

#[pymethods]
impl Random {
    #[new]
    #[pyo3(signature = (seed = 0))]
    fn new(seed: u64) -> Self {
        Self(Mutex::new(herbrand_step::Random::new(seed)))
    }

    /// Returns an independent generator, determined by the state of this one and `number`.
    fn stream(&self, number: u64) -> PyResult<Self> {
        let stream = self.with(|random| random.stream(number))?;
        Ok(Self(Mutex::new(stream)))
    }

    /// Returns a uniformly random number below `bound`; 0 if `bound` is 0.
    fn below(&self, bound: u32) -> PyResult<u32> {
        self.with(|random| herbrand_step::uniform_below(random, bound))
    }
}

impl Random {
    /// Calls `work` with the locked generator. `work` must not run Python code.
    pub fn with<T>(&self, work: impl FnOnce(&mut herbrand_step::Random) -> T) -> PyResult<T> {
        let mut random = self.0.lock().map_err(|_| poisoned())?;
        Ok(work(&mut random))
    }
}
