//! Trying plans by roll-outs.

use std::sync::Arc;

use herbrand_core::{Choice, Domain, Random, Value};
use herbrand_limits::Instant;

use super::{StraightPlan, agent};
use crate::Horizon;
use crate::simulate::{Chance, Process, RolloutEnd, Rollouts, StepError, Values};

/// On how many draws the plans that are left are compared in the end, and on how many those that are best then.
const TRIALS: usize = 256;
const LAST_TRIALS: usize = 1024;

/// How many plans are compared last.
const LAST: usize = 4;

/// On how many draws plans are tried in the end that chance seems to have no part in.
const ASKED_ON: usize = 8;

/// On how many draws plans are compared that may be kept, the same for all of them.
const COMPARED_ON: usize = 256;

/// The numbers of draws that are not those of a round.
const IN_THE_END: u64 = u64::MAX - 1;
const COMPARED: u64 = u64::MAX - 2;
const LAST_ROUND: u64 = u64::MAX - 3;

/// One round in this many finds out again whether chance has a part.
const ASKED_EVERY: u64 = 8;

/// How many plans are kept.
const KEPT: usize = 8;

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

    /// The numbers of one plan; none where there is no step to plan for, or nothing to set.
    pub(crate) fn take(&self, candidate: usize) -> Vec<f64> {
        self.numbers
            .iter()
            .skip(candidate)
            .step_by(self.count)
            .copied()
            .collect()
    }
}

/// The best plans that a search has met, by their returns on the same draws; the best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct Kept {
    plans: Vec<(f64, Vec<f64>)>,
    /// On how many draws they were compared.
    draws: usize,
}

impl Kept {
    /// Keeps a plan if it is among the best ones. The first of equals stays first.
    pub(crate) fn offer(&mut self, score: f64, plan: &[f64]) {
        let place = self.plans.partition_point(|(kept, _)| *kept >= score);
        let is_known = self.plans[..place]
            .iter()
            .any(|(kept, numbers)| *kept == score && numbers == plan);
        if place < KEPT && !is_known {
            self.plans.insert(place, (score, plan.to_vec()));
            self.plans.truncate(KEPT);
        }
    }

    /// The best one, with its mean return.
    pub(crate) fn best(&self) -> Option<&(f64, Vec<f64>)> {
        self.plans.first()
    }

    /// The plans, without what is known of them.
    pub(crate) fn take(&mut self) -> Vec<Vec<f64>> {
        self.plans.drain(..).map(|(_, plan)| plan).collect()
    }
}

/// When a search pauses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Until {
    /// How many more iterations there are.
    pub(crate) iterations: u32,
    pub(crate) time: Option<Instant>,
}

impl Until {
    /// Whether the time of the search is over, or a budget that encloses it is spent.
    pub(crate) fn is_late(&self) -> bool {
        self.time.is_some_and(|time| Instant::now() >= time)
            || herbrand_limits::check_enclosing("planning").is_err()
    }
}

/// Roll-outs that plans are compared by.
#[derive(Clone, Debug)]
pub(crate) struct Trials {
    rollouts: Rollouts,
    seed: u64,
    simulated: u64,
    /// Whether all plans of the last round that found it out were paid the same on all draws: chance has no part in what they do.
    is_certain: bool,
}

impl Trials {
    pub(crate) fn new(process: Arc<Process>, enforced: bool, seed: u64) -> Self {
        Self {
            rollouts: Rollouts::new(process).enforcing_preconditions(enforced),
            seed,
            simulated: 0,
            is_certain: false,
        }
    }

    pub(crate) const fn process(&self) -> &Arc<Process> {
        self.rollouts.process()
    }

    /// Counts simulated steps from 0 on, and does not know whether chance has a part.
    pub(crate) const fn forget(&mut self) {
        (self.simulated, self.is_certain) = (0, false);
    }

    /// How many steps were simulated.
    pub(crate) const fn simulated(&self) -> u64 {
        self.simulated
    }

    /// Whether chance had no part in any plan that was tried on several draws.
    pub(crate) const fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// Counts steps that were simulated elsewhere.
    pub(crate) const fn count(&mut self, steps: u64) {
        self.simulated += steps;
    }

    /// The mean return of each plan, and its standard error, on the draws of a round. Every plan meets the same draws. Where chance
    /// has no part in any of them, later rounds try plans on one draw, but for every eighth.
    pub(crate) fn score(
        &mut self,
        state: &Values,
        candidates: &Candidates,
        scenarios: usize,
        round: u64,
    ) -> Result<Vec<(f64, f64)>, StepError> {
        let is_asked = round.is_multiple_of(ASKED_EVERY);
        let scenarios = if self.is_certain && !is_asked {
            1
        } else {
            scenarios
        };
        let (scores, is_certain) = self.run(state, candidates, scenarios, round)?;
        if is_asked && scenarios > 1 {
            self.is_certain = is_certain;
        }
        Ok(scores)
    }

