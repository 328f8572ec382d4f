//! Flattens nested effects into lists of quantified conditional effects.

use std::borrow::Cow;
use std::sync::Arc;

use herbrand_pddl::{AssignOperator, Assignment, Atom, Effect, Term, VariableId};

use super::NormalConjunction;
use super::disjunction::Splitter;
use super::negation::{for_each_term, normal_form};
use crate::task::Distribution;

/// A list of simultaneous effects in normal form: the effect of an action, or of an alternative of a draw.
/// [`NormalSchema::effect`](super::NormalSchema::effect) is one.
pub type NormalBlock = Vec<NormalItem>;

/// A quantified conditional effect in normal form, as in PDDL's `(forall (…) (when … …))`. Its elementary effects
/// happen for every binding of the variables that satisfies one of the conjunctions. A [`NormalBlock`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub struct NormalItem {
    /// The variables over which the effects are universally quantified; often empty.
    pub variables: Vec<VariableId>,
    /// The disjuncts of the condition; a single empty conjunction if there is no condition.
    pub condition: Vec<NormalConjunction>,
    /// The elementary effects.
    pub leaves: Vec<NormalLeaf>,
}

/// An elementary effect in normal form, without condition or quantifier. [`NormalItem::leaves`] lists them.
#[derive(Clone, PartialEq, Debug)]
pub enum NormalLeaf {
    /// The atom becomes true.
    Add(Atom),
    /// The atom becomes false, unless the same action adds it.
    Delete(Atom),
    /// A function term gets a new value. It is computed in the state before the action.
    Assign(Assignment),
    /// At most one of the alternatives is drawn and happens. If the probabilities sum to less than 1, nothing may
    /// happen.
    Draw {
        /// The probabilities of the alternatives.
        distribution: Arc<Distribution>,
        /// The effects of each alternative, in the order of the distribution.
        alternatives: Vec<NormalBlock>,
    },
}

/// Flattens an effect into leaves.
///
/// This is sound, because all conditions are evaluated in the state before the action:
///
/// - `∀x (e ∧ f) ≡ ∀x e ∧ ∀x f`
/// - `(when c (e ∧ f)) ≡ (when c e) ∧ (when c f)`
/// - `(when c (when d e)) ≡ (when c ∧ d e)`
///
/// A draw is a leaf, because splitting it would draw more than once; its alternatives are flattened separately. Alternatives
/// with probability zero are dropped.
///
/// If neither a leaf nor its condition mentions a variable of a universal effect, the copies of the leaf are identical. For
/// adds, deletes and assignments, it then only matters whether an object exists for the variable, which an auxiliary atom
/// tests.
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
    /// The variables of the universal effects around the current effect.
    variables: Vec<VariableId>,
    /// For each variable that was left out, the literal that tests whether its type has an object.
    inhabited: Vec<(VariableId, NormalConjunction)>,
    block: NormalBlock,
}

impl Flattener<'_> {
    /// Adds the leaves of `effect`, whose condition is `condition`.
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

    /// Adds a leaf: to the last item, if that has the same variables and condition, or to a new one.
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

    /// Splits the current variables into those for which a leaf must be repeated, and those for which copies are identical.
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
            // Each copy counts, because increases add up and draws are independent.
            NormalLeaf::Assign(_) | NormalLeaf::Draw { .. } => return (self.variables.clone(), Vec::new()),
        }
        used.extend(condition.iter().flat_map(NormalConjunction::free_variables));
        self.variables
            .iter()
            .copied()
            .partition(|variable| used.contains(variable))
    }

    /// Returns the literal that tests whether a variable's type has an object. There is one literal per variable, because a
    /// rule over several variables would fire for every combination of their objects.
    fn inhabited(&mut self, variable: VariableId) -> NormalConjunction {
        if let Some((_, literal)) = self.inhabited.iter().find(|(known, _)| *known == variable) {
            return literal.clone();
        }
        let literal = self.splitter.inhabited(variable);
        self.inhabited.push((variable, literal.clone()));
        literal
    }
}

/// The estimated bytes per literal of a condition.
const LITERAL: usize = 160;

impl NormalLeaf {
    /// Returns the blocks of a draw's alternatives; empty for other leaves.
    pub(crate) fn alternatives(&self) -> &[NormalBlock] {
        match self {
            Self::Draw { alternatives, .. } => alternatives,
            Self::Add(_) | Self::Delete(_) | Self::Assign(_) => &[],
        }
    }
}

impl NormalItem {
    /// Returns whether a leaf is a draw.
    pub(crate) fn draws(&self) -> bool {
        self.leaves
            .iter()
            .any(|leaf| matches!(leaf, NormalLeaf::Draw { .. }))
    }

    /// Returns whether the item has neither variables nor a condition, so that its effects happen whenever its block
    /// does.
    #[must_use]
    pub fn is_unconditional(&self) -> bool {
        self.variables.is_empty()
            && matches!(&self.condition[..], [only] if *only == NormalConjunction::default())
    }
}
