//! Checking of effects.

use super::listed;
use super::scope::Scope;
use herbrand_text::Span;

use crate::diagnostic::Code;
use crate::model::{
    AssignOperator, Assignment, Atom, Effect, Expression, Formula, Function, FunctionId, FunctionTerm,
    Predicate, PredicateKind, Probability,
};
use crate::requirements::Requirement;
use crate::syntax::ast::{self, Literal};

impl Scope<'_, '_> {
    pub(super) fn effect(&mut self, effect: &ast::Effect) -> Effect {
        self.changing(effect).unwrap_or(Effect::NOTHING)
    }

    /// Resolves an effect. `None` if it changes only the agent's actions, which are not part of the state, or has a fault.
    fn changing(&mut self, effect: &ast::Effect) -> Option<Effect> {
        if !self.world.faults.charge(listed::<Effect>()) {
            return None;
        }
        Some(match effect {
            ast::Effect::And(parts) => {
                Effect::And(parts.iter().filter_map(|part| self.changing(part)).collect())
            }
            ast::Effect::Add(atom) => Effect::Add(self.changed_atom(atom)?),
            ast::Effect::Delete(atom) => Effect::Delete(self.changed_atom(atom)?),
            ast::Effect::Assign(assignment) => self.assignment(assignment)?,
            ast::Effect::Forall(variables, body, span) => {
                self.world.features.note(Requirement::ConditionalEffects, *span);
                let bound = self.bind(variables);
                let body = self.effect(body);
                self.release(&bound);
                Effect::Forall(bound.variables, Box::new(body))
            }
            ast::Effect::When(condition, body, span) => {
                self.world.features.note(Requirement::ConditionalEffects, *span);
                let condition: Formula = self.formula(condition);
                Effect::When(condition, Box::new(self.effect(body)))
            }
            ast::Effect::Probabilistic(alternatives, span) => self.probabilistic(alternatives, *span),
            ast::Effect::At(moment, body, span) => {
                self.misplaced_time(*moment, Some(*span));
                return self.changing(body);
            }
        })
    }

    fn probabilistic(&mut self, alternatives: &[(Literal, ast::Effect)], span: Span) -> Effect {
        self.world.features.note(Requirement::ProbabilisticEffects, span);
        let entry = size_of::<(Literal, Probability)>() + size_of::<(Probability, Effect)>();
        self.world.faults.charge(alternatives.len() * entry);
        let probabilities: Vec<(Literal, Probability)> = alternatives
            .iter()
            .map(|(literal, _)| (*literal, self.world.probability(*literal)))
            .collect();
        self.world.check_sum(&probabilities);
        let effects = alternatives.iter().map(|(_, effect)| self.effect(effect));
        let effects: Vec<Effect> = effects.collect();
        Effect::Probabilistic(probabilities.into_iter().map(|(_, p)| p).zip(effects).collect())
    }

    /// Resolves an atom that an effect changes. Reports an atom that no effect can change.
    fn changed_atom(&mut self, atom: &ast::Atom) -> Option<Atom> {
        let tables = self.world.tables;
        if tables.predicates.get(atom.name.symbol).is_none() && tables.types.get(atom.name.symbol).is_some() {
            let name = self.world.name(atom.name);
            self.world.faults.report(
                Code::EffectOnFixed,
                format!("`{name}` is a type, which never changes"),
                |d| {
                    d.primary(atom.span, "an effect cannot change the type of an object")
                        .help("declare a predicate for a property that changes")
                },
            );
            return None;
        }
        let changed = self.atom(atom)?;
        let predicate: &Predicate = self.world.domain.predicate(changed.predicate);
        match predicate.kind {
            PredicateKind::Derived => {
                self.report_effect_on_derived(atom, predicate);
                None
            }
            PredicateKind::Action => None,
            PredicateKind::Static | PredicateKind::Fluent => Some(changed),
        }
    }

    fn report_effect_on_derived(&mut self, atom: &ast::Atom, predicate: &Predicate) {
        let name = &predicate.name;
        let rule = self.world.rule_of(atom.name);
        self.world.faults.report(
            Code::EffectOnDerived,
            format!("`{name}` is derived, so no effect can change it"),
            |d| {
                d.primary(atom.span, "a derived predicate is computed from its rules")
                    .label(rule, "derived here")
                    .help("change the predicates in the body of its rule")
            },
        );
    }

    fn assignment(&mut self, assignment: &ast::Assignment) -> Option<Effect> {
        let target = self.function_term(&assignment.target);
        let value = self.expression(&assignment.value);
        let target = target?;
        let feature = match self.world.function_name(target.function) {
            "reward" => Requirement::Rewards,
            "total-cost" if is_action_cost(assignment.operator, &target, &value) => {
                if let Expression::Fluent(amount) = &value {
                    self.world.costs.push(amount.function);
                }
                Requirement::ActionCosts
            }
            _ => Requirement::NumericFluents,
        };
        self.world.features.note(feature, assignment.span);
        Some(Effect::Assign(Assignment {
            operator: assignment.operator,
            target,
            value,
        }))
    }
}

/// Returns whether an effect on `total-cost` is permitted by `:action-costs`: an increase by a number or by the value of
/// another function.
fn is_action_cost(operator: AssignOperator, total_cost: &FunctionTerm, amount: &Expression) -> bool {
    operator == AssignOperator::Increase
        && match amount {
            Expression::Number(_) => true,
            Expression::Fluent(term) => term.function != total_cost.function,
            _ => false,
        }
}

impl super::context::CheckContext<'_> {
    fn function_name(&self, id: FunctionId) -> &str {
        let declared: &[Function] = &self.domain.functions;
        match declared.get(id.index()) {
            Some(function) => function.name.as_str(),
            None => self.implicit[id.index() - declared.len()].name.as_str(),
        }
    }

    /// Returns the span of the head of the first rule for a derived predicate.
    fn rule_of(&self, name: crate::syntax::Word) -> Option<Span> {
        let rules = self.file.domains.iter().flat_map(|domain| &domain.derived);
        rules
            .map(|rule| &rule.head)
            .find(|head| head.name.symbol == name.symbol)
            .map(|head| head.span)
    }
}