    /// Tries plans on the draws by which they are compared, and keeps the best ones.
    pub(crate) fn compare(
        &mut self,
        state: &Values,
        candidates: &Candidates,
        kept: &mut Kept,
    ) -> Result<(), StepError> {
        let draws = if self.is_certain { 1 } else { COMPARED_ON };
        if kept.draws != draws {
            // Whether chance has a part is known better now.
            let plans = kept.take();
            kept.draws = draws;
            if !plans.is_empty() {
                let again = self.candidates(plans.iter().map(Vec::as_slice), candidates.steps());
                self.compare(state, &again, kept)?;
            }
        }
        let (scores, _) = self.run(state, candidates, draws, COMPARED)?;
        for (candidate, &(score, _)) in scores.iter().enumerate() {
            if kept.plans.len() < KEPT || kept.plans.last().is_some_and(|(least, _)| score > *least) {
                kept.offer(score, &candidates.take(candidate));
            }
        }
        Ok(())
    }

    /// The mean return of each plan, its standard error, and whether each was paid the same on all draws.
    fn run(
        &mut self,
        state: &Values,
        candidates: &Candidates,
        scenarios: usize,
        round: u64,
    ) -> Result<(Vec<(f64, f64)>, bool), StepError> {
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
        let of_plans = ends.chunks(scenarios);
        let is_certain = of_plans.clone().all(|ends| {
            ends.iter()
                .all(|end| end.total.to_bits() == ends[0].total.to_bits())
        });
        Ok((of_plans.map(of_ends).collect(), is_certain))
    }

    /// Plans beside each other.
    pub(crate) fn candidates<'p>(
        &self,
        plans: impl ExactSizeIterator<Item = &'p [f64]>,
        steps: usize,
    ) -> Candidates {
        let count = plans.len();
        let fields = self.process().actions().fields().len();
        let mut candidates = Candidates::new(count, fields, steps);
        for (candidate, plan) in plans.enumerate() {
            for (place, &number) in plan.iter().enumerate() {
                candidates.numbers[place * count + candidate] = number;
            }
        }
        candidates
    }

    /// The plan that pays most on draws that none was chosen by; the first of equals.
    pub(crate) fn choose(
        &mut self,
        state: &Values,
        plans: &[Vec<f64>],
        steps: usize,
    ) -> Result<StraightPlan, StepError> {
        let all: Vec<&[f64]> = plans.iter().map(Vec::as_slice).collect();
        let candidates = self.candidates(all.iter().copied(), steps);
        if self.is_certain {
            let (scores, is_certain) = self.run(state, &candidates, ASKED_ON, IN_THE_END)?;
            if is_certain {
                return Ok(self.chosen(&all, &scores, steps));
            }
        }
        let (scores, _) = self.run(state, &candidates, TRIALS, IN_THE_END)?;
        let mut order: Vec<usize> = (0..all.len()).collect();
        order.sort_by(|&one, &other| scores[other].0.total_cmp(&scores[one].0));
        let last: Vec<&[f64]> = order.iter().take(LAST).map(|&at| all[at]).collect();
        let candidates = self.candidates(last.iter().copied(), steps);
        let (scores, _) = self.run(state, &candidates, LAST_TRIALS, LAST_ROUND)?;
        Ok(self.chosen(&last, &scores, steps))
    }

    /// The plan with the highest score; the first of equals.
    fn chosen(&self, plans: &[&[f64]], scores: &[(f64, f64)], steps: usize) -> StraightPlan {
        let better = |best: usize, one: usize| if scores[one].0 > scores[best].0 { one } else { best };
        let chosen = (0..plans.len()).fold(0, better);
        StraightPlan {
            steps: self.as_choices(plans[chosen], steps),
            mean: scores[chosen].0,
            error: scores[chosen].1,
            simulated: self.simulated,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_plans_are_kept() {
        let mut kept = Kept::default();
        for score in [
            3.0,
            1.0,
            7.0,
            7.0,
            5.0,
            f64::NEG_INFINITY,
            2.0,
            8.0,
            4.0,
            6.0,
            0.0,
            3.5,
        ] {
            kept.offer(score, &[score]);
        }
        assert_eq!(kept.best(), Some(&(8.0, vec![8.0])));
        let plans: Vec<f64> = kept.take().into_iter().flatten().collect();
        assert_eq!(plans, [8.0, 7.0, 6.0, 5.0, 4.0, 3.5, 3.0, 2.0]);
    }
}
