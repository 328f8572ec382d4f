//! Comparison of plans by roll-outs.

use std::sync::Arc;

use herbrand_core::{Choice, FieldDomain, FieldValue, Random, System as _, mean_and_error, uniform_below};
use herbrand_distributions::RandomGenerator;
use herbrand_limits::{Budget, BudgetExhausted, Instant, Limits, check_enclosing, outside};
use herbrand_rddl::{Horizon, Instance};
use herbrand_rddl_sim::simulate::{
    CompiledInstance, Preconditions, RandomSource, RddlSimulator, RolloutEnd, Rollouts, StepError, Values,
};

use super::StraightPlan;
use super::risk::Risk;

/// The number of random scenarios of the final comparison, and of its last round.
const TRIALS: usize = 256;
const LAST_TRIALS: usize = 1024;

/// The number of plans in the last round.
const LAST: usize = 4;

/// The number of scenarios of the final comparison if the problem seems deterministic.
const ASKED_ON: usize = 8;

/// The number of common scenarios on which candidates for keeping are compared.
const COMPARED_ON: usize = 256;

/// Reserved round numbers, whose random numbers no ordinary round uses.
const IN_THE_END: u64 = u64::MAX - 1;
const COMPARED: u64 = u64::MAX - 2;
const LAST_ROUND: u64 = u64::MAX - 3;

/// Determinism is checked again every this many rounds.
const ASKED_EVERY: u64 = 8;

/// The maximum number of joint actions that are sampled for a step in which doing nothing is refused.
const SAMPLED: usize = 16;

/// The maximum number of repairs of one plan in a round.
const REPAIRS: usize = 4;

/// The number of plans that are kept.
const KEPT: usize = 8;

/// The default number of steps of a plan if the horizon is infinite.
const ENDLESS: u32 = 100;

/// Returns the number of steps of a plan: `lookahead`, or else the horizon, or 100 if that is infinite.
pub(crate) fn steps(instance: &Instance, lookahead: Option<u32>) -> u32 {
    match (lookahead, instance.horizon) {
        (Some(steps), _) => steps,
        (None, Horizon::Steps(steps)) => steps,
        (None, Horizon::Infinite) => ENDLESS,
    }
}

/// The default of the options `bytes`: a gibibyte.
pub(crate) const BYTES: u64 = 1 << 30;

/// Checks that `needed` bytes, which are not held yet, are within a limit. Counts saturate.
pub(crate) fn check_bytes(limit: u64, needed: u64) -> Result<(), StepError> {
    let limits = Limits {
        bytes: Some(limit),
        time: None,
    };
    // Memory only: a search without time returns the best plan so far.
    Ok(outside(|| Budget::new(limits).check("planning", needed))?)
}

/// Returns the product of counts, or the greatest number if that is less.
pub(crate) fn times(counts: &[usize]) -> u64 {
    counts
        .iter()
        .fold(1, |product, &count| product.saturating_mul(count as u64))
}

/// The number of plans that a search holds besides its candidates: those kept, those compared with them, and the result,
/// each also as joint actions.
pub(crate) const HELD: usize = 4 * KEPT;

/// Plans to be tried: a number by step, field and plan.
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

    /// Returns the number of steps of the plans.
    pub(crate) const fn steps(&self) -> usize {
        self.steps
    }

    pub(crate) fn place(&self, step: usize, field: usize, candidate: usize) -> usize {
        (step * self.fields + field) * self.count + candidate
    }

    /// Sets the joint action of a step of a plan.
    pub(crate) fn set(&mut self, step: usize, candidate: usize, joint: &[f64]) {
        for (field, &number) in joint.iter().enumerate() {
            let place = self.place(step, field, candidate);
            self.numbers[place] = number;
        }
    }

    fn put(&mut self, candidate: usize, plan: &[f64]) {
        for (place, &number) in plan.iter().enumerate() {
            self.numbers[place * self.count + candidate] = number;
        }
    }

    /// Returns the numbers of one plan; empty if there are no steps or no fields.
    pub(crate) fn take(&self, candidate: usize) -> Vec<f64> {
        self.numbers
            .iter()
            .skip(candidate)
            .step_by(self.count)
            .copied()
            .collect()
    }
}

/// The best plans found by a search, compared on common scenarios, best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct BestPlans {
    plans: Vec<(f64, Vec<f64>)>,
    /// The number of scenarios on which they were compared.
    draws: usize,
}

impl BestPlans {
    /// Keeps a plan if it is among the best. Ties keep their order.
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

