//! Domains after checking: types, predicates, functions, axioms and action schemas.

use std::hash::Hash;

use siphasher::sip128::{Hasher128, SipHasher13};

use herbrand_text::{Origin, Place};

use super::{
    Comparison, Effect, Expression, Formula, FunctionId, Name, PredicateId, SchemaId, TypeId, TypeUnion,
    Variable,
};
use crate::requirements::Requirements;

/// A planning domain, checked and resolved: types, constants, predicates, functions, axioms and action schemas.
/// [`Domain::parse`] makes one from a text.
///
/// Elements refer to each other by id. An id ([`TypeId`], [`PredicateId`], …) is an index, from 0, into the list of
/// that kind. Pass a domain to [`Problem::parse`](crate::Problem::parse), and both to grounding.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Domain {
    /// The domain's name.
    pub name: Name,
    /// The requirement flags, as declared.
    pub requirements: Requirements,
    /// The types, by [`TypeId`]. The first is the root: `object`, or the type above it if `object` is declared as a subtype.
    pub types: Vec<Type>,
    /// The constants. They are the first objects of every problem.
    pub constants: Vec<Object>,
    /// The predicates, by [`PredicateId`].
    pub predicates: Vec<Predicate>,
    /// The numeric functions, by [`FunctionId`].
    pub functions: Vec<Function>,
    /// The derivation rules, by [`AxiomId`](super::AxiomId), in the order written.
    pub axioms: Vec<Axiom>,
    /// The action schemas, by [`SchemaId`].
    pub schemas: Vec<ActionSchema>,
    /// The durative actions (PDDL 2.1), in the order written.
    pub durative_actions: Vec<DurativeAction>,
    /// The source text, to which all [`Place`]s in the domain refer.
    pub origin: Origin,
}

/// A type and its direct supertypes. [`Domain::types`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Type {
    /// The type's name.
    pub name: Name,
    /// The direct supertypes. The root has none, most types have one, and types declared with `either` or several times
    /// may have more. `object`, or the type above it, is the parent of a type that is declared without one.
    pub parents: Vec<TypeId>,
    /// The place of the declaration.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub place: Place,
}

/// A constant or object with its types. [`Domain::constants`] and [`Problem::objects`](crate::Problem::objects) list
/// them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Object {
    /// The object's name.
    pub name: Name,
    /// The declared types. The object also belongs to all their supertypes.
    pub types: TypeUnion,
    /// The place of the declaration.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub place: Place,
}

/// A predicate with its parameters and its kind. [`Domain::predicates`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Predicate {
    /// The predicate's name.
    pub name: Name,
    /// The declared parameters; their number is the arity.
    pub parameters: Vec<Variable>,
    /// Whether effects or derivation rules change the predicate.
    pub kind: PredicateKind,
    /// The place of the declaration.
    pub place: Place,
}

/// How the atoms of a predicate can change: it decides whether they are part of the state. It is [`Predicate::kind`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PredicateKind {
    /// Neither an effect of an action nor a derivation rule changes the predicate. A random initial state may still
    /// choose its atoms.
    Static,
    /// Effects of actions change the predicate.
    Fluent,
    /// Derivation rules define the predicate; no effect changes it.
    Derived,
    /// The predicate names an action of the agent (PDDLGym's dialect) and is never part of a state.
    Action,
}

/// A numeric function of a domain with its parameters. [`Domain::functions`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Function {
    /// The function's name.
    pub name: Name,
    /// The declared parameters; their number is the arity.
    pub parameters: Vec<Variable>,
    /// Whether the function is predefined by the language and not declared by the text: `reward` under `:rewards`, and
    /// `total-cost` if the text uses it without declaring it.
    pub implicit: bool,
    /// The place of the declaration.
    pub place: Place,
}

/// A derivation rule: `head(parameters) ← body`. [`Domain::axioms`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Axiom {
    /// The derived predicate.
    pub predicate: PredicateId,
    /// All variables of the rule, by [`VariableId`](super::VariableId). The parameters come first; their number is the
    /// predicate's arity. The variables that quantifiers bind in the body follow.
    pub variables: Vec<Variable>,
    /// The condition under which the head is true.
    pub body: Formula,
    /// The place of the rule.
    pub place: Place,
}

