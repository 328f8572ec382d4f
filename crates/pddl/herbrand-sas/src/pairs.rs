//! Pairs of facts that are never true together (h²), forwards and backwards (Alcázar & Torralba, "A reminder about the
//! importance of computing and exploiting invariants in planning", 2015).

use fixedbitset::FixedBitSet;
use herbrand_ground::{AtomId, GroundTask};
use herbrand_limits::{Budget, BudgetExhausted, Meter};

use crate::draft::Draft;
use crate::groups::MutexGroups;
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use herbrand_ground::strategies::{EffectKinds, TaskSketch};
    use proptest::prelude::*;

    use super::*;
    use crate::cover::cover;
    use crate::encode::{Draws, encode};

    type Together = BTreeSet<(Fact, Fact)>;

    fn all(pairs: &Together, facts: &[Fact]) -> bool {
        let mut all = facts
            .iter()
            .flat_map(|&one| facts.iter().map(move |&other| (one, other)));
        all.all(|pair| pairs.contains(&pair))
    }

    /// The facts that hold after an operator without conditional effects, as far as they are known.
    fn after(operator: &Operator) -> Vec<Fact> {
        let effects = operator
            .effects
            .iter()
            .map(|effect| Fact::new(effect.variable, effect.after));
        operator.prevail.iter().copied().chain(effects).collect()
    }

    fn changes(operator: &Operator, fact: Fact) -> bool {
        operator
            .effects
            .iter()
            .any(|effect| effect.variable == fact.variable)
    }

    fn facts(draft: &Draft) -> Vec<Fact> {
        let variables = (0..draft.sizes.len()).filter(|&variable| draft.layers[variable].is_none());
        variables
            .flat_map(|variable| {
                (0..draft.sizes[variable]).map(move |value| Fact::new(variable as u32, value))
            })
            .collect()
    }

    /// Adds pairs until none is new. `holds` says by the pairs so far whether there is a pair.
    fn least(facts: &[Fact], mut pairs: Together, holds: impl Fn(&Together, Fact, Fact) -> bool) -> Together {
        loop {
            let before = pairs.len();
            for &one in facts {
                for &other in facts {
                    if holds(&pairs, one, other) {
                        pairs.extend([(one, other), (other, one)]);
                    }
                }
            }
            if pairs.len() == before {
                return pairs;
            }
        }
    }

    /// The facts that are not derived: pairs say nothing of the others.
    fn plain(draft: &Draft, facts: impl Iterator<Item = Fact>) -> Vec<Fact> {
        facts
            .filter(|fact| draft.layers[fact.variable as usize].is_none())
            .collect()
    }

    /// The slow twin of [`Pairs::forwards`]: the definition, pair by pair.
    fn forwards(draft: &Draft) -> Together {
        let facts = facts(draft);
        let initial = |fact: Fact| draft.initial[fact.variable as usize] == fact.value;
        let start = facts
            .iter()
            .flat_map(|&one| facts.iter().map(move |&other| (one, other)));
        let start = start
            .filter(|&(one, other)| initial(one) && initial(other))
            .collect();
        least(&facts, start, |pairs, one, other| {
            draft.operators.iter().any(|operator| {
                let mut before = plain(draft, operator.preconditions());
                let sure = after(operator);
                let stays = [one, other].into_iter().filter(|&fact| !changes(operator, fact));
                let made = [one, other].into_iter().filter(|&fact| changes(operator, fact));
                before.extend(stays);
                all(pairs, &before)
                    && made.clone().count() > 0
                    && made.into_iter().all(|fact| sure.contains(&fact))
            })
        })
    }

    /// The slow twin of [`Pairs::backwards`].
    fn backwards(draft: &Draft, possible: &Together) -> Vec<bool> {
        let facts = facts(draft);
        let goal = plain(draft, draft.goal.iter().copied());
        let start = possible.iter().copied();
        let start = start
            .filter(|&(one, other)| all(possible, &[&goal[..], &[one, other]].concat()))
            .collect();
        let is_used =
            |pairs: &Together, operator: &Operator| all(pairs, &plain(draft, after(operator).into_iter()));
        let before = least(&facts, start, |pairs, one, other| {
            draft.operators.iter().any(|operator| {
                let stays = [one, other].into_iter().filter(|&fact| !changes(operator, fact));
                let mut then = plain(draft, after(operator).into_iter());
                then.extend(stays);
                let mut known = plain(draft, operator.preconditions());
                known.extend([one, other]);
                all(pairs, &then) && all(possible, &known) && is_used(pairs, operator)
            })
        });
        draft
            .operators
            .iter()
            .map(|operator| all(possible, &goal) && is_used(&before, operator))
            .collect()
    }

    proptest! {
        #[test]
        fn pairs_are_those_of_the_definition(
            fluents in 1..7_u32,
            actions in 1..7_u32,
            literals in 1..4_u32,
            derived in 0..2_u32,
            seed in any::<u64>(),
            groups in prop::collection::vec(prop::collection::vec(0..7_usize, 2..4), 0..3),
        ) {
            let sketch = TaskSketch {
                fluents, derived, numbers: 0, actions, literals, disjunctions: false, effects: EffectKinds::Plain, seed,
            };
            let task = sketch.build();
            let is_initial = |index: &usize| task.initial.contains(&AtomId::from_index(index % task.fluent_count()));
            let groups = groups.iter().filter(|group| group.iter().filter(|index| is_initial(index)).count() < 2);
            let atom = |index: &usize| AtomId::from_index(index % task.fluent_count());
            let groups = MutexGroups::new(groups.map(|group| group.iter().map(atom).collect()));
            let sets = cover(&task, &groups, &vec![false; task.atom_count()]);
            let costs = vec![1; task.actions.len()];
            let mut meter = Budget::unlimited().meter(PASS);
            let Ok(mut draft) = encode(&task, &costs, &sets, &groups, Draws::Refuse, &mut meter) else { return Ok(()) };
            // Effects under conditions have no definition here.
            draft.retain(|operator| operator.effects.iter().all(|effect| effect.condition.is_empty()));
            let found = Pairs::forwards(&draft, &mut meter).expect("no limit");
            let expected = forwards(&draft);
            for one in facts(&draft) {
                for other in facts(&draft) {
                    let together = found.allow([one, other].into_iter());
                    prop_assert_eq!(together, all(&expected, &[one, other]), "{:?} {:?}", one, other);
                }
            }
            prop_assert_eq!(found.backwards(&draft, &mut meter).expect("no limit"), backwards(&draft, &expected));
            // No further operator can be removed.
            mutex_pairs(&mut draft, &Budget::unlimited()).expect("no limit");
            let left = forwards(&draft);
            for operator in &draft.operators {
                prop_assert!(all(&left, &plain(&draft, operator.preconditions())), "{:?}", operator);
            }
            prop_assert!(!backwards(&draft, &left).contains(&false));
        }
    }
}