    /// Returns the best plan with its mean return.
    pub(crate) fn best(&self) -> Option<&(f64, Vec<f64>)> {
        self.plans.first()
    }

    /// Removes and returns the plans without their scores.
    fn take(&mut self) -> Vec<Vec<f64>> {
        self.plans.drain(..).map(|(_, plan)| plan).collect()
    }

    /// Removes and returns the plans with the plan that does nothing: at the end, or first if no plan is without a
    /// refused step and a broken invariant.
    pub(crate) fn take_beside(&mut self, idle: Vec<f64>) -> Vec<Vec<f64>> {
        let is_sound = self.best().is_some_and(|(score, _)| *score > FAULTY);
        let mut plans = self.take();
        plans.insert(if is_sound { plans.len() } else { 0 }, idle);
        plans
    }
}

/// When a search pauses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PauseCondition {
    /// The number of further iterations.
    pub(crate) iterations: u32,
    pub(crate) time: Option<Instant>,
}

impl PauseCondition {
    /// Returns whether the time limit is reached or an enclosing budget is spent.
    pub(crate) fn is_late(&self) -> bool {
        self.time.is_some_and(|time| Instant::now() >= time)
            || herbrand_limits::check_enclosing("planning").is_err()
    }
}

/// Returns `None` if a result is missing because an enclosing budget has no time left. The search then ends with the
/// best plan so far.
pub(crate) fn in_time<T>(result: Result<T, StepError>) -> Result<Option<T>, StepError> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(StepError::BudgetExhausted(BudgetExhausted::Time { .. })) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Roll-outs that compare plans.
#[derive(Clone, Debug)]
pub(crate) struct Trials {
    rollouts: Rollouts,
    /// Whether plans with a refused step are repaired.
    enforced: bool,
    risk: Risk,
    /// For repairs: by plan and scenario of the last run, whether a step was refused, and simulators that refuse steps.
    refused: Vec<bool>,
    simulators: Vec<RddlSimulator>,
    seed: u64,
    simulated: u64,
    /// Whether each plan had the same return on all scenarios in the last round that checked. Then the problem seems
    /// deterministic.
    is_certain: bool,
}

impl Trials {
    pub(crate) fn new(compiled: Arc<CompiledInstance>, enforced: bool, risk: Risk, seed: u64) -> Self {
        Self {
            rollouts: Rollouts::new(compiled).enforcing_preconditions(enforced),
            enforced,
            risk,
            refused: Vec::new(),
            simulators: Vec::new(),
            seed,
            simulated: 0,
            is_certain: false,
        }
    }

    pub(crate) const fn compiled(&self) -> &Arc<CompiledInstance> {
        self.rollouts.compiled()
    }

    /// Resets the count of simulated steps and the check for determinism.
    pub(crate) const fn forget(&mut self) {
        (self.simulated, self.is_certain) = (0, false);
    }

    /// Returns the number of simulated steps.
    pub(crate) const fn simulated(&self) -> u64 {
        self.simulated
    }

    /// Returns whether every plan tried on several scenarios had the same return on all of them.
    pub(crate) const fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// Counts steps that were simulated elsewhere.
    pub(crate) const fn count(&mut self, steps: u64) {
        self.simulated += steps;
    }

