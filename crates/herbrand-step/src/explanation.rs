//! Why an action is not valid.

use std::fmt;

use herbrand_ground::{ActionId, Conjunction, GroundComparison, GroundTask, Literal};
use herbrand_pddl::{Comparison, Operator};

/// Why an action is not valid in a state, in words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The action.
    pub action: ActionId,
    /// The action as PDDL writes it.
    pub name: String,
    /// For each way in which the precondition can hold, the first condition that fails. Empty when the action is
    /// valid, or when no way is left at all.
    pub failures: Vec<Failure>,
    /// Whether the action is valid after all.
    pub valid: bool,
}

/// A condition that fails, with all variables bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What was asked for.
    pub requirement: Requirement,
    /// What was asked for, as PDDL writes it.
    pub text: String,
}

/// One part of a conjunction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Requirement {
    /// A literal.
    Literal(Literal),
    /// A comparison of numbers.
    Comparison(GroundComparison),
}

impl Failure {
    /// The first part of `conjunction` that is not fulfilled, literals before comparisons.
    pub(crate) fn first(
        task: &GroundTask,
        conjunction: Conjunction<'_>,
        fulfilled: impl Fn(Requirement) -> bool,
    ) -> Option<Self> {
        let literals = conjunction.literals.iter().map(|&l| Requirement::Literal(l));
        let comparisons = conjunction
            .comparisons
            .iter()
            .map(|&c| Requirement::Comparison(c));
        let requirement = literals.chain(comparisons).find(|&r| !fulfilled(r))?;
        Some(Self {
            requirement,
            text: requirement_text(task, requirement),
        })
    }
}

impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_reasons(f, &self.name, self.valid, &self.failures)
    }
}

/// Says of an action that it is valid, or else which conditions fail.
pub(crate) fn write_reasons(
    f: &mut fmt::Formatter<'_>,
    action: &str,
    valid: bool,
    failures: &[impl fmt::Display],
) -> fmt::Result {
    match failures {
        _ if valid => write!(f, "{action} is valid"),
        [] => write!(f, "{action} is not valid: its precondition cannot hold"),
        [only] => write!(f, "{action} is not valid: {only} does not hold"),
        [first, rest @ ..] => {
            write!(f, "{action} is not valid: none of {first}")?;
            rest.iter().try_for_each(|failure| write!(f, ", {failure}"))?;
            f.write_str(" holds")
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A conjunction as PDDL writes it.
pub(crate) fn conjunction_text(task: &GroundTask, conjunction: Conjunction<'_>) -> String {
    let literals = conjunction.literals.iter().map(|&l| Requirement::Literal(l));
    let comparisons = conjunction
        .comparisons
        .iter()
        .map(|&c| Requirement::Comparison(c));
    let parts = literals.chain(comparisons);
    connected("and", parts.map(|part| requirement_text(task, part)).collect())
}

/// `(word text …)`, or the text where there is one alone.
pub(crate) fn connected(word: &str, mut texts: Vec<String>) -> String {
    match texts.len() {
        0 => format!("({word})"),
        1 => texts.remove(0),
        _ => format!("({word} {})", texts.join(" ")),
    }
}

fn requirement_text(task: &GroundTask, requirement: Requirement) -> String {
    let (negated, text) = match requirement {
        Requirement::Literal(literal) => (
            literal.is_negative(),
            task.display_atom(literal.atom()).to_string(),
        ),
        Requirement::Comparison(c) => {
            let symbol = comparison_sign(c.comparison);
            let sides = [c.left, c.right].map(|side| task.display_expression(side));
            (c.negated, format!("({symbol} {} {})", sides[0], sides[1]))
        }
    };
    if negated { format!("(not {text})") } else { text }
}

pub(crate) const fn comparison_sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Less => "<",
        Comparison::LessOrEqual => "<=",
        Comparison::Equal => "=",
        Comparison::GreaterOrEqual => ">=",
        Comparison::Greater => ">",
    }
}

pub(crate) const fn operator_sign(operator: Operator) -> &'static str {
    match operator {
        Operator::Add => "+",
        Operator::Subtract | Operator::Negate => "-",
        Operator::Multiply => "*",
        Operator::Divide => "/",
    }
}
