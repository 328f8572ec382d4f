//! The interface between a planning language and the environments: features that not all languages have.

use herbrand_core::{ActionField, Described, Explained, Fact, FactValue, PackedStates, System};

use super::{ErasedResult, Refused, TrueAtoms, refuse};
use crate::errors::IntoException;
use herbrand_env::{InstanceLearningGraph, ObservedAtoms};
use herbrand_render::StateRenderer;

/// The problems of a language, as Python's environments need them. All methods have defaults for languages without the
/// feature.
pub trait Language:
    PackedStates<System: Described<State: 'static> + Clone + 'static, Error: IntoException + 'static>
    + Explained
    + 'static
{
    /// Returns the action fields of the problem with the most fields.
    ///
    /// # Errors
    /// If a problem is invalid.
    fn action_fields(&self) -> Result<Vec<ActionField>, Self::Error> {
        let mut most = Vec::new();
        for index in 0..self.len() {
            let system = self.system(index)?;
            let layout = system.actions();
            if layout.fields().len() > most.len() || layout.as_single() > single(&most) {
                most = layout.fields().to_vec();
            }
        }
        Ok(most)
    }

    /// Returns the true atoms, for observations by name.
    fn held(system: &Self::System, _part: ObservedAtoms) -> TrueAtoms {
        TrueAtoms::Names(names_of_facts(system))
    }

    /// Returns the text of the atom with this number; `None` if atoms are not numbered.
    fn atom_text(_system: &Self::System, _number: usize) -> Option<String> {
        None
    }

    /// Returns the state as a graph; `None` if the language has no graphs.
    fn graph(_system: &Self::System, _part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        None
    }

    /// Prepares the drawing of states of the problem at `index`. `system` is in any state of the problem.
    fn drawing(&self, _index: usize, _system: &Self::System) -> ErasedResult<StateRenderer<Self::System>> {
        Err(refuse(Refused {
            class: "HerbrandError",
            text: "these problems have no pictures".to_owned(),
        }))
    }

    /// Returns the operator that carried out the last step, if the language distinguishes operators from actions.
    fn last_operator(_system: &Self::System) -> Option<String> {
        None
    }

    /// Returns the texts of the rules that a step may violate and still be taken ([`System::each_violated`]).
    fn rules(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the names of the invariants that states may break, which ends the episode.
    fn invariants(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the index of the first invariant that the current state breaks.
    fn broken_invariant(_system: &Self::System) -> Option<usize> {
        None
    }

    /// Returns the unmet literals of the goal.
    fn missing(_system: &Self::System) -> ErasedResult<Vec<String>> {
        Err(refuse(Refused {
            class: "HerbrandError",
            text: "these problems have no goal".to_owned(),
        }))
    }
}

/// Returns the number of alternatives if there is a single, discrete field.
fn single(fields: &[ActionField]) -> Option<usize> {
    herbrand_core::ActionLayout::new(fields.to_vec(), 1).as_single()
}

/// Returns the facts that are true as their names and arguments. Facts with values other than true have the value appended.
fn names_of_facts(system: &impl Described) -> Vec<Vec<String>> {
    let mut names = Vec::new();
    system.facts(&mut |fact: Fact<'_>| {
        let words = std::iter::once(fact.name).chain(fact.arguments.iter().copied());
        let mut words: Vec<_> = words.map(str::to_owned).collect();
        match fact.value {
            FactValue::Bool(false) => return,
            FactValue::Bool(true) => {}
            value => words.push(value.to_string()),
        }
        names.push(words);
    });
    names
}
