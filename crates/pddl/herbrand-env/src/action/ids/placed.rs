//! The ids of a suite, applied to one of its problems.

use std::sync::Arc;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, PredicateId};

use super::SuiteIds;
use super::places::Placement;
use crate::action::{AgentActionId, Arguments, TermNumbers};
use crate::observed::{ObservedAtoms, ObservedId};

/// The ids of a suite together with the places of a problem's objects.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    ids: Arc<SuiteIds>,
    placement: Arc<Placement>,
}

impl Placed {
    /// Applies `ids` to the problem with this vocabulary, which must be one of the problems that they were created for.
    pub(crate) fn new(ids: Arc<SuiteIds>, vocabulary: &Vocabulary) -> Self {
        Self {
            placement: Arc::new(ids.places.placement(&vocabulary.objects)),
            ids,
        }
    }

    /// Returns the place of an object as an index.
    pub(crate) fn place(&self, object: ObjectId) -> usize {
        self.placement.place(object).index()
    }

    /// Iterates over the objects in the order of their places.
    pub(crate) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.placement.objects()
    }

    /// Returns the number of places.
    pub(crate) fn place_count(&self) -> usize {
        self.ids.place_count()
    }

    /// Returns the number of atom ids of a part.
    pub(crate) fn atom_count(&self, part: ObservedAtoms) -> usize {
        self.ids.atom_count(part)
    }

    /// Returns the id of an atom; `None` if it is not observed.
    pub(crate) fn atom(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<u32> {
        let head = self.ids.heads.get(predicate.index()).copied().flatten()?;
        self.number(&self.ids.atoms, head as usize, arguments)
    }

    /// Returns the atom of an id; `None` if the problem lacks one of its objects.
    pub(crate) fn get_atom(&self, id: ObservedId) -> Option<(PredicateId, Arguments)> {
        let (head, arguments) = self.get(&self.ids.atoms, id.number())?;
        Some((self.ids.predicates[head], arguments))
    }

    /// Formats an atom; missing objects are written as places.
    pub(crate) fn atom_text(&self, vocabulary: &Vocabulary, id: ObservedId) -> Option<String> {
        self.ids.atom_by(id, |place| self.name(vocabulary, place))
    }

    /// Formats an action; missing objects are written as places.
    pub(crate) fn action_text(&self, vocabulary: &Vocabulary, id: AgentActionId) -> Option<String> {
        self.ids.action_by(id, |place| self.name(vocabulary, place))
    }

    fn name<'a>(&'a self, vocabulary: &'a Vocabulary, place: ObjectId) -> &'a str {
        let object = self.placement.object(place);
        object.map_or_else(|| self.ids.places.name(place), |object| vocabulary.object(object))
    }

    /// Returns the vocabulary of the domain, with the places as objects.
    pub(crate) fn vocabulary(&self) -> &Vocabulary {
        self.ids.places.vocabulary()
    }

    /// Returns the number of a term among `numbers`, which are over the places; `None` if an argument does not fit.
    pub(crate) fn number(&self, numbers: &TermNumbers, head: usize, arguments: &[ObjectId]) -> Option<u32> {
        let places = arguments.iter().map(|&object| self.placement.place(object));
        numbers.number(head, &places.collect::<Arguments>())
    }

    fn get(&self, numbers: &TermNumbers, number: u32) -> Option<(usize, Arguments)> {
        let (head, places) = numbers.get(number)?;
        let objects = places.into_iter().map(|place| self.placement.object(place));
        Some((head, objects.collect::<Option<_>>()?))
    }
}

/// The ids of the actions of a problem: its own, or those of the suite.
#[derive(Clone, Debug)]
pub(crate) enum TermIds {
    /// Ids over the problem's own objects.
    Own(TermNumbers),
    /// Ids over the suite's places.
    Placed(Placed),
}

impl TermIds {
    /// Returns the number of ids.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Own(numbers) => numbers.len(),
            Self::Placed(placed) => placed.ids.actions.len(),
        }
    }

    /// Returns the id of an action; `None` if an argument does not fit.
    pub(crate) fn number(&self, action: usize, arguments: &[ObjectId]) -> Option<AgentActionId> {
        let number = match self {
            Self::Own(numbers) => numbers.number(action, arguments),
            Self::Placed(placed) => placed.number(&placed.ids.actions, action, arguments),
        };
        number.map(AgentActionId::new)
    }

    /// Returns the action of an id with its arguments; `None` if the problem has no such action.
    pub(crate) fn get(&self, id: AgentActionId) -> Option<(usize, Arguments)> {
        match self {
            Self::Own(numbers) => numbers.get(id.number()),
            Self::Placed(placed) => placed.get(&placed.ids.actions, id.number()),
        }
    }

    /// Returns the ids of the suite; `None` if the problem has its own.
    pub(crate) const fn placed(&self) -> Option<&Placed> {
        match self {
            Self::Own(_) => None,
            Self::Placed(placed) => Some(placed),
        }
    }
}
