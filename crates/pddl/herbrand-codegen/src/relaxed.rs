//! Rules of the relaxed program, which derives an over-approximation of the reachable facts.

use herbrand_datalog::RelationId;
use herbrand_ground::{NormalItem, NormalLeaf, NormalSchema};
use herbrand_pddl::{Atom, VariableId};

use crate::body::{Exactness, Rules};
use crate::exact::{add_actions, add_axioms};
use crate::rule::Rule;
use crate::vocabulary::Vocabulary;

/// Returns the rules of the axioms, the actions and their add effects.
///
/// The rules derive at least the reachable facts. Deletes, comparisons and negated literals of changing predicates are
/// ignored, and all probabilistic alternatives happen (the delete relaxation, Bonet & Geffner 2001).
pub(crate) fn rules(vocabulary: &mut Vocabulary<'_>) -> Vec<Rule> {
    let mut rules = Rules::new(vocabulary, Exactness::Relaxed);
    add_axioms(&mut rules);
    add_actions(&mut rules);
    for schema in &rules.vocabulary.normal.schemas {
        let relation = rules.vocabulary.schemas[schema.schema.index()];
        let around = OuterCondition {
            relation,
            variables: schema.parameters().collect(),
        };
        let place = rules.vocabulary.get(relation).name.clone();
        let mut effects = Effects {
            rules: &mut rules,
            schema,
            place: &place,
        };
        effects.add_block(&schema.effect, &around);
    }
    rules.rules
}

/// The condition of a block of effects: a fact of this relation over these variables.
struct OuterCondition {
    relation: RelationId,
    variables: Vec<VariableId>,
}

/// Writes the rules of an action's add effects.
struct Effects<'e, 'v, 'a> {
    rules: &'e mut Rules<'v, 'a>,
    schema: &'e NormalSchema,
    place: &'e str,
}

impl Effects<'_, '_, '_> {
    /// Adds rules for the items of a block, including nested probabilistic effects.
    fn add_block(&mut self, block: &[NormalItem], around: &OuterCondition) {
        for item in block.iter().filter(|item| adds(item)) {
            if item.is_unconditional() {
                self.add_leaves(item, around);
            } else {
                let inside = self.add_condition(item, around);
                self.add_leaves(item, &inside);
            }
        }
    }

    /// Adds a relation for the condition of an item, with a rule for each disjunct.
    fn add_condition(&mut self, item: &NormalItem, around: &OuterCondition) -> OuterCondition {
        let variables = [&around.variables[..], &item.variables].concat();
        let scope = &self.schema.scope;
        let names: Vec<_> = variables
            .iter()
            .map(|one| scope[one.index()].name.as_str())
            .collect();
        let sentence = format!("a conditional effect of `{}` could happen", self.place);
        let name = format!("{}_effect", self.place);
        let relation = self.rules.vocabulary.auxiliary(&name, &names, false, &sentence);
        for disjunct in &item.condition {
            let mut body = self.rules.begin(self.place, scope);
            let happens = body.over(around.relation, &around.variables);
            body.hold(happens);
            body.require(disjunct);
            body.require_types(&item.variables, disjunct);
            body.require_types(&disjunct.existentials, disjunct);
            let head = body.over(relation, &variables);
            body.finish(head);
        }
        OuterCondition { relation, variables }
    }

    /// Adds a rule for each add effect of an item, including those in probabilistic alternatives.
    fn add_leaves(&mut self, item: &NormalItem, around: &OuterCondition) {
        for leaf in &item.leaves {
            match leaf {
                NormalLeaf::Add(atom) => self.add_atom(atom, around),
                NormalLeaf::Draw { alternatives, .. } => {
                    alternatives
                        .iter()
                        .for_each(|block| self.add_block(block, around));
                }
                NormalLeaf::Delete(_) | NormalLeaf::Assign(_) => {}
            }
        }
    }

    fn add_atom(&mut self, atom: &Atom, around: &OuterCondition) {
        let mut body = self.rules.begin(self.place, &self.schema.scope);
        let happens = body.over(around.relation, &around.variables);
        body.hold(happens);
        let head = body.atom(atom);
        body.finish(head);
    }
}

/// Returns whether an item contains an add effect.
fn adds(item: &NormalItem) -> bool {
    item.leaves.iter().any(|leaf| match leaf {
        NormalLeaf::Add(_) => true,
        NormalLeaf::Draw { alternatives, .. } => alternatives.iter().flatten().any(adds),
        NormalLeaf::Delete(_) | NormalLeaf::Assign(_) => false,
    })
}
