//! Removes the operators and axioms of drafts that are never used, and renumbers variables and values.

use crate::draft::Draft;
use crate::reachability::Reachability;
use crate::task::{Effect, Fact, tidy};

/// The new facts of a draft: the numbers of the variables and values that are kept.
pub(crate) struct Renumbering {
    /// The old numbers of the kept variables, in their new order.
    pub(crate) order: Vec<u32>,
    /// The number of the first fact of each old variable.
    starts: Vec<u32>,
    /// The new fact of each old fact; `None` if it is left out.
    facts: Vec<Option<Fact>>,
}

impl Renumbering {
    /// Returns the renumbering to the variables in `order` and the values that are reached.
    pub(crate) fn new(order: Vec<u32>, reached: &[Vec<bool>]) -> Self {
        let mut count = 0;
        let start = |values: &Vec<bool>| {
            count += values.len() as u32;
            count - values.len() as u32
        };
        let starts: Vec<u32> = reached.iter().map(start).collect();
        let mut facts = vec![None; count as usize];
        for (variable, &old) in (0..).zip(&order) {
            let values = reached[old as usize].iter().enumerate();
            let kept = values.filter(|(_, reached)| **reached).map(|(value, _)| value);
            for (value, old_value) in (0..).zip(kept) {
                facts[starts[old as usize] as usize + old_value] = Some(Fact::new(variable, value));
            }
        }
        Self { order, starts, facts }
    }

    /// Returns the new fact; `None` if the variable or the value is left out.
    pub(crate) fn fact(&self, fact: Fact) -> Option<Fact> {
        self.facts[(self.starts[fact.variable as usize] + fact.value) as usize]
    }

    /// Renumbers the facts of a condition. The conditions on variables that are left out are dropped.
    fn renumber(&self, facts: &mut Vec<Fact>) {
        facts.retain_mut(|fact| {
            let new = self.fact(*fact);
            *fact = new.unwrap_or(*fact);
            new.is_some()
        });
        facts.sort_unstable();
    }
}

impl Draft {
    /// Removes the operators, effects and axioms whose conditions are never true together with each other's first steps
    /// under delete relaxation. Returns for each variable the values that some state may have.
    pub(crate) fn remove_unreachable(&mut self) -> Vec<Vec<bool>> {
        let found = Reachability::of(self);
        let mut reached = found.operators.iter();
        self.retain(|operator| {
            operator.retain_effects(|effect| effect.condition.iter().all(|fact| found.contains(fact)));
            reached.next() == Some(&true) && !operator.effects.is_empty()
        });
        self.axioms
            .retain(|axiom| axiom.condition.iter().all(|fact| found.contains(fact)));
        found.values
    }

    /// Applies a renumbering. Operators without effects are removed.
    pub(crate) fn renumber(&mut self, numbers: &Renumbering) {
        let (sizes, layers, initial) = (&self.sizes, &self.layers, &self.initial);
        let new = numbers.order.iter().map(|&variable| {
            let facts = (0..sizes[variable as usize]).map(|value| Fact::new(variable, value));
            let size = facts.filter(|&fact| numbers.fact(fact).is_some()).count() as u32;
            let value = numbers.fact(Fact::new(variable, initial[variable as usize]));
            let value = value.map(|fact| fact.value).unwrap_or_default();
            ((size, layers[variable as usize]), value)
        });
        ((self.sizes, self.layers), self.initial) = new.collect();
        numbers.renumber(&mut self.goal);
        self.retain(|operator| {
            let is_kept = |effect: &Effect| numbers.fact(Fact::new(effect.variable, effect.after)).is_some();
            operator.retain_effects(is_kept);
            numbers.renumber(&mut operator.prevail);
            operator.effects.retain_mut(|effect| {
                let of_variable = |value| numbers.fact(Fact::new(effect.variable, value));
                let Some(after) = of_variable(effect.after) else {
                    return false;
                };
                effect.before = effect.before.and_then(of_variable).map(|fact| fact.value);
                (effect.variable, effect.after) = (after.variable, after.value);
                numbers.renumber(&mut effect.condition);
                true
            });
            tidy(&mut operator.effects);
            !operator.effects.is_empty()
        });
        let axioms = std::mem::take(&mut self.axioms).into_iter();
        let new = axioms.filter_map(|mut axiom| {
            axiom.head = numbers.fact(axiom.head)?;
            numbers.renumber(&mut axiom.condition);
            Some(axiom)
        });
        self.axioms = new.collect();
    }
}
