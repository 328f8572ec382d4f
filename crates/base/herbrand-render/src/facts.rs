//! Lookup of facts by name.

use std::collections::BTreeMap;

use toml::Spanned;

use crate::problem::{DrawnValue, NamedFact};

/// The facts of a moment and the constant facts by name.
#[derive(Default)]
pub(crate) struct Facts<'a>(BTreeMap<&'a str, Vec<&'a NamedFact>>);

impl<'a> Facts<'a> {
    pub(crate) fn new(atoms: impl IntoIterator<Item = &'a NamedFact>) -> Self {
        let mut by_name = BTreeMap::<_, Vec<_>>::new();
        for atom in atoms {
            by_name.entry(atom.name.as_str()).or_default().push(atom);
        }
        Self(by_name)
    }

    /// Returns the facts called `name` in order.
    pub(crate) fn of(&self, name: &str) -> &[&'a NamedFact] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the value of the fact with exactly these arguments.
    pub(crate) fn value(&self, name: &str, arguments: &[&str]) -> Option<&'a DrawnValue> {
        let mut facts = self.of(name).iter();
        let found = facts.find(|atom| atom.arguments.iter().eq(arguments));
        found.map(|atom| &atom.value)
    }

    /// Returns the number of a fact about the subject, or else without arguments.
    pub(crate) fn number(&self, name: &str, subject: Option<&str>) -> Option<f64> {
        let own = subject.and_then(|subject| self.value(name, &[subject]));
        own.or_else(|| self.value(name, &[]))?.number()
    }

    /// Returns whether a fact holds about one of the subjects or without arguments. A fact with several arguments is about
    /// its first.
    pub(crate) fn holds(&self, name: &str, subjects: &[&str]) -> bool {
        self.of(name).iter().any(|atom| match atom.arguments.as_slice() {
            [] => true,
            [first, ..] => subjects.contains(&first.as_str()),
        })
    }

    /// Returns whether all of `when` and none of `unless` hold.
    pub(crate) fn allow(
        &self,
        when: &[Spanned<String>],
        unless: &[Spanned<String>],
        subjects: &[&str],
    ) -> bool {
        when.iter().all(|name| self.holds(name.get_ref(), subjects))
            && !unless.iter().any(|name| self.holds(name.get_ref(), subjects))
    }
}
