//! Requirement flags of PDDL and PPDDL.

use std::fmt;

herbrand_text::named! {
    /// A requirement flag of PDDL 1.2 to 3.1 or PPDDL 1.0 that this engine knows; an element of [`Requirements`]. The
    /// variants are in canonical order; [`keyword`](Self::keyword) gives the spelling of each.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    #[repr(u8)]
    pub enum Requirement {
        /// Atoms in conditions, and effects that add and delete atoms. Their use needs no declaration.
        Strips = ":strips",
        /// Types of objects, parameters and variables.
        Typing = ":typing",
        /// Negated conditions, `not`. The negation of `=` or of a comparison does not need it.
        NegativePreconditions = ":negative-preconditions",
        /// Conditions with `or` and `imply`.
        DisjunctivePreconditions = ":disjunctive-preconditions",
        /// Conditions `=` on two objects.
        Equality = ":equality",
        /// Conditions with `exists`.
        ExistentialPreconditions = ":existential-preconditions",
        /// Conditions with `forall`.
        UniversalPreconditions = ":universal-preconditions",
        /// Conditions with `exists` and `forall`; implies the two flags before it.
        QuantifiedPreconditions = ":quantified-preconditions",
        /// Effects with `when` and `forall`.
        ConditionalEffects = ":conditional-effects",
        /// The same as [`NumericFluents`](Self::NumericFluents).
        Fluents = ":fluents",
        /// Numeric functions, comparisons of their values, and effects that change them; permits action costs too.
        NumericFluents = ":numeric-fluents",
        /// Everything from [`Strips`](Self::Strips) to [`ConditionalEffects`](Self::ConditionalEffects).
        Adl = ":adl",
        /// Derived predicates: axioms with `:derived`.
        DerivedPredicates = ":derived-predicates",
        /// Effects that increase the function `total-cost`, and the functions that give their amounts.
        ActionCosts = ":action-costs",
        /// Durative actions.
        DurativeActions = ":durative-actions",
        /// Durations with bounds other than `=`.
        DurationInequalities = ":duration-inequalities",
        /// Literals and values that an initial state gives a time.
        TimedInitialLiterals = ":timed-initial-literals",
        /// Effects and initial elements with `probabilistic`.
        ProbabilisticEffects = ":probabilistic-effects",
        /// The function `reward`, whose change is the reward of a step.
        Rewards = ":rewards",
        /// Probabilistic effects and rewards.
        Mdp = ":mdp",
    }
    /// Returns the flag as written in a text, with its colon.
    pub fn keyword
}

impl Requirement {
    /// Returns the flag written as `keyword` (in lower case, with its colon), or `None` if there is no such flag. A
    /// flag of a PDDL version that this engine does not know is `None` too. Text in upper case is not found.
    /// `:timed-initial-fluents`, which some files write for values with a time, is `:timed-initial-literals`.
    #[must_use]
    pub fn from_keyword(keyword: &str) -> Option<Self> {
        let keyword = if keyword == ":timed-initial-fluents" {
            ":timed-initial-literals"
        } else {
            keyword
        };
        Self::ALL.into_iter().find(|flag| flag.keyword() == keyword)
    }

    /// Returns whether declaring this flag permits `feature`: a flag permits itself and the flags it implies (PDDL 2.1,
    /// appendix A; PPDDL 1.0, section 2). `:fluents` and `:numeric-fluents` permit each other and `:action-costs`.
    #[must_use]
    pub const fn allows(self, feature: Self) -> bool {
        if self as u8 == feature as u8 {
            return true;
        }
        match self {
            Self::Adl => matches!(
                feature,
                Self::Strips
                    | Self::Typing
                    | Self::NegativePreconditions
                    | Self::DisjunctivePreconditions
                    | Self::Equality
                    | Self::ExistentialPreconditions
                    | Self::UniversalPreconditions
                    | Self::QuantifiedPreconditions
                    | Self::ConditionalEffects
            ),
            Self::QuantifiedPreconditions => {
                matches!(
                    feature,
                    Self::ExistentialPreconditions | Self::UniversalPreconditions
                )
            }
            Self::Fluents | Self::NumericFluents => {
                matches!(feature, Self::Fluents | Self::NumericFluents | Self::ActionCosts)
            }
            Self::Mdp => matches!(feature, Self::ProbabilisticEffects | Self::Rewards),
            _ => false,
        }
    }
}

/// A set of requirement flags, as a definition declares them with `:requirements`.
/// [`Domain::requirements`](crate::Domain::requirements) and [`Problem::requirements`](crate::Problem::requirements)
/// are such sets. The default is the empty set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Requirements(u32);

impl Requirements {
    /// Adds `flag`. The flags that it implies are not added. Adding a flag twice has no effect.
    pub fn insert(&mut self, flag: Requirement) {
        self.0 |= 1 << flag as u32;
    }

    /// Returns whether `flag` was inserted. A flag that is only implied by inserted flags does not count
    /// ([`Requirement::allows`]).
    #[must_use]
    pub const fn contains(self, flag: Requirement) -> bool {
        self.0 & (1 << flag as u32) != 0
    }

    /// Iterates over the inserted flags in canonical order, that of [`Requirement::ALL`].
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
