//! The facts of a draft that are reachable if no fact ever becomes false.

use crate::draft::Draft;
use crate::task::Fact;

/// The facts that are reachable if no fact ever becomes false, and the rules that lead to them.
pub(crate) struct Reachability {
    /// For each variable, whether each of its values is reachable.
    pub(crate) values: Vec<Vec<bool>>,
    /// Whether the preconditions of each operator are reachable.
    pub(crate) operators: Vec<bool>,
}

/// The end of a list of rules.
const NONE: u32 = u32::MAX;

/// The search for reachable facts. Operators, axioms and conditional effects are rules. Each rule waits for one of its facts
/// that is not reachable yet; when that one is reached, it waits for the next.
struct Search<'d> {
    draft: &'d Draft,
    /// The number of the first fact of each variable.
    starts: Vec<u32>,
    reached: Vec<bool>,
    /// The reached facts whose rules still wait.
    open: Vec<u32>,
    /// The numbers of the facts in the conditions of all rules, and for each rule the end of its own.
    conditions: Vec<u32>,
    ends: Vec<u32>,
    /// For each fact, the first rule that waits for it; for each rule, the next one.
    first: Vec<u32>,
    next: Vec<u32>,
    /// The operator and the index of each conditional effect whose operator is reachable. Their rules come after those of all
    /// operators and axioms.
    conditional: Vec<(u32, u32)>,
    /// Whether each operator is reachable.
    operators: Vec<bool>,
}

impl Reachability {
    pub(crate) fn of(draft: &Draft) -> Self {
        let mut count = 0;
        let start = |&size: &u32| {
            count += size;
            count - size
        };
        let starts: Vec<u32> = draft.sizes.iter().map(start).collect();
        let mut search = Search {
            draft,
            starts,
            reached: vec![false; count as usize],
            open: Vec::new(),
            conditions: Vec::new(),
            ends: Vec::with_capacity(draft.operators.len() + draft.axioms.len()),
            first: vec![NONE; count as usize],
            next: Vec::with_capacity(draft.operators.len() + draft.axioms.len()),
            conditional: Vec::new(),
            operators: vec![false; draft.operators.len()],
        };
        for (variable, &value) in (0..).zip(&draft.initial) {
            search.reach(Fact::new(variable, value));
        }
        for operator in &draft.operators {
            search.add(operator.preconditions());
        }
        for axiom in &draft.axioms {
            search.add(axiom.condition.iter().copied());
        }
        (0..search.ends.len()).for_each(|rule| search.apply(rule));
        while let Some(fact) = search.open.pop() {
            let mut rule = std::mem::replace(&mut search.first[fact as usize], NONE);
            while rule != NONE {
                let following = search.next[rule as usize];
                search.apply(rule as usize);
                rule = following;
            }
        }
        let mut rest = search.reached.as_slice();
        let split = |&size: &u32| {
            let (own, others) = rest.split_at(size as usize);
            rest = others;
            own.to_vec()
        };
        Self {
            values: draft.sizes.iter().map(split).collect(),
            operators: search.operators,
        }
    }

    /// Returns whether a fact is reachable.
    pub(crate) fn contains(&self, fact: &Fact) -> bool {
        self.values[fact.variable as usize][fact.value as usize]
    }
}

