//! Removes the axioms that follow from others.

use crate::draft::Draft;
use crate::task::{Axiom, Fact};

impl Draft {
    /// Removes each axiom whose condition contains that of another axiom with the same head; of equal axioms, the first stays.
    /// Facts that are true in every state, by the values that each variable may have, are left out of the conditions. So fewer
    /// variables matter: a derived fact with a simple reason no longer depends on its complicated ones.
    pub(crate) fn remove_dominated_axioms(&mut self, reached: &[Vec<bool>]) {
        let changes: Vec<bool> = reached
            .iter()
            .map(|values| values.iter().filter(|&&reached| reached).count() > 1)
            .collect();
        for axiom in &mut self.axioms {
            axiom.condition.retain(|fact| changes[fact.variable as usize]);
        }
        let mut dominated = dominated(&self.axioms, reached).into_iter();
        self.axioms.retain(|_| dominated.next() == Some(false));
    }
}

/// Returns whether each axiom follows from another one with the same head, which has a smaller condition or comes first.
fn dominated(axioms: &[Axiom], reached: &[Vec<bool>]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..axioms.len()).collect();
    order.sort_by_key(|&index| (axioms[index].head, axioms[index].condition.len()));
    let mut dominated = vec![false; axioms.len()];
    let mut index = Index::new(reached);
    for own in order.chunk_by(|&one, &other| axioms[one].head == axioms[other].head) {
        for &axiom in own {
            let condition = &axioms[axiom].condition;
            dominated[axiom] = index.has_part_of(condition, axioms);
            if !dominated[axiom] {
                index.insert(axiom, condition);
            }
        }
        index.clear();
    }
    dominated
}

/// The remaining axioms of one head. Each is listed under the fact of its condition that had the fewest axioms.
struct Index {
    starts: Vec<usize>,
    lists: Vec<Vec<usize>>,
    /// The facts with axioms.
    used: Vec<usize>,
    /// Whether an axiom has no condition.
    is_certain: bool,
}

impl Index {
    fn new(reached: &[Vec<bool>]) -> Self {
        let mut count = 0;
        let start = |values: &Vec<bool>| {
            count += values.len();
            count - values.len()
        };
        Self {
            starts: reached.iter().map(start).collect(),
            lists: vec![Vec::new(); count],
            used: Vec::new(),
            is_certain: false,
        }
    }

    fn number(&self, fact: &Fact) -> usize {
        self.starts[fact.variable as usize] + fact.value as usize
    }

    /// Returns whether a sorted condition contains that of an axiom of the index.
    fn has_part_of(&self, condition: &[Fact], axioms: &[Axiom]) -> bool {
        let is_part = |&axiom: &usize| {
            let mut facts = axioms[axiom].condition.iter();
            facts.all(|fact| condition.binary_search(fact).is_ok())
        };
        self.is_certain
            || condition
                .iter()
                .any(|fact| self.lists[self.number(fact)].iter().any(is_part))
    }

    fn insert(&mut self, axiom: usize, condition: &[Fact]) {
        let numbers = condition.iter().map(|fact| self.number(fact));
        match numbers.min_by_key(|&number| self.lists[number].len()) {
            Some(number) => {
                self.lists[number].push(axiom);
                self.used.push(number);
            }
            None => self.is_certain = true,
        }
    }

    fn clear(&mut self) {
        self.used.drain(..).for_each(|number| self.lists[number].clear());
        self.is_certain = false;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The slow twin: compares each axiom with all others.
    fn naive(axioms: &[Axiom]) -> Vec<bool> {
        let part = |one: &Axiom, other: &Axiom| {
            one.head == other.head && one.condition.iter().all(|fact| other.condition.contains(fact))
        };
        let of = |index: usize| {
            let mut others = axioms.iter().enumerate();
            others.any(|(other, axiom)| {
                let first = other < index || !part(&axioms[index], axiom);
                other != index && part(axiom, &axioms[index]) && first
            })
        };
        (0..axioms.len()).map(of).collect()
    }

    proptest! {
        #[test]
        fn axioms_that_follow_from_others_are_found(
            axioms in prop::collection::vec((0..3_u32, prop::collection::btree_set((0..4_u32, 0..2_u32), 0..5)), 0..12),
        ) {
            let axiom = |(head, condition): (u32, std::collections::BTreeSet<(u32, u32)>)| Axiom {
                condition: condition.into_iter().map(|(variable, value)| Fact::new(variable, value)).collect(),
                head: Fact::new(4 + head, 0),
            };
            let axioms: Vec<_> = axioms.into_iter().map(axiom).collect();
            let reached = vec![vec![true; 2]; 7];
            prop_assert_eq!(dominated(&axioms, &reached), naive(&axioms));
        }
    }
}
