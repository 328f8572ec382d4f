//! The kinds of questions and the forms of their answers.

use std::fmt;
use std::str::FromStr;

use herbrand_text::{did_you_mean, nearest};
use serde::{Deserialize, Serialize};

/// The kind of a question. [`Kind::ALL`] lists them; [`as_str`](Self::as_str) is the name in files and options.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Whether a plan can be carried out and reaches the goal.
    PlanValid,
    /// The first step of a plan that cannot be carried out.
    PlanFailure,
    /// The action that cannot be carried out only because one fact does not hold.
    WhyNot,
    /// The action that can be carried out after other actions.
    Applicable,
    /// The fact that holds after some actions.
    After,
    /// Whether two facts can hold at the same time.
    Reachable,
    /// Whether a fact is true at some time in every plan.
    Landmark,
    /// The number of actions in a shortest plan.
    OptimalLength,
    /// The action that is missing from a plan.
    Gap,
    /// The action with which a shortest plan begins.
    NextAction,
    /// The text that states the same problem with other names for its objects.
    SameProblem,
    /// A plan.
    Plan,
    /// The probability of a fact after some actions.
    Probability,
    /// The expected total reward of some actions.
    ExpectedReward,
    /// The fluent that is certainly true after some joint actions of a problem in RDDL, or the value of a number.
    RddlAfter,
    /// The joint action that the preconditions of a problem in RDDL allow.
    RddlValid,
    /// The change that would make a joint action of a problem in RDDL valid.
    RddlWhyNot,
    /// The probability of a fluent after one joint action of a problem in RDDL.
    RddlProbability,
    /// The expected total reward of some joint actions of a problem in RDDL.
    RddlReward,
}

/// The problems that a kind of questions is about. [`Kind::topic`] tells it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Topic {
    /// Problems in PDDL without chance.
    Plain,
    /// Problems in PPDDL: domains with chance, and domains without whose actions are made unreliable.
    Chance,
    /// Problems in RDDL.
    Rddl,
}

/// How a question is answered. [`Kind::form`] tells it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// `yes` or `no`.
    YesNo,
    /// One of the letters A to D.
    Choice,
    /// A whole number.
    Number,
    /// An action; several may be right.
    Action,
    /// A list of actions; any valid plan is right.
    Plan,
}

impl Kind {
    /// All kinds, in the order of tables.
    pub const ALL: [Self; 19] = [
        Self::PlanValid,
        Self::PlanFailure,
        Self::WhyNot,
        Self::Applicable,
        Self::After,
        Self::Reachable,
        Self::Landmark,
        Self::OptimalLength,
        Self::Gap,
        Self::NextAction,
        Self::SameProblem,
        Self::Plan,
        Self::Probability,
        Self::ExpectedReward,
        Self::RddlAfter,
        Self::RddlValid,
        Self::RddlWhyNot,
        Self::RddlProbability,
        Self::RddlReward,
    ];

    /// Returns the name of the kind, such as `plan-valid`. `FromStr` reads it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PlanValid => "plan-valid",
            Self::PlanFailure => "plan-failure",
            Self::WhyNot => "why-not",
            Self::Applicable => "applicable",
            Self::After => "after",
            Self::Reachable => "reachable",
            Self::Landmark => "landmark",
            Self::OptimalLength => "optimal-length",
            Self::Gap => "gap",
            Self::NextAction => "next-action",
            Self::SameProblem => "same-problem",
            Self::Plan => "plan",
            Self::Probability => "probability",
            Self::ExpectedReward => "expected-reward",
            Self::RddlAfter => "rddl-after",
            Self::RddlValid => "rddl-valid",
            Self::RddlWhyNot => "rddl-why-not",
            Self::RddlProbability => "rddl-probability",
            Self::RddlReward => "rddl-reward",
        }
    }

    /// Returns how questions of this kind are answered.
    #[must_use]
    pub const fn form(self) -> Form {
        match self {
            Self::PlanValid | Self::Reachable | Self::Landmark => Form::YesNo,
            Self::PlanFailure => Form::Number,
            Self::Gap => Form::Action,
            Self::Plan => Form::Plan,
            _ => Form::Choice,
        }
    }

    /// Returns which problems questions of this kind are about.
    #[must_use]
    pub const fn topic(self) -> Topic {
        match self {
            Self::Probability | Self::ExpectedReward => Topic::Chance,
            Self::RddlAfter
            | Self::RddlValid
            | Self::RddlWhyNot
            | Self::RddlProbability
            | Self::RddlReward => Topic::Rddl,
            _ => Topic::Plain,
        }
    }

    /// Returns whether the answer needs all reachable states, or distances to the goal.
    pub(crate) const fn needs_space(self) -> bool {
        !matches!(
            self,
            Self::PlanFailure
                | Self::WhyNot
                | Self::Applicable
                | Self::After
                | Self::SameProblem
                | Self::Probability
        )
    }

    /// Returns whether the second route visits all reachable states.
    pub(crate) const fn visits_all(self) -> bool {
        matches!(
            self,
            Self::Reachable | Self::Landmark | Self::OptimalLength | Self::NextAction
        )
    }
}

impl Form {
    /// Returns the name of the form, such as `yes-no`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::YesNo => "yes-no",
            Self::Choice => "choice",
            Self::Number => "number",
            Self::Action => "action",
            Self::Plan => "plan",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The error for an unknown kind; contains the name. `FromStr` of [`Kind`] returns it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no kind of question `{}`{}", .0, did_you_mean(meant(.0)))]
pub struct UnknownKind(pub String);

fn meant(name: &str) -> Option<&'static str> {
    nearest(name, Kind::ALL.map(Kind::as_str))
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(name: &str) -> Result<Self, UnknownKind> {
        let found = Self::ALL.into_iter().find(|kind| kind.as_str() == name);
        found.ok_or_else(|| UnknownKind(name.to_owned()))
    }
}
