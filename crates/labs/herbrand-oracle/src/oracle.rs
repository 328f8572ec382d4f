//! The interpreter of a problem.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{Axiom, Domain, Name, ObjectId, Problem, TypeUnion};

use crate::error::OracleError;
use crate::state::{GroundAction, GroundAtom, GroundTerm};
use crate::strata::strata;

/// A brute-force interpreter of a PDDL domain and a problem, as a reference for the engine in tests.
///
/// [`new`](Self::new) creates it, and fails if a derived predicate depends on its own negation. The queries take time
/// exponential in the number of parameters and quantified variables. [`outcomes`](Self::outcomes) enumerates all
/// combinations of the draws of an action, and fails if there are too many.
#[derive(Clone, Debug)]
pub struct Oracle<'a> {
    pub(crate) domain: &'a Domain,
    pub(crate) problem: &'a Problem,
    pub(crate) strata: Vec<Vec<&'a Axiom>>,
    /// The number of objects that variables were bound to, if loops over them may be stopped.
    bindings: Option<Arc<AtomicU64>>,
}

impl<'a> Oracle<'a> {
    /// Creates the interpreter of `problem`, which must have been checked against `domain`. Call
    /// [`initial_states`](Self::initial_states), [`valid_actions`](Self::valid_actions) and
    /// [`outcomes`](Self::outcomes) next.
    ///
    /// # Errors
    /// [`OracleError::CyclicNegation`] if a derived predicate depends on its own negation.
    pub fn new(domain: &'a Domain, problem: &'a Problem) -> Result<Self, OracleError> {
        Ok(Self {
            domain,
            problem,
            strata: strata(domain)?,
            bindings: None,
        })
    }

    /// Ends loops over objects once a budget that encloses the call is spent. Then answers may be wrong: they are right if
    /// [`check`](Self::check) succeeds after them.
    #[must_use]
    pub fn stoppable(mut self) -> Self {
        self.bindings = Some(Arc::default());
        self
    }

    /// Checks the budget that encloses the call, unless the oracle is not [`stoppable`](Self::stoppable).
    ///
    /// # Errors
    /// Fails if the budget is spent.
    pub fn check(&self) -> Result<(), BudgetExhausted> {
        match self.bindings {
            Some(_) => Budget::enclosing().check("executing the plan", 0),
            None => Ok(()),
        }
    }

    /// Counts a binding of a variable. Returns whether a loop over bindings may go on.
    pub(crate) fn may_bind(&self) -> bool {
        const PERIOD: u64 = 4096;
        let Some(bindings) = &self.bindings else {
            return true;
        };
        let count = bindings.fetch_add(1, Ordering::Relaxed);
        !count.is_multiple_of(PERIOD) || self.check().is_ok()
    }

    /// Iterates over the objects that belong to one of `types`, in order.
    pub(crate) fn objects_of(&self, types: &TypeUnion) -> impl Iterator<Item = ObjectId> {
        let ids = (0..self.problem.objects.len()).map(ObjectId::from_index);
        ids.filter(|&object| self.belongs(object, types))
    }

    pub(crate) fn belongs(&self, object: ObjectId, types: &TypeUnion) -> bool {
        self.domain
            .is_assignable(&self.problem.object(object).types, types)
    }

    /// Returns an atom as PDDL, such as `(on a b)`. Panics if the problem has no such predicate or object.
    #[must_use]
    pub fn atom_text(&self, atom: &GroundAtom) -> String {
        self.text(&self.domain.predicate(atom.predicate).name, &atom.arguments)
    }

    /// Returns a function term as PDDL, such as `(fuel truck)`. Panics if the problem has no such function or object.
    #[must_use]
    pub fn term_text(&self, term: &GroundTerm) -> String {
        self.text(&self.domain.function(term.function).name, &term.arguments)
    }

    /// Returns an action as PDDL, such as `(move a b)`. Panics if the problem has no such schema or object.
    #[must_use]
    pub fn action_text(&self, action: &GroundAction) -> String {
        self.text(&self.domain.schema(action.schema).name, &action.arguments)
    }

    fn text(&self, head: &Name, arguments: &[ObjectId]) -> String {
        let arguments = arguments
            .iter()
            .map(|&object| format!(" {}", self.problem.object(object).name));
        format!("({head}{})", arguments.collect::<String>())
    }
}
