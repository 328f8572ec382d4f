//! Pairs of facts that are never true together (h²), forwards and backwards (Alcázar & Torralba, "A reminder about the
//! importance of computing and exploiting invariants in planning", 2015).

use fixedbitset::FixedBitSet;
use herbrand_ground::{AtomId, GroundTask};
use herbrand_limits::{Budget, BudgetExhausted, Meter};

use crate::groups::MutexGroups;
use crate::prune::Draft;
use crate::task::{Fact, Operator};

const PASS: &str = "finding pairs of facts that exclude each other";

/// Pairs of facts that may be true together. Facts of derived variables belong to no pair.
pub(crate) struct Pairs {
    /// For each fact, by its number, the facts that may be true with it. Its own bit says whether it may be true at all.
    rows: Vec<FixedBitSet>,
    facts: Facts,
}

/// The numbers of the facts: those of a variable are consecutive.
struct Facts {
    starts: Vec<usize>,
    derived: Vec<bool>,
    /// The number of all facts.
    count: usize,
}

/// Finds the pairs, and removes the operators and effects that are never applicable, or after which no goal can be reached.
/// Repeats this until nothing is removed.
pub(crate) fn mutex_pairs(draft: &mut Draft, budget: &Budget) -> Result<Pairs, BudgetExhausted> {
    let mut meter = budget.meter(PASS);
    loop {
        let forwards = Pairs::forwards(draft, &mut meter)?;
        let before = draft.operators.len();
        draft.retain(|operator| forwards.allow(operator.preconditions()));
        for operator in &mut draft.operators {
            let known: Vec<_> = operator.preconditions().collect();
            operator.retain_effects(|effect| forwards.allow(known.iter().chain(&effect.condition).copied()));
        }
        draft
            .axioms
            .retain(|axiom| forwards.allow(axiom.condition.iter().copied()));
        let usable = forwards.backwards(draft, &mut meter)?;
        let mut usable = usable.into_iter();
        draft.retain(|operator| usable.next() != Some(false) && !operator.effects.is_empty());
        meter.check()?;
        if draft.operators.len() == before {
            return Ok(forwards);
        }
    }
}

impl Facts {
    fn of(draft: &Draft) -> Self {
        let mut count = 0;
        let start = |&size: &u32| {
            count += size as usize;
            count - size as usize
        };
        Self {
            starts: draft.sizes.iter().map(start).collect(),
            derived: draft.layers.iter().map(Option::is_some).collect(),
            count,
        }
    }

    /// Returns the number of a fact; `None` if it is derived.
    fn number(&self, fact: Fact) -> Option<usize> {
        let variable = fact.variable as usize;
        (!self.derived[variable]).then(|| self.starts[variable] + fact.value as usize)
    }

    /// Returns the numbers of the facts of a variable.
    fn of_variable(&self, variable: u32) -> std::ops::Range<usize> {
        let end = self.starts.get(variable as usize + 1);
        self.starts[variable as usize]..end.copied().unwrap_or(self.count)
    }
}

impl Pairs {
    /// Returns no pairs.
    fn none(draft: &Draft, meter: &mut Meter) -> Result<Self, BudgetExhausted> {
        let facts = Facts::of(draft);
        let count = facts.count;
        if !meter.charge((count as u64).saturating_mul(count as u64) / 8) {
            meter.check()?;
        }
        let rows = vec![FixedBitSet::with_capacity(count); count];
        Ok(Self { rows, facts })
    }

    /// Returns the pairs that are reachable if each step only depends on pairs.
    fn forwards(draft: &Draft, meter: &mut Meter) -> Result<Self, BudgetExhausted> {
        let mut pairs = Self::none(draft, meter)?;
        let initial: Vec<_> = (0..)
            .zip(&draft.initial)
            .map(|(variable, &value)| Fact::new(variable, value))
            .collect();
        let numbers = pairs.numbers(initial.iter().copied());
        for &one in &numbers {
            pairs.rows[one].extend(numbers.iter().copied());
        }
        loop {
            let mut changed = false;
            for operator in &draft.operators {
                changed |= pairs.step(operator);
                if !meter.work(pairs.facts.count as u64 / 8 + 1) {
                    meter.check()?;
                }
            }
            if !changed {
                return Ok(pairs);
            }
        }
    }

