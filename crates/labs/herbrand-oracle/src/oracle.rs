//! The interpreter of a problem.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_pddl::{
    Axiom, Domain, FunctionId, InitialOutcome, Name, ObjectId, PredicateKind, Problem, Requirement, SchemaId,
    TypeUnion, VariableId,
};

use crate::axioms::strata;
use crate::effect::initial_changes;
use crate::state::{GroundAction, GroundAtom, GroundTerm, OracleOutcome, OracleState};
use crate::world::{Binding, Interpretation};
use crate::{OracleError, OracleValue};

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
}

impl<'a> Oracle<'a> {
    /// Creates the interpreter of `problem`, which must have been checked against `domain`. Call
    /// [`initial_states`](Self::initial_states), [`valid_actions`](Self::valid_actions) and
    /// [`outcomes`](Self::outcomes) next.
    ///
    /// # Errors
    /// Fails if a derived predicate depends on its own negation.
    pub fn new(domain: &'a Domain, problem: &'a Problem) -> Result<Self, OracleError> {
        Ok(Self {
            domain,
            problem,
            strata: strata(domain)?,
        })
    }

    /// Returns the possible initial states of the problem in ascending order, each with its probability.
    /// `(total-cost)` and `(reward)` are 0 unless the problem gives them a value.
    ///
    /// # Errors
    /// Fails if two draws give different values to the same function term, or if the draws have more than 4,096
    /// combinations.
    pub fn initial_states(&self) -> Result<Vec<(f64, OracleState)>, OracleError> {
        let mut certain = OracleState::default();
        for (index, function) in self.domain.functions.iter().enumerate() {
            let counts = matches!(function.name.as_str(), "total-cost" | "reward");
            if let (true, true, Some(zero)) = (counts, function.parameters.is_empty(), OracleValue::new(0.0))
            {
                certain
                    .values
                    .insert(nullary(FunctionId::from_index(index)), zero);
            }
        }
        for stated in &self.problem.values {
            let (function, arguments) = (stated.function, stated.arguments.clone());
            if let Some(value) = OracleValue::new(stated.value.value()) {
                certain.values.insert(GroundTerm { function, arguments }, value);
            }
        }
        certain.atoms = self.problem.init.iter().map(GroundAtom::from).collect();
        let chances = InitialOutcome {
            chances: self.problem.chances.clone(),
            ..InitialOutcome::default()
        };
        let mut states = BTreeMap::new();
        for (probability, changes) in initial_changes(&chances)? {
            let mut state = self.successor(&certain, &changes)?;
            state
                .atoms
                .retain(|atom| self.domain.predicate(atom.predicate).kind != PredicateKind::Action);
            *states.entry(state).or_insert(0.0) += probability;
        }
        Ok(states
            .into_iter()
            .map(|(state, probability)| (probability, state))
            .collect())
    }

    /// Returns a state together with its derived atoms, for the evaluation of formulas.
    #[must_use]
    pub fn world<'s>(&'s self, state: &'s OracleState) -> Interpretation<'s> {
        let mut world = Interpretation {
            oracle: self,
            state,
            derived: BTreeSet::new(),
        };
        world.close();
        world
    }

    /// Returns the derived atoms that are true in a state. [`world`](Self::world) evaluates formulas with them.
    #[must_use]
    pub fn derived(&self, state: &OracleState) -> BTreeSet<GroundAtom> {
        self.world(state).derived
    }

    /// Returns whether the goal holds in a state; always `false` if the problem states no goal.
    #[must_use]
    pub fn is_goal(&self, state: &OracleState) -> bool {
        let mut binding = Binding::new(&self.problem.goal_variables, &[]);
        self.problem.has_goal && self.world(state).holds(&self.problem.goal, &mut binding)
    }

