//! The size and language features of random models.

use std::ops::RangeInclusive;

use crate::requirements::{Requirement, Requirements};

/// The largest number of arguments of any predicate.
pub(super) const WIDEST: usize = 7;
/// The language features that random models use, and their sizes. Pass it to [`tasks`](super::tasks),
/// [`domains`](super::domains) or [`problems`](super::problems). Ranges must not be empty.
///
/// The default uses all features except agent actions and time. Its models are small enough for brute-force interpretation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The features that models may use; each model declares only the flags that it needs. A flag permits itself only,
    /// not the flags that it implies. `:conditional-effects` includes universal effects. `:existential-preconditions`
    /// and `:universal-preconditions` permit quantifiers in all conditions.
    pub uses: Requirements,
    /// How derived predicates may depend on themselves.
    pub recursion: Recursion,
    /// Whether schemas carry out agent actions (PDDLGym's dialect).
    pub agent_actions: bool,
    /// The maximum number of types besides `object`.
    pub types: usize,
    /// The maximum number of constants.
    pub constants: usize,
    /// The number of objects of the problem besides the constants.
    pub objects: RangeInclusive<usize>,
    /// The number of predicates, including derived ones.
    pub predicates: RangeInclusive<usize>,
    /// The maximum arity of predicates and functions; at most 3.
    pub arity: usize,
    /// The largest number of arguments of the wide predicate, at most 7. A model has at most one wide predicate, with at
    /// least 4 arguments, and no rule derives it. With a limit below 4, models have no wide predicate.
    pub wide: usize,
    /// The maximum number of derivation rules.
    pub axioms: usize,
    /// The number of action schemas.
    pub schemas: RangeInclusive<usize>,
    /// The maximum number of parameters of a schema.
    pub parameters: usize,
    /// The maximum nesting depth of formulas and effects.
    pub depth: u32,
    /// The maximum number of initial facts, not counting probabilistic ones.
    pub facts: usize,
}

/// How derived predicates may depend on themselves: a value of [`Shape::recursion`]. A predicate never depends on its
/// own negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Recursion {
    /// No recursion: a predicate depends on earlier predicates only.
    Never,
    /// Recursion through atoms outside of universal quantifiers.
    OutsideForall,
    /// Recursion through any positive atom, also below universal quantifiers, which are monotone.
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
    /// Returns a shape with the given features and the sizes of [`Shape::default`], with any recursion and without
    /// agent actions. Flags that a flag implies must be given too.
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

    /// Returns the default shape with durative actions and timed literals.
    #[must_use]
    pub fn timed() -> Self {
        let mut shape = Self::default();
        shape.uses.insert(Requirement::DurativeActions);
        shape.uses.insert(Requirement::DurationInequalities);
        shape.uses.insert(Requirement::TimedInitialLiterals);
        shape
    }

    /// Returns a shape for untyped STRIPS models: preconditions are conjunctions of atoms, and effects only add and
    /// delete atoms. The sizes are those of [`Shape::default`].
    #[must_use]
    pub fn strips() -> Self {
        Self::using(&[])
    }

    pub(super) fn allows(&self, flag: Requirement) -> bool {
        self.uses.contains(flag)
    }
}
