//! The program of the delete relaxation, for inspection.

use herbrand_datalog::{Facts, Program};
use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{Domain, Problem, SchemaId};

use super::{ReachabilityProgram, RuleMeaning};
use crate::normal::NormalDomain;

/// The delete-relaxed Datalog program that [`ground`](crate::ground()) evaluates for a problem, for inspection and for tests of evaluators.
///
/// [`of`](Self::of) creates it; evaluate it by [`Evaluator::run`](herbrand_datalog::Evaluator::run). Its model contains
/// a superset of the atoms that some sequence of actions can make true.
#[derive(Clone, Debug)]
pub struct RelaxedProgram {
    /// The rules of the program.
    pub program: Program,
    /// The input of the program: the initial state, the atoms that chance may add to it, and the objects of the types.
    pub facts: Facts,
    /// For each rule, the schema whose ground actions are its firings; `None` for other rules. The first variables of such a
    /// rule are the schema's parameters.
    pub schemas: Vec<Option<SchemaId>>,
}

impl RelaxedProgram {
    /// Creates the program of a problem within a budget. `normal` is the normal form of `domain`. The problem must have
    /// been checked against `domain`, which is not checked here; another one may cause a panic.
    ///
    /// # Errors
    /// If the budget is exhausted.
    pub fn of(
        domain: &Domain,
        normal: &NormalDomain,
        problem: &Problem,
        budget: &Budget,
    ) -> Result<Self, BudgetExhausted> {
        let goal = normal.goal(problem, budget)?;
        let ReachabilityProgram {
            program,
            facts,
            meanings,
            ..
        } = ReachabilityProgram::of(domain, problem, normal, &goal, budget)?;
        let schema = |meaning: &RuleMeaning| match *meaning {
            RuleMeaning::Action { schema, .. } => Some(normal.schemas[schema].schema),
            RuleMeaning::Axiom { .. } | RuleMeaning::Support => None,
        };
        Ok(Self {
            program,
            facts,
            schemas: meanings.iter().map(schema).collect(),
        })
    }
}
