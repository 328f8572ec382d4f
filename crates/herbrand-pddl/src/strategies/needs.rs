//! The requirement flags that a model needs.

use crate::{Domain, Effect, Formula, Problem, Requirement, Requirements, TypeId, TypeUnion, Variable};

/// Collects the flags that the parts of a model need.
#[derive(Default)]
pub(super) struct Needs {
    flags: Requirements,
}

impl Needs {
    /// The flags of a domain.
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
            this.effect(&schema.effect);
        }
        this.flags
    }

    /// The flags of a problem that its domain does not have.
    pub(super) fn of_problem(domain: &Domain, problem: &Problem) -> Requirements {
        let mut this = Self::default();
        this.variables(&problem.goal_variables);
        this.formula(&problem.goal);
        if !problem.chances.is_empty() {
            this.flags.insert(Requirement::ProbabilisticEffects);
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
        match formula {
            Formula::Atom(_) => {}
            Formula::Equal(..) => self.flags.insert(Requirement::Equality),
            Formula::Compare(..) => self.flags.insert(Requirement::NumericFluents),
            Formula::Not(inner) => {
                self.flags.insert(Requirement::NegativePreconditions);
                self.formula(inner);
            }
            Formula::And(parts) => parts.iter().for_each(|part| self.formula(part)),
            Formula::Or(parts) => {
                self.flags.insert(Requirement::DisjunctivePreconditions);
                parts.iter().for_each(|part| self.formula(part));
            }
            Formula::Imply(premise, conclusion) => {
                self.flags.insert(Requirement::DisjunctivePreconditions);
                self.formula(premise);
                self.formula(conclusion);
            }
            Formula::Forall(_, inner) => {
                self.flags.insert(Requirement::UniversalPreconditions);
                self.formula(inner);
            }
            Formula::Exists(_, inner) => {
                self.flags.insert(Requirement::ExistentialPreconditions);
                self.formula(inner);
            }
        }
    }

    fn effect(&mut self, effect: &Effect) {
        match effect {
            Effect::Add(_) | Effect::Delete(_) | Effect::Assign(_) => {}
            Effect::And(parts) => parts.iter().for_each(|part| self.effect(part)),
            Effect::Forall(_, inner) => {
                self.flags.insert(Requirement::ConditionalEffects);
                self.effect(inner);
            }
            Effect::When(condition, inner) => {
                self.flags.insert(Requirement::ConditionalEffects);
                self.formula(condition);
                self.effect(inner);
            }
            Effect::Probabilistic(alternatives) => {
                self.flags.insert(Requirement::ProbabilisticEffects);
                alternatives.iter().for_each(|(_, inner)| self.effect(inner));
            }
        }
    }
}
