//! The numbers of a suite, read for one problem.

use std::sync::Arc;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, PredicateId};

use super::SuiteIds;
use super::places::Placement;
use crate::action::{Arguments, TermNumbers};
use crate::{AgentActionId, ObservedId, Part};

/// The numbers of a suite for one of its problems.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    ids: Arc<SuiteIds>,
    placement: Arc<Placement>,
}

impl Placed {
    /// The numbers of `ids` for the problem of this vocabulary, which must be one that they were made for.
    pub(crate) fn new(ids: Arc<SuiteIds>, vocabulary: &Vocabulary) -> Self {
        Self {
            placement: Arc::new(ids.places.placement(&vocabulary.objects)),
            ids,
        }
    }

    /// The place of an object, as an index.
    pub(crate) fn place(&self, object: ObjectId) -> usize {
        self.placement.place(object).index()
    }

    /// The objects in the order of their places.
    pub(crate) fn objects(&self) -> impl Iterator<Item = ObjectId> + '_ {
        self.placement.objects()
    }

    /// How many places there are.
    pub(crate) fn place_count(&self) -> usize {
        self.ids.place_count()
    }

    /// How many atoms of a part are numbered.
    pub(crate) fn atom_count(&self, part: Part) -> usize {
        self.ids.atom_count(part)
    }

    /// The number of an atom; `None` for what is not observed.
    pub(crate) fn atom(&self, predicate: PredicateId, arguments: &[ObjectId]) -> Option<u32> {
        let head = self.ids.heads.get(predicate.index()).copied().flatten()?;
        self.number(&self.ids.atoms, head as usize, arguments)
    }

    /// The atom of a number; `None` where the problem lacks one of its objects.
    pub(crate) fn get_atom(&self, id: ObservedId) -> Option<(PredicateId, Arguments)> {
        let (head, arguments) = self.get(&self.ids.atoms, id.number())?;
        Some((self.ids.predicates[head], arguments))
    }

    /// An atom by its objects' names; by places where the problem lacks them.
    pub(crate) fn atom_text(&self, vocabulary: &Vocabulary, id: ObservedId) -> Option<String> {
        self.ids.atom_by(id, |place| self.name(vocabulary, place))
    }

    /// An action by its objects' names; by places where the problem lacks them.
    pub(crate) fn action_text(&self, vocabulary: &Vocabulary, id: AgentActionId) -> Option<String> {
        self.ids.action_by(id, |place| self.name(vocabulary, place))
    }

    fn name<'a>(&'a self, vocabulary: &'a Vocabulary, place: ObjectId) -> &'a str {
        let object = self.placement.object(place);
        object.map_or_else(|| self.ids.places.name(place), |object| vocabulary.object(object))
    }

    fn number(&self, numbers: &TermNumbers, head: usize, arguments: &[ObjectId]) -> Option<u32> {
        let places = arguments.iter().map(|&object| self.placement.place(object));
        numbers.number(head, &places.collect::<Arguments>())
    }

    fn get(&self, numbers: &TermNumbers, number: u32) -> Option<(usize, Arguments)> {
        let (head, places) = numbers.get(number)?;
        let objects = places.into_iter().map(|place| self.placement.object(place));
        Some((head, objects.collect::<Option<_>>()?))
    }
}

/// The numbers of the actions of one problem, by its own objects or by their places in the suite.
#[derive(Clone, Debug)]
pub(crate) enum TermIds {
    /// Over the problem's objects.
    Own(TermNumbers),
    /// Over the suite's places.
    Placed(Placed),
}

impl TermIds {
    /// How many numbers there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Own(numbers) => numbers.len(),
            Self::Placed(placed) => placed.ids.actions.len(),
        }
    }

    /// The number of an action with these arguments; `None` if one of them does not fit.
    pub(crate) fn number(&self, action: usize, arguments: &[ObjectId]) -> Option<AgentActionId> {
        let number = match self {
            Self::Own(numbers) => numbers.number(action, arguments),
            Self::Placed(placed) => placed.number(&placed.ids.actions, action, arguments),
        };
        number.map(AgentActionId::new)
    }

    /// The action of this number, with its arguments; `None` if the problem does not have it.
    pub(crate) fn get(&self, id: AgentActionId) -> Option<(usize, Arguments)> {
        match self {
            Self::Own(numbers) => numbers.get(id.number()),
            Self::Placed(placed) => placed.get(&placed.ids.actions, id.number()),
        }
    }

    /// The numbers of the suite, if they are those.
    pub(crate) const fn placed(&self) -> Option<&Placed> {
        match self {
            Self::Own(_) => None,
            Self::Placed(placed) => Some(placed),
        }
    }
}
