//! Explaining why an action of a ground task is not valid.

use herbrand_ground::{ActionId, Conjunction, GroundTask};

use crate::grounded::simulator::Simulator;
use crate::grounded::state::{State, Valuation};
use crate::semantics::error::StepError;
use crate::semantics::explanation::{Explanation, Failure, Requirement, connected};

impl Simulator {
    /// Explains why an action is not valid in a state: the conditions of its precondition that fail. If it is valid,
    /// [`Explanation::valid`] is set and there are no failures.
    ///
    /// # Errors
    /// Fails if the task has no such action.
    pub fn explain(&self, state: &State, action: ActionId) -> Result<Explanation, StepError> {
        self.known(action)?;
        Ok(self.explain_in(&self.close(state), action))
    }

    /// Explains why an action is not valid, given the truth of all atoms of the state.
    pub(crate) fn explain_in(&self, world: &impl Valuation, action: ActionId) -> Explanation {
        let task = self.task();
        let fulfilled = |requirement| match requirement {
            Requirement::Literal(literal) => world.holds(literal.atom()) != literal.is_negative(),
            Requirement::Comparison(comparison) => self.arithmetic().holds(comparison, world),
        };
        let precondition = task.actions.get(action).precondition;
        let ways = task.conditions.conjunctions(precondition);
        let failures = ways.filter_map(|id| Failure::first(task, task.conditions.get(id), fulfilled));
        Explanation {
            action,
            name: task.display_action(action).to_string(),
            failures: failures.collect(),
            valid: self.holds(world, precondition),
        }
    }
}

impl Failure {
    /// The first conjunct of `conjunction` that fails, with literals checked before comparisons.
    fn first(
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

/// Formats a conjunction in PDDL syntax.
pub(crate) fn conjunction_text(task: &GroundTask, conjunction: Conjunction<'_>) -> String {
    let literals = conjunction.literals.iter().map(|&l| Requirement::Literal(l));
    let comparisons = conjunction
        .comparisons
        .iter()
        .map(|&c| Requirement::Comparison(c));
    let parts = literals.chain(comparisons);
    connected("and", parts.map(|part| requirement_text(task, part)).collect())
}

fn requirement_text(task: &GroundTask, requirement: Requirement) -> String {
    let (negated, text) = match requirement {
        Requirement::Literal(literal) => (
            literal.is_negative(),
            task.display_atom(literal.atom()).to_string(),
        ),
        Requirement::Comparison(c) => {
            let symbol = c.comparison;
            let sides = [c.left, c.right].map(|side| task.display_expression(side));
            (c.negated, format!("({symbol} {} {})", sides[0], sides[1]))
        }
    };
    if negated { format!("(not {text})") } else { text }
}
