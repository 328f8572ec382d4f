//! The facts of a draft that are reachable if no fact ever becomes false.

use crate::prune::Draft;
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

/// The search for reachable facts. Operators, axioms and conditional effects are rules. Each rule waits for one of its facts
/// that is not reachable yet; when that one is reached, it waits for the next.
struct Search<'d> {
    draft: &'d Draft,
    /// The number of the first fact of each variable.
    starts: Vec<u32>,
    reached: Vec<bool>,
    /// The reached facts whose rules still wait.
    open: Vec<u32>,
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
        let rules = draft.operators.len() + draft.axioms.len();
        let mut search = Search {
            draft,
            starts,
            reached: vec![false; count as usize],
            open: Vec::new(),
            first: vec![NONE; count as usize],
            next: vec![NONE; rules],
            conditional: Vec::new(),
            operators: vec![false; draft.operators.len()],
        };
        for (variable, &value) in (0..).zip(&draft.initial) {
            search.reach(Fact::new(variable, value));
        }
        (0..rules).for_each(|rule| search.apply(rule));
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
    fn number(&self, fact: Fact) -> usize {
        (self.starts[fact.variable as usize] + fact.value) as usize
    }

    fn reach(&mut self, fact: Fact) {
        let number = self.number(fact);
        if !std::mem::replace(&mut self.reached[number], true) {
            self.open.push(number as u32);
        }
    }

    /// Makes a rule happen, or wait for a fact.
    fn apply(&mut self, rule: usize) {
        let draft = self.draft;
        let (operators, axioms) = (draft.operators.len(), draft.axioms.len());
        if let Some(operator) = draft.operators.get(rule) {
            if !self.wait(rule, operator.preconditions()) {
                self.operators[rule] = true;
                for (index, effect) in operator.effects.iter().enumerate() {
                    self.effect(rule, index, effect);
                }
            }
        } else if let Some(axiom) = draft.axioms.get(rule - operators) {
            if !self.wait(rule, axiom.condition.iter().copied()) {
                self.reach(axiom.head);
            }
        } else {
            let (operator, index) = self.conditional[rule - operators - axioms];
            let effect = &draft.operators[operator as usize].effects[index as usize];
            if !self.wait(rule, effect.condition.iter().copied()) {
                self.reach(Fact::new(effect.variable, effect.after));
            }
        }
    }

    /// Makes an effect of a reachable operator happen, or a rule of it.
    fn effect(&mut self, operator: usize, index: usize, effect: &Effect) {
        if effect.condition.is_empty() {
            self.reach(Fact::new(effect.variable, effect.after));
        } else {
            self.conditional.push((operator as u32, index as u32));
            self.next.push(NONE);
            self.apply(self.next.len() - 1);
        }
    }

    /// Lets a rule wait for the first of these facts that is not reached. Returns `false` if all are.
    fn wait(&mut self, rule: usize, mut facts: impl Iterator<Item = Fact>) -> bool {
        let missing = facts.find(|&fact| !self.reached[self.number(fact)]);
        if let Some(fact) = missing {
            let number = self.number(fact);
            self.next[rule] = self.first[number];
            self.first[number] = rule as u32;
        }
        missing.is_some()
    }
}
