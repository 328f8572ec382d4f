//! Requirement flags.

use std::fmt;

/// A requirement flag of PDDL 1.2 to 3.1 or PPDDL 1.0 that this engine knows.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[expect(missing_docs, reason = "each variant is the flag of that name")]
pub enum Requirement {
    Strips,
    Typing,
    NegativePreconditions,
    DisjunctivePreconditions,
    Equality,
    ExistentialPreconditions,
    UniversalPreconditions,
    QuantifiedPreconditions,
    ConditionalEffects,
    Fluents,
    NumericFluents,
    Adl,
    DerivedPredicates,
    ActionCosts,
    ProbabilisticEffects,
    Rewards,
    Mdp,
}

impl Requirement {
    /// All flags, in canonical order.
    pub const ALL: [Self; 17] = [
        Self::Strips,
        Self::Typing,
        Self::NegativePreconditions,
        Self::DisjunctivePreconditions,
        Self::Equality,
        Self::ExistentialPreconditions,
        Self::UniversalPreconditions,
        Self::QuantifiedPreconditions,
        Self::ConditionalEffects,
        Self::Fluents,
        Self::NumericFluents,
        Self::Adl,
        Self::DerivedPredicates,
        Self::ActionCosts,
        Self::ProbabilisticEffects,
        Self::Rewards,
        Self::Mdp,
    ];

    /// The flag as it is written, with its colon.
    #[must_use]
    pub const fn keyword(self) -> &'static str {
        match self {
            Self::Strips => ":strips",
            Self::Typing => ":typing",
            Self::NegativePreconditions => ":negative-preconditions",
            Self::DisjunctivePreconditions => ":disjunctive-preconditions",
            Self::Equality => ":equality",
            Self::ExistentialPreconditions => ":existential-preconditions",
            Self::UniversalPreconditions => ":universal-preconditions",
            Self::QuantifiedPreconditions => ":quantified-preconditions",
            Self::ConditionalEffects => ":conditional-effects",
            Self::Fluents => ":fluents",
            Self::NumericFluents => ":numeric-fluents",
            Self::Adl => ":adl",
            Self::DerivedPredicates => ":derived-predicates",
            Self::ActionCosts => ":action-costs",
            Self::ProbabilisticEffects => ":probabilistic-effects",
            Self::Rewards => ":rewards",
            Self::Mdp => ":mdp",
        }
    }
}

/// A set of requirement flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Requirements(u32);

impl Requirements {
    /// Adds a flag, and only that one: what it implies is not added.
    pub fn insert(&mut self, flag: Requirement) {
        self.0 |= 1 << flag as u32;
    }

    /// Whether the flag is there itself.
    #[must_use]
    pub const fn contains(self, flag: Requirement) -> bool {
        self.0 & (1 << flag as u32) != 0
    }

    /// The flags, in canonical order.
    pub fn iter(self) -> impl Iterator<Item = Requirement> {
        Requirement::ALL
            .into_iter()
            .filter(move |&flag| self.contains(flag))
    }
}

impl fmt::Debug for Requirements {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