impl Search<'_> {
    fn reach(&mut self, fact: Fact) {
        let number = self.starts[fact.variable as usize] + fact.value;
        if !std::mem::replace(&mut self.reached[number as usize], true) {
            self.open.push(number);
        }
    }

    /// Adds a rule with this condition.
    fn add(&mut self, condition: impl Iterator<Item = Fact>) {
        let starts = &self.starts;
        let numbers = condition.map(|fact| starts[fact.variable as usize] + fact.value);
        self.conditions.extend(numbers);
        self.ends.push(self.conditions.len() as u32);
        self.next.push(NONE);
    }

    /// Makes a rule happen, or lets it wait for the first fact of its condition that is not reached.
    fn apply(&mut self, rule: usize) {
        let start = rule.checked_sub(1).map_or(0, |before| self.ends[before]);
        let condition = &self.conditions[start as usize..self.ends[rule] as usize];
        if let Some(&fact) = condition.iter().find(|&&fact| !self.reached[fact as usize]) {
            self.next[rule] = self.first[fact as usize];
            self.first[fact as usize] = rule as u32;
            return;
        }
        let draft = self.draft;
        let (operators, axioms) = (draft.operators.len(), draft.axioms.len());
        if let Some(operator) = draft.operators.get(rule) {
            self.operators[rule] = true;
            for (index, effect) in (0..).zip(&operator.effects) {
                if effect.condition.is_empty() {
                    self.reach(Fact::new(effect.variable, effect.after));
                } else {
                    self.conditional.push((rule as u32, index));
                    self.add(effect.condition.iter().copied());
                    self.apply(self.ends.len() - 1);
                }
            }
        } else if let Some(axiom) = draft.axioms.get(rule - operators) {
            self.reach(axiom.head);
        } else {
            let (operator, index) = self.conditional[rule - operators - axioms];
            let effect = &draft.operators[operator as usize].effects[index as usize];
            self.reach(Fact::new(effect.variable, effect.after));
        }
    }
}

#[cfg(test)]
mod tests {
    use herbrand_ground::strategies::{EffectKinds, TaskSketch};
    use herbrand_limits::Budget;
    use proptest::prelude::*;

    use super::*;
    use crate::cover::cover;
    use crate::encode::{Draws, encode};
    use crate::groups::MutexGroups;

    /// The slow twin: applies all rules until nothing changes.
    fn literal(draft: &Draft) -> Vec<Vec<bool>> {
        let mut reached: Vec<_> = draft
            .sizes
            .iter()
            .map(|&size| vec![false; size as usize])
            .collect();
        for (values, &value) in reached.iter_mut().zip(&draft.initial) {
            values[value as usize] = true;
        }
        loop {
            let before = reached.clone();
            let holds = |fact: &Fact| before[fact.variable as usize][fact.value as usize];
            for operator in &draft.operators {
                for effect in &operator.effects {
                    if operator.preconditions().all(|fact| holds(&fact)) && effect.condition.iter().all(holds)
                    {
                        reached[effect.variable as usize][effect.after as usize] = true;
                    }
                }
            }
            for axiom in &draft.axioms {
                if axiom.condition.iter().all(holds) {
                    reached[axiom.head.variable as usize][axiom.head.value as usize] = true;
                }
            }
            if reached == before {
                return reached;
            }
        }
    }

    proptest! {
        #[test]
        fn reachable_facts_are_those_of_all_rules(
            fluents in 1..9_u32,
            derived in 0..3_u32,
            actions in 1..9_u32,
            literals in 1..4_u32,
            seed in any::<u64>(),
        ) {
            let effects = EffectKinds::Conditional;
            let sketch = TaskSketch {
                fluents, derived, numbers: 0, actions, literals, disjunctions: seed % 2 == 0, effects, seed,
            };
            let (task, groups) = (sketch.build(), MutexGroups::default());
            let sets = cover(&task, &groups, &vec![false; task.atom_count()]);
            let (budget, costs) = (Budget::unlimited(), vec![1; task.actions.len()]);
            let mut meter = budget.meter("testing");
            let Ok(draft) = encode(&task, &costs, &sets, &groups, Draws::Refuse, &mut meter) else { return Ok(()) };
            let found = Reachability::of(&draft);
            prop_assert_eq!(&found.values, &literal(&draft));
            for (operator, reached) in draft.operators.iter().zip(found.operators.iter()) {
                prop_assert_eq!(operator.preconditions().all(|fact| found.contains(&fact)), *reached);
            }
        }
    }
}