    fn numbers(&self, facts: impl Iterator<Item = Fact>) -> Vec<usize> {
        let mut numbers: Vec<_> = facts.filter_map(|fact| self.facts.number(fact)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Returns whether facts may be true together.
    pub(crate) fn allow(&self, facts: impl Iterator<Item = Fact>) -> bool {
        self.all_meet(&self.numbers(facts))
    }

    fn all_meet(&self, numbers: &[usize]) -> bool {
        numbers.iter().enumerate().all(|(index, &one)| {
            numbers[index..]
                .iter()
                .all(|&other| self.rows[one].contains(other))
        })
    }

    /// Returns the facts that may be true together with each of these.
    fn companions(&self, numbers: &[usize]) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.facts.count);
        match numbers.split_first() {
            Some((&first, others)) => {
                all.union_with(&self.rows[first]);
                others
                    .iter()
                    .for_each(|&other| all.intersect_with(&self.rows[other]));
            }
            None => all.extend((0..self.rows.len()).filter(|&fact| self.rows[fact].contains(fact))),
        }
        all
    }

    /// Adds that a fact may be true with each of others. Returns whether that is new.
    fn add(&mut self, fact: usize, others: &FixedBitSet) -> bool {
        let new: Vec<_> = others.difference(&self.rows[fact]).collect();
        for &other in &new {
            self.rows[fact].insert(other);
            self.rows[other].insert(fact);
        }
        !new.is_empty()
    }

    /// Adds the pairs after a step by an operator. Returns whether there are new ones.
    fn step(&mut self, operator: &Operator) -> bool {
        let known = self.numbers(operator.preconditions());
        if !self.all_meet(&known) {
            return false;
        }
        let always = || {
            operator
                .effects
                .iter()
                .filter(|effect| effect.condition.is_empty())
        };
        let sure = self.numbers(always().map(|effect| Fact::new(effect.variable, effect.after)));
        let mut after = self.companions(&known);
        for effect in always() {
            after.remove_range(self.facts.of_variable(effect.variable));
        }
        let rest = after.clone();
        after.extend(sure.iter().copied());
        let mut changed = false;
        for &fact in &sure {
            changed |= self.add(fact, &after);
        }
        let conditional = || {
            operator
                .effects
                .iter()
                .filter(|effect| !effect.condition.is_empty())
        };
        for effect in conditional() {
            let under = self.numbers(operator.preconditions().chain(effect.condition.iter().copied()));
            let Some(fact) = self.facts.number(Fact::new(effect.variable, effect.after)) else {
                continue;
            };
            if !self.all_meet(&under) {
                continue;
            }
            let mut after = self.companions(&under);
            after.intersect_with(&rest);
            after.extend(sure.iter().copied());
            for other in conditional() {
                let condition = operator
                    .preconditions()
                    .chain(effect.condition.iter().chain(&other.condition).copied());
                if self.allow(condition) {
                    after.extend(self.facts.number(Fact::new(other.variable, other.after)));
                }
            }
            after.remove_range(self.facts.of_variable(effect.variable));
            after.insert(fact);
            changed |= self.add(fact, &after);
        }
        changed
    }

