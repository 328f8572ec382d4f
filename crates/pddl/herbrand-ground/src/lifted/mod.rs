//! The lifted task: a problem compiled to a Datalog program without grounding.

mod effect;
mod goal;
mod program;

use std::sync::Arc;

use herbrand_datalog::{Facts, Program, RelationId, RuleId, Stratification};
use herbrand_limits::{Budget, deep};
use herbrand_pddl::{
    Domain, Formula, FunctionId, FunctionValue, InitialChance, ObjectId, PredicateId, PredicateKind, Problem,
    SchemaId, VariableId,
};

pub use effect::{Guard, LiftedBlock, LiftedItem, LiftedLeaf};
pub use goal::GoalLiteral;

use crate::error::GroundError;
use crate::instance::{function_kinds, rewards, vocabulary};
use crate::normal::{FunctionKind, NormalComparison, NormalDomain, Scope, starts_at_zero};
use crate::program::TruthSource;
use crate::task::Vocabulary;

/// A problem as a Datalog program over its states.
///
/// The input of the program is a state: the atoms of the fluent predicates, together with the static facts. The model
/// contains the derived atoms of that state, every applicable action, and whether the goal holds. Nothing is grounded, so
/// the lifted task is about as large as the domain and the initial state.
///
/// Datalog cannot compare numbers, so the caller must do that. The comparisons in axioms are input relations
/// ([`tests`](Self::tests)) that the caller fills with the bindings for which the comparison holds. The comparisons in
/// preconditions and in the goal are listed with the rule ([`DisjunctRule::comparisons`]), and the caller checks them
/// for each fact of the rule. [`of`](Self::of) compiles a problem; `LiftedSimulator` of `herbrand-step` steps the task.
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
    /// The names of the task's predicates, functions, schemas, objects and types. Auxiliary predicates come after the
    /// domain's own.
    pub vocabulary: Arc<Vocabulary>,
    /// First the rules of axioms, actions and goal, then the rules of effect conditions, which have no heads. The program's
    /// symbols are the objects.
    pub program: Program,
    /// The facts that hold in every state: static atoms and the objects of each type.
    pub statics: Facts,
    /// The relation in the program of each predicate's atoms, by [`PredicateId`].
    pub relations: Vec<RelationId>,
    /// For each predicate, by [`PredicateId`], whether its atoms are static, fluent or derived.
    pub truth_sources: Vec<TruthSource>,
    /// The action schemas, by [`SchemaId`].
    pub actions: Vec<LiftedAction>,
    /// The disjuncts of the goal; empty if the problem has no goal, which is then never reached.
    pub goal: Vec<DisjunctRule>,
    /// The comparisons in axioms, each with its input relation.
    pub tests: Vec<ComparisonInput>,
    /// The fluent atoms that the problem declares to be initially true.
    pub initial: herbrand_pddl::AtomList,
    /// The atoms of static predicates, in the order of the text.
    pub static_atoms: herbrand_pddl::AtomList,
    /// The random additions to the initial state; empty if it is not random.
    pub chances: Vec<InitialChance>,
    /// For each function, by [`FunctionId`], whether its values change and who reads them.
    pub functions: Vec<FunctionKind>,
    /// The initial values of functions that the problem states.
    pub values: Vec<FunctionValue>,
    /// The functions whose initial value is zero by default.
    pub zeros: Vec<FunctionId>,
    /// The function that accumulates the reward; `None` if the task has no rewards, or if nothing changes them. The
    /// reward of a step is the change of its value.
    pub reward: Option<FunctionId>,
    /// The reward for entering a goal state. `None` means 1 if `reward` is `None`, and 0 otherwise.
    pub goal_reward: Option<f64>,
}

/// An action schema of a lifted task. [`LiftedTask::actions`] has one per schema.
#[derive(Clone, Debug)]
pub struct LiftedAction {
    /// The id of the schema in the domain.
    pub schema: SchemaId,
    /// The number of parameters: the first `arity` variables of the [scope](Self::scope).
    pub arity: u32,
    /// All variables of the schema, parameters first.
    pub scope: Scope,
    /// The precondition as a formula, in the form of the domain.
    pub precondition: Formula,
    /// The disjuncts of the precondition in normal form. The action is valid if one of them holds.
    pub ways: Vec<DisjunctRule>,
    /// The effect.
    pub effect: LiftedBlock,
}

