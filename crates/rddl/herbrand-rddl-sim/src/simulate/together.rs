//! Steps many simulators in one pass.

use std::sync::Arc;

use herbrand_core::{Job, Transition};
use herbrand_dataflow::BatchRegisters;
use herbrand_distributions::RandomGenerator;
use rand::Rng;
use smallvec::SmallVec;

use super::batches::{Arrival, Batch, MOST_TOGETHER as MOST};
use super::compiled::CompiledInstance;
use super::error::StepError;
use super::joint::LaneInputs;
use super::simulator::RddlSimulator;
use super::values::Lanes;

/// The minimum number of steps per pass. Fewer are taken one by one, because a row of a few lanes costs as much as a full
/// row.
const LEAST: usize = 4;

type Jobs<'j, 'a> = [&'j mut Job<'a, RddlSimulator>];

/// Takes the steps of all jobs. Jobs of the same problem share passes.
pub(super) fn step(jobs: &mut [Job<'_, RddlSimulator>]) {
    let of = |job: &Job<'_, RddlSimulator>| Arc::as_ptr(job.system.compiled());
    let mut jobs: SmallVec<[_; MOST]> = jobs.iter_mut().collect();
    if !jobs.is_sorted_by_key(|job| of(job)) {
        jobs.sort_unstable_by_key(|job| of(job));
    }
    for of_problem in jobs.chunk_by_mut(|one, other| of(one) == of(other)) {
        let compiled = Arc::clone(of_problem[0].system.compiled());
        // Results that are seldom read are computed on demand.
        let is_lean = !compiled.is_partially_observed()
            && of_problem
                .iter()
                .all(|job| !job.system.preconditions().decide_steps());
        let batches = &compiled.batches;
        let batch = if is_lean {
            batches.lean_together()
        } else {
            batches.whole_together()
        };
        match batch.filter(|_| of_problem.len() >= LEAST) {
            Some(batch) => {
                let mut registers = batch.take();
                for jobs in of_problem.chunks_mut(batch.tape.width().min(MOST)) {
                    pass(&compiled, batch, is_lean, jobs, &mut registers);
                }
                batch.put_back(registers);
            }
            None => of_problem.iter_mut().for_each(|job| step_alone(job)),
        }
    }
}

fn step_alone(job: &mut Job<'_, RddlSimulator>) {
    let word = job.chance.next_u64();
    job.result = Some(advance(job, word));
}

/// Takes a single step, with a generator keyed by `word`.
fn advance(job: &mut Job<'_, RddlSimulator>, word: u64) -> Result<Transition, Box<StepError>> {
    let advanced = if job.by_row {
        job.system.advance_taken(word)
    } else {
        job.system.advance_by(job.joint, word)
    };
    advanced.map_err(Box::new)
}

/// Takes the steps of jobs of one problem, at most one per lane. If a joint action is malformed or a value cannot be
/// computed, which is rare, every step is taken individually with the same random numbers.
fn pass(
    compiled: &CompiledInstance,
    batch: &Batch,
    is_lean: bool,
    jobs: &mut Jobs<'_, '_>,
    registers: &mut BatchRegisters,
) {
    let mut words = [0; MOST];
    let mut draws = [RandomGenerator::from_key(0); MOST];
    for (job, (word, draw)) in jobs.iter_mut().zip(words.iter_mut().zip(&mut draws)) {
        *word = job.chance.next_u64();
        *draw = RandomGenerator::from_key(*word);
    }
    let draws = &draws[..jobs.len()];
    if !load(compiled, jobs, registers) || batch.tape.run_wide(registers, draws).is_err() {
        for (job, word) in jobs.iter_mut().zip(words) {
            job.result = Some(advance(job, word));
        }
    } else if is_lean {
        arrive(&batch.arrival, jobs, &words, registers);
    } else {
        for (lane, (job, word)) in jobs.iter_mut().zip(words).enumerate() {
            let arrived = job.system.arrive_by_lane(word, lane, registers, &batch.outputs);
            job.result = Some(arrived.map_err(Box::new));
        }
    }
}

/// Moves all simulators to their next states and stores only those.
fn arrive(arrival: &Arrival, jobs: &mut Jobs<'_, '_>, words: &[u64], registers: &BatchRegisters) {
    for (job, &word) in jobs.iter_mut().zip(words) {
        let joint = (!job.by_row).then_some(job.joint);
        job.system.depart(word, joint);
    }
    let states = jobs.iter_mut().map(|job| job.system.values_mut()).collect();
    arrival.store(registers, states);
    for (job, outcome) in jobs.iter_mut().zip(arrival.outcomes(registers)) {
        job.result = Some(Ok(job.system.arrive_at(outcome)));
    }
}

/// Writes states and joint actions to lanes. Returns `false` if a joint action is malformed.
fn load(compiled: &CompiledInstance, jobs: &mut Jobs<'_, '_>, registers: &mut BatchRegisters) -> bool {
    let states: Lanes<_> = jobs.iter().map(|job| job.system.values()).collect();
    compiled.state.section.load_each(&states, registers);
    drop(states);
    if jobs.iter().all(|job| job.by_row) {
        let taken: Lanes<_> = jobs.iter().map(|job| job.system.taken()).collect();
        compiled.action.section.load_each(&taken, registers);
        return true;
    }
    let defaults = compiled.no_action();
    compiled.action.section.load_lanes(defaults, registers);
    for (lane, job) in jobs.iter().enumerate().filter(|(_, job)| job.by_row) {
        compiled
            .action
            .section
            .load_lane(job.system.taken(), lane, registers);
    }
    let mut inputs = LaneInputs::of(registers);
    jobs.iter_mut().enumerate().all(|(lane, job)| {
        inputs.lane = lane;
        job.by_row || job.system.load_joint(job.joint, &mut inputs)
    })
}
