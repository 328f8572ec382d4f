//! Flattens effects into leaves, each with its own variables and condition.

use std::borrow::Cow;
use std::sync::Arc;

use herbrand_pddl::{AssignOperator, Assignment, Atom, Effect, Term, VariableId};

use super::NormalConjunction;
use super::disjunction::Splitter;
use super::negation::{for_each_term, normal_form};
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
/// happens and is dropped. A variable of a universal effect that neither the leaf nor its condition mentions makes
/// copies of the same leaf; where these are additions, deletions or assignments of a value, all that counts is that
/// there is some object for the variable, which an auxiliary atom asks for.
pub(super) fn flatten(effect: &Effect, splitter: &mut Splitter) -> NormalBlock {
    let always = vec![NormalConjunction::default()];
    let mut flattener = Flattener {
        splitter,
        variables: Vec::new(),
        inhabited: Vec::new(),
        block: Vec::new(),
    };
    flattener.collect(effect, &always);
    flattener.block
}

struct Flattener<'a> {
    splitter: &'a mut Splitter,
    /// The variables of the universal effects around the current one.
    variables: Vec<VariableId>,
    /// For variables that were left out, the literal that asks for an object of their type.
    inhabited: Vec<(VariableId, NormalConjunction)>,
    block: NormalBlock,
}

impl Flattener<'_> {
    /// Adds the leaves of `effect`, which is under `condition`: the split form of the conditions around it.
    fn collect(&mut self, effect: &Effect, condition: &[NormalConjunction]) {
        match effect {
            Effect::And(parts) => parts.iter().for_each(|part| self.collect(part, condition)),
            Effect::Forall(bound, inner) => {
                self.variables.extend(bound);
                self.collect(inner, condition);
                self.variables.truncate(self.variables.len() - bound.len());
            }
            Effect::When(inner_condition, inner) => {
                let condition = self
                    .splitter
                    .under(condition, &normal_form(inner_condition, false));
                self.collect(inner, &condition);
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
        let (variables, unused) = self.variables_of(&leaf, condition);
        let condition = if unused.is_empty() {
            Cow::Borrowed(condition)
        } else {
            let mut condition = condition.to_vec();
            for variable in unused {
                let some = self.inhabited(variable);
                condition.iter_mut().for_each(|disjunct| disjunct.extend(&some));
            }
            Cow::Owned(condition)
        };
        let size: usize = condition.iter().map(NormalConjunction::size).sum();
        match self.block.last_mut() {
            Some(item) if item.variables == variables && item.condition == *condition => {
                item.leaves.push(leaf)
            }
            _ if !self.splitter.charge(size * LITERAL) => {}
            _ => self.block.push(NormalItem {
                variables,
                condition: condition.into_owned(),
                leaves: vec![leaf],
            }),
        }
    }

    /// The variables that a leaf is repeated for, and those for which that would only repeat it.
    fn variables_of(
        &self,
        leaf: &NormalLeaf,
        condition: &[NormalConjunction],
    ) -> (Vec<VariableId>, Vec<VariableId>) {
        let mut used: Vec<VariableId> = Vec::new();
        let mut see = |terms: &[Term]| {
            used.extend(terms.iter().filter_map(|&term| match term {
                Term::Variable(variable) => Some(variable),
                Term::Object(_) => None,
            }));
        };
        match leaf {
            NormalLeaf::Add(atom) | NormalLeaf::Delete(atom) => see(&atom.arguments),
            NormalLeaf::Assign(assignment) if assignment.operator == AssignOperator::Assign => {
                see(&assignment.target.arguments);
                for_each_term(&assignment.value, &mut see);
            }
            // Each copy counts: increases add up, and draws are independent.
            NormalLeaf::Assign(_) | NormalLeaf::Draw { .. } => return (self.variables.clone(), Vec::new()),
        }
        used.extend(condition.iter().flat_map(NormalConjunction::free_variables));
        self.variables
            .iter()
            .copied()
            .partition(|variable| used.contains(variable))
    }

    /// The literal that holds if there are objects of the type of a variable. One for each variable: a rule that asked
    /// for several would fire for every combination of their objects.
    fn inhabited(&mut self, variable: VariableId) -> NormalConjunction {
        if let Some((_, literal)) = self.inhabited.iter().find(|(known, _)| *known == variable) {
            return literal.clone();
        }
        let literal = self.splitter.inhabited(variable);
        self.inhabited.push((variable, literal.clone()));
        literal
    }
}

/// The bytes that a literal of a condition is reckoned to take.
const LITERAL: usize = 160;

impl NormalLeaf {
    /// The blocks of which a draw brings one about; none for other leaves.
    pub(crate) fn alternatives(&self) -> &[NormalBlock] {
        match self {
            Self::Draw { alternatives, .. } => alternatives,
            Self::Add(_) | Self::Delete(_) | Self::Assign(_) => &[],
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