    /// Returns for each operator whether, by pairs, a goal may be reached after it.
    fn backwards(&self, draft: &Draft, meter: &mut Meter) -> Result<Vec<bool>, BudgetExhausted> {
        let mut before = Self::none(draft, meter)?;
        let goal = self.numbers(draft.goal.iter().copied());
        let mut usable = vec![false; draft.operators.len()];
        if !self.all_meet(&goal) {
            return Ok(usable);
        }
        let allowed = self.companions(&goal);
        for fact in allowed.ones() {
            before.rows[fact].union_with(&self.rows[fact]);
            before.rows[fact].intersect_with(&allowed);
        }
        loop {
            let mut changed = false;
            for (operator, usable) in draft.operators.iter().zip(&mut usable) {
                changed |= self.regress(operator, &mut before, usable);
                if !meter.work(self.facts.count as u64 / 8 + 1) {
                    meter.check()?;
                }
            }
            if !changed {
                return Ok(usable);
            }
        }
    }

    /// Adds to `before` the pairs of states in which an operator may lead towards a goal. Returns whether there are new ones.
    fn regress(&self, operator: &Operator, before: &mut Self, usable: &mut bool) -> bool {
        let always = operator
            .effects
            .iter()
            .filter(|effect| effect.condition.is_empty());
        let sure = always.map(|effect| Fact::new(effect.variable, effect.after));
        // The facts after the step that depend on no condition.
        let after = self.numbers(operator.prevail.iter().copied().chain(sure));
        if !before.all_meet(&after) {
            return false;
        }
        *usable = true;
        let known = self.numbers(operator.preconditions());
        let possible = self.companions(&known);
        let mut unchanged = before.companions(&after);
        let mut replaced = FixedBitSet::with_capacity(self.facts.count);
        for effect in &operator.effects {
            let own = self.facts.of_variable(effect.variable);
            unchanged.remove_range(own.clone());
            replaced.insert_range(own);
        }
        replaced.intersect_with(&possible);
        unchanged.intersect_with(&possible);
        unchanged.union_with(&replaced);
        let mut changed = false;
        for fact in replaced.ones() {
            let mut together = unchanged.clone();
            together.intersect_with(&self.rows[fact]);
            changed |= before.add(fact, &together);
        }
        changed
    }

    /// Returns mutex groups of the task: `groups` with as many more atoms as exclude all of theirs, and new ones.
    pub(crate) fn extend(&self, groups: &MutexGroups, draft: &Draft, task: &GroundTask) -> MutexGroups {
        let mut atoms: Vec<Option<AtomId>> = vec![None; self.facts.count];
        let mut numbers: Vec<Option<usize>> = vec![None; task.atom_count()];
        for (variable, values) in (0..).zip(&draft.atoms) {
            for (value, &atom) in (0..).zip(values) {
                let number = self.facts.number(Fact::new(variable, value));
                // A fact that is never true is in no group.
                if let Some(number) = number.filter(|&number| self.rows[number].contains(number)) {
                    atoms[number] = Some(atom);
                    numbers[atom.index()] = Some(number);
                }
            }
        }
        let mut candidates = FixedBitSet::with_capacity(self.facts.count);
        candidates.extend((0..atoms.len()).filter(|&number| atoms[number].is_some()));
        let grow = |mut group: Vec<usize>| {
            let mut open = candidates.clone();
            group
                .iter()
                .for_each(|&fact| open.difference_with(&self.rows[fact]));
            while let Some(fact) = open.minimum() {
                group.push(fact);
                open.difference_with(&self.rows[fact]);
            }
            group
                .into_iter()
                .filter_map(|fact| atoms[fact])
                .collect::<Vec<_>>()
        };
        let old = groups.groups().iter().map(|group| {
            group
                .iter()
                .filter_map(|atom| numbers[atom.index()])
                .collect::<Vec<_>>()
        });
        let mut grown: Vec<_> = old.map(grow).collect();
        let mut covered = vec![false; task.atom_count()];
        grown
            .iter()
            .flatten()
            .for_each(|atom| covered[atom.index()] = true);
        for fact in candidates.ones() {
            if atoms[fact].is_some_and(|atom| !covered[atom.index()]) {
                let group = grow(vec![fact]);
                group.iter().for_each(|atom| covered[atom.index()] = true);
                grown.push(group);
            }
        }
        MutexGroups::new(grown)
    }
}
