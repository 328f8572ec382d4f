//! Join plans as text.

use std::fmt::{self, Display, Formatter};

use crate::program::display::RuleText;
use crate::{Atom, Literal, Program, RuleId, Term};

/// How the bindings of one rule's body are found: from a fact that triggers it, or from nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct JoinPlan {
    /// The rule.
    pub rule: RuleId,
    /// The atom that an arriving fact must match; `None` if the plan runs once, at the start of its
    /// stratum.
    pub trigger: Option<Atom>,
    /// The steps in order. Atoms that the domains of variables imply are left out.
    pub steps: Vec<JoinStep>,
}

/// One step of a join plan.
#[derive(Clone, Debug, PartialEq)]
pub enum JoinStep {
    /// Walk along the facts that match an atom and bind its remaining variables.
    Walk {
        /// The atom, with equalities solved.
        atom: Atom,
        /// The columns by which an index finds the facts; none if all facts are walked along.
        key: Vec<u32>,
        /// How many facts are expected to match each binding before the step.
        matches: f64,
    },
    /// Go on if a literal without open variables holds.
    Check {
        /// The literal, with equalities solved.
        literal: Literal,
        /// How often it is expected to hold, where that was guessed.
        matches: f64,
    },
}

impl JoinPlan {
    /// The plan as text, one line for each step.
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

/// A number to two significant digits or so.
fn rounded(number: f64) -> String {
    match number {
        0.0..0.1 => format!("{number:.3}"),
        0.1..10.0 => format!("{number:.1}"),
        _ => format!("{number:.0}"),
    }
}
