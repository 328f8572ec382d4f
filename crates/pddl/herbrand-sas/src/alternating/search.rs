//! The search for maximal sets of atoms that fulfil inequalities.

use fixedbitset::FixedBitSet;
use herbrand_ground::{AtomId, Rows};
use herbrand_limits::{BudgetExhausted, Meter};

use super::inequality::Inequalities;

/// Whether an atom is in the set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    Open,
    In,
    Out,
}

/// A search that chooses atom by atom, writes down what follows, and takes back the last choice that led to a
/// contradiction. A linear program is not needed: most inequalities are implications (an atom is in the set only if one of
/// few others is), and of all sets only the maximal ones are asked for, not the largest.
///
/// Each choice puts an atom into the set, and leaves it out only if that led to nothing but contradictions. So the first
/// set found is maximal: at the first choice by which a larger one differs, it has the atom and the found one has not,
/// although the larger one is no contradiction.
pub(super) struct Search<'i> {
    inequalities: &'i Inequalities,
    /// The inequalities in which each atom is added, and those in which it is removed.
    adding: Rows<u32>,
    removing: Rows<u32>,
    /// For each inequality, the number of added atoms in the set, of removed atoms in the set, and of removed atoms in the
    /// set or open. The last inequality is that of the initial state, which allows one atom.
    added: Vec<u32>,
    given: Vec<u32>,
    left: Vec<u32>,
    choices: Vec<Choice>,
    /// The atoms that are not open, in the order of their choices, and the number of those whose consequences are known.
    trail: Vec<u32>,
    propagated: usize,
    /// The inequalities that may have too few removed atoms in the set.
    pending: Vec<u32>,
    /// Sets in which the set must not be contained.
    known: Vec<Known>,
    dead_ends: u32,
    is_contradictory: bool,
}

/// A set that must not contain the set that is looked for.
struct Known {
    members: FixedBitSet,
    /// The number of other atoms in the set, and of those in the set or open.
    given: u32,
    left: u32,
}

/// A choice that can be taken back.
struct Decision {
    /// The length of the trail before it.
    trail: usize,
    pending: usize,
    /// The number of pending inequalities that were fulfilled.
    fulfilled: usize,
}

impl<'i> Search<'i> {
    pub(super) fn new(inequalities: &'i Inequalities, dead_ends: u32) -> Self {
        let count = inequalities.adds.len();
        let mut left: Vec<u32> = inequalities.removed.iter().map(|row| row.len() as u32).collect();
        let mut given = vec![0; count];
        left.push(1);
        given.push(1);
        let initial = std::iter::once(inequalities.initial.as_slice());
        let mut search = Self {
            adding: transposed(inequalities.adds.iter().chain(initial), inequalities.atoms),
            removing: transposed(inequalities.removed.iter(), inequalities.atoms),
            added: vec![0; count + 1],
            given,
            left,
            choices: vec![Choice::Open; inequalities.atoms],
            trail: Vec::new(),
            propagated: 0,
            pending: Vec::new(),
            known: Vec::new(),
            dead_ends,
            is_contradictory: false,
            inequalities,
        };
        // Some atoms are out before any choice.
        let fits = (0..=count).all(|inequality| search.tighten(inequality)) && search.propagate();
        search.is_contradictory = !fits;
        search.pending.clear();
        search
    }

