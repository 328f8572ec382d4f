//! The numeric functions that are part of the state.

use herbrand_ground::{FunctionKind, NormalDomain};
use herbrand_pddl::{Expression, Formula, FunctionId, InitialChance};

use super::Suite;
use crate::error::EnvError;

impl Suite {
    /// Returns the functions whose values are part of the states of the problems: those that operators change or that the initial
    /// state draws, except `total-cost` and `reward` where only the metric reads them. Observations of atoms leave them out.
    ///
    /// # Errors
    /// Fails if a problem is faulty.
    pub fn state_functions(&self) -> Result<Vec<FunctionId>, EnvError> {
        let mut kinds = NormalDomain::of(self.stepped_domain()).functions;
        let problems = if kinds.is_empty() { 0 } else { self.len() };
        for index in 0..problems {
            let problem = self.parse_problem(index)?;
            problem.goal.walk(&mut |part, _| {
                if let Formula::Compare(_, left, right) = part {
                    left.walk(&mut |part| mark_read(part, &mut kinds));
                    right.walk(&mut |part| mark_read(part, &mut kinds));
                }
            });
            mark_drawn(&self.shared.stepped_problem(&problem).chances, &mut kinds);
        }
        let ids = (0..).map(FunctionId::new).zip(kinds);
        let fluents = ids.filter(|(_, kind)| *kind == FunctionKind::Fluent);
        Ok(fluents.map(|(id, _)| id).collect())
    }
}

fn mark_read(part: &Expression, kinds: &mut [FunctionKind]) {
    if let Expression::Fluent(term) = part
        && kinds[term.function.index()] == FunctionKind::Accumulator
    {
        kinds[term.function.index()] = FunctionKind::Fluent;
    }
}

fn mark_drawn(chances: &[InitialChance], kinds: &mut [FunctionKind]) {
    for (_, outcome) in chances.iter().flat_map(|chance| &chance.alternatives) {
        for value in &outcome.values {
            kinds[value.function.index()] = FunctionKind::Fluent;
        }
        mark_drawn(&outcome.chances, kinds);
    }
}
