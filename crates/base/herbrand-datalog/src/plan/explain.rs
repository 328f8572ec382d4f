//! Join plans in readable form, to explain why an evaluation is slow.

use std::fmt::{self, Display, Formatter};

use crate::program::display::RuleText;
use crate::program::ids::RuleId;
use crate::program::{Atom, Literal, Program, Term};

/// The order in which the literals of one rule's body are joined, starting from new facts of one of its atoms, the
/// trigger. [`Model::plans`](crate::Model::plans) lists the plans of an evaluation, and
/// [`Queries::plan`](crate::Queries::plan) returns that of a query.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinPlan {
    /// The rule whose body is joined.
    pub rule: RuleId,
    /// The atom whose arriving facts start the join; `None` if the plan runs once, at the start of its stratum, and for
    /// every query.
    pub trigger: Option<Atom>,
    /// The steps in order. Atoms that the domains of the variables imply are left out.
    pub steps: Vec<JoinStep>,
}

/// One step of a join plan, executed for each binding of the steps before it. [`JoinPlan::steps`] lists them.
#[derive(Clone, Debug, PartialEq)]
pub enum JoinStep {
    /// Iterates over the facts that match an atom and binds its unbound variables.
    Walk {
        /// The atom, with equalities solved.
        atom: Atom,
        /// The columns of the index by which the facts are found, counted from 0; empty if the step iterates over all
        /// facts of the relation.
        key: Vec<u32>,
        /// The expected number of matching facts per binding before the step.
        matches: f64,
    },
    /// Tests a literal whose variables are all bound.
    Check {
        /// The literal, with equalities solved.
        literal: Literal,
        /// The expected share of bindings for which the literal holds; 1 if there is no estimate.
        matches: f64,
    },
}

impl JoinPlan {
    /// Formats the plan as text for people: a line with the rule and the trigger, then one line per step. `program`
    /// must be the program of the plan.
    ///
    /// # Panics
    /// If the program has no rule with the plan's id.
    pub fn display<'a>(&'a self, program: &'a Program) -> impl Display + 'a {
        PlanText {
            text: RuleText {
                program,
                rule: &program.rules()[self.rule.index()],
            },
            plan: self,
        }
    }
}

struct PlanText<'a> {
    text: RuleText<'a>,
    plan: &'a JoinPlan,
}

impl Display for PlanText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "rule `{}`", self.text.rule.name)?;
        match &self.plan.trigger {
            Some(atom) => {
                f.write_str(" from ")?;
                self.text.atom(f, atom)?;
            }
            None => f.write_str(" once")?,
        }
        self.plan.steps.iter().try_for_each(|step| self.step(f, step))
    }
}

impl PlanText<'_> {
    fn step(&self, f: &mut Formatter<'_>, step: &JoinStep) -> fmt::Result {
        match step {
            JoinStep::Walk { atom, key, matches } => {
                f.write_str("\n  walk ")?;
                self.text.atom(f, atom)?;
                let terms: Vec<Term> = key.iter().map(|column| atom.terms[*column as usize]).collect();
                if !terms.is_empty() {
                    f.write_str(" by ")?;
                    self.text.terms(f, &terms)?;
                }
                write!(f, ": {}", rounded(*matches))
            }
            JoinStep::Check { literal, matches } => {
                f.write_str("\n  check ")?;
                self.text.literal(f, literal)?;
                if *matches == 1.0 {
                    Ok(())
                } else {
                    write!(f, ": {}", rounded(*matches))
                }
            }
        }
    }
}

/// Formats a number with about two significant digits.
fn rounded(number: f64) -> String {
    match number {
        0.0..0.1 => format!("{number:.3}"),
        0.1..10.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}
