//! The rules of the relaxed program: what some state could make true.

use herbrand_datalog::RelationId;
use herbrand_ground::{NormalItem, NormalLeaf, NormalSchema};
use herbrand_pddl::{Atom, VariableId};

use crate::body::{Exactness, Rules};
use crate::exact::{add_actions, add_axioms};
use crate::rule::Rule;
use crate::vocabulary::Vocabulary;

/// The rules of the axioms, the actions and what these add.
///
/// Sound (they derive no less than can happen): deletes, comparisons and negated literals of what can change are left out,
/// and each alternative of a draw counts as happening (the delete relaxation, Bonet & Geffner 2001).
pub(crate) fn rules(vocabulary: &mut Vocabulary<'_>) -> Vec<Rule> {
    let mut rules = Rules::new(vocabulary, Exactness::Relaxed);
    add_axioms(&mut rules);
    add_actions(&mut rules);
    for schema in &rules.vocabulary.normal.schemas {
        let relation = rules.vocabulary.schemas[schema.schema.index()];
        let around = Around {
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

/// What must happen for effects to be looked at: a fact of this relation over these variables.
struct Around {
    relation: RelationId,
    variables: Vec<VariableId>,
}

/// Writes the rules of what an action adds.
struct Effects<'e, 'v, 'a> {
    rules: &'e mut Rules<'v, 'a>,
    schema: &'e NormalSchema,
    place: &'e str,
}

impl Effects<'_, '_, '_> {
    /// Rules for the items of a block, at any depth of draws.
    fn add_block(&mut self, block: &[NormalItem], around: &Around) {
        for item in block.iter().filter(|item| adds(item)) {
            if item.is_unconditional() {
                self.add_leaves(item, around);
            } else {
                let inside = self.add_condition(item, around);
                self.add_leaves(item, &inside);
            }
        }
    }

    /// Rules of a new relation that says that an item could happen: one for each disjunct of its condition.
    fn add_condition(&mut self, item: &NormalItem, around: &Around) -> Around {
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
        Around { relation, variables }
    }

    /// A rule for each atom that the leaves of an item add, and those of the alternatives of its draws.
    fn add_leaves(&mut self, item: &NormalItem, around: &Around) {
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

    fn add_atom(&mut self, atom: &Atom, around: &Around) {
        let mut body = self.rules.begin(self.place, &self.schema.scope);
        let happens = body.over(around.relation, &around.variables);
        body.hold(happens);
        let head = body.atom(atom);
        body.finish(head);
    }
}

/// Whether something in the item adds an atom.
fn adds(item: &NormalItem) -> bool {
    item.leaves.iter().any(|leaf| match leaf {
        NormalLeaf::Add(_) => true,
        NormalLeaf::Draw { alternatives, .. } => alternatives.iter().flatten().any(adds),
        NormalLeaf::Delete(_) | NormalLeaf::Assign(_) => false,
    })
}
