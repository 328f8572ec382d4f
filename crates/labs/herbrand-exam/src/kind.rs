//! The kinds of questions and the forms of their answers.

use herbrand_text::{did_you_mean, nearest};
use serde::{Deserialize, Serialize};

herbrand_text::named! {
    /// The kind of a question. [`Kind::ALL`] lists them; [`as_str`](Self::as_str) is the name in files and options.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Kind {
        /// Whether a plan can be carried out and reaches the goal.
        PlanValid = "plan-valid",
        /// The first step of a plan that cannot be carried out.
        PlanFailure = "plan-failure",
        /// The action that cannot be carried out only because one fact does not hold.
        WhyNot = "why-not",
        /// The action that can be carried out after other actions.
        Applicable = "applicable",
        /// The fact that holds after some actions.
        After = "after",
        /// Whether two facts can hold at the same time.
        Reachable = "reachable",
        /// Whether a fact is true at some time in every plan.
        Landmark = "landmark",
        /// The number of actions in a shortest plan.
        OptimalLength = "optimal-length",
        /// The action that is missing from a plan.
        Gap = "gap",
        /// The action with which a shortest plan begins.
        NextAction = "next-action",
        /// The text that states the same problem with other names for its objects.
        SameProblem = "same-problem",
        /// A plan.
        Plan = "plan",
        /// The probability of a fact after some actions.
        Probability = "probability",
        /// The expected total reward of some actions.
        ExpectedReward = "expected-reward",
        /// The fluent that is certainly true after some joint actions of a problem in RDDL, or the value of a number.
        RddlAfter = "rddl-after",
        /// The joint action that the preconditions of a problem in RDDL allow.
        RddlValid = "rddl-valid",
        /// The change that would make a joint action of a problem in RDDL valid.
        RddlWhyNot = "rddl-why-not",
        /// The probability of a fluent after one joint action of a problem in RDDL.
        RddlProbability = "rddl-probability",
        /// The expected total reward of some joint actions of a problem in RDDL.
        RddlReward = "rddl-reward",
    }
    /// Returns the name of the kind, such as `plan-valid`. `FromStr` reads it.
    pub fn as_str; parses, or UnknownKind: UnknownKind
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

herbrand_text::named! {
    /// How a question is answered. [`Kind::form`] tells it.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Form {
        /// `yes` or `no`.
        YesNo = "yes-no",
        /// One of the letters A to D.
        Choice = "choice",
        /// A whole number.
        Number = "number",
        /// An action; several may be right.
        Action = "action",
        /// A list of actions; any valid plan is right.
        Plan = "plan",
    }
    /// Returns the name of the form, such as `yes-no`.
    pub fn as_str
}

impl Kind {
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

    /// Returns the question in a few words, as tables of grades have it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::PlanValid => "Is this a plan?",
            Self::PlanFailure => "Which action fails first?",
            Self::WhyNot | Self::RddlWhyNot => "What is in the way?",
            Self::Applicable | Self::RddlValid => "Which action is possible?",
            Self::After | Self::RddlAfter => "What is true afterwards?",
            Self::Reachable => "Can both be true?",
            Self::Landmark => "Is it part of every plan?",
            Self::OptimalLength => "How long is a shortest plan?",
            Self::Gap => "Which action is missing?",
            Self::NextAction => "How does a shortest plan begin?",
            Self::SameProblem => "Which problem is the same?",
            Self::Plan => "Give a plan",
            Self::Probability | Self::RddlProbability => "How probable is it?",
            Self::ExpectedReward | Self::RddlReward => "What is the expected reward?",
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

/// The error for an unknown kind; contains the name. The message has the kind that is meant, or all kinds. `FromStr` of [`Kind`] returns it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no kind of question `{}`{}", .0, meant(.0))]
pub struct UnknownKind(pub String);

/// Returns the end of a message about an unknown kind: the kind that is meant, or else all kinds.
fn meant(name: &str) -> String {
    let names = Kind::ALL.map(Kind::as_str);
    match nearest(name, names) {
        None => format!("; the kinds are {}", names.join(", ")),
        meant => did_you_mean(meant),
    }
}
