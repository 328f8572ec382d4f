//! The sources of draws: random numbers, or the enumeration of all outcomes.

use std::cell::RefCell;

use herbrand_distributions::{Draws, Family, ParameterError, Site, WeightKind, choose};

use super::error::RddlEvaluationError;

/// A source of draws.
pub(super) trait Chance {
    /// Draws a bool that is true with probability `p`.
    fn bernoulli(&self, site: Site, p: f64) -> Result<bool, RddlEvaluationError>;

    /// Draws an index with probabilities given by `weights`.
    fn choose(&self, site: Site, choice: WeightKind, weights: &[f64]) -> Result<usize, RddlEvaluationError>;

    /// Draws a number from a family of distributions with up to two parameters.
    fn family(&self, site: Site, family: Family, first: f64, second: f64)
    -> Result<f64, RddlEvaluationError>;

    /// Draws a vector by calling `draw` with random numbers.
    fn vector(
        &self,
        draw: &mut dyn FnMut(&dyn ObjectDraws) -> Result<(), ParameterError>,
    ) -> Result<(), RddlEvaluationError>;
}

/// An object-safe version of [`Draws`].
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

/// An adapter from [`ObjectDraws`] to [`Draws`], for the functions that draw vectors.
pub(super) struct Behind<'d>(pub(super) &'d dyn ObjectDraws);

impl Draws for Behind<'_> {
    fn uniform(&self, site: Site) -> f64 {
        self.0.uniform(site)
    }

    fn standard_students(&self, site: Site, degrees: f64, into: &mut [f64]) -> Result<(), ParameterError> {
        self.0.standard_students(site, degrees, into)
    }
}

/// A source of draws that uses random numbers.
pub(super) struct Drawn<'d, D>(pub(super) &'d D);

impl<D: Draws> Chance for Drawn<'_, D> {
    fn bernoulli(&self, site: Site, p: f64) -> Result<bool, RddlEvaluationError> {
        Ok(self.0.uniform(site) <= p)
    }

    fn choose(&self, site: Site, choice: WeightKind, weights: &[f64]) -> Result<usize, RddlEvaluationError> {
        Ok(choose(choice, weights, self.0.uniform(site))?)
    }

    fn family(
        &self,
        site: Site,
        family: Family,
        first: f64,
        second: f64,
    ) -> Result<f64, RddlEvaluationError> {
        Ok(family.quantile(self.0.uniform(site), first, second)?)
    }

    fn vector(
        &self,
        draw: &mut dyn FnMut(&dyn ObjectDraws) -> Result<(), ParameterError>,
    ) -> Result<(), RddlEvaluationError> {
        Ok(draw(self.0)?)
    }
}

/// An enumeration of the outcomes of all draws. Each evaluation follows one sequence of outcomes, and [`next`](Self::next)
/// moves to the next sequence.
///
/// A draw takes the outcome that is recorded for its position. A draw after the recorded ones takes its first possible
/// outcome.
#[derive(Default)]
pub(super) struct Outcomes {
    path: RefCell<Path>,
}

#[derive(Default)]
struct Path {
    /// The recorded outcome of each draw, with the probabilities of all its outcomes.
    choices: Vec<(usize, Vec<f64>)>,
    /// The index of the next draw.
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

    /// Returns the probability of the current sequence of outcomes.
    pub(super) fn probability(&self) -> f64 {
        let path = self.path.borrow();
        path.choices.iter().map(|(taken, all)| all[*taken]).product()
    }

    /// Moves to the next sequence of outcomes. Returns `false` if there are no more.
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
    fn bernoulli(&self, _: Site, p: f64) -> Result<bool, RddlEvaluationError> {
        Ok(self.take(&[p, 1.0 - p]) == 0)
    }

    fn choose(&self, _: Site, choice: WeightKind, weights: &[f64]) -> Result<usize, RddlEvaluationError> {
        let total = choice.total(weights)?;
        let probabilities: Vec<f64> = weights.iter().map(|weight| weight / total).collect();
        Ok(self.take(&probabilities))
    }

    fn family(&self, _: Site, _: Family, _: f64, _: f64) -> Result<f64, RddlEvaluationError> {
        Err(RddlEvaluationError::Infinite)
    }

    fn vector(
        &self,
        _: &mut dyn FnMut(&dyn ObjectDraws) -> Result<(), ParameterError>,
    ) -> Result<(), RddlEvaluationError> {
        Err(RddlEvaluationError::Infinite)
    }
}
