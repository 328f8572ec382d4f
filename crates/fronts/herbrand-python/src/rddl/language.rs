//! The exceptions of RDDL.

use herbrand_core::EnumerationError;
use herbrand_datalog::EvaluationError;
use herbrand_rddl::{Code, Faults};
use herbrand_rddl_plan::space::RddlSpaceError;
use herbrand_rddl_sim::ground::{CompileError, ExactError, GuardError};
use herbrand_rddl_sim::simulate::StepError;
use herbrand_rddl_sim::suite::RddlError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{self, IntoException};
use crate::limits;

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
