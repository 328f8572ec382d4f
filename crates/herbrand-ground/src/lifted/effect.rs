//! Effects with rules in place of conditions.

use std::sync::Arc;

use herbrand_datalog::{Program, RuleId};
use herbrand_pddl::{Assignment, Atom, VariableId};

use crate::Distribution;
use crate::normal::{NormalBlock, NormalComparison, NormalConjunction, NormalItem, NormalLeaf, NormalSchema};
use crate::program::{Exactness, RuleWriter, Signature};

/// Effects that happen together.
pub type LiftedBlock = Vec<LiftedItem>;

/// Leaf effects, for every binding of the variables for which one of the guards holds.
#[derive(Clone, Debug)]
pub struct LiftedItem {
    /// The variables it is repeated for.
    pub variables: Vec<VariableId>,
    /// The condition as the normal form has it, for people to read.
    pub condition: Vec<NormalConjunction>,
    /// When it happens; `None` for always, and then there are no variables.
    pub guards: Option<Vec<Guard>>,
    /// What happens then.
    pub leaves: Vec<LiftedLeaf>,
}

/// One disjunct of an effect's condition.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The rule, without a head, whose body is the disjunct.
    pub rule: RuleId,
    /// The model's variable for each variable of the rule: first those that are known when the effect is reached, then
    /// the item's own, then those of which one value must do.
    pub variables: Vec<VariableId>,
    /// How many are known.
    pub given: usize,
    /// What must still be checked.
    pub comparisons: Vec<NormalComparison>,
}

/// What cannot be taken apart further.
#[derive(Clone, Debug)]
pub enum LiftedLeaf {
    /// The atom becomes true.
    Add(Atom),
    /// The atom becomes false, unless the same action adds it.
    Delete(Atom),
    /// A function gets another value.
    Assign(Assignment),
    /// One of the alternatives, or nothing, is drawn.
    Draw {
        /// How likely each of them is.
        distribution: Arc<Distribution>,
        /// What happens in them.
        alternatives: Vec<LiftedBlock>,
    },
}

/// Compiles the effect of one schema.
pub(super) struct EffectCompiler<'c, 'a> {
    pub(super) signature: &'c mut Signature<'a>,
    pub(super) program: &'c mut Program,
    pub(super) schema: &'c NormalSchema,
    pub(super) name: &'c str,
}

impl EffectCompiler<'_, '_> {
    /// The block, inside items that bind the variables `known`.
    pub(super) fn block(&mut self, block: &NormalBlock, known: &[VariableId]) -> LiftedBlock {
        block.iter().map(|item| self.item(item, known)).collect()
    }

    fn item(&mut self, item: &NormalItem, known: &[VariableId]) -> LiftedItem {
        let guards = (!item.is_unconditional()).then(|| {
            item.condition
                .iter()
                .map(|disjunct| self.guard(item, disjunct, known))
                .collect()
        });
        let known = [known, &item.variables].concat();
        let leaves = item.leaves.iter().map(|leaf| match leaf {
            NormalLeaf::Add(atom) => LiftedLeaf::Add(atom.clone()),
            NormalLeaf::Delete(atom) => LiftedLeaf::Delete(atom.clone()),
            NormalLeaf::Assign(assignment) => LiftedLeaf::Assign(assignment.clone()),
            NormalLeaf::Draw {
                distribution,
                alternatives,
            } => LiftedLeaf::Draw {
                distribution: Arc::clone(distribution),
                alternatives: alternatives
                    .iter()
                    .map(|inner| self.block(inner, &known))
                    .collect(),
            },
        });
        LiftedItem {
            leaves: leaves.collect(),
            variables: item.variables.clone(),
            condition: item.condition.clone(),
            guards,
        }
    }

    fn guard(&mut self, item: &NormalItem, disjunct: &NormalConjunction, known: &[VariableId]) -> Guard {
        let variables = known.iter().chain(&item.variables).copied();
        let mut rule = RuleWriter::new(self.signature, self.program, &self.schema.scope, variables);
        rule.require(disjunct, Exactness::Exact);
        rule.require_types(0, &[disjunct]);
        let variables = rule.variables().to_vec();
        let comparisons = rule.signature.unsettled(disjunct);
        let rule = rule.finish(&format!("{} (effect)", self.name), Vec::new());
        Guard {
            rule: self.program.add_rule(rule),
            variables,
            given: known.len(),
            comparisons,
        }
    }
}