/// One disjunct of a precondition or goal: a relation of the program, and the rule that derives its facts from the state.
///
/// Without comparisons, the columns of the relation are the schema's parameters (none for the goal), and all disjuncts of an
/// action share it. With comparisons, the columns are all variables of the rule.
#[derive(Clone, Debug)]
pub struct DisjunctRule {
    /// The relation whose facts are the bindings that satisfy the disjunct.
    pub relation: RelationId,
    /// The rule that derives it.
    pub rule: RuleId,
    /// For each column of the relation, the model's variable.
    pub variables: Vec<VariableId>,
    /// The comparisons of the disjunct, which the rule does not check; all must hold too.
    pub comparisons: Vec<NormalComparison>,
}

/// A comparison in an axiom, as an input relation of the program. The caller fills the relation for each state.
/// [`LiftedTask::tests`] lists them.
#[derive(Clone, Debug)]
pub struct ComparisonInput {
    /// The input relation of the bindings for which the comparison holds.
    pub relation: RelationId,
    /// The comparison.
    pub comparison: NormalComparison,
    /// For each column of the relation, the model's variable.
    pub variables: Vec<VariableId>,
    /// The bindings for which the comparison can matter, with one object per column. The caller checks each of them.
    pub bindings: Vec<Vec<ObjectId>>,
}

/// Returns the draws that have an alternative with a probability above 0.
fn possible(chances: &[InitialChance]) -> Vec<InitialChance> {
    let is_possible = |chance: &&InitialChance| {
        let mut alternatives = chance.alternatives.iter();
        alternatives.any(|(probability, _)| !probability.is_zero())
    };
    chances.iter().filter(is_possible).cloned().collect()
}

impl LiftedTask {
    /// Compiles a problem into a lifted task, without limits. The domain must be the one against which the problem was
    /// checked.
    ///
    /// # Errors
    /// If the problem belongs to another domain, or if axioms are not stratified. Also if a budget that encloses the
    /// call is exhausted.
    pub fn of(domain: &Domain, problem: &Problem) -> Result<Self, GroundError> {
        let budget = Budget::unlimited();
        Self::within(domain, &NormalDomain::within(domain, &budget)?, problem, &budget)
    }

    /// Compiles a problem like [`of`](Self::of), with `normal`, the normal form of `domain` ([`NormalDomain::of`]),
    /// made by the caller. `normal` must be of the same domain, which is not checked.
    ///
    /// # Errors
    /// Like [`of`](Self::of).
    pub fn of_normal(domain: &Domain, normal: &NormalDomain, problem: &Problem) -> Result<Self, GroundError> {
        Self::within(domain, normal, problem, &Budget::unlimited())
    }

    /// Compiles a problem like [`of_normal`](Self::of_normal), within a budget.
    ///
    /// # Errors
    /// Like [`of`](Self::of), and if the budget is exhausted.
    pub fn within(
        domain: &Domain,
        normal: &NormalDomain,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<Self, GroundError> {
        GroundError::check_domain(domain, problem)?;
        deep(|| Self::compiled(domain, normal, problem, budget))
    }

    fn compiled(
        domain: &Domain,
        normal: &NormalDomain,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<Self, GroundError> {
        let goal = normal.goal(problem, budget)?;
        let compiled = program::compile(domain, problem, normal, &goal, budget)?;
        // This only checks that a stratification exists; each evaluator computes it again.
        Stratification::of(&compiled.program)?;
        let (mut initial, mut static_atoms) = Default::default();
        for fact in problem.init.iter() {
            let atoms: &mut herbrand_pddl::AtomList = match compiled.truth_sources[fact.predicate.index()] {
                TruthSource::Fluent => &mut initial,
                TruthSource::Static if domain.predicate(fact.predicate).kind != PredicateKind::Action => {
                    &mut static_atoms
                }
                TruthSource::Static | TruthSource::StaticDerived | TruthSource::Derived => continue,
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
            truth_sources: compiled.truth_sources,
            actions: compiled.actions,
            goal: compiled.goal,
            tests: compiled.tests,
            initial,
            static_atoms,
            chances: possible(&problem.chances),
            functions: kinds,
            values: problem.values.clone(),
            zeros: functions
                .filter(|&id| starts_at_zero(domain.function(id)))
                .collect(),
            reward,
            goal_reward,
        })
    }

    /// Returns whether the atoms of a predicate are static, fluent or derived. Panics if there is no such predicate.
    #[must_use]
    pub fn truth_source(&self, predicate: PredicateId) -> TruthSource {
        self.truth_sources[predicate.index()]
    }
}
