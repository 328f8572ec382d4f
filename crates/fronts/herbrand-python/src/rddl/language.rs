//! RDDL as a language of Python environments.

use herbrand_core::{ActionField, Enumerated, EnumerationError, FieldDomain, Problems};
use herbrand_datalog::EvaluationError;
use herbrand_rddl::{Code, Faults};
use herbrand_rddl_plan::space::RddlSpaceError;
use herbrand_rddl_sim::ground::{CompileError, ExactError, GuardError};
use herbrand_rddl_sim::simulate::{RddlSimulator, StepError};
use herbrand_rddl_sim::suite::{RddlError, RddlSuite};
use herbrand_render::{Pictured, StateRenderer};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::erased::{ErasedResult, Language, Refusal};
use crate::errors::{self, IntoException};
use crate::limits;
use crate::observed::bounds;

impl Language for RddlSuite {
    /// Returns the fields of the problem with the most fields, each wide enough for all problems.
    fn action_fields(&self) -> Result<Vec<ActionField>, RddlError> {
        let mut most: Vec<ActionField> = Vec::new();
        for index in 0..self.len() {
            let compiled = self.compiled(index)?;
            for (at, field) in compiled.actions().fields().iter().enumerate() {
                match most.get_mut(at) {
                    Some(known) => known.domain = hull(known.domain, field.domain),
                    None => most.push(field.clone()),
                }
            }
        }
        Ok(most)
    }

    fn drawing(&self, index: usize, system: &RddlSimulator) -> ErasedResult<StateRenderer<RddlSimulator>> {
        self.renderer(index, system).map_err(refused)
    }

    fn rules(&self) -> Vec<String> {
        let domain = self.domain();
        let count = domain.preconditions.len() + domain.constraints.len();
        (0..count)
            .map(|number| domain.precondition_text(number))
            .collect()
    }

    fn invariants(&self) -> Vec<String> {
        let domain = self.domain();
        let name = |number| {
            format!(
                "state invariant {}: {}",
                number + 1,
                domain.invariant_text(number)
            )
        };
        (0..domain.invariants.len()).map(name).collect()
    }

    fn broken_invariant(system: &RddlSimulator) -> Option<usize> {
        system.broken_invariants().first().copied()
    }
}

impl Language for Enumerated<RddlSuite> {
    fn action_fields(&self) -> Result<Vec<ActionField>, RddlError> {
        let mut most = Vec::new();
        let mut count = 0;
        for index in 0..self.len() {
            let system = self.system(index)?;
            if system.table().len() > count {
                count = system.table().len();
                most = system.table().layout().fields().to_vec();
            }
        }
        Ok(most)
    }

    fn drawing(&self, index: usize, system: &Self::System) -> ErasedResult<StateRenderer<Self::System>> {
        self.renderer(index, system).map_err(refused)
    }

    fn rules(&self) -> Vec<String> {
        self.inner().rules()
    }

    fn invariants(&self) -> Vec<String> {
        self.inner().invariants()
    }

    fn broken_invariant(system: &Self::System) -> Option<usize> {
        RddlSuite::broken_invariant(system.inner())
    }
}

fn refused(error: RddlError) -> Refusal {
    Box::new(error)
}

/// Returns the smallest domain that contains both domains.
fn hull(one: FieldDomain, other: FieldDomain) -> FieldDomain {
    match (one, other) {
        (FieldDomain::Discrete { count }, FieldDomain::Discrete { count: more }) => FieldDomain::Discrete {
            count: count.max(more),
        },
        (
            FieldDomain::Int { low, high },
            FieldDomain::Int {
                low: less,
                high: more,
            },
        ) => FieldDomain::Int {
            low: low.min(less),
            high: high.max(more),
        },
        _ => {
            let (low, high) = bounds(one);
            let (less, more) = bounds(other);
            FieldDomain::Real {
                low: low.min(less),
                high: high.max(more),
            }
        }
    }
}

impl IntoException for Faults {
    fn exception(&self, py: Python<'_>) -> PyErr {
        errors::faults(py, self, Code::LimitReached)
    }
}

impl IntoException for CompileError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let is_limit = match self {
            Self::BudgetExhausted(_) => true,
            Self::Guards(GuardError::Evaluation(error)) => matches!(
                error,
                EvaluationError::Memory { .. }
                    | EvaluationError::Time { .. }
                    | EvaluationError::BudgetExhausted(_)
            ),
            _ => false,
        };
        limits::exception(py, is_limit, "GroundingError", &self.to_string())
    }
}

impl IntoException for StepError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Joint(_) | Self::Precondition { .. } => {
                return errors::exception(py, "InvalidActionError", (self.to_string(), PyTuple::empty(py)));
            }
            Self::Value { .. } => "StepError",
            Self::ForeignState => "UnknownNameError",
            Self::BudgetExhausted(_) => return limits::exception(py, true, "StepError", &self.to_string()),
        };
        errors::message(py, class, &self.to_string())
    }
}

impl IntoException for RddlSpaceError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Compile(error) => error.exception(py),
            Self::Joints(error) => errors::message(py, "HerbrandError", &error.to_string()),
            Self::Step(error) => error.exception(py),
        }
    }
}

impl IntoException for ExactError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Step(error) => error.exception(py),
            _ => errors::message(py, "StepError", &self.to_string()),
        }
    }
}

impl IntoException for RddlError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Faults(error) => return error.exception(py),
            Self::Compile(error) => return error.exception(py),
            Self::Step(error) => return error.exception(py),
            Self::Image(error) => return error.exception(py),
            Self::Episode(fault) => return fault.exception(py),
            Self::UnknownEnvironment { .. } | Self::UnknownProblem { .. } => "UnknownNameError",
            _ => "HerbrandError",
        };
        errors::message(py, class, &self.to_string())
    }
}

impl IntoException for EnumerationError<RddlError> {
    fn exception(&self, py: Python<'_>) -> PyErr {
        match self {
            Self::Problem(error) => error.exception(py),
            Self::Table { problem, error } => {
                let hint = "actions='dict' and actions='flat' number no joint actions";
                errors::message(py, "ConfigError", &format!("instance {problem}: {error}; {hint}"))
            }
        }
    }
}
