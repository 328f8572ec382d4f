//! Flattens effects into leaves, each with its own variables and condition.

use std::sync::Arc;

use herbrand_pddl::{Assignment, Atom, Effect, VariableId};

use super::NormalConjunction;
use super::disjunction::{Splitter, Witnesses};
use super::negation::{Nnf, normal_form};
use crate::Distribution;

/// Effects that happen together.
pub type NormalBlock = Vec<NormalItem>;

/// Leaf effects, for every binding of the variables under which one of the conjunctions holds.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalItem {
    /// The variables it is repeated for.
    pub variables: Vec<VariableId>,
    /// The disjuncts of the condition; a single empty conjunction when there is no condition.
    pub condition: Vec<NormalConjunction>,
    /// What happens then.
    pub leaves: Vec<NormalLeaf>,
}

/// What cannot be taken apart further.
#[derive(Clone, PartialEq, Debug)]
pub enum NormalLeaf {
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
        alternatives: Vec<NormalBlock>,
    },
}

/// The leaves of an effect.
///
/// Sound: `∀x (e ∧ f) ≡ ∀x e ∧ ∀x f` and `(when c (e ∧ f)) ≡ (when c e) ∧ (when c f)` as all conditions read the state
/// before the action, and `(when c (when d e)) ≡ (when c ∧ d e)`. A draw is a leaf, for taking it apart would draw
/// more than once; inside its alternatives the same laws hold again. An alternative with probability zero never
/// happens and is dropped.
pub(super) fn flatten(effect: &Effect, splitter: &mut Splitter) -> NormalBlock {
    let always = vec![NormalConjunction::default()];
    let mut flattener = Flattener {
        splitter,
        variables: Vec::new(),
        conditions: Vec::new(),
        block: Vec::new(),
    };
    flattener.collect(effect, &always);
    flattener.block
}

struct Flattener<'a> {
    splitter: &'a mut Splitter,
    /// The variables of the universal effects around the current one.
    variables: Vec<VariableId>,
    /// The conditions around the current one.
    conditions: Vec<Nnf>,
    block: NormalBlock,
}

impl Flattener<'_> {
    /// Adds the leaves of `effect`, which stands under `condition`: the split form of the conditions around it.
    fn collect(&mut self, effect: &Effect, condition: &[NormalConjunction]) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.collect(part, condition)),
            Effect::Forall(bound, inner) => {
                self.variables.extend(bound);
                self.collect(inner, condition);
                self.variables.truncate(self.variables.len() - bound.len());
            }
            Effect::When(inner_condition, inner) => {
                self.conditions.push(normal_form(inner_condition, false));
                let condition = self
                    .splitter
                    .split(&Nnf::And(self.conditions.clone()), Witnesses::Any);
                self.collect(inner, &condition);
                self.conditions.pop();
            }
            Effect::Add(atom) => self.leaf(NormalLeaf::Add(atom.clone()), condition),
            Effect::Delete(atom) => self.leaf(NormalLeaf::Delete(atom.clone()), condition),
            Effect::Assign(assignment) => self.leaf(NormalLeaf::Assign(assignment.clone()), condition),
            Effect::Probabilistic(alternatives) => {
                let possible = || {
                    alternatives
                        .iter()
                        .filter(|(probability, _)| !probability.is_zero())
                };
                let draw = NormalLeaf::Draw {
                    distribution: Arc::new(Distribution::of(possible().map(|(probability, _)| *probability))),
                    alternatives: possible()
                        .map(|(_, inner)| flatten(inner, self.splitter))
                        .collect(),
                };
                self.leaf(draw, condition);
            }
        }
    }

    /// Adds a leaf, to the last item when that has the same variables and condition.
    fn leaf(&mut self, leaf: NormalLeaf, condition: &[NormalConjunction]) {
        match self.block.last_mut() {
            Some(item) if item.variables == self.variables && item.condition == condition => {
                item.leaves.push(leaf)
            }
            _ => self.block.push(NormalItem {
                variables: self.variables.clone(),
                condition: condition.to_vec(),
                leaves: vec![leaf],
            }),
        }
    }
}

impl NormalItem {
    /// Whether a leaf is a draw.
    pub(crate) fn draws(&self) -> bool {
        self.leaves
            .iter()
            .any(|leaf| matches!(leaf, NormalLeaf::Draw { .. }))
    }

    /// Whether the leaves happen whenever the block does.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        self.variables.is_empty()
            && matches!(&self.condition[..], [only] if *only == NormalConjunction::default())
    }
}
