//! The lifted task: a problem compiled without grounding it.

mod effect;
mod goal;
mod program;

use std::sync::Arc;

use herbrand_datalog::{Facts, Program, RelationId, RuleId, Stratification};
use herbrand_limits::Budget;
use herbrand_pddl::{
    Domain, Formula, FunctionId, FunctionValue, InitialChance, ObjectId, PredicateId, PredicateKind, Problem,
    SchemaId, VariableId,
};

pub use effect::{Guard, LiftedBlock, LiftedItem, LiftedLeaf};
pub use goal::GoalLiteral;

use crate::instance::{function_kinds, rewards, vocabulary};
use crate::normal::{FunctionKind, NormalComparison, NormalDomain, Scope, starts_at_zero};
use crate::program::Change;
use crate::{GroundError, Vocabulary};

/// A problem as a Datalog program over its states.
///
/// The program's input is a state: the atoms of the fluent predicates, beside the static facts. Its model holds the
/// derived atoms of that state, every action that is applicable there, and whether the goal holds. Nothing is
/// grounded: the size is that of the domain and the initial state.
///
/// What Datalog has no words for is left to the caller: comparisons of numbers. Those of axioms are relations of their
/// own ([`tests`](Self::tests)), to be filled with the bindings for which they hold; those of preconditions and of the
/// goal are listed beside the rule ([`Way::comparisons`]), to be checked for each of its facts.
///
/// ```
/// use herbrand_ground::LiftedTask;
/// use herbrand_pddl::{Domain, Problem};
///
/// let domain = Domain::from_text("(define (domain lamps) (:predicates (on ?x))
///     (:action light :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))")?;
/// let problem = Problem::from_text("(define (problem p) (:domain lamps) (:objects a b) (:init) (:goal (on a)))", &domain)?;
/// let task = LiftedTask::of(&domain, &problem)?;
/// assert_eq!(task.actions.len(), 1);
/// println!("{}", task.program);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LiftedTask {
    /// What ids are called; auxiliary predicates come after the domain's own.
    pub vocabulary: Arc<Vocabulary>,
    /// The rules of axioms, actions and goal, then, without heads, those of effect conditions. The program's symbols are
    /// the objects.
    pub program: Program,
    /// The facts that hold in every state: static atoms and the objects of each type.
    pub statics: Facts,
    /// The relation of each predicate's atoms, by [`PredicateId`].
    pub relations: Vec<RelationId>,
    /// How each predicate's atoms change, by [`PredicateId`].
    pub changes: Vec<Change>,
    /// The action schemas, by [`SchemaId`].
    pub actions: Vec<LiftedAction>,
    /// The ways in which the goal can hold.
    pub goal: Vec<Way>,
    /// The comparisons in axioms.
    pub tests: Vec<Test>,
    /// The fluent atoms that are initially true.
    pub initial: herbrand_pddl::Facts,
    /// The atoms of static predicates, in the order of the text.
    pub static_atoms: herbrand_pddl::Facts,
    /// What chance adds to the initial state.
    pub chances: Vec<InitialChance>,
    /// What may change each function.
    pub functions: Vec<FunctionKind>,
    /// The values that functions have initially.
    pub values: Vec<FunctionValue>,
    /// The functions that are initially zero unless the problem says otherwise.
    pub zeros: Vec<FunctionId>,
    /// What counts the reward, when the task has rewards and something changes it.
    pub reward: Option<FunctionId>,
    /// The reward for entering a goal state: 1 where nothing is said here and nothing counts the reward, else 0.
    pub goal_reward: Option<f64>,
}

/// An action schema.
#[derive(Clone, Debug)]
pub struct LiftedAction {
    /// The schema.
    pub schema: SchemaId,
    /// How many of the variables are parameters.
    pub arity: u32,
    /// The variables, parameters first.
    pub scope: Scope,
    /// The precondition as the domain states it.
    pub precondition: Formula,
    /// The ways in which the precondition can hold.
    pub ways: Vec<Way>,
    /// The effect.
    pub effect: LiftedBlock,
}

/// One way in which a precondition or the goal can hold: a relation that a rule derives.
///
/// Without comparisons its columns are the schema's parameters (none for the goal), and all ways of an action share
/// it; with some they are all variables of the rule.
#[derive(Clone, Debug)]
pub struct Way {
    /// The relation.
    pub relation: RelationId,
    /// The rule that derives it.
    pub rule: RuleId,
    /// The model's variable in each column.
    pub variables: Vec<VariableId>,
    /// What must still be checked.
    pub comparisons: Vec<NormalComparison>,
}

/// A comparison in an axiom, as a relation of the program's input.
#[derive(Clone, Debug)]
pub struct Test {
    /// The relation.
    pub relation: RelationId,
    /// What is compared.
    pub comparison: NormalComparison,
    /// The model's variable in each column.
    pub variables: Vec<VariableId>,
    /// All bindings that can ever matter, one object per column.
    pub bindings: Vec<Vec<ObjectId>>,
}

impl LiftedTask {
    /// The lifted task of a problem.
    ///
    /// # Errors
    /// When the problem belongs to another domain, or axioms are not stratified.
    pub fn of(domain: &Domain, problem: &Problem) -> Result<Self, GroundError> {
        let budget = Budget::unlimited();
        Self::within(domain, &NormalDomain::within(domain, &budget)?, problem, &budget)
    }

    /// The lifted task of a problem of a domain whose normal form is at hand.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn of_normal(domain: &Domain, normal: &NormalDomain, problem: &Problem) -> Result<Self, GroundError> {
        Self::within(domain, normal, problem, &Budget::unlimited())
    }

    /// [`of_normal`](Self::of_normal) within a budget.
    ///
    /// # Errors
    /// As [`of`](Self::of), and when the budget is spent.
    pub fn within(
        domain: &Domain,
        normal: &NormalDomain,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<Self, GroundError> {
        GroundError::check_domain(domain, problem)?;
        let goal = normal.goal(problem, budget)?;
        let compiled = program::compile(domain, problem, normal, &goal, budget)?;
        // Only whether there is an order matters here: an evaluation of the program computes it again.
        Stratification::of(&compiled.program)?;
        let (mut initial, mut static_atoms) = Default::default();
        for fact in problem.init.iter() {
            let atoms: &mut herbrand_pddl::Facts = match compiled.changes[fact.predicate.index()] {
                Change::Fluent => &mut initial,
                Change::Static if domain.predicate(fact.predicate).kind != PredicateKind::Action => {
                    &mut static_atoms
                }
                Change::Static | Change::StaticDerived | Change::Derived => continue,
            };
            atoms.push(fact.predicate, fact.arguments);
        }
        let functions = (0..domain.functions.len()).map(FunctionId::from_index);
        let kinds = function_kinds(normal, &goal, problem);
        let (reward, goal_reward) = rewards(domain, problem, &kinds);
        Ok(Self {
            vocabulary: Arc::new(vocabulary(domain, problem, normal, &goal)),
            program: compiled.program,
            statics: compiled.statics,
            relations: compiled.relations,
            changes: compiled.changes,
            actions: compiled.actions,
            goal: compiled.goal,
            tests: compiled.tests,
            initial,
            static_atoms,
            chances: problem.chances.clone(),
            functions: kinds,
            values: problem.values.clone(),
            zeros: functions
                .filter(|&id| starts_at_zero(domain.function(id)))
                .collect(),
            reward,
            goal_reward,
        })
    }

    /// How a predicate's atoms change.
    #[must_use]
    pub fn change(&self, predicate: PredicateId) -> Change {
        self.changes[predicate.index()]
    }
}