    /// Returns the score of each plan on the scenarios of a round. All plans share the
    /// scenarios. Plans with a refused step are repaired. If the problem seems deterministic, later rounds use one
    /// scenario, except every eighth round.
    pub(crate) fn score(
        &mut self,
        state: &Values,
        candidates: &mut Candidates,
        scenarios: usize,
        round: u64,
    ) -> Result<Vec<Score>, StepError> {
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

    /// Tries plans on the common scenarios and keeps the best ones. Plans with a refused step are repaired.
    pub(crate) fn compare(
        &mut self,
        state: &Values,
        candidates: &mut Candidates,
        kept: &mut BestPlans,
    ) -> Result<(), StepError> {
        let draws = if self.is_certain { 1 } else { COMPARED_ON };
        if kept.draws != draws {
            // The problem turned out to be deterministic, or not, so the kept plans are compared again.
            let plans = kept.take();
            kept.draws = draws;
            if !plans.is_empty() {
                let mut again = self.candidates(plans.iter().map(Vec::as_slice), candidates.steps());
                self.compare(state, &mut again, kept)?;
            }
        }
        let (scores, _) = self.run(state, candidates, draws, COMPARED)?;
        for (candidate, score) in scores.iter().map(|score| score.utility).enumerate() {
            if kept.plans.len() < KEPT || kept.plans.last().is_some_and(|(least, _)| score > *least) {
                kept.offer(score, &candidates.take(candidate));
            }
        }
        Ok(())
    }

    /// Returns the score of each plan, and whether each had the same return on all scenarios.
    /// Plans with a refused step are repaired and tried again.
    fn run(
        &mut self,
        state: &Values,
        candidates: &mut Candidates,
        scenarios: usize,
        round: u64,
    ) -> Result<(Vec<Score>, bool), StepError> {
        let (mut scores, mut is_certain) = self.run_unchanged(state, candidates, scenarios, round)?;
        if !self.enforced {
            return Ok((scores, is_certain));
        }
        let has_refused =
            |refused: &[bool], at: usize| refused[at * scenarios..][..scenarios].contains(&true);
        let mut refused: Vec<usize> = (0..candidates.count).collect();
        refused.retain(|&at| has_refused(&self.refused, at));
        let mut random = Random::new(self.seed).stream(1 + round);
        for _ in 0..REPAIRS {
            if refused.is_empty() {
                break;
            }
            for &candidate in &refused {
                check_enclosing("planning")?;
                self.repair(state, candidates, candidate, (scenarios, round), &mut random)?;
            }
            (scores, is_certain) = self.run_unchanged(state, candidates, scenarios, round)?;
            refused.retain(|&at| has_refused(&self.refused, at));
        }
        Ok((scores, is_certain))
    }

    /// Changes a plan such that no step is refused in those scenarios of the last run in which one was, if possible:
    /// fields of a refused step, in random order, move half of the way to their defaults and then to them. If the step
    /// is still refused with the defaults, its joint action becomes a sample of the valid ones.
    fn repair(
        &mut self,
        state: &Values,
        candidates: &mut Candidates,
        candidate: usize,
        (scenarios, round): (usize, u64),
        random: &mut Random,
    ) -> Result<(), StepError> {
        let fields = candidates.fields;
        let mut plan = candidates.take(candidate);
        let seed = self.seed_of(round);
        let refused = (0..scenarios).filter(|scenario| self.refused[candidate * scenarios + scenario]);
        let draws: Vec<RandomGenerator> = refused
            .map(|scenario| RandomGenerator::of_environment(seed, scenario as u64))
            .collect();
        let mut simulators = std::mem::take(&mut self.simulators);
        while simulators.len() < draws.len() {
            simulators.push(RddlSimulator::new(
                Arc::clone(self.compiled()),
                Preconditions::Refused,
            ));
        }
        for simulator in &mut simulators {
            simulator.go_to(state)?;
        }
        let mut running: Vec<usize> = (0..draws.len()).collect();
        for (numbers, step) in plan.chunks_exact_mut(fields.max(1)).zip(0..) {
            let mut joint = self.as_joint(numbers);
            let is_valid = |joint: &[Choice]| running.iter().all(|&at| simulators[at].is_valid(joint));
            let mut attempts = 0;
            while !joint.is_empty() && !is_valid(&joint) {
                let at = uniform_below(random, joint.len() as u32) as usize;
                let field = joint[at].field as usize;
                let default = self.compiled().actions().fields()[field]
                    .default
                    .map_or(0.0, as_number);
                attempts += 1;
                numbers[field] = match joint[at].value {
                    FieldValue::Int(_) if attempts <= 2 * fields => {
                        default + ((numbers[field] - default) / 2.0).trunc()
                    }
                    FieldValue::Real(_) if attempts <= 2 * fields => {
                        default + (numbers[field] - default) / 2.0
                    }
                    _ => default,
                };
                joint = self.as_joint(numbers);
            }
            if joint.is_empty() && !is_valid(&joint) {
                let Some(&first) = running.first() else { break };
                let sampled =
                    (0..SAMPLED).any(|_| simulators[first].sample(random, &mut joint) && is_valid(&joint));
                if !sampled {
                    break;
                }
                numbers.copy_from_slice(&self.as_numbers(std::slice::from_ref(&joint), 1));
            }
            self.simulated += running.len() as u64;
            running.retain(|&at| {
                let arrival = simulators[at].advance(&joint, &draws[at].at_step(step));
                arrival.is_ok_and(|arrival| !arrival.status.terminal && !arrival.status.broken)
            });
        }
        self.simulators = simulators;
        candidates.put(candidate, &plan);
        Ok(())
    }

    /// Returns the seed of the random numbers of a round.
    fn seed_of(&self, round: u64) -> u64 {
        let seed = Random::new(self.seed).stream(1 + round).to_bytes();
        u64::from_le_bytes([
            seed[0], seed[1], seed[2], seed[3], seed[4], seed[5], seed[6], seed[7],
        ])
    }

    fn run_unchanged(
        &mut self,
        state: &Values,
        candidates: &Candidates,
        scenarios: usize,
        round: u64,
    ) -> Result<(Vec<Score>, bool), StepError> {
        let discount = self.compiled().instance.discount;
        let chance = RandomSource::Scenarios {
            seed: self.seed_of(round),
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
        self.refused.clear();
        self.refused.extend(ends.iter().map(|end| end.refused));
        let of_plans = ends.chunks(scenarios);
        let is_certain = of_plans.clone().all(|ends| {
            ends.iter()
                .all(|end| end.total.to_bits() == ends[0].total.to_bits())
        });
        Ok((
            of_plans.map(|ends| Score::of(ends, self.risk, steps)).collect(),
            is_certain,
        ))
    }

    /// Collects plans into candidates.
    pub(crate) fn candidates<'p>(
        &self,
        plans: impl ExactSizeIterator<Item = &'p [f64]>,
        steps: usize,
    ) -> Candidates {
        let count = plans.len();
        let fields = self.compiled().actions().fields().len();
        let mut candidates = Candidates::new(count, fields, steps);
        for (candidate, plan) in plans.enumerate() {
            candidates.put(candidate, plan);
        }
        candidates
    }

    /// Returns the plan with the best return on random numbers that were not used to select any plan. Ties go to the
    /// first. Plans with a refused step are repaired. If an enclosing budget has no time for the comparison, returns
    /// the first plan.
    pub(crate) fn choose(
        &mut self,
        state: &Values,
        plans: &[Vec<f64>],
        steps: usize,
    ) -> Result<StraightPlan, StepError> {
        let all = plans.iter().map(Vec::as_slice);
        let mut candidates = self.candidates(all, steps);
        if self.is_certain
            && let Some((scores, true)) = in_time(self.run(state, &mut candidates, ASKED_ON, IN_THE_END))?
        {
            return Ok(self.chosen(&candidates, &scores));
        }
        let Some((scores, _)) = in_time(self.run(state, &mut candidates, TRIALS, IN_THE_END))? else {
            let first = self.candidates(plans.iter().map(Vec::as_slice).take(1), steps);
            return Ok(self.chosen(&first, &[Score::UNKNOWN]));
        };
        let mut order: Vec<usize> = (0..candidates.count).collect();
        order.sort_by(|&one, &other| scores[other].utility.total_cmp(&scores[one].utility));
        let last: Vec<Vec<f64>> = order.iter().take(LAST).map(|&at| candidates.take(at)).collect();
        let mut last = self.candidates(last.iter().map(Vec::as_slice), steps);
        match in_time(self.run(state, &mut last, LAST_TRIALS, LAST_ROUND))? {
            Some((scores, _)) => Ok(self.chosen(&last, &scores)),
            None => Ok(self.chosen(&candidates, &scores)),
        }
    }

    /// Returns the plan with the highest score. Ties go to the first.
    fn chosen(&self, plans: &Candidates, scores: &[Score]) -> StraightPlan {
        let better = |best: usize, one: usize| {
            if scores[one].utility > scores[best].utility {
                one
            } else {
                best
            }
        };
        let chosen = (0..plans.count).fold(0, better);
        StraightPlan {
            steps: self.as_choices(&plans.take(chosen), plans.steps()),
            mean: scores[chosen].mean,
            error: scores[chosen].error,
            simulated: self.simulated,
        }
    }

    /// Converts joint actions to the numbers of a plan, which does nothing after the last of them.
    pub(crate) fn as_numbers(&self, joints: &[Vec<Choice>], steps: usize) -> Vec<f64> {
        let fields = self.compiled().actions().fields();
        let idle = fields.iter().map(|field| field.default.map_or(0.0, as_number));
        let mut numbers: Vec<f64> = idle.collect::<Vec<_>>().repeat(steps);
        for (joint, numbers) in joints.iter().zip(numbers.chunks_mut(fields.len().max(1))) {
            for choice in joint {
                numbers[choice.field as usize] = as_number(choice.value);
            }
        }
        numbers
    }

    /// Converts the numbers of a plan to joint actions.
    fn as_choices(&self, plan: &[f64], steps: usize) -> Vec<Vec<Choice>> {
        let fields = self.compiled().actions().fields();
        if fields.is_empty() {
            return vec![Vec::new(); steps];
        }
        plan.chunks(fields.len())
            .map(|numbers| self.as_joint(numbers))
            .collect()
    }

    /// Converts the numbers of one step to a joint action.
    pub(crate) fn as_joint(&self, numbers: &[f64]) -> Vec<Choice> {
        let fields = self.compiled().actions().fields();
        let choices = fields.iter().zip(0..).zip(numbers);
        let set = choices.filter_map(|((field, index), &number)| {
            let value = match field.domain {
                FieldDomain::Discrete { .. } => FieldValue::Discrete(number as u32),
                FieldDomain::Int { .. } => FieldValue::Int(number as i64),
                FieldDomain::Real { .. } => FieldValue::Real(number),
            };
            (field.default != Some(value)).then_some(Choice { field: index, value })
        });
        set.collect()
    }
}

/// Returns the value of an action field as a number of a plan.
fn as_number(value: FieldValue) -> f64 {
    match value {
        FieldValue::Discrete(value) => f64::from(value),
        FieldValue::Int(value) => value as f64,
        FieldValue::Real(value) => value,
    }
}

/// The result of trying a plan in some scenarios.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Score {
    /// By this number plans are compared: the utility of the returns. With a refused step or a broken state invariant it is
    /// less than every utility in practice, and rises with the fraction of the steps before them, so that a search finds
    /// plans without them; between equal fractions, the mean decides. It is negative infinity if a return is NaN.
    pub(crate) utility: f64,
    /// The mean of the returns, up to a broken invariant; negative infinity if a step was refused or a return is NaN.
    mean: f64,
    /// The standard error of the mean; 0 if that is not finite.
    error: f64,
}

