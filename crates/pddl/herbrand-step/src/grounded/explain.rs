//! Explaining why an action of a ground task is not valid, and why its goal does not hold.

use herbrand_ground::{ActionId, Conjunction, GroundTask};

use crate::grounded::simulator::Simulator;
use crate::grounded::state::{State, Valuation};
use crate::semantics::error::StepError;
use crate::semantics::explanation::{ActionExplanation, Failure, PreconditionPart, connected};

impl Simulator {
    /// Explains why an action is not valid in a state: literals and comparisons of its precondition that fail. If it is
    /// valid, [`ActionExplanation::valid`] is set. If the precondition has several disjuncts, there is one failure per
    /// disjunct that fails, also if another one holds: the first conjunct that fails. No failure is listed if grounding found that no
    /// reachable state allows the action.
    ///
    /// # Errors
    /// [`StepError::UnknownAction`] if the task has no such action, and [`StepError::ForeignState`] if the state has
    /// another shape than the states of this task; an action that is not valid is no error.
    pub fn explain(&self, state: &State, action: ActionId) -> Result<ActionExplanation, StepError> {
        self.known(action)?;
        if !state.fits(self.task()) {
            return Err(StepError::ForeignState);
        }
        Ok(self.explain_in(&self.close(state), action))
    }

    /// Explains why an action is not valid, given the truth of all atoms of the state.
    pub(crate) fn explain_in(&self, world: &impl Valuation, action: ActionId) -> ActionExplanation {
        let task = self.task();
        let precondition = task.actions.get(action).precondition;
        let ways = task.conditions.conjunctions(precondition);
        let is_disjunction = ways.clone().count() > 1;
        let most = if is_disjunction { 1 } else { usize::MAX };
        let failures = ways.flat_map(|id| self.failures(world, task.conditions.get(id)).take(most));
        ActionExplanation {
            action,
            name: task.display_action(action).to_string(),
            failures: failures.collect(),
            is_disjunction,
            valid: self.holds(world, precondition),
        }
    }

    /// Returns the literals and comparisons of the goal that fail in a state: those of the disjunct with the fewest,
    /// the first on ties. Literals come before comparisons. Empty if the goal holds, if grounding found that it never
    /// holds, or if the problem has no goal.
    ///
    /// # Panics
    /// If the state has another shape than the states of this task.
    #[must_use]
    #[track_caller]
    pub fn explain_goal(&self, state: &State) -> Vec<Failure> {
        let task = self.task();
        let world = self.close(state);
        let ways = task.conditions.conjunctions(task.goal);
        let failures = ways.map(|id| self.failures(&world, task.conditions.get(id)).collect::<Vec<_>>());
        failures.min_by_key(Vec::len).unwrap_or_default()
    }

    /// Returns the conjuncts of `conjunction` that fail, literals before comparisons.
    fn failures(
        &self,
        world: &impl Valuation,
        conjunction: Conjunction<'_>,
    ) -> impl Iterator<Item = Failure> {
        let failing = requirements(conjunction).filter(move |requirement| match *requirement {
            PreconditionPart::Literal(literal) => world.holds(literal.atom()) == literal.is_negative(),
            PreconditionPart::Comparison(comparison) => !self.arithmetic().holds(comparison, world),
        });
        failing.map(|requirement| Failure {
            requirement,
            text: requirement_text(self.task(), requirement),
        })
    }
}

/// Iterates over the conjuncts, literals before comparisons.
fn requirements(conjunction: Conjunction<'_>) -> impl Iterator<Item = PreconditionPart> {
    let literals = conjunction.literals.iter().map(|&l| PreconditionPart::Literal(l));
    let comparisons = conjunction.comparisons.iter();
    literals.chain(comparisons.map(|&c| PreconditionPart::Comparison(c)))
}

/// Formats a conjunction in PDDL syntax.
pub(crate) fn conjunction_text(task: &GroundTask, conjunction: Conjunction<'_>) -> String {
    let parts = requirements(conjunction);
    connected("and", parts.map(|part| requirement_text(task, part)).collect())
}

fn requirement_text(task: &GroundTask, requirement: PreconditionPart) -> String {
    let (negated, text) = match requirement {
        PreconditionPart::Literal(literal) => (
            literal.is_negative(),
            task.display_atom(literal.atom()).to_string(),
        ),
        PreconditionPart::Comparison(c) => {
            let symbol = c.comparison;
            let sides = [c.left, c.right].map(|side| task.display_expression(side));
            (c.negated, format!("({symbol} {} {})", sides[0], sides[1]))
        }
    };
    if negated { format!("(not {text})") } else { text }
}