/// An action schema (operator): an action with parameters, to be replaced by objects. [`Domain::schemas`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ActionSchema {
    /// The schema's name.
    pub name: Name,
    /// The number of parameters: the first `arity` variables.
    pub arity: u32,
    /// All variables, by [`VariableId`](super::VariableId): the parameters, then the quantified variables of
    /// precondition and effect.
    pub variables: Vec<Variable>,
    /// The precondition, without the [`agent`](Self::agent) atom.
    pub precondition: Formula,
    /// The effect.
    pub effect: Effect,
    /// The agent's action that this schema carries out (PDDLGym's dialect): an atom of an action predicate over some of the
    /// parameters, removed from the precondition. `None` in ordinary domains.
    pub agent: Option<super::Atom>,
    /// The place of the schema.
    pub place: Place,
}

/// A durative action (PDDL 2.1, Fox & Long 2003, section 5): an action that starts, takes its time and ends.
/// [`Domain::durative_actions`] lists them. Variables are ids of one list for all its parts.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DurativeAction {
    /// The action's name.
    pub name: Name,
    /// The number of parameters: the first `arity` variables.
    pub arity: u32,
    /// All variables, by [`VariableId`](super::VariableId): the parameters, then the quantified variables.
    pub variables: Vec<Variable>,
    /// The bounds of the duration, in the order written. Without a bound from above, the action may take any time.
    pub duration: Vec<DurationBound>,
    /// The condition just before the start.
    pub start_condition: Formula,
    /// The condition at every instant between start and end.
    pub invariant: Formula,
    /// The condition just before the end.
    pub end_condition: Formula,
    /// The effect at the start.
    pub start_effect: Effect,
    /// The effect at the end.
    pub end_effect: Effect,
    /// The place of the action.
    pub place: Place,
}

/// A bound of a duration: `(<= ?duration value)`. [`DurativeAction::duration`] lists them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct DurationBound {
    /// The comparison, with the duration on the left.
    pub comparison: Comparison,
    /// Whether `value` is evaluated just before the end, not just before the start (`at end`).
    pub at_end: bool,
    /// The value, in the units of time of the domain.
    pub value: Expression,
}

impl DurativeAction {
    /// Returns the parameters of the action, which are its first variables. Panics if [`arity`](Self::arity) is greater
    /// than the number of variables, which no parsed action has.
    #[must_use]
    pub fn parameters(&self) -> &[Variable] {
        &self.variables[..self.arity as usize]
    }
}

impl ActionSchema {
    /// Returns the parameters of the schema, which are its first variables. Panics if [`arity`](Self::arity) is greater
    /// than the number of variables, which no parsed schema has.
    #[must_use]
    pub fn parameters(&self) -> &[Variable] {
        &self.variables[..self.arity as usize]
    }
}