    /// The atoms that an inequality adds.
    fn adds(&self, inequality: usize) -> &'i [u32] {
        if inequality < self.inequalities.adds.len() {
            self.inequalities.adds.row(inequality)
        } else {
            &self.inequalities.initial
        }
    }

    /// The atoms that an inequality removes.
    fn removed(&self, inequality: usize) -> &'i [u32] {
        if inequality < self.inequalities.removed.len() {
            self.inequalities.removed.row(inequality)
        } else {
            &[]
        }
    }

    /// Returns a set with an atom that is contained in none of the known sets; `None` if no such set has at least two
    /// atoms, or if too many dead ends come before it.
    pub(super) fn find<'a>(
        &mut self,
        atom: usize,
        known: impl Iterator<Item = &'a [AtomId]>,
        meter: &mut Meter,
    ) -> Result<Option<Vec<AtomId>>, BudgetExhausted> {
        if self.is_contradictory || self.choices[atom] == Choice::Out {
            return Ok(None);
        }
        let root = self.trail.len();
        self.know(known);
        let found = self.complete(atom as u32, meter);
        let group = found.then(|| {
            let chosen = (0..self.choices.len()).filter(|&atom| self.choices[atom] == Choice::In);
            chosen.map(AtomId::from_index).collect::<Vec<_>>()
        });
        self.known.clear();
        self.undo(root);
        self.pending.clear();
        meter.check()?;
        Ok(group.filter(|group| group.len() > 1))
    }

    /// Writes down the known sets, before any atom is chosen.
    fn know<'a>(&mut self, known: impl Iterator<Item = &'a [AtomId]>) {
        let possible = self.choices.len() - self.trail.len();
        for group in known {
            let mut members = FixedBitSet::with_capacity(self.choices.len());
            members.extend(group.iter().map(|atom| atom.index()));
            let own = members.ones().filter(|&atom| self.choices[atom] == Choice::Open);
            let left = (possible - own.count()) as u32;
            self.known.push(Known {
                members,
                given: 0,
                left,
            });
        }
    }

    /// Chooses atoms, `first` before all others, until none is open. Returns whether the chosen ones are a set as asked for.
    fn complete(&mut self, first: u32, meter: &mut Meter) -> bool {
        let fits = (0..self.known.len()).all(|known| self.tighten_known(known));
        if !fits || !self.assign(first, Choice::In) || !self.propagate() {
            return false;
        }
        let mut decisions: Vec<Decision> = Vec::new();
        let (mut fulfilled, mut next, mut dead_ends) = (0, 0, 0);
        // The length of the trail at the last time when the chosen atoms were a set as asked for.
        let mut complete = None;
        loop {
            let open = match self.support(&mut fulfilled) {
                Some(atom) => Some(atom),
                None => {
                    complete = Some(self.trail.len());
                    let rest = self.choices[next..].iter();
                    let skipped = rest.take_while(|choice| **choice != Choice::Open).count();
                    next += skipped;
                    (next < self.choices.len()).then_some(next as u32)
                }
            };
            let Some(atom) = open else { return true };
            decisions.push(Decision {
                trail: self.trail.len(),
                pending: self.pending.len(),
                fulfilled,
            });
            let before = self.trail.len();
            let mut fits = self.assign(atom, Choice::In) && self.propagate();
            let mut steps = self.trail.len() - before;
            while !fits {
                dead_ends += 1;
                let Some(last) = decisions.pop() else { return false };
                let atom = self.trail[last.trail];
                self.undo(last.trail);
                self.pending.truncate(last.pending);
                fulfilled = last.fulfilled;
                fits = self.assign(atom, Choice::Out) && self.propagate();
                steps += 1;
            }
            if dead_ends > self.dead_ends || !meter.work(steps as u64 + 1) {
                // Without the choices after it, that set is one as asked for.
                if let Some(complete) = complete {
                    self.undo(complete);
                }
                return complete.is_some();
            }
        }
    }

    /// Returns an open atom that an inequality or a known set requires; `None` if all are fulfilled with the chosen atoms.
    fn support(&self, fulfilled: &mut usize) -> Option<u32> {
        while let Some(&inequality) = self.pending.get(*fulfilled) {
            let index = inequality as usize;
            if self.added[index] > self.given[index] {
                let open = |atom: &&u32| self.choices[**atom as usize] == Choice::Open;
                return self.removed(index).iter().find(open).copied();
            }
            *fulfilled += 1;
        }
        let known = self.known.iter().find(|known| known.given == 0)?;
        self.open_other(known)
    }

    /// An open atom that is not in a known set.
    fn open_other(&self, known: &Known) -> Option<u32> {
        let mut all = self.choices.iter().enumerate();
        let other = all.find(|&(atom, choice)| *choice == Choice::Open && !known.members.contains(atom));
        other.map(|(atom, _)| atom as u32)
    }

    /// Notes the choice of an atom. Returns whether it does not contradict an earlier one.
    fn assign(&mut self, atom: u32, choice: Choice) -> bool {
        let old = &mut self.choices[atom as usize];
        if *old == Choice::Open {
            *old = choice;
            self.trail.push(atom);
        }
        *old == choice
    }

    /// Notes what follows from the choices. Returns whether there is no contradiction.
    fn propagate(&mut self) -> bool {
        while let Some(&atom) = self.trail.get(self.propagated) {
            self.propagated += 1;
            if !self.apply(atom as usize) {
                return false;
            }
        }
        true
    }

    /// Counts an atom that is chosen, or notes that it no longer is one. Returns whether no inequality is violated.
    fn apply(&mut self, atom: usize) -> bool {
        let is_in = self.choices[atom] == Choice::In;
        self.count(atom, |number| *number += 1, |number| *number -= 1);
        let mut fits = true;
        let rows = if is_in { &self.adding } else { &self.removing };
        for place in 0..rows.row(atom).len() {
            let rows = if is_in { &self.adding } else { &self.removing };
            let inequality = rows.row(atom)[place];
            if is_in {
                self.pending.push(inequality);
            }
            fits = fits && self.tighten(inequality as usize);
        }
        if !is_in {
            for known in 0..self.known.len() {
                fits = fits && self.tighten_known(known);
            }
        }
        fits
    }

    /// Changes the counts for an atom in the set or out of it: `more` those of atoms in it, `fewer` those of atoms left.
    fn count(&mut self, atom: usize, more: fn(&mut u32), fewer: fn(&mut u32)) {
        let is_in = self.choices[atom] == Choice::In;
        for &inequality in self.adding.row(atom).iter().filter(|_| is_in) {
            more(&mut self.added[inequality as usize]);
        }
        for &inequality in self.removing.row(atom) {
            if is_in {
                more(&mut self.given[inequality as usize]);
            } else {
                fewer(&mut self.left[inequality as usize]);
            }
        }
        for known in self
            .known
            .iter_mut()
            .filter(|known| !known.members.contains(atom))
        {
            if is_in {
                more(&mut known.given);
            } else {
                fewer(&mut known.left);
            }
        }
    }

    /// Takes back all choices after the first ones.
    fn undo(&mut self, length: usize) {
        while self.trail.len() > length {
            if let Some(atom) = self.trail.pop() {
                if self.trail.len() < self.propagated {
                    self.count(atom as usize, |number| *number -= 1, |number| *number += 1);
                }
                self.choices[atom as usize] = Choice::Open;
            }
        }
        self.propagated = self.propagated.min(length);
    }

    /// Notes what follows from an inequality. Returns whether it can be fulfilled.
    fn tighten(&mut self, inequality: usize) -> bool {
        let (added, left) = (self.added[inequality], self.left[inequality]);
        if added < left {
            return true;
        }
        if added > left {
            return false;
        }
        for &atom in self.adds(inequality) {
            if self.choices[atom as usize] == Choice::Open {
                self.assign(atom, Choice::Out);
            }
        }
        if added > self.given[inequality] {
            for &atom in self.removed(inequality) {
                if self.choices[atom as usize] == Choice::Open {
                    self.assign(atom, Choice::In);
                }
            }
        }
        true
    }

    /// Notes what follows from a known set. Returns whether the set need not be contained in it.
    fn tighten_known(&mut self, index: usize) -> bool {
        let known = &self.known[index];
        if known.given > 0 || known.left > 1 {
            return true;
        }
        let last = self.open_other(known).filter(|_| known.left == 1);
        last.is_none_or(|atom| self.assign(atom, Choice::In)) && self.known[index].left > 0
    }
}

