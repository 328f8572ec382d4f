//! Hand-written `serde` implementations for model types with invariants that derived ones would not maintain (feature
//! `serde`).

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AtomList, Name, ObjectId, PredicateId, TypeId, TypeUnion};

/// Serialises the name as a string.
impl Serialize for Name {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self::new(&String::deserialize(deserializer)?))
    }
}

/// Serialises the union as the list of its types.
impl Serialize for TypeUnion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.types().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for TypeUnion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<TypeId>::deserialize(deserializer).map(Self::either)
    }
}

/// Serialises the atoms as a list of pairs: predicate and arguments.
impl Serialize for AtomList {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter().map(|fact| (fact.predicate, fact.arguments)))
    }
}

impl<'de> Deserialize<'de> for AtomList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let atoms = Vec::<(PredicateId, Vec<ObjectId>)>::deserialize(deserializer)?;
        let arguments: usize = atoms.iter().map(|(_, arguments)| arguments.len()).sum();
        if u32::try_from(arguments).is_err() {
            return Err(D::Error::custom("atoms of more than 2^32 arguments"));
        }
        let mut facts = Self::default();
        for (predicate, arguments) in atoms {
            facts.push(predicate, &arguments);
        }
        Ok(facts)
    }
}
