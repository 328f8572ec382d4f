//! The normal form of domains and goals: conjunctions of literals, flat effects, and rules.
//!
//! Each pass has its own file. [`negation`] moves negations inwards. [`disjunction`] splits formulas into conjunctions and
//! auxiliary axioms. [`recursion`] finds mutually dependent predicates. [`effect`] flattens effects into conditional leaves.
//! [`numeric`] classifies functions by how they change. [`values`] adds to each precondition that all functions that the
//! action reads have values.

mod disjunction;
mod effect;
mod negation;
mod numeric;
mod recursion;
mod values;

use std::sync::Arc;

use herbrand_limits::{Budget, BudgetExhausted, deep, outside};
use herbrand_pddl::{
    Atom, Comparison, Domain, Expression, Formula, Name, PredicateId, Problem, SchemaId, Term, TypeUnion,
    Variable, VariableId,
};

pub use effect::{NormalBlock, NormalItem, NormalLeaf};
pub use numeric::FunctionKind;
pub(crate) use numeric::starts_at_zero;
pub(crate) use values::whole_precondition;

use disjunction::{Splitter, Witnesses};
use negation::normal_form;

/// A domain in normal form: schemas with flat effects and with preconditions and axioms as conjunctions.
/// [`of`](Self::of) or [`within`](Self::within) makes it. It can be shared by all problems of the domain
/// ([`ground_normal`](crate::ground_normal)).
///
/// ```
/// use herbrand_ground::{GroundOptions, NormalDomain, ground_normal};
/// use herbrand_limits::Budget;
/// use herbrand_pddl::{Domain, Problem};
///
/// let domain = Domain::from_text("(define (domain lamps) (:predicates (on ?x))
///     (:action light :parameters (?x) :precondition (not (on ?x)) :effect (on ?x)))")?;
/// let normal = NormalDomain::within(&domain, &Budget::unlimited())?;
/// for objects in ["a", "a b c"] {
///     let text = format!("(define (problem p) (:domain lamps) (:objects {objects}) (:init))");
///     let task = ground_normal(&domain, &normal, &Problem::from_text(&text, &domain)?, &GroundOptions::default())?;
///     assert_eq!(task.actions.len(), objects.split(' ').count());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct NormalDomain {
    /// The auxiliary predicates. Their ids follow the domain's own predicates.
    pub auxiliaries: Vec<Auxiliary>,
    /// The action schemas, by [`SchemaId`].
    pub schemas: Vec<NormalSchema>,
    /// The axioms of derived and auxiliary predicates; several axioms of a predicate are alternatives.
    pub axioms: Vec<NormalAxiom>,
    /// For each function, by [`FunctionId`](herbrand_pddl::FunctionId), whether its values change and who reads them.
    pub functions: Vec<FunctionKind>,
    /// The number of predicates that the domain declares; ids from here on are auxiliary predicates.
    pub declared: u32,
}

/// The goal of a problem in normal form, with the auxiliary predicates and axioms that it introduces.
/// [`NormalDomain::goal`] returns it. Quantifiers and nested disjunctions are replaced by auxiliary predicates.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalGoal {
    /// The disjuncts of the goal; none if the goal is never true.
    pub condition: Vec<NormalConjunction>,
    /// The goal's variables.
    pub scope: Scope,
    /// The auxiliary predicates. Their ids follow those of the normal domain.
    pub auxiliaries: Vec<Auxiliary>,
    /// The axioms of the auxiliary predicates.
    pub axioms: Vec<NormalAxiom>,
}

/// All variables of a schema, axiom or goal, by [`VariableId`].
pub type Scope = Arc<[Variable]>;

/// A derived predicate that the normal form introduces to name a part of a formula. [`NormalDomain::auxiliaries`] and
/// [`NormalGoal::auxiliaries`] list them; the axioms beside them say when one holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Auxiliary {
    /// The name, which consists of the name of its place of origin and a number, such as `move:1`.
    pub name: Name,
    /// The names and types of its arguments.
    pub parameters: Vec<(Name, TypeUnion)>,
}

