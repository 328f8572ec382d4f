//! Trying plans by roll-outs.

use std::sync::Arc;

use herbrand_core::{Choice, Domain, Random, Value};

use super::{StraightPlan, agent};
use crate::Horizon;
use crate::simulate::{Chance, Process, RolloutEnd, Rollouts, StepError, Values};

/// On how many draws the plans that are left are compared in the end.
const TRIALS: usize = 64;

/// The longest plan unless more is asked for.
const LONGEST: u32 = 100;

/// How many steps a plan has: as many as the horizon, but no more than 100, if nothing is said.
pub(crate) fn steps(process: &Process, lookahead: Option<u32>) -> u32 {
    match (lookahead, process.instance.horizon) {
        (Some(steps), _) => steps,
        (None, Horizon::Steps(steps)) => steps.min(LONGEST),
        (None, Horizon::Infinite) => LONGEST,
    }
}

/// Plans to be tried: by step, field and plan, a number.
pub(crate) struct Candidates {
    pub(crate) numbers: Vec<f64>,
    pub(crate) count: usize,
    pub(crate) fields: usize,
    steps: usize,
}

impl Candidates {
    pub(crate) fn new(count: usize, fields: usize, steps: usize) -> Self {
        Self {
            numbers: vec![0.0; count * fields * steps],
            count,
            fields,
            steps,
        }
    }

    /// How many steps the plans have.
    pub(crate) const fn steps(&self) -> usize {
        self.steps
    }

    pub(crate) fn place(&self, step: usize, field: usize, candidate: usize) -> usize {
        (step * self.fields + field) * self.count + candidate
    }

    /// The numbers of one plan.
    pub(crate) fn take(&self, candidate: usize) -> Vec<f64> {
        self.numbers[candidate..]
            .iter()
            .step_by(self.count)
            .copied()
            .collect()
    }
}

/// Roll-outs that plans are compared by.
#[derive(Clone, Debug)]
pub(crate) struct Trials {
    rollouts: Rollouts,
    seed: u64,
    simulated: u64,
}

impl Trials {
    pub(crate) fn new(process: Arc<Process>, enforced: bool, seed: u64) -> Self {
        Self {
            rollouts: Rollouts::new(process).enforcing_preconditions(enforced),
            seed,
            simulated: 0,
        }
    }

    pub(crate) const fn process(&self) -> &Arc<Process> {
        self.rollouts.process()
    }

    /// Counts simulated steps from 0 on.
    pub(crate) const fn forget(&mut self) {
        self.simulated = 0;
    }

    /// Counts steps that were simulated elsewhere.
    pub(crate) const fn count(&mut self, steps: u64) {
        self.simulated += steps;
    }

    /// The mean return of each plan, and its standard error. Every plan meets the same draws.
    pub(crate) fn score(
        &mut self,
        state: &Values,
        candidates: &Candidates,
        scenarios: usize,
        round: u64,
    ) -> Result<Vec<(f64, f64)>, StepError> {
        let discount = self.process().instance.discount;
        let seed = Random::new(self.seed).stream(1 + round).to_bytes();
        let chance = Chance::Scenarios {
            seed: u64::from_le_bytes([
                seed[0], seed[1], seed[2], seed[3], seed[4], seed[5], seed[6], seed[7],
            ]),
            count: scenarios,
        };
        let steps = candidates.steps() as u32;
        let count = candidates.count * scenarios;
        let ends = self
            .rollouts
            .run(state, count, steps, discount, chance, |step, actions| {
                for field in 0..candidates.fields {
                    let first = candidates.place(step as usize, field, 0);
                    let plans = actions.rollouts().map(|rollout| rollout / scenarios);
                    actions.set(field, plans.map(|plan| candidates.numbers[first + plan]));
                }
            })?;
        self.simulated += ends.iter().map(|end| u64::from(end.steps)).sum::<u64>();
        Ok(ends.chunks(scenarios).map(of_ends).collect())
    }

    /// The plan that pays most on draws that none was chosen by; the first of equals.
    pub(crate) fn choose(
        &mut self,
        state: &Values,
        plans: &[Vec<f64>],
        steps: usize,
    ) -> Result<StraightPlan, StepError> {
        let fields = self.process().actions().fields().len();
        let mut candidates = Candidates::new(plans.len(), fields, steps);
        for (candidate, plan) in plans.iter().enumerate() {
            for (place, &number) in plan.iter().enumerate() {
                candidates.numbers[place * plans.len() + candidate] = number;
            }
        }
        let scores = self.score(state, &candidates, TRIALS, u64::MAX - 1)?;
        let better = |best: usize, one: usize| if scores[one].0 > scores[best].0 { one } else { best };
        let chosen = (0..plans.len()).fold(0, better);
        Ok(StraightPlan {
            steps: self.as_choices(&plans[chosen], steps),
            mean: scores[chosen].0,
            error: scores[chosen].1,
            simulated: self.simulated,
        })
    }

    /// Joint actions as a plan, which does nothing after the last of them.
    pub(crate) fn as_numbers(&self, joints: &[Vec<Choice>], steps: usize) -> Vec<f64> {
        let number = |value: Value| match value {
            Value::Discrete(value) => f64::from(value),
            Value::Int(value) => value as f64,
            Value::Real(value) => value,
        };
        let fields = self.process().actions().fields();
        let idle = fields.iter().map(|field| field.default.map_or(0.0, number));
        let mut numbers: Vec<f64> = idle.collect::<Vec<_>>().repeat(steps);
        for (joint, numbers) in joints.iter().zip(numbers.chunks_mut(fields.len().max(1))) {
            for choice in joint {
                numbers[choice.field as usize] = number(choice.value);
            }
        }
        numbers
    }

    /// A plan as joint actions.
    fn as_choices(&self, plan: &[f64], steps: usize) -> Vec<Vec<Choice>> {
        let fields = self.process().actions().fields();
        let joint = |numbers: &[f64]| {
            let choices = fields.iter().zip(0..).zip(numbers);
            let set = choices.filter_map(|((field, index), &number)| {
                let value = match field.domain {
                    Domain::Discrete { .. } => Value::Discrete(number as u32),
                    Domain::Int { .. } => Value::Int(number as i64),
                    Domain::Real { .. } => Value::Real(number),
                };
                (field.default != Some(value)).then_some(Choice { field: index, value })
            });
            set.collect()
        };
        if fields.is_empty() {
            return vec![Vec::new(); steps];
        }
        plan.chunks(fields.len()).map(joint).collect()
    }
}

/// The mean of returns and its standard error; minus infinity for a plan that is refused.
fn of_ends(ends: &[RolloutEnd]) -> (f64, f64) {
    let (mean, error) = agent::mean_and_error(ends.iter().map(|end| end.total));
    if mean.is_nan() || ends.iter().any(|end| end.refused) {
        return (f64::NEG_INFINITY, 0.0);
    }
    (mean, error)
}