impl Score {
    /// The score of a plan that was not tried.
    const UNKNOWN: Self = Self {
        utility: f64::NAN,
        mean: f64::NAN,
        error: f64::NAN,
    };

    fn of(ends: &[RolloutEnd], risk: Risk, steps: u32) -> Self {
        let without_mean = |utility| Self {
            utility,
            mean: f64::NEG_INFINITY,
            error: 0.0,
        };
        let returns: Vec<f64> = ends.iter().map(|end| end.total).collect();
        let (mean, error) = mean_and_error(returns.iter().copied());
        if mean.is_nan() {
            return without_mean(f64::NEG_INFINITY);
        }
        let lost = |end: &RolloutEnd| match (end.refused, end.broken) {
            (true, _) => f64::from(steps - end.steps),
            (_, true) => f64::from(steps - end.steps) + 1.0,
            _ => 0.0,
        };
        let lost = ends.iter().map(lost).sum::<f64>() / (ends.len() as f64 * f64::from(steps));
        if lost > 0.0 {
            let rank = libm::log1p(mean.abs().min(f64::MAX)).copysign(mean);
            let utility = WORST * lost * (1.0 - TIE * rank);
            return if ends.iter().any(|end| end.refused) {
                without_mean(utility)
            } else {
                Self { utility, mean, error }
            };
        }
        let utility = match risk {
            Risk::Neutral => mean,
            risk => risk.utility(&returns),
        };
        Self { utility, mean, error }
    }
}

