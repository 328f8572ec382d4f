//! The rules of the exact program: what one state makes true.

use crate::body::{Exactness, Rules};
use crate::rule::Rule;
use crate::vocabulary::Vocabulary;

/// The rules of the axioms: derived predicates and parts of conditions.
pub(crate) fn axiom_rules(vocabulary: &mut Vocabulary<'_>) -> Vec<Rule> {
    let mut rules = Rules::new(vocabulary, Exactness::Exact);
    add_axioms(&mut rules);
    rules.rules
}

/// A rule for each axiom.
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

/// The rules of the actions: one for each disjunct of a precondition, and those of the parts that they need.
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
