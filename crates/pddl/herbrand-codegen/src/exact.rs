//! Rules of the exact programs, which derive the facts of one state.

use crate::body::{Exactness, Rules};
use crate::rule::Rule;
use crate::vocabulary::Vocabulary;

/// Returns the rules of the axioms, including those of auxiliary predicates.
pub(crate) fn axiom_rules(vocabulary: &mut Vocabulary<'_>) -> Vec<Rule> {
    let mut rules = Rules::new(vocabulary, Exactness::Exact);
    add_axioms(&mut rules);
    rules.rules
}

/// Adds a rule for each axiom.
pub(crate) fn add_axioms(rules: &mut Rules<'_, '_>) {
    for axiom in &rules.vocabulary.normal.axioms {
        let relation = rules.vocabulary.predicates[axiom.predicate.index()];
        let place = rules.vocabulary.get(relation).name.clone();
        let mut body = rules.begin(&place, &axiom.scope);
        body.require(&axiom.body);
        body.require_types(&axiom.head, &axiom.body);
        body.require_types(&axiom.body.existentials, &axiom.body);
        let head = body.over(relation, &axiom.head);
        body.finish(head);
    }
}

/// Adds the rules of the actions: a rule for each disjunct of a precondition, and the auxiliary rules that it needs.
pub(crate) fn add_actions(rules: &mut Rules<'_, '_>) {
    for schema in &rules.vocabulary.normal.schemas {
        let relation = rules.vocabulary.schemas[schema.schema.index()];
        let place = rules.vocabulary.get(relation).name.clone();
        let parameters: Vec<_> = schema.parameters().collect();
        for disjunct in &schema.precondition {
            let mut body = rules.begin(&place, &schema.scope);
            body.require(disjunct);
            body.require_types(&parameters, disjunct);
            body.require_types(&disjunct.existentials, disjunct);
            let head = body.over(relation, &parameters);
            body.finish(head);
        }
    }
}