/// An action schema in the normal form of its domain ([`NormalDomain`]).
#[derive(Clone, PartialEq, Debug)]
pub struct NormalSchema {
    /// The id of the schema in the domain.
    pub schema: SchemaId,
    /// The number of parameters: the first `arity` variables of the scope.
    pub arity: u32,
    /// All variables of the schema, parameters first.
    pub scope: Scope,
    /// The disjuncts of the precondition, which also requires that every function that the action reads has a value. If
    /// there is no disjunct, the schema is never applicable.
    pub precondition: Vec<NormalConjunction>,
    /// The effect.
    pub effect: NormalBlock,
}

/// The rule `predicate(head) ← body`, for every binding of the variables to objects of their types.
/// [`NormalDomain::axioms`] and [`NormalGoal::axioms`] list them.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalAxiom {
    /// The derived or auxiliary predicate of the head.
    pub predicate: PredicateId,
    /// All variables of the axiom.
    pub scope: Scope,
    /// The arguments of the head.
    pub head: Vec<VariableId>,
    /// The body. It also binds the variables that are not in the head.
    pub body: NormalConjunction,
}

/// An atom that must be true for every binding of some variables to objects of their types.
/// [`NormalConjunction::universals`] lists them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NormalUniversal {
    /// The universally quantified variables.
    pub variables: Vec<VariableId>,
    /// The atom that must be true.
    pub atom: Atom,
}

/// A conjunction in normal form: literals, equalities and comparisons over the variables of its schema, axiom or goal.
/// It holds if some binding of its existential variables satisfies all its parts; an empty one always holds.
/// Each is the body of an axiom, or a disjunct of a precondition, a goal or the condition of an effect.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct NormalConjunction {
    /// The existentially quantified variables, bound by the conjunction.
    pub existentials: Vec<VariableId>,
    /// The literals: atoms, each with `true` if it is negated.
    pub literals: Vec<(Atom, bool)>,
    /// Universally quantified atoms. They only occur in axioms whose head depends on them; all other universal quantifiers
    /// become negated auxiliary atoms.
    pub universals: Vec<NormalUniversal>,
    /// The equalities: two terms, and `true` if they must differ.
    pub equalities: Vec<(Term, Term, bool)>,
    /// The comparisons.
    pub comparisons: Vec<NormalComparison>,
}

/// A comparison of two numeric expressions, possibly negated: an element of [`NormalConjunction::comparisons`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NormalComparison {
    /// The comparison operator.
    pub comparison: Comparison,
    /// The left side.
    pub left: Expression,
    /// The right side.
    pub right: Expression,
    /// Whether the comparison is negated. The negation is true if a side is undefined.
    pub negated: bool,
}

/// The estimated bytes per predicate and per axiom, without its body.
const PREDICATE: usize = 128;
const AXIOM: usize = 384;

impl NormalDomain {
    /// Computes the normal form of a domain, from which [`ground_normal`](crate::ground_normal) grounds its problems,
    /// without limits of memory and time. Budgets that enclose the call do not stop it; use [`within`](Self::within) for
    /// domains of unknown size.
    #[must_use]
    pub fn of(domain: &Domain) -> Self {
        let unlimited = outside(|| Self::within(domain, &Budget::unlimited()));
        unlimited.expect("a budget without limits that nobody cancels is never exhausted")
    }

