//! What a language brings to environments in any language.

use herbrand_core::{ActionField, ActionLayout, Described, Explained, FieldDomain, PackedStates, System};
use herbrand_env::{InstanceLearningGraph, ObservedAtoms};
use herbrand_render::Pictured;

use super::error::AnyError;
use super::view::TrueAtoms;

/// Problems of a language that people and agents play. All methods have defaults: problems with the traits above are played
/// with `impl Playable for …  {}`, and a conversion of their error to [`AnyError`].
pub trait Playable:
    PackedStates<System: Described<State: 'static> + Clone + 'static, Error: Into<AnyError>>
    + Explained
    + Pictured
    + 'static
{
    /// Returns the action fields of the problem with the most fields.
    ///
    /// # Errors
    /// Fails if a problem is faulty.
    fn action_fields(&self) -> Result<Vec<ActionField>, Self::Error> {
        let single = |fields: &[ActionField]| ActionLayout::new(fields.to_vec(), 1).as_single();
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

    /// Returns the texts of the rules that a step may violate and still be taken ([`System::each_violated`]); none by
    /// default.
    fn rules(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns the names of the invariants that states may break, which ends the episode; none by default.
    fn invariants(&self) -> Vec<String> {
        Vec::new()
    }

    /// Returns what the language has beyond the traits of the core, for the problem at `index` in the current state of
    /// `system`; nothing by default.
    fn features<'a>(&'a self, _index: usize, _system: &'a Self::System) -> Box<dyn LanguageFeatures + 'a> {
        Box::new(NoFeatures)
    }
}

/// What a language has beyond the traits of the core, for a problem in its current state. By default, it has nothing.
pub trait LanguageFeatures {
    /// Returns the true atoms; `None` if they are the facts of the state.
    fn held(&self, _part: ObservedAtoms) -> Option<TrueAtoms> {
        None
    }

    /// Returns the text of the atom with this number; `None` if there is none, or atoms are not numbered.
    fn atom_text(&self, _number: usize) -> Option<String> {
        None
    }

    /// Returns the state as a graph; `None` if the language has no graphs.
    fn graph(&self, _part: ObservedAtoms) -> Option<InstanceLearningGraph> {
        None
    }

    /// Returns the operator that carried out the last step; `None` without one, or if operators are the actions.
    fn last_operator(&self) -> Option<String> {
        None
    }

    /// Returns the index of the first invariant that the state breaks.
    fn broken_invariant(&self) -> Option<usize> {
        None
    }

    /// Returns the literals of the goal that do not hold; `None` if the language has no goals.
    fn missing(&self) -> Option<Vec<String>> {
        None
    }
}

/// The features of a language that has none.
struct NoFeatures;

impl LanguageFeatures for NoFeatures {}

/// Returns the lowest and the highest value of a domain; infinite if it is unbounded.
#[must_use]
pub fn field_bounds(domain: FieldDomain) -> (f64, f64) {
    let open = |bound: i64, end: i64, infinity: f64| {
        if bound == end { infinity } else { bound as f64 }
    };
    match domain {
        FieldDomain::Discrete { count } => (0.0, f64::from(count) - 1.0),
        FieldDomain::Int { low, high } => (
            open(low, i64::MIN, f64::NEG_INFINITY),
            open(high, i64::MAX, f64::INFINITY),
        ),
        FieldDomain::Real { low, high } => (low, high),
    }
}
