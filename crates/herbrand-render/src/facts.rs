//! Facts, found by their names.

use std::collections::BTreeMap;

use crate::declare::Named;
use crate::world::{Atom, Value};

/// The facts of a moment and those that never change, by name.
#[derive(Default)]
pub(crate) struct Facts<'a>(BTreeMap<&'a str, Vec<&'a Atom>>);

impl<'a> Facts<'a> {
    pub(crate) fn new(atoms: impl IntoIterator<Item = &'a Atom>) -> Self {
        let mut by_name = BTreeMap::<_, Vec<_>>::new();
        for atom in atoms {
            by_name.entry(atom.name.as_str()).or_default().push(atom);
        }
        Self(by_name)
    }

    /// The facts called `name`, in their order.
    pub(crate) fn of(&self, name: &str) -> &[&'a Atom] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// The value of a fact about exactly these objects.
    pub(crate) fn value(&self, name: &str, arguments: &[&str]) -> Option<&'a Value> {
        let mut facts = self.of(name).iter();
        let found = facts.find(|atom| atom.arguments.iter().eq(arguments));
        found.map(|atom| &atom.value)
    }

    /// The number that a fact has about one of the subjects, or about nothing.
    pub(crate) fn number(&self, name: &str, subject: Option<&str>) -> Option<f64> {
        let own = subject.and_then(|subject| self.value(name, &[subject]));
        own.or_else(|| self.value(name, &[]))?.number()
    }

    /// Whether a fact about one of the subjects, or about nothing, holds. A fact with more arguments holds of its first.
    pub(crate) fn holds(&self, name: &str, subjects: &[&str]) -> bool {
        self.of(name).iter().any(|atom| match atom.arguments.as_slice() {
            [] => true,
            [first, ..] => subjects.contains(&first.as_str()),
        })
    }

    /// Whether all of `when` hold and none of `unless`.
    pub(crate) fn allow(&self, when: &[Named], unless: &[Named], subjects: &[&str]) -> bool {
        when.iter().all(|name| self.holds(name.get_ref(), subjects))
            && !unless.iter().any(|name| self.holds(name.get_ref(), subjects))
    }
}
