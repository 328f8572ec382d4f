//! The effects of lifted tasks, whose conditions are rules of the task's Datalog program.

use std::sync::Arc;

use herbrand_datalog::{Program, RuleId};
use herbrand_pddl::{Assignment, Atom, VariableId};

use crate::normal::{NormalBlock, NormalComparison, NormalConjunction, NormalItem, NormalLeaf, NormalSchema};
use crate::program::{Exactness, RuleWriter, Signature};
use crate::task::Distribution;

/// A list of simultaneous effects of a lifted action: [`LiftedAction::effect`](crate::LiftedAction::effect), or an
/// alternative of a [`LiftedLeaf::Draw`]. Conditions and right-hand sides are evaluated in the state before the action.
pub type LiftedBlock = Vec<LiftedItem>;

/// A quantified conditional effect of a lifted action, an element of a [`LiftedBlock`]. Its elementary effects happen
/// once for every binding of the variables that satisfies at least one of the guards.
#[derive(Clone, Debug)]
pub struct LiftedItem {
    /// The variables over which the effects are universally quantified.
    pub variables: Vec<VariableId>,
    /// The condition in normal form, for display.
    pub condition: Vec<NormalConjunction>,
    /// The disjuncts of the condition; `None` if the effects are unconditional, in which case there are no variables.
    /// With an empty list, the effects never happen.
    pub guards: Option<Vec<Guard>>,
    /// The elementary effects.
    pub leaves: Vec<LiftedLeaf>,
}

/// One disjunct of an effect's condition, as a rule of the lifted task's program. Its body is evaluated on a state,
/// with the action's arguments for the parameters: prepare it as a query whose given variables are the first
/// [`given`](Self::given). [`LiftedItem::guards`] lists them.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The rule, without heads, whose body is the disjunct.
    pub rule: RuleId,
    /// The model's variable for each variable of the rule: first the variables that are bound when the effect is reached,
    /// then the item's variables, then existential variables.
    pub variables: Vec<VariableId>,
    /// The number of variables that are bound when the effect is reached.
    pub given: usize,
    /// The comparisons, which the rule does not check; all must hold too.
    pub comparisons: Vec<NormalComparison>,
}

/// An elementary effect of a lifted action, without condition or quantifier. [`LiftedItem::leaves`] lists them.
#[derive(Clone, Debug)]
pub enum LiftedLeaf {
    /// The atom becomes true.
    Add(Atom),
    /// The atom becomes false, unless the same action adds it.
    Delete(Atom),
    /// A function term gets a new value, computed in the state before the action.
    Assign(Assignment),
    /// At most one of the alternatives is drawn and happens; draws are independent of each other. If the probabilities
    /// sum to less than 1, nothing may happen.
    Draw {
        /// The probabilities of the alternatives.
        distribution: Arc<Distribution>,
        /// The effects of each alternative, in the order of the distribution.
        alternatives: Vec<LiftedBlock>,
    },
}

/// The compiler of one schema's effect.
pub(super) struct EffectCompiler<'c, 'a> {
    pub(super) signature: &'c mut Signature<'a>,
    pub(super) program: &'c mut Program,
    pub(super) schema: &'c NormalSchema,
    pub(super) name: &'c str,
}

impl EffectCompiler<'_, '_> {
    /// Compiles a block inside items that bind the variables `known`.
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
