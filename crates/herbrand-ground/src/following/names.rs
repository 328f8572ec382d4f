//! Atoms and ground actions by name, and which of them came and went.

use std::fmt;

use fxhash::FxHashSet;
use herbrand_datalog::Symbol;
use herbrand_pddl::{Domain, Name, Problem, SchemaId};

use super::symbols::Symbols;

/// What came and what went, by name, each sorted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    /// What came, by the names of the new problem.
    pub added: Vec<Named>,
    /// What went, by the names of the problem before.
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
    /// What leads from one list to another.
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

    /// The same, sorted.
    pub(super) fn sorted(mut self) -> Self {
        self.added.sort_unstable();
        self.removed.sort_unstable();
        self
    }

    /// How many names came or went.
    #[must_use]
    pub fn len(&self) -> usize {
        self.added.len() + self.removed.len()
    }

    /// Whether nothing changed.
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
    /// An atom of the predicate of this number; `None` for a predicate that the domain does not declare.
    pub(super) fn atom(&self, predicate: usize, tuple: &[Symbol]) -> Option<Named> {
        let declared = self.domain.predicates.get(predicate)?;
        Some(self.named(&declared.name, tuple))
    }

    /// A ground action.
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
