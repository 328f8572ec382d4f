//! What random models look like.

use std::ops::RangeInclusive;

use crate::{Requirement, Requirements};

/// The largest number of arguments of any predicate.
pub(super) const WIDEST: usize = 7;

/// Which parts of the language random models use, and how large they are.
///
/// The default uses everything but agent actions, in models small enough to be interpreted by brute force.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// What the models may use; those of their flags that they do use are set in them. `:conditional-effects` covers
    /// universal effects, `:existential-preconditions` and `:universal-preconditions` quantifiers anywhere.
    pub uses: Requirements,
    /// How derived predicates may depend on themselves.
    pub recursion: Recursion,
    /// Whether schemas carry out agent actions (PDDLGym's dialect).
    pub agent_actions: bool,
    /// How many types there are at most besides `object`.
    pub types: usize,
    /// How many constants there are at most.
    pub constants: usize,
    /// How many objects the problem adds to them.
    pub objects: RangeInclusive<usize>,
    /// How many predicates there are, derived ones included.
    pub predicates: RangeInclusive<usize>,
    /// How many arguments predicates and functions have at most: 3 or fewer.
    pub arity: usize,
    /// The largest number of arguments of a wide predicate, 7 or less; without any if it is below 4. A model has at most one, and
    /// no rule derives it.
    pub wide: usize,
    /// How many derivation rules there are at most.
    pub axioms: usize,
    /// How many action schemas there are.
    pub schemas: RangeInclusive<usize>,
    /// How many parameters a schema has at most.
    pub parameters: usize,
    /// How deep formulas and effects are nested at most.
    pub depth: u32,
    /// How many initial facts there are at most, those of chance apart.
    pub facts: usize,
}

/// How derived predicates may depend on themselves. They never do so through a negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Recursion {
    /// Not at all.
    Never,
    /// Through atoms outside of universal quantifiers.
    OutsideForall,
    /// Through atoms inside of universal quantifiers too, which are monotone as well.
    Anywhere,
}

impl Default for Shape {
    fn default() -> Self {
        use Requirement as R;
        Self::using(&[
            R::Typing,
            R::NegativePreconditions,
            R::DisjunctivePreconditions,
            R::Equality,
            R::ExistentialPreconditions,
            R::UniversalPreconditions,
            R::ConditionalEffects,
            R::NumericFluents,
            R::DerivedPredicates,
            R::ActionCosts,
            R::ProbabilisticEffects,
            R::Rewards,
        ])
    }
}

impl Shape {
    /// Models that use these parts of the language and no others, in the default sizes.
    #[must_use]
    pub fn using(flags: &[Requirement]) -> Self {
        let mut uses = Requirements::default();
        flags.iter().for_each(|&flag| uses.insert(flag));
        Self {
            uses,
            recursion: Recursion::Anywhere,
            agent_actions: false,
            types: 2,
            constants: 1,
            objects: 1..=3,
            predicates: 2..=5,
            arity: 3,
            wide: WIDEST,
            axioms: 3,
            schemas: 1..=3,
            parameters: 3,
            depth: 3,
            facts: 10,
        }
    }

    /// Conjunctions of atoms, adds and deletes, without types.
    #[must_use]
    pub fn strips() -> Self {
        Self::using(&[])
    }

    pub(super) fn allows(&self, flag: Requirement) -> bool {
        self.uses.contains(flag)
    }
}
