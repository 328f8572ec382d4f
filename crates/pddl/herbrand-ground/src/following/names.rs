//! Atoms and ground actions by name, and the differences of sets of them.

use std::fmt;

use fxhash::FxHashSet;
use herbrand_datalog::Symbol;
use herbrand_pddl::{Domain, Name, Problem, SchemaId};

use super::symbols::Symbols;

/// The added and removed atoms or actions, by name, each sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// The added ones, by the names of the new problem.
    pub added: Vec<Named>,
    /// The removed ones, by the names of the previous problem.
    pub removed: Vec<Named>,
}

/// An atom or a ground action by name.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Named {
    /// The predicate or the action schema.
    pub name: Name,
    /// The objects.
    pub arguments: Vec<Name>,
}

impl fmt::Display for Named {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}", self.name)?;
        self.arguments.iter().try_for_each(|name| write!(f, " {name}"))?;
        f.write_str(")")
    }
}

impl Difference {
    /// Returns the difference of two lists.
    pub(super) fn between(before: Vec<Named>, after: Vec<Named>) -> Self {
        let [old, new] = [&before, &after].map(|list| list.iter().collect::<FxHashSet<_>>());
        let others = |list: &[Named], known: &FxHashSet<&Named>| {
            let others = list.iter().filter(|name| !known.contains(name));
            others.cloned().collect()
        };
        Self {
            added: others(&after, &old),
            removed: others(&before, &new),
        }
    }

    /// Sorts both lists.
    pub(super) fn sorted(mut self) -> Self {
        self.added.sort_unstable();
        self.removed.sort_unstable();
        self
    }

    /// Returns the number of added and removed names.
    #[must_use]
    pub fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }

    /// Returns whether nothing changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The names of one problem.
#[derive(Clone, Copy)]
pub(super) struct Names<'g> {
    pub(super) domain: &'g Domain,
    pub(super) problem: &'g Problem,
    pub(super) symbols: &'g Symbols,
}

impl Names<'_> {
    /// Returns an atom of the predicate with this number; `None` if the domain does not declare that predicate.
    pub(super) fn atom(&self, predicate: usize, tuple: &[Symbol]) -> Option<Named> {
        let declared = self.domain.predicates.get(predicate)?;
        Some(self.named(&declared.name, tuple))
    }

    /// Returns a ground action.
    pub(super) fn action(&self, schema: SchemaId, arguments: &[Symbol]) -> Named {
        self.named(&self.domain.schema(schema).name, arguments)
    }

    fn named(&self, name: &Name, tuple: &[Symbol]) -> Named {
        let object = |symbol: &Symbol| {
            let object = self.symbols.object(*symbol)?;
            Some(self.problem.objects[object].name.clone())
        };
        Named {
            name: name.clone(),
            arguments: tuple.iter().filter_map(object).collect(),
        }
    }
}
