//! The facts of a draft that are reachable if no fact ever becomes false.

use crate::draft::Draft;
use crate::task::{Effect, Fact};

/// The facts that are reachable if no fact ever becomes false, and the rules that lead to them.
pub(crate) struct Reachability {
    /// For each variable, whether each of its values is reachable.
    pub(crate) values: Vec<Vec<bool>>,
    /// Whether the preconditions of each operator are reachable.
    pub(crate) operators: Vec<bool>,
}

/// The end of a list of rules.
const NONE: u32 = u32::MAX;

/// The search for reachable facts. Operators are rules, then axioms, then conditional effects with the conditions of their
/// operators. Each rule waits for one fact of its condition that is not reachable yet; when that one is reached, it waits for
/// the next.
struct Search {
    /// The number of the first fact of each variable.
    starts: Vec<u32>,
    reached: Vec<bool>,
    /// The reached facts whose rules still wait.
    open: Vec<u32>,
    /// The numbers of the facts of all rules: for each, those of its condition, then those to which it leads.
    facts: Vec<u32>,
    rules: Vec<Rule>,
    /// For each fact, the first rule that waits for it; for each rule, the next one.
    first: Vec<u32>,
    next: Vec<u32>,
    /// Whether each operator is reachable.
    operators: Vec<bool>,
}

/// The places of a rule in the list of facts.
struct Rule {
    start: u32,
    /// The end of the condition.
    middle: u32,
    end: u32,
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
            starts,
            reached: vec![false; count as usize],
            open: Vec::new(),
            facts: Vec::new(),
            rules: Vec::with_capacity(draft.operators.len() + draft.axioms.len()),
            first: vec![NONE; count as usize],
            next: Vec::with_capacity(draft.operators.len() + draft.axioms.len()),
            operators: vec![false; draft.operators.len()],
        };
        for (variable, &value) in (0_u32..).zip(&draft.initial) {
            search.reach(search.starts[variable as usize] + value);
        }
        let after = |effect: &Effect| Fact::new(effect.variable, effect.after);
        let mut conditional = Vec::new();
        for operator in &draft.operators {
            let is_certain = |effect: &&Effect| effect.condition.is_empty();
            search.add(
                operator.preconditions(),
                operator.effects.iter().filter(is_certain).map(after),
            );
            let others = operator.effects.iter().filter(|effect| !is_certain(effect));
            conditional.extend(others.map(|effect| (operator, effect)));
        }
        for axiom in &draft.axioms {
            search.add(axiom.condition.iter().copied(), [axiom.head]);
        }
        for (operator, effect) in conditional {
            let condition = operator.preconditions().chain(effect.condition.iter().copied());
            search.add(condition, [after(effect)]);
        }
        (0..search.rules.len()).for_each(|rule| search.apply(rule));
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

impl Search {
    fn reach(&mut self, number: u32) {
        if !std::mem::replace(&mut self.reached[number as usize], true) {
            self.open.push(number);
        }
    }

    /// Adds a rule that leads from facts to facts.
    fn add(&mut self, condition: impl Iterator<Item = Fact>, conclusions: impl IntoIterator<Item = Fact>) {
        let starts = &self.starts;
        let number = |fact: Fact| starts[fact.variable as usize] + fact.value;
        let start = self.facts.len() as u32;
        self.facts.extend(condition.map(number));
        let middle = self.facts.len() as u32;
        self.facts.extend(conclusions.into_iter().map(number));
        let end = self.facts.len() as u32;
        self.rules.push(Rule { start, middle, end });
        self.next.push(NONE);
    }

    /// Makes a rule happen, or lets it wait for the first fact of its condition that is not reached.
    fn apply(&mut self, rule: usize) {
        let Rule { start, middle, end } = self.rules[rule];
        let condition = &self.facts[start as usize..middle as usize];
        if let Some(&fact) = condition.iter().find(|&&fact| !self.reached[fact as usize]) {
            self.next[rule] = self.first[fact as usize];
            self.first[fact as usize] = rule as u32;
            return;
        }
        if let Some(operator) = self.operators.get_mut(rule) {
            *operator = true;
        }
        for place in middle..end {
            self.reach(self.facts[place as usize]);
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
