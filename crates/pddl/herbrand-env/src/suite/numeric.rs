//! The numeric functions that are part of the state.

use herbrand_pddl::{Domain, Effect, Expression, Formula};

use super::Suite;
use crate::error::EnvError;

impl Suite {
    /// Returns the names of the numeric functions that are part of the state, in the order of the domain: operators change them,
    /// and a condition, a goal or an effect reads them. Observations of atoms leave them out.
    ///
    /// # Errors
    /// Fails if a problem is faulty.
    pub fn state_functions(&self) -> Result<Vec<String>, EnvError> {
        let mut found = NumericState::of(self.domain());
        if found.assigned.contains(&true) {
            for index in 0..self.len() {
                found.read_formula(&self.parse_problem(index)?.goal);
            }
        }
        Ok(found.names())
    }
}

/// For each function of a domain, whether operators assign it and whether something reads it.
struct NumericState<'d> {
    domain: &'d Domain,
    assigned: Vec<bool>,
    read: Vec<bool>,
}

impl<'d> NumericState<'d> {
    /// Examines the operators and axioms of a domain. `(increase (total-cost) 1)` assigns
    /// `total-cost` but does not count as reading it.
    fn of(domain: &'d Domain) -> Self {
        let mut found = Self {
            domain,
            assigned: vec![false; domain.functions.len()],
            read: vec![false; domain.functions.len()],
        };
        for axiom in &domain.axioms {
            found.read_formula(&axiom.body);
        }
        for schema in &domain.schemas {
            found.read_formula(&schema.precondition);
            schema.effect.walk(&mut |part| match part {
                Effect::When(condition, _) => found.read_formula(condition),
                Effect::Assign(assignment) => {
                    found.assigned[assignment.target.function.index()] = true;
                    found.read_expression(&assignment.value);
                }
                _ => {}
            });
        }
        found
    }

    /// Marks the functions that a formula reads.
    fn read_formula(&mut self, formula: &Formula) {
        formula.walk(&mut |part, _| {
            if let Formula::Compare(_, left, right) = part {
                self.read_expression(left);
                self.read_expression(right);
            }
        });
    }

    fn read_expression(&mut self, expression: &Expression) {
        expression.walk(&mut |part| {
            if let Expression::Fluent(term) = part {
                self.read[term.function.index()] = true;
            }
        });
    }

    /// Returns the names of the functions that operators assign and something reads, in the order of the domain.
    fn names(&self) -> Vec<String> {
        let marks = self.assigned.iter().zip(&self.read);
        let functions = self.domain.functions.iter().zip(marks);
        functions
            .filter(|(_, (assigned, read))| **assigned && **read)
            .map(|(function, _)| function.name.as_str().to_owned())
            .collect()
    }
}