/// Returns for each atom the rows that contain it.
fn transposed<'a>(rows: impl Iterator<Item = &'a [u32]>, atoms: usize) -> Rows<u32> {
    let rows: Vec<_> = rows.collect();
    // For each atom, the end of its rows, and while the list is filled, the next place.
    let mut places = vec![0; atoms + 1];
    for &atom in rows.iter().copied().flatten() {
        places[atom as usize + 1] += 1;
    }
    for atom in 0..atoms {
        places[atom + 1] += places[atom];
    }
    let mut list = vec![0; places[atoms]];
    for (row, own) in (0..).zip(rows) {
        for &atom in own {
            list[places[atom as usize]] = row;
            places[atom as usize] += 1;
        }
    }
    let mut all = Rows::default();
    let mut start = 0;
    for &end in &places[..atoms] {
        all.push(list[start..end].iter().copied());
        start = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use herbrand_ground::strategies::{EffectKinds, TaskSketch};
    use herbrand_limits::Budget;
    use proptest::prelude::*;

    use super::*;
    use crate::alternating::inequality::MOST_EFFECTS;
    use crate::alternating::{AlternatingLimits, alternating_groups};
    use crate::groups::MutexGroups;

    /// All sets of atoms that fulfil the inequalities, as bits.
    fn sets(inequalities: &Inequalities) -> Vec<u32> {
        let size = |set: u32, atoms: &[u32]| atoms.iter().filter(|&&atom| set >> atom & 1 == 1).count();
        let fits = |&set: &u32| {
            let mut rows = inequalities.adds.iter().zip(inequalities.removed.iter());
            size(set, &inequalities.initial) <= 1
                && rows.all(|(adds, removed)| size(set, adds) <= size(set, removed))
        };
        (0..1 << inequalities.atoms).filter(fits).collect()
    }

    /// Those of at least two atoms that are part of no larger one: the slow twin of the search.
    fn maximal_sets(inequalities: &Inequalities) -> MutexGroups {
        let all = sets(inequalities);
        let is_maximal = |&&set: &&u32| !all.iter().any(|&other| other != set && other & set == set);
        let atoms = |&set: &u32| {
            (0..inequalities.atoms)
                .filter(move |atom| set >> atom & 1 == 1)
                .map(AtomId::from_index)
        };
        MutexGroups::new(all.iter().filter(is_maximal).map(|set| atoms(set).collect()))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(
            if std::env::var("PROPTEST_CASES").is_ok() { ProptestConfig::default().cases } else { 1000 }
        ))]

        #[test]
        fn all_maximal_sets_are_found(
            fluents in 2..10_u32,
            actions in 1..9_u32,
            literals in 1..5_u32,
            kind in 0..3_usize,
            seed in any::<u64>(),
        ) {
            let effects = [EffectKinds::Plain, EffectKinds::Conditional, EffectKinds::Drawn][kind];
            let sketch = TaskSketch { fluents, derived: 1, numbers: 0, actions, literals, disjunctions: seed % 2 == 0, effects, seed };
            let (task, budget) = (sketch.build(), Budget::unlimited());
            let mut meter = budget.meter("testing");
            let inequalities = Inequalities::of(&task, MOST_EFFECTS, &mut meter).expect("no limit");
            let limits = AlternatingLimits { each: usize::MAX, groups: usize::MAX, dead_ends: u32::MAX };
            let found = alternating_groups(&task, MutexGroups::default(), &limits, &budget).expect("no limit");
            prop_assert_eq!(found, maximal_sets(&inequalities));
        }

        /// Actions with many effects have inequalities that hold for fewer sets.
        #[test]
        fn coarse_inequalities_hold_for_fewer_sets(fluents in 2..8_u32, actions in 1..5_u32, seed in any::<u64>()) {
            let sketch = TaskSketch {
                fluents, derived: 0, numbers: 0, actions, literals: 4, disjunctions: false, effects: EffectKinds::Drawn, seed,
            };
            let (task, budget) = (sketch.build(), Budget::unlimited());
            let of = |most| sets(&Inequalities::of(&task, most, &mut budget.meter("testing")).expect("no limit"));
            let fine = of(MOST_EFFECTS);
            for set in of(0) {
                prop_assert!(fine.contains(&set), "{:b}", set);
            }
        }

        /// A search that ends at its first dead ends finds sets that fulfil the inequalities, too.
        #[test]
        fn a_search_that_ends_early_finds_valid_sets(fluents in 2..10_u32, actions in 1..9_u32, seed in any::<u64>()) {
            let sketch = TaskSketch {
                fluents, derived: 0, numbers: 0, actions, literals: 4, disjunctions: false, effects: EffectKinds::Plain, seed,
            };
            let (task, budget) = (sketch.build(), Budget::unlimited());
            let inequalities = Inequalities::of(&task, MOST_EFFECTS, &mut budget.meter("testing")).expect("no limit");
            let all = maximal_sets(&inequalities);
            let limits = AlternatingLimits { each: 2, groups: 8, dead_ends: 0 };
            let found = alternating_groups(&task, MutexGroups::default(), &limits, &budget).expect("no limit");
            for group in found.groups() {
                prop_assert!(all.groups().iter().any(|large| group.iter().all(|atom| large.contains(atom))), "{:?}", group);
            }
        }
    }
}
