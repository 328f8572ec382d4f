//! Derived atoms of all lanes.

use crate::sliced::plane::{Plane, is_empty, zip};
use crate::sliced::program::Program;

/// The axioms that are applied again, within a group that depends on itself; empty between steps.
#[derive(Clone, Debug)]
pub(crate) struct Queues {
    queue: Vec<u32>,
    next: Vec<u32>,
    /// By axiom, whether it is in the next queue.
    queued: Vec<bool>,
}

impl Queues {
    pub(crate) fn new(program: &Program) -> Self {
        let axioms = program.rules.heads.len();
        Self {
            queue: Vec::with_capacity(axioms),
            next: Vec::with_capacity(axioms),
            queued: vec![false; axioms],
        }
    }
}

/// Computes the derived atoms in all lanes, group by group. In a group that depends on itself, the rules that read an atom
/// are repeated whenever it became true in some lane.
#[inline(always)]
pub(crate) fn derive<const N: usize>(program: &Program, atoms: &mut [Plane<N>], queues: &mut Queues) {
    let Queues { queue, next, queued } = queues;
    let fluents = program.simulator.task().fluent_count();
    let mut start = 0;
    for stratum in &program.rules.strata {
        let rules = start..stratum.end;
        start = stratum.end;
        for rule in rules.clone() {
            atoms[program.rules.heads[rule] as usize] = [0; N];
        }
        for rule in rules.clone() {
            let changed = apply(program, atoms, rule);
            if changed && stratum.recursive {
                enqueue(program, fluents, rule, queued, next);
            }
        }
        while !next.is_empty() {
            std::mem::swap(queue, next);
            for &rule in &*queue {
                queued[rule as usize] = false;
                if apply(program, atoms, rule as usize) {
                    enqueue(program, fluents, rule as usize, queued, next);
                }
            }
            queue.clear();
        }
    }
}

/// Applies an axiom; returns whether its head became true in some lane.
#[inline(always)]
fn apply<const N: usize>(program: &Program, atoms: &mut [Plane<N>], rule: usize) -> bool {
    let body = program.rules.bodies.holds(rule, atoms);
    let head = &mut atoms[program.rules.heads[rule] as usize];
    let gained = zip(&body, head, |body, head| body & !head);
    *head = zip(&body, head, |body, head| body | head);
    !is_empty(&gained)
}

/// Adds the axioms of the same group that read the head of an axiom to a queue, unless they are in it.
#[inline(always)]
fn enqueue(program: &Program, fluents: usize, rule: usize, queued: &mut [bool], next: &mut Vec<u32>) {
    for &reader in program
        .rules
        .readers
        .get(program.rules.heads[rule] as usize - fluents)
    {
        if !std::mem::replace(&mut queued[reader as usize], true) {
            next.push(reader);
        }
    }
}
