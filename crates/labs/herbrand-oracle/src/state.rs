//! Ground atoms, function terms, actions and states.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{Hash, Hasher};

use herbrand_pddl::{AtomRef, FunctionId, ObjectId, PredicateId, SchemaId};

/// A ground atom: a predicate applied to objects. [`OracleState::atoms`] holds them.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroundAtom {
    /// The predicate.
    pub predicate: PredicateId,
    /// The objects that are its arguments.
    pub arguments: Vec<ObjectId>,
}

/// A ground function term: a function applied to objects. It is a key of [`OracleState::values`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroundTerm {
    /// The function.
    pub function: FunctionId,
    /// The objects that are its arguments.
    pub arguments: Vec<ObjectId>,
}

/// A ground action: an action schema with an object for each parameter.
/// [`Oracle::valid_actions`](crate::Oracle::valid_actions) returns them, and
/// [`Oracle::outcomes`](crate::Oracle::outcomes) takes one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct GroundAction {
    /// The schema.
    pub schema: SchemaId,
    /// The objects bound to the parameters, in order.
    pub arguments: Vec<ObjectId>,
}

/// The value of a function term: a finite number that is not negative zero, so that values can be compared and ordered.
/// [`new`](Self::new) makes one; [`OracleState::values`] holds them.
#[derive(Clone, Copy, Debug)]
pub struct OracleValue(f64);

/// A state of a planning problem: the true atoms without derived ones, and the values of function terms.
/// [`Oracle::initial_states`](crate::Oracle::initial_states) and [`Oracle::outcomes`](crate::Oracle::outcomes) return
/// states.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct OracleState {
    /// The true atoms of static and fluent predicates.
    pub atoms: BTreeSet<GroundAtom>,
    /// The values of function terms. A missing term is undefined. `total-cost` and `reward` are among them.
    pub values: BTreeMap<GroundTerm, OracleValue>,
}

/// A possible result of an action, returned by [`Oracle::outcomes`](crate::Oracle::outcomes).
#[derive(Clone, PartialEq, Debug)]
pub struct OracleOutcome {
    /// The probability of the result, greater than 0.
    pub probability: f64,
    /// The successor state.
    pub state: OracleState,
    /// The reward of the step. With `:rewards` or `:mdp`, it is the increase of `(reward)`, plus the stated goal reward
    /// if the step reaches the goal. Otherwise it is the stated goal reward, or 1, if the step reaches the goal, else
    /// 0. A step reaches the goal if the goal holds after it, but not before.
    pub reward: f64,
}

impl From<AtomRef<'_>> for GroundAtom {
    fn from(fact: AtomRef<'_>) -> Self {
        Self {
            predicate: fact.predicate,
            arguments: fact.arguments.to_vec(),
        }
    }
}

impl OracleValue {
    /// Creates a value; returns `None` if `number` is infinite or NaN. Negative zero becomes zero.
    #[must_use]
    pub fn new(number: f64) -> Option<Self> {
        number.is_finite().then_some(Self(number + 0.0))
    }

    /// Returns the value as a number, which is finite.
    #[must_use]
    pub const fn get(self) -> f64 {
        self.0
    }
}

impl PartialEq for OracleValue {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for OracleValue {}

impl PartialOrd for OracleValue {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for OracleValue {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl Hash for OracleValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}
