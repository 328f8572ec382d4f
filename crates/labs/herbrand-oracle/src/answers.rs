//! The answers of an oracle: initial states, derived atoms, valid actions and outcomes.

use std::collections::{BTreeMap, BTreeSet};

use herbrand_pddl::{FunctionId, InitialOutcome, PredicateKind, Requirement, SchemaId, VariableId};

use crate::effect::initial_changes;
use crate::error::OracleError;
use crate::oracle::Oracle;
use crate::state::{GroundAction, GroundAtom, GroundTerm, OracleOutcome, OracleState, OracleValue};
use crate::world::{Binding, Interpretation};

impl Oracle<'_> {
    /// Returns the possible initial states of the problem in ascending order, each with its positive probability; one
    /// state with probability 1 if nothing is random. They are arguments of the other queries.
    ///
    /// # Errors
    /// [`OracleError::Conflict`] if two draws give different values to the same function term, and
    /// [`OracleError::TooManyOutcomes`] if the draws have more than 4,096 combinations.
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

    /// Returns a state together with its derived atoms, for the evaluation of formulas by [`Interpretation::holds`].
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

    /// Returns the derived atoms that are true in a state; empty if the domain has no axioms. [`world`](Self::world)
    /// evaluates formulas with them.
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

    /// Returns the distribution of the successor and the reward of an action in a state, one entry per pair with positive
    /// probability, in ascending order of successor, then reward.
    ///
    /// # Errors
    /// [`OracleError::Invalid`] if the action is not valid, and [`OracleError::TooManyOutcomes`] if the draws have more
    /// than 4,096 combinations. Also fails if a numeric effect in any outcome is faulty, or if the reward overflows.
    ///
    /// # Panics
    /// Panics if the problem has no such schema or object.
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
}

fn nullary(function: FunctionId) -> GroundTerm {
    GroundTerm {
        function,
        arguments: Vec::new(),
    }
}
