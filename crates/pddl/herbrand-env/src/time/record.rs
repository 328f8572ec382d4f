//! The changes of a step with time, for display.

use std::collections::BTreeMap;

use herbrand_core::{Fact, FactValue, Group};
use herbrand_step::{NumberRecord, StepRecord};

/// The facts of a state that may change.
pub(crate) struct Facts {
    /// The true atoms, and whether each is derived.
    atoms: BTreeMap<String, bool>,
    numbers: BTreeMap<String, f64>,
}

impl Facts {
    /// `list` passes each fact of the state to its argument.
    pub(crate) fn of(list: impl FnOnce(&mut dyn FnMut(Fact<'_>))) -> Self {
        let (mut atoms, mut numbers) = (BTreeMap::new(), BTreeMap::new());
        list(&mut |fact: Fact<'_>| {
            let words: String = fact.arguments.iter().map(|word| format!(" {word}")).collect();
            let text = format!("({}{words})", fact.name);
            match (fact.group, fact.value) {
                (Group::Static, _) => {}
                (_, FactValue::Int(value)) => _ = numbers.insert(text, value as f64),
                (_, FactValue::Real(value)) => _ = numbers.insert(text, value),
                (group, _) => _ = atoms.insert(text, group == Group::Derived),
            }
        });
        Self { atoms, numbers }
    }

    /// Returns the record of a step to a state with the facts `after`.
    pub(crate) fn record(self, after: Self, action: String) -> StepRecord {
        let missing = |one: &Self, other: &Self, derived: bool| -> Vec<String> {
            let atoms = one.atoms.iter().filter(|&(_, &own)| own == derived);
            let gone = atoms.filter(|(text, _)| !other.atoms.contains_key(*text));
            gone.map(|(text, _)| text.clone()).collect()
        };
        let mut derived: Vec<_> = missing(&after, &self, true)
            .into_iter()
            .map(|text| (text, true))
            .chain(missing(&self, &after, true).into_iter().map(|text| (text, false)))
            .collect();
        derived.sort();
        let mut names: Vec<_> = self.numbers.keys().chain(after.numbers.keys()).collect();
        names.sort();
        names.dedup();
        let numbers = names.into_iter().filter_map(|name| {
            let (before, after) = (self.numbers.get(name).copied(), after.numbers.get(name).copied());
            (before != after).then(|| NumberRecord {
                number: name.clone(),
                before,
                after,
            })
        });
        StepRecord {
            action,
            effects: Vec::new(),
            added: missing(&after, &self, false),
            deleted: missing(&self, &after, false),
            derived,
            numbers: numbers.collect(),
            deltas: Vec::new(),
        }
    }
}
