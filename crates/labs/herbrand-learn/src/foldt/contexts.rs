//! Contexts: conditions under which an action has different outcomes or probabilities.
//!
//! A leaf at which an action is applied has outcomes with probabilities. The leaf is split if a test separates examples so
//! that different outcomes on each side improve the score. The score is the log-likelihood of the observations minus a
//! penalty for the model's size, like that of Pasula, Zettlemoyer and Kaelbling (JAIR 2007). Each probability beyond the
//! first costs half the logarithm of the number of examples (Schwarz, "Estimating the dimension of a model", 1978). Each
//! test costs the logarithm of the number of tests.

use herbrand_limits::{Budget, BudgetExhausted};

use super::effects::rows;
use super::grow::{Grower, Leaf, Split};
use crate::experience::Experience;
use crate::outcomes::{Outcome, Outcomes, outcomes};

/// The maximal number of tests whose splits are scored at a leaf. The most informative ones are taken.
const MOST_TESTS: usize = 12;

/// Splits leaves into contexts and learns the outcomes of each.
pub(crate) struct ContextLearner<'g, 'a> {
    pub grower: &'g mut Grower<'a>,
    pub experience: &'a Experience,
    pub budget: &'a Budget,
}

/// A leaf with the outcomes of its action.
pub(crate) struct Context {
    pub leaf: Leaf,
    /// `None` if a changed atom cannot be written over the variables of the leaf.
    pub outcomes: Option<Vec<Outcome>>,
}

impl ContextLearner<'_, '_> {
    /// Returns the contexts of a leaf. The action must be applied in all its examples.
    pub fn contexts(&mut self, leaf: &Leaf) -> Result<Vec<Context>, BudgetExhausted> {
        let mut open = vec![leaf.clone()];
        let mut contexts = Vec::new();
        while let Some(leaf) = open.pop() {
            let mut leaf = self.grower.bind(&leaf)?;
            let Ok(found) = self.outcomes(&leaf)? else {
                contexts.push(Context { leaf, outcomes: None });
                continue;
            };
            for (sample, &class) in leaf.samples.iter_mut().zip(&found.classes) {
                sample.class = class;
            }
            match self.split(&leaf, &found)? {
                Some(Split { succeeds, fails }) => open.extend([fails, succeeds]),
                None => contexts.push(Context {
                    leaf,
                    outcomes: Some(found.list),
                }),
            }
        }
        Ok(contexts)
    }

    fn outcomes(&self, leaf: &Leaf) -> Result<Result<Outcomes, usize>, BudgetExhausted> {
        let rows = rows(self.experience, &leaf.samples);
        outcomes(self.experience, &leaf.path.variables, &rows, self.budget)
    }

    /// Returns the split of a leaf with the best score, or `None` if no split improves the score.
    fn split(&mut self, leaf: &Leaf, found: &Outcomes) -> Result<Option<Split>, BudgetExhausted> {
        let (tried, splits) = self.grower.candidates(leaf, MOST_TESTS)?;
        let per_probability = 0.5 * libm::log(leaf.samples.len() as f64);
        let per_test = libm::log(tried as f64);
        let score = |outcomes: &Outcomes| {
            outcomes.log_likelihood - per_probability * (outcomes.list.len() as f64 - 1.0)
        };
        let mut best = (score(found), None);
        for split in splits {
            let (Ok(succeeds), Ok(fails)) = (self.outcomes(&split.succeeds)?, self.outcomes(&split.fails)?)
            else {
                continue;
            };
            let value = score(&succeeds) + score(&fails) - per_test;
            if value > best.0 {
                best = (value, Some(split));
            }
        }
        Ok(best.1)
    }
}
