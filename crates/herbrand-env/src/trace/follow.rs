//! A planning problem that follows a trace: states as atoms by name.

use std::collections::BTreeSet;

use herbrand_core::{Group, System};

use super::listed::{Meaning, Names, Place};
use super::record::true_facts;
use crate::{Planning, PlanningError, Walk};

/// Atoms by name.
pub(super) type Atoms = BTreeSet<String>;

/// A planning problem that follows a trace.
pub(super) struct Follower<W: Walk> {
    pub(super) planning: Planning<W>,
    pub(super) names: Names,
    /// The atoms of static predicates.
    pub(super) statics: Atoms,
}

impl<W: Walk> Follower<W> {
    pub(super) fn new(planning: Planning<W>) -> Self {
        Self {
            names: Names::of(planning.walk().vocabulary()),
            statics: true_facts(&planning, Group::Static).into_iter().collect(),
            planning,
        }
    }

    /// Goes to the state of these atoms, as far as they are known; numbers are those of the start.
    pub(super) fn go_to_atoms(&mut self, atoms: &Atoms) -> Result<(), PlanningError> {
        let known = atoms.iter().filter_map(|atom| self.names.parse(atom));
        let state = self.planning.walk().state_of(&known.collect::<Vec<_>>())?;
        self.planning.set_state(&state)
    }

    /// The atoms that are true; those of static predicates too if `with_statics`.
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

    /// Of the atoms that a trace lists, each with the list it is in, those that states are compared with.
    pub(super) fn read<'t>(&self, atoms: impl Iterator<Item = (Place, &'t str)>) -> Atoms {
        let vocabulary = self.planning.walk().vocabulary();
        let compared = atoms.filter(
            |&(place, atom)| match self.names.meaning(vocabulary, atom, place) {
                Meaning::Own => false,
                Meaning::Static => !self.statics.contains(atom),
                Meaning::Listed | Meaning::Unknown => true,
            },
        );
        compared.map(|(_, atom)| atom.to_owned()).collect()
    }

    /// The actions that some operator fits: a trace lists ambiguous ones too.
    pub(super) fn fitting_actions(&self) -> BTreeSet<String> {
        let actions = self.planning.fitting_actions();
        actions
            .iter()
            .map(|action| self.planning.walk().action_text(action))
            .collect()
    }

    /// The states that an action may lead to, by all operators that fit it; `None` if they are too many to list. On an
    /// error, says why there is none.
    pub(super) fn successors(&mut self, action: &str) -> Result<Option<Vec<W::State>>, String> {
        let action = self.planning.walk().find_action(action);
        let action = action.ok_or("there is no such action")?;
        self.planning
            .successors(&action)
            .map_err(|error| error.to_string())
    }
}
