//! The languages available in Python environments: PDDL with both engines, and the balloon.

use std::sync::Arc;

use herbrand_core::balloon::{BalloonError, BalloonProblems};
use herbrand_core::{ActionField, ActionLayout, Problems};
use herbrand_env::{
    EnvError, Grounded, InstanceLearningGraph, Lifted, LiftedSuite, ObservedAtoms, ObservedId, Planning,
    Suite,
};
use pyo3::PyErr;
use pyo3::prelude::*;

use herbrand_gridworld::{GridWorlds, MapFaults, Robot, RobotError};
use herbrand_render::{Pictured, StateRenderer};

use crate::erased::{ErasedResult, Language, Refusal, TrueAtoms};
use crate::errors::{self, IntoException};

/// Returns the single action field of PDDL problems.
fn single_field(problems: &impl Problems<Error = EnvError>) -> Result<Vec<ActionField>, EnvError> {
    let layout = ActionLayout::single("action", problems.mask_len()?);
    Ok(layout.fields().to_vec())
}

fn refuse(error: impl IntoException + Send + 'static) -> Refusal {
    Box::new(error)
}

impl Language for Suite {
    fn action_fields(&self) -> Result<Vec<ActionField>, EnvError> {
        single_field(self)
    }

    fn held(planning: &Planning<Grounded>, part: ObservedAtoms) -> TrueAtoms {
        let instance = Arc::clone(planning.instance());
        let atoms = instance.atoms();
        let held = atoms.observe(planning.walker(), part);
        TrueAtoms::Numbers {
            held: held.map(ObservedId::number).collect(),
            count: atoms.len(ObservedAtoms::All),
            name: Box::new(move |id| {
                let vocabulary = &instance.simulator().task().vocabulary;
                let fact = instance.atoms().get(ObservedId::new(id));
                let words = fact.iter().flat_map(|fact| {
                    let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
                    let arguments = fact.arguments.iter().map(|&id| vocabulary.object(id));
                    std::iter::once(head).chain(arguments).map(str::to_owned)
                });
                words.collect()
            }),
        }
    }

    fn atom_text(planning: &Planning<Grounded>, number: usize) -> Option<String> {
        let atoms = planning.instance().atoms();
        let known = number < atoms.len(ObservedAtoms::All);
        known.then(|| atoms.display(ObservedId::new(number as u32)).to_string())
    }

    fn graph(planning: &Planning<Grounded>, part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        let mut graph = InstanceLearningGraph::default();
        let atoms = planning.instance().atoms();
        atoms.graph(planning.walker(), part, &mut graph);
        Some(graph)
    }

    fn drawing(
        &self,
        index: usize,
        planning: &Planning<Grounded>,
    ) -> ErasedResult<StateRenderer<Planning<Grounded>>> {
        self.renderer(index, planning).map_err(refuse)
    }

    fn last_operator(planning: &Planning<Grounded>) -> Option<String> {
        let operator = *planning.last_operator()?;
        Some(planning.space().task().display_action(operator).to_string())
    }

    fn missing(planning: &Planning<Grounded>) -> ErasedResult<Vec<String>> {
        let task = planning.space().task();
        let missing = planning.goal_progress().missing.into_iter();
        Ok(missing
            .map(|literal| task.display_literal(literal).to_string())
            .collect())
    }
}

impl Language for LiftedSuite {
    fn action_fields(&self) -> Result<Vec<ActionField>, EnvError> {
        single_field(self)
    }

    fn held(planning: &Planning<Lifted>, part: ObservedAtoms) -> TrueAtoms {
        let vocabulary = planning.walker().simulator().vocabulary();
        let held = planning.walk().atoms().observe(planning.walker(), part);
        let names = held.map(|fact| {
            let head = vocabulary.predicate(fact.predicate).signature.name.as_str();
            let arguments = fact.arguments.iter().map(|&id| vocabulary.object(id));
            std::iter::once(head)
                .chain(arguments)
                .map(str::to_owned)
                .collect()
        });
        TrueAtoms::Names(names.collect())
    }

    fn atom_text(planning: &Planning<Lifted>, number: usize) -> Option<String> {
        planning.walk().atoms().display(number)
    }

    fn graph(planning: &Planning<Lifted>, part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        let mut graph = InstanceLearningGraph::default();
        let atoms = planning.walk().atoms();
        atoms.graph(planning.walker(), part, &mut graph);
        Some(graph)
    }

    fn drawing(
        &self,
        index: usize,
        planning: &Planning<Lifted>,
    ) -> ErasedResult<StateRenderer<Planning<Lifted>>> {
        self.renderer(index, planning).map_err(refuse)
    }

    fn last_operator(planning: &Planning<Lifted>) -> Option<String> {
        planning.last_operator_text()
    }

    fn missing(planning: &Planning<Lifted>) -> ErasedResult<Vec<String>> {
        Ok(planning.walk().atoms().missing(planning.walker()))
    }
}

impl Language for BalloonProblems {}

impl Language for GridWorlds {
    fn drawing(&self, index: usize, robot: &Robot) -> ErasedResult<StateRenderer<Robot>> {
        self.renderer(index, robot).map_err(refuse)
    }
}

impl IntoException for RobotError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::Wall { .. } => "InvalidActionError",
            Self::Unknown(_) | Self::Place { .. } => "UnknownNameError",
            Self::Episode(fault) => return fault.exception(py),
        };
        errors::message(py, class, &self.to_string())
    }
}

impl IntoException for MapFaults {
    fn exception(&self, py: Python<'_>) -> PyErr {
        errors::message(py, "ConfigError", &self.to_string())
    }
}

impl IntoException for BalloonError {
    fn exception(&self, py: Python<'_>) -> PyErr {
        let class = match self {
            Self::NotEnoughGas { .. } => "InvalidActionError",
            Self::Unknown(_) => "UnknownNameError",
            Self::Episode(fault) => return fault.exception(py),
        };
        errors::message(py, class, &self.to_string())
    }
}
