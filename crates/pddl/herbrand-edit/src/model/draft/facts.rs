//! An ordered set of facts.

use std::collections::BTreeMap;

use fxhash::FxHashMap;
use herbrand_pddl::{AtomList, ObjectId, PredicateId};

/// A ground atom, as ids.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Key {
    pub(super) predicate: PredicateId,
    pub(super) arguments: Box<[ObjectId]>,
}

impl Key {
    pub(super) fn names(&self, object: ObjectId) -> bool {
        self.arguments.contains(&object)
    }

    /// Returns the fact with `object` replaced by `into`.
    fn merged(&self, object: ObjectId, into: ObjectId) -> Self {
        let map = |&id: &ObjectId| if id == object { into } else { id };
        Self {
            predicate: self.predicate,
            arguments: self.arguments.iter().map(map).collect(),
        }
    }
}

/// Facts without duplicates, in insertion order. A replacement takes the position of the fact that it replaces.
#[derive(Clone, Debug, Default)]
pub(super) struct FactList {
    by_place: BTreeMap<u64, Key>,
    places: FxHashMap<Key, u64>,
    /// The position of the next fact.
    next: u64,
}

impl FactList {
    pub(super) fn of(facts: &AtomList) -> Self {
        let mut list = Self::default();
        for fact in facts.iter() {
            list.insert(Key {
                predicate: fact.predicate,
                arguments: fact.arguments.into(),
            });
        }
        list
    }

    pub(super) fn contains(&self, key: &Key) -> bool {
        self.places.contains_key(key)
    }

    /// Appends a fact unless it is present. Returns whether it was new.
    pub(super) fn insert(&mut self, key: Key) -> bool {
        let place = self.next;
        let new = self.put(place, key);
        self.next += u64::from(new);
        new
    }

    fn put(&mut self, place: u64, key: Key) -> bool {
        let new = !self.contains(&key);
        if new {
            self.places.insert(key.clone(), place);
            self.by_place.insert(place, key);
        }
        new
    }

    /// Removes a fact. Returns its position, or `None` if it is not present.
    pub(super) fn remove(&mut self, key: &Key) -> Option<u64> {
        let place = self.places.remove(key)?;
        self.by_place.remove(&place);
        Some(place)
    }

    /// Replaces a fact by another one at the same position.
    pub(super) fn replace(&mut self, key: &Key, with: Key) {
        if let Some(place) = self.remove(key) {
            self.put(place, with);
        }
    }

    /// Removes all facts about an object.
    pub(super) fn drop_object(&mut self, object: ObjectId) {
        let gone: Vec<_> = self.iter().filter(|key| key.names(object)).cloned().collect();
        for key in &gone {
            self.remove(key);
        }
    }

    /// Merges `object` into `into`. Returns the facts that did not exist before.
    pub(super) fn merge(&mut self, object: ObjectId, into: ObjectId) -> Vec<Key> {
        let old: Vec<_> = self.iter().filter(|key| key.names(object)).cloned().collect();
        let mut new = Vec::new();
        for key in old {
            let merged = key.merged(object, into);
            if self.contains(&merged) {
                self.remove(&key);
            } else {
                self.replace(&key, merged.clone());
                new.push(merged);
            }
        }
        new
    }

    /// Iterates over the facts in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Key> {
        self.by_place.values()
    }
}
