//! The happenings of a plan, and whether the snap actions of one interfere.

use std::collections::BTreeMap;

use num_rational::BigRational;

use super::accesses::{Access, Accesses};
use super::{Snap, TimedFault, TimedFaultKind, TimedStep};
use crate::oracle::Oracle;
use crate::state::GroundAtom;

/// The snap actions of one happening.
pub(super) struct Happening {
    pub(super) time: BigRational,
    pub(super) snaps: Vec<Snap>,
}

/// Returns the happenings of a plan and of the world, in the order of their times. A snap action belongs
/// to the happening before it if it is less than `epsilon` later.
pub(super) fn happenings(oracle: &Oracle<'_>, steps: &[TimedStep], epsilon: &BigRational) -> Vec<Happening> {
    let mut snaps: Vec<(BigRational, Snap)> = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        snaps.push((step.time.clone(), Snap::Start(index)));
        if let Some(duration) = &step.duration {
            snaps.push((&step.time + duration, Snap::End(index)));
        }
    }
    for (index, literals) in oracle.problem.timed.iter().enumerate() {
        snaps.push((super::decimal(literals.time.value()), Snap::Literals(index)));
    }
    snaps.sort();
    let mut happenings: Vec<Happening> = Vec::new();
    for (time, snap) in snaps {
        match happenings.last_mut() {
            Some(last) if &time - &last.time < *epsilon || time == last.time => last.snaps.push(snap),
            _ => happenings.push(Happening {
                time,
                snaps: vec![snap],
            }),
        }
    }
    happenings
}

/// Returns a fault for each two snap actions of a happening that interfere, with the first atom or number of theirs.
pub(super) fn interference(
    oracle: &Oracle<'_>,
    happening: &Happening,
    accesses: &[Accesses],
) -> Vec<TimedFault> {
    let mut atoms: BTreeMap<&GroundAtom, Vec<(usize, Access)>> = BTreeMap::new();
    let mut terms: BTreeMap<_, Vec<(usize, Access)>> = BTreeMap::new();
    for (snap, of_snap) in accesses.iter().enumerate() {
        for (atom, access) in &of_snap.atoms {
            atoms.entry(atom).or_default().push((snap, *access));
        }
        for (term, access) in &of_snap.terms {
            terms.entry(term).or_default().push((snap, *access));
        }
    }
    // A snap action that reads a whole predicate reads each of its atoms that another changes.
    let reads = Access {
        reads: true,
        ..Access::default()
    };
    for (atom, users) in &mut atoms {
        let readers = accesses.iter().enumerate();
        let readers = readers.filter(|(_, of_snap)| of_snap.predicates.contains(&atom.predicate));
        users.extend(readers.map(|(snap, _)| (snap, reads)));
    }
    let mut found: BTreeMap<(usize, usize), String> = BTreeMap::new();
    let mut see = |users: &[(usize, Access)], text: &dyn Fn() -> String| {
        for (position, (one, access)) in users.iter().enumerate() {
            for (other, second) in &users[position + 1..] {
                if one != other && access.interferes(*second) {
                    let pair = (*one.min(other), *one.max(other));
                    found.entry(pair).or_insert_with(text);
                }
            }
        }
    };
    for (atom, users) in &atoms {
        see(users, &|| oracle.atom_text(atom));
    }
    for (term, users) in &terms {
        see(users, &|| oracle.term_text(term));
    }
    found
        .into_iter()
        .map(|((one, other), text)| TimedFault {
            time: happening.time.clone(),
            snaps: vec![happening.snaps[one], happening.snaps[other]],
            kind: TimedFaultKind::Interference(text),
        })
        .collect()
}