/// Scores below this belong to plans with a refused step or a broken invariant.
const FAULTY: f64 = -1e290;

/// The score of a plan that loses all its steps, without the part of the mean.
const WORST: f64 = -1e300;

/// The weight of the logarithm of the mean in the score of a plan that loses steps. The logarithm is below 710, and a single
/// step of many is worth more than this.
const TIE: f64 = 1e-10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_with_refused_steps_and_broken_invariants_rank_last_by_their_length() {
        let end = |total, steps, refused| RolloutEnd {
            total,
            steps,
            refused,
            broken: false,
        };
        let broken = |total, steps| RolloutEnd {
            broken: true,
            ..end(total, steps, false)
        };
        let score = |ends: &[RolloutEnd]| Score::of(ends, Risk::Neutral, 10).utility;
        let (early, late) = (end(5.0, 1, true), end(-5.0, 8, true));
        let scores = [
            score(&[end(f64::NAN, 10, false)]),
            score(&[early, early]),
            score(&[broken(7.0, 5), broken(7.0, 5)]),
            score(&[broken(7.0, 5), broken(7.5, 5)]),
            score(&[early, late]),
            score(&[late, end(1e9, 3, false)]),
            score(&[broken(1e9, 10), broken(1e9, 10)]),
            score(&[broken(-1e9, 10), end(3.0, 10, false)]),
            score(&[end(-1e200, 10, false)]),
        ];
        assert!(scores.is_sorted_by(|one, other| one < other), "{scores:?}");
        assert!(scores[7] < FAULTY && FAULTY < scores[8]);
    }

    #[test]
    fn the_best_plans_are_kept() {
        let mut kept = BestPlans::default();
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
