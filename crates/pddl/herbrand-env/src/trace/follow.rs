//! A planning problem during the replay of a trace. States are sets of atoms by name.

use std::collections::BTreeSet;

use herbrand_core::{Group, System};

use super::listed::{ComparedWith, Names, Place};
use crate::error::PlanningError;
use crate::planning::{Planning, SteppingEngine};
use herbrand_core::trace::true_facts;

/// A set of atoms by name.
pub(super) type Atoms = BTreeSet<String>;

/// A planning problem during the replay of a trace.
pub(super) struct Follower<W: SteppingEngine> {
    pub(super) planning: Planning<W>,
    pub(super) names: Names,
    /// The atoms of static predicates.
    pub(super) statics: Atoms,
}

impl<W: SteppingEngine> Follower<W> {
    pub(super) fn new(planning: Planning<W>) -> Self {
        Self {
            names: Names::of(planning.walk().vocabulary()),
            statics: true_facts(&planning, Group::Static).into_iter().collect(),
            planning,
        }
    }

    /// Enters the state with these atoms, ignoring unknown ones. Numbers have their initial values.
    pub(super) fn go_to_atoms(&mut self, atoms: &Atoms) -> Result<(), PlanningError> {
        let known = atoms.iter().filter_map(|atom| self.names.parse(atom));
        let state = self.planning.walk().state_of(&known.collect::<Vec<_>>())?;
        self.planning.set_state(&state)
    }

    /// Returns the true atoms; includes atoms of static predicates if `with_statics`.
    pub(super) fn observe(&self, with_statics: bool) -> Atoms {
        let groups = [Group::Fluent, Group::Derived];
        let mut atoms: Atoms = groups
            .into_iter()
            .flat_map(|group| true_facts(&self.planning, group))
            .collect();
        if with_statics {
            atoms.extend(self.statics.iter().cloned());
        }
        atoms
    }

    /// Returns those of a trace's atoms, given with the list that contains each, that are compared with states.
    pub(super) fn read<'t>(&self, atoms: impl Iterator<Item = (Place, &'t str)>) -> Atoms {
        let vocabulary = self.planning.walk().vocabulary();
        let compared = atoms.filter(
            |&(place, atom)| match self.names.meaning(vocabulary, atom, place) {
                ComparedWith::Own => false,
                ComparedWith::Static => !self.statics.contains(atom),
                ComparedWith::Listed | ComparedWith::Unknown => true,
            },
        );
        compared.map(|(_, atom)| atom.to_owned()).collect()
    }

    /// Returns the actions that at least one operator fits, because a trace includes ambiguous actions.
    pub(super) fn fitting_actions(&self) -> BTreeSet<String> {
        let actions = self.planning.fitting_actions();
        actions
            .iter()
            .map(|action| self.planning.walk().action_text(action))
            .collect()
    }
}
