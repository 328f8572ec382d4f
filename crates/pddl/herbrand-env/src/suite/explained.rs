//! Goals and impossible actions of a suite's problems, explained.

use herbrand_core::{Described, Explained, FactValue, GoalConjunct};

use super::{LiftedSuite, Suite};
use crate::error::EnvError;
use crate::goal::{TrueFacts, goal_conjuncts, mentioned};
use crate::planning::{Grounded, Lifted, Planning, SteppingEngine};

impl Suite {
    fn conjuncts<W: SteppingEngine>(
        &self,
        index: usize,
        planning: &Planning<W>,
    ) -> Result<Vec<GoalConjunct>, EnvError> {
        let problem = self.checked_problem(index)?;
        let names = mentioned(self.domain(), problem);
        let mut facts = Vec::new();
        planning.facts(&mut |fact| {
            if fact.value == FactValue::Bool(true) && names.contains(fact.name) {
                let arguments = fact.arguments.iter().map(|&name| name.to_owned());
                facts.push((fact.name.to_owned(), arguments.collect::<Vec<_>>()));
            }
        });
        let facts = facts.iter().map(|(name, arguments)| {
            let arguments = arguments.iter().map(String::as_str).collect();
            (name.as_str(), arguments)
        });
        let facts: TrueFacts<'_> = facts.collect();
        Ok(goal_conjuncts(self.domain(), problem, facts))
    }
}

impl Explained for Suite {
    fn goal_conjuncts(
        &self,
        index: usize,
        planning: &Planning<Grounded>,
    ) -> Result<Vec<GoalConjunct>, EnvError> {
        self.conjuncts(index, planning)
    }

    fn never_valid(&self, index: usize, text: &str) -> Option<String> {
        self.why_never(index, text).ok().flatten()
    }
}

impl Explained for LiftedSuite {
    fn goal_conjuncts(
        &self,
        index: usize,
        planning: &Planning<Lifted>,
    ) -> Result<Vec<GoalConjunct>, EnvError> {
        self.suite().conjuncts(index, planning)
    }

    fn never_valid(&self, index: usize, text: &str) -> Option<String> {
        self.suite().why_never(index, text).ok().flatten()
    }
}