    /// Computes the normal form of a domain within a budget. The size of the normal form is linear in the size of the
    /// domain.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn within(domain: &Domain, budget: &Budget) -> Result<Self, BudgetExhausted> {
        deep(|| {
            let declared = domain.predicates.len();
            let mut meter = budget.meter("making the normal form");
            // The graph of axioms, and their heads.
            meter.charge((declared * PREDICATE + domain.axioms.len() * AXIOM) as u64);
            meter.check()?;
            let components = recursion::components(domain);
            let mut splitter = Splitter::new(declared, components, meter);
            let schemas = domain.schemas.iter().enumerate().map(|(index, schema)| {
                splitter.enter(schema.name.as_str(), &schema.variables, None);
                let parameters: Vec<_> = (0..schema.arity).map(VariableId::new).collect();
                NormalSchema {
                    schema: SchemaId::from_index(index),
                    arity: schema.arity,
                    scope: scope(&schema.variables),
                    precondition: splitter
                        .split(&values::precondition(domain, schema), Witnesses::Of(&parameters)),
                    effect: effect::flatten(&schema.effect, &mut splitter),
                }
            });
            let schemas = schemas.collect();
            let mut axioms = Vec::new();
            for axiom in &domain.axioms {
                let predicate = domain.predicate(axiom.predicate);
                splitter.enter(predicate.name.as_str(), &axiom.variables, Some(axiom.predicate));
                let head: Vec<_> = (0..predicate.parameters.len())
                    .map(VariableId::from_index)
                    .collect();
                let bodies = splitter.split(&normal_form(&axiom.body, false), Witnesses::Any);
                axioms.extend(bodies.into_iter().map(|body| NormalAxiom {
                    predicate: axiom.predicate,
                    scope: scope(&axiom.variables),
                    head: head.clone(),
                    body,
                }));
            }
            let (auxiliaries, auxiliary_axioms) = splitter.finish()?;
            axioms.extend(auxiliary_axioms);
            let functions = numeric::kinds(domain);
            Ok(Self {
                auxiliaries,
                schemas,
                axioms,
                functions,
                declared: u32_len(declared),
            })
        })
    }

    /// Computes the normal form of a problem's goal within a budget. A problem without a goal has a goal that is never
    /// true. Pass a problem of the same domain; this is not checked, and another one may cause a panic later.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn goal(&self, problem: &Problem, budget: &Budget) -> Result<NormalGoal, BudgetExhausted> {
        deep(|| {
            let first = self.declared as usize + self.auxiliaries.len();
            let meter = budget.meter("making the normal form of the goal");
            let mut splitter = Splitter::new(first, Vec::new(), meter);
            splitter.enter("goal", &problem.goal_variables, None);
            let goal = if problem.has_goal {
                &problem.goal
            } else {
                &Formula::FALSE
            };
            let condition = splitter.split(&normal_form(goal, false), Witnesses::Any);
            let (auxiliaries, axioms) = splitter.finish()?;
            Ok(NormalGoal {
                condition,
                scope: scope(&problem.goal_variables),
                auxiliaries,
                axioms,
            })
        })
    }
}

impl NormalSchema {
    /// Iterates over the parameters of the schema in order: the ids of its first variables.
    pub fn parameters(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..self.arity).map(VariableId::new)
    }
}

impl NormalConjunction {
    /// Iterates over the atoms of the literals and of the universals.
    pub(crate) fn atoms(&self) -> impl Iterator<Item = &Atom> {
        let literals = self.literals.iter().map(|(atom, _)| atom);
        literals.chain(self.universals.iter().map(|universal| &universal.atom))
    }

    /// Returns the number of its parts, plus one.
    pub(crate) fn size(&self) -> usize {
        self.literals.len() + self.universals.len() + self.equalities.len() + self.comparisons.len() + 1
    }

    /// Returns the variables that occur free, in no particular order and possibly repeated.
    pub(crate) fn free_variables(&self) -> Vec<VariableId> {
        let mut free = Vec::new();
        let see = |free: &mut Vec<VariableId>, terms: &[Term], bound: &[VariableId]| {
            free.extend(terms.iter().filter_map(|&term| match term {
                Term::Variable(variable) if !bound.contains(&variable) => Some(variable),
                _ => None,
            }));
        };
        for (atom, _) in &self.literals {
            see(&mut free, &atom.arguments, &[]);
        }
        for universal in &self.universals {
            see(&mut free, &universal.atom.arguments, &universal.variables);
        }
        for &(left, right, _) in &self.equalities {
            see(&mut free, &[left, right], &[]);
        }
        for comparison in &self.comparisons {
            for side in [&comparison.left, &comparison.right] {
                negation::for_each_term(side, &mut |terms: &[Term]| see(&mut free, terms, &[]));
            }
        }
        free.retain(|variable| !self.existentials.contains(variable));
        free
    }

    /// Adds the parts of `other`.
    pub(crate) fn extend(&mut self, other: &Self) {
        self.existentials.extend_from_slice(&other.existentials);
        self.literals.extend_from_slice(&other.literals);
        self.universals.extend_from_slice(&other.universals);
        self.equalities.extend_from_slice(&other.equalities);
        self.comparisons.extend_from_slice(&other.comparisons);
    }
}

fn scope(variables: &[Variable]) -> Scope {
    variables.into()
}

/// Converts the length of a list of declarations.
pub(crate) fn u32_len(length: usize) -> u32 {
    u32::try_from(length).expect("a model declares fewer than 2^32 things")
}
