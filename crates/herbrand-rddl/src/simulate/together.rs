//! Steps of many simulators in one pass.

use std::sync::Arc;

use herbrand_core::{Job, System};
use rand::Rng;
use smallvec::SmallVec;

use super::batches::Batch;
use super::process::Process;
use super::simulator::RddlSimulator;
use crate::draw::Generator;
use crate::tape::BatchRegisters;

/// Fewer steps than these are taken one by one: a row of a few lanes costs as much as one of many.
const LEAST: usize = 4;

/// The most lanes of a pass.
const MOST: usize = <RddlSimulator as System>::TOGETHER;

type Jobs<'j, 'a> = [&'j mut Job<'a, RddlSimulator>];

/// Takes the steps of all jobs: those of one problem in one pass.
pub(super) fn step(jobs: &mut [Job<'_, RddlSimulator>]) {
    let of = |job: &Job<'_, RddlSimulator>| Arc::as_ptr(job.system.process());
    let mut jobs: SmallVec<[_; MOST]> = jobs.iter_mut().collect();
    if !jobs.is_sorted_by_key(|job| of(job)) {
        jobs.sort_unstable_by_key(|job| of(job));
    }
    for of_problem in jobs.chunk_by_mut(|one, other| of(one) == of(other)) {
        let process = Arc::clone(of_problem[0].system.process());
        match process.batches.batch().filter(|_| of_problem.len() >= LEAST) {
            Some(batch) => {
                let mut registers = batch.take();
                for jobs in of_problem.chunks_mut(batch.tape.width().min(MOST)) {
                    pass(&process, batch, jobs, &mut registers);
                }
                batch.put_back(registers);
            }
            None => of_problem.iter_mut().for_each(|job| job.step_alone()),
        }
    }
}

/// Takes the steps of jobs of one problem, no more than there are lanes. If an action is malformed or a value is missing,
/// which is rare, every step is taken by itself, with the draws that it would have had.
fn pass(process: &Process, batch: &Batch, jobs: &mut Jobs<'_, '_>, registers: &mut BatchRegisters) {
    let mut words = [0; MOST];
    let mut draws = [Generator::from_key(0); MOST];
    for (job, (word, draw)) in jobs.iter_mut().zip(words.iter_mut().zip(&mut draws)) {
        *word = job.chance.next_u64();
        *draw = Generator::from_key(*word);
    }
    let draws = &draws[..jobs.len()];
    if load(process, jobs, registers) && batch.tape.run_wide(registers, draws).is_ok() {
        for (lane, (job, word)) in jobs.iter_mut().zip(words).enumerate() {
            let arrived = job.system.arrive_by_lane(word, lane, registers, &batch.outputs);
            job.result = Some(arrived);
        }
    } else {
        for (job, word) in jobs.iter_mut().zip(words) {
            job.result = Some(job.system.advance_by(job.joint, word));
        }
    }
}

/// Writes states and joint actions to lanes; false if one of these is malformed.
fn load(process: &Process, jobs: &mut Jobs<'_, '_>, registers: &mut BatchRegisters) -> bool {
    let defaults = process.no_action();
    process.action.section.load_lanes(defaults, registers);
    jobs.iter_mut()
        .enumerate()
        .all(|(lane, job)| job.system.load_lane(job.joint, lane, registers))
}