    /// Returns the actions that are valid in a state: the precondition holds and no undefined value is read. They are
    /// sorted by schema, then lexicographically by arguments. Empty in a dead end. Each is an argument for
    /// [`outcomes`](Self::outcomes).
    #[must_use]
    pub fn valid_actions(&self, state: &OracleState) -> Vec<GroundAction> {
        let world = self.world(state);
        let mut actions = Vec::new();
        for (index, schema) in self.domain.schemas.iter().enumerate() {
            let parameters: Vec<_> = (0..schema.arity).map(VariableId::new).collect();
            let unbound = Binding::new(&schema.variables, &[]);
            // A precondition that is true in three-valued logic also holds in two-valued logic, so filtering this list is
            // enough.
            let mut bindings = world.satisfying(&parameters, &schema.precondition, &unbound);
            bindings.retain_mut(|binding| world.allows(schema, binding));
            actions.extend(bindings.iter().map(|binding| GroundAction {
                schema: SchemaId::from_index(index),
                arguments: binding.first(parameters.len()),
            }));
        }
        actions
    }

    /// Returns the distribution of the successor and the reward of an action in a state, one entry per pair with
    /// positive probability, in ascending order of successor, then reward. Panics if the action has a schema or
    /// object that the problem does not have.
    ///
    /// # Errors
    /// Fails if the action is not valid, if a numeric effect that may be executed is faulty, or if the draws have more
    /// than 4,096 combinations.
    pub fn outcomes(
        &self,
        state: &OracleState,
        action: &GroundAction,
    ) -> Result<Vec<OracleOutcome>, OracleError> {
        let world = self.world(state);
        let schema = self.domain.schema(action.schema);
        let mut binding = Binding::new(&schema.variables, &action.arguments);
        let typed = schema.parameters().iter().zip(&action.arguments);
        if action.arguments.len() != schema.parameters().len()
            || typed
                .into_iter()
                .any(|(parameter, &object)| !self.belongs(object, &parameter.types))
            || !world.allows(schema, &mut binding)
        {
            return Err(OracleError::Invalid(self.action_text(action)));
        }
        let mut merged = BTreeMap::new();
        for (probability, changes) in world.changes(&schema.effect, &mut binding)? {
            let successor = self.successor(state, &changes)?;
            let reward = self.reward(state, &successor)?;
            *merged.entry((successor, reward)).or_insert(0.0) += probability;
        }
        let outcomes = merged
            .into_iter()
            .map(|((state, reward), probability)| OracleOutcome {
                probability,
                state,
                reward: reward.get(),
            });
        Ok(outcomes.collect())
    }

    /// Returns the reward of the step between two states.
    fn reward(&self, before: &OracleState, after: &OracleState) -> Result<OracleValue, OracleError> {
        let at_goal = |amount| {
            if self.is_goal(after) && !self.is_goal(before) {
                amount
            } else {
                0.0
            }
        };
        let flags = [Requirement::Rewards, Requirement::Mdp];
        let requirements = [&self.domain.requirements, &self.problem.requirements];
        let rewards = flags
            .iter()
            .any(|&flag| requirements.iter().any(|declared| declared.contains(flag)));
        let reward = self
            .domain
            .find_function("reward")
            .filter(|_| rewards)
            .map(nullary);
        let change = reward.map(|term| {
            let value = |state: &OracleState| state.values.get(&term).map_or(0.0, |value| value.get());
            value(after) - value(before)
        });
        let amount = match (change, self.problem.goal_reward) {
            (None, None) if !rewards => at_goal(1.0),
            (change, stated) => change.unwrap_or(0.0) + at_goal(stated.map_or(0.0, |number| number.value())),
        };
        OracleValue::new(amount).ok_or_else(|| OracleError::Overflow("the reward".to_owned()))
    }

    /// Iterates over the objects that belong to one of `types`, in order.
    pub(crate) fn objects_of(&self, types: &TypeUnion) -> impl Iterator<Item = ObjectId> {
        let ids = (0..self.problem.objects.len()).map(ObjectId::from_index);
        ids.filter(|&object| self.belongs(object, types))
    }

    fn belongs(&self, object: ObjectId, types: &TypeUnion) -> bool {
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

fn nullary(function: FunctionId) -> GroundTerm {
    GroundTerm {
        function,
        arguments: Vec::new(),
    }
}
