//! The reference implementation of answers: it enumerates all objects.

use herbrand_limits::{Budget, BudgetExhausted};
use herbrand_pddl::{AtomRef, ObjectId, Term};

use super::{Answers, check_room};
use crate::choices::choices;
use crate::experience::{Experience, ground, objects_of};
use crate::query::{Count, Sample, Test};

/// Answers tests by enumerating all bindings in every example.
pub(crate) struct ScanAnswers<'e> {
    experience: &'e Experience,
    budget: &'e Budget,
}

impl<'e> ScanAnswers<'e> {
    pub const fn new(experience: &'e Experience, budget: &'e Budget) -> Self {
        Self { experience, budget }
    }

    /// Returns all bindings of a test's fresh variables in an example.
    fn bindings(&self, sample: &Sample, test: &Test) -> Vec<Vec<ObjectId>> {
        let (fresh, atoms) = match test {
            Test::Equal(one, other) => {
                let value = |term: &Term| match term {
                    Term::Variable(variable) => sample.values[variable.index()],
                    Term::Object(constant) => *constant,
                };
                return if value(one) == value(other) {
                    vec![Vec::new()]
                } else {
                    Vec::new()
                };
            }
            Test::Exists { fresh, atoms } => (fresh, atoms),
        };
        let vocabulary = &self.experience.scene_of(sample.state).vocabulary;
        let holds = |choice: &Vec<ObjectId>| {
            let values = [sample.values.as_slice(), choice].concat();
            atoms.iter().all(|atom| {
                let arguments = ground(atom, &values);
                let fact = AtomRef {
                    predicate: atom.predicate,
                    arguments: &arguments,
                };
                self.experience.holds(sample.state, fact)
            })
        };
        choices(&objects_of(vocabulary, fresh)).filter(holds).collect()
    }
}

impl Answers for ScanAnswers<'_> {
    fn counts(&mut self, samples: &[Sample], tests: &[Test]) -> Result<Vec<Vec<Count>>, BudgetExhausted> {
        check_room(self.budget, samples, tests)?;
        let mut all = Vec::with_capacity(tests.len());
        for test in tests {
            self.budget.check("answering queries", 0)?;
            let count = |sample: &Sample| match self.bindings(sample, test).len() {
                0 => Count::None,
                1 => Count::One,
                _ => Count::Many,
            };
            all.push(samples.iter().map(count).collect());
        }
        Ok(all)
    }

    fn values(
        &mut self,
        samples: &[Sample],
        test: &Test,
    ) -> Result<Vec<Option<Vec<ObjectId>>>, BudgetExhausted> {
        self.budget.check("answering queries", 0)?;
        let only = |sample: &Sample| match self.bindings(sample, test).as_slice() {
            [one] => Some(one.clone()),
            _ => None,
        };
        Ok(samples.iter().map(only).collect())
    }
}
