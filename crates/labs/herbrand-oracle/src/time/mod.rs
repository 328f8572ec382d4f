//! Validation of plans with times, straight from the definitions of PDDL 2.1 (Fox & Long, JAIR 20, 2003, section 6).
//!
//! # Semantics
//! A durative action is two *snap actions*, its start and its end, and an invariant. A timed literal is a snap action of the
//! world. Snap actions whose times differ by less than ε form one *happening*, whose time is that of its first.
//!
//! **Conditions** hold in the state just before a happening, its effects in the state after it. Effects of one happening are
//! applied together: deletes before adds, and numeric effects as in one action. An invariant holds in the state after the
//! happening of the start, and after each later one before that of the end; so it does not matter what the end itself, or
//! anything at its time, changes. An action that starts and ends in one happening has no invariant.
//!
//! **Interference.** Two snap actions of one happening must not interfere. They do if one adds or deletes an atom that the
//! other reads or does the opposite to; if one changes a number that the other reads; and if both change a number, unless all
//! these changes are increases and decreases. A snap action *reads* each atom and number that its condition, the conditions of
//! its effects and the values of its numeric effects mention, under any connective and for all objects of its quantifiers,
//! whether or not the truth of the condition depends on it; a start also reads the numbers in the bounds of its duration, and a
//! snap action that reads a derived atom reads every atom of the predicates that its rules mention. Invariants are not read. An
//! effect under a condition that does not hold changes nothing. A snap action may delete and add one atom; then it is true.
//!
//! **Durations** meet their bounds up to ε. Values at the start are those of the state just before it; bounds `at end` are
//! evaluated just before the end.
//!
//! **The goal** holds after the last happening, also if that is one of the world. `total-time` is the end of the last action.
//!
//! Times are rational numbers; the numbers of states are as in all other states of this crate. An action may overlap with
//! itself. A plan whose effects are random has no validation.

mod accesses;
mod happening;
mod validate;

use herbrand_pddl::{ObjectId, SchemaId};
use num_rational::BigRational;

pub use validate::{decimal, validate_timed};

/// A step of a timed plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedStep {
    /// The time of the start, in the units of time of the domain.
    pub time: BigRational,
    /// The action.
    pub action: TimedAction,
    /// The objects of its parameters.
    pub arguments: Vec<ObjectId>,
    /// How long a durative action takes; the step of another action has none.
    pub duration: Option<BigRational>,
}

/// An action of a [`TimedStep`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum TimedAction {
    /// An ordinary action.
    Instant(SchemaId),
    /// A durative action, by its index in [`Domain::durative_actions`](herbrand_pddl::Domain::durative_actions).
    Durative(usize),
}

/// The result of [`validate_timed`].
#[derive(Clone, PartialEq, Debug)]
pub struct TimedValidation {
    /// The faults of the durations and of the first happening with faults, in the order of their times.
    pub faults: Vec<TimedFault>,
    /// The conditions of the goal that do not hold at the end, as PDDL; empty if a fault stops the plan.
    pub missing: Vec<String>,
    /// Whether the plan runs to its end, and the goal holds there.
    pub valid: bool,
    /// The time at which the last action ends; 0 for an empty plan.
    pub makespan: BigRational,
    /// The value of the metric at the end; `None` if the problem has no metric, or a fault stops the plan.
    pub metric: Option<f64>,
}

/// A fault of a timed plan.
#[derive(Clone, PartialEq, Debug)]
pub struct TimedFault {
    /// The time.
    pub time: BigRational,
    /// The snap actions at fault: one, or the two that interfere.
    pub snaps: Vec<Snap>,
    /// The kind of the fault.
    pub kind: TimedFaultKind,
}

/// A start, an end or another change of the state at an instant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Snap {
    /// The start of the step with this index, or all of it if it is no durative action.
    Start(usize),
    /// The end of the step with this index.
    End(usize),
    /// The timed literals with this index in [`Problem::timed`](herbrand_pddl::Problem::timed).
    Literals(usize),
}

/// The kind of a [`TimedFault`].
#[derive(Clone, PartialEq, Debug)]
pub enum TimedFaultKind {
    /// The step begins before time 0.
    Early,
    /// A durative action has no duration, or a negative one.
    NoDuration,
    /// The duration breaks a bound; the text is the bound with its value, such as `?duration <= 3`.
    Duration(String),
    /// Parts of the condition, as PDDL, that do not hold just before.
    Condition(Vec<String>),
    /// Parts of the invariant, as PDDL, that do not hold just after.
    Invariant(Vec<String>),
    /// Both snap actions access this atom or number, given as PDDL, and one of them changes it.
    Interference(String),
    /// A numeric effect has no value, or several effects contradict each other; the text says which.
    Effect(String),
    /// The effects are random.
    Random,
}
