//! The valid actions and the goal, updated from the facts of the closure.

use herbrand_datalog::{RelationId, Symbol};
use herbrand_ground::DisjunctRule;
use herbrand_limits::Meter;
use herbrand_pddl::{ObjectId, SchemaId};

use super::actions::LiftedActions;
use super::atoms::AtomTable;
use super::numbers::NumberTable;
use super::tables::{Inner, Role};
use super::tuples::{SortedTuples, Tuple, TupleTable, tuple_bytes};

/// The valid actions and the goal status of the current state.
#[derive(Clone, Debug)]
pub(super) struct ApplicableActions {
    pub(super) valid: LiftedActions,
    /// For each schema, the actions that are valid whatever the numbers. Unused for schemas without numeric preconditions.
    plain: Vec<SortedTuples>,
    /// For each candidate relation, its tuples: bindings that satisfy all conditions except numeric comparisons.
    candidates: Vec<TupleTable>,
    /// Whether the goal holds whatever the numbers. `goal` is whether it holds.
    plain_goal: bool,
    pub(super) goal: bool,
    bytes: u64,
}

impl ApplicableActions {
    /// Creates an empty set, in which neither an action nor the goal is known to hold.
    pub(super) fn new(inner: &Inner) -> Self {
        let schemas = || inner.task.actions.iter().map(|action| action.arity as usize);
        let candidate = |(whose, way): &(Option<SchemaId>, usize)| {
            TupleTable::new(ways(inner, *whose)[*way].variables.len())
        };
        Self {
            valid: LiftedActions::new(schemas()),
            plain: schemas().map(SortedTuples::new).collect(),
            candidates: inner.candidates.iter().map(candidate).collect(),
            plain_goal: false,
            goal: false,
            bytes: 0,
        }
    }

    /// Returns the bytes used for actions and candidates, without the derived atoms.
    pub(super) const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Records a derived fact that became true or false, and charges its memory to `meter`.
    pub(super) fn note(
        &mut self,
        inner: &Inner,
        derived: &mut AtomTable,
        relation: RelationId,
        tuple: &[Symbol],
        holds: bool,
        meter: &mut Meter,
    ) {
        let role = inner.roles[relation.index()];
        if role == Role::Other {
            return;
        }
        let mut objects = Tuple::from_elem(ObjectId::new(0), tuple.len());
        let places = objects.iter_mut().zip(tuple);
        places.for_each(|(object, symbol)| *object = ObjectId::new(symbol.number()));
        let objects = objects.as_slice();
        match role {
            Role::Other => {}
            Role::Derived(predicate) => {
                let known = derived.bytes();
                let atom = derived.number(predicate, objects);
                derived.set(atom, holds);
                meter.charge(derived.bytes() - known);
            }
            Role::Goal => self.plain_goal = holds,
            Role::Candidate(index) if holds => {
                self.candidates[index].insert(objects);
            }
            Role::Candidate(index) => self.candidates[index].remove(objects),
            Role::Plain(schema) => self.plain[schema.index()].set(objects, holds),
            Role::Applicable(schema) => self.valid.schemas[schema.index()].set(objects, holds),
        }
        if let Role::Candidate(_) | Role::Applicable(_) | Role::Plain(_) = role {
            // A candidate may also be stored as a valid action.
            let bytes = 2 * tuple_bytes(objects.len());
            if holds {
                self.bytes += bytes;
                meter.charge(bytes);
            } else {
                self.bytes = self.bytes.saturating_sub(bytes);
                meter.release(bytes);
            }
        }
    }

    /// Evaluates the numeric comparisons of all candidates, and updates the valid actions and the goal.
    pub(super) fn settle(&mut self, inner: &Inner, numbers: &NumberTable) {
        self.goal = self.plain_goal;
        if inner.candidates.is_empty() {
            return;
        }
        let Self {
            valid,
            plain,
            candidates,
            goal,
            ..
        } = self;
        for (schema, plain) in plain.iter().enumerate() {
            if compares(&inner.task.actions[schema].ways) {
                valid.schemas[schema].clone_from(plain);
            }
        }
        for (&(whose, way), tuples) in inner.candidates.iter().zip(candidates) {
            let way = &ways(inner, whose)[way];
            let size = way.variables.iter().map(|variable| variable.index() + 1).max();
            let mut binding = vec![ObjectId::new(0); size.unwrap_or(0)];
            for tuple in tuples.iter() {
                for (variable, object) in way.variables.iter().zip(tuple) {
                    binding[variable.index()] = *object;
                }
                let scene = inner.scene(numbers, &binding);
                if !way.comparisons.iter().all(|comparison| scene.holds(comparison)) {
                    continue;
                }
                match whose {
                    Some(schema) => {
                        let arity = inner.task.actions[schema.index()].arity as usize;
                        valid.schemas[schema.index()].set(&binding[..arity], true);
                    }
                    None => *goal = true,
                }
            }
        }
    }
}

/// Returns whether some precondition disjunct of a schema has numeric comparisons.
pub(super) fn compares(ways: &[DisjunctRule]) -> bool {
    ways.iter().any(|way| !way.comparisons.is_empty())
}

/// The precondition disjuncts of a schema, or the disjuncts of the goal.
fn ways(inner: &Inner, whose: Option<SchemaId>) -> &[DisjunctRule] {
    whose.map_or(&inner.task.goal, |schema| {
        &inner.task.actions[schema.index()].ways
    })
}
