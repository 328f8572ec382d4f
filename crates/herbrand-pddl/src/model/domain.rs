//! A checked domain.

use std::hash::Hash;

use siphasher::sip128::{Hasher128, SipHasher13};

use herbrand_text::Place;

use super::{Effect, Formula, FunctionId, Name, PredicateId, SchemaId, TypeId, TypeUnion, Variable};
use crate::{Origin, Requirements};

/// A planning domain, checked and resolved: types, constants, predicates, functions, axioms and action schemas.
///
/// Everything refers to everything else by id; a list's index is its element's id.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    /// The name.
    pub name: Name,
    /// The requirement flags, as declared.
    pub requirements: Requirements,
    /// The types; the first is the root, `object` unless that is declared as a kind of another one.
    pub types: Vec<Type>,
    /// The constants: the first objects of every problem.
    pub constants: Vec<Object>,
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// The numeric functions.
    pub functions: Vec<Function>,
    /// The derivation rules, in the order written.
    pub axioms: Vec<Axiom>,
    /// The action schemas.
    pub schemas: Vec<ActionSchema>,
    /// What it was read from: the text that its places refer to.
    pub origin: Origin,
}

/// A type and what it is a kind of.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Type {
    /// The name.
    pub name: Name,
    /// The types above it: none for `object`, usually one, several where `either` or repetition says so.
    pub parents: Vec<TypeId>,
    /// Where it is declared.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub place: Place,
}

/// A constant or object and its type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Object {
    /// The name.
    pub name: Name,
    /// Its types; it belongs to all types above them too.
    pub types: TypeUnion,
    /// Where it is declared.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub place: Place,
}

/// A predicate: its name, its arguments, and what may change it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    /// The name.
    pub name: Name,
    /// The declared arguments; their number is the arity.
    pub parameters: Vec<Variable>,
    /// What may change it.
    pub kind: PredicateKind,
    /// Where it is declared.
    pub place: Place,
}

/// What may change the atoms of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PredicateKind {
    /// Nothing: no effect names it.
    Static,
    /// The effects of actions.
    Fluent,
    /// Derivation rules, and nothing else.
    Derived,
    /// Nobody: it names an action of the agent (PDDLGym's dialect) and is never part of a state.
    Action,
}

/// A numeric function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// The name.
    pub name: Name,
    /// The declared arguments; their number is the arity.
    pub parameters: Vec<Variable>,
    /// Whether the language declares it, not the text: `reward` under `:rewards`, `total-cost` when it is used
    /// without a declaration.
    pub implicit: bool,
    /// Where it is declared.
    pub place: Place,
}

/// A derivation rule: `head(parameters) ← body`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Axiom {
    /// The derived predicate.
    pub predicate: PredicateId,
    /// All variables of the rule; the first ones, as many as the predicate's arity, are its parameters.
    pub variables: Vec<Variable>,
    /// The body.
    pub body: Formula,
    /// Where it is in the source.
    pub place: Place,
}

/// An action schema (operator).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActionSchema {
    /// The name.
    pub name: Name,
    /// How many of the variables are parameters.
    pub arity: u32,
    /// All variables: the parameters, then the quantified ones of precondition and effect.
    pub variables: Vec<Variable>,
    /// The precondition, without the agent's atom.
    pub precondition: Formula,
    /// The effect.
    pub effect: Effect,
    /// The agent's action that this schema carries out (PDDLGym's dialect): an atom of an action predicate over
    /// some of the parameters, taken out of the precondition.
    pub agent: Option<super::Atom>,
    /// Where it is in the source.
    pub place: Place,
}

impl ActionSchema {
    /// The parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Variable] {
        &self.variables[..self.arity as usize]
    }
}

impl Domain {
    /// A number that equal domains share: SipHash-1-3 of the whole model (Aumasson & Bernstein, "SipHash: a fast
    /// short-input PRF", 2012). Two different domains share it with a probability of 2^-128, unless somebody made them
    /// so on purpose: the key is no secret.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let mut hasher = SipHasher13::new();
        self.hash(&mut hasher);
        hasher.finish128().as_u128()
    }

    /// The type `id`.
    #[must_use]
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The predicate `id`.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// The function `id`.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The schema `id`.
    #[must_use]
    pub fn schema(&self, id: SchemaId) -> &ActionSchema {
        &self.schemas[id.index()]
    }

    /// The predicate called `name` (lower case). Takes time linear in the number of predicates.
    #[must_use]
    pub fn find_predicate(&self, name: &str) -> Option<PredicateId> {
        self.predicates
            .iter()
            .position(|p| p.name.as_str() == name)
            .map(PredicateId::from_index)
    }

    /// The function called `name` (lower case). Takes time linear in the number of functions.
    #[must_use]
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .position(|f| f.name.as_str() == name)
            .map(FunctionId::from_index)
    }

    /// The schema called `name` (lower case). Takes time linear in the number of schemas.
    #[must_use]
    pub fn find_schema(&self, name: &str) -> Option<SchemaId> {
        self.schemas
            .iter()
            .position(|s| s.name.as_str() == name)
            .map(SchemaId::from_index)
    }

    /// Whether `id` is `ancestor` or a kind of it. Takes time linear in the number of types above `id`.
    #[must_use]
    pub fn is_subtype(&self, id: TypeId, ancestor: TypeId) -> bool {
        if ancestor == TypeId::OBJECT {
            return true;
        }
        // Most types have one parent: only where there are several are the types seen remembered.
        let mut current = id;
        loop {
            if current == ancestor {
                return true;
            }
            match self.type_of(current).parents.as_slice() {
                [] => return false,
                [parent] => current = *parent,
                parents => return self.is_above_any(parents, ancestor),
            }
        }
    }

    fn is_above_any(&self, types: &[TypeId], ancestor: TypeId) -> bool {
        let mut open = types.to_vec();
        let mut seen = vec![false; self.types.len()];
        while let Some(id) = open.pop() {
            if id == ancestor {
                return true;
            }
            if !std::mem::replace(&mut seen[id.index()], true) {
                open.extend_from_slice(&self.type_of(id).parents);
            }
        }
        false
    }

    /// Whether something of the types `types` may be used where `expected` is asked for: each of its types is a kind
    /// of one of the expected ones.
    #[must_use]
    pub fn is_assignable(&self, types: &TypeUnion, expected: &TypeUnion) -> bool {
        types
            .types()
            .iter()
            .all(|&t| expected.types().iter().any(|&e| self.is_subtype(t, e)))
    }
}
