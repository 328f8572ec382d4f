//! What counts of the atoms that another engine lists.

use std::collections::BTreeMap;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, PredicateId, PredicateKind, TypeId, TypeUnion};

/// Where a trace lists an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// In the header, among those that are true in every state.
    Statics,
    Fluents,
    Derived,
    /// Among all atoms of a state, static ones too.
    Atoms,
}

/// What a listed atom is to be compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// The atoms of the state, or the static ones where those are listed.
    Listed,
    /// The static atoms, which the states of this trace do not list.
    Static,
    /// Nothing: it is no part of states.
    Own,
    /// Nothing has such a name.
    Unknown,
}

/// A predicate that has a name.
#[derive(Clone, Copy)]
struct Named {
    id: PredicateId,
    kind: PredicateKind,
    arity: usize,
}

/// The names of a problem, by text.
pub(super) struct Names {
    predicates: BTreeMap<String, Named>,
    types: BTreeMap<String, TypeUnion>,
    objects: BTreeMap<String, ObjectId>,
}

impl Names {
    pub(super) fn of(vocabulary: &Vocabulary) -> Self {
        let declared = (0..).map(PredicateId::from_index).zip(&vocabulary.predicates);
        let declared = declared.filter(|(_, predicate)| !predicate.auxiliary);
        let types = (0..).map(TypeId::from_index).zip(&vocabulary.types);
        let objects = (0..).map(ObjectId::from_index).zip(&vocabulary.objects);
        Self {
            predicates: declared
                .map(|(id, predicate)| {
                    let named = Named {
                        id,
                        kind: predicate.kind,
                        arity: predicate.signature.parameters.len(),
                    };
                    (predicate.signature.name.to_string(), named)
                })
                .collect(),
            types: types
                .map(|(id, declared)| (declared.name.to_string(), TypeUnion::single(id)))
                .collect(),
            objects: objects
                .map(|(id, object)| (object.name.to_string(), id))
                .collect(),
        }
    }

    /// What the atom `(name object …)` in a list is to be compared with.
    ///
    /// Atoms of action predicates are no part of states. Other engines list types as static atoms, and derived predicates
    /// that they added for themselves.
    pub(super) fn meaning(&self, vocabulary: &Vocabulary, atom: &str, place: Place) -> Meaning {
        let mut words = words(atom);
        let head = words.next().unwrap_or_default();
        match (self.predicates.get(head).map(|named| named.kind), place) {
            (Some(PredicateKind::Action), _) => Meaning::Own,
            (Some(PredicateKind::Static), Place::Fluents | Place::Derived) => Meaning::Static,
            (Some(_), _) => Meaning::Listed,
            (None, Place::Derived) => Meaning::Own,
            (None, _) => {
                let object = words.next().and_then(|word| self.objects.get(word));
                let fits = object.zip(self.types.get(head));
                let is_type = fits.is_some_and(|(&object, types)| vocabulary.fits(object, types));
                if is_type && words.next().is_none() {
                    Meaning::Own
                } else {
                    Meaning::Unknown
                }
            }
        }
    }

    /// Whether an atom is of a predicate that actions or derivation rules change, with objects that are declared.
    pub(super) fn may_change(&self, atom: &str) -> bool {
        let head = words(atom).next().and_then(|head| self.predicates.get(head));
        let changes =
            head.is_some_and(|named| matches!(named.kind, PredicateKind::Fluent | PredicateKind::Derived));
        changes && self.parse(atom).is_some()
    }

    /// The atom that `(name object …)` writes; `None` if it names what is not declared.
    pub(super) fn parse(&self, atom: &str) -> Option<(PredicateId, Vec<ObjectId>)> {
        let mut words = words(atom);
        let named = self.predicates.get(words.next()?)?;
        let objects = words.map(|word| self.objects.get(word).copied());
        let objects: Vec<_> = objects.collect::<Option<_>>()?;
        (objects.len() == named.arity).then_some((named.id, objects))
    }
}

/// The names in `(name object …)`.
fn words(atom: &str) -> impl Iterator<Item = &str> {
    let inner = atom.trim_start_matches('(').trim_end_matches(')');
    inner.split_whitespace()
}

/// An atom or action in lower case, with one blank between names and none elsewhere.
pub(super) fn spelled(text: &str) -> String {
    let words: Vec<_> = text.trim_matches(['(', ')']).split_whitespace().collect();
    format!("({})", words.join(" ").to_lowercase())
}
