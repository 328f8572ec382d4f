//! Where the outcomes of draws come from: random numbers, or a search through all of them.

use std::cell::RefCell;

use herbrand_rddl::draw::{Choice, Draws, Family, ParameterError, Site, choose};

use super::error::EvaluationError;

/// What decides draws.
pub(super) trait Chance {
    /// Whether a draw with this probability is true.
    fn bernoulli(&self, site: Site, p: f64) -> Result<bool, EvaluationError>;

    /// Which of some weights is drawn.
    fn choose(&self, site: Site, choice: Choice, weights: &[f64]) -> Result<usize, EvaluationError>;

    /// A draw from a family of distributions.
    fn family(&self, site: Site, family: Family, first: f64, second: f64) -> Result<f64, EvaluationError>;

    /// A draw of a vector, made by `draw`.
    fn vector(
        &self,
        draw: &mut dyn FnMut(&dyn ObjectDraws) -> Result<(), ParameterError>,
    ) -> Result<(), EvaluationError>;
}

/// Draws behind a pointer.
pub(super) trait ObjectDraws {
    fn uniform(&self, site: Site) -> f64;
    fn standard_students(&self, site: Site, degrees: f64, into: &mut [f64]) -> Result<(), ParameterError>;
}

impl<D: Draws> ObjectDraws for D {
    fn uniform(&self, site: Site) -> f64 {
        Draws::uniform(self, site)
    }

    fn standard_students(&self, site: Site, degrees: f64, into: &mut [f64]) -> Result<(), ParameterError> {
        Draws::standard_students(self, site, degrees, into)
    }
}

/// The same draws, as the functions of vectors take them.
pub(super) struct Behind<'d>(pub(super) &'d dyn ObjectDraws);

impl Draws for Behind<'_> {
    fn uniform(&self, site: Site) -> f64 {
        self.0.uniform(site)
    }

    fn standard_students(&self, site: Site, degrees: f64, into: &mut [f64]) -> Result<(), ParameterError> {
        self.0.standard_students(site, degrees, into)
    }
}

/// Draws by random numbers.
pub(super) struct Drawn<'d, D>(pub(super) &'d D);

impl<D: Draws> Chance for Drawn<'_, D> {
    fn bernoulli(&self, site: Site, p: f64) -> Result<bool, EvaluationError> {
        Ok(self.0.uniform(site) <= p)
    }

    fn choose(&self, site: Site, choice: Choice, weights: &[f64]) -> Result<usize, EvaluationError> {
        Ok(choose(choice, weights, self.0.uniform(site))?)
    }

    fn family(&self, site: Site, family: Family, first: f64, second: f64) -> Result<f64, EvaluationError> {
        Ok(family.quantile(self.0.uniform(site), first, second)?)
    }

    fn vector(
        &self,
        draw: &mut dyn FnMut(&dyn ObjectDraws) -> Result<(), ParameterError>,
    ) -> Result<(), EvaluationError> {
        Ok(draw(self.0)?)
    }
}

/// One way through the outcomes of all draws; [`next`](Self::next) goes to another one until there is none.
///
/// The first draws have the outcomes that are stated, and those that come after them the first one that is possible.
#[derive(Default)]
pub(super) struct Outcomes {
    path: RefCell<Path>,
}

#[derive(Default)]
struct Path {
    /// The outcome of each draw so far, with the probabilities of all its outcomes.
    choices: Vec<(usize, Vec<f64>)>,
    /// Which draw is the next one.
    position: usize,
}

impl Outcomes {
    fn take(&self, probabilities: &[f64]) -> usize {
        let mut path = self.path.borrow_mut();
        if path.position == path.choices.len() {
            let first = probabilities.iter().position(|&p| p > 0.0).unwrap_or(0);
            path.choices.push((first, probabilities.to_vec()));
        }
        path.position += 1;
        path.choices[path.position - 1].0
    }

    /// The probability of the outcomes that were taken.
    pub(super) fn probability(&self) -> f64 {
        let path = self.path.borrow();
        path.choices.iter().map(|(taken, all)| all[*taken]).product()
    }

    /// Goes to the next way; false if there is none.
    pub(super) fn next(&self) -> bool {
        let mut path = self.path.borrow_mut();
        path.position = 0;
        while let Some((taken, all)) = path.choices.last_mut() {
            let after = *taken + 1;
            if let Some(further) = all[after..].iter().position(|&p| p > 0.0) {
                *taken = after + further;
                return true;
            }
            path.choices.pop();
        }
        false
    }
}

impl Chance for Outcomes {
    fn bernoulli(&self, _: Site, p: f64) -> Result<bool, EvaluationError> {
        Ok(self.take(&[p, 1.0 - p]) == 0)
    }

    fn choose(&self, _: Site, choice: Choice, weights: &[f64]) -> Result<usize, EvaluationError> {
        let total = choice.total(weights)?;
        let probabilities: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        Ok(self.take(&probabilities))
    }

    fn family(&self, _: Site, _: Family, _: f64, _: f64) -> Result<f64, EvaluationError> {
        Err(EvaluationError::Infinite)
    }

    fn vector(
        &self,
        _: &mut dyn FnMut(&dyn ObjectDraws) -> Result<(), ParameterError>,
    ) -> Result<(), EvaluationError> {
        Err(EvaluationError::Infinite)
    }
}
