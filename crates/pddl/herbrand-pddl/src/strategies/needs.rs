//! Computation of the requirement flags that a model needs.

use crate::model::{
    AssignOperator, Assignment, Domain, Effect, Expression, Formula, Problem, TypeId, TypeUnion, Variable,
};
use crate::requirements::{Requirement, Requirements};

/// Returns whether an effect on `total-cost` needs only `:action-costs`: it adds a number or the value of another function.
fn is_action_cost(assignment: &Assignment) -> bool {
    assignment.operator == AssignOperator::Increase
        && match &assignment.value {
            Expression::Number(_) => true,
            Expression::Fluent(term) => term.function != assignment.target.function,
            _ => false,
        }
}

/// A collector of the flags that the parts of a model need.
#[derive(Default)]
pub(super) struct Needs {
    flags: Requirements,
}

impl Needs {
    /// Returns the flags that a domain needs.
    pub(super) fn of_domain(domain: &Domain) -> Requirements {
        let mut this = Self::default();
        this.flags.insert(Requirement::Strips);
        if domain.types.len() > 1 {
            this.flags.insert(Requirement::Typing);
        }
        domain
            .predicates
            .iter()
            .for_each(|predicate| this.variables(&predicate.parameters));
        for function in domain.functions.iter().filter(|function| !function.implicit) {
            this.variables(&function.parameters);
            let cost = function.name.as_str() == "total-cost";
            let flag = if cost {
                Requirement::ActionCosts
            } else {
                Requirement::NumericFluents
            };
            this.flags.insert(flag);
        }
        for axiom in &domain.axioms {
            this.flags.insert(Requirement::DerivedPredicates);
            this.variables(&axiom.variables);
            this.formula(&axiom.body);
        }
        for schema in &domain.schemas {
            this.variables(&schema.variables);
            this.formula(&schema.precondition);
            this.effect(&schema.effect, domain);
        }
        for action in &domain.durative_actions {
            this.flags.insert(Requirement::DurativeActions);
            if action.duration.len() > 1 {
                this.flags.insert(Requirement::DurationInequalities);
            }
            this.variables(&action.variables);
            let conditions = [&action.start_condition, &action.invariant, &action.end_condition];
            conditions.into_iter().for_each(|part| this.formula(part));
            this.effect(&action.start_effect, domain);
            this.effect(&action.end_effect, domain);
        }
        this.flags
    }

    /// Returns the flags that a problem needs and its domain does not declare.
    pub(super) fn of_problem(domain: &Domain, problem: &Problem) -> Requirements {
        let mut this = Self::default();
        this.variables(&problem.goal_variables);
        this.formula(&problem.goal);
        if !problem.chances.is_empty() {
            this.flags.insert(Requirement::ProbabilisticEffects);
        }
        if !problem.timed.is_empty() {
            this.flags.insert(Requirement::TimedInitialLiterals);
        }
        if problem.goal_reward.is_some() {
            this.flags.insert(Requirement::Rewards);
        }
        let mut own = Requirements::default();
        let missing = this
            .flags
            .iter()
            .filter(|&flag| !domain.requirements.contains(flag));
        missing.for_each(|flag| own.insert(flag));
        own
    }

    fn variables(&mut self, variables: &[Variable]) {
        let object = TypeUnion::single(TypeId::OBJECT);
        if variables.iter().any(|variable| variable.types != object) {
            self.flags.insert(Requirement::Typing);
        }
    }

    fn formula(&mut self, formula: &Formula) {
        formula.walk(&mut |part, _| {
            let flag = match part {
                Formula::Atom(_) | Formula::And(_) => return,
                Formula::Equal(..) => Requirement::Equality,
                Formula::Compare(..) => Requirement::NumericFluents,
                Formula::Not(_) => Requirement::NegativePreconditions,
                Formula::Or(_) | Formula::Imply(..) => Requirement::DisjunctivePreconditions,
                Formula::Forall(..) => Requirement::UniversalPreconditions,
                Formula::Exists(..) => Requirement::ExistentialPreconditions,
            };
            self.flags.insert(flag);
        });
    }

    fn effect(&mut self, effect: &Effect, domain: &Domain) {
        effect.walk(&mut |part| match part {
            Effect::And(_) | Effect::Add(_) | Effect::Delete(_) => {}
            Effect::Assign(assignment) => {
                let target = domain.function(assignment.target.function);
                if target.name.as_str() == "total-cost" && !is_action_cost(assignment) {
                    self.flags.insert(Requirement::NumericFluents);
                }
            }
            Effect::Forall(..) => self.flags.insert(Requirement::ConditionalEffects),
            Effect::When(condition, _) => {
                self.flags.insert(Requirement::ConditionalEffects);
                self.formula(condition);
            }
            Effect::Probabilistic(_) => self.flags.insert(Requirement::ProbabilisticEffects),
        });
    }
}
