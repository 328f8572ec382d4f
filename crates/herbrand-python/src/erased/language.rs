//! What a language can say beyond what all environments can.

use std::sync::Arc;

use herbrand_core::{ActionField, Choice, Described, Fact, FactValue, PackedStates, System};

use super::{Answer, Held, Refused, refuse};
use crate::errors::IntoException;
use herbrand_env::{Graph, Part};
use herbrand_render::Scene;

/// The problems of a language, as Python's environments need them. A language without words of its own implements it with
/// an empty block.
pub trait Language:
    PackedStates<System: Described<State: 'static> + Clone + 'static, Error: IntoException + 'static> + 'static
{
    /// The fields of the actions of the problem that has most of them.
    ///
    /// # Errors
    /// When a problem is at fault.
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

    /// The atoms that are true, for observations of names.
    fn held(system: &Self::System, _part: Part) -> Held {
        Held::Names(names_of_facts(system))
    }

    /// The atom of this number, where atoms have numbers.
    fn atom_text(_system: &Self::System, _number: usize) -> Option<String> {
        None
    }

    /// The state as a graph.
    fn graph(_system: &Self::System, _part: Part) -> Option<Graph> {
        None
    }

    /// Why an action is or is not valid now.
    fn explain(system: &Self::System, choice: Choice) -> Answer<Why> {
        let valid = system.is_valid(&[choice]);
        let action = system.choice_text(choice);
        let word = if valid { "valid" } else { "not valid" };
        Ok(Why {
            text: format!("{action} is {word} here"),
            action,
            valid,
            failures: Vec::new(),
        })
    }

    /// How the states of the problem at `index` are drawn; `system` is at any state of it.
    fn picture(&self, _index: usize, _system: &Self::System) -> Answer<Draw<Self::System>> {
        Err(refuse(Refused {
            class: "HerbrandError",
            text: "these problems have no pictures".to_owned(),
        }))
    }

    /// What carried out the last step, where that says more than the action.
    fn last_operator(_system: &Self::System) -> Option<String> {
        None
    }

    /// The action preconditions, by number from 0, that the last step violated.
    fn violated(_system: &Self::System) -> Vec<usize> {
        Vec::new()
    }

    /// What the goal still lacks.
    fn missing(_system: &Self::System) -> Answer<Vec<String>> {
        Err(refuse(Refused {
            class: "HerbrandError",
            text: "these problems have no goal".to_owned(),
        }))
    }
}

/// How the states of a problem are drawn.
pub type Draw<S> = Arc<dyn Fn(&S) -> Scene + Send + Sync>;

/// How many alternatives there are, if the fields are a single discrete one.
fn single(fields: &[ActionField]) -> Option<usize> {
    herbrand_core::ActionLayout::new(fields.to_vec(), 1).as_single()
}

/// Why an action is or is not valid in a state.
pub struct Why {
    /// The action, as its language writes it.
    pub action: String,
    /// Whether it is valid.
    pub valid: bool,
    /// The conditions that fail.
    pub failures: Vec<String>,
    /// All of it in a sentence.
    pub text: String,
}

/// The facts that are true, each as its name and arguments; those with another value than true have it at the end.
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
