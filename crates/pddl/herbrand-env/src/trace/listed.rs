//! Classification of the atoms in traces of other engines.

use std::collections::BTreeMap;

use herbrand_ground::Vocabulary;
use herbrand_pddl::{ObjectId, PredicateId, PredicateKind, TypeId, TypeUnion};

/// The list of a trace that contains an atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// The static atoms of the header.
    Statics,
    Fluents,
    Derived,
    /// All atoms of a state, including static ones.
    Atoms,
}

/// The comparison that applies to a recorded atom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ComparedWith {
    /// With the atoms of the state, or with the static atoms if the list is the header's.
    Listed,
    /// With the static atoms, although the list is of a state.
    Static,
    /// None: the atom is not part of states, or belongs to the other engine.
    Own,
    /// None: the name is unknown.
    Unknown,
}

/// A predicate found by name.
#[derive(Clone, Copy)]
struct NamedPredicate {
    id: PredicateId,
    kind: PredicateKind,
    arity: usize,
}

/// The predicates, types and objects of a problem by name.
pub(super) struct Names {
    predicates: BTreeMap<String, NamedPredicate>,
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
                    let named = NamedPredicate {
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

    /// Classifies the atom `(name object …)` of a list.
    ///
    /// Atoms of action predicates are not part of states. Other engines also list types as static atoms, and auxiliary
    /// derived predicates of their own.
    pub(super) fn meaning(&self, vocabulary: &Vocabulary, atom: &str, place: Place) -> ComparedWith {
        let mut words = words(atom);
        let head = words.next().unwrap_or_default();
        match (self.predicates.get(head).map(|named| named.kind), place) {
            (Some(PredicateKind::Action), _) => ComparedWith::Own,
            (Some(PredicateKind::Static), Place::Fluents | Place::Derived) => ComparedWith::Static,
            (Some(_), _) => ComparedWith::Listed,
            (None, Place::Derived) => ComparedWith::Own,
            (None, _) => {
                let object = words.next().and_then(|word| self.objects.get(word));
                let fits = object.zip(self.types.get(head));
                let is_type = fits.is_some_and(|(&object, types)| vocabulary.fits(object, types));
                if is_type && words.next().is_none() {
                    ComparedWith::Own
                } else {
                    ComparedWith::Unknown
                }
            }
        }
    }

    /// Returns whether an atom has declared objects and a predicate that is changed by actions or derived.
    pub(super) fn may_change(&self, atom: &str) -> bool {
        let head = words(atom).next().and_then(|head| self.predicates.get(head));
        let changes =
            head.is_some_and(|named| matches!(named.kind, PredicateKind::Fluent | PredicateKind::Derived));
        changes && self.parse(atom).is_some()
    }

    /// Parses the atom `(name object …)`; `None` if a name is undeclared or the number of arguments is wrong.
    pub(super) fn parse(&self, atom: &str) -> Option<(PredicateId, Vec<ObjectId>)> {
        let mut words = words(atom);
        let named = self.predicates.get(words.next()?)?;
        let objects = words.map(|word| self.objects.get(word).copied());
        let objects: Vec<_> = objects.collect::<Option<_>>()?;
        (objects.len() == named.arity).then_some((named.id, objects))
    }
}

/// Iterates over the names in `(name object …)`.
fn words(atom: &str) -> impl Iterator<Item = &str> {
    let inner = atom.trim_start_matches('(').trim_end_matches(')');
    inner.split_whitespace()
}

/// Normalises an atom or action to lower case with one space between names and no other spaces.
pub(super) fn spelled(text: &str) -> String {
    let words: Vec<_> = text.trim_matches(['(', ')']).split_whitespace().collect();
    format!("({})", words.join(" ").to_lowercase())
}
