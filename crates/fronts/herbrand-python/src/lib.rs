//! The extension module `herbrand._herbrand`: the native part of the Python package `herbrand`.
//!
//! Each file binds one concept. Python objects are immutable values. Mutable parts (walkers, random generators,
//! environments) are behind locks of their own, which are never held while Python code can run. So the module does not need
//! the global interpreter lock.

mod choice;
mod collections;
mod colours;
mod command;
mod datalog;
mod domain;
mod edit;
mod env;
mod errors;
mod exam;
mod explanation;
mod explore;
mod generator;
mod ground_arrays;
mod learning;
mod lifted;
mod limits;
mod named;
mod novelty;
mod observed;
mod page;
mod pddlworld;
mod picture;
mod problem;
mod random;
mod rddl;
mod row;
mod selection;
mod space;
mod states;
mod suite;
mod task;
mod tasks;
mod term;
mod text;
mod vector;
mod view;

use pyo3::prelude::*;

/// The engine of the package `herbrand`.
#[pymodule(gil_used = false)]
mod _herbrand {
    #[pymodule_export]
    use super::collections::{collected_in_rddl, is_collected};
    #[pymodule_export]
    use super::colours::{LinearEstimate, WeisfeilerLeman};
    #[pymodule_export]
    use super::command::run_command;
    #[pymodule_export]
    use super::datalog::Datalog;
    #[pymodule_export]
    use super::domain::Domain;
    #[pymodule_export]
    use super::edit::{BeliefCore, edit_lines, edit_problem, edit_schema, problem_difference, typed_lines};
    #[pymodule_export]
    use super::env::{EnvCore, EnvSnapshot};
    #[pymodule_export]
    use super::exam::{grade_exam, judge_exam, make_exam};
    #[pymodule_export]
    use super::explore::{PyLanguageModel, PyNativeWorld, explore_game};
    #[pymodule_export]
    use super::generator::Generator;
    #[pymodule_export]
    use super::learning::{ExperienceCore, LearnedCore};
    #[pymodule_export]
    use super::limits::{bytes_of, seconds_of};
    #[pymodule_export]
    use super::named::NamedSteps;
    #[pymodule_export]
    use super::novelty::Novelty;
    #[pymodule_export]
    use super::observed::{ObservedProblems, balloon, grid_worlds};
    #[pymodule_export]
    use super::pddlworld::Target;
    #[pymodule_export]
    use super::picture::encode_animation;
    #[pymodule_export]
    use super::problem::Problem;
    #[pymodule_export]
    use super::random::Random;
    #[pymodule_export]
    use super::rddl::{RddlPlanner, RddlPolicy, RddlState, RddlSuite, RddlTask, RelaxedStep, walk_rddl};
    #[pymodule_export]
    use super::suite::{Suite, defined_name};
    #[pymodule_export]
    use super::task::LiftedState;
    #[pymodule_export]
    use super::task::LiftedTask;
    #[pymodule_export]
    use super::task::State;
    #[pymodule_export]
    use super::task::Task;
    #[pymodule_export]
    use super::task::policy::{Policy, share_interval};
    #[pymodule_export]
    use super::tasks::{answer_task, task_list};
    #[pymodule_export]
    use super::term::{Action, Atom};
    #[pymodule_export]
    use super::text::{SessionCore, read_reply};
    #[pymodule_export]
    use super::vector::VecCore;

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
