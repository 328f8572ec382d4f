//! Contexts of chance: conditions under which an action has outcomes or probabilities of its own.
//!
//! A leaf at which an action is carried out has outcomes with probabilities. If a test tells for which examples others are
//! better, the leaf is split. "Better" weighs how likely the model makes what was seen against its size, as the score of
//! Pasula, Zettlemoyer and Kaelbling (JAIR 2007) does: each probability beyond the first costs half the logarithm of the
//! number of examples (Schwarz, "Estimating the dimension of a model", 1978), and a test the logarithm of the number of tests.

use herbrand_limits::{Budget, Spent};

use super::effects::rows;
use super::grow::{Grower, Leaf, Split};
use crate::experience::Experience;
use crate::outcomes::{Outcome, Outcomes, outcomes};

/// The most tests that are tried at a leaf: those that tell most of which outcomes an example is due to.
const MOST_TESTS: usize = 12;

/// Learns contexts and their outcomes.
pub(crate) struct ContextLearner<'g, 'a> {
    pub grower: &'g mut Grower<'a>,
    pub experience: &'a Experience,
    pub budget: &'a Budget,
}

/// A leaf with the outcomes of the action there.
pub(crate) struct Context {
    pub leaf: Leaf,
    /// `None` if something changes that no variable of the leaf stands for.
    pub outcomes: Option<Vec<Outcome>>,
}

impl ContextLearner<'_, '_> {
    /// The contexts of a leaf whose examples were carried out.
    pub fn contexts(&mut self, leaf: &Leaf) -> Result<Vec<Context>, Spent> {
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

    fn outcomes(&self, leaf: &Leaf) -> Result<Result<Outcomes, usize>, Spent> {
        let rows = rows(self.experience, &leaf.samples);
        outcomes(self.experience, &leaf.path.variables, &rows, self.budget)
    }

    /// The best split of a leaf with these outcomes; `None` if it is better as it is.
    fn split(&mut self, leaf: &Leaf, found: &Outcomes) -> Result<Option<Split>, Spent> {
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
