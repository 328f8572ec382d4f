//! Explanations of why an action is not valid.

use std::fmt;

use herbrand_ground::{ActionId, GroundComparison, Literal};
use herbrand_pddl::{ObjectId, SchemaId};

/// The reasons why an action is not valid in a state of a ground task, each with its PDDL text.
/// [`Simulator::explain`](crate::Simulator::explain) and [`StepError::Invalid`](crate::StepError::Invalid) give one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionExplanation {
    /// The action that was explained.
    pub action: ActionId,
    /// The action in PDDL syntax.
    pub name: String,
    /// The conditions that fail, literals before comparisons. If the precondition has several disjuncts, it is enough
    /// that one holds. The list then has the first failing condition of each disjunct that fails, even if another
    /// holds. Empty if all hold, or if grounding found every disjunct to be false.
    pub failures: Vec<Failure>,
    /// Whether the precondition has several disjuncts. If not, all of the failures must hold.
    pub is_disjunction: bool,
    /// Whether the action is in fact valid.
    pub valid: bool,
}

/// A condition of a ground precondition that fails in the state. [`ActionExplanation::failures`] and
/// [`Simulator::explain_goal`](crate::Simulator::explain_goal) list them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The failing literal or comparison.
    pub requirement: PreconditionPart,
    /// The condition in PDDL syntax.
    pub text: String,
}

/// A conjunct of a ground precondition or goal: a literal or a comparison. [`Failure::requirement`] has one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PreconditionPart {
    /// A literal: an atom or its negation.
    Literal(Literal),
    /// A comparison of numeric expressions. [`Simulator::compares`](crate::Simulator::compares) evaluates it.
    Comparison(GroundComparison),
}

/// The reasons why an action is not valid in a lifted state, as text: the lifted counterpart of an
/// [`ActionExplanation`]. It also reports static conditions, which a ground task evaluates while grounding.
/// [`LiftedWalker::explain`](crate::LiftedWalker::explain) and [`StepError::NotValid`](crate::StepError::NotValid)
/// give one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LiftedExplanation {
    /// The action schema.
    pub schema: SchemaId,
    /// The arguments of the action.
    pub arguments: Vec<ObjectId>,
    /// The action in PDDL syntax.
    pub name: String,
    /// The conditions that fail, in PDDL syntax with objects for all bound variables; of a quantified condition, one
    /// binding. Empty if the action is valid, or if its precondition never holds.
    pub failures: Vec<String>,
    /// Whether one of the failures would suffice. If not, all of them must hold.
    pub is_disjunction: bool,
    /// Whether the action is in fact valid.
    pub valid: bool,
}

impl fmt::Display for ActionExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_reasons(f, &self.name, self.valid, &self.failures, self.is_disjunction)
    }
}

impl fmt::Display for LiftedExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_reasons(f, &self.name, self.valid, &self.failures, self.is_disjunction)
    }
}

/// The number of failing conditions that are written one by one.
const WRITTEN: usize = 8;

/// Writes that the action is valid, or else which conditions fail. All of them must hold, or at least one if
/// `is_disjunction`.
pub(crate) fn write_reasons(
    f: &mut fmt::Formatter<'_>,
    action: &str,
    valid: bool,
    failures: &[impl fmt::Display],
    is_disjunction: bool,
) -> fmt::Result {
    match failures {
        _ if valid => write!(f, "{action} is valid"),
        [] => write!(f, "{action} is not valid: its precondition cannot hold"),
        [only] => {
            let only = only.to_string();
            match undefined_value(&only) {
                Some(value) => write!(f, "{action} is not valid: {value} has no value"),
                None => write!(f, "{action} is not valid: {only} does not hold"),
            }
        }
        [first, rest @ ..] if is_disjunction => {
            write!(f, "{action} is not valid: none of {first}")?;
            rest.iter().try_for_each(|failure| write!(f, ", {failure}"))?;
            f.write_str(" holds")
        }
        [first, rest @ ..] => {
            write!(f, "{action} is not valid: {first}")?;
            let (listed, last) = match rest {
                [listed @ .., last] if rest.len() < WRITTEN => (listed, last.to_string()),
                _ => (&rest[..WRITTEN - 1], format!("{} more", rest.len() + 1 - WRITTEN)),
            };
            listed.iter().try_for_each(|failure| write!(f, ", {failure}"))?;
            write!(f, " and {last} do not hold")
        }
    }
}

/// Returns the function term that is undefined if this condition fails: `(f)` for `(= (f) (f))`.
fn undefined_value(condition: &str) -> Option<&str> {
    let sides = condition.strip_prefix("(= ")?.strip_suffix(')')?;
    let (left, right) = sides.split_at_checked(sides.len() / 2)?;
    let value = right.strip_prefix(' ')?;
    (left == value && value.starts_with('(')).then_some(value)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns `(word text …)`, or the text itself if there is only one.
pub(crate) fn connected(word: &str, mut texts: Vec<String>) -> String {
    match texts.len() {
        0 => format!("({word})"),
        1 => texts.remove(0),
        _ => format!("({word} {})", texts.join(" ")),
    }
}
