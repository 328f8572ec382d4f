//! Suites as sets of problems for [`herbrand_core`].

use herbrand_core::{Catalogue, Explained, PackedStates, Problems};
use herbrand_rddl::Horizon;

use super::{RddlError, RddlSuite};
use crate::simulate::{RddlSimulator, Values};

impl Problems for RddlSuite {
    type System = RddlSimulator;
    type Error = RddlError;

    fn name(&self) -> &str {
        Self::name(self)
    }

    fn len(&self) -> usize {
        Self::len(self)
    }

    fn problem_name(&self, index: usize) -> Option<String> {
        Self::problem_name(self, index).map(str::to_owned)
    }

    fn horizon(&self, index: usize) -> Option<u32> {
        match self.instance(index).ok()?.horizon {
            Horizon::Steps(steps) => Some(steps),
            Horizon::Infinite => None,
        }
    }

    fn discount(&self, index: usize) -> f64 {
        self.instance(index).map_or(1.0, |instance| instance.discount)
    }

    fn system(&self, index: usize) -> Result<RddlSimulator, RddlError> {
        self.simulator(index)
    }

    fn mask_len(&self) -> Result<usize, RddlError> {
        (0..self.len()).try_fold(0, |longest, index| {
            let length = self.compiled(index)?.actions().mask_len();
            Ok(longest.max(length))
        })
    }
}

impl Catalogue for RddlSuite {
    fn select(&self, indices: &[usize]) -> Result<Self, RddlError> {
        Self::select(self, indices)
    }

    fn declared_name(&self, index: usize) -> Option<&str> {
        Some(self.instance(index).ok()?.name.as_str())
    }
}

/// RDDL has no goals.
impl Explained for RddlSuite {}

impl PackedStates for RddlSuite {
    fn pack(state: &Values) -> Vec<u8> {
        state.pack()
    }

    fn unpack(&self, problem: usize, bytes: &[u8]) -> Option<Values> {
        self.compiled(problem).ok()?.unpack(bytes)
    }
}