impl Domain {
    /// Returns a hash of the whole domain, by which a [`Problem`](crate::Problem) records the domain it was checked
    /// against. It is SipHash-1-3 (Aumasson & Bernstein, "SipHash: a fast short-input PRF", 2012). Equal domains have
    /// equal hashes; places in the text do not count. Two different domains have equal hashes with probability 2^-128,
    /// unless they were constructed to collide: the key is public.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let mut hasher = SipHasher13::new();
        self.hash(&mut hasher);
        hasher.finish128().as_u128()
    }

    /// Returns the type with the given id.
    ///
    /// # Panics
    /// If the domain has no type with this id.
    #[must_use]
    pub fn type_of(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// Returns the predicate with the given id.
    ///
    /// # Panics
    /// If the domain has no predicate with this id.
    #[must_use]
    pub fn predicate(&self, id: PredicateId) -> &Predicate {
        &self.predicates[id.index()]
    }

    /// Returns the domain in plain PDDL: its operators carry out no actions of the agent (PDDLGym's dialect), whose atoms
    /// other programs would read as conditions on the state. Ids stay the same.
    #[must_use]
    pub fn without_agent_actions(&self) -> Self {
        let mut plain = self.clone();
        let predicates = plain.predicates.iter_mut();
        let actions = predicates.filter(|predicate| predicate.kind == PredicateKind::Action);
        actions.for_each(|predicate| predicate.kind = PredicateKind::Static);
        plain.schemas.iter_mut().for_each(|schema| schema.agent = None);
        plain
    }

    /// Returns the function with the given id.
    ///
    /// # Panics
    /// If the domain has no function with this id.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// Returns the schema with the given id.
    ///
    /// # Panics
    /// If the domain has no schema with this id.
    #[must_use]
    pub fn schema(&self, id: SchemaId) -> &ActionSchema {
        &self.schemas[id.index()]
    }

    /// Returns the id of the predicate `name` (lower case); `None` if the domain does not declare it. Takes time linear
    /// in the number of predicates. Pass the id to [`predicate`](Self::predicate).
    #[must_use]
    pub fn find_predicate(&self, name: &str) -> Option<PredicateId> {
        self.predicates
            .iter()
            .position(|p| p.name.as_str() == name)
            .map(PredicateId::from_index)
    }

    /// Returns the id of the function `name` (lower case); `None` if the domain does not have it. Takes time linear in
    /// the number of functions. Pass the id to [`function`](Self::function).
    #[must_use]
    pub fn find_function(&self, name: &str) -> Option<FunctionId> {
        self.functions
            .iter()
            .position(|f| f.name.as_str() == name)
            .map(FunctionId::from_index)
    }

    /// Returns the id of the action schema `name` (lower case); `None` if the domain does not declare it. Takes time
    /// linear in the number of schemas. Pass the id to [`schema`](Self::schema).
    #[must_use]
    pub fn find_schema(&self, name: &str) -> Option<SchemaId> {
        self.schemas
            .iter()
            .position(|s| s.name.as_str() == name)
            .map(SchemaId::from_index)
    }

    /// Returns whether `id` is `ancestor` or one of its subtypes. Takes time linear in the number of types above `id`.
    /// Every type is a subtype of `object`. Panics if a type that has to be looked up is not in the domain; an unknown
    /// `ancestor` is the ancestor of no other type.
    #[must_use]
    pub fn is_subtype(&self, id: TypeId, ancestor: TypeId) -> bool {
        is_subtype(&self.types, id, ancestor)
    }

    /// Returns whether an object of the types `types` is accepted where `expected` is required: each of its types must
    /// be a subtype of one of the expected types. Panics like [`is_subtype`](Self::is_subtype) for types that are not
    /// in the domain.
    #[must_use]
    pub fn is_assignable(&self, types: &TypeUnion, expected: &TypeUnion) -> bool {
        expected.accepts(types, &self.types)
    }
}

/// Returns whether `id` is `ancestor` or one of its subtypes, in a list of types by id.
fn is_subtype(all: &[Type], id: TypeId, ancestor: TypeId) -> bool {
    if ancestor == TypeId::OBJECT {
        return true;
    }
    // Only types with several parents need a set of visited types.
    let mut current = id;
    loop {
        if current == ancestor {
            return true;
        }
        match all[current.index()].parents.as_slice() {
            [] => return false,
            [parent] => current = *parent,
            parents => return is_above_any(all, parents, ancestor),
        }
    }
}

fn is_above_any(all: &[Type], types: &[TypeId], ancestor: TypeId) -> bool {
    let mut open = types.to_vec();
    let mut seen = vec![false; all.len()];
    while let Some(id) = open.pop() {
        if id == ancestor {
            return true;
        }
        if !std::mem::replace(&mut seen[id.index()], true) {
            open.extend_from_slice(&all[id.index()].parents);
        }
    }
    false
}

impl TypeUnion {
    /// Returns whether an object of the types `given` can be where this union is required: each of its types must be a
    /// subtype of one of the union. `all` lists the types of the domain by id. Panics if a type is not among them.
    #[must_use]
    pub fn accepts(&self, given: &Self, all: &[Type]) -> bool {
        let is_below = |&id: &TypeId| self.types().iter().any(|&expected| is_subtype(all, id, expected));
        given.types().iter().all(is_below)
    }
}
